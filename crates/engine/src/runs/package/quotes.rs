//! Every quote of a package looked up in the text that it was taken from.

use std::collections::BTreeMap;

use assize_store::Instrument;
use assize_text::quote::Source;
use assize_text::{CodePoints, Span};
use assize_wire::package::PackageFinding;
use serde_json::Value as Json;

use super::decided::{number, text};
use super::rejudge::named;
use super::{Package, file_name};
use crate::compliance::mask::HIDDEN;

/// How many quotes stand where they should.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Counted {
    pub(super) located: usize,
    pub(super) not_found: usize,
}

/// A text with what is needed to look quotes up in it.
struct Text<'a> {
    characters: Vec<char>,
    code_points: CodePoints<'a>,
    source: Source<'a>,
}

impl<'a> Text<'a> {
    fn new(text: &'a str) -> Self {
        let (characters, code_points) = (text.chars().collect(), CodePoints::of(text));
        Self { characters, code_points, source: Source::new(text) }
    }

    /// Whether words stand at a place: word for word, or where they are found when they are looked
    /// up as they were then.
    fn holds(&self, words: &str, (start, end): (usize, usize)) -> bool {
        let Some(there) = self.characters.get(start..end) else { return false };
        // Where names of criteria were hidden from the judge, its quotes hide them too.
        let is_same = |(there, quoted): (char, char)| there == quoted || quoted == HIDDEN;
        let quoted = words.chars().count() == there.len();
        if quoted && there.iter().copied().zip(words.chars()).all(is_same) {
            return true;
        }
        let found = self.source.locate(words).map(|found| self.code_points.span(found.bytes));
        found.is_some_and(|found: Span| (found.start(), found.end()) == (start, end))
    }
}

impl Package {
    /// Looks all quotes up. Those that were noted as found must be there.
    pub(super) fn check_quotes(
        &self,
        instrument: Instrument,
        findings: &mut Vec<PackageFinding>,
    ) -> Counted {
        let mut counted = Counted::default();
        let texts = match instrument {
            Instrument::Summary => self.pairs(),
            Instrument::Compliance => self.documents(),
            Instrument::Retrieval | Instrument::Council => return counted,
        };
        let texts: BTreeMap<(&str, &str), Text<'_>> = texts
            .iter()
            .map(|((of, side), text)| ((of.as_str(), *side), Text::new(text)))
            .collect();
        let documents: BTreeMap<i64, String> = self
            .rows("run_items")
            .iter()
            .map(|row| (number(row, "position"), text(row, "document_id")))
            .collect();
        for row in self.rows("verdicts") {
            let position = number(row, "position");
            let of = match instrument {
                Instrument::Summary => position.to_string(),
                _ => documents.get(&position).cloned().unwrap_or_default(),
            };
            let mut quotes = Vec::new();
            gather(row.get("evidence"), "", &mut quotes);
            gather(row.get("citations"), "citations", &mut quotes);
            for (side, words, place) in quotes {
                let Some(place) = place else {
                    counted.not_found += 1;
                    continue;
                };
                if texts.get(&(of.as_str(), side)).is_some_and(|text| text.holds(words, place)) {
                    counted.located += 1;
                } else {
                    let words = words.chars().take(60).collect::<String>();
                    let item = named(self, position);
                    let problem = format!("{item}: “{words}” does not stand at {place:?}");
                    findings.push(PackageFinding { part: file_name("verdicts"), problem });
                }
            }
        }
        counted
    }

    /// Articles and summaries, by the place of their pair.
    fn pairs(&self) -> Vec<((String, &'static str), String)> {
        let mut texts = Vec::new();
        for row in self.rows("run_items") {
            let of = number(row, "position").to_string();
            for (side, column) in [("in_article", "article"), ("in_summary", "summary")] {
                let text = row.get("material").and_then(|material| material[column].as_str());
                texts.extend(text.map(|text| ((of.clone(), side), text.to_owned())));
            }
        }
        texts
    }

    fn documents(&self) -> Vec<((String, &'static str), String)> {
        let rows = self.rows("eval_documents").iter();
        rows.map(|row| ((text(row, "id"), "citations"), text(row, "content_text"))).collect()
    }
}

/// A quote: which text it is from, its words, and where it stands.
type Quote<'a> = (&'static str, &'a str, Option<(usize, usize)>);

/// The quotes below a value of evidence. `side` is what the value is called.
fn gather<'a>(json: Option<&'a Json>, side: &str, quotes: &mut Vec<Quote<'a>>) {
    match json {
        Some(Json::Array(items)) => items.iter().for_each(|item| gather(Some(item), side, quotes)),
        Some(Json::Object(fields)) => {
            let place = |of: &Json| Some((offset(&of["start"])?, offset(&of["end"])?));
            if let ("in_article" | "in_summary", Some(words)) = (side, text_of(fields, "text")) {
                let side = if side == "in_article" { "in_article" } else { "in_summary" };
                quotes.push((side, words, fields.get("span").and_then(place)));
            } else if let ("citations", Some(words)) = (side, text_of(fields, "quote")) {
                let place = json.and_then(place);
                quotes.push(("citations", words, place));
            } else {
                for (name, value) in fields {
                    gather(Some(value), name, quotes);
                }
            }
        }
        _ => {}
    }
}

fn text_of<'a>(fields: &'a serde_json::Map<String, Json>, name: &str) -> Option<&'a str> {
    fields.get(name).and_then(Json::as_str)
}

fn offset(json: &Json) -> Option<usize> {
    json.as_u64().and_then(|offset| usize::try_from(offset).ok())
}
