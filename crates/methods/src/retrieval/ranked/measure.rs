//! A measure as somebody asked for it: a family of the table, and its settings.

use assize_score::Explained;

use super::{Family, Gain, JudgedRanking};

/// What a measure was asked to do.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Settings {
    /// How many ranks count; `None` for all of them. Never 0.
    pub cutoff: Option<usize>,
    /// The numbers of the family: a share of recall, a persistence, four prices.
    pub numbers: Vec<f64>,
    /// What a level is worth.
    pub gain: Gain,
    /// The lowest level that counts as relevant, where the measure states its own.
    pub relevant_from: Option<i32>,
}

impl Settings {
    /// The one number of a family that has one.
    pub fn number(&self) -> f64 {
        self.numbers.first().copied().unwrap_or_default()
    }
}

/// A measure, ready to be applied: `ndcg@10`, `rbp(p=0.8)`.
///
/// Made by parsing its notation, which checks the settings.
#[derive(Debug, Clone, PartialEq)]
pub struct Measure {
    family: &'static Family,
    settings: Settings,
}

impl Measure {
    pub(super) fn new(family: &'static Family, settings: Settings) -> Self {
        Self { family, settings }
    }

    /// Which row of the table it is.
    pub fn family(&self) -> &'static Family {
        self.family
    }

    /// What it was asked to do.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The measure of one ranking.
    pub fn value(&self, ranking: &JudgedRanking<'_>) -> f64 {
        (self.family.value)(&self.seen(ranking), &self.settings)
    }

    /// The measure of one ranking, and how it was computed: the same formula.
    pub fn explain(&self, ranking: &JudgedRanking<'_>) -> Explained {
        let mut explained = (self.family.explain)(&self.seen(ranking), &self.settings);
        explained.name = self.to_string().into();
        explained
    }

    fn seen<'a>(&self, ranking: &JudgedRanking<'a>) -> JudgedRanking<'a> {
        match self.settings.relevant_from {
            Some(level) => ranking.relevant_from(level),
            None => *ranking,
        }
    }
}
