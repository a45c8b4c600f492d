//! Which judge to use, or between which there is no telling.

use serde::Serialize;

use super::{Figure, Judge, Pair, Versus};

/// Which judge to use, with how sure that is.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Recommendation {
    /// In a sentence or two.
    pub words: String,
    /// The best judge, or those that cannot be told apart, best first.
    pub judges: Vec<String>,
    /// Of those the cheapest, by price or else by time; `None` where nothing says.
    pub cheapest: Option<String>,
    /// How many items it rests on: those that every judge scored and somebody rated.
    pub items: usize,
    /// By how much the best judge is ahead of the closest other one; `None` if there is no best.
    pub lead: Option<Lead>,
}

/// How far the best judge is ahead.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Lead {
    /// Of whom.
    pub over: String,
    /// The difference of Spearman's correlations, with its interval.
    pub rho: Figure,
}

/// What the comparison of judges comes to.
pub(super) fn recommendation(judges: &[Judge], versus: &Versus) -> Recommendation {
    let named = versus.groups.first().cloned().unwrap_or_default();
    let lead = match named.as_slice() {
        [best] => lead(best, &versus.pairs),
        _ => None,
    };
    let cheapest = lowest(judges, &named, |judge| judge.dollars)
        .or_else(|| lowest(judges, &named, |judge| judge.seconds));
    let labels = match versus.count {
        1 => "1 rated item".to_owned(),
        count => format!("{count} rated items"),
    };
    let words = match (named.as_slice(), &lead) {
        ([], _) => "There is no judge.".to_owned(),
        ([only], None) => format!("There is one judge, {only}: nothing to choose from."),
        ([best, ..], Some(lead)) => format!(
            "Use {best}: ahead of {}, the closest other judge, by {} rho on {labels}.",
            lead.over,
            with_interval(&lead.rho)
        ),
        (several, None) => {
            let cheapest = cheapest.as_ref().map(|name| format!(", {name},")).unwrap_or_default();
            format!(
                "{} cannot be told apart with {labels}: use the cheapest{cheapest} or rate more \
                 items.",
                several.join(", ")
            )
        }
    };
    let cheapest = cheapest.filter(|_| named.len() > 1);
    Recommendation { words, judges: named, cheapest, items: versus.count, lead }
}

/// The smallest difference between the best judge and another.
fn lead(best: &str, pairs: &[Pair]) -> Option<Lead> {
    let less = |value: Option<f64>| value.map(|value| -value);
    let ahead = |pair: &Pair| {
        let Figure { value, low, high } = pair.difference;
        if pair.first == best {
            Some(Lead { over: pair.second.clone(), rho: pair.difference })
        } else if pair.second == best {
            let rho = Figure { value: less(value), low: less(high), high: less(low) };
            Some(Lead { over: pair.first.clone(), rho })
        } else {
            None
        }
    };
    let value = |lead: &Lead| lead.rho.value.unwrap_or(f64::INFINITY);
    let all = pairs.iter().filter_map(ahead);
    all.min_by(|one, other| value(one).total_cmp(&value(other)))
}

fn lowest(judges: &[Judge], named: &[String], value: fn(&Judge) -> Option<f64>) -> Option<String> {
    let of = |name: &String| {
        let judge = judges.iter().find(|judge| judge.name == *name)?;
        Some((value(judge)?, name.clone()))
    };
    // Only where all of them say: who says nothing may be the cheapest.
    let values: Option<Vec<(f64, String)>> = named.iter().map(of).collect();
    values?.into_iter().min_by(|one, other| one.0.total_cmp(&other.0)).map(|(_, name)| name)
}

fn with_interval(figure: &Figure) -> String {
    let value = figure.value.map_or_else(|| "–".to_owned(), |value| format!("{value:.3}"));
    match (figure.low, figure.high) {
        (Some(low), Some(high)) => format!("{value} [{low:.3}, {high:.3}]"),
        _ => value,
    }
}
