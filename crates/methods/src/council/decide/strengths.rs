//! Ways to rank that look at who is above whom, or at each reviewer's own scale.

use assize_score::float::descending;
use assize_stats::StatsError;
use assize_stats::aggregation::{
    Preferences, borda, bradley_terry_penalised, copeland, kemeny, plackett_luce, schulze,
};
use assize_stats::standardize::{Marks, candidate_means, z_scores};

use crate::council::settings::Aggregation;

/// Keeps the strength of an answer that never lost finite: without it the best fit is infinite.
/// Small beside one duel, so that the order is that of the duels.
const PENALTY: f64 = 0.1;
const ALPHA: f64 = 0.01;

/// The strength of each answer that anyone marked; higher is better.
pub(super) fn strengths(
    marks: &Marks,
    answers: usize,
    method: Aggregation,
) -> Result<Vec<Option<f64>>, StatsError> {
    let marked: Vec<usize> =
        (0..answers).filter(|answer| marks.iter().any(|row| row[*answer].is_some())).collect();
    let dense: Marks =
        marks.iter().map(|row| marked.iter().map(|answer| row[*answer]).collect()).collect();
    if marked.is_empty() {
        return Ok(vec![None; answers]);
    }
    let found = among(&dense, method)?;
    let mut strengths = vec![None; answers];
    for (answer, strength) in marked.into_iter().zip(found) {
        strengths[answer] = Some(strength);
    }
    Ok(strengths)
}

fn among(marks: &Marks, method: Aggregation) -> Result<Vec<f64>, StatsError> {
    if method == Aggregation::ZScore {
        let means = candidate_means(&z_scores(marks)?)?;
        return Ok(means.iter().map(|mean| mean.map_or(0.0, |mean| mean.mean)).collect());
    }
    let votes = Preferences::from_marks(marks)?;
    Ok(match method {
        Aggregation::Borda => {
            // Of one that nobody compared, nothing is known.
            borda(&votes).shares.iter().map(|share| share.unwrap_or(0.5)).collect()
        }
        Aggregation::Copeland => copeland(&votes).iter().map(|won| *won as f64).collect(),
        Aggregation::Schulze => schulze(&votes).beaten.iter().map(|won| *won as f64).collect(),
        Aggregation::Kemeny => mean_places(&kemeny(&votes)?.rankings, votes.candidates()),
        Aggregation::BradleyTerry => bradley_terry_penalised(&votes.wins(), PENALTY)?,
        _ => plackett_luce(&rankings(marks), votes.candidates(), ALPHA)?,
    })
}

/// Of several rankings that are equally near, the mean place; the best has the highest value.
fn mean_places(rankings: &[Vec<usize>], candidates: usize) -> Vec<f64> {
    let mut total = vec![0.0; candidates];
    for ranking in rankings {
        for (place, candidate) in ranking.iter().enumerate() {
            total[*candidate] -= place as f64;
        }
    }
    total.iter().map(|total| total / rankings.len() as f64).collect()
}

/// Each reviewer's ranking twice: equals stand in one order, then in the other, so that
/// neither gains by it.
fn rankings(marks: &Marks) -> Vec<Vec<usize>> {
    let mut rankings = Vec::with_capacity(2 * marks.len());
    for row in marks {
        let mut ranked: Vec<(f64, usize)> =
            row.iter().enumerate().filter_map(|(index, mark)| Some(((*mark)?, index))).collect();
        if ranked.len() < 2 {
            continue;
        }
        ranked.sort_by(|left, right| descending(left.0, right.0).then(left.1.cmp(&right.1)));
        rankings.push(ranked.iter().map(|(_, index)| *index).collect());
        ranked.sort_by(|left, right| descending(left.0, right.0).then(right.1.cmp(&left.1)));
        rankings.push(ranked.iter().map(|(_, index)| *index).collect());
    }
    rankings
}
