//! `assize council bench`, `assize council tune` and `assize judges bench`.

use std::fmt::Write;

use serde_json::{Value, json};

use crate::clerk::{Clerk, forms};
use crate::summary_model::pairs;
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
        "Held-out half",
        "Position bias",
        "Systems ranked by the council",
        "Calibration of the council's confidence",
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
    for words in
        ["40 items in 8 groups, 3 judges", "Krippendorff's alpha", "Differences between judges"]
    {
        assert!(flat.contains(words), "{words}: {}", said.stdout);
    }
    assert!(
        flat.contains("judge minus Spearman") && flat.contains("minus best"),
        "{}",
        said.stdout
    );
    assert!(said.stdout.lines().all(|line| line.chars().count() <= 80), "{}", said.stdout);
    let with = |more: &[&str]| assize(&[&sources[..], more].concat());
    assert!(with(&["--format", "latex"]).stdout.contains("G & 40 & 1.000"));
    assert!(with(&["--format", "markdown"]).stdout.contains("| G | 40 | 1.000 |"));
    assert!(with(&["--format", "csv"]).stdout.contains("Agreement,G,rho,1.000"));
    let json: Value = serde_json::from_str(&with(&["--format", "json"]).stdout).unwrap();
    assert_eq!(json["judges"][0]["name"], "G");
    assert_eq!(with(&["-o", page.to_str().unwrap()]).code, 0);
    assert!(std::fs::read_to_string(page).unwrap().contains("Judges vs. raters"));
}

#[test]
fn one_judge_and_one_rater_in_few_groups_are_told_in_the_singular_and_with_a_warning() {
    let few: Vec<String> = items().lines().take(21).map(str::to_owned).collect();
    let (_folder, path) = file("items.csv", few.join("\n"));
    let sources = ["judges", "bench", "--items", &path, "--judges", "G=col:good"];
    let more = ["--raters", "ann=col:ann", "--group", "doc", "--resamples", "50"];
    let said = assize(&[&sources[..], &more].concat());
    assert_eq!(said.code, 0, "{}", said.stderr);
    let flat = said.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat.contains("20 items in 4 groups, 1 judge against 1 rater."), "{}", said.stdout);
    assert!(flat.contains("4 groups: intervals are not reliable"), "{}", said.stdout);
    // Without groups the column of correlations within them would hold nothing but dashes.
    let apart = assize(&[&sources[..], &more[..2]].concat());
    let mut headings = apart.stdout.lines().filter(|line| line.starts_with(" judge "));
    assert!(headings.all(|line| !line.contains(" within ")), "{}", apart.stdout);
    assert!(!apart.stdout.contains("not reliable"), "{}", apart.stdout);
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
fn long_names_of_reviewers_stay_apart_and_tables_fit() {
    let names = ["gpt4-rating-metrics-reference", "gpt4-rating-metrics"];
    let text = comparisons().replace("sharp", names[0]).replace("blunt", names[1]);
    let (_folder, path) = file("pairs.jsonl", text);
    let said = assize(&["council", "bench", &path]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert!(said.stdout.lines().all(|line| line.chars().count() <= 80), "{}", said.stdout);
    let firsts =
        |word: &str| said.stdout.lines().any(|line| line.split_whitespace().next() == Some(word));
    assert!(firsts("…metrics-refer…") && firsts("…metrics"), "{}", said.stdout);
}

/// Rules judge now, a file holds three samples of each item, and a run was stored before.
#[test]
fn judges_of_a_run_live_rules_and_samples_stand_in_one_table() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (items, mini, store) = (place("items.jsonl"), place("mini.csv"), place("kept.db"));
    let article = "The bridge at Oban opened in 1932. It cost nine million pounds to build.";
    let (mut text, mut samples) = (String::new(), String::from("id,sample,score\n"));
    for number in 0..24 {
        let (year, ann) = if number % 2 == 0 { (1932, 8 + number % 3 / 2) } else { (1951, 0) };
        let summary = format!("The bridge at Oban opened in {year}.");
        let _ = writeln!(
            text,
            "{{\"id\": \"i{number}\", \"article\": \"{article}\", \"summary\": \"{summary}\", \"ann\": {ann}}}"
        );
        for sample in 0..3 {
            let _ = writeln!(samples, "i{number},{sample},{}", ann * 10 + sample);
        }
    }
    std::fs::write(&items, text).unwrap();
    std::fs::write(&mini, samples).unwrap();
    let saved = assize(&["summary", "score", "--input", &items, "--save", "--database", &store]);
    assert_eq!(saved.code, 0, "{}", saved.stderr);
    let mini = format!("mini=file:{mini}");
    let sources =
        ["judges", "bench", "--items", &items, "--database", &store, "--raters", "ann=col:ann"];
    let judges =
        ["--judges", "now=live:twin-lock/hallucination", "then=run:#1@hallucination", &mini];
    let said = assize(&[&sources[..], &judges[..], &["--format", "json"]].concat());
    assert_eq!(said.code, 0, "{}", said.stderr);
    let found: Value = serde_json::from_str(&said.stdout).unwrap();
    let judge = |name: &str| {
        let all = found["judges"].as_array().unwrap();
        all.iter().find(|judge| judge["name"] == name).unwrap().clone()
    };
    // The same rules judged the same pairs, then and now.
    assert_eq!(judge("now")["spearman"], judge("then")["spearman"]);
    assert!(judge("now")["seconds"].as_f64().unwrap() > 0.0);
    assert_eq!(judge("now")["dollars"], 0.0);
    assert_eq!(judge("mini")["steadiness"]["samples"], 3);
    // Samples s, s + 1, s + 2 of 100 have a deviation of 1, and the raters' scale, 0 to 10, is a
    // tenth as wide.
    let spread = judge("mini")["steadiness"]["spread"].as_f64().unwrap();
    assert!((spread - 0.1).abs() < 1e-9, "{spread}");
    assert_eq!(judge("mini")["steadiness"]["always_right"], 1.0);
    let table = assize(&[&sources[..], &judges[..]].concat());
    assert!(table.stdout.contains("Cost and consistency"), "{}", table.stdout);
    assert!(table.stdout.lines().all(|line| line.chars().count() <= 80), "{}", table.stdout);
    let refused = assize(&[&sources[..], &["--judges", "then=run:#1@charm"]].concat());
    assert!(refused.code != 0 && refused.stderr.contains("hallucination"), "{}", refused.stderr);
}

/// Two samples of four pairs, three questions each: 24 requests, and none the second time.
#[test]
fn a_live_model_is_asked_for_samples_and_never_twice_for_one() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (items, store) = (place("items.jsonl"), place("kept.db"));
    let rated = |(number, line): (usize, &str)| {
        let mut pair: Value = serde_json::from_str(line).unwrap();
        pair["ann"] = Value::from(number);
        format!("{pair}\n")
    };
    let text: String = pairs(4).lines().enumerate().map(rated).collect();
    std::fs::write(&items, text).unwrap();
    let clerk = Clerk::start(forms("nothing"));
    let url = clerk.url();
    let sources = ["judges", "bench", "--items", &items, "--raters", "ann=col:ann"];
    let live = ["--judges", "clerk=live:local/clerk", "--samples", "2"];
    let model = ["--endpoint", &url, "--database", &store, "--format", "json"];
    let with = |more: &[&str]| assize(&[&sources[..], &live[..], &model[..], more].concat());
    let planned = with(&["--dry-run"]);
    assert!(planned.stdout.contains("Nothing was sent"), "{}", planned.stdout);
    let said = with(&[]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert!(said.stderr.contains("24 requests"), "{}", said.stderr);
    let found: Value = serde_json::from_str(&said.stdout).unwrap();
    let judge = &found["judges"][0];
    assert_eq!(judge["count"], 4, "{judge}");
    assert_eq!(judge["steadiness"]["samples"], 2);
    // The clerk always says the same.
    assert_eq!(judge["steadiness"]["spread"], 0.0);
    assert!(judge["seconds"].as_f64().unwrap() > 0.0);
    let again = with(&[]);
    assert!(again.stderr.contains("0 requests"), "{}", again.stderr);
    let found: Value = serde_json::from_str(&again.stdout).unwrap();
    assert!(found["judges"][0]["seconds"].is_null(), "what was kept took no time that is known");
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
    let text = said.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("No profile was changed"), "{text}");
    let few = assize(&["council", "tune", &file("few.jsonl", "").1]);
    assert_eq!(few.code, 2, "{}", few.stdout);
}

/// Distances are on scales, not on what happened to be seen, and the report says on which.
#[test]
fn the_scales_that_distances_are_on_are_told() {
    let text = "id,above,tenths,ann,ben\na,2,0,1,1\nb,3,5,2,3\nc,4,5,3,3\nd,5,10,4,4\n";
    let (_folder, path) = file("items.csv", text);
    let sources = ["judges", "bench", "--items", &path, "--resamples", "50"];
    let judges = ["--judges", "above=col:above", "tenths=col:tenths", "--raters", "ann=col:ann"];
    let with = |more: &[&str]| {
        let said = assize(&[&sources[..], &judges, more].concat());
        assert_eq!(said.code, 0, "{}", said.stderr);
        said.stdout
    };
    let flat = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let shown = with(&[]);
    assert!(flat(&shown).contains("above 1.000 +1.000 0.000"), "{shown}");
    assert!(flat(&shown).contains("above 1–5 as is"), "{shown}");
    assert!(flat(&shown).contains("tenths 0–10 onto 1–5"), "{shown}");
    assert!(flat(&shown).contains("Kappa is quadratic."), "{shown}");
    // The mean of 2 and 3 is no tier: what is not there is not explained, but said to be absent.
    let mean = with(&["ben=col:ben"]);
    assert!(!mean.contains("quadratic"), "{mean}");
    assert!(flat(&mean).contains("Kappa and same tier are left out"), "{mean}");
}

#[test]
fn a_csv_of_judges_has_full_figures_and_both_judges_of_a_difference() {
    let (_folder, path) = file("items.csv", items());
    let sources = ["judges", "bench", "--items", &path, "--judges", "G=col:good", "F=col:fair"];
    let more = ["--raters", "ann=col:ann", "--resamples", "200", "--format"];
    let said = |form: &str| assize(&[&sources[..], &more, &[form]].concat()).stdout;
    let (csv, json) = (said("csv"), said("json"));
    let json: Value = serde_json::from_str(&json).unwrap();
    let cell = |row: &str, column: &str| {
        let start = format!("Differences between judges,{row},{column},");
        let line = csv.lines().find_map(|line| line.strip_prefix(start.as_str()));
        line.unwrap_or_else(|| panic!("{start}: {csv}")).parse::<f64>().unwrap()
    };
    let pair = &json["versus"]["pairs"][0]["difference"];
    for (column, field) in [("Spearman", "value"), ("low", "low"), ("high", "high")] {
        assert_eq!(Some(cell("G minus F", column)), pair[field].as_f64(), "{csv}");
    }
    assert!(!csv.contains(" – "), "{csv}");
}

/// The first case of `cases/stats/prediction_powered.json`, whose estimate is that of ppi-python.
#[test]
fn judges_infer_corrects_the_judge_by_a_few_labels() {
    let cases = include_str!("../../../../cases/stats/prediction_powered.json");
    let cases: Value = serde_json::from_str(cases).unwrap();
    let case = &cases[0];
    let numbers = |name: &str| case[name].as_array().unwrap().clone();
    let (labels, judged, others) = (numbers("labels"), numbers("judged"), numbers("others"));
    let labelled = labels.iter().zip(&judged).map(|(label, score)| format!("{score},{label}"));
    let rows: Vec<String> =
        labelled.chain(others.iter().map(|score| format!("{score},"))).collect();
    let rows = rows.iter().enumerate().map(|(place, row)| format!("s{place},{row}\n"));
    let (_folder, path) =
        file("items.csv", format!("id,j,h\n{}", rows.collect::<Vec<_>>().concat()));
    let asked = ["judges", "infer", "--items", &path, "--judge", "j=col:j", "--raters", "h=col:h"];
    let said = assize(&[&asked[..], &["--format", "json"]].concat());
    assert_eq!(said.code, 0, "{}", said.stderr);
    let found: Value = serde_json::from_str(&said.stdout).unwrap();
    let (value, wanted) = (&found["corrected"]["value"], case["estimate"].as_f64().unwrap());
    assert!((value.as_f64().unwrap() - wanted).abs() < 1e-9, "{value} {wanted}");
    assert_eq!((&found["labels"], &found["items"]), (&Value::from(12), &Value::from(42)));
    let table = assize(&[&asked[..], &["--width", "1.5"]].concat());
    assert!(
        table.stdout.contains("corrected") && table.stdout.contains("Label next"),
        "{}",
        table.stdout
    );
    let wrong = assize(&[&asked[..], &["--share", "seven"]].concat());
    assert_eq!(wrong.code, 2, "{}", wrong.stdout);
    assert!(wrong.stderr.contains("is no bound"), "{}", wrong.stderr);
}

/// A judge that is one point above the rater for whatever it sees first, and not for its own family.
#[test]
fn a_judge_that_leans_with_the_place_is_found_and_slices_have_rows_of_their_own() {
    let row = |item: usize| {
        let (ann, seat) = (item % 4 + 1, item % 2 + 1);
        let (model, topic) = if item < 6 { ("gpt-4o", "law") } else { ("claude-3", "tax") };
        let said = if seat == 1 { ann + 1 } else { ann };
        format!("i{item},{said},{ann},{topic},{},{seat},{model}\n", "x".repeat(item + 1))
    };
    let rows: String = (0..12).map(row).collect();
    let (_folder, path) = file("items.csv", format!("id,g,ann,topic,text,seat,model\n{rows}"));
    let sources = ["judges", "bench", "--items", &path, "--judges", "gpt-4=col:g"];
    let more = ["--raters", "ann=col:ann", "--slice", "topic", "--length", "text"];
    let all = [&sources[..], &more, &["--order", "seat", "--author", "model"]].concat();
    let said = assize(&[&all[..], &["--format", "json"]].concat());
    assert_eq!(said.code, 0, "{}", said.stderr);
    let found: Value = serde_json::from_str(&said.stdout).unwrap();
    assert!(found["recommendation"]["words"].as_str().unwrap().contains("one judge"), "{found}");
    let judge = &found["judges"][0];
    let by = |with: &str| {
        let all = judge["leanings"].as_array().unwrap().iter();
        let one = all.clone().find(|one| one["with"] == with).unwrap();
        (one["count"].as_u64().unwrap(), one["by"]["value"].as_f64().unwrap())
    };
    assert_eq!((by("order"), by("own family")), ((12, 1.0), (12, 0.0)), "{judge}");
    assert_eq!(by("length").0, 12);
    let slices = judge["slices"].as_array().unwrap();
    let named: Vec<_> = slices.iter().map(|one| (&one["name"], &one["bias"])).collect();
    assert_eq!(named, [(&json!("law"), &json!(0.5)), (&json!("tax"), &json!(0.5))]);
    let table = assize(&all).stdout;
    assert!(table.contains("Agreement by slice") && table.contains("order (1)"), "{table}");
    assert!(table.lines().all(|line| line.chars().count() <= 80), "{table}");
}
