//! What retrieved passages and their gold have in common.
//!
//! Where the two come from different corpora, or name files differently, every measure is 0 and
//! looks like a result.

use std::collections::BTreeSet;

use assize_methods::retrieval::passages::Passage;

use super::files::Entry;
use super::kinds::Kinds;
use super::options::ScoreOptions;
use super::row::{self, Values};
use crate::retrieval::ranked::{Disjoint, QUERIES_FOR_ONE_MATCH};

/// Queries whose passages are read once more for their paths and texts: enough to tell files that
/// are named differently from files that are simply missed.
const QUERIES_READ_MAX: usize = 50;
/// So many characters of a text are shown.
const SHOWN_CHARACTERS: usize = 60;

/// What is found when hardly any query retrieves its gold.
#[derive(Debug, Default)]
pub(super) struct Remarks {
    /// A path of each side where the two share no file, and nothing else was measured.
    pub(super) disjoint: Option<Box<Disjoint>>,
    pub(super) notices: Vec<String>,
}

/// Looks at the scored queries: nothing in common is refused by whoever asked for a whole run,
/// little in common is remarked on.
pub(super) fn remarks(
    scored: &[(Entry<'_>, Values)],
    kinds: Kinds,
    options: &ScoreOptions,
) -> Remarks {
    if scored.iter().all(|(_, values)| values.tally.retrieved_nothing()) {
        // The tally says so.
        return Remarks::default();
    }
    let has_text_match = |values: &Values| values.text.as_ref().is_ok_and(|text| text[2] > 0.0);
    let mut remarks = Remarks::default();
    if kinds.spans {
        let has_match = |values: &Values| values.spans.as_ref().is_ok_and(|spans| spans[1] > 0.0);
        if let Some(disjoint) = disjoint_files(scored) {
            if kinds.text && scored.iter().any(|(_, values)| has_text_match(values)) {
                let notice =
                    format!("{disjoint}; character measures are 0", disjoint = said(&disjoint));
                remarks.notices.push(notice);
            } else {
                remarks.disjoint = Some(Box::new(disjoint));
                return remarks;
            }
        } else {
            let notice = few(scored, has_match, "a character of their gold");
            remarks.notices.extend(notice);
        }
    }
    if kinds.text {
        let notice = few(scored, has_text_match, "a passage that matches their gold");
        let sample = || sample(scored, options, has_text_match);
        remarks.notices.extend(notice.map(|notice| notice + &sample().unwrap_or_default()));
    }
    remarks
}

/// That no file is shared, with a path of each side.
pub(super) fn said(Disjoint { run, qrels, difference }: &Disjoint) -> String {
    format!(
        "no retrieved passage stands in a file of the gold; the run has `{run}`, the gold has \
         `{qrels}`{difference}"
    )
}

/// A path of each side, if no query retrieves a passage of a file that the gold names.
fn disjoint_files(scored: &[(Entry<'_>, Values)]) -> Option<Disjoint> {
    if scored.iter().any(|(_, values)| values.shares_file) {
        return None;
    }
    let gold = scored.iter().flat_map(|(entry, _)| paths(entry.gold)).collect();
    let read = scored.iter().filter_map(|(entry, _)| row::retrieved(entry).ok());
    let with_passages = read.filter(|passages| !passages.is_empty());
    let retrieved: BTreeSet<String> =
        with_passages.take(QUERIES_READ_MAX).flat_map(|passages| paths(&passages)).collect();
    retrieved.is_disjoint(&gold).then(|| Disjoint::new(&retrieved, &gold)).flatten()
}

fn paths(passages: &[Passage<'_>]) -> BTreeSet<String> {
    let locations = passages.iter().filter_map(Passage::location);
    locations.map(|location| location.comparable_path().into_owned()).collect()
}

/// What to say where hardly any query retrieves what it should.
fn few(
    scored: &[(Entry<'_>, Values)],
    has_match: impl Fn(&Values) -> bool,
    what: &str,
) -> Option<String> {
    let matched = scored.iter().filter(|(_, values)| has_match(values)).count();
    if matched * QUERIES_FOR_ONE_MATCH >= scored.len() {
        return None;
    }
    let verb = if matched == 1 { "retrieves" } else { "retrieve" };
    Some(format!("only {matched} of {} queries {verb} {what}", scored.len()))
}

/// A passage and a gold that do not match; first those that differ in signs alone.
fn sample(
    scored: &[(Entry<'_>, Values)],
    options: &ScoreOptions,
    has_match: impl Fn(&Values) -> bool,
) -> Option<String> {
    let unmatched = scored.iter().filter(|(_, values)| !has_match(values));
    let read = unmatched.filter_map(|(entry, _)| {
        let mut passages = row::retrieved(entry).ok()?;
        passages.truncate(options.passages.k.get());
        passages.retain(|passage| !passage.text().trim().is_empty());
        (!passages.is_empty()).then_some((entry, passages))
    });
    let read: Vec<_> = read.take(QUERIES_READ_MAX).collect();
    let alike: Vec<_> = read
        .iter()
        .filter_map(|(entry, passages)| Some((*entry, alike(passages, entry.gold)?)))
        .collect();
    let (entry, [passage, gold], more) = match (alike.first(), read.first()) {
        (Some((entry, pair)), _) => {
            let (count, all) = (alike.len(), read.len());
            let more = format!("; {count} of {all} have the same letters and digits");
            (*entry, *pair, more)
        }
        (None, Some((entry, passages))) => {
            (*entry, [passages[0].text(), entry.gold.first()?.text()], String::new())
        }
        (None, None) => return None,
    };
    let [query, passage, gold] = [entry.query, passage, gold].map(one_line);
    Some(format!("; `{query}` retrieves `{passage}`, its gold is `{gold}`{more}"))
}

/// A passage and a gold of which one contains the other, once only letters and digits count.
fn alike<'a>(passages: &'a [Passage<'_>], golds: &'a [Passage<'_>]) -> Option<[&'a str; 2]> {
    let golds: Vec<(&str, String)> =
        golds.iter().map(|gold| (gold.text(), letters_and_digits(gold.text()))).collect();
    passages.iter().find_map(|passage| {
        let letters = letters_and_digits(passage.text());
        let gold = golds.iter().find(|(_, gold)| {
            !gold.is_empty() && (letters.contains(gold) || gold.contains(&letters))
        });
        gold.filter(|_| !letters.is_empty()).map(|(gold, _)| [passage.text(), *gold])
    })
}

fn letters_and_digits(text: &str) -> String {
    text.chars().filter(|char| char.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The beginning of a text, on one line.
fn one_line(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(SHOWN_CHARACTERS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
