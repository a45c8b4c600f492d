//! The queries that every run answers, in one order.

use std::collections::BTreeMap;

use crate::retrieval::scoreboard::{Row, Scoreboard};

/// Keeps the measures that every run has, in the order of the first run.
pub(super) fn on_shared_measures(
    mut runs: Vec<(String, Scoreboard)>,
) -> (Vec<(String, Scoreboard)>, Vec<String>) {
    let in_all = |name: &str| {
        let has = |board: &Scoreboard| board.columns.iter().any(|column| column.name == name);
        runs.iter().all(|(_, board)| has(board))
    };
    let first = runs.first().map(|(_, board)| board.columns.as_slice()).unwrap_or_default();
    let shared: Vec<String> =
        first.iter().map(|column| column.name.clone()).filter(|name| in_all(name)).collect();
    let mut notices = Vec::new();
    for (name, board) in &mut runs {
        let left_out: Vec<&str> = board
            .columns
            .iter()
            .map(|column| column.name.as_str())
            .filter(|column| !shared.iter().any(|name| name == column))
            .collect();
        if !left_out.is_empty() {
            notices
                .push(format!("{name}: skipped {}, which not every run has", left_out.join(", ")));
        }
        board.keep_columns(&shared);
    }
    (runs, notices)
}

/// Keeps the queries that every run has, in the order of the first run.
///
/// A query text that occurs several times is told apart by its occurrence.
pub(super) fn on_shared_queries(
    runs: Vec<(String, Scoreboard)>,
) -> (Vec<(String, Scoreboard)>, Vec<String>) {
    let mut notices = Vec::new();
    let mut seen: BTreeMap<(String, usize), usize> = BTreeMap::new();
    for (_, board) in &runs {
        for key in keys(&board.rows) {
            *seen.entry(key).or_default() += 1;
        }
    }
    let all = runs.len();
    let order: Vec<(String, usize)> = runs
        .first()
        .map(|(_, board)| keys(&board.rows).filter(|key| seen[key] == all).collect())
        .unwrap_or_default();
    let runs = runs.into_iter().map(|(name, mut board)| {
        let left_out = board.rows.len() - order.len();
        if left_out > 0 {
            notices.push(format!("{name}: skipped {left_out} queries that not every run answers"));
        }
        let judged = board.judged.map(|judged| judged.to_string());
        let own = board.notices.drain(..).chain(judged);
        notices.extend(own.map(|notice| format!("{name}: {notice}")));
        let keyed: Vec<_> = keys(&board.rows).collect();
        let mut rows: BTreeMap<(String, usize), Row> = keyed.into_iter().zip(board.rows).collect();
        board.rows = order.iter().filter_map(|key| rows.remove(key)).collect();
        (name, board)
    });
    (runs.collect(), notices)
}

fn keys(rows: &[Row]) -> impl Iterator<Item = (String, usize)> + '_ {
    let mut occurrences: BTreeMap<&str, usize> = BTreeMap::new();
    rows.iter().map(move |row| {
        let occurrence = occurrences.entry(&row.query).or_default();
        *occurrence += 1;
        (row.query.clone(), *occurrence)
    })
}
