//! `assize council bench`, `assize council tune` and `assize judges bench`.

use std::fmt::Write;

use serde_json::Value;

use crate::support::{assize, file};

/// Sixty questions: `sharp` is right on nine of ten, `blunt` and `dull` say the same on half.
fn comparisons() -> String {
    let mut text = String::new();
    for number in 0..60 {
        let label = 1 + number % 2;
        let marks = |right: bool| if (label == 1) == right { "[8, 4]" } else { "[4, 8]" };
        let (sharp, blunt) = (number % 10 != 3, number % 4 < 2);
        let _ = writeln!(
            text,
            "{{\"q\": \"question {number}\", \"a1\": \"one two\", \"a2\": \"three\", \"label\": {label}, \
             \"s\": {{\"sharp\": {}, \"blunt\": {}, \"dull\": {}}}}}",
            marks(sharp),
            marks(blunt),
            marks(blunt)
        );
    }
    text
}

#[test]
fn a_council_that_is_worse_than_its_best_reviewer_is_said_to_be() {
    let (_folder, path) = file("pairs.jsonl", comparisons());
    let said = assize(&["council", "bench", &path]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    for words in [
        "On all comparisons, the council with equal weights is worse than its best reviewer, sharp",
        "The half on which nothing was learned",
        "Preferences that follow the order",
        "Systems by the council",
        "Is the council's confidence deserved?",
    ] {
        let flat = said.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(flat.contains(words), "{words}: {}", said.stdout);
    }
    assert!(said.stdout.lines().all(|line| line.chars().count() <= 80), "{}", said.stdout);
}

#[test]
fn learned_weights_follow_the_reviewer_who_is_right() {
    let (_folder, path) = file("pairs.jsonl", comparisons());
    let said = assize(&["council", "bench", &path, "--format", "json", "--require-council"]);
    let found: Value = serde_json::from_str(&said.stdout).unwrap();
    let bench = &found["bench"];
    let weights = &bench["held_out"]["learned"]["weights"];
    assert!(weights["sharp"].as_f64().unwrap() > weights["dull"].as_f64().unwrap(), "{weights}");
    let difference = bench["held_out"]["against_best"]["difference"].as_f64().unwrap();
    assert_eq!(said.code, i32::from(difference < 0.0));
    let all = bench["all"]["rows"].as_array().unwrap();
    assert_eq!(all[0]["name"], "sharp");
    // 54 of 60.
    assert_eq!(all[0]["agreement"], 0.9);
}

/// Forty items in eight groups; what the engine's own test works out by hand.
fn items() -> String {
    let mut text = String::from("id,doc,good,fair,noise,ann,ben\n");
    for item in 0..40 {
        let (group, place) = (item / 5, item % 5);
        let (fair, noise) = ([1, 0, 2, 4, 3][place], (item * 7 + 3) % 5);
        let (good, ben) = (place * 10, place + 1);
        let _ = writeln!(text, "i{item},d{group},{good},{fair},{noise},{place},{ben}");
    }
    text
}

#[test]
fn judges_stand_under_their_own_names_in_every_form() {
    let (folder, path) = file("items.csv", items());
    let page = folder.path().join("judges.html");
    let sources = [
        "judges",
        "bench",
        "--items",
        &path,
        "--judges",
        "G=col:good",
        "F=col:fair",
        "N=col:noise",
        "--raters",
        "ann=col:ann",
        "ben=col:ben",
        "--group",
        "doc",
        "--resamples",
        "200",
    ];
    let said = assize(&sources);
    assert_eq!(said.code, 0, "{}", said.stderr);
    let flat = said.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    for words in ["40 items in 8 groups, 3 judges", "Krippendorff's alpha", "Judge against judge"] {
        assert!(flat.contains(words), "{words}: {}", said.stdout);
    }
    assert!(said.stdout.lines().all(|line| line.chars().count() <= 80), "{}", said.stdout);
    let with = |more: &[&str]| assize(&[&sources[..], more].concat());
    assert!(with(&["--format", "latex"]).stdout.contains("G & 40 & 1.000"));
    assert!(with(&["--format", "markdown"]).stdout.contains("| G | 40 | 1.000 |"));
    assert!(with(&["--format", "csv"]).stdout.contains("Agreement,G,rho,1.000"));
    let json: Value = serde_json::from_str(&with(&["--format", "json"]).stdout).unwrap();
    assert_eq!(json["judges"][0]["name"], "G");
    assert_eq!(with(&["-o", page.to_str().unwrap()]).code, 0);
    assert!(std::fs::read_to_string(page).unwrap().contains("Judges against raters"));
}

#[test]
fn a_judge_whose_ids_do_not_match_is_refused_with_both_sides() {
    let (folder, path) = file("items.csv", "id,ann\na,1\nb,2\n");
    let own = folder.path().join("mini.jsonl");
    std::fs::write(&own, "{\"id\": \"a\", \"score\": 1}\n{\"id\": \"z\", \"score\": 1}\n").unwrap();
    let judge = format!("mini=file:{}", own.display());
    let said =
        assize(&["judges", "bench", "--items", &path, "--judges", &judge, "--raters", "x=col:ann"]);
    assert_eq!(said.code, 2);
    assert!(said.stderr.contains("(b)") && said.stderr.contains("(z)"), "{}", said.stderr);
}

#[test]
fn tuning_suggests_weights_and_changes_nothing() {
    let mut text = String::new();
    for number in 0..60 {
        let clear = if number % 2 == 0 { "[9, 4]" } else { "[4, 9]" };
        let (preferred, accuracy) = (
            if number % 2 == 0 { "a" } else { "b" },
            if number % 3 == 0 { "[8, 6]" } else { "[6, 8]" },
        );
        let _ = writeln!(
            text,
            "{{\"question\": \"{number}\", \"answers\": [{{\"model\": \"a\"}}, {{\"model\": \"b\"}}], \
             \"preferred\": \"{preferred}\", \"marks\": {{\"r\": {{\"accuracy\": {accuracy}, \"clarity\": {clear}}}}}}}"
        );
    }
    let (_folder, path) = file("preferences.jsonl", &text);
    let said = assize(&["council", "tune", &path]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert!(said.stdout.contains("No profile was changed"), "{}", said.stdout);
    let few = assize(&["council", "tune", &file("few.jsonl", "").1]);
    assert_eq!(few.code, 2, "{}", few.stdout);
}
