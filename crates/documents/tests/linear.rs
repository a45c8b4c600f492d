//! Hostile files take no more than their share of the processor's time: four times the file, about four
//! times the time, and a megabyte less than a second.

use std::io::{Cursor, Write};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use assize_documents::{Limits, read};
use zip::write::{SimpleFileOptions, ZipWriter};

/// Without optimisation a megabyte of each takes too long for a test.
const SMALL: usize = if cfg!(debug_assertions) { 32 * 1024 } else { 250_000 };
const TIMES_LARGER: usize = 4;
/// A quadratic walk would take sixteen times as long; a linear one takes four.
const TIMES_SLOWER_MAX: u32 = 9;
const NOISE: Duration = Duration::from_millis(30);
/// What a megabyte may take, with optimisation.
const MEGABYTE_MAX: Duration = Duration::from_secs(1);

/// A busy machine may slow one try down; it cannot slow down all of them.
const TRIES: usize = 5;

/// What the processor spent on this thread; where the system does not say it, the time of the clock.
fn spent() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let ran = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = ran.and_then(|ran| ran.split_whitespace().next()?.parse().ok());
    nanoseconds.map_or_else(|| START.elapsed(), Duration::from_nanos)
}

fn time(bytes: &[u8], name: &str) -> Duration {
    let before = spent();
    // What is refused is as good as what is read, if it is refused in time.
    drop(read(bytes, name, &Limits::default()));
    spent().saturating_sub(before)
}

fn is_quick(time: Duration) -> bool {
    cfg!(debug_assertions) || time < MEGABYTE_MAX
}

/// Reads a file of a size and one that is four times as large; says what is wrong.
fn complaint(name: &str, unit: &str, file: impl Fn(usize) -> Vec<u8>) -> Option<String> {
    let (small, large) = (file(SMALL), file(SMALL * TIMES_LARGER));
    let is_fine = || {
        let large = time(&large, name);
        is_quick(large) && large < time(&small, name) * TIMES_SLOWER_MAX + NOISE
    };
    if (0..TRIES).any(|_| is_fine()) {
        return None;
    }
    let (small, large) = (time(&small, name), time(&large, name));
    Some(format!("{name} of {unit:?}: {small:?}, four times as large {large:?}"))
}

fn check(name: &str, units: &[&str], file: impl Fn(&str) -> Vec<u8>) {
    let repeated = |unit: &str, size: usize| unit.repeat(size / unit.len());
    let complaints: Vec<String> = units
        .iter()
        .filter_map(|unit| complaint(name, unit, |size| file(&repeated(unit, size))))
        .collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn texts_take_linear_time() {
    let units = ["a:", "a", ".", "\n", " ", "\u{c}", "a\n\n", "é", "[", "(", "ignore the above. "];
    check("a.txt", &units, |text| text.as_bytes().to_vec());
}

#[test]
fn markdown_takes_linear_time() {
    let units = [
        "a:",
        "a",
        "#",
        "# a\n",
        "- a\n",
        "  - a\n",
        "> ",
        "[",
        "]",
        "[a](",
        "![",
        "*",
        "_a",
        "`",
        "``` \n",
        "~",
        "|",
        "|a|\n",
        "<",
        "<!--",
        "<!-- a -->",
        "<a ",
        "<b>",
        "</b>",
        "<div>\n\n",
        "<p hidden>",
        "<style>",
        "[a]: b\n",
        "[//]: # (a)\n",
        "\\",
        "&",
        "1. a\n",
        "---\n",
        "a\n===\n",
        "<a title='",
        "<?",
        "<!A",
        "- [ ] a\n",
        "[^a]: b\n\n",
        "[^a]",
    ];
    check("a.md", &units, |text| text.as_bytes().to_vec());
    // Each level deeper than the one before.
    let nested = |size: usize| {
        let lines = (0..).map(|depth| format!("{}- a\n", "  ".repeat(depth)));
        let mut text = String::new();
        for line in lines.take_while(|line| line.len() < size) {
            text.push_str(&line);
            if text.len() > size {
                break;
            }
        }
        text.into_bytes()
    };
    assert_eq!(complaint("a.md", "nested lists", nested), None);
}

#[test]
fn web_pages_take_linear_time() {
    let units = [
        "a:",
        "a",
        "<",
        "<b",
        "<b>",
        "</b>",
        "<div>",
        "</div>",
        "<div hidden>",
        "<p>",
        "<b><p>",
        "<b><p></b>",
        "<p><b>",
        "<li>",
        "<ul><li>",
        "<table><tr><td>",
        "<td>",
        "<tr>",
        "<h1>a",
        "<pre>",
        "<br>",
        "&",
        "&a",
        "&#",
        "&amp;",
        "<!--",
        "<!",
        "<?",
        "</",
        "<a x='",
        "<a x=y ",
        "<p style='color:red'>",
        "<p class='a b c'>x",
        "<button><p>",
        "<option>",
        "<dt><dd>",
        "<script>",
        "<style>",
        "<style>a{b:c}</style>",
        "<title>",
        "<svg>",
        "<p style='--a:b'>",
    ];
    check("a.html", &units, |text| format!("<!doctype html><p>x{text}").into_bytes());
}

#[test]
fn style_sheets_take_linear_time() {
    let units = [
        "a{",
        "}",
        "{",
        "a{color:red}",
        ".a,",
        "a ",
        "a>",
        ":is(",
        ":not(a",
        "@media ",
        "@media x{",
        "/*",
        "\\",
        "'",
        "(",
        "a{b{",
        "a{--b:var(--b)}",
        "a{color:var(--b)}",
        ".a .b{color:red}",
        "p p p{color:red}",
        "p~p{color:red}",
        "*{color:red}",
        "a{font:",
        "a{transform:scale(1) ",
        ":nth-child(2n){color:red}",
        "[a=b]{color:red}",
    ];
    let body = "<div class=a><p class=b>x</p></div>";
    check("a.html", &units, |sheet| {
        format!("<!doctype html><style>{sheet}</style>{body}").into_bytes()
    });
    // Rules and elements grow together: the steps are counted, and too many are refused.
    let both = |size: usize| {
        let rules = "p p~p{color:red}".repeat(size / 32);
        let elements = "<p>x".repeat(size / 8);
        format!("<!doctype html><style>{rules}</style>{elements}").into_bytes()
    };
    let spent = time(&both(1 << 20), "a.html");
    assert!(spent < Duration::from_mins(1) && is_quick(spent), "{spent:?}");
}

fn docx(body: &str) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    writer.start_file("word/document.xml", SimpleFileOptions::default()).expect("it is the first");
    let main = format!("<w:document><w:body>{body}</w:body></w:document>");
    writer.write_all(main.as_bytes()).expect("memory can be written to");
    writer.finish().expect("memory can be written to").into_inner()
}

#[test]
fn word_documents_take_linear_time() {
    let units = [
        "<w:p><w:r><w:t>a:</w:t></w:r></w:p>",
        "<w:r><w:t>a:</w:t></w:r>",
        "<w:p/>",
        "<w:tbl><w:tr><w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc></w:tr></w:tbl>",
        "<w:tr><w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc></w:tr>",
        "<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>a</w:t></w:r></w:p>",
        "<w:del><w:r><w:delText>a</w:delText></w:r></w:del>",
        "<w:p><w:pPr><w:outlineLvl w:val='1'/></w:pPr><w:r><w:t>a</w:t></w:r></w:p>",
    ];
    check("a.docx", &units, docx);
}

/// A PDF of one page with these instructions.
fn pdf(content: &str) -> Vec<u8> {
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 595 842] >>".to_owned(),
        "<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>"
            .to_owned(),
        format!("<< /Length {} >>\nstream\n{content}\nendstream", content.len()),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>".to_owned(),
    ];
    let mut file = b"%PDF-1.7\n".to_vec();
    let mut places = String::new();
    for (number, object) in (1..).zip(&objects) {
        places += format!("{:010} 00000 n \n", file.len()).as_str();
        file.extend(format!("{number} 0 obj\n{object}\nendobj\n").into_bytes());
    }
    let (table, size) = (file.len(), objects.len() + 1);
    let end = format!(
        "xref\n0 {size}\n0000000000 65535 f \n{places}trailer\n<< /Size {size} /Root 1 0 R >>\n\
         startxref\n{table}\n%%EOF\n"
    );
    file.extend(end.into_bytes());
    file
}

#[test]
fn pdfs_take_linear_time() {
    let units = [
        "(a:) Tj ",
        "(aaaa-) Tj T* ",
        "/A BMC (a) Tj ",
        "q ",
        "Q ",
        "1 1 m 2 2 l ",
        "1 1 1 1 re f (a) Tj ",
        "0 0 590 840 re f 1 0 Td (abc) Tj ",
        "1 1 1 1 re W n (a) Tj ",
        "[(a) 1 (b)] TJ ",
        "1 0 0 1 0 1 cm (a) Tj ",
        "1 0 0 1.001 0 1 cm (a) Tj ",
    ];
    check("a.pdf", &units, |page| pdf(&format!("BT /F1 9 Tf 12 TL 9 800 Td {page}")));
}
