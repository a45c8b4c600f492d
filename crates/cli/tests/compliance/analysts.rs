//! Several analysts, their agreement and what is settled; approvals and other words in sections.

use serde_json::{Value, json};

use crate::bed::{Bed, Said};
use crate::walk::{evaluated, result};

const SETS: [&str; 4] = ["--documents", "policies", "--criteria", "library"];

fn truth(bed: &Bed, arguments: &[&str]) -> Said {
    bed.assize(&[&["truth"], arguments, &SETS[..]].concat())
}

/// What the rules decide under the access policy; the rest they leave to people and models.
const DECIDED: [&str; 3] = ["LIB-10", "LIB-2", "LIB-3"];

/// Imports scores of these under the access policy as an analyst's.
fn import(bed: &Bed, analyst: &str, scores: [&str; 3]) -> Said {
    let rows =
        DECIDED.iter().zip(scores).map(|(id, score)| format!("access-policy.md,{id},{score}\n"));
    let text = format!("document,criteria_id,expected_score\n{}", rows.collect::<String>());
    let path = bed.file(&format!("{analyst}.csv"), text);
    truth(bed, &["import", &path, "--analyst", analyst]).fine()
}

fn accuracy(bed: &Bed) -> Value {
    bed.assize(&["accuracy", "latest", "--format", "json"]).fine().json()
}

/// By hand: 90 and 90, 70 and 50, 10 and 20 are 1, 0.8 and 0.9; tiers 5 5, 4 3, 1 1. Kappa with
/// quadratic weights is 1 - (1/3) / (51/9), as in the unit test of the arithmetic.
#[test]
fn analysts_are_compared_and_what_is_settled_is_what_accuracy_uses() {
    for bed in Bed::both() {
        evaluated(&bed);
        import(&bed, "Ada", ["90", "70", "10"]);
        assert_eq!(accuracy(&bed)["ceiling"], Value::Null, "one analyst has nobody to agree with");
        import(&bed, "Ben", ["90", "50", "20"]);
        let keys = truth(&bed, &["list", "--format", "json"]).fine().json();
        assert_eq!(keys.as_array().unwrap().len(), 6);
        let found = truth(&bed, &["agreement", "--format", "json"]).fine().json();
        let agreement = &found["agreement"];
        let near = |value: &Value, wanted: f64| {
            assert!((value.as_f64().unwrap() - wanted).abs() < 1e-9, "{value} {wanted}");
        };
        near(&agreement["accuracy"], 0.9);
        near(&agreement["same_tier"], 2.0 / 3.0);
        near(&agreement["kappa"], 1.0 - 9.0 / 153.0);
        assert!(agreement["icc"].as_f64().unwrap() > 0.9, "{agreement}");
        let disputes = found["disputes"].as_array().unwrap();
        assert_eq!((disputes.len(), &disputes[0]["criteria_id"]), (2, &json!("LIB-2")));
        assert_eq!(found["basis"]["disputed"], 1);

        // Of two who differ the mean counts, until somebody settles it.
        let run = bed.assize(&["runs", "show", "latest", "--format", "json"]).fine().json();
        let judged = |id: &str| result(&run, "access-policy.md", id)["score"].as_f64().unwrap();
        let mean = |keys: [f64; 3]| {
            let off = DECIDED.iter().zip(keys).map(|(id, key)| (judged(id) - key).abs());
            1.0 - off.sum::<f64>() / 300.0
        };
        let report = accuracy(&bed);
        near(&report["overall"]["mean"], mean([90.0, 60.0, 15.0]));
        near(&report["ceiling"]["accuracy"], 0.9);
        let at = ["adjudicate", "access-policy.md", "LIB-2"];
        let settle = |more: &[&str]| truth(&bed, &[&at[..], more].concat());
        assert_eq!(settle(&["--score", "52", "--reason", " "]).code, 2);
        settle(&["--score", "52", "--reason", "contractors are left out", "--by", "Cem"]).fine();
        near(&accuracy(&bed)["overall"]["mean"], mean([90.0, 52.0, 15.0]));
        let shown = truth(&bed, &["agreement"]).fine().stdout;
        assert!(shown.contains("Ada 70, Ben 50") && shown.contains("52"), "{shown}");
        assert!(shown.lines().all(|line| line.chars().count() <= 80), "{shown}");
        import(&bed, "Ada", ["90", "71", "10"]);
        let found = truth(&bed, &["agreement", "--format", "json"]).fine().json();
        assert_eq!(found["disputes"][0]["is_outdated"], true);
        assert_eq!(found["disputes"][0]["adjudicator"], "Cem");
        settle(&["--reopen", "--reason", "Ada looked again"]).fine();
        near(&accuracy(&bed)["overall"]["mean"], mean([90.0, 60.5, 15.0]));
        assert_eq!(settle(&["--reopen", "--reason", "again"]).code, 2);
        let said = bed.assize(&["accuracy", "latest"]).fine().stdout;
        assert!(said.contains("analysts") && said.contains("ICC(2,1)"), "{said}");
    }
}

#[test]
fn a_template_that_is_half_filled_in_is_no_error() {
    let bed = Bed::sqlite();
    evaluated(&bed);
    let said = import(&bed, "Ada", ["90", "", "-"]);
    assert_eq!(said.stdout, "1 truth keys imported\n");
    assert!(
        said.stderr.contains("2 rows without a score were skipped as not judged"),
        "{}",
        said.stderr
    );
}

#[test]
fn an_override_with_other_words_becomes_the_truth_key_of_who_keeps_it() {
    for bed in Bed::both() {
        evaluated(&bed);
        let at = ["latest", "LIB-6", "--document", "access-policy.md"];
        let say = |more: &[&str]| bed.assize(&[&["evaluate", "override"], &at[..], more].concat());
        let refused = say(&["--section", "gaps=none", "--reason", "x"]);
        assert!(refused.code == 2 && refused.stderr.contains("explanation"), "{refused:?}");
        let words = ["--section", "explanation=Volunteers only.", "--reason", "read it"];
        say(&words).fine();
        let shown = bed.assize(&[&["runs", "show", "latest", "--criterion"], &at[1..]].concat());
        assert!(shown.fine().stdout.contains("Volunteers only."));
        say(&[&["--score", "61"], &words[..]].concat()).fine();
        bed.assize(&[&["truth", "keep"], &at[..], &["--analyst", "Ben"]].concat()).fine();
        let keys = truth(&bed, &["list", "--format", "json"]).fine().json();
        let key = &keys.as_array().unwrap()[0];
        assert_eq!((&key["expected_score"], &key["analyst"]), (&json!(61.0), &json!("Ben")));
        assert_eq!(key["response_sections"]["explanation"], "Volunteers only.");
    }
}

#[test]
fn an_approved_run_says_who_and_when_and_what_was_changed_since() {
    for bed in Bed::both() {
        evaluated(&bed);
        bed.assize(&["runs", "approve", "latest", "--by", "Grace", "--note", "for the audit"])
            .fine();
        let entry = || {
            let runs = bed.assize(&["runs", "list", "--format", "json"]).fine().json();
            runs[0]["approval"].clone()
        };
        let approval = entry();
        assert_eq!(
            (&approval["who"], &approval["note"]),
            (&json!("Grace"), &json!("for the audit"))
        );
        assert_eq!(approval["changes_since"], 0);
        let at = ["latest", "LIB-6", "--document", "access-policy.md"];
        let change = ["--score", "61", "--reason", "late"];
        let said = bed.assize(&[&["evaluate", "override"], &at[..], &change].concat()).fine();
        assert!(said.stderr.contains("Grace approved this run earlier"), "{}", said.stderr);
        assert_eq!(entry()["changes_since"], 1);
        let shown = bed.assize(&["runs", "show", "latest"]).fine().stdout;
        assert!(shown.contains("approved by Grace") && shown.contains("1 change since"), "{shown}");
        let refused = bed.assize(&["runs", "delete", "latest", "--yes"]);
        assert!(refused.code == 2 && refused.stderr.contains("Grace"), "{refused:?}");
        bed.assize(&["runs", "approve", "latest", "--by", "Grace", "--withdraw"]).fine();
        assert_eq!(entry(), Value::Null);
        bed.assize(&["runs", "archive", "latest"]).fine();
        assert_eq!(bed.assize(&["runs", "list", "--format", "json"]).fine().json(), json!([]));
        bed.assize(&["runs", "list", "--archived"]).fine();
        bed.assize(&["runs", "archive", "1", "--restore"]).fine();
        bed.assize(&["runs", "delete", "latest", "--yes"]).fine();
    }
}
