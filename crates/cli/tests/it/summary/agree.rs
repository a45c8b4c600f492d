//! `assize summary agree`: scores against ratings.

use serde_json::Value;

use super::PAIRS;
use crate::support::{Said, assize, file};

fn agree(input: &str, more: &[&str]) -> Said {
    assize(&[&["summary", "agree", "--input", input], more].concat())
}

fn json(input: &str, more: &[&str]) -> Value {
    let said = agree(input, &[more, &["--format", "json"]].concat());
    assert_eq!(said.code, 0, "{}", said.stderr);
    serde_json::from_str(&said.stdout).unwrap()
}

const ON_CONSISTENCY: [&str; 4] = ["--metric", "hallucination", "--human", "human.consistency"];

#[test]
fn the_json_has_counts_and_three_correlations_with_their_intervals() {
    let found = json(PAIRS, &ON_CONSISTENCY);
    assert_eq!((&found["n"], &found["unscored"]), (&Value::from(6), &Value::from(0)));
    assert_eq!(found["correlation"], "pooled");
    for name in ["pearson", "spearman", "kendall"] {
        let [value, low, high] =
            ["value", "low", "high"].map(|field| found[name][field].as_f64().unwrap());
        assert!(-1.0 <= low && low <= value && value <= high && high <= 1.0, "{name}");
    }
}

#[test]
fn a_file_without_scorecards_is_told_who_compares_columns() {
    let (_folder, path) = file("ratings.csv", "id,score,rating\na,1,2\nb,2,3\n");
    let wanted = ["--metric", "coverage", "--human", "rating"];
    for more in [&wanted[..], &[&wanted[..], &["--scores", &path]].concat()] {
        let said = agree(&path, more);
        assert_eq!(said.code, 2, "{}", said.stderr);
        assert!(said.stderr.contains("`assize judges bench`"), "{}", said.stderr);
    }
    let outside = assize(&["agree"]);
    assert!(outside.stderr.contains("'summary agree'"), "{}", outside.stderr);
}

#[test]
fn groups_give_their_mean_and_say_how_many_do_not_vary() {
    let found =
        json(PAIRS, &[&ON_CONSISTENCY[..], &["--group", "doc_id", "--by", "system"]].concat());
    assert_eq!(found["correlation"], "mean_over_groups");
    assert_eq!(found["groups"]["count"], 2);
    let table = agree(PAIRS, &[&ON_CONSISTENCY[..], &["--group", "doc_id"]].concat()).stdout;
    assert!(table.contains("2 groups: intervals are not reliable"), "{table}");
    assert_eq!(found["groups"]["constant_human"], 0);
    assert!(found["pooled"]["kendall"]["value"].is_number());
    let systems: Vec<&str> =
        found["by"].as_array().unwrap().iter().map(|by| by["name"].as_str().unwrap()).collect();
    assert_eq!(systems, ["careful", "careless", "short"]);
}

/// Four pairs whose articles support everything or nothing, with ratings in the opposite
/// order: a perfect negative correlation by any measure.
#[test]
fn opposite_ratings_correlate_at_minus_one() {
    let said = "The ferry to Mull was two hours late on Friday.";
    let invented = "A whale swallowed the mayor of Oban yesterday evening.";
    let record = |summary: &str, rating: u8| serde_json::json!({ "article": format!("{said} Nobody minded."), "summary": summary, "rating": rating });
    let records = [record(said, 0), record(invented, 1), record(said, 0), record(invented, 1)];
    let text = records.map(|record| record.to_string()).join("\n");
    let (_folder, path) = file("opposite.jsonl", text);
    let found = json(&path, &["--metric", "hallucination", "--human", "rating"]);
    for name in ["pearson", "spearman", "kendall"] {
        assert!((found[name]["value"].as_f64().unwrap() + 1.0).abs() < 1e-12, "{name}");
    }
    // Ratings of 0 and 1: told apart perfectly, the wrong way round.
    assert_eq!(found["binary"]["auc"]["value"], 0.0);
    assert_eq!(
        (&found["binary"]["good"], &found["binary"]["bad"]),
        (&Value::from(2), &Value::from(2))
    );
}

#[test]
fn what_has_no_score_or_no_rating_is_counted_apart() {
    let pair =
        "\"article\": \"It rained on Mull. The ferry was late.\", \"summary\": \"It rained.\"";
    let text = format!(
        "{{{pair}, \"r\": 1}}\n{{{pair}, \"r\": 2}}\n{{{pair}}}\n{{\"article\": \"a\", \"summary\": null, \"r\": 3}}\n"
    );
    let (_folder, path) = file("partial.jsonl", text);
    let found = json(&path, &["--metric", "coverage", "--human", "r"]);
    assert_eq!(
        [&found["n"], &found["unscored"], &found["unrated"]].map(|count| count.as_u64().unwrap()),
        [2, 1, 1]
    );
    // Both pairs are the same: there is nothing to correlate, and the reason is given.
    assert_eq!(found["pearson"]["value"], Value::Null);
    assert!(found["pearson"]["because"].is_string());
}

#[test]
fn numbers_without_bands_have_a_short_name_and_unknown_ones_are_listed() {
    let continuous = ["--metric", "relevance.continuous", "--human", "human.relevance"];
    assert_eq!(json(PAIRS, &continuous)["metric"], "relevance.soft_recall");
    for (metric, listed) in
        [("halucination", "hallucination"), ("coverage.reccall", "coverage.recall")]
    {
        let said = agree(PAIRS, &["--metric", metric, "--human", "human.relevance"]);
        assert_eq!((said.code, said.stdout.as_str()), (2, ""));
        assert!(said.stderr.contains(listed), "{}", said.stderr);
    }
}

#[test]
fn ratings_that_are_nowhere_are_bad_input() {
    let said = agree(PAIRS, &["--metric", "coverage", "--human", "human.constancy"]);
    assert_eq!((said.code, said.stdout.as_str()), (2, ""));
    assert!(said.stderr.contains("human.constancy"), "{}", said.stderr);
}

#[test]
fn table_and_page_tell_the_same() {
    let more = [&ON_CONSISTENCY[..], &["--group", "doc_id", "--threshold", "4"]].concat();
    let value = json(PAIRS, &more)["spearman"]["value"].as_f64().unwrap();
    let shown = format!("{value:.4}");
    let table = agree(PAIRS, &more).stdout;
    assert!(table.contains(&shown) && table.contains("count as 0"), "{table}");
    let page = agree(PAIRS, &[&more[..], &["--format", "html"]].concat()).stdout;
    // Intervals, item by item, calibration, and with a threshold precision and recall.
    assert!(page.contains(&shown) && page.contains("Precision and recall"), "{page}");
    assert!(page.matches("<svg").count() == 4 && !page.contains("<script"));
}

#[test]
fn the_same_seed_gives_the_same_bytes_with_any_number_of_threads() {
    let run = |threads: &str| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_assize"));
        command
            .args(["summary", "agree", "--input", PAIRS, "--format", "json", "--group", "doc_id"]);
        command.args(ON_CONSISTENCY).env("RAYON_NUM_THREADS", threads);
        command.current_dir(crate::support::examples()).output().unwrap().stdout
    };
    assert_eq!(run("1"), run("4"));
}

/// Ten pairs whose scorecards were written by somebody else: scores 0 to 9, ratings half of
/// that and one more.
fn rated_and_scored() -> (String, String) {
    let rated = (0..10).map(|place| {
        let rating = f64::from(place) / 2.0 + 1.0;
        serde_json::json!({ "id": format!("p{place}"), "rating": rating }).to_string()
    });
    let scored = (0..10).rev().map(|place| {
        serde_json::json!({
            "id": format!("p{place}"),
            "method": { "name": "judge-lock", "version": 1 },
            "coverage": { "overall_score": place },
            "judge": { "judges": ["local/somebody"] },
        })
        .to_string()
    });
    (rated.collect::<Vec<_>>().join("\n"), scored.collect::<Vec<_>>().join("\n"))
}

#[test]
fn scorecards_of_any_judge_are_held_against_ratings() {
    let (rated, scored) = rated_and_scored();
    let (_first, rated) = file("rated.jsonl", rated);
    let (_second, scored) = file("scored.jsonl", scored);
    let about = ["--scores", &scored, "--metric", "coverage", "--human", "rating"];
    let found = json(&rated, &about);
    assert_eq!((&found["n"], &found["judge"]), (&Value::from(10), &Value::from("local/somebody")));
    assert_eq!(found["method"]["name"], "judge-lock");
    assert!((found["spearman"]["value"].as_f64().unwrap() - 1.0).abs() < 1e-12);
    // Ratings 1, 1.5, … 5.5 around their mean of 3.25.
    assert_eq!(found["calibration"]["mean_error"], 1.25);
    assert_eq!(found["calibration"]["knots"][4], serde_json::json!([4.0, 3.0]));
    let missing = agree(&rated, &["--scores", &rated, "--metric", "coverage", "--human", "rating"]);
    assert_eq!(missing.code, 2, "{}", missing.stderr);
    assert!(missing.stderr.contains("no number `coverage`"), "{}", missing.stderr);
}

#[test]
fn a_curve_stands_beside_the_score_and_never_replaces_it() {
    let (rated, scored) = rated_and_scored();
    let (_first, rated) = file("rated.jsonl", rated);
    let (_second, scored) = file("scored.jsonl", scored);
    let (_third, curve) = file("curve.json", "");
    let about = ["--scores", &scored, "--metric", "coverage", "--human", "rating", "-o", &curve];
    assert_eq!(agree(&rated, &about).code, 0);
    let score = |more: &[&str]| {
        assize(&[&["summary", "score", "--input", PAIRS, "--format", "jsonl"], more].concat())
    };
    let (plain, beside) = (score(&[]), score(&["--calibration", &curve]));
    assert_eq!(beside.code, 0, "{}", beside.stderr);
    for (plain, beside) in plain.stdout.lines().zip(beside.stdout.lines()) {
        let (plain, beside): (Value, Value) =
            (serde_json::from_str(plain).unwrap(), serde_json::from_str(beside).unwrap());
        assert_eq!(plain["coverage"], beside["coverage"]);
        let score = plain["coverage"]["overall_score"].as_f64().unwrap();
        // The curve is flat beyond 9, the highest score it has seen.
        let expected = score.min(9.0) / 2.0 + 1.0;
        let rating = beside["calibrated"]["coverage"].as_f64().unwrap();
        assert!((rating - expected).abs() < 0.005 + 1e-9, "{score} {rating}");
    }
    let twice = score(&["--calibration", &curve, "--calibration", &curve]);
    assert_eq!(twice.code, 2);
    assert!(twice.stderr.contains("already a curve for coverage"), "{}", twice.stderr);
    let foreign = score(&["--calibration", PAIRS]);
    assert!(foreign.stderr.contains("contains no calibration curve"), "{}", foreign.stderr);
}
