//! Why a claim got its label, in a few words.

use assize_readers::Shares;

use super::claims::LabelledClaim;
use super::contradiction::Contradiction;
use super::doubts::{Doubt, DoubtedWord};
use super::judge::Case;
use super::read::{DENIED_FROM, Read, STATED_FROM};
use super::ruling::Why;
use crate::summary::labels::Support;

/// The reason; empty for a claim that the article says in these words.
pub(super) fn about(case: &Case, judged: &LabelledClaim) -> String {
    match judged.ruling.why {
        Why::Found => String::new(),
        Why::Contradicted(contradiction) => contradicted(contradiction).to_owned(),
        Why::Doubted(doubt) => doubted(case, judged, doubt),
        Why::OwnWords if judged.ruling.support == Support::Supported => {
            "in other words: nothing denies it, and not all of it is found".to_owned()
        }
        Why::OwnWords => "in words of its own: the words do not decide whether it holds".to_owned(),
        Why::Spliced => {
            let share = judged.statement.best.share * 100.0;
            format!("put together from pieces: the nearest sentence holds {share:.0} % of it")
        }
        Why::Read => judged.statement.read.as_ref().map(read).unwrap_or_default(),
        Why::Share(share) => {
            let share = share * 100.0;
            format!("the article has {share:.0} % of its words, weighted by rarity")
        }
    }
}

/// What the reader said, with its three shares.
fn read(read: &Read) -> String {
    let Shares { stated, open, denied } = read.shares;
    let verdict = if read.is_stated() {
        "the reader finds it stated"
    } else if read.is_denied() {
        "the reader finds it denied"
    } else if read.is_about() {
        "the reader leaves it open"
    } else {
        "the reader finds nothing about it"
    };
    let because = if read.is_denied() {
        format!("denied {:.2} by all that was read, from {DENIED_FROM}", read.denied)
    } else {
        format!("stated {stated:.2}, open {open:.2}, denied {denied:.2}; stated from {STATED_FROM}")
    };
    format!("{verdict}: {because}")
}

fn contradicted(contradiction: Contradiction) -> &'static str {
    match contradiction {
        Contradiction::Number => "the article gives another number here",
        Contradiction::Name => "the article gives another name here",
        Contradiction::Negation => "one of the two denies what the other says",
        Contradiction::Opposite => "the article says the opposite here",
        Contradiction::Roles => "the article has it the other way round",
    }
}

fn doubted(case: &Case, judged: &LabelledClaim, doubt: Doubt) -> String {
    let is_meant = |found: &&DoubtedWord| {
        judged.claim.words.contains(&found.at) && is_same(found.doubt, doubt)
    };
    let words: Vec<&str> = judged
        .statement
        .doubts
        .iter()
        .filter(is_meant)
        .map(|found| &case.summary.text[case.summary.words[found.at].bytes()])
        .collect();
    let words = words.join(", ");
    match doubt {
        Doubt::Number | Doubt::Name | Doubt::Unknown => format!("not in the article: {words}"),
        Doubt::Stereotype => "a prejudice that the article does not have".to_owned(),
        Doubt::PerhapsNumber => format!("perhaps a number that the article lacks: {words}"),
        Doubt::PerhapsName => format!("perhaps a name that the article lacks: {words}"),
        Doubt::Denial | Doubt::PerhapsDenial => {
            format!("the article does not deny this: {words}")
        }
        Doubt::Opposite => format!("the article says the opposite of: {words}"),
        Doubt::Another => format!("the article has another in the place of: {words}"),
        Doubt::Limit => format!("the article does not limit this: {words}"),
        Doubt::PerhapsOpposite => format!("perhaps the opposite of what is said: {words}"),
    }
}

/// Inventions are named together.
fn is_same(left: Doubt, right: Doubt) -> bool {
    let is_invention = |doubt: Doubt| matches!(doubt, Doubt::Number | Doubt::Name | Doubt::Unknown);
    left == right || is_invention(left) && is_invention(right)
}
