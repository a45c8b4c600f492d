//! How close the rule judge comes to a person on the hand-judged development set.
//!
//! `cargo run --release -p assize-methods --example compliance_development [HALF…|sample] [pairs] [ID…]`, a half being
//! `tune`, `kept`, `fresh_tune`, `wide`, `last_tune`, `held_out`, `fresh_held` or `last_held`; all of them without
//! one. The sets stand in `cases/compliance/development`, `fresh`, `wide`, `last` and `held_out`. Three baselines are printed
//! beside the judge: the median of what `tune` expects, the constant that fits best (it knows the
//! answers), and the share of the requirement's words that the document has; each with 95 %
//! intervals by bootstrap over policies.

#![expect(clippy::print_stdout, reason = "an example talks to whoever runs it")]

mod baseline;
mod beside;
mod sample;
mod set;
mod table;

use std::collections::BTreeMap;
use std::error::Error;

use assize_methods::compliance::read::Stated;
use assize_methods::compliance::rules::METHOD;
use assize_methods::compliance::{ResponseStructure, RuleJudge};

use self::set::{Expected, Policy};

/// Errors on the first five were read; the others were measured at the end of a version.
const HALVES: [&str; 8] =
    ["tune", "kept", "fresh_tune", "wide", "last_tune", "held_out", "fresh_held", "last_held"];

/// What was expected of one pair, and what was said.
struct Pair {
    policy: String,
    id: String,
    kind: String,
    expected: Expected,
    /// The score of the judge; none where it says that the criterion does not apply.
    found: Option<f64>,
    keywords: f64,
    quote: String,
    workings: String,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let shows_pairs = arguments.iter().any(|argument| argument == "pairs");
    println!("{} version {}", METHOD.name, METHOD.version);
    if arguments.iter().any(|argument| argument == "sample") {
        return sample::show();
    }
    let all = set::read()?;
    let tuned: Vec<f64> =
        all.iter().filter(|policy| policy.half == HALVES[0]).flat_map(Policy::scores).collect();
    for half in HALVES {
        let chosen: Vec<&String> =
            arguments.iter().filter(|argument| HALVES.contains(&&***argument)).collect();
        if !chosen.is_empty() && !chosen.iter().any(|argument| *argument == half) {
            continue;
        }
        let policies: Vec<&Policy> = all.iter().filter(|policy| policy.half == half).collect();
        let pairs: Vec<Pair> = policies.iter().flat_map(|policy| judge(policy)).collect();
        println!("\n{half}: {} pairs", pairs.len());
        report(&pairs, baseline::median(&tuned));
        beside::report(&policies);
        if shows_pairs {
            show(&pairs);
        }
        for pair in pairs.iter().filter(|pair| arguments.contains(&pair.id)) {
            println!("\n{} in {}\n{}", pair.id, pair.policy, pair.workings);
        }
    }
    Ok(())
}

fn judge(policy: &Policy) -> Vec<Pair> {
    let criteria: Vec<_> = policy.criterion.iter().map(set::Case::criterion).collect();
    let judge = RuleJudge::new(&criteria);
    let document = judge.read(&policy.document);
    let structure = ResponseStructure::default();
    let one = |(index, case): (usize, &set::Case)| {
        let found = judge.judge(index, &document, None, &structure);
        let is_scored = matches!(found.assessment.stated, Stated::Score { .. });
        Pair {
            policy: policy.title.clone(),
            id: case.id.clone(),
            kind: case.kind.clone(),
            expected: case.expected(),
            found: is_scored.then_some(found.coverage.value),
            keywords: baseline::keywords(&case.requirement, &policy.document),
            workings: format!("{}\n{}", found.assessment.sections["explanation"], found.coverage),
            quote: found.citations.first().map_or(String::new(), |cited| cited.quote.clone()),
        }
    };
    policy.criterion.iter().enumerate().map(one).collect()
}

/// The table: each judge with mean absolute error, tier match and rank correlation, then the errors
/// by kind. Pairs that do not apply count apart: they have no number.
fn report(pairs: &[Pair], tuned: f64) {
    let scored: Vec<(&Pair, f64)> = pairs
        .iter()
        .filter_map(|pair| match pair.expected {
            Expected::Score(score) => Some((pair, score)),
            Expected::NotApplicable => None,
        })
        .collect();
    let expected: Vec<f64> = scored.iter().map(|(_, score)| *score).collect();
    let table = table::Table::of(scored.iter().map(|(pair, _)| pair.policy.as_str()), &expected);
    // A pair that the judge wrongly calls not applicable counts as a score of 0.
    let found: Vec<f64> = scored.iter().map(|(pair, _)| pair.found.unwrap_or(0.0)).collect();
    let keywords: Vec<f64> = scored.iter().map(|(pair, _)| pair.keywords).collect();
    let constant = |value: f64| vec![value; expected.len()];
    println!("{}", table::Table::HEAD);
    println!("{}", table.line("rule judge", &found));
    println!("{}", table.line("median of tune", &constant(tuned)));
    println!("{}", table.line("best constant here", &constant(baseline::median(&expected))));
    println!("{}", table.line("words of requirement", &keywords));
    let apart: Vec<&Pair> =
        pairs.iter().filter(|pair| matches!(pair.expected, Expected::NotApplicable)).collect();
    let right = apart.iter().filter(|pair| pair.found.is_none()).count();
    let wrong = scored.iter().filter(|(pair, _)| pair.found.is_none()).count();
    println!("  not applicable: {right} of {} found, {wrong} wrongly", apart.len());
    let mut kinds: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for (pair, score) in &scored {
        kinds.entry(&pair.kind).or_default().push((pair.found.unwrap_or(0.0) - score).abs());
    }
    for (kind, errors) in kinds {
        let mean = errors.iter().sum::<f64>() / errors.len() as f64;
        println!("  {kind:<18} {:>3} pairs, MAE {mean:.1}", errors.len());
    }
}

fn show(pairs: &[Pair]) {
    for pair in pairs {
        let expected = match pair.expected {
            Expected::Score(score) => format!("{score:.0}"),
            Expected::NotApplicable => "n/a".to_owned(),
        };
        let found = pair.found.map_or("n/a".to_owned(), |score| format!("{score:.0}"));
        let off = match (pair.expected, pair.found) {
            (Expected::Score(expected), found) => (found.unwrap_or(0.0) - expected).abs() > 20.0,
            (Expected::NotApplicable, found) => found.is_some(),
        };
        let mark = if off { "!" } else { " " };
        let shares = pair.workings.split("share of the words: ").skip(1);
        let shares: Vec<&str> =
            shares.filter_map(|after| after.split_whitespace().next()).collect();
        let quote: String = pair.quote.chars().take(90).collect();
        println!(
            "{mark} {:<6} {:<16} expected {expected:>3} found {found:>3}  [{}] {}",
            pair.id,
            pair.kind,
            shares.join(" "),
            quote.replace('\n', " ")
        );
    }
}
