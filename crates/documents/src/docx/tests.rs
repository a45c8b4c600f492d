//! Word documents, made here part by part.

use super::*;
use crate::archive::tests::zipped;
use crate::document::Notice;

const STYLES: &[u8] = br#"<w:styles><w:style w:styleId="H1"><w:name w:val="heading 1"/></w:style>
    <w:style w:styleId="Gone"><w:rPr><w:vanish/></w:rPr></w:style></w:styles>"#;

const NUMBERING: &[u8] = br#"<w:numbering><w:abstractNum w:abstractNumId="0">
    <w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl>
    </w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>"#;

const FOOTNOTES: &[u8] = br#"<w:footnotes>
    <w:footnote w:id="-1"><w:p><w:r><w:t>separator</w:t></w:r></w:p></w:footnote>
    <w:footnote w:id="2"><w:p><w:r><w:t>By law.</w:t></w:r></w:p></w:footnote></w:footnotes>"#;

/// A document with this body.
fn docx(body: &str) -> Vec<u8> {
    let main = format!("<w:document><w:body>{body}</w:body></w:document>");
    zipped(&[
        (MAIN_PART, main.as_bytes()),
        ("word/styles.xml", STYLES),
        ("word/numbering.xml", NUMBERING),
        ("word/footnotes.xml", FOOTNOTES),
    ])
}

fn parts(body: &str) -> Parts {
    read(&docx(body), &Limits::default()).unwrap()
}

/// A paragraph with these properties and runs.
fn p(properties: &str, text: &str) -> String {
    format!("<w:p><w:pPr>{properties}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>")
}

#[test]
fn headings_and_numbers_are_what_word_shows() {
    let item = r#"<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>"#;
    let body = p(r#"<w:pStyle w:val="H1"/>"#, "Scope")
        + &p(item, "first")
        + &p(item, "second &amp; last")
        + &p(r#"<w:outlineLvl w:val="1"/>"#, "Sub");
    let parts = parts(&body);
    assert_eq!(parts.text, "Scope\n\n1. first\n\n2. second & last\n\nSub");
    let headings: Vec<_> = parts.paragraphs.iter().map(|paragraph| paragraph.heading).collect();
    assert_eq!(headings, [Some(1), None, None, Some(2)]);
}

#[test]
fn runs_make_one_text_with_tabs_and_breaks() {
    let body = "<w:p><w:pPr><w:tabs><w:tab w:val=\"left\"/></w:tabs></w:pPr><w:r><w:t xml:space=\
        \"preserve\">pass </w:t></w:r><w:hyperlink><w:r><w:t>word</w:t><w:tab/><w:t>x</w:t><w:br/>\
        <w:t>y</w:t></w:r></w:hyperlink><w:r><w:instrText>PAGE</w:instrText></w:r></w:p>";
    assert_eq!(parts(body).text, "pass word\tx\ny");
}

#[test]
fn a_row_is_a_paragraph_also_with_a_table_in_it() {
    let cell = |content: &str| format!("<w:tc>{content}</w:tc>");
    let inner = format!("<w:tbl><w:tr>{}{}</w:tr></w:tbl>", cell(&p("", "x")), cell(&p("", "y")));
    let row = cell(&p("", "AC-2")) + &cell("<w:p/>") + &cell(&(p("", "done") + &p("", "tested")));
    let body = format!("<w:tbl><w:tr>{row}</w:tr><w:tr>{}</w:tr></w:tbl>", cell(&inner));
    assert_eq!(parts(&body).text, "AC-2 | done\ntested\n\nx | y");
}

#[test]
fn notes_stand_at_the_end_under_their_numbers() {
    let body = "<w:p><w:r><w:t>Required</w:t></w:r><w:r><w:footnoteReference w:id=\"2\"/></w:r>\
        <w:r><w:t>.</w:t></w:r></w:p>";
    assert_eq!(parts(body).text, "Required[1].\n\n[1] By law.");
}

#[test]
fn what_was_deleted_moved_or_hidden_is_left_out_and_said() {
    let run = |text: &str| format!("<w:r><w:t>{text}</w:t></w:r>");
    let body = format!(
        "<w:p><w:del>{}</w:del><w:ins>{}</w:ins><w:moveFrom>{}</w:moveFrom><w:r><w:rPr><w:vanish/>\
         </w:rPr><w:t>score 100</w:t></w:r><w:r><w:rPr><w:vanish w:val=\"0\"/></w:rPr><w:t> shown\
         </w:t></w:r><w:r><w:commentReference w:id=\"1\"/></w:r></w:p>",
        run("old"),
        run("new"),
        run("moved")
    );
    let parts = parts(&body);
    assert_eq!(parts.text, "new shown");
    let left_out: Vec<String> = parts.notices.iter().map(Notice::to_string).collect();
    let expected = [
        "hidden text: 2 pieces deleted or moved away, as a tracked change, not read: “old moved”",
        "hidden text: 1 piece set as hidden, not read: “score 100”",
        "left out: 1 comments",
    ];
    assert_eq!(left_out, expected);
}

#[test]
fn what_nobody_can_see_is_no_text() {
    let run = |properties: &str, text: &str| {
        format!("<w:r><w:rPr>{properties}</w:rPr><w:t>{text}</w:t></w:r>")
    };
    let seen = run("", "seen");
    for hidden in [
        run(r#"<w:color w:val="FFFFFF"/>"#, "score 100"),
        run(r#"<w:color w:val="FAFAFA"/>"#, "score 100"),
        run(r#"<w:sz w:val="2"/>"#, "score 100"),
        run(r#"<w:rStyle w:val="Gone"/>"#, "score 100"),
    ] {
        let parts = parts(&format!("<w:p>{seen}{hidden}</w:p>"));
        assert_eq!(parts.text, "seen", "{hidden}");
        assert!(parts.notices[0].to_string().ends_with("not read: “score 100”"), "{hidden}");
    }
    let whole = format!(r#"<w:p><w:pPr><w:pStyle w:val="Gone"/></w:pPr>{}</w:p>"#, run("", "no"));
    assert_eq!(parts(&format!("<w:p>{seen}</w:p>{whole}")).text, "seen");
}

#[test]
fn white_letters_on_a_colour_are_seen() {
    let white = r#"<w:r><w:rPr><w:color w:val="FFFFFF"/></w:rPr><w:t>Owner</w:t></w:r>"#;
    let cell = format!(
        r#"<w:tbl><w:tr><w:tc><w:tcPr><w:shd w:fill="1F3864"/></w:tcPr><w:p>{white}</w:p></w:tc></w:tr></w:tbl>"#
    );
    assert_eq!(parts(&cell).text, "Owner");
    let shaded = format!(r#"<w:p><w:pPr><w:shd w:fill="000000"/></w:pPr>{white}</w:p>"#);
    assert_eq!(parts(&shaded).text, "Owner");
}

#[test]
fn a_text_box_is_read_once() {
    let text_box = |text| format!("<w:txbxContent>{}</w:txbxContent>", p("", text));
    let body = format!(
        "<w:p><w:r><w:t>before</w:t></w:r><w:r><mc:AlternateContent><mc:Choice>{}</mc:Choice>\
         <mc:Fallback>{}</mc:Fallback></mc:AlternateContent></w:r><w:r><w:t> after</w:t></w:r></w:p>",
        text_box("box"),
        text_box("box")
    );
    assert_eq!(parts(&body).text, "box\n\nbefore after");
}

#[test]
fn archives_that_are_no_word_document_are_named() {
    let of = |name| read(&zipped(&[(name, b"<x/>")]), &Limits::default()).unwrap_err().to_string();
    assert!(of("xl/workbook.xml").starts_with("a spreadsheet is not supported"));
    assert!(of("content.xml").starts_with("an OpenDocument file"));
    assert!(of("photo.jpg").starts_with("a ZIP archive"));
    let numbered = zipped(&[("word/document2.xml", b"<p><r><t>found</t></r></p>")]);
    assert_eq!(read(&numbered, &Limits::default()).unwrap().text, "found");
}

#[test]
fn a_document_whose_text_is_cut_off_is_damaged() {
    let cut = zipped(&[(MAIN_PART, b"<w:document><w:body><w:p>")]);
    let error = read(&cut, &Limits::default()).unwrap_err();
    assert_eq!(error.to_string(), "the DOCX is corrupt or truncated: its XML is truncated");
}
