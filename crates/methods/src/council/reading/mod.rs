//! From a reviewer's reply to a ballot.
//!
//! The last block that is a ballot wins: drafts, quoted forms and injections come earlier.
//! Nothing is ever inferred from the order in which prose mentions the answers, and no mark
//! is ever made up: what cannot be read is missing, and is asked for once more.

mod declined;
mod ranking;
mod review;
mod score;

use serde_json::{Map, Value};

use self::review::Reviews;
pub use self::score::Scale;
use super::ballot::{Ballot, CONTRADICTED, Review};
use super::label::label;
use super::record::{Abstention, Heard};
use crate::ask::{ReplyError, Result};
use crate::reply::lenient::{Block, Blocks, blocks};

/// Keys under which a whole ballot may be wrapped up.
const WRAPPERS: [&str; 6] = ["ballot", "result", "results", "output", "answer", "final"];

/// How often a ballot may be written as a string within a string and still be known again.
const QUOTED_STRINGS_MAX: usize = 2;

/// Reads a ballot on so many answers, as far as it can be read. [`Ballot::complaint`] says
/// what is missing in it.
///
/// ```
/// use assize_methods::council::{Dimension, read_ballot};
/// let reply = r#"I prefer B. {"evaluations": {"A": {"accuracy": "7/10"}, "B": {"accuracy": 9}}}"#;
/// let ballot = read_ballot(reply, 2).unwrap();
/// assert_eq!(ballot.reviews[0].mark(Dimension::Accuracy), Some(7.0));
/// assert_eq!(ballot.reviews[1].mark(Dimension::Accuracy), Some(9.0));
/// ```
pub fn read_ballot(reply: &str, seats: usize) -> Result<Ballot> {
    read_beside(reply, seats, &[])
}

/// The same beside the answers under review: a ballot that stands in one of them is a
/// quotation, wherever the reviewer puts it and however it is laid out there.
pub(crate) fn read_beside(reply: &str, seats: usize, answers: &[&str]) -> Result<Ballot> {
    if reply.trim().is_empty() {
        return Err(ReplyError::Empty);
    }
    let Blocks { found, broken } = blocks(reply);
    let quotations = quotations(answers, seats);
    let is_own = |(_, ballot): &(&Block, Ballot)| {
        !quotations.iter().any(|quotation| ballot.is_part_of(quotation))
    };
    let held = |block| ballots(block, seats).into_iter().rev().map(move |ballot| (block, ballot));
    let mut ballots: Vec<(&Block, Ballot)> =
        found.iter().rev().flat_map(held).filter(is_own).collect();
    // One that marks something goes before one that only ranks.
    ballots.sort_by_key(|(_, ballot)| ballot.reviews.iter().all(|review| review.basis().is_none()));
    let from = ballots.first().map_or(0, |(block, _)| block.range.end);
    let spoilt =
        broken.iter().find(|range| range.start >= from && is_about(&reply[(*range).clone()]));
    if spoilt.is_some() {
        return Err(ReplyError::Rule("the last JSON object with evaluations is broken".to_owned()));
    }
    // A draft does not stand in for a final answer of which nothing is left.
    let cut = found.last().filter(|block| block.breaks_off() && block.range.start >= from);
    if cut.is_some_and(|block| is_about(&reply[block.range.clone()])) {
        return Err(ReplyError::BreaksOff);
    }
    let mut ballots = ballots.into_iter().map(|(_, ballot)| ballot);
    match ballots.next() {
        Some(mut ballot) => {
            let rivals = |other: Ballot| other.is_complete() && !other.says_the_same(&ballot);
            ballot.contradicted = ballot.is_complete() && ballots.any(rivals);
            Ok(ballot)
        }
        None if declined::declines(reply) => Err(ReplyError::Declined),
        None if found.is_empty() => Err(ReplyError::NoObject),
        None => {
            let last = label(seats.saturating_sub(1));
            let problem = format!("the reply holds no evaluation of {} to {last}", label(0));
            Err(ReplyError::Rule(problem))
        }
    }
}

/// What is left of a reviewer's replies, oldest first, when there is no more asking: the last
/// ballot, and from earlier ones what is missing in it.
pub fn settle<S: AsRef<str>>(replies: &[S], seats: usize) -> Heard {
    settle_beside(replies, seats, &[])
}

/// The same beside the answers under review, as [`read_beside`].
pub fn settle_beside<S: AsRef<str>>(replies: &[S], seats: usize, answers: &[&str]) -> Heard {
    let mut settled: Option<Ballot> = None;
    let mut problem = None;
    for reply in replies.iter().rev() {
        match (read_beside(reply.as_ref(), seats, answers), &mut settled) {
            (Ok(ballot), _) if ballot.contradicted => {
                problem = problem.or(Some(ReplyError::Rule(CONTRADICTED.to_owned())));
            }
            (Ok(ballot), None) => settled = Some(ballot),
            (Ok(earlier), Some(ballot)) => fill_up(ballot, earlier),
            (Err(error), _) => problem = problem.or(Some(error)),
        }
    }
    match settled {
        Some(ballot) if ballot.reviews.iter().any(|review| review.basis().is_some()) => {
            Heard::Ballot(ballot)
        }
        _ => {
            let problem = problem.unwrap_or(ReplyError::Rule("nothing was marked".to_owned()));
            let kind = match problem {
                ReplyError::Declined => Abstention::Declined,
                _ => Abstention::Unreadable,
            };
            Heard::Abstained { kind, because: problem.to_string() }
        }
    }
}

/// Takes from an earlier ballot the reviews that count and are missing in the later one.
fn fill_up(ballot: &mut Ballot, earlier: Ballot) {
    for review in earlier.reviews.into_iter().filter(Review::counts) {
        let seat = review.seat;
        if ballot.review(seat).is_some_and(Review::counts) {
            continue;
        }
        ballot.reviews.retain(|kept| kept.seat != seat);
        ballot.reviews.push(review);
    }
    ballot.reviews.sort_by_key(|review| review.seat);
}

/// Whether a stretch of JSON is about answers at all, and not a copy of the form.
fn is_about(text: &str) -> bool {
    let is_form = ["<mark>", "<label>", "…"].iter().any(|word| text.contains(word));
    let words = ["evaluations", "accuracy", "Response A", "scores"];
    !is_form && words.iter().any(|word| text.contains(word))
}

/// The ballots that stand in the answers, at any depth and also written as strings: whoever
/// repeats one of them quotes it, whatever is added or how its numbers are written.
fn quotations(answers: &[&str], seats: usize) -> Vec<Ballot> {
    let mut found = Vec::new();
    for answer in answers {
        for block in blocks(answer).found {
            quotations_in(&block.value, seats, QUOTED_STRINGS_MAX, &mut found);
        }
    }
    found
}

fn quotations_in(value: &Value, seats: usize, strings: usize, found: &mut Vec<Ballot>) {
    found.extend(of_value(value, seats));
    match value {
        Value::Object(map) => {
            for inner in map.values() {
                quotations_in(inner, seats, strings, found);
            }
        }
        Value::Array(items) => {
            for inner in items {
                quotations_in(inner, seats, strings, found);
            }
        }
        Value::String(text) if strings > 0 && text.contains('{') => {
            for block in blocks(text).found {
                quotations_in(&block.value, seats, strings - 1, found);
            }
        }
        _ => {}
    }
}

/// The ballots a block holds: itself, or what is wrapped up in it.
fn ballots(block: &Block, seats: usize) -> Vec<Ballot> {
    let itself = of_value(&block.value, seats);
    let wrapped = WRAPPERS.iter().filter_map(|key| of_value(block.value.get(*key)?, seats));
    let found = if itself.is_some() { itself.into_iter().collect() } else { wrapped.collect() };
    let mut found: Vec<Ballot> = found;
    for ballot in &mut found {
        ballot.repairs.extend(block.repairs.iter().map(|repair| repair.words().to_owned()));
        ballot.truncated = block.breaks_off();
    }
    found
}

/// The ballot that a value is, if it is one.
fn of_value(value: &Value, seats: usize) -> Option<Ballot> {
    let empty = Map::new();
    let map = value.as_object().unwrap_or(&empty);
    let scale = map.get("scale").and_then(Scale::declared);
    let mut reviews = Reviews::new(seats, scale);
    match value {
        Value::Array(items) => reviews.list(items),
        _ => reviews.map(map),
    }
    let (stated_ranking, mut strangers) = ranking::of(map, seats);
    let (reviews, unknown) = reviews.finish();
    strangers.extend(unknown);
    let has_scores = reviews.iter().any(|review| review.basis().is_some());
    if !has_scores && stated_ranking.is_empty() {
        return None;
    }
    let repairs = strangers.into_iter().map(|label| format!("no answer is called “{label}”"));
    let scale = scale.map(|scale| (scale.low, scale.high));
    let repairs = repairs.collect();
    Some(Ballot { seats, reviews, stated_ranking, repairs, scale, ..Ballot::default() })
}
