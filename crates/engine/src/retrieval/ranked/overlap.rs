//! What a run and its judgements have in common.
//!
//! Where identifiers come from two sources (a prefix, another case, another column), every measure
//! is 0 and looks like a result.

use std::collections::{BTreeMap, BTreeSet};

use assize_wire::retrieval::JudgedShare;

use super::judge::QueryJudgement;
use super::lists::Lists;

/// Documents of the run that are remembered: enough to tell identifiers of another kind from
/// documents that nobody judged.
const REMEMBERED_MAX: usize = 1_000;
/// The most that are remembered of one query.
const REMEMBERED_OF_QUERY: usize = 20;
/// Of a run from the same source as its judgements, at least one query in so many retrieves a
/// document that was judged for it.
pub(in crate::retrieval) const QUERIES_FOR_ONE_MATCH: usize = 10;

/// What the queries of a run had in common with their judgements.
#[derive(Debug, Default)]
pub(super) struct Overlap {
    /// Queries that were scored.
    queries: usize,
    /// Queries for which a judged document was retrieved.
    matched: usize,
    /// Documents within the depth that is looked at.
    share: JudgedShare,
    /// Documents of queries for which none was judged.
    unmatched: Vec<Vec<u8>>,
}

impl Overlap {
    /// Notes the documents that were retrieved for a query.
    pub(super) fn add<'a>(
        &mut self,
        ranked: QueryJudgement,
        retrieved: impl Iterator<Item = &'a [u8]>,
    ) {
        self.queries += 1;
        self.share.judged += ranked.judged;
        self.share.retrieved += ranked.retrieved;
        if ranked.is_matched {
            self.matched += 1;
        } else {
            let free = REMEMBERED_MAX.saturating_sub(self.unmatched.len());
            let names = retrieved.take(free.min(REMEMBERED_OF_QUERY)).map(<[u8]>::to_vec);
            self.unmatched.extend(names);
        }
    }

    /// Adds what came after.
    pub(super) fn append(&mut self, other: Self) {
        self.queries += other.queries;
        self.matched += other.matched;
        self.share.judged += other.share.judged;
        self.share.retrieved += other.share.retrieved;
        let free = REMEMBERED_MAX.saturating_sub(self.unmatched.len());
        self.unmatched.extend(other.unmatched.into_iter().take(free));
    }

    /// How many of the retrieved documents were judged for their query.
    pub(super) fn share(&self) -> JudgedShare {
        self.share
    }

    /// Identifiers of both sides, if no document of the run is judged for any query.
    pub(super) fn disjoint(&self, qrels: &Lists<i32>) -> Option<Disjoint> {
        if self.matched > 0 || self.unmatched.is_empty() {
            return None;
        }
        let (run, judged) = (self.unmatched_names(), judged_names(qrels));
        run.is_disjoint(&judged).then(|| Disjoint::new(&run, &judged)).flatten()
    }

    /// What to say where nearly no query retrieves a document that was judged for it.
    pub(super) fn notice(&self, qrels: &Lists<i32>) -> Option<String> {
        let Self { queries, matched, .. } = *self;
        if queries < 2 && matched > 0 || matched * QUERIES_FOR_ONE_MATCH >= queries {
            return None;
        }
        let judged = judged_names(qrels);
        let unmatched = self.unmatched_names();
        let foreign: BTreeSet<String> = unmatched.difference(&judged).cloned().collect();
        let said = match Disjoint::new(&foreign, &judged) {
            Some(Disjoint { run, qrels, difference }) if !difference.is_empty() => {
                format!("; the run has `{run}`, the judgements have `{qrels}`{difference}")
            }
            _ => String::new(),
        };
        let verb = if matched == 1 { "retrieves" } else { "retrieve" };
        Some(format!(
            "only {matched} of {queries} queries {verb} a document that was judged for them{said}"
        ))
    }

    fn unmatched_names(&self) -> BTreeSet<String> {
        self.unmatched.iter().map(|name| text(name)).collect()
    }
}

fn judged_names(qrels: &Lists<i32>) -> BTreeSet<String> {
    let items = (0..qrels.len()).flat_map(|query| qrels.items(query));
    items.map(|item| text(qrels.document(item))).collect()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Identifiers that have nothing in common: one of each side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Disjoint {
    pub run: String,
    /// The one of the judgements that is most like it.
    pub qrels: String,
    /// In what they differ, where that can be told; begins with a separator.
    pub difference: String,
}

impl Disjoint {
    /// A run that has nothing at all, beside a judged name.
    pub(super) fn with_nothing(qrels: String) -> Self {
        Self { run: String::new(), qrels, difference: String::new() }
    }

    /// The pair that is most alike: the first form that identifiers of both sides share decides.
    pub(in crate::retrieval) fn new<'a>(
        run: &'a BTreeSet<String>,
        judged: &BTreeSet<String>,
    ) -> Option<Self> {
        for (form, difference) in FORMS {
            let mut by_form: BTreeMap<String, &String> = BTreeMap::new();
            for name in judged {
                by_form.entry(form(name)).or_insert(name);
            }
            let alike = |name: &'a String| {
                let form = form(name);
                by_form.get(&form).filter(|_| !form.is_empty()).map(|judged| (name, *judged))
            };
            let pairs: Vec<(&String, &String)> = run.iter().filter_map(alike).collect();
            if let Some((run_name, judged_name)) = pairs.first() {
                let (found, all) = (pairs.len(), run.len());
                let difference = format!(": {difference}; then {found} of {all} would match");
                let (run, qrels) = ((*run_name).clone(), (*judged_name).clone());
                return Some(Self { run, qrels, difference });
            }
        }
        let (run, qrels) = (run.first()?.clone(), judged.first()?.clone());
        Some(Self { run, qrels, difference: String::new() })
    }
}

/// What is left of an identifier.
type Form = fn(&str) -> String;

/// What may be left of an identifier when what two sources add is taken away, the least first,
/// and in what two differ that have it in common.
const FORMS: [(Form, &str); 7] = [
    (|name| name.to_lowercase(), "they differ in case"),
    (|name| unquoted(name).to_lowercase(), "they differ in spaces or quotes"),
    (|name| without_zeros(name), "they differ in leading zeros"),
    (|name| last_part(name, &['/', '\\']).to_lowercase(), "one has a path before the name"),
    (|name| first_part(name).to_lowercase(), "one has an ending"),
    (letters_and_digits, "they differ in punctuation"),
    (number, "they share their number, and the rest is written otherwise"),
];

fn unquoted(name: &str) -> &str {
    name.trim_matches(|char: char| char.is_whitespace() || "\"'`".contains(char))
}

/// The name with every number in it as short as it can be.
fn without_zeros(name: &str) -> String {
    let mut short = String::with_capacity(name.len());
    let mut letters = unquoted(name).chars().peekable();
    let mut is_in_number = false;
    while let Some(letter) = letters.next() {
        let goes_on = letters.peek().is_some_and(char::is_ascii_digit);
        if letter == '0' && !is_in_number && goes_on {
            continue;
        }
        is_in_number = letter.is_ascii_digit();
        short.extend(letter.to_lowercase());
    }
    short
}

fn last_part<'a>(name: &'a str, separators: &[char]) -> &'a str {
    unquoted(name).rsplit(separators).next().unwrap_or_default()
}

fn first_part(name: &str) -> &str {
    last_part(name, &['/', '\\']).split(['.', '#', ':', '@']).next().unwrap_or_default()
}

fn letters_and_digits(name: &str) -> String {
    without_zeros(name).chars().filter(|letter| letter.is_alphanumeric()).collect()
}

fn number(name: &str) -> String {
    let digits: String = name.chars().filter(char::is_ascii_digit).collect();
    match digits.trim_start_matches('0') {
        "" if !digits.is_empty() => "0".to_owned(),
        short => short.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn what_two_identifiers_differ_in_is_named() {
        for (run, qrels, words) in [
            ("Doc-1", "doc-1", "case"),
            ("\"doc-1\"", "doc-1", "quotes"),
            ("doc-001", "doc-1", "leading zeros"),
            ("beir/doc-1", "doc-1", "path"),
            ("doc-1", "doc-1.txt", "ending"),
            ("doc-1#3", "doc-1", "ending"),
            ("doc_1", "doc-1", "punctuation"),
            ("1", "doc-1", "number"),
            ("d1", "doc-1", "number"),
        ] {
            let found = Disjoint::new(&names(&[run]), &names(&["a-first-one", qrels])).unwrap();
            assert_eq!((found.run.as_str(), found.qrels.as_str()), (run, qrels));
            assert!(found.difference.contains(words), "{run} and {qrels}: {}", found.difference);
        }
        let nothing = Disjoint::new(&names(&["a7"]), &names(&["b8"])).unwrap();
        assert_eq!(nothing.difference, "");
    }

    #[test]
    fn the_pair_need_not_stand_first() {
        let run = names(&["d2", "d7", "d8"]);
        let judged = names(&["doc-3", "doc-7", "doc-8"]);
        let found = Disjoint::new(&run, &judged).unwrap();
        assert_eq!((found.run.as_str(), found.qrels.as_str()), ("d7", "doc-7"));
        assert!(found.difference.ends_with("; then 2 of 3 would match"), "{}", found.difference);
    }
}
