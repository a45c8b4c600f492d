//! A compliance run: figures, distribution, what needs a person, and criteria by documents.

use assize_wire::number::counted;
use assize_wire::workplace::{
    Evaluation, Lines, Matrix, MatrixCell, MatrixRow, RunRow, SetAtAGlance,
};
use maud::{Markup, html};

use super::address::address;
use super::lines::{self, LinesQuery, Reader};
use super::parts::{
    crumbs, empty, figure, grouped, head, outcome, plain, score, sentence, state, stats,
};
use super::run::{acts, progress};
use super::runs::{rows, run_title};
use super::{approval, assign};
use crate::bars::{badge, bar, tone};

/// All compliance runs.
pub fn list(runs: &[RunRow], can_write: bool) -> Markup {
    let act = html! { @if can_write { a class="button main" href="/runs/new?instrument=compliance" { "New evaluation" } } };
    html! {
        (head("Compliance", &html! { "Documents scored against criteria from 0 to 100, with a label and quotes that are checked against the text." }, &act))
        section class="box" {
            header { h2 { "Evaluations" } a href="/admin/org/eval/criteria-sets" { "Criteria sets" } }
            @if runs.is_empty() { (empty("No evaluations yet", "Upload a list of criteria and some documents, or try the sample on the home page.", &act)) }
            @else { (rows(runs, false)) }
        }
    }
}

/// One run: its lines, or its matrix.
pub fn content(found: &Evaluation, shown: &Markup, is_matrix: bool, can_write: bool) -> Markup {
    let run = &found.run;
    let path = format!("/eval/{}", run.number);
    let sub = html! {
        "#" (run.number) " · " (counted(found.documents.len(), "document", "documents")) " × " (criteria(found.criteria)) " from "
        a href={ "/admin/org/eval/criteria-sets/" (found.criteria_set) } { bdi { (plain(&found.criteria_name)) } }
        " · judge " (plain(run.judge.as_deref().unwrap_or("unknown"))) @if let Some(template) = &found.template { " · prompt " (plain(template)) }
        " · " (run.created_at.format("%-d %B %Y, %H:%M UTC")) " by " (plain(&run.who)) " " (state(&run.state)) (approval::mark(run))
    };
    html! {
        (crumbs(&[("Compliance", "/eval".to_owned())], &run_title(run)))
        (head(&run_title(run), &sub, &html! { a class="button" href={ "/review?run=" (run.number) } { "Review" } a class="button" href={ "/accuracy?run=" (run.number) } { "Accuracy" } @if can_write { a class="button" href=(again(found)) { "Run again…" } } (acts(run, can_write)) }))
        div class="stack" {
            (progress(run.number, &run.state, run.done, run.items, found.seconds_left))
            @if let Some(failure) = &run.failure { div class="notice bad" { p { (sentence(failure)) } } }
            @if run.version > 1 { div class="notice" { p { "Label version " (run.version) ". The labels follow a different rubric than the one this run was judged with; the judge’s scores are unchanged." } } }
            (document_findings(found))
            (set_verdict(found))
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

/// Where the same documents are judged again by the same judge, against the criteria and the rubric of today.
fn again(found: &Evaluation) -> String {
    let judge = found.run.judge.as_deref().unwrap_or_default();
    let sets = [("criteria", &*found.criteria_name), ("documents", &*found.document_set)];
    address("/runs/new", &[sets[0], sets[1], ("judge", judge)])
}

/// What readers must know about the documents, whoever judged them.
fn document_findings(found: &Evaluation) -> Markup {
    html! {
        @if !found.findings.is_empty() {
            section class="notice warn" id="document-findings" aria-label="Findings on documents" {
                p { b { (counted(found.findings.len(), "finding", "findings")) " on documents" } ": hidden text is not judged; text that speaks to the judge is." }
                ul { @for one in &found.findings { li { b { bdi { (plain(&one.document)) } } ": " bdi { (plain(&one.message)) } } } }
            }
        }
    }
}

/// The lines of a run.
pub fn lines(found: &Evaluation, lines: &Lines, query: &LinesQuery, can_write: bool) -> Markup {
    let (path, who) = (format!("/eval/{}", found.run.number), found.who.as_str());
    lines::table(lines, &found.counts, &path, query, Reader { who, can_write })
}

/// What holds for the documents taken together, before any mean over pairs.
fn set_verdict(found: &Evaluation) -> Markup {
    let set = &found.set;
    let contradicted = set.contradicted;
    html! {
        section class="box" id="set-verdict" {
            header { h2 { "Verdict for the set" } span class="sub" { "the best document counts for each criterion, unless another denies it" } }
            div class="in" {
                div class="row between" {
                    div class="score-big" { b { (set.score.map_or("–".to_owned(), score)) } @if set.score.is_some() { span { "of 100" } } }
                    p class="verdict-words" { b { (met(set)) } @if contradicted > 0 { " · " b class="bad" { (grouped(contradicted)) " contradicted" } } }
                }
                p class="sub" { "A criterion is met at " (plain(&set.met_from)) " or better. " @if contradicted > 0 { "If one document denies what another states, the criterion is not met and scores 60 or less. " } "The number is the weighted mean over the criteria. It has no tier of its own, because a high mean can hide open criteria." }
            }
        }
    }
}

/// `8 of 10 criteria met, 2 open`.
fn met(set: &SetAtAGlance) -> String {
    let counts = [(set.open, "open"), (set.without_score, "without a score")];
    let rest = counts.iter().filter(|(count, _)| *count > 0);
    let rest: Vec<String> =
        rest.map(|(count, words)| format!(", {} {words}", grouped(*count))).collect();
    format!("{} of {} met{}", grouped(set.met), criteria(set.criteria), rest.concat())
}

fn criteria(count: u64) -> String {
    format!("{} {}", grouped(count), if count == 1 { "criterion" } else { "criteria" })
}

fn figures(found: &Evaluation) -> Markup {
    let (quotes, all) = found.citations;
    let share = if all > 0 {
        format!("{:.1} %", quotes as f64 / all as f64 * 100.0)
    } else {
        "–".to_owned()
    };
    stats(&[
        ("Mean over all results".to_owned(), figure(&found.run.instrument, &found.mean)),
        (
            "Scored".to_owned(),
            html! { (grouped(found.mean.scored)) " " small { "of " (grouped(found.run.items.unsigned_abs())) } },
        ),
        ("No score".to_owned(), html! { (grouped(found.counts.unscored)) }),
        (
            "Citations found".to_owned(),
            html! { (share) " " small { (grouped(quotes)) " of " (grouped(all)) } },
        ),
        ("Decided by a person".to_owned(), html! { (grouped(found.counts.decided)) }),
    ])
}

fn tiers(found: &Evaluation, path: &str) -> Markup {
    let most = found.tiers.iter().map(|tier| tier.results).max().unwrap_or(0).max(1);
    html! {
        section class="box" {
            header { h2 { "Score distribution" } a class="sub" href={ "/admin/org/eval/criteria-sets/" (found.criteria_set) "/rubric" } { "Rubric" } }
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
    let run = &found.run;
    let pending = run.items.saturating_sub(run.done).unsigned_abs();
    let is_listed = !found.attention.is_empty() || !found.set.contradictions.is_empty();
    html! {
        section class="box" {
            header { h2 { "Needs attention" } }
            div class="in" {
                @if run.failure.is_some() { p { "The run failed; see the message above." } }
                @if pending > 0 { p { (grouped(pending)) (if pending == 1 { " result is" } else { " results are" }) " still pending." } }
                @else if !is_listed && run.failure.is_none() { p class="sub" { "Nothing needs attention. Every result has a score and every quote was found." } }
                @if is_listed { ul class="attention" {
                    @for one in &found.set.contradictions {
                        li { a href={ (path) "/results/" (one.number) } { bdi { (plain(&one.criteria_id)) } " is contradicted by " bdi { (plain(&one.document)) } } span class="sub" { "another document in the set supports it, so the set scores 60 or less" } }
                    }
                    @for one in &found.attention {
                        li { a href=(address(path, &[("show", one.filter)])) { (one.what) } span class="sub" { (one.why) } }
                    }
                } }
            }
        }
    }
}

/// Criteria by documents, with what holds for the set of documents.
pub fn matrix(found: &Evaluation, matrix: &Matrix, can_write: bool) -> Markup {
    let path = format!("/eval/{}", found.run.number);
    let with_assigned = matrix.rows.iter().any(|row| row.assignee.is_some());
    html! {
        section class="box" {
            header {
                h2 { "Criteria by documents" }
                p class="sub" { "For the set, each criterion takes the result of its best document, or 60 or less if another document denies it. " b { (met(&found.set)) } "." }
            }
            @if matrix.categories.len() > 1 { div class="in" { table class="hist" { tbody { @for (name, mean, count) in &matrix.categories {
                tr { th scope="row" dir="auto" { (plain(name)) } td { (bar(mean / 100.0, "accent")) } td class="n" { (score(*mean)) } td class="sub" { (criteria(*count)) } }
            } } } } }
            div class="scroll tall-page" tabindex="0" { table class="list matrix stack-phone" {
                thead { tr { th scope="col" { "Criterion" } th scope="col" { "Set" } @if with_assigned { th scope="col" { "Assigned" } } @for document in &matrix.documents { th class="document" scope="col" dir="auto" { (plain(document)) } } } }
                tbody { @for row in &matrix.rows { (matrix_row(row, found, &matrix.documents, (with_assigned, can_write))) } }
            } }
            @if let Some(next) = matrix.next { div class="pager" { span {} a class="button small" rel="next" href={ (path) "/matrix?from=" (next) } { "Next →" } } }
        }
    }
}

fn matrix_row(
    row: &MatrixRow,
    found: &Evaluation,
    documents: &[String],
    (with_assigned, can_write): (bool, bool),
) -> Markup {
    let path = format!("/eval/{}", found.run.number);
    let against = found.set.contradictions.iter().filter(|one| one.criteria_id == row.criteria_id);
    html! {
        tr {
            th scope="row" { (assign::tick(&row.criteria_id, can_write)) bdi { (plain(&row.criteria_id)) } span class="sub" { " " bdi { (plain(&row.requirement)) } } @if row.weight != 1.0 { span class="sub" { " · weight " (row.weight) } } }
            td { @match &row.status { Some(status) => (badge(&status.label, &status.colour)), None => span class="unscored" { "–" } } @for one in against { a class="against bad" href={ (path) "/results/" (one.number) } { "contradicted by " bdi { (plain(&one.document)) } } } }
            @if with_assigned { td class="sub" { (assign::name(row.assignee.as_deref())) } }
            @for (cell, document) in row.cells.iter().zip(documents) { (matrix_cell(cell.as_ref(), &path, document)) }
        }
    }
}

fn matrix_cell(cell: Option<&MatrixCell>, path: &str, document: &str) -> Markup {
    let Some(cell) = cell else {
        return html! { td class="cell" data-name=(plain(document)) { span class="sub" { "not judged yet" } } };
    };
    let class = cell.status.as_ref().map_or("none".to_owned(), |status| tone(&status.colour));
    html! {
        td class="cell" data-name=(plain(document)) { a class=(class) href={ (path) "/results/" (cell.number) } {
            b { (cell.score.map_or("–".to_owned(), score)) }
            span { (cell.status.as_ref().map_or_else(|| outcome(&cell.outcome), |status| status.label.clone())) @if cell.is_decided { " ✓" span class="hidden-text" { "decided by a person" } } }
        } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_open_stands_beside_the_mean() {
        let set = SetAtAGlance { criteria: 10, met: 8, open: 2, ..SetAtAGlance::default() };
        assert_eq!(met(&set), "8 of 10 criteria met, 2 open");
        let one = SetAtAGlance { criteria: 1, without_score: 1, ..SetAtAGlance::default() };
        assert_eq!(met(&one), "0 of 1 criterion met, 1 without a score");
        let all = SetAtAGlance { criteria: 3, met: 3, ..SetAtAGlance::default() };
        assert_eq!(met(&all), "3 of 3 criteria met");
    }
}
