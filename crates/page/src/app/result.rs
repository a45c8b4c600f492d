//! One result: the document with its citations, the score on its scale, and a person's decision.

use assize_methods::compliance::rules::{Decision, PartVerdict, ReadStatement};
use assize_methods::compliance::{Rubric, Tier};
use assize_wire::number::{counted, fixed};
use assize_wire::workplace::{Cited, ResultView, SectionView};
use maud::{Markup, html};

use super::dispute::settle_address;
use super::parts::{crumbs, head, outcome, plain, score, sentence, timeline};
use super::runs::run_title;
use crate::bars::{Band, badge, ruler, tone};
use crate::document::{Mark, flowing};

/// The judge that needs no model.
const RULES: &str = "rules";

/// A decision as somebody typed it, while it is not kept.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Typed {
    /// The score, whatever it says.
    pub score: String,
    /// The outcome; empty if it is scored.
    pub outcome: String,
    /// The words of each section.
    pub sections: Vec<(String, String)>,
    /// Why.
    pub reason: String,
}

impl Typed {
    /// What counts now: where nobody typed anything, this is what the form shows.
    fn settled(found: &ResultView) -> Self {
        let settled = found.settled.clone().unwrap_or_default();
        let shown = |section: &SectionView| {
            let lines = section.person.as_ref().unwrap_or(&section.judge);
            (section.id.clone(), lines.join("\n"))
        };
        Self {
            score: settled.score.map(score).unwrap_or_default(),
            outcome: settled.outcome.unwrap_or_default(),
            sections: found.sections.iter().map(shown).collect(),
            reason: String::new(),
        }
    }

    fn section(&self, id: &str) -> &str {
        self.sections.iter().find(|(known, _)| known == id).map_or("", |(_, words)| words)
    }
}

/// The whole content; `refused` is a decision that was not kept, and why.
pub fn content(found: &ResultView, refused: Option<(&str, &Typed)>, can_write: bool) -> Markup {
    let path = format!("/eval/{}", found.run.number);
    let here = format!("{path}/results/{}", found.number);
    let title = if found.description.is_empty() || found.description == found.requirement {
        found.criteria_id.clone()
    } else {
        format!("{} {}", found.criteria_id, found.description)
    };
    let [before, after] = &found.around;
    let acts = html! {
        @if let Some(one) = before { a class="button" rel="prev" data-key="k" href={ (path) "/results/" (one.number) } { "← " bdi { (plain(&one.name)) } } }
        @if let Some(one) = after { a class="button" rel="next" data-key="j" href={ (path) "/results/" (one.number) } { bdi { (plain(&one.name)) } " →" } }
    };
    html! {
        @if can_write { a class="skip" href="#score" { "Skip to your decision" } }
        (crumbs(&[("Compliance", "/eval".to_owned()), (&run_title(&found.run), path.clone())], &found.criteria_id))
        (head(&title, &html! { bdi { (plain(&found.requirement)) } }, &acts))
        div class="grid-2" {
            (document(found, &here))
            div class="stack" {
                (verdict(found))
                (look(found))
                (words(found))
                (evidence(found))
                @if can_write { (decision(found, &here, refused)) }
                (history(found, &here, can_write))
                (workings(found))
            }
        }
    }
}

/// The document, with every citation that was found marked in it.
fn document(found: &ResultView, here: &str) -> Markup {
    let document = &found.document;
    html! {
        section class="box sticky" {
            header {
                h2 dir="auto" { (plain(&document.name)) }
                span class="sub" { (counted(found.citations.len(), "citation", "citations")) @if document.pages > 0 { " · " (counted(document.pages, "page", "pages")) } " · " a href={ (here) "/original" } { "Download original" } }
            }
            div class="doc" dir="auto" tabindex="0" role="region" aria-label="Document" { (flowing(&document.name, &document.text, &marks(&found.citations))) }
        }
    }
}

/// The marks of citations that were found.
pub fn marks(citations: &[Cited]) -> Vec<Mark> {
    let mark = |(number, cited): (usize, &Cited)| {
        let (start, end) = cited.place?;
        Some(Mark {
            start,
            end,
            class: "cite".to_owned(),
            anchor: format!("cite-{number}"),
            number: number.to_string(),
            leads_to: format!("quote-{number}"),
            title: format!("citation {number}"),
        })
    };
    (1..).zip(citations).filter_map(mark).collect()
}

/// The tiers as bands of a scale.
pub(crate) fn bands(tiers: &[Tier]) -> Vec<Band> {
    let Ok(rubric) = Rubric::new(tiers.to_vec()) else { return Vec::new() };
    let band = |tier: &Tier| Band {
        min: tier.min,
        max: tier.max,
        label: tier.label.clone(),
        colour: rubric.status(f64::from(tier.min)).colour,
    };
    tiers.iter().map(band).collect()
}

fn verdict(found: &ResultView) -> Markup {
    html! {
        section class="box" id="verdict" { div class="in" {
            div class="row between" {
                @match &found.score {
                    Some((value, status)) => {
                        div class={ "score-big " (tone(&status.colour)) } { b { (score(*value)) } span { "of 100" } }
                        (badge(&status.label, &status.colour))
                    }
                    None => { div class="score-big" { b { "–" } span { (outcome(&found.outcome)) } } span class="badge" { (outcome(&found.outcome)) } }
                }
            }
            (ruler(&bands(&found.tiers), found.score.as_ref().map(|(value, _)| *value)))
            @if let Some(reason) = found.reason.as_ref().filter(|_| found.score.is_none()) { p class="sub" { (plain(reason)) } }
            p class="sub" {
                "Judge " b { (plain(&found.judge)) }
                @match &found.ai_score { Some((value, status)) => { ": " (score(*value)) ", " (status.label) } None => ": no score" }
                @if let Some(sure) = found.confidence { " · " a href={ "/accuracy?run=" (found.run.number) "#calibration" } title="How often such a confidence was right, where truth keys tell" { "confidence " (sure) } }
                @if let Some(template) = &found.template { " · prompt " (plain(template)) }
                @if found.settled.is_some() { " · " b { "decided by a person" } }
                @if let Some(truth) = found.truth.score { " · truth key " (score(truth)) }
                " · " a href="#workings" { (lower(&computed(found))) }
            }
            (analysts(found))
        } }
    }
}

/// Where several analysts have a truth key about this, and may have to settle it.
fn analysts(found: &ResultView) -> Markup {
    let truth = &found.truth;
    html! {
        @if truth.said.len() > 1 {
            p class="sub" id="analysts" {
                "Analysts: "
                @for (place, (who, said)) in truth.said.iter().enumerate() { @if place > 0 { ", " } bdi { (plain(who)) } " " b { (score(*said)) } }
                @if truth.is_settled { " · settled" }
                @if let Some((criteria, documents)) = &truth.sets { " · " a href=(settle_address((criteria, documents), &found.criteria_id, &found.document.name)) { @if truth.is_settled { "review" } @else { "settle" } } }
            }
        }
    }
}

fn words(found: &ResultView) -> Markup {
    html! {
        section class="box" {
            header { h2 { "What the judge found" } }
            div class="in" {
                @for section in &found.sections { (one_section(section, found.judge == RULES)) }
                h3 class="field-name" { "Citations" }
                @if found.citations.is_empty() { p class="sub" { "No citations." } }
                @for (number, cited) in (1..).zip(&found.citations) { (quote(number, cited)) }
            }
        }
    }
}

/// Why somebody should look at this before others; not where a person has decided.
fn look(found: &ResultView) -> Markup {
    let of = |decision: Decision| {
        let parts = (1..).zip(&found.parts).filter(move |(_, part)| part.decision == decision);
        parts.map(|(number, part)| format!("part {number}, “{}”", part.text)).collect::<Vec<_>>()
    };
    let reasons: Vec<(&str, Vec<String>)> = [
        ("It cannot be told whether this is stated", Decision::Undecided),
        ("No statement is about this", Decision::Silent),
        ("This is denied", Decision::Denied),
    ]
    .into_iter()
    .map(|(words, decision)| (words, of(decision)))
    .filter(|(_, parts)| !parts.is_empty())
    .collect();
    html! {
        @if found.settled.is_none() && (found.danger.is_some() || !reasons.is_empty()) {
            section class="box" id="look" {
                header { h2 { "Why it needs a look" } }
                div class="in" { ul class="attention" {
                    @if let Some(danger) = found.danger { li { (sentence(danger)) } }
                    @for (words, parts) in &reasons { li { (words) ": " bdi { (plain(&parts.join("; "))) } } }
                } }
            }
        }
    }
}

/// The statements that a reader read for each part, and how it divided its belief.
fn evidence(found: &ResultView) -> Markup {
    html! {
        @if !found.parts.is_empty() {
            section class="box" id="evidence" {
                header { h2 { "Statements about this requirement" } span class="sub" { "How sure the reader is, 0 to 1, that a statement states the part, leaves it open, or denies it" } }
                @for (number, part) in (1..).zip(&found.parts) { (part_evidence(number, part, &found.citations)) }
            }
        }
    }
}

fn part_evidence(number: usize, part: &PartVerdict, citations: &[Cited]) -> Markup {
    let (word, colour) = match part.decision {
        Decision::Stated => ("stated", "green"),
        Decision::InPart => ("stated in part", "yellow"),
        Decision::Denied => ("denied", "red"),
        Decision::Silent => ("silent", "grey"),
        Decision::Undecided => ("undecided", "grey"),
    };
    html! {
        div class="in" { p { b { "Part " (number) } " “" bdi { (plain(&part.text)) } "” " (badge(word, colour)) } }
        @if part.read.is_empty() { p class="in sub" { "No statement is near enough to be read." } }
        @else { div class="scroll" tabindex="0" { table class="list" {
            thead { tr { th scope="col" { "Statement" } th class="n" scope="col" { "States" } th class="n" scope="col" { "Open" } th class="n" scope="col" { "Denies" } } }
            tbody { @for one in &part.read { (statement(one, part, citations)) } }
        } } }
    }
}

/// A statement with what the reader said of it alone; what it stated more surely with its
/// surroundings stands beneath.
fn statement(one: &ReadStatement, part: &PartVerdict, citations: &[Cited]) -> Markup {
    let Some((alone, more)) = one.shares.split_first() else { return html! {} };
    let surer = more.iter().filter(|shares| shares.stated > alone.stated);
    let place =
        (1..).zip(citations).find(|(_, cited)| cited.place.is_some() && cited.quote == one.quote);
    html! {
        tr {
            th scope="row" dir="auto" {
                @match place { Some((number, _)) => a href={ "#cite-" (number) } { "“" (plain(&one.quote)) "”" }, None => { "“" (plain(&one.quote)) "”" } }
                @if part.quote.as_ref() == Some(&one.quote) { " " span class="badge" { "decides" } }
            }
            @for share in [alone.stated, alone.open, alone.denied] { td class="n" { (fixed(share, 2)) } }
        }
        @for shares in surer { tr {
            th scope="row" class="sub" { (shares.setting) }
            @for share in [shares.stated, shares.open, shares.denied] { td class="n sub" { (fixed(share, 2)) } }
        } }
    }
}

/// A section as a heading and its words; the rule judge fills only some.
pub(crate) fn one_section(section: &SectionView, is_by_rules: bool) -> Markup {
    let shown = section.person.as_ref().unwrap_or(&section.judge);
    html! {
        h3 class="field-name" { (heading(&section.id)) @if section.person.is_some() { span class="sub" { " · edited by a person" } } }
        @if shown.is_empty() {
            p class="sub" { @if is_by_rules { "The rule judge writes only the explanation." } @else if section.is_required { span class="bad" { "Missing: this section is required." } } @else { "Not provided." } }
        } @else if section.kind == "list" { ul class="section-text" { @for line in shown { li dir="auto" { (plain(line)) } } } }
        @else { @for line in shown { p class="section-text" dir="auto" { (plain(line)) } } }
    }
}

/// `non_compliance_findings` as a heading.
pub fn heading(id: &str) -> String {
    let mut letters = id.replace('_', " ");
    if let Some(first) = letters.get_mut(0..1) {
        first.make_ascii_uppercase();
    }
    letters
}

/// A quote with where it stands, or that it does not.
pub fn quote(number: usize, cited: &Cited) -> Markup {
    html! {
        div class=(if cited.place.is_some() { "quoted" } else { "quoted missing" }) id={ "quote-" (number) } {
            @if cited.place.is_some() { a href={ "#cite-" (number) } { "“" bdi { (plain(&cited.quote)) } "”" } } @else { "“" bdi { (plain(&cited.quote)) } "”" }
            div class="where" {
                @match (cited.place, cited.matched.as_str()) {
                    (Some(_), matched) => { span class="good" { "✓ found (" (matched) ")" } @if let Some(page) = cited.page { span { "page " (page) } } }
                    (None, "not looked up") => { span { "not looked up" } }
                    (None, _) => { span class="bad" { "✗ not in the document" } span { "not counted as evidence" } }
                }
            }
        }
    }
}

fn decision(found: &ResultView, here: &str, refused: Option<(&str, &Typed)>) -> Markup {
    let settled = Typed::settled(found);
    let typed = refused.map_or(&settled, |(_, typed)| typed);
    let is_edited = typed.sections != settled.sections;
    html! {
        section class="box" id="decision" {
            header { h2 { "Your decision" } span class="sub" { "Saved alongside the judge’s score" } }
            form class="in stack" method="post" action={ (here) "/decide" } data-save {
                @if let Some((problem, _)) = refused { div class="notice bad" role="alert" { p { (sentence(problem)) } } }
                div class="row" {
                    div class="field" { label for="score" { "Score" } input class="num" id="score" name="score" data-decide type="number" min="0" max="100" step="any" value=(typed.score); }
                    fieldset {
                        legend { "Outcome" }
                        div class="chips" { @for (word, words) in [("", "Scored"), ("not_applicable", "Not applicable"), ("needs_information", "Needs information")] {
                            label class="chip" { input type="radio" name="outcome" value=(word) checked[typed.outcome == word]; (words) }
                        } }
                    }
                }
                @if !found.sections.is_empty() { details open[is_edited] { summary class="sub" { "Edit sections" } div class="stack tight" { @for section in &found.sections {
                    div class="field" { label for={ "s-" (section.id) } { (heading(&section.id)) @if section.kind == "list" { " (one per line)" } } textarea id={ "s-" (section.id) } name={ "section." (section.id) } rows="3" { (typed.section(&section.id)) } }
                } } } }
                div class="field" { label for="reason" { "Reason" } textarea id="reason" name="reason" rows="2" required { (typed.reason) } }
                div class="chips" {
                    button class="button main" { "Save decision" }
                    @if found.around[1].is_some() { button class="button" name="next" value="yes" { "Save and next" } }
                    p class="keys" { span { kbd { "Ctrl" } " " kbd { "↵" } " to save and open the next" } }
                }
            }
        }
    }
}

fn history(found: &ResultView, here: &str, can_write: bool) -> Markup {
    html! {
        section class="box" id="history" {
            header {
                h2 { "History" }
                @if found.truth.score.is_some() { span class="badge live" { "Has a truth key" } }
                @if can_write && found.score.is_some() && found.settled.is_some() { form method="post" action={ (here) "/truth" } { button class="button small" { "Save as truth key" } } }
            }
            div class="in" {
                @if found.history.is_empty() { p class="sub" { "No decision yet. The judge’s score is used." } } @else { (timeline(&found.history)) }
                @if can_write && found.settled.is_some() {
                    form class="row" method="post" action={ (here) "/revert" } {
                        div class="field" { label for="why" { "Why revert to the judge’s score?" } input id="why" name="reason" required; }
                        button class="button" { "Revert" }
                    }
                }
            }
        }
    }
}

/// What the ledger explains: the judge's score, which after a decision is another than the one
/// that counts.
fn computed(found: &ResultView) -> String {
    match (&found.settled, &found.ai_score) {
        (Some(_), Some((judge, _))) => format!("How the judge’s {} was computed", score(*judge)),
        (Some(_), None) => "The judge’s result".to_owned(),
        (None, _) => "How this score was computed".to_owned(),
    }
}

/// A heading as part of a sentence.
fn lower(heading: &str) -> String {
    let mut words = heading.to_owned();
    if let Some(first) = words.get_mut(0..1) {
        first.make_ascii_lowercase();
    }
    words
}

fn workings(found: &ResultView) -> Markup {
    html! {
        section class="box" id="workings" {
            header { h2 { (computed(found)) } }
            div class="in ledger-tree" {
                @if found.ledger.is_empty() { p class="sub" { "No calculation was recorded for this result." } }
                @for (depth, words) in &found.ledger { div class={ "step d" (depth.min(&9)) } { (plain(words)) } }
                @if let Some(raw) = &found.raw_answer { details { summary { "The judge’s raw answer" } pre class="prompt" tabindex="0" { (plain(raw)) } } }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use assize_wire::workplace::Settled;

    use super::super::tests::{part, view};
    use super::*;

    #[test]
    fn what_a_reader_read_is_a_table_and_says_why_it_needs_a_look() {
        let mut found = view(None);
        found.parts.push(PartVerdict { read: Vec::new(), ..part(Decision::Silent) });
        let html = content(&found, None, false).into_string();
        let evidence =
            html.split("id=\"evidence\"").nth(1).unwrap().split("</section>").next().unwrap();
        let cells: Vec<&str> = evidence
            .split("<td class=\"n")
            .skip(1)
            .filter_map(|cell| cell.split(['>', '<']).nth(1))
            .collect();
        // The statement alone, then with its heading; its neighbours make it no surer.
        assert_eq!(cells, ["0.25", "0.50", "0.25", "0.75", "0.12", "0.12"]);
        assert!(evidence.contains("undecided") && evidence.contains("with its heading"));
        assert!(!evidence.contains("with its neighbours"));
        assert!(evidence.contains("No statement is near enough to be read."));
        let look = html.split("id=\"look\"").nth(1).unwrap().split("</section>").next().unwrap();
        assert!(look.contains("Near a tier boundary"), "{look}");
        assert!(look.contains("It cannot be told whether this is stated: <bdi>part 1"), "{look}");
        assert!(look.contains("No statement is about this: <bdi>part 2"), "{look}");
        found.settled = Some(Settled { score: Some(1.0), outcome: None });
        assert!(!content(&found, None, false).into_string().contains("id=\"look\""));
    }
}
