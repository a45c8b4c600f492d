//! What in a document speaks for a part of a requirement, and what against it.

use super::curve::{SILENT_BEFORE, said};
use super::fit::{Fit, UNSTATED_OTHER, compares, fit};
use super::lexicon::{Lexicon, Term};
use super::meaning::Nearness;
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

/// From here on it says neither.
const UNCLEAR_SHARE: f64 = 0.3;

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

/// From here on a statement has words for most of a part, so that nothing is missing by name.
const NEAR_ALL: f64 = 0.55;

/// A statement that says less of a part than so much of what it says of another part of the set is
/// rather about that one.
const RATHER_BELOW: f64 = 0.7;

/// A statement that gives a number of the kind that is wanted is so much rather about a part.
const COUNTED: f64 = 1.2;

/// Of statements that say nearly as much, the one that is meant best and whose numbers fit best is
/// taken.
const NEARLY_AS_FULL: f64 = 0.75;

/// What was found for one part; all shares are of the weight of its slots.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Support {
    /// What the best agreeing statement is worth, 0 to 1.
    pub worth: f64,
    /// How much of the part it covers, how far that says it, how it is meant and whether its numbers
    /// fit.
    pub share: f64,
    pub said: f64,
    /// The midpoint of the document that the share was held against.
    pub middle: f64,
    pub stance: Stance,
    pub fit: Fit,
    /// Which statement that is.
    pub best: Option<u32>,
    /// How much of the part the fullest statement covers, be it for or against.
    pub fullest: f64,
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
            said: 0.0,
            middle: 0.0,
            stance: Stance::Named,
            fit: Fit::Met,
            best: None,
            fullest: 0.0,
            document: 0.0,
            contrary: 0.0,
            worst: None,
            denies_main: false,
        }
    }
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

impl Nearness {
    /// What being near adds to a share; less where a word of the part is missing by name.
    fn counting(self, class: f64) -> f64 {
        let class = if self.words < NEAR_ALL { 0.5 + 0.5 * class } else { 1.0 };
        class * (self.direction + self.words)
    }
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
    /// What they count, by whether they say what must happen.
    class: f64,
    /// What the statement covers and counts without its heading and the sentence before it.
    alone: (f64, f64),
}

/// Which way a statement speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Polarity {
    Agreeing,
    /// Some of what it shares is denied on one side only, and it does not say what must happen.
    Unclear,
    Contrary,
}

/// A statement that agrees, before its numbers are looked at.
struct Candidate {
    index: u32,
    share: f64,
    /// The share without what stands around it.
    alone: f64,
    stance: Stance,
    worth: f64,
}

/// Room that is used again from one part to the next.
pub(super) struct Scratch {
    seen: Vec<Seen>,
    touched: Vec<u32>,
    /// For each statement, how much it says of the part that it says most of.
    pub claims: Vec<f64>,
    /// The term that stands for suppliers and the like.
    third_party: Option<Term>,
}

impl Scratch {
    pub(super) fn new(document: &Reading<'_>, lexicon: &Lexicon) -> Self {
        Self {
            seen: vec![Seen::default(); document.statements.len()],
            touched: Vec::new(),
            claims: vec![0.0; document.statements.len()],
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
        let literal = allowed().fold(0, literal);
        let (literal, middle) = (wanted.share(literal), document.middle);
        let mut support = Support { document: literal, middle, ..Support::default() };
        let (mut agreeing, named, claims) =
            self.candidates(wanted, document, (everywhere, &is_allowed), &mut support);
        for (index, alone) in claims {
            let most = &mut self.claims[index as usize];
            *most = most.max(alone);
        }
        let fullest = agreeing.iter().map(|candidate| candidate.share).fold(0.0, f64::max);
        support.fullest = support.fullest.max(fullest).max(support.contrary);
        // What stands around a statement does not make it push out others.
        let alone = agreeing.iter().map(|candidate| candidate.alone).fold(0.0, f64::max);
        // Where no statement says anything yet, none is taken before others.
        let silent = document.middle - SILENT_BEFORE;
        let least = if alone < silent { 0.0 } else { NEARLY_AS_FULL * alone };
        agreeing.retain(|candidate| candidate.share >= least);
        let fit_of = |index: u32| fit(&wanted.quantities, &nearest(wanted, document, index));
        let is_counted = agreeing.iter().any(|candidate| {
            candidate.alone >= least.max(silent) && fit_of(candidate.index) != Fit::Unstated
        });
        for Candidate { index, share, stance, worth, .. } in agreeing {
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
                let said = said(share, document.middle);
                support = Support { worth, share, said, stance, fit, best: Some(index), ..support };
            }
        }
        let speaks = |index: Option<u32>| {
            index.is_some_and(|index| self.seen[index as usize].all() & wanted.main != 0)
        };
        support.denies_main = speaks(support.worst) && !speaks(support.best);
        support.worth = support.worth.max(named);
        for index in self.touched.drain(..) {
            self.seen[index as usize] = Seen::default();
        }
        support
    }

    /// The statements that agree, and what headings and lists of terms say: next to nothing. What
    /// says the contrary goes into the support.
    fn candidates(
        &self,
        wanted: &Wanted,
        document: &Reading<'_>,
        (everywhere, is_allowed): (u64, &impl Fn(u32) -> bool),
        support: &mut Support,
    ) -> (Vec<Candidate>, f64, Vec<(u32, f64)>) {
        let (mut agreeing, mut named) = (Vec::new(), 0.0_f64);
        let mut claims = Vec::new();
        let nearness = document.near.to(&wanted.meant, |at| document.statements[at].above);
        for (index, meaning) in (0_u32..).zip(nearness).filter(|(index, _)| is_allowed(*index)) {
            let stance = self.stance(wanted, &document.statements[index as usize]);
            let is_touched = self.seen[index as usize].all() != 0;
            let Shares { own, near, far, class, alone } = if is_touched {
                self.shares(wanted, document, index, everywhere)
            } else {
                Shares { own: 0.0, near: 0.0, far: 0.0, class: 1.0, alone: (0.0, 1.0) }
            };
            let meant = meaning.counting(class);
            let alone = f64::midpoint(alone.0, meaning.counting(alone.1)).min(1.0);
            let is_counted =
                compares(&wanted.quantities, &document.statements[index as usize].quantities);
            let counted = if is_counted { COUNTED } else { 1.0 };
            let rather = counted * rather(wanted, document, index, alone);
            if document.statements[index as usize].is_not_applicable {
                // What does not apply is no denial of what is like it.
                support.fullest = support.fullest.max(((own + near + meant) / 2.0).min(1.0));
                continue;
            }
            let polarity = self.polarity(wanted, index, meaning);
            if polarity == Polarity::Unclear {
                continue;
            }
            if polarity == Polarity::Contrary {
                claims.push((index, alone));
                let share = (rather * (own + CONTEXT_OF_DENIAL * near + meant) / 2.0).min(1.0);
                if stance >= Stance::Advised && share > support.contrary {
                    (support.contrary, support.worst) = (share, Some(index));
                }
                continue;
            }
            let share = (rather * (own + near.max(far) + meant) / 2.0).min(1.0);
            let worth = stance.worth() * said(share, document.middle);
            if stance == Stance::Named {
                named = named.max(worth);
            } else {
                claims.push((index, alone));
                let alone = rather * alone;
                agreeing.push(Candidate { index, share, alone, stance, worth });
            }
        }
        (agreeing, named, claims)
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

    /// Whether a statement says what is wanted, or denies it, or states what is not.
    fn polarity(&self, wanted: &Wanted, index: u32, meaning: Nearness) -> Polarity {
        let seen = self.seen[index as usize];
        let weighs = |mask: u64, least: f64, of: f64| wanted.weight(mask) > least * of;
        if weighs(seen.local, LOCAL_SHARE, wanted.total) {
            return Polarity::Contrary;
        }
        // Both deny the same: "kept unlocked" and "never locked".
        if weighs(seen.agreeing & wanted.denied, LOCAL_SHARE, wanted.total) {
            return Polarity::Agreeing;
        }
        if seen.all() & wanted.main != 0 {
            let is_contrary = seen.contrary & wanted.main != 0;
            return if is_contrary { Polarity::Contrary } else { Polarity::Agreeing };
        }
        // Who forbids something is not contradicted by a word on its object alone.
        let forbids = wanted.denied & wanted.main != 0;
        let contrary = wanted.share(seen.contrary) + meaning.contrary;
        let all = wanted.share(seen.all()) + meaning.words;
        match contrary / all.max(f64::MIN_POSITIVE) {
            _ if forbids => Polarity::Agreeing,
            share if share > CONTRARY_SHARE => Polarity::Contrary,
            share if share > UNCLEAR_SHARE => Polarity::Unclear,
            _ => Polarity::Agreeing,
        }
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
        let class = self::class(wanted, own | above | before);
        let alone = self::class(wanted, own);
        let seen = self.seen[index as usize];
        let other_words = own & wanted.worded & !seen.literal;
        let own = wanted.share(own) - SYNONYM * wanted.share(other_words);
        let [above_adds, before_adds, anywhere_adds] = sums;
        let mut far = above_adds + before_adds + anywhere_adds;
        if wanted.slots.len() >= LONG_SLOTS {
            let paragraph = self.paragraph(document, index) | above;
            far = far.max(PARAGRAPH * wanted.share(paragraph) - own);
        }
        let near = class * (above_adds + before_adds);
        Shares { own: class * own, near, far: class * far, class, alone: (alone * own, alone) }
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
            Stance::Optional | Stance::Advised | Stance::Mostly if wanted.is_mild => Stance::Firm,
            stance => stance,
        }
    }
}

/// What a share counts of a statement that says more of another requirement of the set.
fn rather(wanted: &Wanted, document: &Reading<'_>, index: u32, alone: f64) -> f64 {
    let most = document.claims.get(index as usize).copied().unwrap_or(0.0);
    if wanted.meant.words.is_empty() || alone >= RATHER_BELOW * most {
        return 1.0;
    }
    alone / (RATHER_BELOW * most)
}

/// What a share counts, by which slots are there.
fn class(wanted: &Wanted, found: u64) -> f64 {
    let has_main = wanted.main == 0 || found & wanted.main != 0;
    let is_alone = (found & wanted.strong).count_ones() < 2 && wanted.strong.count_ones() > 1;
    let is_short = wanted.slots.len() < MANY_SLOTS;
    match (has_main, is_short && is_alone) {
        (true, true) => MAIN_ALONE,
        (true, false) => 1.0,
        (false, true) => WITHOUT_MAIN,
        (false, false) if is_short => WITHOUT_MAIN_OF_SOME,
        (false, false) => WITHOUT_MAIN_OF_MANY,
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
