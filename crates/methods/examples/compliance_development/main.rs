//! How close the rule judge comes to a person on the hand-judged development set.
//!
//! `cargo run --release -p assize-methods --example compliance_development [tune|kept|held_out|sample] [pairs] [ID…]`.
//! The sets stand in `cases/compliance/development` and `held_out`; two baselines are printed
//! beside the judge: the best constant, and the share of the requirement's words that the
//! document has.

#![expect(clippy::print_stdout, reason = "an example talks to whoever runs it")]

mod baseline;
mod sample;
mod set;

use std::collections::BTreeMap;
use std::error::Error;

use assize_methods::compliance::read::Stated;
use assize_methods::compliance::rules::METHOD;
use assize_methods::compliance::{ResponseStructure, Rubric, RuleJudge};
use assize_stats::correlation::spearman;

use self::set::{Expected, Policy};

/// Rules are tuned on the first only; the others are measured at the end.
const HALVES: [&str; 3] = ["tune", "kept", "held_out"];

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
    for half in HALVES {
        if arguments.iter().any(|argument| HALVES.contains(&&**argument) && argument != half) {
            continue;
        }
        let policies = set::read()?.into_iter().filter(|policy| policy.half == half);
        let pairs: Vec<Pair> = policies.flat_map(|policy| judge(&policy)).collect();
        println!("\n{half}: {} pairs", pairs.len());
        report(&pairs);
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

/// A figure for each judge: mean absolute error, tier match and rank correlation. Pairs that do
/// not apply count apart: they have no number.
fn report(pairs: &[Pair]) {
    let scored: Vec<(&Pair, f64)> = pairs
        .iter()
        .filter_map(|pair| match pair.expected {
            Expected::Score(score) => Some((pair, score)),
            Expected::NotApplicable => None,
        })
        .collect();
    let expected: Vec<f64> = scored.iter().map(|(_, score)| *score).collect();
    println!("  {:<22} {:>6} {:>10} {:>9}", "", "MAE", "tier match", "Spearman");
    // A pair that the judge wrongly calls not applicable counts as a score of 0.
    let found: Vec<f64> = scored.iter().map(|(pair, _)| pair.found.unwrap_or(0.0)).collect();
    line("rule judge", &found, &expected);
    line("constant (median)", &vec![baseline::median(&expected); expected.len()], &expected);
    let keywords: Vec<f64> = scored.iter().map(|(pair, _)| pair.keywords).collect();
    line("words of requirement", &keywords, &expected);
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

fn line(name: &str, found: &[f64], expected: &[f64]) {
    let rubric = Rubric::default();
    let pairs = || found.iter().zip(expected);
    let error = pairs().map(|(found, expected)| (found - expected).abs()).sum::<f64>();
    let is_same = |(found, expected): &(&f64, &f64)| {
        rubric.status(**found).tier == rubric.status(**expected).tier
    };
    let same = pairs().filter(is_same).count() as f64;
    let count = expected.len() as f64;
    let rank = spearman(found, expected).map_or("–".to_owned(), |rank| format!("{rank:.3}"));
    println!("  {name:<22} {:>6.1} {:>10.3} {rank:>9}", error / count, same / count);
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
