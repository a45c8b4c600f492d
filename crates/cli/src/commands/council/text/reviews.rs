//! Every reviewer's score of every answer.

use std::fmt::Write;

use assize_methods::council::CouncilVerdict;
use assize_methods::council::verdict::{Cell, ReviewerVerdict};
use assize_page::council::words::{score, signed};

use crate::output::table::{numbers, table as aligned, words};
use crate::output::terminal::{one_line, quiet, strong};

const NAME_CHARACTERS_MAX: usize = 24;
const REASON_CHARACTERS_MAX: usize = 160;

/// Reviewers down, answers across in the order of the ranking.
pub(super) fn table(verdict: &CouncilVerdict) -> String {
    if verdict.reviewers.is_empty() {
        return String::new();
    }
    let unranked = (0..verdict.answers.len()).filter(|index| !verdict.ranking.contains(index));
    let order: Vec<usize> = verdict.ranking.iter().copied().chain(unranked).collect();
    let mut headings = vec![words("reviewer")];
    for index in &order {
        headings.push(numbers(one_line(&verdict.answers[*index].model, NAME_CHARACTERS_MAX)));
    }
    headings.extend([numbers("leniency"), words("saw them as")]);
    let rows = verdict.reviewers.iter().zip(&verdict.table);
    let rows = rows.map(|(reviewer, cells)| row(verdict, reviewer, cells, &order));
    let mut text = format!("\n{}\n", strong("Scores by reviewer"));
    text.push_str(&aligned(&headings, rows.collect()));
    text.push_str(&legend(verdict));
    for reviewer in &verdict.reviewers {
        text.push_str(&remarks(reviewer));
    }
    text
}

fn row(
    verdict: &CouncilVerdict,
    reviewer: &ReviewerVerdict,
    cells: &[Option<Cell>],
    order: &[usize],
) -> Vec<String> {
    let mut row = vec![one_line(&reviewer.model, NAME_CHARACTERS_MAX)];
    for index in order {
        row.push(cells.get(*index).and_then(Option::as_ref).map_or("–".to_owned(), shown));
    }
    row.push(reviewer.leniency.map_or("–".to_owned(), signed));
    let names = reviewer.order.iter().filter_map(|index| verdict.answers.get(*index));
    let names: Vec<String> = names.map(|answer| one_line(&answer.model, 12)).collect();
    row.push(names.join(" "));
    row
}

/// The score, with a mark for everything unusual about it.
fn shown(cell: &Cell) -> String {
    let Some(overall) = &cell.overall else { return "–".to_owned() };
    let mut text = score(overall.value);
    let is_lowered = cell.base.is_some_and(|base| score(base) != score(overall.value));
    if is_lowered {
        text.push('↓');
    }
    if cell.own {
        text.push('°');
    } else if cell.not_counted.is_some() {
        text.push('×');
    }
    text
}

fn legend(verdict: &CouncilVerdict) -> String {
    let cells: Vec<&Cell> = verdict.table.iter().flatten().flatten().collect();
    let any = |mark: char| cells.iter().any(|cell| shown(cell).contains(mark));
    let own = if verdict.own_reviews_counted { "own answer" } else { "own answer, not counted" };
    let signs = [('↓', "limited by the accuracy ceiling"), ('°', own), ('×', "not counted")];
    let signs: Vec<String> = signs
        .iter()
        .filter(|(mark, _)| any(*mark))
        .map(|(mark, meaning)| format!("{mark} {meaning}"))
        .collect();
    if signs.is_empty() { String::new() } else { format!("{}\n", quiet(&signs.join("   "))) }
}

/// What is unusual about a reviewer.
fn remarks(reviewer: &ReviewerVerdict) -> String {
    let mut said = Vec::new();
    if let Some(trust) = reviewer.trust {
        said.push(format!("trust {trust:.2}"));
    }
    if let Some((_, because)) = &reviewer.abstained {
        said.push(format!("abstains: {}", one_line(because, REASON_CHARACTERS_MAX)));
    }
    if let Some(rate) = reviewer.fallback_rate.filter(|rate| *rate > 0.0) {
        said.push(format!("only an overall score in {:.0} % of its reviews", rate * 100.0));
    }
    if let (Some(rate), Some(by)) = (reviewer.miscalculation_rate, reviewer.miscalculated_by)
        && rate > 0.0
    {
        said.push(format!(
            "its stated totals are wrong in {:.0} %, by {by:.2} on average",
            rate * 100.0
        ));
    }
    if let Some(tau) = reviewer.stated_ranking_tau.filter(|tau| *tau < 1.0) {
        said.push(format!("its stated ranking agrees with its marks at tau {tau:.2}"));
    }
    if reviewer.truncated {
        said.push("its reply is incomplete".to_owned());
    }
    let mut text = String::new();
    if !said.is_empty() {
        let name = one_line(&reviewer.model, NAME_CHARACTERS_MAX);
        let _ = writeln!(text, "  {name}: {}", said.join("; "));
    }
    text
}
