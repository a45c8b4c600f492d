//! The whole way on the samples: import, evaluate, override, truth, accuracy, rubric.

use serde_json::{Value, json};

use crate::bed::{Bed, example};

/// Imports the samples and evaluates them by rules. Returns the run's id.
pub(crate) fn evaluated(bed: &Bed) -> String {
    bed.assize(&["criteria", "import", &example("criteria.csv"), "--name", "library"]).fine();
    let files = [example("access-policy.md"), example("continuity-plan.md")];
    bed.assize(&["documents", "add", &files[0], &files[1], "--set", "policies"]).fine();
    let both = ["--documents", "policies", "--criteria", "library"];
    let said = bed.assize(&[&["evaluate", "--format", "json"], &both[..]].concat()).fine();
    said.json()["run"].as_str().unwrap().to_owned()
}

pub(crate) fn result<'a>(run: &'a Value, document: &str, criterion: &str) -> &'a Value {
    let results = run["results"].as_array().unwrap();
    let is_it = |one: &&Value| one["document"] == document && one["criteria_id"] == criterion;
    results.iter().find(is_it).unwrap()
}

#[test]
fn both_databases_give_the_same_scores_and_every_citation_is_found() {
    let shown: Vec<Value> = Bed::both()
        .iter()
        .map(|bed| {
            evaluated(bed);
            bed.assize(&["runs", "show", "latest", "--format", "json"]).fine().json()
        })
        .collect();
    assert_eq!(shown[0]["results"], shown[1]["results"]);
    let run = &shown[0];
    let (scored, unscored) = (run["scored"].as_u64().unwrap(), run["unscored"].as_u64().unwrap());
    assert_eq!(scored + unscored, 20);
    assert_eq!(run["citations"], run["citations_found"]);
    // The policy says it nearly word for word; what nothing is about is not addressed.
    let addressed = result(run, "access-policy.md", "LIB-3")["score"].as_f64().unwrap();
    let silent = result(run, "access-policy.md", "LIB-10")["score"].as_f64().unwrap();
    assert!(addressed > 80.0 && silent <= 20.0, "{addressed} {silent}");
    // What rules cannot decide has no score, and says what is needed.
    let undecided = run["results"].as_array().unwrap().iter().filter(|one| one["score"].is_null());
    let undecided: Vec<&Value> = undecided.collect();
    assert_eq!(undecided.len() as u64, unscored);
    assert!(undecided.iter().all(|one| one["outcome"] == "needs_information"), "{undecided:?}");
}

#[test]
fn one_command_imports_what_it_needs_and_a_second_one_changes_nothing() {
    let bed = Bed::sqlite();
    let (policy, criteria) = (example("access-policy.md"), example("criteria.csv"));
    let evaluate = ["evaluate", &policy, "--criteria", &criteria, "--format", "json"];
    let first = bed.assize(&evaluate).fine();
    let second = bed.assize(&evaluate).fine();
    assert_eq!(first.json()["results"], second.json()["results"]);
    assert!(first.stderr.contains("per criterion"), "{}", first.stderr);
    let sets = bed.assize(&["criteria", "list", "--format", "json"]).fine().json();
    assert_eq!(sets.as_array().unwrap().len(), 1);
    let listed =
        bed.assize(&["documents", "list", "--set", "access-policy.md", "--format", "json"]);
    assert_eq!(listed.fine().json().as_array().unwrap().len(), 1);
}

#[test]
fn an_override_stands_beside_the_judges_score_and_can_be_taken_back() {
    for bed in Bed::both() {
        evaluated(&bed);
        let before = bed.assize(&["runs", "show", "latest", "--format", "json"]).fine().json();
        let judge = result(&before, "access-policy.md", "LIB-2")["score"].as_f64().unwrap();
        let at = ["latest", "LIB-2", "--document", "access-policy.md"];
        let say = |more: &[&str]| bed.assize(&[&["evaluate", "override"], &at[..], more].concat());
        assert_eq!(say(&["--score", "61", "--reason", " "]).code, 2);
        assert_eq!(say(&["--score", "101", "--reason", "x"]).code, 2);
        say(&["--score", "61", "--reason", "contracts say more"]).fine();
        let after = bed.assize(&["runs", "show", "latest", "--format", "json"]).fine().json();
        let line = result(&after, "access-policy.md", "LIB-2");
        assert_eq!((&line["score"], &line["status"]), (&json!(61.0), &json!("Mostly Compliant")));
        assert_eq!(line["ai_score"].as_f64(), Some(judge));
        say(&["--not-applicable", "--reason", "volunteers only"]).fine();
        let after = bed.assize(&["runs", "show", "latest", "--format", "json"]).fine().json();
        let line = result(&after, "access-policy.md", "LIB-2");
        assert_eq!((&line["score"], &line["outcome"]), (&Value::Null, &json!("not_applicable")));
        let scored = |run: &Value| run["scored"].as_i64().unwrap();
        assert_eq!(scored(&after), scored(&before) - 1);
        say(&["--withdraw", "--reason", "mistaken"]).fine();
        let shown = bed.assize(&[&["runs", "show", "latest", "--criterion"], &at[1..]].concat());
        let shown = shown.fine().stdout;
        assert!(
            shown.contains("1. 61 by tester") && shown.contains("contracts say more"),
            "{shown}"
        );
        assert!(shown.contains("3. withdrawn"), "{shown}");
        let after = bed.assize(&["runs", "show", "latest", "--format", "json"]).fine().json();
        assert_eq!(result(&after, "access-policy.md", "LIB-2")["score"].as_f64(), Some(judge));
    }
}

/// Overall accuracy by hand: the mean of 1 - |score - expected| / 100 over the keys.
#[test]
fn accuracy_is_what_the_keys_and_scores_say_by_hand() {
    for bed in Bed::both() {
        evaluated(&bed);
        let sets = ["--documents", "policies", "--criteria", "library"];
        let truth = example("truth.csv");
        bed.assize(&[&["truth", "import", &truth], &sets[..]].concat()).fine();
        let run = bed.assize(&["runs", "show", "latest", "--format", "json"]).fine().json();
        let keys = bed.assize(&[&["truth", "list", "--format", "json"], &sets[..]].concat());
        let keys = keys.fine().json();
        let accuracies: Vec<f64> = keys
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|key| {
                let line = result(
                    &run,
                    key["document"].as_str().unwrap(),
                    key["criteria_id"].as_str().unwrap(),
                );
                let distance = line["score"].as_f64()? - key["expected_score"].as_f64().unwrap();
                Some(1.0 - distance.abs() / 100.0)
            })
            .collect();
        // What was left undecided has no score that could be near to a key or far from it.
        assert_eq!(accuracies.len() as u64, run["scored"].as_u64().unwrap());
        let mean = accuracies.iter().sum::<f64>() / accuracies.len() as f64;
        let report = bed.assize(&["accuracy", "latest", "--format", "json"]).fine().json();
        let found = report["overall"]["mean"].as_f64().unwrap();
        assert!((found - mean).abs() < 1e-9, "{found} {mean}");
        assert_eq!(report["scored"], run["scored"]);
        assert!(report["sections"]["explanation"]["mean"].is_number(), "{report}");
        assert_eq!(bed.assize(&["accuracy", "latest", "--fail-under", "0.999"]).code, 1);
        bed.assize(&["accuracy", "latest"]).fine();
        let page = bed.path("accuracy.html");
        bed.assize(&["accuracy", "latest", "-o", &page]).fine();
        assert!(std::fs::read_to_string(page).unwrap().contains("Largest differences"));
    }
}

#[test]
fn a_rubric_is_set_shown_used_and_reset() {
    let bed = Bed::sqlite();
    evaluated(&bed);
    let tiers = json!({"tiers": [
        {"min": 0, "max": 49, "label": "Open", "description": "Not met."},
        {"min": 50, "max": 100, "label": "Closed", "description": "Met."},
    ]});
    let file = bed.file("tiers.json", tiers.to_string());
    bed.assize(&["criteria", "rubric", "set", "library", &file]).fine();
    let shown = bed.assize(&["criteria", "rubric", "show", "library"]).fine().stdout;
    assert!(shown.contains("- 0-49 (Open): Not met."), "{shown}");
    let evaluate = ["evaluate", "--documents", "policies", "--criteria", "library"];
    let run = bed.assize(&[&evaluate[..], &["--format", "json"]].concat()).fine().json();
    assert_eq!(run["tiers"][1]["label"], "Closed");
    bed.assize(&["criteria", "rubric", "reset", "library"]).fine();
    let shown = bed.assize(&["criteria", "rubric", "show", "library"]).fine().stdout;
    assert!(shown.contains("81-100"), "{shown}");
    // The run that was planned with two tiers keeps them.
    let run = bed.assize(&["runs", "show", "latest", "--format", "json"]).fine().json();
    assert_eq!(run["tiers"].as_array().unwrap().len(), 2);
}

#[test]
fn templates_have_versions_and_a_preview_is_what_a_model_gets() {
    let bed = Bed::sqlite();
    evaluated(&bed);
    let words = "Q {criteria_id} {requirement} {context} {scoring_rubric} {dynamic_section_fields}";
    let file = bed.file("mine.md", words);
    assert_eq!(
        bed.assize(&["criteria", "template", "add", "mine", &file]).fine().stdout,
        "mine@1\n"
    );
    assert_eq!(
        bed.assize(&["criteria", "template", "add", "mine", &file]).fine().stdout,
        "mine@1\n"
    );
    let file = bed.file("mine.md", format!("{words} again"));
    assert_eq!(
        bed.assize(&["criteria", "template", "add", "mine", &file]).fine().stdout,
        "mine@2\n"
    );
    bed.assize(&["criteria", "template", "use", "library", "mine@1"]).fine();
    let shown = bed.assize(&["criteria", "template", "preview", "library", "--criterion", "LIB-5"]);
    let shown = shown.fine().stdout;
    assert!(shown.contains("Q LIB-5 Remote sign-in"), "{shown}");
    assert!(shown.contains("- 81-100 (Fully Compliant)"), "{shown}");
    let faulty = bed.file("faulty.md", "{requirement} {status_options}");
    let said = bed.assize(&["criteria", "template", "add", "mine", &faulty]);
    assert!(said.code == 2 && said.stderr.contains("{status_options}"), "{said:?}");
}
