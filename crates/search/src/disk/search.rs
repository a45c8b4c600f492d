//! Searching an index on disk: all segments together, by the formula that ranks in memory.

use std::cmp::Ordering;

use assize_score::arithmetic::sum;
use assize_score::float::descending;
use assize_score::{Explained, Working};

use super::segment::{Place, Segment};
use super::{DiskIndex, Result, TOKENIZER};
use crate::lexical::bm25::{Occurrence, STEMMED, plain_idf};

/// Passages kept beyond those asked for before the worst are thrown away.
const SPARE: usize = 1024;

/// A passage found in an index on disk.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct DiskHit {
    /// The file, below the corpus folder.
    pub file_path: String,
    /// Start and end in code points of the file's text.
    pub span: (u64, u64),
    /// Which passage of its file it is, counted from 0.
    pub chunk: u64,
    /// The passage.
    pub text: String,
    /// BM25 by stems.
    pub score: f64,
}

impl DiskIndex {
    /// The `k` passages that fit a query best; none when nothing is left to search for.
    pub fn search(&self, query: &str, k: usize) -> Result<Vec<DiskHit>> {
        let asked = self.asked(query)?;
        let mut best = Best { segments: &self.segments, k, lowest: 0.0, kept: Vec::new() };
        for (place, segment) in self.segments.iter().enumerate() {
            let scores = asked.scores(place, segment)?;
            for (passage, score) in scores.into_iter().enumerate() {
                if score > 0.0 && segment.is_live(passage) {
                    best.offer(Candidate { score, segment: place, passage });
                }
            }
        }
        best.in_order().into_iter().map(|candidate| self.hit(candidate)).collect()
    }

    /// How the score of a hit was computed; nothing when it is not in the index any more.
    pub fn explain(&self, query: &str, hit: &DiskHit) -> Result<Option<Explained>> {
        let asked = self.asked(query)?;
        let Some((place, passage)) = self.place(hit) else {
            return Ok(None);
        };
        let segment = &self.segments[place];
        let mut found = Vec::new();
        for term in &asked.terms {
            let mut times = 0;
            if let Some(postings) = term.postings[place] {
                segment.each_posting(postings, |other, count| {
                    if other == passage {
                        times = count;
                    }
                })?;
            }
            if times > 0 {
                let length = segment.lengths()[passage];
                let contribution = asked.contribution::<Explained>(term, times, length);
                found.push(contribution.named(term.term.clone()));
            }
        }
        Ok((!found.is_empty()).then(|| sum("bm25", found)))
    }

    /// Looks a query's terms up; those that no passage holds are left out.
    fn asked(&self, query: &str) -> Result<DiskQuery> {
        let live = || self.segments.iter().map(Segment::live);
        let texts = live().map(|live| live.passages).sum::<u64>() as f64;
        let length = live().map(|live| live.terms).sum::<u64>() as f64;
        let mut asked = DiskQuery { terms: Vec::new(), length_mean: length / texts };
        for term in TOKENIZER.terms(query) {
            let again = asked.terms.iter().find(|other| other.term == term).cloned();
            if let Some(again) = again {
                asked.terms.push(again);
                continue;
            }
            let mut holding = 0;
            let mut postings = Vec::with_capacity(self.segments.len());
            for segment in &self.segments {
                let place = segment.find(&term)?;
                holding += place.map_or(Ok(0), |place| segment.holding(place))?;
                postings.push(place);
            }
            if holding > 0 {
                let idf = plain_idf(texts, holding as f64);
                asked.terms.push(Sought { term, idf, postings });
            }
        }
        Ok(asked)
    }

    /// Where a hit is now: a segment's place and the passage's number in it.
    fn place(&self, hit: &DiskHit) -> Option<(usize, usize)> {
        self.segments.iter().enumerate().find_map(|(place, segment)| {
            let (_, file) = segment.live_files().find(|(_, file)| file.name == hit.file_path)?;
            let chunk = usize::try_from(hit.chunk).ok()?;
            let passage = Segment::passages(file).nth(chunk)?;
            Some((place, passage))
        })
    }

    fn hit(&self, Candidate { score, segment, passage }: Candidate) -> Result<DiskHit> {
        let segment = &self.segments[segment];
        let file = &segment.files()[segment.file_of(passage)];
        let entries = segment.entries(passage..passage + 1)?;
        Ok(DiskHit {
            file_path: file.name.clone(),
            span: entries[0].span,
            chunk: (passage - file.first as usize) as u64,
            text: segment.text(file, &entries[0])?,
            score,
        })
    }
}

/// A query that was looked up.
struct DiskQuery {
    /// Its terms, in order; a repeated one stands repeatedly.
    terms: Vec<Sought>,
    /// The mean length of all passages.
    length_mean: f64,
}

/// A term of a query.
#[derive(Clone)]
struct Sought {
    term: String,
    idf: f64,
    /// Where its postings are in each segment.
    postings: Vec<Option<Place>>,
}

impl DiskQuery {
    /// The score of every passage of a segment; 0 where it shares no term with the query.
    fn scores(&self, place: usize, segment: &Segment) -> Result<Vec<f64>> {
        let lengths = segment.lengths();
        let mut scores = vec![0.0; lengths.len()];
        for term in &self.terms {
            let Some(postings) = term.postings[place] else { continue };
            segment.each_posting(postings, |passage, times| {
                scores[passage] += self.contribution::<f64>(term, times, lengths[passage]);
            })?;
        }
        Ok(scores)
    }

    fn contribution<N: Working>(&self, term: &Sought, times: u32, length: u32) -> N {
        STEMMED.contribution(Occurrence {
            weight: 1.0,
            idf: term.idf,
            times: f64::from(times),
            length_ratio: f64::from(length) / self.length_mean,
        })
    }
}

/// A passage that was found.
#[derive(Clone, Copy)]
struct Candidate {
    score: f64,
    /// The place of its segment.
    segment: usize,
    /// Its number in the segment.
    passage: usize,
}

/// The best passages so far, and some more.
struct Best<'a> {
    segments: &'a [Segment],
    k: usize,
    /// Below this nothing gets in any more.
    lowest: f64,
    kept: Vec<Candidate>,
}

impl Best<'_> {
    fn offer(&mut self, candidate: Candidate) {
        if candidate.score >= self.lowest {
            self.kept.push(candidate);
        }
        if self.kept.len() >= self.k.saturating_mul(2).saturating_add(SPARE) {
            self.cut();
        }
    }

    fn in_order(mut self) -> Vec<Candidate> {
        self.cut();
        let mut kept = std::mem::take(&mut self.kept);
        kept.sort_unstable_by(|left, right| self.order(left, right));
        kept
    }

    /// Throws away all but the best.
    fn cut(&mut self) {
        if self.kept.len() <= self.k {
            return;
        }
        let mut kept = std::mem::take(&mut self.kept);
        kept.select_nth_unstable_by(self.k, |left, right| self.order(left, right));
        kept.truncate(self.k);
        self.lowest = kept.iter().map(|candidate| candidate.score).fold(f64::INFINITY, f64::min);
        self.kept = kept;
    }

    /// Highest first, then by file, then by span: passages of a file are numbered in that order.
    fn order(&self, left: &Candidate, right: &Candidate) -> Ordering {
        let name = |candidate: &Candidate| {
            let segment = &self.segments[candidate.segment];
            &segment.files()[segment.file_of(candidate.passage)].name
        };
        descending(left.score, right.score)
            .then_with(|| name(left).cmp(name(right)))
            .then_with(|| left.passage.cmp(&right.passage))
    }
}
