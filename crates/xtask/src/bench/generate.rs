//! Inputs of any size, the same on every machine.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use anyhow::{Context, Result};

/// A small generator; its numbers only have to look irregular.
pub(crate) struct Numbers(u64);

impl Numbers {
    /// Numbers from a fixed start.
    pub(crate) fn from(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number below `limit`.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or(0) % limit.max(1)
    }
}

static WORDS: LazyLock<Vec<&str>> =
    LazyLock::new(|| include_str!("../../data/contract.txt").lines().collect());

/// About `characters` characters of text that looks like a contract.
pub(crate) fn passage(numbers: &mut Numbers, characters: usize) -> String {
    let mut text = String::with_capacity(characters + 16);
    let mut in_sentence = 0;
    while text.len() < characters {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(WORDS[numbers.below(WORDS.len())]);
        in_sentence += 1;
        if in_sentence > 8 + numbers.below(14) {
            text.push_str(if numbers.below(5) == 0 { ";" } else { "." });
            in_sentence = 0;
        }
    }
    text
}

/// Predictions and gold of the passage scorer: `queries` x 10 passages of 490 characters.
pub(crate) fn passages(folder: &Path, queries: usize) -> Result<[std::path::PathBuf; 2]> {
    let paths = [format!("predictions-{queries}.json"), format!("gold-{queries}.json")]
        .map(|name| folder.join(name));
    if paths.iter().all(|path| path.exists()) {
        return Ok(paths);
    }
    let mut numbers = Numbers::from(7);
    let (mut predictions, mut gold) = (String::from("["), String::from("{\"tests\": ["));
    for query in 0..queries {
        let separator = if query == 0 { "" } else { "," };
        let passages: Vec<String> = (0..10).map(|_| passage(&mut numbers, 490)).collect();
        let quoted: Vec<String> = passages.iter().map(|text| format!("{text:?}")).collect();
        let name = format!("Question {query} about the agreement?");
        write!(
            predictions,
            "{separator}\n{{\"query\": {name:?}, \"retrieved_passages\": [{}]}}",
            quoted.join(", ")
        )?;
        // Half of the golds are a part of some retrieved passage, half are not retrieved.
        let answer = if numbers.below(2) == 0 {
            passages[numbers.below(10)].chars().skip(40).take(180).collect()
        } else {
            passage(&mut numbers, 180)
        };
        write!(
            gold,
            "{separator}\n{{\"query\": {name:?}, \"snippets\": [{{\"file_path\": \"a.txt\", \"span\": [0, 1], \"answer\": {answer:?}}}]}}"
        )?;
    }
    predictions.push_str("\n]\n");
    gold.push_str("\n]}\n");
    write_both(&paths, [predictions, gold])?;
    Ok(paths)
}

/// The same predictions as JSON lines; with the names of ragas, each beside its gold.
pub(crate) fn lines(folder: &Path, queries: usize) -> Result<[std::path::PathBuf; 2]> {
    let [predictions, gold] = passages(folder, queries)?.map(fs::read_to_string);
    let paths = ["lines", "ragas"].map(|name| folder.join(format!("{name}-{queries}.jsonl")));
    if paths.iter().all(|path| path.exists()) {
        return Ok(paths);
    }
    let (mut lines, mut ragas) = (String::new(), String::new());
    let (predictions, gold) = (predictions?, gold?);
    let records = |text: &'static str| move |line: &&str| line.starts_with(text);
    let predictions = predictions.lines().filter(records("{\"query\""));
    for (record, gold) in predictions.zip(gold.lines().filter(records("{\"query\""))) {
        let record = record.trim_end_matches(',');
        writeln!(lines, "{record}")?;
        let (_, answer) = gold.split_once("\"answer\": ").context("gold has an answer")?;
        let answer = answer.trim_end_matches(',').trim_end_matches("}]}");
        let renamed = record
            .trim_end_matches('}')
            .replacen("\"query\"", "\"user_input\"", 1)
            .replacen("\"retrieved_passages\"", "\"retrieved_contexts\"", 1);
        writeln!(ragas, "{renamed}, \"reference_contexts\": [{answer}]}}")?;
    }
    write_both(&paths, [lines, ragas])?;
    Ok(paths)
}

/// A TREC run of `queries` x `depth` documents, and its judgements.
pub(crate) fn trec(folder: &Path, queries: usize, depth: usize) -> Result<[std::path::PathBuf; 2]> {
    let paths = [format!("run-{queries}x{depth}.trec"), format!("qrels-{queries}x{depth}.trec")]
        .map(|name| folder.join(name));
    if paths.iter().all(|path| path.exists()) {
        return Ok(paths);
    }
    let mut numbers = Numbers::from(11);
    let (mut run, mut qrels) = (String::new(), String::new());
    for query in 0..queries {
        let mut score = 30.0;
        for rank in 1..=depth {
            let document = numbers.below(8_000_000);
            score -= numbers.below(1_000) as f64 / 5_000.0;
            writeln!(run, "q{query} Q0 doc{document:07}_{rank} {rank} {score:.6} bench")?;
            if numbers.below(depth) < 6 {
                writeln!(qrels, "q{query} 0 doc{document:07}_{rank} {}", numbers.below(4))?;
            }
        }
        for missed in 0..4 {
            writeln!(qrels, "q{query} 0 missed{missed} 1")?;
        }
    }
    write_both(&paths, [run, qrels])?;
    Ok(paths)
}

fn write_both(paths: &[std::path::PathBuf; 2], texts: [String; 2]) -> Result<()> {
    for (path, text) in paths.iter().zip(texts) {
        fs::write(path, text).with_context(|| format!("could not write {}", path.display()))?;
    }
    Ok(())
}
