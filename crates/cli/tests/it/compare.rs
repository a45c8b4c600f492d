//! `assize compare`.

use crate::support::assize;

const FILES: [&str; 4] =
    ["compare", "retrieval/gold.json", "retrieval/keyword.json", "retrieval/semantic.json"];

fn compare(more: &[&str]) -> crate::support::Said {
    assize(&[&FILES[..], more].concat())
}

/// Wins, ties and losses on recall were counted by hand: only the fourth query moves.
#[test]
fn a_pair_counts_wins_ties_and_losses() {
    let said = compare(&["--format", "json"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    let result: serde_json::Value = serde_json::from_str(&said.stdout).unwrap();
    let pairs = result["pairs"].as_array().unwrap();
    let recall = pairs.iter().find(|pair| pair["measure"] == "recall@10").unwrap();
    assert_eq!(
        (&recall["wins"], &recall["ties"], &recall["losses"]),
        (&1.into(), &5.into(), &0.into())
    );
    let difference = recall["difference"].as_f64().unwrap();
    assert!((difference - 1.0 / 6.0).abs() < 1e-12);
}

#[test]
fn every_format_names_every_run() {
    for format in ["table", "markdown", "latex", "csv", "json", "html"] {
        let said = compare(&["--format", format]);
        assert_eq!(said.code, 0, "{}", said.stderr);
        for run in ["keyword", "semantic"] {
            assert!(said.stdout.contains(run), "{format}: {}", said.stdout);
        }
    }
}

#[test]
fn the_page_fetches_nothing_and_runs_nothing() {
    let page = compare(&["--format", "html"]).stdout;
    assert!(page.contains("default-src 'none'"));
    for forbidden in ["<script", "http://", "https://", "javascript:"] {
        assert!(!page.contains(forbidden), "{forbidden}");
    }
}

#[test]
fn one_run_cannot_be_compared() {
    let said = assize(&["compare", "retrieval/gold.json", "retrieval/keyword.json"]);
    assert_eq!(said.code, 2);
}
