//! Articles that are distributed like English, and summaries drawn from them.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::bench::generate::Numbers;

const COMMON: [&str; 40] = [
    "the", "of", "to", "and", "in", "a", "that", "is", "was", "for", "on", "with", "said", "his",
    "at", "by", "it", "from", "be", "have", "he", "has", "as", "but", "are", "they", "an", "not",
    "been", "were", "had", "their", "who", "will", "after", "its", "would", "about", "this",
    "when",
];

const SYLLABLES: [&str; 24] = [
    "ba", "cor", "den", "fi", "gra", "hel", "in", "jo", "kar", "lo", "men", "nor", "or", "pel",
    "qui", "ran", "sta", "tion", "ur", "ver", "win", "yet", "zel", "ment",
];

/// A file of `count` pairs whose articles have about `words` words; made once and kept.
pub(super) fn file(folder: &Path, count: usize, words: usize) -> Result<PathBuf> {
    let path = folder.join(format!("pairs-{count}x{words}.jsonl"));
    if path.exists() {
        return Ok(path);
    }
    // Written piece by piece: what this process holds would count as the binary's peak.
    let part = path.with_extension("part");
    let unwritable = || format!("could not write {}", path.display());
    let mut out = BufWriter::new(File::create(&part).with_context(unwritable)?);
    let mut numbers = Numbers::from(19);
    for pair in 0..count {
        let sentences = sentences(&mut numbers, words);
        let summary = summary(&mut numbers, &sentences);
        writeln!(
            out,
            "{{\"id\": {pair}, \"article\": {:?}, \"summary\": {summary:?}}}",
            sentences.join(" ")
        )?;
    }
    out.flush().with_context(unwritable)?;
    fs::rename(&part, &path).with_context(unwritable)?;
    Ok(path)
}

fn sentences(numbers: &mut Numbers, words: usize) -> Vec<String> {
    let mut sentences = Vec::new();
    let mut written = 0;
    while written < words {
        let length = 12 + numbers.below(22);
        let mut sentence: Vec<String> = (0..length).map(|_| word(numbers)).collect();
        sentence[0] = capitalised(&sentence[0]);
        if numbers.below(3) == 0 {
            sentence[length / 2].push(',');
        }
        sentences.push(format!("{}.", sentence.join(" ")));
        written += length;
    }
    sentences
}

/// Half of the words are the commonest, some are numbers and names, the rest thin out
/// over some thousands: the product of two draws is small more often than large.
fn word(numbers: &mut Numbers) -> String {
    match numbers.below(100) {
        0..45 => COMMON[numbers.below(COMMON.len()) * numbers.below(COMMON.len()) / COMMON.len()]
            .to_owned(),
        45..48 => (2 + numbers.below(400)).to_string(),
        48..54 => capitalised(&rare(numbers, 60)),
        _ => rare(numbers, 110),
    }
}

fn rare(numbers: &mut Numbers, side: usize) -> String {
    let number = numbers.below(side) * numbers.below(side);
    let syllable = |place: usize| SYLLABLES[number / place % SYLLABLES.len()];
    format!(
        "{}{}{}",
        syllable(1),
        syllable(SYLLABLES.len()),
        syllable(SYLLABLES.len() * SYLLABLES.len())
    )
}

fn capitalised(word: &str) -> String {
    let mut characters = word.chars();
    let first = characters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(characters).collect()
}

/// Three sentences: one copied, one cut short, one with words of another article.
fn summary(numbers: &mut Numbers, sentences: &[String]) -> String {
    let mut pick = || sentences[numbers.below(sentences.len())].clone();
    let (copied, long, changed) = (pick(), pick(), pick());
    let short: Vec<&str> = long.split(' ').take(11).collect();
    let changed: Vec<String> = changed
        .trim_end_matches('.')
        .split(' ')
        .map(|old| if numbers.below(5) == 0 { word(numbers) } else { old.to_owned() })
        .collect();
    format!("{copied} {}. {}.", short.join(" ").trim_end_matches([',', '.']), changed.join(" "))
}
