//! A segment made of texts: texts go to the disk at once, terms are collected.

use std::io;
use std::ops::Range;
use std::path::Path;

use super::super::TOKENIZER;
use super::super::bytes::checksum;
use super::super::manifest::SegmentEntry;
use super::{Entry, Growing, SegmentWriter};
use crate::corpus::Document;
use crate::lexical::{Bags, Vocabulary};

/// Passages whose terms are counted together, which bounds the memory that takes.
const PASSAGES_PER_COUNT: usize = 4096;

/// A file that was read and cut.
pub(in super::super) struct Cut {
    pub(in super::super) document: Document,
    /// Fingerprint of the file's bytes.
    pub(in super::super) fingerprint: u64,
    /// Its passages as ranges of bytes.
    pub(in super::super) passages: Vec<Range<usize>>,
}

/// A segment that takes in files.
pub(in super::super) struct Builder {
    writer: SegmentWriter,
    vocabulary: Vocabulary,
    /// The passages that hold each term, in the order of the vocabulary.
    postings: Vec<Growing>,
    entries: Vec<Entry>,
    text_bytes: usize,
}

impl Builder {
    pub(in super::super) fn create(folder: &Path, number: u64) -> io::Result<Self> {
        Ok(Self {
            writer: SegmentWriter::create(folder, number)?,
            vocabulary: Vocabulary::default(),
            postings: Vec::new(),
            entries: Vec::new(),
            text_bytes: 0,
        })
    }

    /// How many bytes of text were taken in.
    pub(in super::super) fn text_bytes(&self) -> usize {
        self.text_bytes
    }

    /// Takes in files, in their order.
    pub(in super::super) fn take_in(&mut self, files: &[Cut]) -> io::Result<()> {
        let mut lengths = self.count(files).into_iter();
        for Cut { document, fingerprint, passages } in files {
            let lengths: Vec<u32> = lengths.by_ref().take(passages.len()).collect();
            self.writer.file(&document.path, *fingerprint, &lengths);
            self.writer.text(document.text.as_bytes())?;
            self.text_bytes += document.text.len();
            self.entries.extend(passages.iter().map(|bytes| {
                let (start, end) = document.span(bytes);
                Entry {
                    offset: bytes.start as u64,
                    bytes: bytes.len() as u64,
                    span: (start as u64, end as u64),
                    checksum: checksum(&[&document.text.as_bytes()[bytes.clone()]]),
                }
            }));
        }
        Ok(())
    }

    /// Writes the segment.
    pub(in super::super) fn finish(mut self) -> io::Result<SegmentEntry> {
        for entry in self.entries {
            self.writer.entry(entry)?;
        }
        let mut terms: Vec<(&str, &Growing)> =
            self.vocabulary.terms().zip(&self.postings).collect();
        terms.sort_unstable_by_key(|(term, _)| *term);
        for (term, postings) in terms {
            self.writer.term(term, postings)?;
        }
        self.writer.finish()
    }

    /// Counts the terms of all passages of files; gives how many each has.
    fn count(&mut self, files: &[Cut]) -> Vec<u32> {
        let passages: Vec<&str> = files
            .iter()
            .flat_map(|file| file.passages.iter().map(|bytes| &file.document.text[bytes.clone()]))
            .collect();
        let mut lengths = Vec::with_capacity(passages.len());
        for some in passages.chunks(PASSAGES_PER_COUNT) {
            let bags = Bags::of(some.len(), |index| some[index], TOKENIZER);
            self.join(self.entries.len() + lengths.len(), &bags);
            lengths.extend_from_slice(bags.lengths());
        }
        lengths
    }

    /// Takes in the terms of passages from `first` on.
    fn join(&mut self, first: usize, bags: &Bags) {
        let terms = bags.vocabulary.terms();
        let numbers: Vec<u32> = terms.map(|term| self.vocabulary.intern(term)).collect();
        self.postings.resize_with(self.vocabulary.len(), Growing::default);
        for text in 0..bags.len() {
            let passage = u32::try_from(first + text).expect("fewer than four billion passages");
            for count in bags.bag(text) {
                let number = numbers[count.term as usize] as usize;
                self.postings[number].push(passage, count.times);
            }
        }
    }
}
