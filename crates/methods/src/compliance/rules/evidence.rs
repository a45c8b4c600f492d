//! What in a document speaks for a part of a requirement, and what against it.

use super::fit::{Fit, fit};
use super::lexicon::{Lexicon, Term};
use super::quantity::Quantity;
use super::stance::Stance;
use super::statements::{Posting, Reading, Statement};
use super::wanted::Wanted;

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

/// What a share counts if nothing says what must happen, if that alone is said ("laptops are
/// encrypted" is no word on backups), or if much else is said.
const WITHOUT_MAIN: f64 = 0.65;
const MAIN_ALONE: f64 = 0.55;
const WITHOUT_MAIN_OF_SOME: f64 = 0.75;
const WITHOUT_MAIN_OF_MANY: f64 = 0.85;
const MANY_SLOTS: usize = 6;

/// Another word for what is wanted says so much less than the word itself.
const SYNONYM: f64 = 0.03;

/// Of statements that are worth nearly as much before their numbers are looked at, the one whose
/// numbers fit best is taken.
const NEARLY: f64 = 0.85;
const NEARLY_AS_FULL: f64 = 0.75;
const CLEAR_MIN: f64 = 0.5;

/// Where something must last, a statement that says neither that nor how long is rather about
/// something else.
const UNSTATED_OTHER: f64 = 0.3;

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
    /// Whether it denies just what must happen, and no agreeing statement speaks of that.
    pub denies_main: bool,
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
            denies_main: false,
        }
    }
}

/// How much a share of matching words says, 0 to 1: few words in common say little, and few
/// statements use all words of a requirement. The last three parts of a hundred are left to
/// people: the same words may be meant otherwise.
pub(super) fn said(share: f64) -> f64 {
    const STEPS: [(f64, f64); 6] =
        [(0.0, 0.0), (0.3, 0.05), (0.42, 0.27), (0.52, 0.88), (0.7, 0.94), (1.0, 0.97)];
    for pair in STEPS.windows(2) {
        let [(low, from), (high, to)] = [pair[0], pair[1]];
        if share <= high {
            return from + (to - from) * (share - low).max(0.0) / (high - low);
        }
    }
    STEPS[5].1
}

/// The slots found in a statement, as bits: those that agree, those denied on one side only, and
/// of these the ones that are denied alone.
#[derive(Debug, Clone, Copy, Default)]
struct Seen {
    agreeing: u64,
    contrary: u64,
    local: u64,
    /// Those whose own word stands there, and not only another word for it.
    literal: u64,
}

impl Seen {
    fn all(self) -> u64 {
        self.agreeing | self.contrary
    }
}

/// How much of a part a statement covers itself, what its heading and the sentence before it add,
/// and what all of the document adds.
struct Shares {
    own: f64,
    near: f64,
    far: f64,
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
        let literal = |mask: u64, index: u32| {
            let seen = self.seen[index as usize];
            mask | seen.literal | seen.all() & !wanted.worded
        };
        let named = allowed().fold(0, literal);
        let mut support = Support { document: wanted.share(named), ..Support::default() };
        let mut agreeing: Vec<Candidate> = Vec::new();
        for index in allowed() {
            let stance = self.stance(wanted, &document.statements[index as usize]);
            let Shares { own, near, far } = self.shares(wanted, document, index, everywhere);
            if self.is_contrary(wanted, index) {
                let share = own + CONTEXT_OF_DENIAL * near;
                if stance >= Stance::Advised && share > support.contrary {
                    (support.contrary, support.worst) = (share, Some(index));
                }
            } else {
                let share = own + near.max(far);
                agreeing.push(Candidate {
                    index,
                    share,
                    stance,
                    worth: stance.worth() * said(share),
                });
            }
        }
        let most = agreeing.iter().map(|candidate| candidate.worth).fold(0.0, f64::max);
        agreeing.retain(|candidate| candidate.worth > 0.0 && candidate.worth >= NEARLY * most);
        let fullest = agreeing.iter().map(|candidate| candidate.share).fold(0.0, f64::max);
        // Where nothing says much, what says a little more decides nothing.
        let is_clear = fullest >= CLEAR_MIN;
        agreeing.retain(|candidate| !is_clear || candidate.share >= NEARLY_AS_FULL * fullest);
        let fit_of = |index: u32| fit(&wanted.quantities, &nearest(wanted, document, index));
        let is_counted =
            is_clear && agreeing.iter().any(|candidate| fit_of(candidate.index) != Fit::Unstated);
        for Candidate { index, share, stance, worth } in agreeing {
            let fit = match fit_of(index) {
                // Neither kept nor how long: it may be about something else.
                Fit::Unstated
                    if wanted.lasts()
                        && self.seen[index as usize].all() & wanted.predicate == 0 =>
                {
                    Fit::Missed(UNSTATED_OTHER)
                }
                fit => fit,
            };
            // A number that does not fit says more than one that is not there.
            if is_counted && fit == Fit::Unstated {
                continue;
            }
            let worth = worth * fit.worth();
            if worth > support.worth {
                support = Support { worth, share, stance, fit, best: Some(index), ..support };
            }
        }
        let speaks = |index: Option<u32>| {
            index.is_some_and(|index| self.seen[index as usize].all() & wanted.main != 0)
        };
        support.denies_main = speaks(support.worst) && !speaks(support.best);
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
                seen.literal |= u64::from(*term >= wanted.first_word) << bit;
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
        // Who forbids something is not contradicted by a word on its object alone.
        let forbids = wanted.denied & wanted.main != 0;
        !forbids && weighs(seen.contrary, CONTRARY_SHARE, wanted.weight(seen.all()))
    }

    /// How much of a part a statement covers itself, and what others add.
    fn shares(
        &self,
        wanted: &Wanted,
        document: &Reading<'_>,
        index: u32,
        everywhere: u64,
    ) -> Shares {
        let statement = &document.statements[index as usize];
        let own = self.seen[index as usize].all();
        let above = statement.above.map_or(0, |above| self.seen[above as usize].all());
        let before = index.checked_sub(1).filter(|before| {
            let before = &document.statements[*before as usize];
            before.paragraph == statement.paragraph && before.stance != Stance::Mentioned
        });
        // What the sentence before denies is not said again here.
        let before = before.map_or(0, |before| self.seen[before as usize].agreeing);
        let mut taken = own;
        let mut sums = [0.0; 3];
        let back = if statement.points_back { BEFORE } else { BEFORE_ANOTHER };
        let masks = [(above, ABOVE), (before, back), (everywhere, ANYWHERE)];
        for (sum, (mask, worth)) in sums.iter_mut().zip(masks) {
            *sum = worth * wanted.share(mask & !taken);
            taken |= mask;
        }
        let has_main = wanted.main == 0 || (own | above | before) & wanted.main != 0;
        let near = (own | above | before) & wanted.strong;
        let is_alone = near.count_ones() < 2 && wanted.strong.count_ones() > 1;
        let is_short = wanted.slots.len() < MANY_SLOTS;
        let class = match (has_main, is_short && is_alone) {
            (true, true) => MAIN_ALONE,
            (true, false) => 1.0,
            (false, true) => WITHOUT_MAIN,
            (false, false) if is_short => WITHOUT_MAIN_OF_SOME,
            (false, false) => WITHOUT_MAIN_OF_MANY,
        };
        let seen = self.seen[index as usize];
        let other_words = own & wanted.worded & !seen.literal;
        let own = wanted.share(own) - SYNONYM * wanted.share(other_words);
        let [above_adds, before_adds, anywhere_adds] = sums;
        let mut far = above_adds + before_adds + anywhere_adds;
        if wanted.slots.len() >= LONG_SLOTS {
            let paragraph = self.paragraph(document, index) | above;
            far = far.max(PARAGRAPH * wanted.share(paragraph) - own);
        }
        Shares { own: class * own, near: class * (above_adds + before_adds), far: class * far }
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
            Stance::Advised | Stance::Mostly if wanted.is_mild => Stance::Firm,
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
