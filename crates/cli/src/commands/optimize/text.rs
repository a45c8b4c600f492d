//! A search for people: candidates side by side, and what was decided.

use std::fmt::Write;

use assize_engine::compliance::optimize::SearchPlan;
use assize_engine::compliance::optimize::proceed::Proceeded;
use assize_engine::store::OptRun;
use assize_methods::compliance::optimize::Comparison;

use crate::output::table::{columns, table};
use crate::output::terminal::{one_line, strong};

/// The part of a search's id that people write.
pub(super) fn short(run: &OptRun) -> &str {
    run.id.as_str().rsplit('-').next().unwrap_or_default()
}

/// Everything that fits a screen.
pub(super) fn shown(ended: &Proceeded) -> String {
    let search = &ended.search;
    let mut text = strong(&format!("Search {}, {}", short(&search.run), search.run.state));
    text.push('\n');
    if let Ok(plan) = SearchPlan::of(&search.run) {
        let (tune, hold_out) = (plan.split.tune.len(), plan.split.hold_out.len());
        let _ = writeln!(text, "{tune} keys for tuning, {hold_out} held out");
    }
    let in_use = search.names.first().map(String::as_str).unwrap_or_default();
    let _ = writeln!(text, "current: {}\n", one_line(in_use, 60));
    let Some(decision) = &ended.decision else {
        for name in search.names.iter().skip(1) {
            let _ = writeln!(text, "candidate: {}", one_line(name, 60));
        }
        return text;
    };
    let rows = decision.tune.iter().map(|one| row("tuned on", one));
    let rows = rows.chain(decision.hold_out.iter().map(|one| row("held out", one)));
    let headings = columns("keys | candidate | #accuracy | #gain | #p | #keys | #unscored");
    text.push_str(&table(&headings, rows.collect()));
    let _ = writeln!(text, "\n{}", decision.because);
    let _ = match &decision.promoted {
        Some(name) if search.candidates.iter().any(|one| one.is_promoted) => {
            writeln!(text, "promoted: {}", one_line(name, 60))
        }
        Some(name) => writeln!(text, "would be promoted: {}", one_line(name, 60)),
        None => writeln!(text, "the current settings stay in use"),
    };
    text
}

fn row(keys: &str, one: &Comparison) -> Vec<String> {
    let number = |value: Option<f64>| value.map_or("–".to_owned(), |value| format!("{value:.3}"));
    vec![
        keys.to_owned(),
        one_line(&one.name, 30),
        number(one.mean),
        one.difference.map_or("–".to_owned(), |gain| format!("{gain:+.3}")),
        number(one.p),
        one.count.to_string(),
        one.unscored.to_string(),
    ]
}
