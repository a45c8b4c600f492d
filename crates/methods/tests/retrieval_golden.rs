//! The golden cases of passage retrieval: these texts give these values, for this reason.

use std::fs;
use std::path::PathBuf;

use assize_methods::retrieval::passages::overlap::OverlapCounter;
use assize_methods::retrieval::passages::{Pair, Passage, PassageOptions, explain, pair, score};
use assize_score::{CapState, Explained, How, Verdict};
use serde::Deserialize;

/// How far a value may lie from the one worked out by hand.
const TOLERANCE: f64 = 1e-12;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    why: String,
    #[serde(default)]
    options: PassageOptions,
    prediction: Vec<PredictionCase>,
    gold: Vec<GoldCase>,
    expect: Expect,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PredictionCase {
    query: String,
    retrieved: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct GoldCase {
    query: String,
    answers: Vec<String>,
}

/// What must come out: values for each scored query, and what was noticed in all of them.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Expect {
    exact_match: Vec<f64>,
    span_f1: Vec<f64>,
    recall: Vec<f64>,
    ndcg: Vec<f64>,
    binding_caps: Vec<String>,
    findings: Vec<String>,
    left_out: usize,
    skipped: usize,
    error: Option<String>,
}

#[test]
fn every_golden_case_gives_its_values() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../cases/retrieval");
    let files = fs::read_dir(&folder).unwrap().map(|file| file.unwrap().path());
    let mut files: Vec<_> = files
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "there are no golden cases");
    for file in files {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        let case: Case = toml::from_str(&fs::read_to_string(&file).unwrap())
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(!case.why.is_empty(), "{name} does not say why");
        check(&name, &case);
    }
}

fn check(name: &str, case: &Case) {
    let predicted: Vec<&str> = case.prediction.iter().map(|one| &*one.query).collect();
    let asked: Vec<&str> = case.gold.iter().map(|one| &*one.query).collect();
    let expect = &case.expect;
    let pairing = match pair(&predicted, &asked) {
        Ok(pairing) => pairing,
        Err(error) => return assert_eq!(Some(error.to_string()), expect.error, "{name}"),
    };
    assert_eq!(expect.error, None, "{name} was not refused");
    assert_eq!(pairing.unpredicted.len(), expect.left_out, "{name}: left out");
    let gold: Vec<_> = pairing.test_of.iter().map(|test| all(&case.gold[*test].answers)).collect();
    let retrieved: Vec<_> = case.prediction.iter().map(|one| all(&one.retrieved)).collect();
    let pairs = retrieved.iter().zip(&gold);
    let pairs = pairs.map(|(retrieved, gold)| Pair { query: "q", retrieved, gold });
    let (scored, skipped): (Vec<_>, Vec<_>) = pairs.partition(|pair| !pair.gold.is_empty());
    assert_eq!(skipped.len(), expect.skipped, "{name}: skipped");

    assert_eq!(scored.len(), expect.ndcg.len(), "{name}: scored queries");
    let mut counter = OverlapCounter::default();
    for (index, pair) in scored.iter().enumerate() {
        let expected = [&expect.exact_match, &expect.span_f1, &expect.recall, &expect.ndcg]
            .map(|all| all[index]);
        check_values(name, pair, case, expected, &mut counter);
    }
    let verdicts: Vec<_> = scored.iter().map(|pair| explain(pair, &case.options)).collect();
    let findings: Vec<_> =
        verdicts.iter().flat_map(|verdict| &verdict.findings).map(|one| one.code.clone()).collect();
    assert_eq!(findings, expect.findings, "{name}: findings");
    let caps: Vec<_> = verdicts.iter().flat_map(binding_caps).collect();
    assert_eq!(caps, expect.binding_caps, "{name}: binding caps");
}

/// The values without workings are as expected, and those with workings are the same.
fn check_values(
    name: &str,
    pair: &Pair<'_>,
    case: &Case,
    expected: [f64; 4],
    counter: &mut OverlapCounter,
) {
    let values = score(pair, &case.options, counter).into_values();
    for (value, expected) in values.iter().zip(expected) {
        assert!((value - expected).abs() < TOLERANCE, "{name}: {values:?}, not {expected}");
        assert!(value.is_sign_positive(), "{name}: a minus before 0");
    }
    let explained = explain(pair, &case.options);
    let explained: Vec<_> =
        explained.scores.iter().filter_map(|(_, outcome)| outcome.value()).collect();
    assert_eq!(explained, values, "{name}: explained");
}

fn binding_caps(verdict: &Verdict) -> Vec<String> {
    let explained = verdict.scores.iter().filter_map(|(_, outcome)| outcome.explained());
    let caps = explained.flat_map(|explained: &Explained| match &explained.how {
        How::Capped { caps, .. } => caps.as_slice(),
        _ => &[],
    });
    let binding = caps.filter(|cap| cap.state == CapState::Binding);
    binding.map(|cap| cap.because.to_string()).collect()
}

fn all(texts: &[String]) -> Vec<Passage<'_>> {
    texts.iter().map(|text| Passage::of_text(text.as_str())).collect()
}
