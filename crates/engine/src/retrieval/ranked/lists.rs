//! Documents with a value, listed under their queries: what a run and qrels have in common.

use super::hash::{Table, hash};
use crate::input::Bytes;

/// A stretch of the text that holds all identifiers: where it starts in the upper bits, how
/// long it is in the lower ones. There are many, so one word has to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span(u64);

impl Span {
    const LENGTH_BITS: u32 = 24;
    const LENGTH_MAX: usize = (1 << Self::LENGTH_BITS) - 1;

    /// From one byte of a text up to another. Of an identifier that is longer than 16 MiB, the
    /// first 16 MiB have to do.
    #[inline]
    pub(super) fn new(start: usize, end: usize) -> Self {
        let length = (end - start).min(Self::LENGTH_MAX);
        Self((start as u64) << Self::LENGTH_BITS | length as u64)
    }

    /// What it covers of its text.
    #[inline]
    pub(super) fn of(self, text: &[u8]) -> &[u8] {
        #[expect(clippy::cast_possible_truncation, reason = "both were indices of a slice before")]
        let (start, length) =
            ((self.0 >> Self::LENGTH_BITS) as usize, self.0 as usize & Self::LENGTH_MAX);
        &text[start..start + length]
    }
}

/// A document under a query, with its score or level.
#[derive(Debug, Clone, Copy)]
pub(super) struct Item<V> {
    /// Its identifier.
    pub(super) document: Span,
    /// The score, or the level of relevance.
    pub(super) value: V,
}

/// Documents with a value, listed under their queries.
#[derive(Debug)]
pub(super) struct Lists<V> {
    /// Holds all identifiers: a file as it is, or what was put together from one.
    text: Bytes,
    /// The name of each query, and where its items end; they start where the last ones ended.
    queries: Vec<(Span, usize)>,
    items: Vec<Item<V>>,
    index: Table,
    distinct: bool,
}

impl<V: Copy> Lists<V> {
    /// Whether it is known that no document stands twice under a query.
    pub(super) fn is_distinct(&self) -> bool {
        self.distinct
    }

    /// How many queries there are.
    pub(super) fn len(&self) -> usize {
        self.queries.len()
    }

    /// The name of a query by its position.
    pub(super) fn query(&self, position: usize) -> &[u8] {
        self.queries[position].0.of(&self.text)
    }

    /// The documents of a query by its position.
    pub(super) fn items(&self, position: usize) -> &[Item<V>] {
        let start = position.checked_sub(1).map_or(0, |before| self.queries[before].1);
        &self.items[start..self.queries[position].1]
    }

    /// The text that the items point into.
    pub(super) fn text(&self) -> &[u8] {
        &self.text
    }

    /// The identifier of a document.
    pub(super) fn document(&self, item: &Item<V>) -> &[u8] {
        item.document.of(&self.text)
    }

    /// The position of the query with this name.
    pub(super) fn find(&self, name: &[u8]) -> Option<usize> {
        self.index.find(hash(name), |position| self.query(position) == name)
    }

    /// The first query and document that are listed twice, by the position of the query.
    pub(super) fn duplicate(&self) -> Option<(usize, &[u8])> {
        if self.distinct {
            return None;
        }
        let mut table = Table::default();
        (0..self.len()).find_map(|position| {
            let items = self.items(position);
            // Often they are sorted, which tells at once that none stands twice.
            if items.is_sorted_by(|left, right| self.document(left) < self.document(right)) {
                return None;
            }
            table.clear(items.len() + 1);
            let twice = items.iter().enumerate().find(|(index, item)| {
                let name = self.document(item);
                let is_same = |known: usize| self.document(&items[known]) == name;
                table.insert(hash(name), *index, is_same).is_some()
            });
            twice.map(|(_, item)| (position, self.document(item)))
        })
    }
}

/// Lists in the making, over a text that the caller keeps: queries may come in any order, and
/// come again.
#[derive(Debug)]
pub(super) struct Groups<V> {
    names: Vec<Span>,
    index: Table,
    items: Vec<Item<V>>,
    /// Runs of items under one query: its position, and where its items end.
    stretches: Vec<(usize, usize)>,
}

impl<V: Copy> Groups<V> {
    /// Nothing yet.
    pub(super) fn new() -> Self {
        let mut index = Table::default();
        index.clear(0);
        Self { names: Vec::new(), index, items: Vec::new(), stretches: Vec::new() }
    }

    /// Adds a document under a query.
    pub(super) fn push(&mut self, text: &[u8], query: Span, item: Item<V>) {
        let last = self.stretches.last().map(|(last, _)| self.names[*last].of(text));
        if last != Some(query.of(text)) {
            let position = self.position(text, query);
            self.stretches.push((position, self.items.len()));
        }
        self.items.push(item);
        if let Some(last) = self.stretches.last_mut() {
            last.1 = self.items.len();
        }
    }

    /// Adds what others hold of the same text, after what is here.
    pub(super) fn append(&mut self, text: &[u8], other: &Self) {
        let before = self.items.len();
        for (query, end) in &other.stretches {
            let position = self.position(text, other.names[*query]);
            match self.stretches.last_mut() {
                Some(last) if last.0 == position => last.1 = before + end,
                _ => self.stretches.push((position, before + end)),
            }
        }
        self.items.extend_from_slice(&other.items);
    }

    /// The lists, each query with all of its documents in the order they came.
    pub(super) fn finish(self, text: Bytes) -> Lists<V> {
        let Self { names, index, items, stretches } = self;
        if stretches.len() == names.len() {
            // Every query came once, and so in the order of their positions.
            let ends = stretches.iter().map(|(_, end)| *end);
            let queries = names.into_iter().zip(ends).collect();
            return Lists { text, queries, items, index, distinct: false };
        }
        let mut of_query: Vec<Vec<(usize, usize)>> = vec![Vec::new(); names.len()];
        let mut start = 0;
        for (query, end) in stretches {
            of_query[query].push((start, end));
            start = end;
        }
        let mut grouped = Vec::with_capacity(items.len());
        let mut queries = Vec::with_capacity(names.len());
        for (name, stretches) in names.into_iter().zip(of_query) {
            for (start, end) in stretches {
                grouped.extend_from_slice(&items[start..end]);
            }
            queries.push((name, grouped.len()));
        }
        Lists { text, queries, items: grouped, index, distinct: false }
    }

    /// The position of a query, a new one if it was not seen before.
    fn position(&mut self, text: &[u8], query: Span) -> usize {
        if self.index.is_full() {
            self.index.clear(self.names.len() * 2 + 8);
            for (position, name) in self.names.iter().enumerate() {
                self.index.insert(hash(name.of(text)), position, |_| false);
            }
        }
        let next = self.names.len();
        let name = query.of(text);
        let is_same = |known: usize| self.names[known].of(text) == name;
        let known = self.index.insert(hash(name), next, is_same);
        known.unwrap_or_else(|| {
            self.names.push(query);
            next
        })
    }
}

/// Lists in the making whose identifiers are copied, for formats that hide them in quotes.
#[derive(Debug)]
pub(super) struct ListsBuilder<V> {
    text: Vec<u8>,
    /// The query of the last document.
    query: Span,
    groups: Groups<V>,
}

impl<V: Copy> ListsBuilder<V> {
    /// Nothing yet.
    pub(super) fn new() -> Self {
        Self { text: Vec::new(), query: Span::new(0, 0), groups: Groups::new() }
    }

    /// Adds a document under a query; both are copied.
    pub(super) fn push(&mut self, query: &[u8], document: &[u8], value: V) {
        if self.query.of(&self.text) != query || self.text.is_empty() {
            self.query = self.store(query);
        }
        let document = self.store(document);
        self.groups.push(&self.text, self.query, Item { document, value });
    }

    /// Nothing yet, with room for so many documents.
    pub(super) fn with_room(documents: usize) -> Self {
        let mut builder = Self::new();
        builder.groups.items.reserve_exact(documents);
        builder
    }

    /// Begins a query: what is [added](Self::add) from now on belongs to it.
    pub(super) fn begin(&mut self, query: &[u8]) {
        self.query = self.store(query);
        let position = self.groups.position(&self.text, self.query);
        let start = self.groups.items.len();
        self.groups.stretches.push((position, start));
    }

    /// Adds a document under the query that was begun; nothing is looked up.
    #[inline]
    pub(super) fn add(&mut self, document: &[u8], value: V) {
        let document = self.store(document);
        self.groups.items.push(Item { document, value });
    }

    /// Ends the query that was begun.
    pub(super) fn end(&mut self) {
        if let Some(last) = self.groups.stretches.last_mut() {
            last.1 = self.groups.items.len();
        }
    }

    /// The lists, each query with all of its documents in the order they came.
    pub(super) fn finish(self) -> Lists<V> {
        self.groups.finish(Bytes::Owned(self.text))
    }

    /// The same, where the caller knows that no document came twice while a query was open.
    pub(super) fn finish_distinct(self) -> Lists<V> {
        // Of a query that was begun twice nobody knows.
        let distinct = self.groups.stretches.len() == self.groups.names.len();
        Lists { distinct, ..self.finish() }
    }

    #[inline]
    fn store(&mut self, bytes: &[u8]) -> Span {
        let start = self.text.len();
        self.text.extend_from_slice(bytes);
        Span::new(start, self.text.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(lists: &Lists<i32>) -> Vec<(String, Vec<(String, i32)>)> {
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        let items = |position| {
            let items = lists.items(position).iter();
            items.map(|item| (text(lists.document(item)), item.value)).collect()
        };
        (0..lists.len()).map(|position| (text(lists.query(position)), items(position))).collect()
    }

    fn expected() -> Vec<(String, Vec<(String, i32)>)> {
        let list = |items: &[(&str, i32)]| {
            items.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect()
        };
        vec![("q1".into(), list(&[("a", 1), ("b", 2), ("c", 4)])), ("q2".into(), list(&[("a", 3)]))]
    }

    #[test]
    fn a_query_that_comes_again_keeps_all_its_documents_in_order() {
        let mut builder = ListsBuilder::new();
        for (query, document, value) in
            [("q1", "a", 1), ("q1", "b", 2), ("q2", "a", 3), ("q1", "c", 4)]
        {
            builder.push(query.as_bytes(), document.as_bytes(), value);
        }
        let lists = builder.finish();
        assert_eq!(listed(&lists), expected());
        assert_eq!((lists.find(b"q2"), lists.find(b"q3")), (Some(1), None));
    }

    #[test]
    fn parts_read_apart_make_the_same_lists() {
        let text = b"q1q2abc";
        let (q1, q2) = (Span::new(0, 2), Span::new(2, 4));
        let item = |start, value| Item { document: Span::new(start, start + 1), value };
        let (mut first, mut second) = (Groups::new(), Groups::new());
        first.push(text, q1, item(4, 1));
        second.push(text, q1, item(5, 2));
        second.push(text, q2, item(4, 3));
        second.push(text, q1, item(6, 4));
        first.append(text, &second);
        assert_eq!(listed(&first.finish(Bytes::Owned(text.to_vec()))), expected());
    }

    #[test]
    fn a_document_listed_twice_is_found() {
        let mut builder = ListsBuilder::new();
        for (query, document) in [("q1", "a"), ("q2", "a"), ("q2", "b"), ("q2", "a")] {
            builder.push(query.as_bytes(), document.as_bytes(), 0);
        }
        let lists = builder.finish();
        assert_eq!(lists.duplicate(), Some((1, b"a".as_slice())));
    }

    #[test]
    fn thousands_of_queries_are_all_found_again() {
        let mut builder = ListsBuilder::new();
        for number in 0..5000 {
            builder.push(format!("q{number}").as_bytes(), b"d", number);
        }
        let lists = builder.finish();
        assert!(
            (0..5000).all(|number| lists.find(format!("q{number}").as_bytes()) == Some(number))
        );
    }
}
