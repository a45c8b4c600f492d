//! BM25 by stems gives the scores of bm25s, with the same stemmer and parameters.

use std::sync::Arc;

use assize_search::dense::StaticTable;
use assize_search::{
    Chunking, Collection, Corpus, Document, Method, Options, Retriever, Stem, StopWords,
};

const TEXTS: [&str; 12] = [
    "The tenant pays the rent on the first day of each month.",
    "The owner repairs the roof, the outer walls and the quay.",
    "Repairs inside the house are paid by the tenant.",
    "Pets are allowed if the owner agrees in writing.",
    "The deposit is three months' rent and is returned after the lease ends.",
    "Either party may end the lease with notice of three months.",
    "The tenant insures the goods; the owner insures the building against fire.",
    "Rent that is paid late bears interest of five per cent a year.",
    "The lease is governed by the law of Lindhaven.",
    "Disputes go to the harbour court, which decides finally.",
    "Noise after ten at night disturbs neighbours and is forbidden.",
    "The owner may enter the house for repairs after one day's notice.",
];

const QUERIES: [&str; 5] = [
    "who repairs the roof?",
    "is late rent paid with interest",
    "ending a lease by notice",
    "insuring goods and buildings against fires",
    "may the owner enter the owner's house",
];

/// From bm25s 0.3.16 with `PyStemmer` 3.1.0 and their defaults: for each query the first three
/// texts and scores; a text that shares no term is none of ours.
const ENGLISH: [&[(usize, f64)]; 5] = [
    &[(1, 1.476_739), (2, 0.599_65), (11, 0.462_224)],
    &[(7, 2.564_348), (2, 0.753_413), (0, 0.522_044)],
    &[(5, 1.722_403), (4, 1.106_36), (8, 0.647_801)],
    &[(6, 4.402_526)],
    &[(11, 2.669_578), (3, 0.969_606), (1, 0.902_523)],
];
const NONE: [&[(usize, f64)]; 5] = [
    &[(1, 1.528_877), (2, 0.695_145), (11, 0.616_421)],
    &[(7, 3.170_382), (4, 1.047_694), (5, 0.854_848)],
    &[(5, 1.824_706), (8, 1.277_956), (4, 1.082_392)],
    &[(6, 4.472_902), (10, 0.541_887), (1, 0.519_439)],
    &[(11, 3.115_975), (1, 1.149_09), (6, 1.109_933)],
];

/// bm25s leaves out the constant factor `k1 + 1` of the formula.
const FACTOR: f64 = 2.5;

#[test]
fn stemmed_scores_are_those_of_bm25s() {
    let documents = TEXTS.iter().enumerate();
    let documents =
        documents.map(|(index, text)| Document::new(&format!("{index:02}"), (*text).to_owned()));
    let collection =
        Arc::new(Collection::new(Corpus::new(documents.collect()), Chunking::default()));
    for (stop_words, expected) in [(StopWords::English, ENGLISH), (StopWords::None, NONE)] {
        let options = Options { stem: Stem::English, stop_words };
        let embedder = Arc::new(StaticTable);
        let retriever =
            Retriever::with(Arc::clone(&collection), Method::Bm25, options, embedder).unwrap();
        for (query, expected) in QUERIES.iter().zip(expected) {
            let hits = retriever.search(query, 3).unwrap().hits;
            assert_eq!(hits.len(), expected.len(), "{query}");
            for (hit, (text, score)) in hits.iter().zip(expected) {
                assert_eq!(hit.passage, *text, "{stop_words}: {query}");
                let difference = (hit.score - FACTOR * score).abs();
                assert!(difference < 1e-5, "{stop_words}: {query}: {} {score}", hit.score);
            }
        }
    }
}
