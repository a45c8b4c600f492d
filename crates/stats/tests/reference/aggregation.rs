//! `pref_voting`, and Schulze and Kemeny by brute force.

use assize_stats::{
    aggregation::{Preferences, borda, copeland, kemeny, schulze},
    rank::competition_ranks,
};
use serde_json::Value;

use crate::data::{Checked, DIRECT, check_all, counts, found, near, rows, same};

#[test]
fn rank_aggregation_agrees_with_pref_voting() {
    check_all("rank_aggregation.json", |case| {
        let ballots: Vec<Vec<usize>> = rows(&case["ballots"]).iter().map(counts).collect();
        let votes = found("ballots", Preferences::from_ballots(&ballots))?;
        for (first, row) in square(&case["pairwise"]).iter().enumerate() {
            for (second, expected) in row.iter().enumerate() {
                same("pairwise", &votes.above(first, second), expected)?;
            }
        }
        check_schulze(&votes, case)?;
        // The published Schulze example comes without the other methods.
        if case.get("borda_points").is_some() {
            check_points(&votes, case)?;
            check_kemeny(&votes, case)?;
        }
        Ok(())
    });
}

fn check_points(votes: &Preferences, case: &Value) -> Checked {
    let count = borda(votes);
    for (candidate, points) in count.points.iter().enumerate() {
        let key = candidate.to_string();
        near("borda points", *points, &case["borda_points"][&key], DIRECT)?;
        let share = count.shares[candidate].unwrap_or(f64::NAN);
        near("borda share", share, &case["borda_normalised_mean"][&key], DIRECT)?;
    }
    same("borda winners", &winners(&count.points), &counts(&case["borda_winners"]))?;
    let balance: Vec<f64> = copeland(votes).iter().map(|balance| *balance as f64).collect();
    for (candidate, balance) in balance.iter().enumerate() {
        let expected = &case["copeland_scores"][candidate.to_string()];
        near("copeland score", *balance, expected, DIRECT)?;
    }
    same("copeland winners", &winners(&balance), &counts(&case["copeland_winners"]))
}

fn check_schulze(votes: &Preferences, case: &Value) -> Checked {
    let ranking = schulze(votes);
    same("strength", &ranking.strength, &square(&case["schulze_strength"]))?;
    same("schulze winners", &ranking.winners, &counts(&case["schulze_winners"]))?;
    for (candidate, beaten) in ranking.beaten.iter().enumerate() {
        let expected = case["schulze_wins_count"][candidate.to_string()].as_u64();
        same("schulze wins", &Some(*beaten as u64), &expected)?;
    }
    Ok(())
}

fn check_kemeny(votes: &Preferences, case: &Value) -> Checked {
    let nearest = found("kemeny", kemeny(votes))?;
    same("distance", &Some(nearest.distance), &case["kemeny_distance"].as_u64())?;
    let mut expected: Vec<Vec<usize>> = rows(&case["kemeny_rankings"]).iter().map(counts).collect();
    expected.sort();
    same("rankings", &nearest.rankings, &expected)?;
    let mut winners: Vec<usize> = nearest.rankings.iter().map(|ranking| ranking[0]).collect();
    winners.dedup();
    same("kemeny winners", &winners, &counts(&case["kemeny_winners"]))
}

fn winners(scores: &[f64]) -> Vec<usize> {
    let ranks = competition_ranks(scores);
    (0..scores.len()).filter(|candidate| ranks[*candidate] == 1).collect()
}

fn square(value: &Value) -> Vec<Vec<u64>> {
    let row = |row: &Value| counts(row).into_iter().map(|count| count as u64).collect();
    rows(value).iter().map(row).collect()
}
