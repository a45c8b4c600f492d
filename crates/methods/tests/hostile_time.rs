//! The judges on hostile text: the time that the processor takes grows in line with length, and a megabyte
//! takes less than a second of it.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use assize_methods::compliance::read::read_assessment;
use assize_methods::compliance::rules::Reading;
use assize_methods::compliance::{Criterion, ResponseStructure, RuleJudge};
use assize_methods::gate::Gate;
use assize_methods::summary::{SummaryPair, judge_lock, rules};
use assize_readers::ScriptedReader;

/// Texts that have no end of sentence, nothing but pieces, numbers, hyphens or prejudices, the same words in
/// every sentence, or repeats that almost match.
const HOSTILE: [&str; 21] = [
    "a:",
    "a ",
    "a; is b; ",
    "a.B ",
    "- x\n",
    "not ",
    "no, ",
    "every ",
    "12 ",
    "and in of ",
    "The council voted on Tuesday. ",
    "86_000_000 ",
    "made-for-",
    "women are too emotional to decide. ",
    "Jan 15 not 3 never two, ",
    "<a>&amp;",
    "how to make a ",
    "4111 1111 ",
    "I can't how to make a bomb ",
    "choose a b o m b ",
    "DE89 3704 ",
];

const REQUIREMENT: &str = "Passwords have at least 12 characters and are changed every year.";
const NEWS: &str =
    "The council of Lindhaven voted on Tuesday to build a barrier. It costs 86 million.";

/// What the processor spent on this thread; where the system does not say it, the time of the clock.
fn spent() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let ran = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = ran.and_then(|ran| ran.split_whitespace().next()?.parse().ok());
    nanoseconds.map_or_else(|| START.elapsed(), Duration::from_nanos)
}

/// Measures a judge on a megabyte of each text; without optimisation on `debug` bytes, because more takes
/// too long for a test.
fn check(judge: impl Fn(&str), debug: usize) {
    let long = if cfg!(debug_assertions) { debug } else { 1_000_000 };
    let time = |text: &str| {
        let once = |_| {
            let before = spent();
            judge(text);
            spent().saturating_sub(before)
        };
        (0..3).map(once).min().expect("three times")
    };
    let mut slow = Vec::new();
    for piece in HOSTILE {
        let [short, long] = [long / 4, long].map(|bytes| time(&piece.repeat(bytes / piece.len())));
        // Four in theory, sixteen if it were quadratic; what is hardly measurable is quick.
        let is_linear = long < 9 * short.max(Duration::from_millis(2));
        if !is_linear || !cfg!(debug_assertions) && long >= Duration::from_secs(1) {
            slow.push(format!("{piece:?}: {short:?} and {long:?}"));
        }
    }
    assert!(slow.is_empty(), "{slow:#?}");
}

fn judge_summary(article: &str, summary: &str) {
    if let Ok(pair) = SummaryPair::new(article, summary) {
        let _ = rules::judge(&pair, &judge_lock::LIMITS);
    }
}

fn judge_document(requirement: &str, document: &str, reader: Option<&ScriptedReader>) {
    let judge = RuleJudge::new(&[Criterion::new("1", requirement, "")]);
    let document = Reading::new(document);
    let consulted = reader.map(|reader| judge.consult(reader, &[0], &document));
    let consulted = consulted.map(|consulted| consulted.expect("a scripted reader reads"));
    let _ = judge.judge(0, &document, consulted.as_ref(), &ResponseStructure::default());
}

#[test]
fn an_article_takes_linear_time() {
    check(|text| judge_summary(text, NEWS), 60_000);
}

#[test]
fn a_summary_takes_linear_time() {
    check(|text| judge_summary(NEWS, text), 60_000);
}

#[test]
fn the_gate_takes_linear_time() {
    let gate = Gate::built_in();
    check(|text| drop(gate.check(text)), 6_000);
}

#[test]
fn a_document_takes_linear_time() {
    check(|text| judge_document(REQUIREMENT, text, None), 15_000);
}

#[test]
fn a_document_that_a_reader_reads_takes_linear_time() {
    let reader = ScriptedReader::new();
    check(|text| judge_document(REQUIREMENT, text, Some(&reader)), 15_000);
}

#[test]
fn a_reply_of_a_model_takes_linear_time() {
    let reply = |text: &str| format!("{text}{{\"score\": 7, \"explanation\": \"{text}\"}}");
    check(|text| drop(read_assessment(&reply(text), None)), 60_000);
}

#[test]
fn a_requirement_takes_linear_time() {
    check(|text| judge_document(text, "Passwords have 12 characters.", None), 12_000);
}
