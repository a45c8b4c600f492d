//! Strengths by a chain that moves from losers to winners.

use crate::error::StatsError;

/// Rounds after which a fit that still moves is given up.
const ROUNDS_MAX: usize = 10_000;

/// A fit has settled when no logarithm of a strength moves further than this.
const SETTLED: f64 = 1e-12;

/// A square table of flows; `flow[loser][winner]`.
pub(super) type Flow = Vec<Vec<f64>>;

/// Log-strengths, zero on average, that the flows leave unchanged.
///
/// `add_flows` gets the strengths of the last round and adds what flows from each loser
/// to each winner. `alpha` flows between any two on top of it.
///
/// Reference: Maystre & Grossglauser (2015), NIPS: iterative Luce spectral ranking.
pub(super) fn log_strengths(
    items: usize,
    alpha: f64,
    add_flows: impl Fn(&[f64], &mut Flow),
) -> Result<Vec<f64>, StatsError> {
    if alpha.is_nan() || alpha.is_infinite() || alpha < 0.0 {
        return Err(StatsError::Invalid("the regularisation must be a number from 0 up"));
    }
    let mut logs = vec![0.0; items];
    for _ in 0..ROUNDS_MAX {
        // One on average: the size of the strengths decides how much alpha weighs.
        let raw: Vec<f64> = logs.iter().map(|log| libm::exp(*log)).collect();
        let mean = raw.iter().sum::<f64>() / items as f64;
        let strengths: Vec<f64> = raw.iter().map(|strength| strength / mean).collect();
        let mut flow = vec![vec![alpha; items]; items];
        add_flows(&strengths, &mut flow);
        if !connected(&flow) {
            return Err(StatsError::Disconnected);
        }
        let next: Vec<f64> = stationary(flow).iter().map(|share| libm::log(*share)).collect();
        let centre = next.iter().sum::<f64>() / items as f64;
        let next: Vec<f64> = next.iter().map(|log| log - centre).collect();
        let moved = next.iter().zip(&logs).map(|(new, old)| (new - old).abs());
        let moved = moved.fold(0.0, f64::max);
        if !next.iter().all(|log| log.is_finite()) {
            return Err(StatsError::Disconnected);
        }
        logs = next;
        if moved < SETTLED {
            return Ok(logs);
        }
    }
    Err(StatsError::NotSettled { rounds: ROUNDS_MAX })
}

/// Whether every item can be reached from every other one along the flows.
fn connected(flow: &Flow) -> bool {
    let reach = |forward: bool| {
        let mut seen = vec![false; flow.len()];
        let mut waiting = vec![0];
        while let Some(item) = waiting.pop() {
            if std::mem::replace(&mut seen[item], true) {
                continue;
            }
            let flows = |other: usize| if forward { flow[item][other] } else { flow[other][item] };
            waiting.extend((0..flow.len()).filter(|other| flows(*other) > 0.0 && !seen[*other]));
        }
        seen.into_iter().all(|seen| seen)
    };
    reach(true) && reach(false)
}

/// Where a walk along the flows spends its time, in shares of the first item's.
///
/// Takes states out one by one and adds only, so no digit is lost.
///
/// Reference: Grassmann, Taksar & Heyman (1985), Operations Research 33(5).
fn stationary(mut flow: Flow) -> Vec<f64> {
    let items = flow.len();
    let mut outflow = vec![1.0; items];
    for last in (1..items).rev() {
        let leaving = flow[last].clone();
        outflow[last] = leaving[..last].iter().sum();
        for row in &mut flow[..last] {
            let share = row[last] / outflow[last];
            for (entry, onward) in row.iter_mut().zip(&leaving[..last]) {
                *entry += share * onward;
            }
        }
    }
    let mut shares = vec![1.0; items];
    for item in 1..items {
        let inflow: f64 = (0..item).map(|from| shares[from] * flow[from][item]).sum();
        shares[item] = inflow / outflow[item];
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Flows 1 → 0 twice as strong as 0 → 1: item 0 holds two thirds.
    #[test]
    fn the_walk_stays_where_it_flows_to() {
        let shares = stationary(vec![vec![0.0, 1.0], vec![2.0, 0.0]]);
        assert_eq!(shares, [1.0, 0.5]);
    }

    #[test]
    fn one_way_flows_do_not_connect() {
        assert!(!connected(&vec![vec![0.0, 1.0], vec![0.0, 0.0]]));
        assert!(connected(&vec![vec![0.0, 1.0], vec![1.0, 0.0]]));
    }
}
