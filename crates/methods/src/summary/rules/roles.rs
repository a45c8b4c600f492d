//! Who did what to whom: the same names around the same verb, the other way round.

use super::statement::Sources;
use super::vocabulary::Stem;

/// Little words before a verb that make it passive.
const PASSIVE: [&str; 7] = ["are", "be", "been", "being", "is", "was", "were"];

/// A name further away from the verb may belong to another one.
const REACH: usize = 3;

/// Where a statement and its evidence have the same two names around the same word,
/// exchanged, and both active or both passive: `X beat Y` and `Y beat X`. Gives the
/// position of that word in the statement.
pub(super) fn exchanged_at(claim: &[Stem], evidence: &[Stem], sources: &Sources) -> Option<usize> {
    let is_name = |stem: Stem| sources.index.is_name(stem);
    let is_act = |stem: Stem| {
        let kind = sources.vocabulary.kind(stem);
        !kind.is_stop && !kind.is_number && !is_name(stem)
    };
    let once = |stems: &[Stem], wanted: Stem| {
        let mut places = (0..stems.len()).filter(|at| stems[*at] == wanted);
        let place = places.next()?;
        places.next().is_none().then_some(place)
    };
    let exchanged = |verb: usize| {
        let there = once(evidence, claim[verb]).filter(|_| once(claim, claim[verb]).is_some())?;
        let before = claim[..verb].iter().rev().take(REACH).copied().find(|stem| is_name(*stem))?;
        let after = claim[verb + 1..].iter().take(REACH).copied().find(|stem| is_name(*stem))?;
        let (first, second) = (once(evidence, after)?, once(evidence, before)?);
        let is_near = |left: usize, right: usize| (left + 1..=left + REACH).contains(&right);
        let is_turned = before != after && is_near(first, there) && is_near(there, second);
        let is_passive = |stems: &[Stem], at: usize| {
            let before = at.checked_sub(1).map(|at| sources.vocabulary.text(stems[at]));
            let after = stems.get(at + 1).map(|stem| sources.vocabulary.text(*stem));
            before.is_some_and(|word| PASSIVE.binary_search(&word).is_ok()) || after == Some("by")
        };
        (is_turned && is_passive(claim, verb) == is_passive(evidence, there)).then_some(())
    };
    let mut acts = (0..claim.len()).filter(|at| is_act(claim[*at]));
    acts.find(|at| sources.vocabulary.is_english() && exchanged(*at).is_some())
}
