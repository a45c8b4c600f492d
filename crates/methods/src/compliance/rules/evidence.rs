//! What in a document speaks for a part of a requirement, and what against it.

use super::fit::{Fit, fit};
use super::lexicon::{Lexicon, Term};
use super::quantity::Quantity;
use super::sentence::{Marked, Sentence};
use super::stance::Stance;
use super::statements::{Posting, Reading, Statement};

/// A part uses at most so many terms, the heaviest: as many as a number has bits.
const SLOTS_MAX: usize = 64;

/// What the words that lead up to an item, and the subject of another part, weigh beside its own.
const LEAD_WEIGHT: f64 = 0.5;

/// What a word counts that stands beside the statement: in what leads to it or in its heading,
/// in the sentence before it (less if the statement does not point back to it), anywhere in the
/// document.
const ABOVE: f64 = 0.7;
const BEFORE: f64 = 0.6;
const BEFORE_ANOTHER: f64 = 0.3;
const ANYWHERE: f64 = 0.2;

/// A part of so many terms is seldom said in one sentence: its paragraph is looked at too, and
/// counts so much.
const LONG_SLOTS: usize = 8;
const PARAGRAPH: f64 = 0.9;

/// A statement says the contrary if so much of what it shares is denied on one side only, unless
/// it speaks of what must happen: then that decides.
const CONTRARY_SHARE: f64 = 0.5;

/// A word that is denied alone ("without inspection", "unlocked") decides if it weighs so much.
const LOCAL_SHARE: f64 = 0.2;

/// What stands around a statement counts so much of what it counts for it when it denies.
const CONTEXT_OF_DENIAL: f64 = 0.5;

/// What words weigh that say where, with whom or for whom.
const ADJUNCT_WEIGHT: f64 = 0.6;

/// What a share counts if nothing says what must happen; of a part of many terms that is one of
/// many things it says.
const WITHOUT_MAIN: f64 = 0.55;
const WITHOUT_MAIN_OF_MANY: f64 = 0.85;
const MANY_SLOTS: usize = 6;

/// Of statements that are worth nearly as much before their numbers are looked at, the one whose
/// numbers fit best is taken.
const NEARLY: f64 = 0.85;

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
    main: u64,
    pub quantities: Vec<Quantity>,
    /// Whether it speaks of suppliers and the like, so that statements about them fit.
    is_about_others: bool,
    /// Whether it permits or recommends, so that less than a duty meets it.
    is_mild: bool,
}

/// One thing that a part speaks of.
struct Slot {
    weight: f64,
    /// The terms that fill it.
    terms: Vec<Term>,
    is_denied: bool,
    is_main: bool,
}

impl Slot {
    fn of(terms: &[Marked], class: f64, lexicon: &Lexicon, is_main: bool) -> Self {
        let weights = terms.iter().map(|marked| lexicon.weight(marked.term));
        Self {
            weight: class * weights.fold(f64::MAX, f64::min),
            terms: terms.iter().map(|marked| marked.term).collect(),
            is_denied: terms[0].is_denied,
            is_main,
        }
    }
}

/// The place that says what must happen: the predicate, or the first thing of all where the
/// predicate says little: "must be **encrypted**", "**backups** are required".
fn main_place(own: &Sentence, lexicon: &Lexicon) -> Option<usize> {
    let is_strong = |place: usize| {
        let mut here = own.terms.iter().filter(|marked| marked.place == place).peekable();
        here.peek().is_some() && !here.any(|marked| lexicon.is_weak(marked.term))
    };
    let mut places = own.terms.iter().map(|marked| marked.place);
    own.predicate
        .filter(|place| is_strong(*place))
        .or_else(|| places.find(|place| is_strong(*place)))
}

/// What was found for one part; all shares are of the weight of its slots.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Support {
    /// What the best agreeing statement is worth, 0 to 1.
    pub worth: f64,
    /// How much of the part it covers, how it is meant and whether its numbers fit.
    pub share: f64,
    pub stance: Stance,
    pub fit: Fit,
    /// Which statement that is.
    pub best: Option<u32>,
    /// How much of the part all statements of the document cover.
    pub document: f64,
    /// How much of the part the best statement covers that says the contrary.
    pub contrary: f64,
    /// Which statement that is.
    pub worst: Option<u32>,
}

impl Default for Support {
    fn default() -> Self {
        Self {
            worth: 0.0,
            share: 0.0,
            stance: Stance::Named,
            fit: Fit::Met,
            best: None,
            document: 0.0,
            contrary: 0.0,
            worst: None,
        }
    }
}

/// How much a share of matching words says, 0 to 1: few words in common say little, and few
/// statements use all words of a requirement. The last three parts of a hundred are left to
/// people: the same words may be meant otherwise.
pub(super) fn said(share: f64) -> f64 {
    const STEPS: [(f64, f64); 6] =
        [(0.0, 0.0), (0.25, 0.05), (0.42, 0.4), (0.55, 0.85), (0.75, 0.93), (1.0, 0.97)];
    for pair in STEPS.windows(2) {
        let [(low, from), (high, to)] = [pair[0], pair[1]];
        if share <= high {
            return from + (to - from) * (share - low).max(0.0) / (high - low);
        }
    }
    STEPS[5].1
}

impl Wanted {
    pub(super) fn of(text: &str, lead: &str, lexicon: &Lexicon) -> Self {
        let own = Sentence::wanted(text, lexicon);
        let lead_terms = Sentence::wanted(lead, lexicon).terms;
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
                    slots.push(Slot { is_denied: slot.is_denied && !is_lead, ..slot });
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
        let is_other = |marked: &Marked| lexicon.is_concept(marked.term, "third_party");
        let lower = text.to_lowercase();
        Self {
            denied: mask(|slot| slot.is_denied),
            main: mask(|slot| slot.is_main),
            keys: (0..)
                .zip(&slots)
                .flat_map(|(bit, slot)| slot.terms.iter().map(move |term| (*term, bit)))
                .collect(),
            total: slots.iter().map(|slot| slot.weight).sum(),
            slots: slots.iter().map(|slot| slot.weight).collect(),
            is_about_others: own.terms.iter().chain(&lead_terms).any(is_other),
            is_mild: [" may ", " can ", " should "].iter().any(|word| lower.contains(word)),
            quantities: own.quantities,
        }
    }

    /// Terms with their weights, each a slot of its own.
    pub(super) fn weighed(terms: &[(Term, f64)]) -> Self {
        Self {
            slots: terms.iter().map(|term| term.1).collect(),
            keys: terms.iter().map(|term| term.0).zip(0..).collect(),
            total: terms.iter().map(|term| term.1).sum(),
            denied: 0,
            main: 0,
            quantities: Vec::new(),
            is_about_others: false,
            is_mild: false,
        }
    }

    /// The terms of a text that only names something.
    pub(super) fn named(text: &str, lexicon: &Lexicon) -> Self {
        Self::of(text, "", lexicon)
    }

    fn weight(&self, mask: u64) -> f64 {
        let mut left = mask;
        let mut sum = 0.0;
        while left != 0 {
            sum += self.slots[left.trailing_zeros() as usize];
            left &= left - 1;
        }
        sum
    }

    fn share(&self, mask: u64) -> f64 {
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

/// The slots found in a statement, as bits: those that agree, those denied on one side only, and
/// of these the ones that are denied alone.
#[derive(Debug, Clone, Copy, Default)]
struct Seen {
    agreeing: u64,
    contrary: u64,
    local: u64,
}

impl Seen {
    fn all(self) -> u64 {
        self.agreeing | self.contrary
    }
}

/// A statement that agrees, before its numbers are looked at.
struct Candidate {
    index: u32,
    share: f64,
    stance: Stance,
    worth: f64,
}

/// Room that is used again from one part to the next.
pub(super) struct Scratch {
    seen: Vec<Seen>,
    touched: Vec<u32>,
    /// The term that stands for suppliers and the like.
    third_party: Option<Term>,
}

impl Scratch {
    pub(super) fn new(document: &Reading<'_>, lexicon: &Lexicon) -> Self {
        Self {
            seen: vec![Seen::default(); document.statements.len()],
            touched: Vec::new(),
            third_party: lexicon.concepts.named("third_party"),
        }
    }

    /// Looks for what speaks for and against a part among the statements allowed.
    pub(super) fn support(
        &mut self,
        wanted: &Wanted,
        document: &Reading<'_>,
        is_allowed: impl Fn(u32) -> bool,
    ) -> Support {
        self.find(wanted, document);
        let allowed = || self.touched.iter().copied().filter(|index| is_allowed(*index));
        let stated = |index: &u32| document.statements[*index as usize].stance > Stance::Named;
        let mask = |mask: u64, index: u32| mask | self.seen[index as usize].all();
        let everywhere = allowed().filter(stated).fold(0, mask);
        let named = allowed().fold(0, mask);
        let mut support = Support { document: wanted.share(named), ..Support::default() };
        let mut agreeing: Vec<Candidate> = Vec::new();
        for index in allowed() {
            let stance = self.stance(wanted, &document.statements[index as usize]);
            let (own, around) = self.shares(wanted, document, index, everywhere);
            if self.is_contrary(wanted, index) {
                let share = own + CONTEXT_OF_DENIAL * around;
                if stance >= Stance::Advised && share > support.contrary {
                    (support.contrary, support.worst) = (share, Some(index));
                }
            } else {
                let share = own + around;
                agreeing.push(Candidate {
                    index,
                    share,
                    stance,
                    worth: stance.worth() * said(share),
                });
            }
        }
        let most = agreeing.iter().map(|candidate| candidate.worth).fold(0.0, f64::max);
        for Candidate { index, share, stance, worth } in agreeing {
            if worth < NEARLY * most || worth <= 0.0 {
                continue;
            }
            let fit = fit(&wanted.quantities, &nearest(wanted, document, index));
            let worth = worth * fit.worth();
            if worth > support.worth {
                support = Support { worth, share, stance, fit, best: Some(index), ..support };
            }
        }
        for index in self.touched.drain(..) {
            self.seen[index as usize] = Seen::default();
        }
        support
    }

    fn find(&mut self, wanted: &Wanted, document: &Reading<'_>) {
        for (term, bit) in &wanted.keys {
            let is_denied_there = wanted.denied >> bit & 1 == 1;
            for Posting { statement, is_denied, is_local, .. } in &document.postings[*term as usize]
            {
                let seen = &mut self.seen[*statement as usize];
                if seen.all() == 0 {
                    self.touched.push(*statement);
                }
                if *is_denied == is_denied_there {
                    seen.agreeing |= 1 << bit;
                    seen.contrary &= !(1 << bit);
                    seen.local &= !(1 << bit);
                } else if seen.agreeing >> bit & 1 == 0 {
                    seen.contrary |= 1 << bit;
                    seen.local |= u64::from(*is_local) << bit;
                }
            }
        }
        self.touched.sort_unstable();
    }

    /// Whether a statement denies what is wanted, or states what is not.
    fn is_contrary(&self, wanted: &Wanted, index: u32) -> bool {
        let seen = self.seen[index as usize];
        let weighs = |mask: u64, least: f64, of: f64| wanted.weight(mask) > least * of;
        if weighs(seen.local, LOCAL_SHARE, wanted.total) {
            return true;
        }
        if seen.all() & wanted.main != 0 {
            return seen.contrary & wanted.main != 0;
        }
        weighs(seen.contrary, CONTRARY_SHARE, wanted.weight(seen.all()))
    }

    /// How much of a part a statement covers itself, and what stands around it adds.
    fn shares(
        &self,
        wanted: &Wanted,
        document: &Reading<'_>,
        index: u32,
        everywhere: u64,
    ) -> (f64, f64) {
        let statement = &document.statements[index as usize];
        let own = self.seen[index as usize].all();
        let above = statement.above.map_or(0, |above| self.seen[above as usize].all());
        let before = index.checked_sub(1).filter(|before| {
            document.statements[*before as usize].paragraph == statement.paragraph
        });
        let before = before.map_or(0, |before| self.seen[before as usize].all());
        let mut taken = own;
        let mut around = 0.0;
        let back = if statement.points_back { BEFORE } else { BEFORE_ANOTHER };
        for (mask, worth) in [(above, ABOVE), (before, back), (everywhere, ANYWHERE)] {
            around += worth * wanted.share(mask & !taken);
            taken |= mask;
        }
        let has_main = wanted.main == 0 || (own | above | before) & wanted.main != 0;
        let class = match (has_main, wanted.slots.len() < MANY_SLOTS) {
            (true, _) => 1.0,
            (false, true) => WITHOUT_MAIN,
            (false, false) => WITHOUT_MAIN_OF_MANY,
        };
        let around = if wanted.slots.len() >= LONG_SLOTS {
            let paragraph = self.paragraph(document, index) | above;
            around.max(PARAGRAPH * wanted.share(paragraph) - wanted.share(own))
        } else {
            around
        };
        (class * wanted.share(own), class * around)
    }

    /// What the statements of a paragraph cover together.
    fn paragraph(&self, document: &Reading<'_>, index: u32) -> u64 {
        let paragraph = document.statements[index as usize].paragraph;
        let same = |index: &u32| {
            let statement = &document.statements[*index as usize];
            statement.paragraph == paragraph && statement.stance > Stance::Named
        };
        let all = |index: u32| self.seen[index as usize].agreeing;
        let before = (0..index).rev().take_while(same).map(all);
        let last = u32::try_from(document.statements.len()).unwrap_or(u32::MAX);
        before.chain((index..last).take_while(same).map(all)).fold(0, |mask, more| mask | more)
    }

    /// How a statement is meant for this requirement: a duty of suppliers is no duty of ours.
    fn stance(&self, wanted: &Wanted, statement: &Statement) -> Stance {
        let is_others = statement.obliges
            && self.third_party.is_some()
            && statement.subject == self.third_party;
        match statement.stance {
            stance if is_others && !wanted.is_about_others => stance.min(Stance::Mentioned),
            Stance::Advised if wanted.is_mild => Stance::Firm,
            stance => stance,
        }
    }
}

/// The quantities of a statement, those of the clauses that share most with the part first.
fn nearest<'d>(wanted: &Wanted, document: &'d Reading<'_>, index: u32) -> Vec<&'d Quantity> {
    let statement = &document.statements[index as usize];
    if wanted.quantities.is_empty() || statement.quantities.is_empty() {
        return Vec::new();
    }
    let mut clauses: Vec<(u8, f64)> = Vec::new();
    for (term, bit) in &wanted.keys {
        let postings = &document.postings[*term as usize];
        let first = postings.partition_point(|posting| posting.statement < index);
        for posting in postings[first..].iter().take_while(|posting| posting.statement == index) {
            match clauses.iter_mut().find(|(clause, _)| *clause == posting.clause) {
                Some((_, weight)) => *weight += wanted.slots[*bit as usize],
                None => clauses.push((posting.clause, wanted.slots[*bit as usize])),
            }
        }
    }
    let weight = |quantity: &Quantity| {
        let own = clauses.iter().find(|(clause, _)| usize::from(*clause) == quantity.clause);
        own.map_or(0.0, |(_, weight)| *weight)
    };
    let mut found: Vec<&Quantity> = statement.quantities.iter().collect();
    found.sort_by(|left, right| weight(right).total_cmp(&weight(left)));
    found
}
