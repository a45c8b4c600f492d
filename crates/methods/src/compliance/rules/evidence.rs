//! What in a document speaks for an obligation, and what against it.

use super::denial;
use super::lexicon::{Lexicon, Term};
use super::obligations::Obligation;
use super::statements::{Force, Posting, Reading};

/// An obligation uses at most so many terms, the heaviest: as many as a number has bits.
const TERMS_MAX: usize = 64;

/// What the words that lead up to an item weigh beside its own.
const LEAD_WEIGHT: f64 = 0.5;

/// An obligation denies ("must not share") if a denial stands among so many first words.
const DENIAL_WORDS: usize = 7;

/// A statement says the contrary if so much of what it shares with the obligation is denied.
const DENIED_SHARE: f64 = 0.25;

/// An obligation as weighted terms.
#[derive(Debug, Clone)]
pub(super) struct Wanted {
    /// The terms and what each weighs.
    pub terms: Vec<(Term, f64)>,
    /// The weight of all terms.
    pub total: f64,
    /// Which terms it denies itself, as bits.
    pub denied: u64,
}

/// What was found for one obligation; all shares are of the weight of its terms.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Support {
    /// The best statement that agrees, with its force.
    pub statement: f64,
    /// Which statement that is.
    pub best: Option<u32>,
    /// The best paragraph, with the heading above it.
    pub paragraph: f64,
    /// The whole document.
    pub document: f64,
    /// The best statement that says the contrary.
    pub contrary: f64,
    /// Which statement that is.
    pub worst: Option<u32>,
}

impl Wanted {
    pub(super) fn of(obligation: &Obligation, lexicon: &Lexicon) -> Self {
        let own = denial::read(&obligation.text, lexicon).terms;
        let lead = denial::read(&obligation.lead, lexicon).terms;
        let is_own = |term: Term| own.iter().any(|marked| marked.term == term);
        let beside = lead.iter().filter(|marked| !is_own(marked.term));
        let mut terms: Vec<(Term, f64, bool)> = own
            .iter()
            .map(|marked| (marked.term, lexicon.weight(marked.term), marked.is_denied))
            .chain(beside.map(|marked| {
                (marked.term, LEAD_WEIGHT * lexicon.weight(marked.term), marked.is_denied)
            }))
            .collect();
        terms.sort_by(|left, right| right.1.total_cmp(&left.1).then(left.0.cmp(&right.0)));
        terms.truncate(TERMS_MAX);
        let begins = |text: &str| {
            let first: Vec<&str> = text.split_whitespace().take(DENIAL_WORDS).collect();
            denial::read(&first.join(" "), lexicon).denies
        };
        let denies = begins(&obligation.text) || begins(&obligation.lead);
        let bits = terms.iter().enumerate().filter(|(_, term)| denies && term.2);
        Self {
            denied: bits.fold(0, |mask, (bit, _)| mask | 1 << bit),
            total: terms.iter().map(|term| term.1).sum(),
            terms: terms.into_iter().map(|(term, weight, _)| (term, weight)).collect(),
        }
    }

    /// The terms of a text that only names something.
    pub(super) fn named(text: &str, lexicon: &Lexicon) -> Self {
        Self::of(&Obligation { lead: String::new(), text: text.to_owned() }, lexicon)
    }

    fn share(&self, mask: u64) -> f64 {
        let mut left = mask;
        let mut sum = 0.0;
        while left != 0 {
            sum += self.terms[left.trailing_zeros() as usize].1;
            left &= left - 1;
        }
        if self.total > 0.0 { sum / self.total } else { 0.0 }
    }

    /// The share of terms that were found at each force; the strongest counts.
    fn share_by_force(&self, found: ByForce) -> f64 {
        let mut seen = 0;
        let mut sum = 0.0;
        for force in Force::ALL.into_iter().rev() {
            let mask = found[force as usize] & !seen;
            sum += force.worth() * self.share(mask);
            seen |= mask;
        }
        sum
    }

    /// How often the terms occur: a term that occurs often counts nearly whole.
    pub(super) fn saturated(&self, document: &Reading<'_>, half_at: f64) -> f64 {
        let found = self.terms.iter().map(|(term, weight)| {
            let count = document.postings[*term as usize].len() as f64;
            weight * count / (count + half_at)
        });
        if self.total > 0.0 { found.sum::<f64>() / self.total } else { 0.0 }
    }
}

/// The terms found at each force, as bits.
type ByForce = [u64; Force::ALL.len()];

/// Room that is used again from one obligation to the next.
pub(super) struct Scratch {
    /// The terms found in each statement, and those that are denied there.
    found: Vec<(u64, u64)>,
    touched: Vec<u32>,
    /// The terms found in each paragraph.
    paragraphs: Vec<ByForce>,
}

impl Scratch {
    pub(super) fn new(document: &Reading<'_>) -> Self {
        Self {
            found: vec![(0, 0); document.statements.len()],
            touched: Vec::new(),
            paragraphs: vec![ByForce::default(); document.paragraphs],
        }
    }

    /// Looks for what speaks for and against an obligation among the statements allowed.
    pub(super) fn support(
        &mut self,
        wanted: &Wanted,
        document: &Reading<'_>,
        is_allowed: impl Fn(u32) -> bool,
    ) -> Support {
        for (bit, (term, _)) in wanted.terms.iter().enumerate() {
            for Posting { statement, is_denied } in &document.postings[*term as usize] {
                let found = &mut self.found[*statement as usize];
                if found.0 == 0 {
                    self.touched.push(*statement);
                }
                found.0 |= 1 << bit;
                found.1 |= u64::from(*is_denied) << bit;
            }
        }
        self.touched.sort_unstable();
        let mut support = Support::default();
        let mut everywhere = ByForce::default();
        for index in &self.touched {
            let statement = &document.statements[*index as usize];
            let (found, denied) = std::mem::take(&mut self.found[*index as usize]);
            if !is_allowed(*index) {
                continue;
            }
            let is_contrary = if wanted.denied == 0 {
                denied != 0 && wanted.share(denied) >= DENIED_SHARE * wanted.share(found)
            } else {
                found & wanted.denied != 0 && !statement.denies
            };
            let share = statement.force.worth() * wanted.share(found);
            if is_contrary {
                if share > support.contrary {
                    support.contrary = share;
                    support.worst = Some(*index);
                }
                continue;
            }
            if share > support.statement {
                support.statement = share;
                support.best = Some(*index);
            }
            everywhere[statement.force as usize] |= found;
            self.paragraphs[statement.paragraph as usize][statement.force as usize] |= found;
        }
        support.document = wanted.share_by_force(everywhere);
        support.paragraph = self.best_paragraph(wanted, document);
        for index in self.touched.drain(..) {
            self.paragraphs[document.statements[index as usize].paragraph as usize] =
                ByForce::default();
        }
        support
    }

    /// The largest share of a paragraph together with the heading above it.
    fn best_paragraph(&self, wanted: &Wanted, document: &Reading<'_>) -> f64 {
        let shares = self.touched.iter().map(|index| {
            let statement = &document.statements[*index as usize];
            let own = self.paragraphs[statement.paragraph as usize];
            if own == ByForce::default() {
                return 0.0;
            }
            let above = self.paragraphs[statement.heading as usize];
            wanted.share_by_force(std::array::from_fn(|force| own[force] | above[force]))
        });
        shares.fold(0.0, f64::max)
    }
}
