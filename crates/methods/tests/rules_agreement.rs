//! How near the rule judge comes to people, on rated summaries that are not ours to ship.
//!
//! Run by `cargo xtask test --data DIR`, with `summary/summeval_dev.jsonl` and
//! `summary/qags_cnndm.jsonl` in that folder.

use std::collections::BTreeMap;
use std::path::PathBuf;

use assize_methods::summary::{Evidence, SummaryPair, rules, twin_lock};
use serde_json::Value;

#[test]
fn the_rule_judge_agrees_with_people_as_well_as_the_bar_asks() {
    let data =
        std::env::var_os("ASSIZE_DATA").expect("`cargo xtask test --data DIR` sets ASSIZE_DATA");
    let data = PathBuf::from(data);
    let summeval = rated(&data.join("summary/summeval_dev.jsonl"));
    let qags = rated(&data.join("summary/qags_cnndm.jsonl"));

    let consistency = by_document(&summeval, hallucination, "consistency");
    let relevance = by_document(&summeval, soft_recall, "relevance");
    let faithfulness = pooled(&qags, hallucination, "faith_frac");
    let softly = by_document(&summeval, soft_support, "consistency");
    println!("SummEval consistency {consistency:.3} (soft {softly:.3}), relevance {relevance:.3}");
    println!("QAGS {faithfulness:.3} (soft {:.3})", pooled(&qags, soft_support, "faith_frac"));
    assert!(consistency >= 0.46, "consistency {consistency}");
    assert!(faithfulness >= 0.57, "faithfulness {faithfulness}");
    assert!(relevance >= 0.38, "relevance {relevance}");
}

/// A summary that people rated, with the evidence about it.
struct Rated {
    document: String,
    human: Value,
    evidence: Evidence,
}

impl Rated {
    fn rating(&self, name: &str) -> f64 {
        self.human[name].as_f64().expect("a rating is a number")
    }
}

fn rated(file: &std::path::Path) -> Vec<Rated> {
    let text = std::fs::read_to_string(file).expect("the rated summaries can be read");
    let read = |line: &str| {
        let row: Value = serde_json::from_str(line).expect("a line of JSON");
        let summary = row["summary"].as_str()?;
        let pair = SummaryPair::new(row["article"].as_str()?, summary).ok()?;
        Some(Rated {
            document: row["doc_id"].as_str()?.to_owned(),
            human: row["human"].clone(),
            evidence: rules::judge(&pair, &twin_lock::LIMITS),
        })
    };
    text.lines().filter_map(read).collect()
}

fn hallucination(evidence: &Evidence) -> f64 {
    let scores = twin_lock::score::<f64>(evidence).expect("evidence can be scored");
    scores.hallucination.overall.expect("there are claims")
}

fn soft_support(evidence: &Evidence) -> f64 {
    let found = evidence.hallucination.as_ref();
    found.and_then(|found| found.soft_support).expect("there are claims")
}

fn soft_recall(evidence: &Evidence) -> f64 {
    let found = evidence.relevance.as_ref();
    found.and_then(|found| found.soft_recall).expect("soft recall is always there")
}

fn pooled(rows: &[Rated], score: fn(&Evidence) -> f64, rating: &str) -> f64 {
    let pairs: Vec<(f64, f64)> =
        rows.iter().map(|row| (score(&row.evidence), row.rating(rating))).collect();
    spearman(&pairs).expect("ratings differ")
}

/// The mean over documents; a document whose ratings are all alike says nothing.
fn by_document(rows: &[Rated], score: fn(&Evidence) -> f64, rating: &str) -> f64 {
    let mut documents: BTreeMap<&str, Vec<(f64, f64)>> = BTreeMap::new();
    for row in rows {
        let pair = (score(&row.evidence), row.rating(rating));
        documents.entry(&row.document).or_default().push(pair);
    }
    let values: Vec<f64> = documents.values().filter_map(|pairs| spearman(pairs)).collect();
    values.iter().sum::<f64>() / values.len() as f64
}

/// Spearman's rank correlation; 0 for scores that are all alike, `None` for such ratings.
fn spearman(pairs: &[(f64, f64)]) -> Option<f64> {
    let scores = ranks(&pairs.iter().map(|pair| pair.0).collect::<Vec<_>>());
    let ratings = ranks(&pairs.iter().map(|pair| pair.1).collect::<Vec<_>>());
    let mean = f64::midpoint(pairs.len() as f64, 1.0);
    let product = |left: &[f64], right: &[f64]| -> f64 {
        left.iter().zip(right).map(|(left, right)| (left - mean) * (right - mean)).sum()
    };
    let (of_scores, of_ratings) = (product(&scores, &scores), product(&ratings, &ratings));
    if of_ratings == 0.0 {
        return None;
    }
    if of_scores == 0.0 {
        return Some(0.0);
    }
    Some(product(&scores, &ratings) / (of_scores * of_ratings).sqrt())
}

/// Ranks from 1, equal values sharing their mean rank.
fn ranks(values: &[f64]) -> Vec<f64> {
    let rank = |value: &f64| {
        let below = values.iter().filter(|other| *other < value).count() as f64;
        let equal = values.iter().filter(|other| *other == value).count() as f64;
        below + f64::midpoint(equal, 1.0)
    };
    values.iter().map(rank).collect()
}
