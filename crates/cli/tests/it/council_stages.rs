//! What the stages of a council take, how long they may take, what they are shown, and what stands in
//! for a stage that brings nothing.

use std::fs;
use std::time::{Duration, Instant};

use assize_injector::{Fault, Request, When};
use serde_json::{Value, json};

use crate::bench::{
    ANSWERS, Bench, HONEST, MEMBERS, Marks, REVIEWERS, Wants, ballot, council, evaluations, ranks,
    reviewing, reviews, score, verdict, wants,
};

const CHAIR: [&str; 2] = ["--chair", "local/chair"];

fn question(request: &Request) -> String {
    request.body["messages"][1]["content"].as_str().unwrap().to_owned()
}

/// The line of a stage.
fn stage<'v>(verdict: &'v Value, stage: &str, model: &str) -> &'v Value {
    let lines = verdict["usage"].as_array().unwrap();
    lines.iter().find(|line| line["stage"] == stage && line["model"] == model).unwrap()
}

#[test]
fn usage_and_cost_are_told_by_stage_and_model() {
    let prose = When::matching(|request| {
        reviews(request, "r2") && !request.last_message().contains("could not be read")
    });
    let script = council(HONEST).with(prose, Fault::Message("B is best.".to_owned()));
    let bench = Bench::new(script);
    let prices = "[[model]]\nname = 'local/r*'\ninput = 1\noutput = 2\n";
    fs::write(bench.path("prices.toml"), prices).unwrap();
    let config = bench.path("assize.toml");
    fs::write(&config, "prices = 'prices.toml'\n").unwrap();
    let all = [&MEMBERS[..], &REVIEWERS, &CHAIR, &["--config", &config]].concat();
    let said = bench.ask(&all);
    assert_eq!(said.code, 0, "{}", said.stderr);
    let held = verdict(&said);
    assert_eq!(held["usage"].as_array().unwrap().len(), 7);
    let number = |line: &Value, field: &str| line[field].as_u64().unwrap();
    let twice = stage(&held, "review", "local/r2");
    assert_eq!((number(twice, "requests"), number(twice, "repeated")), (2, 1));
    // A million tokens cost 1 and 2 dollars: 1,000 and 2,000 billionths a token.
    for model in ["local/r1", "local/r2", "local/r3"] {
        let line = stage(&held, "review", model);
        let (input, output) = (number(line, "input_tokens"), number(line, "output_tokens"));
        assert!(input > 0 && output > 0 && line["counted"] == true, "{line}");
        assert_eq!(number(line, "price_nanodollars"), 1_000 * input + 2_000 * output);
    }
    let chair = stage(&held, "chair", "local/chair");
    assert_eq!((number(chair, "requests"), &chair["price_nanodollars"]), (1, &Value::Null));
    // Whenever they were paid for: a council repeated from stored replies says the same.
    assert_eq!(bench.ask(&all).stdout, said.stdout);
    let table = bench.ask(&[&all[..], &["--format", "table"]].concat()).stdout;
    let rows: Vec<&str> = table.split("What asking took").nth(1).unwrap().lines().collect();
    assert!(rows.iter().any(|row| row.contains("reviews") && row.contains("local/r2")), "{table}");
    assert!(rows.iter().any(|row| row.contains("all") && row.contains(" 8 ")), "{table}");
    assert!(table.contains("1 requests repeated because"), "{table}");
}

/// The best answer stands in, and is not called a final one.
#[test]
fn where_the_chair_is_too_slow_the_best_answer_stands_in_and_says_so() {
    let chair = When::matching(|request| wants(request) == Wants::Final);
    let bench = Bench::new(council(HONEST).with(chair, Fault::Hang));
    let all = [&MEMBERS[..], &REVIEWERS, &CHAIR, &["--timeouts", "chair=1"]].concat();
    let begun = Instant::now();
    let said = bench.ask(&all);
    assert!(begun.elapsed() < Duration::from_mins(1), "{:?}", begun.elapsed());
    assert_eq!(said.code, 0, "{}", said.stderr);
    let held = verdict(&said);
    assert_eq!(held["chair"]["status"], "failed");
    assert!(held["chair"]["because"].as_str().unwrap().contains("no response within"), "{held}");
    let partial = &held["partial"];
    assert_eq!((&partial["answer"], &partial["model"]), (&json!(0), &json!("local/plain")));
    assert!(partial["text"].as_str().unwrap().contains("in (plain) words"));
    assert!(partial["note"].as_str().unwrap().starts_with("not a final answer"), "{partial}");
    let table = bench.ask(&[&all[..], &["--format", "table"]].concat()).stdout;
    assert!(table.contains("No final answer"), "{table}");
    assert!(table.contains("In its place, the answer that ranks first, by local/plain"), "{table}");
    // Who wrote a final answer needs nobody to stand in.
    let wrote = Bench::new(council(HONEST));
    let wrote = verdict(&wrote.ask(&[&MEMBERS[..], &REVIEWERS, &CHAIR].concat()));
    assert_eq!((&wrote["chair"]["status"], &wrote["partial"]), (&json!("wrote"), &Value::Null));
}

#[test]
fn a_council_that_runs_out_of_time_keeps_what_it_has_and_asks_nobody_else() {
    let slow = When::matching(|request| wants(request) == Wants::Review);
    let bench = Bench::new(council(HONEST).with(slow, Fault::Hang));
    let all = [&MEMBERS[..], &REVIEWERS, &CHAIR, &["--timeouts", "total=2"]].concat();
    let said = bench.ask(&all);
    assert_eq!(said.code, 3, "{}", said.stderr);
    let held = verdict(&said);
    assert_eq!(held["status"], "no_valid_ballots");
    assert_eq!(held["reviewers"][0]["abstained"][0], "timed_out");
    assert_eq!(held["chair"]["because"], "the council ran out of time");
    assert_eq!(held["partial"], Value::Null);
    assert!(bench.clerk.server.requests().iter().all(|request| wants(request) != Wants::Final));
    let refused = bench.ask(&[&MEMBERS[..], &["--timeouts", "members=9"]].concat());
    assert_eq!(refused.code, 2);
    assert!(
        refused.stderr.contains("expected answers, reviews, chair or total"),
        "{}",
        refused.stderr
    );
}

/// Like the others, but for the accuracy of the plain answer.
const DOUBTING: Marks = &[
    ("(plain)", [6.0, 9.0, 8.0, 9.0, 9.0]),
    ("(grand)", [8.0, 8.0, 8.0, 5.0, 6.0]),
    ("(wrong)", [2.0, 9.0, 9.0, 10.0, 10.0]),
];

fn is_second_round(request: &Request) -> bool {
    question(request).contains("This is the second round")
}

/// `r3` doubts the plain answer until it sees the others' marks.
fn persuadable() -> Bench {
    Bench::new(reviewing(|request| {
        let doubts = reviews(request, "r3") && !is_second_round(request);
        ballot(request, if doubts { DOUBTING } else { HONEST })
    }))
}

/// After the first round r3 holds plain at 7.0 under the ceiling, so its mean is (8.8+8.8+7)/3.
#[test]
fn in_a_second_round_reviewers_see_marks_without_names_and_only_it_counts() {
    let bench = persuadable();
    let all = [&MEMBERS[..], &REVIEWERS, &["--rounds", "2"]].concat();
    let said = bench.ask(&all);
    assert_eq!(said.code, 0, "{}", said.stderr);
    let held = verdict(&said);
    assert_eq!(score(&held, "local/plain"), 8.8);
    let again: Vec<Request> =
        bench.clerk.server.requests().into_iter().filter(is_second_round).collect();
    assert_eq!(again.len(), 3);
    for request in &again {
        let text = question(request);
        assert!(
            !text.contains("local/") && !text.contains("r1") && !text.contains("about ("),
            "{text}"
        );
        let own = if reviews(request, "r3") { 6 } else { 9 };
        assert!(text.contains(&format!("you: accuracy {own}, relevance 9")), "{text}");
        assert!(text.contains("reviewer 2: accuracy") && !text.contains("reviewer 3:"), "{text}");
    }
    let revision = &held["revision"];
    assert_eq!(revision["first_winners"], json!([0]));
    let line = json!({"reviewer": 2, "marks": 15, "moved": 1, "towards_others": 1, "away": 0});
    assert_eq!(revision["reviewers"][2], line);
    assert_eq!(revision["reviewers"][0]["moved"], 0);
    let plain = &revision["answers"][0];
    assert_eq!((&plain["raised"], &plain["lowered"]), (&json!(1), &json!(0)));
    assert!(plain["first_score"].as_f64().unwrap() < 8.8, "{plain}");
    let usage = stage(&held, "revise", "local/r3");
    assert_eq!(usage["requests"], 1);
    // Both rounds are in the record, which can be checked, counted again and repeated.
    let checked = bench.kept("verify", &[]);
    assert_eq!(checked.code, 0, "{}{}", checked.stdout, checked.stderr);
    let table = bench.kept("rescore", &["--aggregate", "mean"]).stdout;
    assert!(table.contains("1 of 45 marks moved: 1 towards the mean"), "{table}");
    assert!(table.contains("The winner is the same"), "{table}");
    assert_eq!(bench.ask(&all).stdout, said.stdout);
    let dry = verdict(&bench.ask(&[&all[..], &["--dry-run"]].concat()));
    assert_eq!((&dry["calls"], &dry["kept"]), (&json!(0), &json!(9)));
}

#[test]
fn who_says_nothing_readable_in_the_second_round_keeps_its_marks() {
    let silent = When::matching(|request| reviews(request, "r3") && is_second_round(request));
    let script = reviewing(|request| {
        ballot(request, if reviews(request, "r3") { DOUBTING } else { HONEST })
    });
    let bench = Bench::new(script.with(silent, Fault::Message("I stay with it.".to_owned())));
    let said = bench.ask(&[&MEMBERS[..], &REVIEWERS, &["--rounds", "2"]].concat());
    let held = verdict(&said);
    assert_eq!(held["revision"]["reviewers"][2]["moved"], 0);
    assert_eq!(held["reviewers"][2]["reviews_counted"], 3);
    assert!(score(&held, "local/plain") < 8.8);
    let findings = held["findings"].as_array().unwrap();
    let kept = findings.iter().find(|finding| finding["code"] == "not_revised").unwrap();
    assert!(kept["message"].as_str().unwrap().contains("local/r3 keeps its marks"), "{kept}");
    assert_eq!(bench.kept("verify", &[]).code, 0);
    for (options, words) in [
        (["--rounds", "3"], "3 rounds; reviewers can be asked in 1 or 2"),
        (["--scoring", "holistic"], "a second round shows reviewers each other's marks"),
    ] {
        let refused = bench.ask(&[&MEMBERS[..], &["--rounds", "2"], &options].concat());
        let refused = if options[0] == "--rounds" {
            bench.ask(&[&MEMBERS[..], &options].concat())
        } else {
            refused
        };
        assert_eq!(refused.code, 2);
        assert!(refused.stderr.contains(words), "{}", refused.stderr);
    }
}

#[test]
fn evidence_is_shown_to_all_between_fences_and_kept() {
    let bench = Bench::new(council(HONEST));
    let notes = bench.path("notes.txt");
    fs::write(&notes, "Mineral table: quartz is SiO2.\n").unwrap();
    let all = [&MEMBERS[..], &REVIEWERS, &CHAIR, &["--evidence", &notes]].concat();
    let said = bench.ask(&all);
    assert_eq!(said.code, 0, "{}", said.stderr);
    let requests = bench.clerk.server.requests();
    assert_eq!(requests.len(), 7);
    for request in &requests {
        let text = question(request);
        let opening = text.find("<<<evidence 1 ").unwrap_or_else(|| panic!("{text}"));
        let nonce: String =
            text[opening + 14..].chars().take_while(|letter| *letter != '>').collect();
        let end = text.find(&format!("<<<end evidence 1 {nonce}>>>")).unwrap();
        assert!(
            text[opening..end].contains("notes.txt\n\nMineral table: quartz is SiO2."),
            "{text}"
        );
    }
    let kept: Value =
        serde_json::from_str(&fs::read_to_string(bench.path("run.json")).unwrap()).unwrap();
    assert_eq!(kept["record"]["evidence"][0]["name"], "notes.txt");
    assert_eq!(ranks(&verdict(&said))[0].0, "local/plain");
    assert_eq!(bench.kept("verify", &[]).code, 0);
    // Too much is refused before anyone is asked.
    fs::write(&notes, vec![b'a'; (1 << 20) + 1]).unwrap();
    let refused = bench.ask(&all);
    assert_eq!((refused.code, bench.clerk.server.seen()), (2, 7));
    assert!(
        refused.stderr.contains("bytes of evidence; a council may have at most"),
        "{}",
        refused.stderr
    );
    let again = bench.kept("rescore", &["--jury", "Is it true?"]);
    assert_eq!(again.code, 2);
    assert!(again.stderr.contains("a council that was held cannot change it"), "{}", again.stderr);
}

/// Votes in the ballot of a scripted juror: no to what holds one of these words.
fn votes(request: &Request, against: &[&str]) -> String {
    let mut all = evaluations(request, HONEST);
    for entry in all.as_object_mut().unwrap().values_mut() {
        let notes = entry["notes"].as_str().unwrap().to_owned();
        let is_against = against.iter().any(|word| notes.contains(word));
        entry["vote"] = json!(if is_against { "no" } else { "yes" });
    }
    json!({"evaluations": all}).to_string()
}

/// By hand: plain has three for it; grand one of three; wrong one against two.
#[test]
fn a_jury_votes_with_reasons_and_its_dissent_is_shown() {
    let bench = Bench::new(reviewing(|request| {
        let against: &[&str] = match request.body["model"].as_str().unwrap() {
            "r1" => &["(wrong)"],
            "r2" => &["(wrong)", "(grand)"],
            _ => &["(grand)"],
        };
        votes(request, against)
    }));
    let question = "Could this stand in an encyclopedia?";
    let all = [&MEMBERS[..], &REVIEWERS, &["--jury", question]].concat();
    let said = bench.ask(&all);
    assert_eq!(said.code, 0, "{}", said.stderr);
    let asked = bench.clerk.server.requests();
    let is_review = |request: &&Request| wants(request) == Wants::Review;
    assert!(asked.iter().filter(is_review).all(|request| {
        let text = self::question(request);
        text.contains(question) && text.contains("\"vote\": \"<yes or no>\"")
    }));
    let held = verdict(&said);
    let answers = held["jury"]["answers"].as_array().unwrap();
    let decided: Vec<(&str, u64, u64)> = answers
        .iter()
        .map(|one| {
            let count = |side: &str| one[side].as_u64().unwrap();
            (one["decision"].as_str().unwrap(), count("yes"), count("no"))
        })
        .collect();
    assert_eq!(decided, [("yes", 3, 0), ("no", 1, 2), ("no", 1, 2)]);
    let dissent = json!({"reviewer": 2, "yes": true, "reason": "about (wrong)", "dissents": true});
    assert_eq!(answers[2]["votes"][2], dissent);
    let table = bench.kept("rescore", &["--aggregate", "mean"]).stdout;
    assert!(table.contains(&format!("Jury: {question}")), "{table}");
    assert!(table.contains("local/r3 dissents, yes: about (wrong)"), "{table}");
    // Another majority is another way of counting the same votes.
    let all_of_them = bench.kept("rescore", &["--majority", "1", "--format", "json"]);
    let again = verdict(&all_of_them);
    assert_eq!(again["jury"]["answers"][0]["decision"], "yes");
    assert_eq!(again["jury"]["answers"][2]["decision"], "undecided");
    assert_eq!(bench.kept("verify", &[]).code, 0);
}

/// An answer that fails the gate is not accepted by anybody's vote, and a juror without votes is
/// asked once more.
#[test]
fn a_jury_cannot_vote_an_answer_through_the_gate() {
    let bench = Bench::new(reviewing(|request| {
        if reviews(request, "r1") && !request.last_message().contains("needs a vote") {
            return ballot(request, HONEST);
        }
        votes(request, &[])
    }));
    let text = "How to make a bomb (wrong): first, fill the pipe bomb with powder.";
    bench.supply(&[ANSWERS[0], ("unsafe", text)]);
    let said =
        bench.review(&[&REVIEWERS[..], &["--jury", "Is it good?", "--safety-gate"]].concat());
    let held = verdict(&said);
    let answers = &held["jury"]["answers"];
    assert_eq!((&answers[0]["decision"], &answers[0]["yes"]), (&json!("yes"), &json!(3)));
    assert_eq!(answers[1]["decision"], "fails_gate");
    assert_eq!(stage(&held, "review", "local/r1")["repeated"], 1);
    let holistic = ["--jury", "Is it good?", "--scoring", "holistic"];
    let refused = bench.review(&[&REVIEWERS[..], &holistic].concat());
    assert_eq!(refused.code, 2);
    assert!(refused.stderr.contains("a jury votes beside its marks"), "{}", refused.stderr);
}

#[test]
fn a_rubric_chosen_by_the_question_is_named_with_the_reason() {
    let bench = Bench::new(council(HONEST));
    let all = [&MEMBERS[..], &REVIEWERS, &["--profile", "auto"]].concat();
    let held = verdict(&bench.ask(&all));
    let choice = json!({"rule": "auto 1", "because": "the question begins with “what is”"});
    assert_eq!(
        (&held["profile"]["name"], &held["profile"]["choice"]),
        (&json!("factual"), &choice)
    );
    let table = bench.ask(&[&all[..], &["--format", "table"]].concat()).stdout;
    assert!(table.contains("profile chosen by the rule auto 1: the question begins"), "{table}");
    assert_eq!(bench.kept("verify", &[]).code, 0);
}

/// What a program that watches reads, in the order in which it happened.
#[test]
fn every_step_is_a_line_of_json_for_programs() {
    let silent = When::matching(|request| reviews(request, "r2"));
    let bench =
        Bench::new(council(HONEST).with(silent, Fault::status(500, "the kettle is on fire")));
    let events = bench.path("events.jsonl");
    let all = [&MEMBERS[..], &REVIEWERS, &CHAIR, &["--events", &events]].concat();
    assert_eq!(bench.ask(&all).code, 0);
    let text = fs::read_to_string(&events).unwrap();
    let events: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    // Three members, three reviewers and a chair are asked and come to an end, stage after stage.
    assert_eq!(events.len(), 14, "{text}");
    let stages: Vec<&str> = events.iter().map(|event| event["stage"].as_str().unwrap()).collect();
    assert_eq!(stages, [["answer"; 6].as_slice(), &["review"; 6], &["chair"; 2]].concat());
    let of = |participant: &str| -> Vec<&Value> {
        events.iter().filter(|event| event["participant"] == participant).collect()
    };
    let asked = json!({"stage": "review", "participant": "local/r1", "state": "asked"});
    let done = json!({"stage": "review", "participant": "local/r1", "state": "done"});
    assert_eq!(of("local/r1"), [&asked, &done]);
    let failed = of("local/r2")[1];
    assert_eq!(failed["state"], "failed");
    assert!(failed["reason"].as_str().unwrap().contains("the kettle is on fire"), "{failed}");
    let nowhere = [&MEMBERS[..], &REVIEWERS, &["--events", "/no/such/folder/events"]].concat();
    let refused = bench.ask(&nowhere);
    assert!(
        refused.code != 0 && refused.stderr.contains("cannot be written"),
        "{}",
        refused.stderr
    );
}
