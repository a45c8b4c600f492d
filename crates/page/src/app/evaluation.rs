//! A compliance run: figures, distribution, what needs a person, and criteria by documents.

use assize_wire::workplace::{Evaluation, Lines, Matrix, MatrixCell, MatrixRow, RunRow};
use maud::{Markup, html};

use super::address::address;
use super::lines::{self, LinesQuery, Reader};
use super::parts::{crumbs, empty, figure, grouped, head, outcome, plain, score, state, stats};
use super::run::{acts, progress};
use super::runs::{rows, run_title};
use super::{approval, assign};
use crate::bars::{badge, bar, tone};

/// All compliance runs.
pub fn list(runs: &[RunRow], can_write: bool) -> Markup {
    let act = html! { @if can_write { a class="button main" href="/runs/new?instrument=compliance" { "New evaluation" } } };
    html! {
        (head("Compliance", &html! { "Documents held against criteria: a number from 0 to 100, its label, and quotes that were looked up." }, &act))
        section class="box" {
            header { h2 { "Evaluations" } a href="/admin/org/eval/criteria-sets" { "Criteria sets" } }
            @if runs.is_empty() { (empty("No evaluation yet", "Bring a list of criteria and some documents, or try the sample on the first page.", &act)) }
            @else { (rows(runs, false)) }
        }
    }
}

/// One run: its lines, or its matrix.
pub fn content(found: &Evaluation, shown: &Markup, is_matrix: bool, can_write: bool) -> Markup {
    let run = &found.run;
    let path = format!("/eval/{}", run.number);
    let sub = html! {
        "#" (run.number) " · " (found.documents.len()) " documents × " (grouped(found.criteria)) " criteria of "
        a href={ "/admin/org/eval/criteria-sets/" (found.criteria_set) } { bdi { (plain(&found.criteria_name)) } }
        " · judge " (plain(run.judge.as_deref().unwrap_or("unknown"))) @if let Some(template) = &found.template { " · prompt " (plain(template)) }
        " · " (run.created_at.format("%-d %B %Y, %H:%M UTC")) " by " (plain(&run.who)) " " (state(&run.state)) (approval::mark(run))
    };
    html! {
        (crumbs(&[("Compliance", "/eval".to_owned())], &run_title(run)))
        (head(&run_title(run), &sub, &html! { a class="button" href={ "/review?run=" (run.number) } { "Review" } a class="button" href={ "/accuracy?run=" (run.number) } { "Accuracy" } (acts(run, can_write)) }))
        div class="stack" {
            (progress(run.number, &run.state, run.done, run.items, found.seconds_left))
            @if let Some(failure) = &run.failure { div class="notice bad" { p { (plain(failure)) } } }
            (figures(found))
            div class="grid-2 wide-left" { (tiers(found, &path)) (attention(found, &path)) }
            div class="chips" role="group" aria-label="View" {
                (super::parts::chip("Results", &path, !is_matrix)) (super::parts::chip("Matrix", &format!("{path}/matrix"), is_matrix))
            }
            @if can_write { (assign::form(run.number, is_matrix)) }
            (shown)
            @if can_write { section class="box" { header { h2 { "Assign" } } (assign::to(&found.people)) } }
            (approval::section(run, &found.approvals, found.counts.all.saturating_sub(found.counts.decided), can_write))
        }
    }
}

/// The lines of a run.
pub fn lines(found: &Evaluation, lines: &Lines, query: &LinesQuery, can_write: bool) -> Markup {
    let (path, who) = (format!("/eval/{}", found.run.number), found.who.as_str());
    lines::table(lines, &found.counts, &path, query, Reader { who, can_write })
}

fn figures(found: &Evaluation) -> Markup {
    let (quotes, all) = found.citations;
    let share = if all > 0 {
        format!("{:.1} %", quotes as f64 / all as f64 * 100.0)
    } else {
        "–".to_owned()
    };
    stats(&[
        ("Mean score".to_owned(), figure(&found.mean)),
        (
            "Scored".to_owned(),
            html! { (grouped(found.mean.scored)) " " small { "of " (grouped(found.run.items.unsigned_abs())) } },
        ),
        ("Without a score".to_owned(), html! { (grouped(found.counts.unscored)) }),
        (
            "Citations found".to_owned(),
            html! { (share) " " small { (grouped(quotes)) " of " (grouped(all)) } },
        ),
        ("Decided by people".to_owned(), html! { (grouped(found.counts.decided)) }),
    ])
}

fn tiers(found: &Evaluation, path: &str) -> Markup {
    let most = found.tiers.iter().map(|tier| tier.results).max().unwrap_or(0).max(1);
    html! {
        section class="box" {
            header { h2 { "Where the scores lie" } a class="sub" href={ "/admin/org/eval/criteria-sets/" (found.criteria_set) "/rubric" } { "rubric" } }
            div class="in" { table class="hist" { tbody { @for (place, tier) in found.tiers.iter().enumerate().rev() {
                tr {
                    th scope="row" { a href=(address(path, &[("show", &format!("tier-{}", place + 1))])) title={ (tier.min) " to " (tier.max) } { bdi { (plain(&tier.label)) } } }
                    td { (bar(tier.results as f64 / most as f64, &tone(&tier.colour))) } td class="n" { (grouped(tier.results)) }
                }
            } } } }
        }
    }
}

fn attention(found: &Evaluation, path: &str) -> Markup {
    html! {
        section class="box" {
            header { h2 { "Needs attention" } }
            div class="in" {
                @if found.attention.is_empty() { p class="sub" { "Nothing stands out: every result has a score, every quote was found." } }
                @else { ul class="attention" { @for one in &found.attention {
                    li { a href=(address(path, &[("show", one.filter)])) { (one.what) } span class="sub" { (one.why) } }
                } } }
            }
        }
    }
}

/// Criteria by documents, with what holds for the set of documents.
pub fn matrix(found: &Evaluation, matrix: &Matrix, can_write: bool) -> Markup {
    let path = format!("/eval/{}", found.run.number);
    html! {
        section class="box" {
            header {
                h2 { "Criteria by documents" }
                p class="sub" {
                    "A criterion is met by the set as well as by its best document. "
                    @if let Some((mean, status)) = &matrix.overall { "Overall " b { (score(*mean)) } " " (badge(&status.label, &status.colour)) }
                    @if matrix.without_score > 0 { " " (matrix.without_score) " criteria without any score are left out." }
                }
            }
            @if matrix.categories.len() > 1 { div class="in" { table class="hist" { tbody { @for (name, mean, status, count) in &matrix.categories {
                tr { th scope="row" dir="auto" { (plain(name)) } td { (bar(mean / 100.0, &tone(&status.colour))) } td class="n" { (score(*mean)) } td class="sub" { (count) " criteria" } }
            } } } } }
            div class="scroll tall-page" tabindex="0" { table class="list matrix" {
                thead { tr { th scope="col" { "Criterion" } th scope="col" { "Set" } th scope="col" { "Assigned" } @for document in &matrix.documents { th scope="col" dir="auto" { (plain(document)) } } } }
                tbody { @for row in &matrix.rows { (matrix_row(row, &path, can_write)) } }
            } }
            @if let Some(next) = matrix.next { div class="pager" { span {} a class="button small" rel="next" href={ (path) "/matrix?from=" (next) } { "Next criteria →" } } }
        }
    }
}

fn matrix_row(row: &MatrixRow, path: &str, can_write: bool) -> Markup {
    html! {
        tr {
            th scope="row" { (assign::tick(&row.criteria_id, can_write)) bdi { (plain(&row.criteria_id)) } span class="sub" { " " bdi { (plain(&row.requirement)) } } @if row.weight != 1.0 { span class="sub" { " · weight " (row.weight) } } }
            td { @match &row.verdict { Some(verdict) => (badge(&verdict.status.label, &verdict.status.colour)), None => span class="unscored" { "–" } } }
            td class="sub" { (assign::name(row.assignee.as_deref())) }
            @for cell in &row.cells { (matrix_cell(cell.as_ref(), path)) }
        }
    }
}

fn matrix_cell(cell: Option<&MatrixCell>, path: &str) -> Markup {
    let Some(cell) = cell else {
        return html! { td class="cell" { span class="sub" { "not judged yet" } } };
    };
    let class = cell.status.as_ref().map_or("none".to_owned(), |status| tone(&status.colour));
    html! {
        td class="cell" { a class=(class) href={ (path) "/results/" (cell.number) } {
            b { (cell.score.map_or("–".to_owned(), score)) }
            span { (cell.status.as_ref().map_or_else(|| outcome(&cell.outcome), |status| status.label.clone())) @if cell.is_decided { " ✓" span class="hidden-text" { "decided by a person" } } }
        } }
    }
}
