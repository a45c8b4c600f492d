//! A model asked several times about one pair: the repeat that counts, with what each of them said.

use assize_methods::compliance::{AssessAsk, Context, Rubric};
use assize_wire::repeats::Repeat;

use super::findings::Found;
use super::in_memory::judge_by_model;
use super::material::Exhibit;
use crate::asking::{AskSession, Halt, Judge, Unscored};
use crate::runs::decide::SCORE;
use crate::runs::repeats::{FAILED, canonical};

/// What a model says, asked as often as is wanted, with what each repeat said. Each is an exchange
/// of its own, so that none is paid twice.
pub(super) async fn judge_repeatedly(
    (session, judge, attempt): (&AskSession, &Judge, u32),
    repeats: u32,
    ask: &AssessAsk<'_>,
    seen: (&Exhibit, &Context<'_>),
) -> Result<(Result<Found, Unscored>, Vec<Repeat>), Halt> {
    if repeats < 2 {
        let found = judge_by_model((session, judge, attempt), ask, seen).await?;
        return Ok((found, Vec::new()));
    }
    let judge = judge.clone().sampling();
    let mut all = Vec::new();
    for repeat in 0..repeats {
        let asked = (session, &judge, attempt.saturating_add(repeat));
        all.push(judge_by_model(asked, ask, seen).await?);
    }
    Ok(settled(all, ask.rubric))
}

/// The repeat that counts, with the exchanges of all of them; of an undecided pair why none does.
fn settled(
    mut all: Vec<Result<Found, Unscored>>,
    rubric: &Rubric,
) -> (Result<Found, Unscored>, Vec<Repeat>) {
    let mut said: Vec<Repeat> = all.iter().map(|one| repeat(one, rubric)).collect();
    let outcomes: Vec<(&str, Option<f64>)> = said
        .iter()
        .map(|one| (one.outcome.as_str(), one.scores.values().copied().flatten().next()))
        .collect();
    let chosen = canonical(&outcomes);
    let keys = all.iter().flat_map(|one| match one {
        Ok(found) => found.exchanges.clone(),
        Err(unscored) => unscored.exchanges.iter().map(ToString::to_string).collect(),
    });
    let exchanges: Vec<String> = keys.collect();
    let all_keys = || exchanges.iter().filter_map(|key| key.parse().ok()).collect();
    let found = match chosen {
        Ok(index) => {
            said[index].counts = true;
            match all.swap_remove(index) {
                Ok(found) => Ok(Found { exchanges, ..found }),
                Err(unscored) => Err(Unscored { exchanges: all_keys(), ..unscored }),
            }
        }
        Err(because) => Err(Unscored { because, exchanges: all_keys(), ..Unscored::default() }),
    };
    (found, said)
}

/// What one repeat says. Its verdict is the label, or the outcome where there is no score.
fn repeat(said: &Result<Found, Unscored>, rubric: &Rubric) -> Repeat {
    match said {
        Ok(found) => {
            let (outcome, score, reason) = found.outcome();
            let label = score.map(|score| rubric.status(score).label);
            Repeat {
                outcome: outcome.to_string(),
                verdict: label.unwrap_or_else(|| outcome.to_string()),
                scores: [(SCORE.to_owned(), score)].into(),
                quotes: found.citations.iter().map(|one| one.quote.clone()).collect(),
                reason: reason.map(str::to_owned),
                counts: false,
            }
        }
        Err(unscored) => Repeat {
            outcome: FAILED.to_owned(),
            verdict: FAILED.to_owned(),
            reason: Some(unscored.because.clone()),
            ..Repeat::default()
        },
    }
}
