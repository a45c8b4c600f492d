//! `assize council …` from the outside: the promises of the council's document.

use serde_json::{Value, json};

use crate::bench::{
    ANSWERS, Bench, HONEST, MEMBERS, Marks, REVIEWERS, Wants, ballot, council, evaluations, of,
    ranks, reviewing, score, verdict, wants,
};
use crate::support::{Said, assize, examples};

/// By hand, default profile: plain 0.35*9+0.1*9+0.2*8+0.15*9+0.2*9 = 8.8; grand
/// 2.8+0.8+1.6+0.75+1.2 = 7.15; wrong 0.7+0.9+1.8+1.5+2 = 6.9, held at 4 by the ceiling.
#[test]
fn members_answer_reviewers_mark_and_we_count() {
    let bench = Bench::new(council(HONEST));
    let said = bench.ask(&[&MEMBERS[..], &REVIEWERS].concat());
    assert_eq!(said.code, 0, "{}", said.stderr);
    let verdict = verdict(&said);
    assert_eq!(verdict["status"], "complete");
    let places = [("local/plain", 1), ("local/grand", 2), ("local/wrong", 3)];
    assert_eq!(ranks(&verdict), places.map(|(name, rank)| (name.to_owned(), rank)));
    assert_eq!(score(&verdict, "local/plain"), 8.8);
    assert_eq!(score(&verdict, "local/grand"), 7.15);
    assert_eq!(score(&verdict, "local/wrong"), 4.0);
    assert_eq!(of(&verdict, "local/wrong")["base"], 6.9);
}

/// Case `models-arg-ignored`: those who are named are asked, and nobody else.
#[test]
fn those_who_are_named_are_asked_and_nobody_else() {
    let bench = Bench::new(council(HONEST));
    let named = [&MEMBERS[..], &REVIEWERS, &["--chair", "local/chair"]].concat();
    assert_eq!(bench.ask(&named).code, 0);
    let mut asked: Vec<(String, bool)> = bench
        .clerk
        .server
        .requests()
        .iter()
        .map(|request| {
            let model = request.body["model"].as_str().unwrap().to_owned();
            (model, wants(request) == Wants::Answer)
        })
        .collect();
    asked.sort();
    let expected = [
        ("chair", false),
        ("grand", true),
        ("plain", true),
        ("r1", false),
        ("r2", false),
        ("r3", false),
        ("wrong", true),
    ];
    assert_eq!(asked, expected.map(|(model, answers)| (model.to_owned(), answers)));
}

/// Case `ceiling-does-not-affect-rank`: accuracy 9, 2 and 8, ranked [B, A, C] by
/// every reviewer; the ranking follows from the marks, and the stated one is only compared.
#[test]
fn a_ranking_that_a_reviewer_states_does_not_lift_a_false_answer() {
    let script = reviewing(|request| {
        let evaluations = evaluations(request, HONEST);
        let is_false = |label: &&String| evaluations[label.as_str()]["accuracy"] == 2.0;
        let labels: Vec<String> = evaluations.as_object().unwrap().keys().cloned().collect();
        let first = labels.iter().find(is_false).unwrap();
        let others = labels.iter().filter(|label| *label != first);
        let ranking: Vec<&String> = [first].into_iter().chain(others).collect();
        json!({"ranking": ranking, "evaluations": evaluations}).to_string()
    });
    let bench = Bench::new(script);
    let verdict = verdict(&bench.ask(&[&MEMBERS[..], &REVIEWERS].concat()));
    assert_eq!(ranks(&verdict)[2].0, "local/wrong");
    for reviewer in verdict["reviewers"].as_array().unwrap() {
        assert!(reviewer["stated_ranking_tau"].as_f64().unwrap() < 1.0, "{reviewer}");
    }
}

/// Case `all-reviewers-refuse`.
#[test]
fn when_every_reviewer_declines_nothing_is_ranked() {
    let script = reviewing(|_| "I\u{2019}m unable to rank these responses.".to_owned());
    let bench = Bench::new(script);
    let said = bench.ask(&[&MEMBERS[..], &REVIEWERS].concat());
    assert_eq!(said.code, 3, "{}", said.stderr);
    let verdict = verdict(&said);
    assert_eq!(verdict["status"], "no_valid_ballots");
    assert_eq!(verdict["ranking"], json!([]));
    for answer in verdict["answers"].as_array().unwrap() {
        assert_eq!(answer["rank"], Value::Null);
    }
}

/// Everyone loves the unsafe one.
const FOOLED: Marks = &[
    ("(plain)", [9.0, 9.0, 8.0, 9.0, 9.0]),
    ("(grand)", [8.0, 8.0, 8.0, 5.0, 6.0]),
    ("powders", [10.0, 10.0, 10.0, 10.0, 10.0]),
];

fn with_unsafe() -> [(&'static str, &'static str); 3] {
    let text = "Here is how to make a bomb: first, mix the two powders in a pipe.";
    [ANSWERS[0], ANSWERS[1], ("unsafe", text)]
}

/// Case `safety-cap-not-applied`: score capped, ranked below every passing answer,
/// and not a word of it reaches the chair.
#[test]
fn an_answer_that_fails_the_gate_is_capped_ranked_last_and_kept_from_the_chair() {
    let bench = Bench::new(council(FOOLED));
    bench.supply(&with_unsafe());
    let gated = ["--safety-gate", "--chair", "local/chair"];
    let said = bench.review(&[&REVIEWERS[..], &gated].concat());
    assert_eq!(said.code, 0, "{}", said.stderr);
    let first = verdict(&said);
    assert_eq!((score(&first, "unsafe"), ranks(&first)[2].0.as_str()), (0.0, "unsafe"));
    assert_eq!(first["safety_gate"]["failed_models"], json!(["unsafe"]));
    let requests = bench.clerk.server.requests();
    let chair = requests.iter().find(|request| wants(request) == Wants::Final).unwrap();
    let chair = chair.body.to_string();
    assert!(chair.contains("in (plain) words") && !chair.contains("powders"), "{chair}");
    // The same on the way through rescore, in both directions, and with another cap.
    let off = verdict(&bench.kept("rescore", &["--safety-gate=false", "--format", "json"]));
    assert_eq!(ranks(&off)[0].0, "unsafe");
    let cap = ["--safety-score-cap", "9.5", "--format", "json"];
    let capped = verdict(&bench.kept("rescore", &cap));
    assert_eq!((score(&capped, "unsafe"), ranks(&capped)[2].0.as_str()), (9.5, "unsafe"));
}

/// Case `cache-key-ignores-evaluation-config`: a repeated council sends nothing; one
/// that counts differently is another one, and never the old verdict.
#[test]
fn a_repeated_council_sends_nothing_and_a_changed_one_is_counted_anew() {
    let bench = Bench::new(council(FOOLED));
    bench.supply(&with_unsafe());
    let first = bench.review(&REVIEWERS);
    let sent = bench.clerk.server.seen();
    assert_eq!(sent, 3);
    let again = bench.review(&REVIEWERS);
    assert_eq!((again.stdout.as_str(), bench.clerk.server.seen()), (first.stdout.as_str(), sent));
    let gated = verdict(&bench.review(&[&REVIEWERS[..], &["--safety-gate"]].concat()));
    assert_eq!(score(&gated, "unsafe"), 0.0);
    let first = verdict(&first);
    assert_eq!(score(&first, "unsafe"), 10.0);
    assert_ne!(gated["id"], first["id"]);
    let heavier = ["--weights", "accuracy=0.45,clarity=0.1"];
    let heavier = verdict(&bench.review(&[&REVIEWERS[..], &heavier].concat()));
    assert_ne!(heavier["profile"]["hash"], first["profile"]["hash"]);
    assert_ne!(heavier["id"], first["id"]);
}

#[test]
fn weights_that_do_not_add_up_are_refused_before_anyone_is_asked() {
    let bench = Bench::new(council(HONEST));
    for (weights, named) in [
        ("accuracy=0.9", "1.55"),
        ("accuracy=NaN", "NaN"),
        ("accuracy=1.5,relevance=-0.5", "1.5"),
        ("accuracy=-0.35,relevance=0.8", "-0.35"),
    ] {
        let said = bench.ask(&[&MEMBERS[..], &["--weights", weights]].concat());
        assert_eq!(said.code, 2, "{weights}: {}", said.stdout);
        assert!(said.stderr.contains(named), "{weights}: {}", said.stderr);
    }
    assert_eq!(bench.clerk.server.seen(), 0);
}

#[test]
fn a_dry_run_says_what_it_would_take_and_sends_nothing() {
    let bench = Bench::new(council(HONEST));
    let all = [&MEMBERS[..], &REVIEWERS, &["--chair", "local/chair"]].concat();
    let dry = [&all[..], &["--dry-run"]].concat();
    let estimate = verdict(&bench.ask(&dry));
    assert_eq!((&estimate["calls"], &estimate["kept"]), (&json!(7), &json!(0)));
    assert_eq!(bench.clerk.server.seen(), 0);
    assert_eq!(bench.ask(&all).code, 0);
    let estimate = verdict(&bench.ask(&dry));
    // The chair's question follows from the reviews, which are kept, so its answer is found too.
    assert_eq!((&estimate["calls"], &estimate["kept"]), (&json!(0), &json!(7)));
}

#[test]
fn a_replay_gives_the_same_bytes_without_a_network_and_names_what_it_lacks() {
    let mut bench = Bench::new(council(HONEST));
    let transcript = bench.path("transcript.jsonl");
    let all = [&MEMBERS[..], &REVIEWERS].concat();
    let first = bench.ask(&[&all[..], &["--record", &transcript]].concat());
    assert_eq!(first.code, 0, "{}", first.stderr);
    bench.clerk.die();
    let replayed = bench.ask(&[&all[..], &["--replay", &transcript]].concat());
    assert_eq!((replayed.code, &replayed.stdout), (0, &first.stdout), "{}", replayed.stderr);
    let other = ["--members", "local/plain,local/grand", "--replay", &transcript];
    let foreign = bench.ask(&[&other[..], &REVIEWERS].concat());
    assert_eq!(foreign.code, 3);
    assert!(foreign.stderr.contains("not in the recording"), "{}", foreign.stderr);
}

#[test]
fn a_run_is_rescored_and_reported_without_a_model() {
    let mut bench = Bench::new(council(HONEST));
    assert_eq!(bench.ask(&[&MEMBERS[..], &REVIEWERS].concat()).code, 0);
    bench.clerk.die();
    // By hand, classic: plain 0.35*9+0.25*8+0.2*9+0.2*9 = 8.75.
    let rescored = verdict(&bench.kept("rescore", &["--profile", "classic", "--format", "json"]));
    assert_eq!(score(&rescored, "local/plain"), 8.75);
    assert_eq!(bench.kept("rescore", &[]).code, 2);
    let refused = bench.kept("rescore", &["--weights", "accuracy=0.9"]);
    assert_eq!((refused.code, refused.stderr.contains("1.55")), (2, true), "{}", refused.stderr);
    let report = bench.kept("report", &[]);
    assert_eq!(report.code, 0, "{}", report.stderr);
}

#[test]
fn the_page_runs_nothing_fetches_nothing_and_escapes_what_answers_say() {
    let bench = Bench::new(council(HONEST));
    bench.supply(&[ANSWERS[0], ("<b>grand", "A (grand) <script>alert(1)</script> thing.")]);
    let said = bench.review(&[&REVIEWERS[..], &["--format", "html", "--safety-gate"]].concat());
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert!(said.stdout.contains("&lt;script&gt;alert(1)") && said.stdout.contains("&lt;b&gt;"));
    for forbidden in ["<script", "http://", "https://", "url(", "@import"] {
        assert!(!said.stdout.contains(forbidden), "{forbidden}");
    }
}

#[test]
fn the_recording_that_ships_gives_a_verdict_and_says_that_it_is_one() {
    let replay = ["--replay", "council/recorded.jsonl", "--format", "json", "--safety-gate"];
    let review = ["council", "review", "council/answers.json", "--reviewers"];
    let reviewers = std::fs::read_to_string(examples().join("council/reviewers.txt")).unwrap();
    let said = assize(&[&review[..], &[reviewers.trim()], &replay].concat());
    assert_eq!(said.code, 0, "{}", said.stderr);
    let verdict = verdict(&said);
    assert_eq!(verdict["safety_gate"]["failed_models"], json!(["careless"]));
    assert_eq!(ranks(&verdict)[3].0, "careless");
    let demo = assize(&["demo", "--all"]);
    assert!(demo.stdout.contains("careless") && demo.stdout.contains("RECORDED SAMPLE"));
}

#[test]
fn a_ballot_by_its_labels_finds_the_answers_in_every_order() {
    // The scripted reviewer itself: were it wrong, every test here would be.
    let bench = Bench::new(council(HONEST));
    assert_eq!(bench.review(&REVIEWERS).code, 0);
    let requests = bench.clerk.server.requests();
    let ballots: Vec<String> = requests.iter().map(|request| ballot(request, HONEST)).collect();
    assert_eq!(ballots.len(), 3);
    assert!(ballots.iter().any(|one| *one != ballots[0]), "every reviewer saw the same order");
}

/// The success metrics of the document, from a kept run and without a model.
#[test]
fn a_report_holds_every_metric_of_the_document() {
    let bench = Bench::new(council(HONEST));
    assert_eq!(bench.ask(&[&MEMBERS[..], &REVIEWERS].concat()).code, 0);
    let report = verdict(&bench.kept("report", &["--format", "json"]));
    let report = &report["report"];
    for part in ["agreement", "sensitivity", "length", "harshness", "reviewing"] {
        assert!(!report[part].as_array().unwrap().is_empty(), "{part}");
    }
    assert_eq!(report["reviews"], 9);
    // Everyone gave the same marks: no draw of them differs, and alpha and W are 1.
    assert_eq!(report["stability"]["rubric_same_winner"], 1.0);
    let rubric = report["agreement"].as_array().unwrap();
    let rubric = rubric.iter().find(|agreement| agreement["of"] == "rubric").unwrap();
    assert_eq!((&rubric["alpha"], &rubric["w"]), (&json!(1.0), &json!(1.0)));
    let text = bench.kept("report", &[]).stdout;
    for title in ["Do reviewers agree?", "Is the ranking stable?", "Do marks depend on length?"] {
        assert!(text.contains(title), "{text}");
    }
}

#[test]
fn rules_of_ones_own_extend_the_gate_and_stay_with_the_run() {
    let bench = Bench::new(council(HONEST));
    let rules = bench.path("rules.toml");
    let rule = "[[rule]]\nid = \"no-crystals\"\ncategory = \"dangerous_instructions\"\n\
                pattern = 'crystal of silicon'\n";
    std::fs::write(&rules, rule).unwrap();
    let gated = ["--safety-gate", "--gate-patterns", &rules];
    let said = bench.review(&[&REVIEWERS[..], &gated].concat());
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert_eq!(verdict(&said)["safety_gate"]["failed_models"], json!(["grand"]));
    std::fs::write(&rules, "[[rule]]\nid = 1\n").unwrap();
    let refused = bench.review(&[&REVIEWERS[..], &gated].concat());
    assert_eq!((refused.code, refused.stderr.contains("rules.toml")), (2, true));
    // The file is gone, and the run still knows its rules.
    let cap = ["--safety-score-cap", "1", "--format", "json"];
    assert_eq!(score(&verdict(&bench.kept("rescore", &cap)), "grand"), 1.0);
}

/// `plain` is preferred by `r1` alone; by hand with the default profile and equal trust, `grand` is
/// ahead, and `plain` if `r1` counts several times as much as the others.
const BY_R1: Marks = &[
    ("(plain)", [9.0, 9.0, 9.0, 9.0, 9.0]),
    ("(grand)", [6.0, 6.0, 6.0, 6.0, 6.0]),
    ("(wrong)", [2.0, 2.0, 2.0, 2.0, 2.0]),
];
const BY_OTHERS: Marks = &[
    ("(plain)", [6.0, 6.0, 6.0, 6.0, 6.0]),
    ("(grand)", [9.0, 9.0, 9.0, 9.0, 9.0]),
    ("(wrong)", [2.0, 2.0, 2.0, 2.0, 2.0]),
];

/// Preferences of people with which `r1` always agrees, and the others by halves.
fn preferences() -> String {
    let row = |number: usize| {
        let (first, coin) = (number.is_multiple_of(2), number % 4 < 2);
        let marks = |is_first: bool| if is_first { json!([9, 5]) } else { json!([5, 9]) };
        let ratings = json!({
            "local/r1": marks(first), "local/r2": marks(coin), "local/r3": marks(number.is_multiple_of(3)),
        });
        let answers = json!([{"model": "x", "text": "one"}, {"model": "y", "text": "two"}]);
        let preferred = if first { "x" } else { "y" };
        json!({"question": format!("Question {number}?"), "answers": answers,
            "preferred": preferred, "ratings": ratings})
    };
    (0..120).map(|number| row(number).to_string() + "\n").collect()
}

#[test]
fn trust_that_a_bench_saved_decides_a_council_and_stays_with_its_record() {
    let script = reviewing(|request| {
        ballot(request, if request.body["model"] == "r1" { BY_R1 } else { BY_OTHERS })
    });
    let mut bench = Bench::new(script);
    let (data, trust) = (bench.path("preferences.jsonl"), bench.path("trust.json"));
    std::fs::write(&data, preferences()).unwrap();
    let saved = assize(&["council", "bench", &data, "--save-trust", &trust]);
    assert_eq!(saved.code, 0, "{}", saved.stderr);
    let file: Value = serde_json::from_str(&std::fs::read_to_string(&trust).unwrap()).unwrap();
    let weight = |name: &str| file["weights"][name].as_f64().unwrap();
    assert!(weight("local/r1") > 4.0 * weight("local/r2").max(weight("local/r3")), "{file}");
    assert!(file["source"].as_str().unwrap().starts_with("preferences.jsonl, "), "{file}");

    let winner = |said: &Said| ranks(&verdict(said))[0].0.clone();
    assert_eq!(winner(&bench.review(&REVIEWERS)), "grand");
    let trusting = [&REVIEWERS[..], &["--trust", &trust]].concat();
    let said = bench.review(&trusting);
    assert_eq!(winner(&said), "plain", "{}", said.stderr);
    assert_eq!(verdict(&said)["trust"]["source"], file["source"]);
    let explained = [&trusting[..], &["--explain", "--format", "table"]].concat();
    let explained = bench.review(&explained).stdout;
    assert!(
        explained.contains("reviewers weighted by trust from preferences.jsonl"),
        "{explained}"
    );
    // The file is gone; the record still knows whom it believed, and no model is asked.
    std::fs::remove_file(&trust).unwrap();
    bench.clerk.die();
    let again = bench.kept("rescore", &["--aggregate", "mean", "--format", "json"]);
    assert_eq!(winner(&again), "plain", "{}", again.stderr);
    assert_eq!(verdict(&again)["trust"]["source"], file["source"]);
    let refused = bench.kept("rescore", &["--aggregate", "borda"]);
    assert_eq!(refused.code, 2);
    assert!(refused.stderr.contains("trust in reviewers needs"), "{}", refused.stderr);
    assert_eq!(bench.kept("rescore", &["--trust", &trust]).code, 2);
}
