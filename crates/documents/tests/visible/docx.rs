//! Word documents.

use std::io::{Cursor, Write};

use zip::write::{SimpleFileOptions, ZipWriter};

use super::{Case, SHOWN};

const SPACES: &str = "xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\" \
    xmlns:wp=\"http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing\" \
    xmlns:a=\"http://schemas.openxmlformats.org/drawingml/2006/main\" \
    xmlns:wps=\"http://schemas.microsoft.com/office/word/2010/wordprocessingShape\" \
    xmlns:v=\"urn:schemas-microsoft-com:vml\"";

const TYPES: &str = "<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\">\
    <Default Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/>\
    <Default Extension=\"xml\" ContentType=\"application/xml\"/>\
    <Override PartName=\"/word/document.xml\" ContentType=\"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml\"/>\
    <Override PartName=\"/word/styles.xml\" ContentType=\"application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml\"/>\
    <Override PartName=\"/word/settings.xml\" ContentType=\"application/vnd.openxmlformats-officedocument.wordprocessingml.settings+xml\"/>\
    <Override PartName=\"/word/theme/theme1.xml\" ContentType=\"application/vnd.openxmlformats-officedocument.theme+xml\"/></Types>";

const ROOT: &str = "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">\
    <Relationship Id=\"r1\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument\" Target=\"word/document.xml\"/></Relationships>";

const PARTS: &str = "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">\
    <Relationship Id=\"r1\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles\" Target=\"styles.xml\"/>\
    <Relationship Id=\"r2\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/theme\" Target=\"theme/theme1.xml\"/>\
    <Relationship Id=\"r3\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/settings\" Target=\"settings.xml\"/></Relationships>";

const SETTINGS: &str = "<w:settings xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\">\
    <w:displayBackgroundShape/></w:settings>";

const THEME: &str = "<a:theme xmlns:a=\"http://schemas.openxmlformats.org/drawingml/2006/main\" name=\"t\">\
    <a:themeElements><a:clrScheme name=\"c\"><a:dk1><a:sysClr val=\"windowText\" lastClr=\"000000\"/></a:dk1>\
    <a:lt1><a:sysClr val=\"window\" lastClr=\"FFFFFF\"/></a:lt1><a:dk2><a:srgbClr val=\"44546A\"/></a:dk2>\
    <a:lt2><a:srgbClr val=\"E7E6E6\"/></a:lt2><a:accent1><a:srgbClr val=\"4472C4\"/></a:accent1>\
    <a:accent2><a:srgbClr val=\"ED7D31\"/></a:accent2><a:accent3><a:srgbClr val=\"A5A5A5\"/></a:accent3>\
    <a:accent4><a:srgbClr val=\"FFC000\"/></a:accent4><a:accent5><a:srgbClr val=\"5B9BD5\"/></a:accent5>\
    <a:accent6><a:srgbClr val=\"70AD47\"/></a:accent6><a:hlink><a:srgbClr val=\"0563C1\"/></a:hlink>\
    <a:folHlink><a:srgbClr val=\"954F72\"/></a:folHlink></a:clrScheme></a:themeElements></a:theme>";

const STYLES: &str = "<w:styles xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\">\
    <w:style w:type=\"paragraph\" w:default=\"1\" w:styleId=\"Normal\"><w:name w:val=\"Normal\"/></w:style>\
    <w:style w:type=\"paragraph\" w:styleId=\"PWhite\"><w:name w:val=\"PWhite\"/><w:basedOn w:val=\"Normal\"/><w:rPr><w:color w:val=\"FFFFFF\"/></w:rPr></w:style>\
    <w:style w:type=\"paragraph\" w:styleId=\"PChild\"><w:name w:val=\"PChild\"/><w:basedOn w:val=\"PWhite\"/></w:style>\
    <w:style w:type=\"paragraph\" w:styleId=\"PTheme\"><w:name w:val=\"PTheme\"/><w:rPr><w:color w:val=\"FFFFFF\" w:themeColor=\"background1\"/></w:rPr></w:style>\
    <w:style w:type=\"paragraph\" w:styleId=\"PGone\"><w:name w:val=\"PGone\"/><w:rPr><w:vanish/></w:rPr></w:style>\
    <w:style w:type=\"paragraph\" w:styleId=\"PTiny\"><w:name w:val=\"PTiny\"/><w:rPr><w:sz w:val=\"2\"/></w:rPr></w:style>\
    <w:style w:type=\"paragraph\" w:styleId=\"PDark\"><w:name w:val=\"PDark\"/><w:pPr><w:shd w:val=\"clear\" w:color=\"auto\" w:fill=\"000000\"/></w:pPr><w:rPr><w:color w:val=\"000000\"/></w:rPr></w:style>\
    <w:style w:type=\"paragraph\" w:styleId=\"PBanner\"><w:name w:val=\"PBanner\"/><w:pPr><w:shd w:val=\"clear\" w:color=\"auto\" w:fill=\"000000\"/></w:pPr><w:rPr><w:color w:val=\"FFFFFF\"/></w:rPr></w:style>\
    <w:style w:type=\"character\" w:styleId=\"CWhite\"><w:name w:val=\"CWhite\"/><w:rPr><w:color w:val=\"FFFFFF\"/></w:rPr></w:style>\
    <w:style w:type=\"character\" w:styleId=\"CGone\"><w:name w:val=\"CGone\"/><w:rPr><w:vanish/></w:rPr></w:style>\
    <w:style w:type=\"character\" w:styleId=\"CBlack\"><w:name w:val=\"CBlack\"/><w:rPr><w:color w:val=\"000000\"/></w:rPr></w:style>\
    <w:style w:type=\"table\" w:styleId=\"Grid\"><w:name w:val=\"Grid\"/></w:style>\
    <w:style w:type=\"table\" w:styleId=\"Dark\"><w:name w:val=\"Dark\"/><w:tcPr><w:shd w:val=\"clear\" w:color=\"auto\" w:fill=\"203864\"/></w:tcPr></w:style></w:styles>";

/// A file with this body.
fn file(body: &str) -> Vec<u8> {
    let (background, body) = body.split_once("<!--body-->").unwrap_or(("", body));
    let document = format!(
        "<w:document {SPACES}>{background}<w:body><w:p><w:r><w:rPr><w:shd w:val=\"clear\" w:color=\"auto\" w:fill=\"FFFFFF\"/>\
         <w:color w:val=\"000000\"/></w:rPr><w:t>{SHOWN}</w:t></w:r></w:p>{body}<w:p/><w:sectPr>\
         <w:pgSz w:w=\"11906\" w:h=\"16838\"/><w:pgMar w:top=\"1440\" w:right=\"1440\" w:bottom=\"1440\" w:left=\"1440\"/>\
         </w:sectPr></w:body></w:document>"
    );
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in [
        ("[Content_Types].xml", TYPES),
        ("_rels/.rels", ROOT),
        ("word/_rels/document.xml.rels", PARTS),
        ("word/document.xml", document.as_str()),
        ("word/styles.xml", STYLES),
        ("word/settings.xml", SETTINGS),
        ("word/theme/theme1.xml", THEME),
    ] {
        writer.start_file(name, SimpleFileOptions::default()).expect("the names differ");
        writer.write_all(content.as_bytes()).expect("memory can be written to");
    }
    writer.finish().expect("memory can be written to").into_inner()
}

fn p(paragraph: &str, run: &str) -> String {
    format!("<w:p><w:pPr>{paragraph}</w:pPr><w:r><w:rPr>{run}</w:rPr><w:t>{{}}</w:t></w:r></w:p>")
}

fn table(style: &str, row: &str, cell: &str, run: &str) -> String {
    format!(
        "<w:tbl><w:tblPr>{style}<w:tblW w:w=\"5000\" w:type=\"dxa\"/></w:tblPr><w:tblGrid><w:gridCol w:w=\"5000\"/></w:tblGrid>\
         <w:tr><w:tc><w:tcPr><w:tcW w:w=\"5000\" w:type=\"dxa\"/></w:tcPr><w:p/></w:tc></w:tr>\
         <w:tr><w:trPr>{row}</w:trPr><w:tc><w:tcPr><w:tcW w:w=\"5000\" w:type=\"dxa\"/>{cell}</w:tcPr>{}</w:tc></w:tr></w:tbl>",
        p("", run)
    )
}

/// A text box that hangs on a paragraph, so far to the right of the page's left side.
fn text_box(offset_x: &str, offset_y: &str) -> String {
    format!(
        "<w:p><w:r><w:drawing><wp:anchor distT=\"0\" distB=\"0\" distL=\"0\" distR=\"0\" simplePos=\"0\" relativeHeight=\"2\" \
         behindDoc=\"0\" locked=\"0\" layoutInCell=\"1\" allowOverlap=\"1\"><wp:simplePos x=\"0\" y=\"0\"/>\
         <wp:positionH relativeFrom=\"page\"><wp:posOffset>{offset_x}</wp:posOffset></wp:positionH>\
         <wp:positionV relativeFrom=\"page\"><wp:posOffset>{offset_y}</wp:posOffset></wp:positionV>\
         <wp:extent cx=\"2743200\" cy=\"914400\"/><wp:wrapNone/><wp:docPr id=\"1\" name=\"Box\"/><a:graphic>\
         <a:graphicData uri=\"http://schemas.microsoft.com/office/word/2010/wordprocessingShape\"><wps:wsp><wps:cNvSpPr txBox=\"1\"/>\
         <wps:spPr><a:xfrm><a:off x=\"0\" y=\"0\"/><a:ext cx=\"2743200\" cy=\"914400\"/></a:xfrm><a:prstGeom prst=\"rect\"><a:avLst/></a:prstGeom></wps:spPr>\
         <wps:txbx><w:txbxContent>{}</w:txbxContent></wps:txbx><wps:bodyPr/></wps:wsp></a:graphicData></a:graphic></wp:anchor></w:drawing></w:r></w:p>",
        p("", "")
    )
}

const WHITE: &str = "<w:color w:val=\"FFFFFF\"/>";
const BLACK: &str = "<w:color w:val=\"000000\"/>";
const ON_BLACK: &str = "<w:shd w:val=\"clear\" w:color=\"auto\" w:fill=\"000000\"/>";

fn unseen() -> Vec<(&'static str, String)> {
    let style = |kind: &str, name: &str| format!("<w:{kind}Style w:val=\"{name}\"/>");
    let deleted =
        "<w:p><w:del w:id=\"1\" w:author=\"x\"><w:r><w:delText>{}</w:delText></w:r></w:del></w:p>";
    let frame = |at: &str| {
        p(
            &format!(
                "<w:framePr w:w=\"3000\" w:h=\"600\" w:hRule=\"exact\" w:wrap=\"around\" w:vAnchor=\"page\" w:hAnchor=\"page\" {at}/>"
            ),
            "",
        )
    };
    let vml = "<w:p><w:r><w:pict><v:shape style=\"position:absolute;margin-left:-2000pt;margin-top:0;width:200pt;height:50pt\">\
        <v:textbox><w:txbxContent><w:p><w:r><w:t>{}</w:t></w:r></w:p></w:txbxContent></v:textbox></v:shape></w:pict></w:r></w:p>";
    let black_page = "<w:background w:color=\"000000\"/><!--body-->";
    vec![
        ("vanish", p("", "<w:vanish/>")),
        ("vanish-paragraph-style", p(&style("p", "PGone"), "")),
        ("vanish-character-style", p("", &style("r", "CGone"))),
        ("web-hidden-vanish", p("", "<w:specVanish/><w:vanish/>")),
        ("white", p("", WHITE)),
        ("near-white", p("", "<w:color w:val=\"FAFAFA\"/>")),
        ("white-paragraph-style", p(&style("p", "PWhite"), "")),
        ("white-based-on-style", p(&style("p", "PChild"), "")),
        ("white-character-style", p("", &style("r", "CWhite"))),
        ("white-theme", p("", "<w:color w:val=\"FFFFFF\" w:themeColor=\"background1\"/>")),
        ("white-theme-only", p("", "<w:color w:themeColor=\"light1\"/>")),
        ("white-theme-style", p(&style("p", "PTheme"), "")),
        ("tint-of-theme", p("", "<w:color w:val=\"FDFDFD\" w:themeColor=\"text1\" w:themeTint=\"02\"/>")),
        ("white-in-cell", table("", "", "", WHITE)),
        ("white-in-grid", table("<w:tblStyle w:val=\"Grid\"/>", "", "", WHITE)),
        ("white-beside-dark-cell", format!(
            "<w:tbl><w:tblPr><w:tblW w:w=\"5000\" w:type=\"dxa\"/></w:tblPr><w:tblGrid><w:gridCol w:w=\"2500\"/><w:gridCol w:w=\"2500\"/></w:tblGrid><w:tr>\
             <w:tc><w:tcPr><w:shd w:val=\"clear\" w:fill=\"000000\"/></w:tcPr><w:p/></w:tc><w:tc>{}</w:tc></w:tr></w:tbl>", p("", WHITE))),
        ("black-on-black-run", p("", &format!("{BLACK}{ON_BLACK}"))),
        ("black-on-black-paragraph", p(ON_BLACK, BLACK)),
        ("black-on-black-style", p(&style("p", "PDark"), "")),
        ("black-on-black-cell", table("", "", ON_BLACK, BLACK)),
        ("black-highlight", p("", &format!("{BLACK}<w:highlight w:val=\"black\"/>"))),
        ("black-on-theme", p("", &format!("{BLACK}<w:shd w:val=\"clear\" w:fill=\"000000\" w:themeFill=\"text1\"/>"))),
        ("black-solid-pattern", p("", &format!("{BLACK}<w:shd w:val=\"solid\" w:color=\"000000\" w:fill=\"FFFFFF\"/>"))),
        ("black-page", format!("{black_page}{}", p("", BLACK))),
        ("one-point", p("", "<w:sz w:val=\"2\"/>")),
        ("one-point-style", p(&style("p", "PTiny"), "")),
        ("hidden-row", table("", "<w:hidden/>", "", "")),
        ("flat-row", table("", "<w:trHeight w:val=\"1\" w:hRule=\"exact\"/>", "", "")),
        ("frame-left", frame("w:x=\"-20000\" w:y=\"2000\"")),
        ("frame-below", frame("w:x=\"1000\" w:y=\"30000\"")),
        ("text-box-left", text_box("-9144000", "1828800")),
        ("text-box-right", text_box("18288000", "1828800")),
        ("text-box-above", text_box("914400", "-9144000")),
        ("vml-box-left", vml.to_owned()),
        ("deleted", deleted.to_owned()),
        ("moved-away", "<w:p><w:moveFrom w:id=\"1\" w:author=\"x\"><w:r><w:t>{}</w:t></w:r></w:moveFrom></w:p>".to_owned()),
        ("deleted-row", table("", "<w:del w:id=\"1\" w:author=\"x\"/>", "", "")),
    ]
}

fn seen() -> Vec<(&'static str, String)> {
    let style = |kind: &str, name: &str| format!("<w:{kind}Style w:val=\"{name}\"/>");
    let black_page = "<w:background w:color=\"000000\"/><!--body-->";
    vec![
        ("plain", p("", "")),
        ("vanish-off", p("", "<w:vanish w:val=\"0\"/>")),
        ("vanish-style-off", p(&style("p", "PGone"), "<w:vanish w:val=\"false\"/>")),
        ("white-on-black", p("", &format!("{WHITE}{ON_BLACK}"))),
        ("white-on-black-paragraph", p(ON_BLACK, WHITE)),
        ("white-on-black-style", p(&style("p", "PBanner"), "")),
        ("white-on-dark-cell", table("", "", ON_BLACK, WHITE)),
        ("white-on-dark-table-style", table("<w:tblStyle w:val=\"Dark\"/>", "", "", WHITE)),
        ("white-on-highlight", p("", &format!("{WHITE}<w:highlight w:val=\"darkBlue\"/>"))),
        ("white-on-black-page", format!("{black_page}{}", p("", WHITE))),
        ("black-over-white-style", p(&style("p", "PWhite"), BLACK)),
        ("black-style-over-white-style", p(&style("p", "PWhite"), &style("r", "CBlack"))),
        ("auto-on-black", p(ON_BLACK, "<w:color w:val=\"auto\"/>")),
        (
            "inserted",
            "<w:p><w:ins w:id=\"1\" w:author=\"x\"><w:r><w:t>{}</w:t></w:r></w:ins></w:p>"
                .to_owned(),
        ),
        ("text-box", text_box("1828800", "5486400")),
        (
            "frame",
            p(
                "<w:framePr w:w=\"5000\" w:h=\"600\" w:wrap=\"around\" w:vAnchor=\"page\" w:hAnchor=\"page\" w:x=\"3000\" w:y=\"8000\"/>",
                "",
            ),
        ),
    ]
}

pub(super) fn cases() -> Vec<Case> {
    let case = |is_seen: bool| {
        move |(name, body): (&'static str, String)| {
            let file = Box::new(move |planted: &str| file(&body.replace("{}", planted)));
            Case { name, is_seen, file }
        }
    };
    let unseen = unseen().into_iter().map(case(false));
    unseen.chain(seen().into_iter().map(case(true))).collect()
}
