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

/// One run with places only and one with texts only have no measures in common.
#[test]
fn runs_are_compared_on_the_measures_that_both_have() {
    let passages = "[{\"file_path\": \"harbour-lease-nda.txt\", \"span\": [0, 40]}]";
    let query = "Harbour lease NDA: how long do the duties of confidence last?";
    let run = format!("[{{\"query\": \"{query}\", \"retrieved_passages\": {passages}}}]");
    let (_folder, places) = crate::support::file("places.json", run);
    let said = assize(&["compare", "retrieval/gold.json", &places, "retrieval/keyword.json"]);
    assert_eq!(said.code, 2, "{}", said.stdout);
    assert!(said.stderr.contains("no measures in common"), "{}", said.stderr);
}

#[test]
fn sums_and_geometric_means_are_shown_and_not_tested() {
    let (_one, first) = crate::support::file("a.trec", "q Q0 d1 1 9 a\nq Q0 d2 2 8 a\n");
    let (_two, second) = crate::support::file("b.trec", "q Q0 d2 1 9 b\n");
    let (_three, qrels) = crate::support::file("qrels", "q 0 d1 1\nq 0 d2 0\n");
    let measures = ["-m", "map,ap,num_ret,gm_map", "--format", "json"];
    let said = assize(&[&["compare", &qrels, &first, &second][..], &measures].concat());
    let result: serde_json::Value = serde_json::from_str(&said.stdout).unwrap();
    let pairs = result["pairs"].as_array().unwrap();
    // `ap` is `map` under another name, and is compared once.
    assert_eq!((pairs.len(), &pairs[0]["measure"]), (1, &"map".into()));
}

#[test]
fn the_name_of_the_file_chooses_the_format() {
    let folder = tempfile::tempdir().unwrap();
    for (name, start) in [("c.html", "<!DOCTYPE html>"), ("c.json", "{"), ("c.md", "| run |")] {
        let path = folder.path().join(name);
        assert_eq!(compare(&["-o", path.to_str().unwrap()]).code, 0);
        assert!(std::fs::read_to_string(&path).unwrap().starts_with(start), "{name}");
    }
}
