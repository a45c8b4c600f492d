//! PDFs, written by hand.

use super::{Case, SHOWN};

/// The sentence in black, in the middle of the page.
const LINE: &str = "BT /F1 12 Tf 72 500 Td ({}) Tj ET";

/// Instructions that hide the sentence, or do not.
fn pages() -> Vec<(&'static str, bool, String)> {
    let around = |before: &str, after: &str| format!("q {before} {LINE} {after} Q");
    vec![
        ("layer-off", false, around("/OC /Off BDC", "EMC")),
        ("layer-off-nested", false, around("/OC /On BDC /OC /Off BDC", "EMC EMC")),
        ("layer-membership", false, around("/OC /Member BDC", "EMC")),
        ("layer-membership-all-off", false, around("/OC /AllOn BDC", "EMC")),
        ("layer-expression", false, around("/OC /Expression BDC", "EMC")),
        ("layer-in-form", false, "/FormOff Do".to_owned()),
        ("layer-within-form", false, "/OC /Off BDC /Form Do EMC".to_owned()),
        ("clip-nothing", false, around("0 0 0 0 re W n", "")),
        ("clip-elsewhere", false, around("10 10 50 50 re W n", "")),
        ("clip-even-odd", false, around("10 10 50 50 re W* n", "")),
        ("clip-lines", false, around("10 10 m 60 10 l 60 60 l h W n", "")),
        ("clip-twice", false, around("60 490 100 40 re W n 300 490 40 40 re W n", "")),
        ("clip-form-box", false, "/FormCut Do".to_owned()),
        ("white", false, around("1 1 1 rg", "")),
        ("near-white", false, around("0.97 g", "")),
        ("white-cmyk", false, around("0 0 0 0 k", "")),
        ("white-colour-space", false, around("/DeviceRGB cs 1 1 1 sc", "")),
        ("same-as-field", false, around("0 0 1 rg 60 490 400 40 re f", "")),
        (
            "same-as-path-field",
            false,
            around("0 0 1 rg 60 490 m 460 490 l 460 530 l 60 530 l h f", ""),
        ),
        ("under-field", false, around("", "1 g 60 490 400 40 re f")),
        ("under-path", false, around("", "0 0 1 rg 60 490 m 460 490 l 460 530 l 60 530 l h f")),
        ("behind-image", false, around("", "q 400 0 0 40 60 490 cm /Image Do Q")),
        (
            "behind-inline-image",
            false,
            around("", "q 400 0 0 40 60 490 cm BI /W 1 /H 1 /CS /G /BPC 8 ID a EI Q"),
        ),
        ("above-page", false, "BT /F1 12 Tf 72 900 Td ({}) Tj ET".to_owned()),
        ("beside-page", false, "BT /F1 12 Tf -900 500 Td ({}) Tj ET".to_owned()),
        ("one-point", false, "BT /F1 1 Tf 72 500 Td ({}) Tj ET".to_owned()),
        (
            "scaled-small",
            false,
            "q .1 0 0 .1 0 0 cm BT /F1 12 Tf 720 5000 Td ({}) Tj ET Q".to_owned(),
        ),
        ("mode-3", false, around("3 Tr", "")),
        ("mode-7", false, around("7 Tr", "")),
        ("transparent", false, around("/Clear gs", "")),
        ("white-outline", false, around("1 Tr 1 1 1 RG", "")),
        ("flat", false, "BT /F1 12 Tf 0 Tz 72 500 Td ({}) Tj ET".to_owned()),
        ("layer-on", true, around("/OC /On BDC", "EMC")),
        ("layer-membership-any", true, around("/OC /AnyOn BDC", "EMC")),
        ("clip-around", true, around("60 490 400 40 re W n", "")),
        ("clip-ended", true, format!("q 10 10 50 50 re W n Q {LINE}")),
        ("white-on-black", true, around("0 g 60 490 400 40 re f 1 g", "")),
        ("black-outline", true, around("1 1 1 rg 0 0 0 RG 1 Tr", "")),
        ("beside-image", true, around("", "q 400 0 0 40 60 300 cm /Image Do Q")),
        ("over-image", true, around("q 400 0 0 40 60 490 cm /Image Do Q", "")),
        ("under-glass", true, around("", "q /Clear gs 1 g 60 490 400 40 re f Q")),
        ("behind-mask", true, around("", "q 400 0 0 40 60 490 cm /Masked Do Q")),
        ("in-form", true, "/Form Do".to_owned()),
        ("small-but-legible", true, "BT /F1 5 Tf 72 500 Td ({}) Tj ET".to_owned()),
    ]
}

/// A file with these instructions on its page.
fn file(page: &str, planted: &str) -> Vec<u8> {
    let line = LINE.replace("{}", planted);
    let content = format!("BT /F1 12 Tf 72 700 Td ({SHOWN}) Tj ET {}", page.replace("{}", planted));
    let stream = |head: &str, content: &str| {
        format!("<< {head} /Length {} >>\nstream\n{content}\nendstream", content.len())
    };
    let form = |head: &str| {
        let head =
            format!("/Type /XObject /Subtype /Form {head} /Resources << /Font << /F1 5 0 R >> >>");
        stream(&head, &line)
    };
    let image = "/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8";
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R /OCProperties << /OCGs [6 0 R 7 0 R] /D << /BaseState /ON /OFF [6 0 R] /Order [6 0 R 7 0 R] >> >> >>".to_owned(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 595 842] >>".to_owned(),
        "<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> \
         /XObject << /Form 8 0 R /FormOff 9 0 R /FormCut 10 0 R /Image 11 0 R /Masked 12 0 R >> \
         /ExtGState << /Clear << /ca 0 /CA 0 >> >> \
         /Properties << /Off 6 0 R /On 7 0 R /Member << /Type /OCMD /OCGs [6 0 R] >> \
         /AllOn << /Type /OCMD /OCGs [6 0 R 7 0 R] /P /AllOn >> /AnyOn << /Type /OCMD /OCGs [6 0 R 7 0 R] /P /AnyOn >> \
         /Expression << /Type /OCMD /VE [/Not 7 0 R] >> >> >> >>".to_owned(),
        stream("", &content),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>".to_owned(),
        "<< /Type /OCG /Name (off) >>".to_owned(),
        "<< /Type /OCG /Name (on) >>".to_owned(),
        form("/BBox [0 0 595 842]"),
        form("/BBox [0 0 595 842] /OC 6 0 R"),
        form("/BBox [10 10 60 60]"),
        stream(image, "a"),
        stream(&format!("{image} /SMask 13 0 R"), "a"),
        stream(image, "\x02"),
    ];
    let mut file = b"%PDF-1.7\n".to_vec();
    let mut places = String::new();
    for (number, object) in (1..).zip(&objects) {
        places += format!("{:010} 00000 n \n", file.len()).as_str();
        file.extend(format!("{number} 0 obj\n{object}\nendobj\n").into_bytes());
    }
    let (table, size) = (file.len(), objects.len() + 1);
    let end = format!(
        "xref\n0 {size}\n0000000000 65535 f \n{places}trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{table}\n%%EOF\n"
    );
    file.extend(end.into_bytes());
    file
}

pub(super) fn cases() -> Vec<Case> {
    let case = |(name, is_seen, page): (&'static str, bool, String)| {
        let file = Box::new(move |planted: &str| file(&page, planted));
        Case { name, is_seen, file }
    };
    pages().into_iter().map(case).collect()
}
