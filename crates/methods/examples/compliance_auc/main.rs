//! How well the rule judge tells addressed controls from others, on real policies.
//!
//! `ASSIZE_DATA=… cargo run --release -p assize-methods --example compliance_auc`. Each policy
//! names the controls it addresses; the names are masked before it is judged. The rules were
//! chosen with all controls in sight: there is no clean hold-out. Two halves, by hash, are
//! printed apart to show how much is luck.

#![expect(clippy::print_stdout, reason = "an example talks to whoever runs it")]

mod catalog;
mod policies;

use std::error::Error;
use std::path::PathBuf;
use std::time::Instant;

use assize_methods::compliance::read::Stated;
use assize_methods::compliance::rules::RuleJudge;
use assize_methods::compliance::{Criterion, ResponseStructure};
use assize_stats::classification::roc_auc;

use self::catalog::Control;
use self::policies::Policy;

/// One policy and one control.
#[expect(clippy::struct_excessive_bools, reason = "each is a question of its own")]
struct Pair {
    score: f64,
    is_named: bool,
    is_named_in_body: bool,
    is_same_family: bool,
    is_in_first_half: bool,
    is_unscored: bool,
    policy: usize,
}

fn main() -> Result<(), Box<dyn Error>> {
    let root = PathBuf::from(std::env::var("ASSIZE_DATA")?).join("compliance");
    let controls = catalog::read(&root.join("oscal/rev5_MODERATE_resolved_catalog-min.json"))?;
    let policies = policies::read(&root.join("policies/cloudgov"))?;
    println!("{} controls, {} policies", controls.len(), policies.len());
    for form in ["", "title", "guidance, title above the requirement", "group and title"] {
        let criteria: Vec<Criterion> =
            controls.iter().map(|control| control.criterion(form)).collect();
        let started = Instant::now();
        let pairs = judge(&criteria, &controls, &policies);
        let took = started.elapsed();
        println!("\ndescription: {}", if form.is_empty() { "(none)" } else { form });
        println!("  {:.1} µs a pair", took.as_secs_f64() * 1e6 / pairs.len() as f64);
        report(&pairs);
    }
    Ok(())
}

fn judge(criteria: &[Criterion], controls: &[Control], policies: &[Policy]) -> Vec<Pair> {
    let judge = RuleJudge::new(criteria);
    let structure = ResponseStructure::default();
    let mut pairs = Vec::new();
    for (number, policy) in policies.iter().enumerate() {
        let document = judge.read(&policy.masked);
        for (index, control) in controls.iter().enumerate() {
            let found = judge.judge(index, &document, None, &structure);
            for citation in &found.citations {
                let (start, end) = (citation.start.unwrap_or(0), citation.end.unwrap_or(0));
                assert_eq!(&policy.masked[start..end], citation.quote);
            }
            pairs.push(Pair {
                score: found.coverage.value,
                is_named: policy.named.contains(&control.id),
                is_named_in_body: policy.named_in_body.contains(&control.id),
                is_same_family: control.id.starts_with(&policy.family),
                is_in_first_half: control.is_in_first_half(),
                is_unscored: !matches!(found.assessment.stated, Stated::Score { .. }),
                policy: number,
            });
        }
    }
    pairs
}

fn report(pairs: &[Pair]) {
    let unscored = pairs.iter().filter(|pair| pair.is_unscored).count();
    let named = pairs.iter().filter(|pair| pair.is_unscored && pair.is_named).count();
    println!("  {unscored} pairs said not to apply, {named} of them named");
    let mut values: Vec<u64> = pairs.iter().map(|pair| pair.score.to_bits()).collect();
    values.sort_unstable();
    values.dedup();
    println!("  {} distinct scores", values.len());
    for (truth, is_true) in [
        ("named anywhere", (|pair| pair.is_named) as fn(&Pair) -> bool),
        ("named in the procedures", |pair| pair.is_named_in_body),
    ] {
        let positive = pairs.iter().filter(|pair| is_true(pair)).count();
        println!("  truth: {truth} ({positive} of {})", pairs.len());
        for (scope, is_inside) in [
            ("all pairs", (|_| true) as fn(&Pair) -> bool),
            ("  first half", |pair| pair.is_in_first_half),
            ("  second half", |pair| !pair.is_in_first_half),
            ("scored pairs", |pair| !pair.is_unscored),
            ("within family", |pair| pair.is_same_family),
            ("  first half", |pair| pair.is_same_family && pair.is_in_first_half),
            ("  second half", |pair| pair.is_same_family && !pair.is_in_first_half),
        ] {
            let inside: Vec<&Pair> = pairs.iter().filter(|pair| is_inside(pair)).collect();
            println!("    {scope:<15} {}", shown(area(&inside, is_true)));
        }
        let policies = pairs.iter().map(|pair| pair.policy).max().unwrap_or(0);
        let areas: Vec<f64> = (0..=policies)
            .filter_map(|policy| {
                let own: Vec<&Pair> = pairs
                    .iter()
                    .filter(|pair| pair.policy == policy && pair.is_same_family)
                    .collect();
                area(&own, is_true)
            })
            .collect();
        let mean = areas.iter().sum::<f64>() / areas.len() as f64;
        println!("    mean of {} policies, within family {mean:.3}", areas.len());
    }
}

fn area(pairs: &[&Pair], is_true: fn(&Pair) -> bool) -> Option<f64> {
    let scores: Vec<f64> = pairs.iter().map(|pair| pair.score).collect();
    let truth: Vec<bool> = pairs.iter().map(|pair| is_true(pair)).collect();
    roc_auc(&scores, &truth).ok()
}

fn shown(area: Option<f64>) -> String {
    area.map_or_else(|| "–".to_owned(), |area| format!("{area:.3}"))
}
