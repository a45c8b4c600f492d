//! The page: self-contained, without script, and deaf to what texts hold.

use super::{ARTICLE, BAD, PAIRS, score};
use crate::support::{assize, file};

fn page(arguments: &[&str]) -> String {
    let said = assize(&[&["summary", "score", "--format", "html"], arguments].concat());
    assert_eq!(said.code, 0, "{}", said.stderr);
    said.stdout
}

#[test]
fn a_page_shows_texts_claims_and_ledger_and_fetches_nothing() {
    let html = page(&["--article", ARTICLE, "--summary", BAD]);
    for part in [
        "Article",
        "Claims in the summary",
        "Key points",
        "unsupported",
        "Show every step",
        "Cap at 4",
    ] {
        assert!(html.contains(part), "{part}");
    }
    for foreign in ["<script", "src=", "http://", "https://", "@import", "url("] {
        assert!(!html.contains(foreign), "{foreign}");
    }
}

/// Every link of the page leads to an anchor of the page, and no anchor stands twice.
#[test]
fn every_link_leads_somewhere() {
    let html = page(&["--input", PAIRS, "--framework", "judge-lock"]);
    let after = |start: &str| {
        html.split(start).skip(1).map(|rest| rest.split('"').next().unwrap()).collect::<Vec<_>>()
    };
    let mut anchors = after(" id=\"");
    anchors.sort_unstable();
    assert!(anchors.windows(2).all(|pair| pair[0] != pair[1]));
    let links = after("href=\"#");
    assert!(links.len() > 50);
    for link in links {
        assert!(anchors.binary_search(&link).is_ok(), "{link}");
    }
}

#[test]
fn hostile_text_stays_text_on_the_page() {
    let attack = "</div><script>alert('x')</script><img src=x onerror=alert(1)> \"' & it rained.";
    let (_articles, article) = file("a.txt", format!("The sky fell. {attack} It rained on Mull."));
    let (_summaries, summary) = file("s.txt", attack);
    let html = page(&["--article", &article, "--summary", &summary]);
    assert!(!html.contains("<script") && !html.contains("<img") && !html.contains("</div><script"));
    assert!(html.contains("&lt;script&gt;alert"));
    let record = serde_json::json!({ "id": attack, "article": attack, "summary": attack });
    let (_folder, path) = file("hostile.jsonl", format!("{record}\n"));
    let html = page(&["--input", &path]);
    assert!(!html.contains("<script") && !html.contains("<img"));
}

#[test]
fn a_refused_pair_still_has_a_page() {
    let (_summaries, summary) = file("s.txt", "");
    let said = assize(&[
        "summary",
        "score",
        "--article",
        ARTICLE,
        "--summary",
        &summary,
        "--format",
        "html",
    ]);
    assert_eq!(said.code, 2);
    assert!(said.stdout.contains("empty_summary"));
}

#[test]
fn a_page_shows_the_weakest_pairs_in_full() {
    let said = score(PAIRS, &["--format", "html", "--show", "2"]);
    assert_eq!(said.stdout.matches("<section class=\"pair\">").count(), 2);
    assert!(said.stdout.contains("<h2 id=\"p5\">"), "the pair with the worst scores");
}
