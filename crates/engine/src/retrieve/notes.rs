//! What a user should know about corpus, benchmark and queries, a few lines of each kind.

use std::collections::BTreeSet;
use std::fmt::Write;

use assize_methods::retrieval::passages::{Passage, Test};
use assize_search::benchmark::{SnippetRemark, check_snippet};
use assize_search::corpus::Report;
use assize_search::{Answer, Corpus};

/// Lines of one kind that are shown; the rest is counted.
const LINES_MAX: usize = 10;
/// Characters of a query that are shown.
const QUERY_CHARACTERS_MAX: usize = 60;

/// Files that were left out, or read by a guess.
pub fn on_corpus(report: &Report) -> Vec<String> {
    let lines = report.remarks.iter().map(|(path, remark)| format!("{path}: {remark}"));
    few(lines.collect(), "files with a remark")
}

/// Gold that the corpus does not bear out; each missing file is named once.
pub fn on_benchmark(tests: &[Test<'_>], corpus: &Corpus) -> Vec<String> {
    let mut missing = Vec::new();
    let mut elsewhere = Vec::new();
    let mut named = BTreeSet::new();
    for (place, text) in places(tests) {
        let (start, end) = (place.span.start(), place.span.end());
        // A span beyond what this machine can address lies outside of any file.
        let here = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        match check_snippet(corpus, &place.file_path, (here(start), here(end)), text) {
            None => {}
            Some(SnippetRemark::NoSuchFile { .. })
                if !named.insert(place.comparable_path().into_owned()) => {}
            Some(remark @ SnippetRemark::NoSuchFile { .. }) => missing.push(remark.to_string()),
            Some(remark) => elsewhere.push(remark.to_string()),
        }
    }
    let mut notes = few(missing, "files that are not in the corpus");
    notes.extend(few(elsewhere, "gold snippets that do not match their file"));
    notes
}

/// Files that gold names and an index does not hold.
pub fn on_index(tests: &[Test<'_>], holds: impl Fn(&str) -> bool) -> Vec<String> {
    let named: BTreeSet<String> =
        places(tests).map(|(place, _)| place.comparable_path().into_owned()).collect();
    let missing = named.into_iter().filter(|path| !holds(path));
    let lines =
        missing.map(|path| format!("the benchmark refers to {path}, which is not in the index"));
    few(lines.collect(), "files that are not in the index")
}

/// Queries that have nothing to search for.
pub fn on_answers(queries: &[&str], answers: &[Answer]) -> Vec<String> {
    let numbered = queries.iter().zip(answers).enumerate();
    let remarked = numbered.filter_map(|(index, (query, answer))| {
        let remark = answer.remark?;
        Some(format!("query {} ({:?}): {remark}", index + 1, shortened(query)))
    });
    few(remarked.collect(), "queries with a remark")
}

/// The document that a query was led to, and why.
pub fn on_route(answer: &Answer, corpus: &Corpus) -> Option<String> {
    let route = answer.route.as_ref()?;
    let path = &corpus.documents()[route.document].path;
    Some(format!("matched to {path} by {}", route.words.join(", ")))
}

/// How many queries name a document, and how many of them one that holds gold; nothing when
/// no query names any.
pub fn on_routes(tests: &[Test<'_>], answers: &[Answer], corpus: &Corpus) -> Option<String> {
    let routed: Vec<(&Test<'_>, usize)> = tests
        .iter()
        .zip(answers)
        .filter_map(|(test, answer)| Some((test, answer.route.as_ref()?.document)))
        .collect();
    if routed.is_empty() {
        return None;
    }
    let mut said = format!("{} of {} queries name a document", routed.len(), tests.len());
    let placed = |test: &Test<'_>| test.snippets.iter().any(|gold| gold.location().is_some());
    let golden = tests.iter().filter(|test| placed(test)).count();
    if golden > 0 {
        let right = routed.iter().filter(|(test, document)| {
            let paths = test.snippets.iter().filter_map(Passage::location);
            let path = corpus.documents()[*document].path.as_str();
            paths.map(|place| place.comparable_path()).any(|gold| gold == path)
        });
        let right = right.count();
        let share = 100.0 * right as f64 / golden as f64;
        let _ =
            write!(said, "; document identification: {right} of {golden} with gold, {share:.1} %");
    }
    Some(said)
}

/// Where gold snippets stand, and their text if it is given.
fn places<'a>(
    tests: &'a [Test<'a>],
) -> impl Iterator<Item = (&'a assize_methods::retrieval::spans::Location<'a>, Option<&'a str>)> {
    let snippets = tests.iter().flat_map(|test| &test.snippets);
    snippets
        .filter_map(|snippet: &Passage<'_>| Some((snippet.location()?, snippet.text.as_deref())))
}

/// The first lines, and how many more there are of what.
fn few(mut lines: Vec<String>, what: &str) -> Vec<String> {
    let more = lines.len().saturating_sub(LINES_MAX);
    if more > 0 {
        lines.truncate(LINES_MAX);
        lines.push(format!("… and {more} more {what}"));
    }
    lines
}

/// A query in one short line.
pub(crate) fn shortened(query: &str) -> String {
    let line = query.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= QUERY_CHARACTERS_MAX {
        return line;
    }
    let start: String = line.chars().take(QUERY_CHARACTERS_MAX - 1).collect();
    format!("{start}…")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_file_is_named_once_and_a_wrong_span_each_time() {
        let tests: Vec<Test<'_>> = serde_json::from_str(
            r#"[{"query": "a", "snippets": [
                {"file_path": "gone.txt", "span": [0, 1]}, {"file_path": "gone.txt", "span": [5, 6]},
                {"file_path": "here.txt", "span": [0, 4]}, {"file_path": "here.txt", "span": [3, 9]}]}]"#,
        )
        .unwrap();
        let notes = on_benchmark(&tests, &Corpus::of_text("here.txt", "text"));
        assert_eq!(
            notes,
            [
                "the benchmark refers to gone.txt, which is not in the corpus",
                "the span [3, 9] is outside here.txt, which has 4 characters",
            ]
        );
    }

    #[test]
    fn many_lines_of_one_kind_are_counted() {
        let lines = (0..13).map(|number| number.to_string()).collect();
        let few = few(lines, "files");
        assert_eq!((few.len(), few[10].as_str()), (11, "… and 3 more files"));
    }
}
