//! How sure the ranking is: the reviewers drawn anew, and the other ways of ranking.

use assize_score::rounding::half_up;
use assize_stats::resample::Generator;
use assize_stats::summary::quantile;

use super::standing::{Rules, Standing, stand};
use super::table::Sheet;
use crate::council::record::CouncilRecord;
use crate::council::settings::Aggregation;
use crate::council::verdict::{Range, Uncertainty};

/// Kemeny's rule goes through all subsets of answers: beyond so many it is drawn less often,
/// and beyond the second number not tried unless it was asked for.
const KEMENY_OFTEN: usize = 8;
const KEMENY_AT_ALL: usize = 12;
const KEMENY_DRAWS: usize = 50;

/// Uncertainty, and for each answer where its score lies in 95 of 100 draws.
pub(super) fn look(
    record: &CouncilRecord,
    sheet: &Sheet,
    rules: &Rules<'_>,
    standing: &Standing,
) -> (Uncertainty, Vec<Option<Range>>) {
    let rows: Vec<usize> = (0..record.reviewers.len()).collect();
    let winners: Vec<(Aggregation, Vec<usize>)> = Aggregation::ALL
        .into_iter()
        .filter(|method| *method != Aggregation::Kemeny || sheet.answers <= KEMENY_AT_ALL)
        .map(|method| (method, stand(sheet, &rows, rules, method)))
        .filter(|(method, standing)| standing.method == *method)
        .map(|(method, standing)| (method, standing.winners()))
        .collect();
    let methods_agree = winners.windows(2).all(|pair| pair[0].1 == pair[1].1);
    let (resamples, same_winner, intervals) = draw(record, sheet, rules, standing);
    (Uncertainty { resamples, same_winner, winners, methods_agree }, intervals)
}

/// Draws as many reviewers as there are, with replacement, again and again.
fn draw(
    record: &CouncilRecord,
    sheet: &Sheet,
    rules: &Rules<'_>,
    standing: &Standing,
) -> (usize, Option<f64>, Vec<Option<Range>>) {
    let mut heard: Vec<usize> = (0..sheet.overall.len())
        .filter(|row| sheet.overall[*row].iter().any(Option::is_some))
        .collect();
    // By name, so that the order of the reviewers does not matter.
    heard.sort_by_key(|row| (&record.reviewers[*row].model, *row));
    let often = standing.method != Aggregation::Kemeny || sheet.answers <= KEMENY_OFTEN;
    let draws = if often { rules.resamples } else { rules.resamples.min(KEMENY_DRAWS) };
    if heard.len() < 2 || draws == 0 {
        return (0, None, vec![None; sheet.answers]);
    }
    let winners = standing.winners();
    let mut same = 0;
    let mut scores: Vec<Vec<f64>> = vec![Vec::with_capacity(draws); sheet.answers];
    for repetition in 0..draws {
        let mut generator = Generator::stream(record.seed, 1 + repetition as u64);
        let rows: Vec<usize> = heard.iter().map(|_| heard[generator.below(heard.len())]).collect();
        let again = stand(sheet, &rows, rules, standing.method);
        same += usize::from(again.winners() == winners);
        for (scores, score) in scores.iter_mut().zip(&again.scores) {
            scores.extend(score);
        }
    }
    let end = |scores: &[f64], share| Some(half_up(quantile(scores, share).ok()?, 4));
    let interval =
        |scores: &Vec<f64>| Some(Range { low: end(scores, 0.025)?, high: end(scores, 0.975)? });
    // That nobody wins again and again says nothing about a winner.
    let same = (!winners.is_empty()).then(|| same as f64 / draws as f64);
    (draws, same, scores.iter().map(interval).collect())
}
