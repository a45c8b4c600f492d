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
use super::ballot::{Ballot, Basis, Review};
use super::dimension::Dimension;
use super::label::label;
use super::record::{Abstention, Heard};
use crate::ask::ReplyError;
use crate::reply::lenient::{Block, Blocks, blocks};

/// Keys under which a whole ballot may be wrapped up.
const WRAPPERS: [&str; 6] = ["ballot", "result", "results", "output", "answer", "final"];

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
pub fn read_ballot(reply: &str, seats: usize) -> Result<Ballot, ReplyError> {
    read_beside(reply, seats, &[])
}

/// The same beside the answers under review: a ballot that stands in one of them is a
/// quotation, wherever the reviewer puts it and however it is laid out there.
pub fn read_beside(reply: &str, seats: usize, answers: &[&str]) -> Result<Ballot, ReplyError> {
    if reply.trim().is_empty() {
        return Err(ReplyError::Empty);
    }
    let Blocks { found, broken } = blocks(reply);
    let quotations: Vec<Value> =
        answers.iter().flat_map(|answer| blocks(answer).found).map(|block| block.value).collect();
    let quoted = |value: &Value| quotations.contains(value);
    let ballots =
        found.iter().rev().filter_map(|block| Some((block, ballot(block, seats, &quoted)?)));
    let mut ballots: Vec<(&Block, Ballot)> = ballots.collect();
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
    match ballots.into_iter().next() {
        Some((_, ballot)) => Ok(ballot),
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
    for review in earlier.reviews.into_iter().filter(counts) {
        let seat = review.seat;
        if ballot.review(seat).is_some_and(counts) {
            continue;
        }
        ballot.reviews.retain(|kept| kept.seat != seat);
        ballot.reviews.push(review);
    }
    ballot.reviews.sort_by_key(|review| review.seat);
}

fn counts(review: &Review) -> bool {
    if review.contradiction().is_some() {
        return false;
    }
    match review.basis() {
        Some(Basis::Rubric) => review.mark(Dimension::Accuracy).is_some(),
        Some(Basis::Holistic) => true,
        None => false,
    }
}

/// Whether a stretch of JSON is about answers at all, and not a copy of the form.
fn is_about(text: &str) -> bool {
    let is_form = ["<mark>", "<label>", "…"].iter().any(|word| text.contains(word));
    let words = ["evaluations", "accuracy", "Response A", "scores"];
    !is_form && words.iter().any(|word| text.contains(word))
}

/// The ballot a block holds, if it is one.
fn ballot(block: &Block, seats: usize, quoted: &impl Fn(&Value) -> bool) -> Option<Ballot> {
    let mut ballot = of_value(&block.value, seats, quoted, 0)?;
    ballot.repairs.extend(block.repairs.iter().map(|repair| repair.words().to_owned()));
    ballot.truncated = block.breaks_off();
    Some(ballot)
}

fn of_value(
    value: &Value,
    seats: usize,
    quoted: &impl Fn(&Value) -> bool,
    depth: usize,
) -> Option<Ballot> {
    if quoted(value) {
        return None;
    }
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
    if has_scores || !stated_ranking.is_empty() {
        let repairs = strangers.into_iter().map(|label| format!("no answer is called “{label}”"));
        let scale = scale.map(|scale| (scale.low, scale.high));
        let (repairs, truncated) = (repairs.collect(), false);
        return Some(Ballot { seats, reviews, stated_ranking, repairs, truncated, scale });
    }
    let wrapped = WRAPPERS.iter().filter_map(|key| map.get(*key));
    if depth > 0 {
        return None;
    }
    wrapped.filter_map(|inner| of_value(inner, seats, quoted, 1)).next_back()
}
