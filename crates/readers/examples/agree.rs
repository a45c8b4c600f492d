//! How well readers tell faithful summaries from others, beside the share of common words.
//!
//! ```text
//! cargo run --release -p assize-readers --features models --example agree -- ENCODER ENTAILMENT FILE.jsonl LIMIT
//! ```
//!
//! Each line has `article`, `summary` and `human.consistent` (0 or 1). Each sentence of a summary is
//! read against the four statements that the encoder finds for it, alone and together; the
//! likeliest counts, and the least of a summary's sentences is the summary's. Nothing is tuned. The
//! area is the share of pairs of a faithful and another summary in which the faithful one scores higher.
#![expect(clippy::print_stdout, reason = "an example talks to whoever runs it")]

use std::error::Error;
use std::fs;
use std::path::Path;
use std::time::Instant;

use assize_readers::reading::STATEMENTS_PER_PART;
use assize_readers::{LocalReader, MEGABYTES_MAX, Pair, Reader, Statement};
use assize_text::overlap::TokenBag;
use serde::Deserialize;

#[derive(Deserialize)]
struct Item {
    article: String,
    summary: String,
    human: Human,
}

#[derive(Deserialize)]
struct Human {
    consistent: f64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [encoder, entailment, file, limit] = &arguments[..] else {
        return Err("an encoder, an entailment model, a file and a number are needed".into());
    };
    let reader =
        LocalReader::open(Some(Path::new(encoder)), Some(Path::new(entailment)), MEGABYTES_MAX)?;
    let text = fs::read_to_string(file)?;
    let all: Vec<Item> =
        text.lines().map(serde_json::from_str).collect::<Result<_, serde_json::Error>>()?;
    // Spread over the file, whose neighbours are much alike.
    let step = all.len().div_ceil(limit.parse()?).max(1);
    let items: Vec<&Item> = all.iter().step_by(step).collect();
    let started = Instant::now();
    let mut read = Vec::new();
    for item in &items {
        read.push((stated(&reader, item)?, item.human.consistent > 0.5));
    }
    let words: Vec<(f64, bool)> = items
        .iter()
        .map(|item| {
            let (summary, article) =
                (TokenBag::of_pairs(&item.summary), TokenBag::of_pairs(&item.article));
            (summary.as_sets(&article).containment(), item.human.consistent > 0.5)
        })
        .collect();
    println!(
        "{} of {} summaries: area by readers {:.3}, by common pairs of words {:.3}; {:.0} s",
        items.len(),
        all.len(),
        area(&read),
        area(&words),
        started.elapsed().as_secs_f64()
    );
    Ok(())
}

/// How surely the article states the sentence of the summary that it states least.
fn stated(reader: &dyn Reader, item: &Item) -> Result<f64, Box<dyn Error>> {
    let sentences = |text: &str| -> Vec<String> {
        assize_text::sentences(text).map(|range| text[range].to_owned()).collect()
    };
    let (article, summary) = (sentences(&item.article), sentences(&item.summary));
    let statements: Vec<Statement<'_>> =
        article.iter().map(|text| Statement { text, heading: None }).collect();
    let parts: Vec<&str> = summary.iter().map(String::as_str).collect();
    let found = reader.shortlist(&parts, &statements, STATEMENTS_PER_PART)?;
    let mut least = 1.0_f32;
    for (part, candidates) in parts.iter().zip(found) {
        let mut places: Vec<usize> = candidates.iter().map(|one| one.statement).collect();
        let alone = places.iter().map(|place| article[*place].clone()).collect::<Vec<_>>();
        places.sort_unstable();
        let joined: Vec<&str> = places.iter().map(|place| article[*place].as_str()).collect();
        let joined = joined.join(" ");
        let premises = alone.iter().chain([&joined]);
        let pairs: Vec<Pair<'_>> =
            premises.map(|premise| Pair { premise, hypothesis: part }).collect();
        let read = reader.entail(&pairs)?;
        let best = read.iter().map(|one| one.shares.stated).fold(0.0, f32::max);
        least = least.min(best);
    }
    Ok(f64::from(least))
}

fn area(scored: &[(f64, bool)]) -> f64 {
    let (mut wins, mut all) = (0.0, 0.0);
    for (good, _) in scored.iter().filter(|(_, is_good)| *is_good) {
        for (other, _) in scored.iter().filter(|(_, is_good)| !*is_good) {
            all += 1.0;
            wins += f64::from(u8::from(good > other)) + 0.5 * f64::from(u8::from(good == other));
        }
    }
    wins / f64::max(all, 1.0)
}
