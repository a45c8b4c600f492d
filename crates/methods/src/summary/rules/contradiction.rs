//! Where a statement follows a sentence of the article and then says something else.
//!
//! Statement and sentence are laid side by side; where they agree on both sides of a gap
//! and differ within it, the difference is looked at: another number, a denial on one
//! side only, an opposite, or another name.

use super::order::Pair;
use super::statement::Sources;
use super::vocabulary::Stem;

/// The two must agree on this share of the statement, or they do not speak of the same.
const AGREEMENT_MIN: f64 = 0.6;
/// For another name each must agree with this share of the other, of the sentence only
/// the stretch that is followed: the same person has many names, and a name in the place
/// of another was wrong in only 62 of 100 cases where 0.6 of the statement agreed.
const NAME_AGREEMENT_MIN: f64 = 0.75;
/// The longest gap that is looked at, in words on either side.
const GAP_WORDS_MAX: usize = 4;
/// The longest gap in which a denial belongs to the words around it.
const DENIAL_WORDS_MAX: usize = 2;

/// What a statement says against its evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Contradiction {
    /// Another number.
    Number,
    /// Another name.
    Name,
    /// One denies what the other says.
    Negation,
    /// The opposite word.
    Opposite,
    /// The same names, and the one does what the other did.
    Roles,
}

/// A gap between two words that agree: what the statement has there, and the evidence.
struct Gap<'a> {
    /// Where it begins in the statement.
    at: usize,
    claim: &'a [Stem],
    evidence: &'a [Stem],
}

/// The first contradiction between a statement and its evidence, and the position of the
/// word in the statement at which it stands.
pub(super) fn contradiction(
    claim: &[Stem],
    evidence: &[Stem],
    pairs: &[Pair],
    sources: &Sources,
) -> Option<(Contradiction, usize)> {
    let agreement = pairs.len() as f64 / claim.len().max(1) as f64;
    let stretch = pairs.first().zip(pairs.last()).map_or(1, |(first, last)| last.1 - first.1 + 1);
    let in_return = pairs.len() as f64 / stretch as f64;
    if !sources.vocabulary.is_english() || agreement < AGREEMENT_MIN {
        return None;
    }
    let whole = Gap { at: 0, claim, evidence };
    let found = gaps(claim, evidence, pairs).find_map(|gap| {
        let found = gap.contradiction(&whole, sources)?;
        Some((found, gap.at.min(claim.len() - 1)))
    });
    let is_same_sentence = agreement.min(in_return) >= NAME_AGREEMENT_MIN;
    found.filter(|(found, _)| *found != Contradiction::Name || is_same_sentence)
}

/// All gaps from the front to the back, with the ends.
fn gaps<'a>(
    claim: &'a [Stem],
    evidence: &'a [Stem],
    pairs: &'a [Pair],
) -> impl Iterator<Item = Gap<'a>> {
    let starts =
        std::iter::once((0, 0)).chain(pairs.iter().map(|(left, right)| (left + 1, right + 1)));
    let ends = pairs.iter().copied().chain(std::iter::once((claim.len(), evidence.len())));
    starts.zip(ends).map(|((claim_start, evidence_start), (claim_end, evidence_end))| Gap {
        at: claim_start,
        claim: &claim[claim_start..claim_end],
        evidence: &evidence[evidence_start..evidence_end],
    })
}

impl Gap<'_> {
    fn contradiction(&self, whole: &Gap, sources: &Sources) -> Option<Contradiction> {
        if self.claim.is_empty() && self.evidence.is_empty() || self.claim.len() > GAP_WORDS_MAX {
            return None;
        }
        if self.denies(whole, sources) {
            return Some(Contradiction::Negation);
        }
        if self.evidence.len() > GAP_WORDS_MAX {
            return None;
        }
        if self.opposes(whole, sources) {
            return Some(Contradiction::Opposite);
        }
        let is_number = |stem: Stem| sources.vocabulary.kind(stem).is_number;
        if self.replaces(whole, is_number) && !self.is_rewritten(sources) {
            return Some(Contradiction::Number);
        }
        let is_name = |stem: Stem| sources.index.is_name(stem);
        let is_name_only = |stems: &[Stem]| {
            stems.iter().all(|stem| is_name(*stem) || !sources.vocabulary.is_content(*stem))
        };
        (is_name_only(self.claim)
            && is_name_only(self.evidence)
            && self.replaces(whole, is_name)
            && !self.is_alias(sources, is_name))
        .then_some(Contradiction::Name)
    }

    /// Whether a number is the article's in another writing: 86,000,000 for 86 million.
    fn is_rewritten(&self, sources: &Sources) -> bool {
        let Sources { index, numbers, vocabulary, .. } = sources;
        let is_known = |stem: &Stem| {
            let value = vocabulary.text(*stem).parse().ok();
            !index.holds(*stem) && value.is_some_and(|value| numbers.have(value))
        };
        self.claim.iter().any(is_known)
    }

    /// A denial within the gap, on one side only.
    fn denies(&self, whole: &Gap, sources: &Sources) -> bool {
        let kind = |stem: &Stem| sources.vocabulary.kind(*stem);
        let count = |stems: &[Stem]| {
            let denies = |at: &usize| {
                let is_before_number = stems.get(at + 1).is_some_and(|next| kind(next).is_number);
                kind(&stems[*at]).is_negation && !is_before_number
            };
            (0..stems.len()).filter(denies).count()
        };
        self.claim.len() <= DENIAL_WORDS_MAX
            && self.evidence.len() <= DENIAL_WORDS_MAX
            && count(self.claim) + count(self.evidence) == 1
            && count(whole.claim) != count(whole.evidence)
    }

    fn opposes(&self, whole: &Gap, sources: &Sources) -> bool {
        self.claim.iter().filter(|left| !whole.evidence.contains(left)).any(|left| {
            self.evidence
                .iter()
                .filter(|right| !whole.claim.contains(right))
                .any(|right| sources.meanings.are_opposites(*left, *right))
        })
    }

    /// Something of a kind on both sides, and neither is found on the other side.
    fn replaces(&self, whole: &Gap, is_kind: impl Fn(Stem) -> bool) -> bool {
        let own = |gap: &[Stem], other: &[Stem]| {
            let mut of_kind = gap.iter().filter(|stem| is_kind(**stem)).peekable();
            of_kind.peek().is_some() && of_kind.all(|stem| !other.contains(stem))
        };
        own(self.claim, whole.evidence) && own(self.evidence, whole.claim)
    }

    /// Whether a name on one side stands beside one of the other somewhere: two parts of one name.
    fn is_alias(&self, sources: &Sources, is_name: impl Fn(Stem) -> bool) -> bool {
        self.claim.iter().filter(|stem| is_name(**stem)).any(|left| {
            self.evidence.iter().filter(|stem| is_name(**stem)).any(|right| {
                sources.index.holds_bigram(*left, *right)
                    || sources.index.holds_bigram(*right, *left)
            })
        })
    }
}
