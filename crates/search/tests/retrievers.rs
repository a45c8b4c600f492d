//! Every method: explained, in a fixed order, the same one by one and all at once.

use std::sync::Arc;

use assize_search::dense::{EmbedError, Embedder};
use assize_search::{Chunking, Collection, Corpus, Document, Method, Options, Retriever};

const LEASE: &str = "The tenant pays the rent. The owner repairs the roof. Pets are allowed.";
const LOAN: &str = "The lender pays out the loan. The borrower pays interest. Pets are collateral.";

const QUERIES: [&str; 4] = [
    "Who pays the rent?",
    "Consider the Loan between Acme and Bolt; who pays interest?",
    "Are pets allowed?",
    "the",
];

fn collection() -> Arc<Collection> {
    let documents = vec![
        Document::new("lease.txt", LEASE.to_owned()),
        Document::new("acme-bolt-loan.txt", LOAN.to_owned()),
        Document::new("copy-of-lease.txt", LEASE.to_owned()),
    ];
    Arc::new(Collection::new(Corpus::new(documents), Chunking::Sentences))
}

#[test]
fn the_workings_of_a_hit_end_in_its_score() {
    for method in Method::ALL {
        let retriever = Retriever::new(collection(), method);
        for query in QUERIES {
            for hit in retriever.search(query, 10).unwrap().hits {
                let explained = retriever.explain(query, hit.passage).unwrap();
                let difference = (explained.value - hit.score).abs();
                assert!(difference < 1e-9, "{method}: {query}\n{explained}");
            }
        }
    }
}

#[test]
fn hits_come_by_score_then_file_then_span() {
    for method in Method::ALL {
        let retriever = Retriever::new(collection(), method);
        for query in QUERIES {
            let hits = retriever.search(query, 10).unwrap().hits;
            for pair in hits.windows(2) {
                let by_place = pair[0].passage < pair[1].passage;
                let tied = pair[0].score == pair[1].score;
                assert!(pair[0].score > pair[1].score || tied && by_place, "{method}: {query}");
            }
        }
    }
}

#[test]
fn many_queries_at_once_are_answered_as_one_by_one() {
    for method in Method::ALL {
        let retriever = Retriever::new(collection(), method);
        let together = retriever.search_all(&QUERIES, 3).unwrap();
        let apart: Vec<_> =
            QUERIES.iter().map(|query| retriever.search(query, 3).unwrap()).collect();
        assert_eq!(together, apart, "{method}");
    }
}

#[test]
fn a_document_that_is_named_comes_before_better_passages_elsewhere() {
    let retriever = Retriever::new(collection(), Method::Hybrid);
    let path = |query: &str| {
        let answer = retriever.search(query, 1).unwrap();
        retriever.collection().path(answer.hits[0].passage).to_owned()
    };
    assert_eq!(path("Consider the Loan of Acme; who repairs the roof?"), "acme-bolt-loan.txt");
    assert_eq!(path("who repairs the roof?"), "copy-of-lease.txt");
}

/// An endpoint that counts letters, and one that is down.
#[derive(Debug)]
struct Endpoint {
    up: bool,
}

impl Embedder for Endpoint {
    fn dimensions(&self) -> usize {
        2
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        if !self.up {
            return Err(EmbedError::Endpoint("connection refused".to_owned()));
        }
        let count = |text: &str, letter: char| {
            let count = text.chars().filter(|found| *found == letter).count();
            f32::from(u8::try_from(count).unwrap_or(u8::MAX))
        };
        Ok(texts.iter().map(|text| vec![count(text, 'p'), count(text, 'o')]).collect())
    }
}

#[test]
fn any_embedder_will_do_and_its_failure_is_told() {
    let with = |up| {
        let endpoint = Arc::new(Endpoint { up });
        Retriever::with(collection(), Method::Dense, Options::default(), endpoint)
    };
    let retriever = with(true).unwrap();
    let answer = retriever.search("p", 1).unwrap();
    assert_eq!(retriever.collection().text(answer.hits[0].passage), "The tenant pays the rent.");
    let error = with(false).err().unwrap();
    assert_eq!(error.to_string(), "the embeddings endpoint failed: connection refused");
}
