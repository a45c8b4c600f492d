//! The order of lines in a file means nothing.

use std::fs;

use assize_engine::retrieval::ranked::{Qrels, RankedOptions, Reading, score_file};
use assize_methods::retrieval::ranked::Measure;
use proptest::prelude::*;

/// Lines of a run with ties, and the same lines in another order.
fn orders() -> impl Strategy<Value = (Vec<String>, Vec<String>)> {
    let document = (0..4_u8, 0..30_u8).prop_map(|(query, document)| (query, document));
    let documents = prop::collection::btree_map(document, 0..5_u8, 1..60);
    let lines = documents.prop_map(|documents| {
        let line =
            |((query, document), score)| format!("q{query} Q0 d{document} 1 {score}.5 tag\n");
        documents.into_iter().map(line).collect::<Vec<String>>()
    });
    lines.prop_flat_map(|lines| (Just(lines.clone()), Just(lines).prop_shuffle()))
}

proptest! {
    #[test]
    fn shuffled_lines_give_the_same_bits((lines, shuffled) in orders()) {
        let folder = tempfile::tempdir().unwrap();
        let judgements: Vec<(String, String, i32)> = (0..4)
            .flat_map(|query| (0..15).map(move |number| (query, number)))
            .map(|(query, number)| (format!("q{query}"), format!("d{}", number * 2), (query + number) % 4 - 1))
            .collect();
        let judgements = judgements.iter().map(|(query, document, level)| (&**query, &**document, *level));
        let qrels = Qrels::from_judgements(judgements).unwrap();
        let measures = Measure::parse_all("all_trec").unwrap();
        let board = |name: &str, lines: &[String]| {
            let path = folder.path().join(name);
            fs::write(&path, lines.concat()).unwrap();
            let mut board =
                score_file(&path, &Reading::default(), &qrels, &measures, &RankedOptions::default()).unwrap();
            board.notices.clear();
            board
        };
        prop_assert_eq!(board("a", &lines), board("b", &shuffled));
    }
}
