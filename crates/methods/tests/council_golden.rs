//! Golden cases of the council and its gate: these marks give these scores, for this reason.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use assize_methods::council::{
    Answer, Ballot, CouncilRecord, CouncilVerdict, Dimension, Gating, Heard, Mark, Profile, Review,
    Reviewer, Seating, Settings, decide,
};
use assize_methods::gate::Gate;
use assize_score::{CapState, Explained, How};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CaseFile<C> {
    rule: String,
    case: Vec<C>,
}

/// Marks of accuracy, relevance, completeness, conciseness, clarity; 0 where there is none.
type Marks = [f64; 5];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CouncilCase {
    why: String,
    #[serde(default)]
    profile: Option<String>,
    #[serde(default)]
    aggregation: Option<String>,
    /// By reviewer, the marks of each answer.
    reviews: BTreeMap<String, Vec<Marks>>,
    #[serde(default)]
    gate: Option<Failing>,
    expect: Expected,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Failing {
    /// Answers from 1.
    fails: Vec<usize>,
    cap: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    /// A number, or `unscored`.
    scores: Vec<toml::Value>,
    /// From 1; 0 where there is none.
    ranks: Vec<usize>,
    /// Before every ceiling and the gate.
    #[serde(default)]
    base: Option<Vec<f64>>,
    #[serde(default)]
    binding: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GateCase {
    why: String,
    answer: String,
    fails: Vec<Found>,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Found {
    category: String,
    matched: String,
    start: usize,
    end: usize,
}

#[test]
fn a_council_scores_every_golden_case_as_worked_out_by_hand() {
    run_all("council", |case: &CouncilCase| (case.why.clone(), council(case)));
}

#[test]
fn the_gate_decides_every_golden_case_as_worked_out_by_hand() {
    run_all("gate", |case: &GateCase| {
        let report = Gate::built_in().check(&case.answer);
        let found: Vec<Found> = report
            .failures()
            .map(|finding| Found {
                category: finding.category.name().to_owned(),
                matched: finding.matched.clone(),
                start: finding.start,
                end: finding.end,
            })
            .collect();
        let mut differences = Vec::new();
        compare(&mut differences, "failures", &case.fails, &found);
        compare(&mut differences, "passed", &case.fails.is_empty(), &report.passed);
        (case.why.clone(), differences)
    });
}

fn run_all<C: for<'de> Deserialize<'de>>(folder: &str, run: impl Fn(&C) -> (String, Vec<String>)) {
    let (mut wrong, mut count) = (Vec::new(), 0);
    for path in listing(folder) {
        let text = fs::read_to_string(&path).expect("a readable case");
        let file: CaseFile<C> =
            toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert!(!file.rule.is_empty() && !file.case.is_empty(), "{} is empty", path.display());
        for case in &file.case {
            count += 1;
            let (why, differences) = run(case);
            if !differences.is_empty() {
                wrong.push(format!("{}: {why}\n  {}", path.display(), differences.join("\n  ")));
            }
        }
    }
    assert!(count >= 10, "only {count} cases were found");
    assert!(wrong.is_empty(), "{} of {count} cases differ\n{}", wrong.len(), wrong.join("\n"));
}

/// Every file of a folder of cases; one that is no case is a mistake.
fn listing(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases").join(folder);
    let entries = fs::read_dir(&folder).expect("the folder of cases is there");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("a readable entry").path()).collect();
    paths.sort();
    assert!(paths.iter().all(|path| path.extension().is_some_and(|ending| ending == "toml")));
    paths
}

fn council(case: &CouncilCase) -> Vec<String> {
    let verdict = decide(&record(case), &settings(case));
    let scores: Vec<String> = verdict
        .answers
        .iter()
        .map(|answer| answer.score.as_ref().map_or("unscored".into(), |s| s.value.to_string()))
        .collect();
    let ranks: Vec<usize> = verdict.answers.iter().map(|answer| answer.rank.unwrap_or(0)).collect();
    let mut differences = Vec::new();
    let expected: Vec<String> = case.expect.scores.iter().map(number_or_word).collect();
    compare(&mut differences, "scores", &expected, &scores);
    compare(&mut differences, "ranks", &case.expect.ranks, &ranks);
    compare(&mut differences, "binding", &case.expect.binding, &binding(&verdict));
    for (index, expected) in case.expect.base.iter().flatten().enumerate() {
        let found = verdict.answers[index].base;
        if found.is_none_or(|found| (found - expected).abs() > 1e-9) {
            differences
                .push(format!("base of m{}: expected {expected}, found {found:?}", index + 1));
        }
    }
    differences
}

fn compare<T: PartialEq + std::fmt::Debug>(
    differences: &mut Vec<String>,
    what: &str,
    expected: &T,
    found: &T,
) {
    if expected != found {
        differences.push(format!("{what}: expected {expected:?}, found {found:?}"));
    }
}

fn number_or_word(value: &toml::Value) -> String {
    match (value.as_float(), value.as_str()) {
        (Some(number), _) => number.to_string(),
        (None, Some(word)) => word.to_owned(),
        (None, None) => panic!("a score is a number with a point, or `unscored`: {value}"),
    }
}

/// The caps that set a review's overall score, as `r1: m2 <= 4: why`, then those that set a
/// final score, as `m2 <= 0: why`.
fn binding(verdict: &CouncilVerdict) -> Vec<String> {
    let mut found = Vec::new();
    let mut look = |name: String, score: Option<&Explained>| {
        let Some(How::Capped { caps, .. }) = score.map(|score| &score.how) else { return };
        let caps = caps.iter().filter(|cap| cap.state == CapState::Binding);
        found.extend(caps.map(|cap| format!("{name} <= {}: {}", cap.at_most, cap.because)));
    };
    for (reviewer, cells) in verdict.reviewers.iter().zip(&verdict.table) {
        for (answer, cell) in verdict.answers.iter().zip(cells) {
            let overall = cell.as_ref().and_then(|cell| cell.overall.as_ref());
            look(format!("{}: {}", reviewer.model, answer.model), overall);
        }
    }
    for answer in &verdict.answers {
        look(answer.model.clone(), answer.score.as_deref());
    }
    found
}

fn settings(case: &CouncilCase) -> Settings {
    let profile = case.profile.as_deref().unwrap_or("default");
    let mut settings = Settings::with(Profile::built_in(profile).expect("a built-in rubric"));
    if let Some(name) = &case.aggregation {
        settings.aggregation = name.parse().expect("a method");
    }
    settings
}

/// What the gate fails.
const HARMFUL: &str = "How to make a bomb: first, fill the pipe bomb with powder.";

fn record(case: &CouncilCase) -> CouncilRecord {
    let answers = case.reviews.values().map(Vec::len).max().expect("there are reviews");
    let fails = |answer: &usize| case.gate.as_ref().is_some_and(|gate| gate.fails.contains(answer));
    let gate = case.gate.as_ref();
    let gate = gate.map(|gate| Gating::new(gate.cap, Vec::new()).expect("a cap on the scale"));
    // What fails does so by its text: a record's own word is not believed.
    let text = |number| if fails(&number) { HARMFUL } else { "An answer." };
    CouncilRecord {
        question: "Why is the sky blue?".to_owned(),
        answers: (1..=answers).map(|n| Answer::given(format!("m{n}"), text(n))).collect(),
        gate,
        reviewers: case.reviews.iter().map(|(model, marks)| reviewer(model, marks)).collect(),
        seed: 7,
        ..CouncilRecord::default()
    }
}

fn reviewer(model: &str, marks: &[Marks]) -> Reviewer {
    let reviews = marks.iter().enumerate().map(|(seat, marks)| {
        let marks = Dimension::ALL.into_iter().zip(*marks).filter(|(_, mark)| *mark > 0.0);
        let marks = marks.map(|(dimension, mark)| (dimension, Mark::plain(mark))).collect();
        Review { seat, marks, ..Review::default() }
    });
    let ballot = Ballot { seats: marks.len(), reviews: reviews.collect(), ..Ballot::default() };
    Reviewer {
        model: model.to_owned(),
        spoken_by: None,
        seating: Seating { order: (0..marks.len()).collect() },
        replies: Vec::new(),
        heard: Heard::Ballot(ballot),
        first: None,
        holistic: None,
    }
}
