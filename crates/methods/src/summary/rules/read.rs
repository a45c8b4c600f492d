//! What a reader says about the statements of a summary that are told in words of their own.

use assize_readers::{Candidate, Identity, Pair, Reader, ReaderError, Shares, Statement as Said};

use super::judge::Case;
use super::statement::Statement;

/// A statement with this share of its pairs of words copied, or more, is not read: a splice of
/// true pieces looks stated to a reader, and rules see the seams.
const READ_BELOW: f64 = 0.7;
/// So many statements of a summary are read at most.
const STATEMENTS_MAX: usize = 24;
/// So many sentences of the article are looked through at most: those of which the summary says most.
const SENTENCES_MAX: usize = 400;
/// So many sentences are found for a statement …
const FOUND: usize = 3;
/// … and so many of them are read alone.
const READ_ALONE: usize = 2;

/// With this share copied, or more, only single sentences may state it: several together hold pieces
/// that do not belong together.
const ALONE_FROM: f64 = 0.4;

/// A statement is stated if a reader is this sure of it …
pub(super) const STATED_FROM: f64 = 0.5;
/// … and denied if it is this sure of that, by the sentences found and by the nearest one among
/// its neighbours …
pub(super) const DENIED_FROM: f64 = 0.5;
/// … and the nearest one is so near that it is about the same thing.
const SAME_FROM: f64 = 0.7;
/// A sentence that is further away is about something else.
const ABOUT_FROM: f64 = 0.2;

/// What a reader says about one statement.
#[derive(Debug, Clone)]
pub(super) struct Read {
    /// The sentence of the article that the best reading rests on.
    pub sentence: usize,
    /// How near the nearest sentence is.
    pub nearness: f64,
    /// The reading that comes nearest to stating it.
    pub shares: Shares,
    /// How sure the reader is that the article denies it.
    pub denied: f64,
}

impl Read {
    /// Whether the article states it.
    pub(super) fn is_stated(&self) -> bool {
        f64::from(self.shares.stated) >= STATED_FROM
    }

    /// Whether the article denies it.
    pub(super) fn is_denied(&self) -> bool {
        !self.is_stated() && self.denied >= DENIED_FROM && self.nearness >= SAME_FROM
    }

    /// Whether something in the article is about it.
    pub(super) fn is_about(&self) -> bool {
        self.nearness >= ABOUT_FROM
    }
}

/// Has a reader read the statements that rules do not decide.
pub(super) fn consult(
    reader: &dyn Reader,
    case: &Case,
    statements: &mut [Statement],
) -> Result<(), ReaderError> {
    let is_open = |statement: &&mut Statement| {
        !statement.is_surely_denied() && statement.measures.bigram_share() < READ_BELOW
    };
    let mut open: Vec<&mut Statement> = statements.iter_mut().filter(is_open).collect();
    open.truncate(STATEMENTS_MAX);
    let hypotheses: Vec<&str> =
        open.iter().map(|statement| case.summary.text_of(&statement.sentence)).collect();
    if hypotheses.is_empty() {
        return Ok(());
    }
    let numbers = looked_through(case);
    let texts: Vec<&str> = numbers
        .iter()
        .map(|number| case.article.text_of(&case.article.sentences[*number]))
        .collect();
    let said: Vec<Said<'_>> = texts.iter().map(|text| Said { text, heading: None }).collect();
    let found = reader.shortlist(&hypotheses, &said, FOUND)?;
    let premises: Vec<Vec<(usize, String)>> =
        found.iter().map(|candidates| premises(&texts, candidates)).collect();
    let pairs: Vec<Pair<'_>> = premises
        .iter()
        .zip(&hypotheses)
        .flat_map(|(premises, hypothesis)| {
            premises.iter().map(|(_, premise)| Pair { premise, hypothesis })
        })
        .collect();
    let mut read = reader.entail(&pairs)?.into_iter().map(|one| one.shares);
    for ((statement, premises), candidates) in open.into_iter().zip(&premises).zip(&found) {
        let shares: Vec<Shares> = read.by_ref().take(premises.len()).collect();
        let nearness = candidates
            .first()
            .map_or(0.0, |nearest| nearest.cosine.map_or(f64::from(nearest.words), f64::from));
        let is_partly_copied = statement.measures.bigram_share() >= ALONE_FROM;
        let may_state = if is_partly_copied { READ_ALONE } else { premises.len() };
        // The first of equals: a single sentence before several together.
        let best = premises
            .iter()
            .zip(&shares)
            .take(may_state)
            .rev()
            .max_by(|(_, left), (_, right)| left.stated.total_cmp(&right.stated));
        let Some(((place, _), best)) = best else { continue };
        // The last two are the sentences found together, and the nearest with its neighbours.
        let last = shares.iter().rev().take(2).map(|shares| f64::from(shares.denied));
        statement.read = Some(Read {
            sentence: numbers[*place],
            nearness,
            shares: *best,
            denied: last.fold(1.0, f64::min),
        });
    }
    Ok(())
}

/// The numbers of the sentences among which statements are looked for, in order.
fn looked_through(case: &Case) -> Vec<usize> {
    let mut numbers: Vec<usize> = (0..case.article.sentences.len()).collect();
    if numbers.len() > SENTENCES_MAX {
        let share = |number: &usize| case.shares[*number].unwrap_or(0.0);
        numbers.sort_by(|left, right| share(right).total_cmp(&share(left)));
        numbers.truncate(SENTENCES_MAX);
        numbers.sort_unstable();
    }
    numbers
}

/// What is read for a statement, each with the sentence that stands for it: the nearest sentences
/// alone, all that were found together, and the nearest with its neighbours.
fn premises(texts: &[&str], candidates: &[Candidate]) -> Vec<(usize, String)> {
    let Some(nearest) = candidates.first().map(|one| one.statement) else { return Vec::new() };
    let alone = candidates.iter().take(READ_ALONE);
    let mut premises: Vec<(usize, String)> =
        alone.map(|one| (one.statement, texts[one.statement].to_owned())).collect();
    let mut together: Vec<usize> = candidates.iter().map(|one| one.statement).collect();
    together.sort_unstable();
    let together: Vec<&str> = together.into_iter().map(|place| texts[place]).collect();
    premises.push((nearest, together.join(" ")));
    let around = nearest.saturating_sub(1)..(nearest + 2).min(texts.len());
    premises.push((nearest, texts[around].join(" ")));
    premises
}

/// A reader as the scorecard names it.
pub(super) fn named(identity: &Identity) -> String {
    let Identity { name, sha256, runtime, .. } = identity;
    format!("{name} ({}, {runtime})", sha256.get(..12).unwrap_or(sha256))
}
