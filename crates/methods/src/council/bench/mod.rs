//! A council measured on many questions with people's preferences.
//!
//! Everything starts from [`Comparison`]s: two answers, what people prefer, what reviewers said.
//! Reviewers, their majority, the council and a council with learned weights are all held against
//! people in the same way, and against each other on the same comparisons.

mod agreed;
mod agreement;
mod board;
mod comparison;
mod council;
mod learned;
mod own;

use std::collections::{BTreeMap, BTreeSet};

use assize_stats::classification::{brier_score, reliability};
use assize_stats::correction::{Correction, adjust};
use serde::Serialize;

pub use self::agreed::Agreed;
pub use self::agreement::{Agreement, Difference, Drawing};
use self::agreement::{Choices, difference, measure};
pub use self::board::{Board, Standing};
pub use self::comparison::{Candidate, Choice, Comparison, Half, Opinion};
use self::council::{CouncilChoice, decided};
pub use self::learned::Learned;
use self::learned::weighted_choice;
pub use self::own::Preference;
use self::own::{Side, preferences};
use super::settings::Settings;

/// Bins of confidence.
const BINS: usize = 5;

/// The names under which councils stand beside their reviewers.
pub const COUNCIL: &str = "council";
/// More reviewers for than against.
pub(crate) const MAJORITY: &str = "majority";
/// The council with weights learned on the other half.
pub(crate) const LEARNED: &str = "learned council";
/// The council with weights from how reviewers agreed on the other half.
pub(crate) const AGREED: &str = "agreement council";

/// A council measured.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Bench {
    /// How many comparisons, and how many questions.
    pub comparisons: usize,
    /// Different questions.
    pub questions: usize,
    /// Comparisons about which people decided.
    pub judged: usize,
    /// Everyone on everything.
    pub all: Part,
    /// Everyone on the half on which nothing was learned; `None` if nothing could be learned.
    pub held_out: Option<HeldOut>,
    /// What agreement alone tells of each reviewer, on the half on which weights are learned, or on
    /// everything where people were not asked.
    pub agreed: Option<Agreed>,
    /// How often each reviewer's preference changes with the order of the answers.
    pub flips: Vec<Flips>,
    /// Choices and marks of the same reviewer side by side, where both are recorded.
    pub pairwise_and_pointwise: Vec<Forms>,
    /// Systems by what the council prefers.
    pub by_council: Option<Board>,
    /// Systems by what people prefer.
    pub by_people: Option<Board>,
    /// What reviewers add to answers of their own model.
    pub own_model: Vec<Preference>,
    /// What reviewers add to answers of their vendor's family.
    pub own_family: Vec<Preference>,
    /// Whether "the same winner in so many draws" is a confidence one can rely on.
    pub calibration: Option<Calibration>,
}

/// Everyone on the same comparisons.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Part {
    /// Reviewers by agreement, then majority and council.
    pub rows: Vec<Row>,
    /// The reviewer with the highest agreement.
    pub best_reviewer: Option<String>,
    /// The council less its best reviewer.
    pub against_best: Option<Difference>,
}

/// Somebody's agreement with people.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// Who.
    pub name: String,
    /// Whether it is one reviewer and not several.
    pub is_reviewer: bool,
    /// How near to people.
    #[serde(flatten)]
    pub agreement: Agreement,
    /// The council less this one; `None` for the council itself.
    pub council_less_this: Option<Difference>,
}

/// The half on which nothing was learned.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HeldOut {
    /// What was learned on the other half.
    pub learned: Learned,
    /// Everyone on this half, the council with learned weights included.
    pub part: Part,
    /// The council with learned weights less the best single reviewer of this half.
    pub against_best: Option<Difference>,
    /// The same against the reviewer who was best where weights were learned.
    pub against_chosen: Option<Difference>,
    /// Who that is.
    pub chosen: Option<String>,
}

/// How often a preference follows the order.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Flips {
    /// The reviewer, or the council.
    pub reviewer: String,
    /// Comparisons asked in both orders.
    pub count: usize,
    /// How many of them changed sides or ceased to be a tie.
    pub flipped: usize,
}

/// Two forms of asking.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Forms {
    /// Of whom.
    pub reviewer: String,
    /// Choices against people's.
    pub pairwise: Agreement,
    /// Marks against people's.
    pub pointwise: Agreement,
}

/// Confidence against being right.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Calibration {
    /// Comparisons that the council decided.
    pub count: usize,
    /// The mean gap between confidence and the share of right decisions.
    pub expected_error: f64,
    /// The mean squared error of the confidence.
    pub brier: f64,
    /// Confidence from, confidence to, how many, the share of right ones.
    pub bins: Vec<(f64, f64, usize, Option<f64>)>,
}

/// Measures reviewers and councils on comparisons.
pub fn bench(comparisons: &[Comparison], settings: &Settings, drawing: Drawing) -> Bench {
    let reviewers: Vec<String> = comparisons
        .iter()
        .flat_map(|comparison| comparison.opinions.keys())
        .collect::<BTreeSet<_>>()
        .into_iter()
        .cloned()
        .collect();
    let decisions: Vec<Option<CouncilChoice>> =
        comparisons.iter().map(|comparison| decided(comparison, settings, drawing.seed)).collect();
    let council: Choices =
        decisions.iter().map(|decided| decided.map(|decided| decided.choice)).collect();
    let people: Choices = comparisons.iter().map(|comparison| comparison.people).collect();
    let learned = Learned::from(comparisons, &reviewers);
    let is_seen = |one: &&Comparison| learned.is_none() || one.half() == Half::Learning;
    let seen: Vec<&Comparison> = comparisons.iter().filter(is_seen).collect();
    let agreed = Agreed::from(&seen, &reviewers);
    let questions: BTreeSet<&str> =
        comparisons.iter().map(|comparison| comparison.question.as_str()).collect();
    Bench {
        comparisons: comparisons.len(),
        questions: questions.len(),
        judged: people.iter().flatten().count(),
        all: part(comparisons, &reviewers, &[(COUNCIL, &council)], drawing),
        held_out: learned.and_then(|learned| {
            held_out(comparisons, &reviewers, &council, (learned, agreed.as_ref()), drawing)
        }),
        agreed,
        flips: reviewers.iter().filter_map(|reviewer| flips(comparisons, reviewer)).collect(),
        pairwise_and_pointwise: reviewers
            .iter()
            .filter_map(|reviewer| forms(comparisons, reviewer, drawing))
            .collect(),
        by_council: board::board(comparisons, &council, drawing),
        by_people: board::board(comparisons, &people, drawing),
        own_model: preferences(comparisons, &reviewers, Side::Model, drawing),
        own_family: preferences(comparisons, &reviewers, Side::Family, drawing),
        calibration: calibration(comparisons, &decisions),
    }
}

/// Reviewers, their majority and councils; the first council is compared with everyone.
fn part(
    comparisons: &[Comparison],
    reviewers: &[String],
    councils: &[(&str, &Choices)],
    drawing: Drawing,
) -> Part {
    let mut rows: Vec<(Row, Choices)> = Vec::new();
    let lead = councils[0].1;
    let mut put = |name: &str, is_reviewer: bool, choices: Choices| {
        let agreement = measure(comparisons, &choices, drawing);
        let council_less_this = (choices != *lead || is_reviewer)
            .then(|| difference(comparisons, lead, &choices, drawing))
            .flatten();
        rows.push((
            Row { name: name.to_owned(), is_reviewer, agreement, council_less_this },
            choices,
        ));
    };
    for reviewer in reviewers {
        put(reviewer, true, comparisons.iter().map(|one| one.preferred(reviewer)).collect());
    }
    put(MAJORITY, false, comparisons.iter().map(majority).collect());
    for (name, choices) in councils {
        put(name, false, (*choices).clone());
    }
    let agreed = |row: &Row| row.agreement.agreement.unwrap_or(f64::NEG_INFINITY);
    rows.sort_by(|(one, _), (other, _)| {
        other.is_reviewer.cmp(&one.is_reviewer).then(if one.is_reviewer {
            agreed(other).total_cmp(&agreed(one)).then(one.name.cmp(&other.name))
        } else {
            std::cmp::Ordering::Equal
        })
    });
    let best = rows.first().filter(|(row, _)| row.is_reviewer);
    let against_best =
        best.and_then(|(_, choices)| difference(comparisons, lead, choices, drawing));
    let best_reviewer = best.map(|(row, _)| row.name.clone());
    let mut rows: Vec<Row> = rows.into_iter().map(|(row, _)| row).collect();
    correct(&mut rows);
    Part { rows, best_reviewer, against_best }
}

/// Holm's correction over all comparisons with the council.
fn correct(rows: &mut [Row]) {
    let p: Vec<f64> = rows.iter().filter_map(|row| row.council_less_this.as_ref()?.p).collect();
    let Ok(corrected) = adjust(Correction::Holm, &p) else { return };
    let tested = rows
        .iter_mut()
        .filter_map(|row| row.council_less_this.as_mut())
        .filter(|difference| difference.p.is_some());
    for (difference, p) in tested.zip(corrected) {
        difference.p_corrected = Some(p);
    }
}

fn majority(comparison: &Comparison) -> Option<Choice> {
    let signs: Vec<f64> = comparison
        .opinions
        .values()
        .filter_map(|opinion| Some(opinion.preferred()?.sign()))
        .collect();
    (!signs.is_empty()).then(|| Choice::by_marks(signs.iter().sum(), 0.0))
}

/// Everyone on the half on which nothing was learned.
fn held_out(
    comparisons: &[Comparison],
    reviewers: &[String],
    council: &Choices,
    (learned, agreed): (Learned, Option<&Agreed>),
    drawing: Drawing,
) -> Option<HeldOut> {
    let of = |half: Half| -> Vec<usize> {
        (0..comparisons.len()).filter(|index| comparisons[*index].half() == half).collect()
    };
    let measuring: Vec<Comparison> =
        of(Half::Measuring).iter().map(|index| comparisons[*index].clone()).collect();
    let learning: Vec<Comparison> =
        of(Half::Learning).iter().map(|index| comparisons[*index].clone()).collect();
    if measuring.iter().all(|comparison| comparison.people.is_none()) {
        return None;
    }
    let plain: Choices = of(Half::Measuring).iter().map(|index| council[*index]).collect();
    let by = |weights: &BTreeMap<String, f64>| -> Choices {
        measuring.iter().map(|comparison| weighted_choice(weights, comparison)).collect()
    };
    let weighted = by(&learned.weights);
    let unasked = agreed.map(|agreed| by(&agreed.weights()));
    let mut councils = vec![(LEARNED, &weighted), (COUNCIL, &plain)];
    councils.extend(unasked.as_ref().map(|choices| (AGREED, choices)));
    let part = part(&measuring, reviewers, &councils, drawing);
    let by_name = |name: &String| -> Choices {
        measuring.iter().map(|comparison| comparison.preferred(name)).collect()
    };
    let chosen = reviewers
        .iter()
        .filter_map(|name| {
            let choices: Choices = learning.iter().map(|one| one.preferred(name)).collect();
            let none = Drawing { resamples: 0, ..drawing };
            Some((measure(&learning, &choices, none).agreement?, name))
        })
        .max_by(|one, other| one.0.total_cmp(&other.0).then(other.1.cmp(one.1)))
        .map(|(_, name)| name.clone());
    let against = |name: Option<&String>| {
        name.and_then(|name| difference(&measuring, &weighted, &by_name(name), drawing))
    };
    Some(HeldOut {
        against_best: against(part.best_reviewer.as_ref()),
        against_chosen: against(chosen.as_ref()),
        chosen,
        learned,
        part,
    })
}

fn flips(comparisons: &[Comparison], reviewer: &str) -> Option<Flips> {
    let both: Vec<(Choice, Choice)> = comparisons
        .iter()
        .filter_map(|comparison| comparison.opinions.get(reviewer))
        .filter_map(|opinion| Some((opinion.straight()?, opinion.turned()?)))
        .collect();
    let flipped = both.iter().filter(|(one, other)| one != other).count();
    (!both.is_empty()).then(|| Flips { reviewer: reviewer.to_owned(), count: both.len(), flipped })
}

fn forms(comparisons: &[Comparison], reviewer: &str, drawing: Drawing) -> Option<Forms> {
    let said = |comparison: &Comparison| comparison.opinions.get(reviewer).copied();
    let chosen: Choices = comparisons.iter().map(|one| said(one)?.choice).collect();
    let marked: Choices = comparisons
        .iter()
        .map(|one| said(one)?.marks.map(|[first, second]| Choice::by_marks(first, second)))
        .collect();
    let any = |choices: &Choices| choices.iter().any(Option::is_some);
    (any(&chosen) && any(&marked)).then(|| Forms {
        reviewer: reviewer.to_owned(),
        pairwise: measure(comparisons, &chosen, drawing),
        pointwise: measure(comparisons, &marked, drawing),
    })
}

/// Where people decided and the council too: how often it is right at each confidence.
fn calibration(
    comparisons: &[Comparison],
    decisions: &[Option<CouncilChoice>],
) -> Option<Calibration> {
    let (confidence, right): (Vec<f64>, Vec<bool>) = comparisons
        .iter()
        .zip(decisions)
        .filter_map(|(comparison, decided)| {
            let (people, decided) = (comparison.people?, (*decided)?);
            let both = people != Choice::Tie && decided.choice != Choice::Tie;
            both.then_some((decided.same_winner?, decided.choice == people))
        })
        .unzip();
    let found = reliability(&confidence, &right, BINS).ok()?;
    Some(Calibration {
        count: right.len(),
        expected_error: found.expected_error,
        brier: brier_score(&confidence, &right).ok()?,
        bins: found.bins.iter().map(|bin| (bin.low, bin.high, bin.count, bin.accuracy)).collect(),
    })
}
