//! A part of a requirement as weighted terms.

use super::lexicon::{Lexicon, Term};
use super::meaning::{Meant, Plain};
use super::quantity::{Kind, Quantity};
use super::sentence::{Marked, Sentence};
use super::stance::leaves_out;
use super::statements::Reading;

/// A part uses at most so many terms, the heaviest: as many as a number has bits.
const SLOTS_MAX: usize = 64;

/// What the words that lead up to an item, and the subject of another part, weigh beside its own.
const LEAD_WEIGHT: f64 = 0.5;

/// What words weigh that say where, with whom or for whom.
const ADJUNCT_WEIGHT: f64 = 0.6;

/// What only has to be possible.
const MILD: [&str; 7] =
    [" may ", " can ", " should ", " right to ", " able to ", " entitled ", " possible"];

/// A part of a requirement as weighted terms.
#[derive(Debug, Clone)]
pub(super) struct Wanted {
    /// What each slot weighs.
    pub slots: Vec<f64>,
    /// The terms that fill a slot.
    pub keys: Vec<(Term, u32)>,
    /// The weight of all slots.
    pub total: f64,
    /// Which slots are denied, as bits.
    pub denied: u64,
    /// The slot that says what must happen, as a bit; nothing if no slot does.
    pub main: u64,
    /// The slot of the predicate, be it strong or not, as a bit; all bits if there is none.
    pub predicate: u64,
    /// The slots that say what it is about, as bits.
    pub strong: u64,
    /// The slots that a word of the requirement itself can fill, as bits.
    pub worded: u64,
    /// The first term that is a word and no concept.
    pub first_word: Term,
    pub quantities: Vec<Quantity>,
    /// What its words point to.
    pub meant: Meant,
    /// Whether it speaks of suppliers and the like, so that statements about them fit.
    pub is_about_others: bool,
    /// Whether it permits or recommends, so that less than a duty meets it.
    pub is_mild: bool,
}

/// One thing that a part speaks of.
#[expect(clippy::struct_excessive_bools, reason = "each is a question of its own")]
struct Slot {
    weight: f64,
    /// The terms that fill it.
    terms: Vec<Term>,
    is_denied: bool,
    is_main: bool,
    is_predicate: bool,
    is_strong: bool,
}

impl Slot {
    fn of(terms: &[Marked], class: f64, lexicon: &Lexicon, is_main: bool) -> Self {
        let own = meant(terms, lexicon);
        let weights = own.iter().map(|marked| lexicon.weight(marked.term));
        Self {
            weight: class * weights.fold(f64::MAX, f64::min),
            is_strong: class >= 1.0 && !own.iter().any(|marked| lexicon.is_weak(marked.term)),
            terms: own.iter().map(|marked| marked.term).collect(),
            is_denied: terms[0].is_denied,
            is_main,
            is_predicate: false,
        }
    }
}

/// The terms of a place that are meant: where a word may be vague or something of its own, it is
/// the latter ("record" is rather a record than information).
fn meant<'m>(terms: &'m [Marked], lexicon: &Lexicon) -> Vec<&'m Marked> {
    let is_vague = |marked: &&Marked| lexicon.is_vague(marked.term);
    let is_own = |marked: &&Marked| !lexicon.is_word(marked.term) && !lexicon.is_weak(marked.term);
    let has_own = terms.iter().any(|marked| is_own(&marked));
    terms.iter().filter(|marked| !(has_own && is_vague(marked))).collect()
}

/// The place that says what must happen: the predicate, or the first thing of all where the
/// predicate says little: "must be **encrypted**", "**backups** are required".
fn main_place(own: &Sentence, lexicon: &Lexicon) -> Option<usize> {
    let is_strong = |place: usize| {
        let here: Vec<Marked> =
            own.terms.iter().filter(|marked| marked.place == place).copied().collect();
        !here.is_empty() && !meant(&here, lexicon).iter().any(|marked| lexicon.is_weak(marked.term))
    };
    let mut places = own.terms.iter().map(|marked| marked.place);
    own.predicate
        .filter(|place| is_strong(*place))
        .or_else(|| places.find(|place| is_strong(*place)))
}

impl Wanted {
    pub(super) fn of(text: &str, lead: &str, lexicon: &Lexicon) -> Self {
        let own = Sentence::wanted(text, lexicon);
        let above = Sentence::wanted(lead, lexicon);
        let lead_terms = above.terms;
        let before = above.plain.into_iter().map(|plain| Plain { is_denied: false, ..plain });
        let plain: Vec<Plain> = before.chain(own.plain.iter().cloned()).collect();
        let main = main_place(&own, lexicon);
        let mut slots: Vec<Slot> = Vec::new();
        for (terms, is_lead) in [(&own.terms, false), (&lead_terms, true)] {
            for terms in terms.chunk_by(|one, two| one.place == two.place) {
                let place = terms[0].place;
                let is_adjunct = !is_lead && own.adjuncts.iter().any(|at| *at < place);
                let class = match (is_lead, is_adjunct && main != Some(place)) {
                    (true, _) => LEAD_WEIGHT,
                    (_, true) => ADJUNCT_WEIGHT,
                    _ => 1.0,
                };
                let slot = Slot::of(terms, class, lexicon, !is_lead && main == Some(place));
                let is_known = |term: &Term| slots.iter().any(|slot| slot.terms.contains(term));
                if slot.weight > 0.0 && !slot.terms.iter().any(is_known) {
                    let is_denied = slot.is_denied && !is_lead;
                    let is_predicate = !is_lead && own.predicate == Some(place);
                    slots.push(Slot { is_denied, is_predicate, ..slot });
                }
            }
        }
        slots.sort_by(|left, right| {
            right.weight.total_cmp(&left.weight).then_with(|| left.terms.cmp(&right.terms))
        });
        slots.truncate(SLOTS_MAX);
        let mask = |is_in: fn(&Slot) -> bool| {
            let bits = (0_u32..).zip(&slots).filter(|(_, slot)| is_in(slot));
            bits.fold(0_u64, |mask, (bit, _)| mask | 1 << bit)
        };
        let first_word = lexicon.term(0);
        let is_worded = |slot: &Slot| slot.terms.iter().any(|term| *term >= first_word);
        let worded = (0_u32..).zip(&slots).filter(|(_, slot)| is_worded(slot));
        let is_other = |marked: &Marked| lexicon.is_concept(marked.term, "third_party");
        let lower = text.to_lowercase();
        Self {
            worded: worded.fold(0_u64, |mask, (bit, _)| mask | 1 << bit),
            first_word,
            denied: mask(|slot| slot.is_denied),
            main: mask(|slot| slot.is_main),
            predicate: Some(mask(|slot| slot.is_predicate))
                .filter(|bits| *bits > 0)
                .unwrap_or(u64::MAX),
            strong: mask(|slot| slot.is_strong),
            keys: (0..)
                .zip(&slots)
                .flat_map(|(bit, slot)| slot.terms.iter().map(move |term| (*term, bit)))
                .collect(),
            total: slots.iter().map(|slot| slot.weight).sum(),
            slots: slots.iter().map(|slot| slot.weight).collect(),
            is_about_others: own.terms.iter().chain(&lead_terms).any(is_other),
            is_mild: MILD.iter().any(|word| lower.contains(word)) || leaves_out(&lower),
            quantities: own.quantities,
            meant: lexicon.meanings.part(&plain),
        }
    }

    /// Terms with their weights, each a slot of its own.
    pub(super) fn weighed(terms: &[(Term, f64)]) -> Self {
        Self {
            slots: terms.iter().map(|term| term.1).collect(),
            keys: terms.iter().map(|term| term.0).zip(0..).collect(),
            total: terms.iter().map(|term| term.1).sum(),
            denied: 0,
            worded: 0,
            first_word: 0,
            main: 0,
            predicate: u64::MAX,
            strong: 0,
            quantities: Vec::new(),
            meant: Meant::default(),
            is_about_others: false,
            is_mild: false,
        }
    }

    /// The terms of a text that only names something.
    pub(super) fn named(text: &str, lexicon: &Lexicon) -> Self {
        Self::of(text, "", lexicon)
    }

    /// Whether it says how long something lasts.
    pub(super) fn lasts(&self) -> bool {
        self.quantities.iter().any(|quantity| quantity.kind == Kind::Lasting)
    }

    pub(super) fn weight(&self, mask: u64) -> f64 {
        let mut left = mask;
        let mut sum = 0.0;
        while left != 0 {
            sum += self.slots[left.trailing_zeros() as usize];
            left &= left - 1;
        }
        sum
    }

    pub(super) fn share(&self, mask: u64) -> f64 {
        if self.total > 0.0 { self.weight(mask) / self.total } else { 0.0 }
    }

    /// How often the terms occur: a term that occurs often counts nearly whole.
    pub(super) fn saturated(&self, document: &Reading<'_>, half_at: f64) -> f64 {
        let found = self.keys.iter().map(|(term, bit)| {
            let count = document.postings[*term as usize].len() as f64;
            self.slots[*bit as usize] * count / (count + half_at)
        });
        if self.total > 0.0 { found.sum::<f64>() / self.total } else { 0.0 }
    }
}
