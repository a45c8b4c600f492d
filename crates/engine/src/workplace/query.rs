//! The texts of a query with what matches marked: relevance is decided where scores decide it.

use std::num::NonZeroUsize;

use assize_methods::retrieval::passages::alike::Alike;
use assize_methods::retrieval::passages::matching::{Rule, matches};
use assize_methods::retrieval::passages::{Passage, PassageOptions};
use assize_text::quote::locate;
use assize_wire::workplace::{PassageText, QueryTexts};

/// The passages of a query with the golds that each matches, and where they stand in it.
pub(super) fn texts(passages: Vec<String>, gold: Vec<String>) -> QueryTexts {
    let Some(k) = NonZeroUsize::new(passages.len()) else {
        return QueryTexts { passages: Vec::new(), gold };
    };
    let options = PassageOptions { k, ..PassageOptions::default() };
    let of_text = |text: &String| Passage::of_text(text.clone());
    let found: Vec<Passage<'_>> = passages.iter().map(of_text).collect();
    let golds: Vec<Passage<'_>> = gold.iter().map(of_text).collect();
    let found = matches(&Alike::new(&found, &golds, &options));
    let mut all: Vec<PassageText> = (1..)
        .zip(passages)
        .map(|(rank, text)| PassageText { rank, text, golds: Vec::new(), marks: Vec::new() })
        .collect();
    for one in found.matches {
        let passage = &mut all[one.rank - 1];
        passage.golds.push(one.gold);
        let bytes = match one.rule {
            // The whole passage is part of the gold.
            Rule::Equal | Rule::PassageInGold => Some(0..passage.text.len()),
            Rule::GoldInPassage => {
                locate(&gold[one.gold], &passage.text).map(|located| located.bytes)
            }
        };
        if let Some(bytes) = bytes {
            let place = |byte: usize| passage.text[..byte].chars().count();
            let mark = (place(bytes.start), place(bytes.end), one.gold);
            passage.marks.push(mark);
        }
    }
    QueryTexts { passages: all, gold }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gold_inside_a_passage_is_marked_in_code_points() {
        let passages = ["Before. Ünder the  lease it ends.", "Nothing.", "it ends"];
        let gold = ["ünder the lease", "the lease, and it ends then"];
        let owned = |all: &[&str]| all.iter().map(ToString::to_string).collect::<Vec<_>>();
        let found = texts(owned(&passages), owned(&gold));
        assert_eq!(found.passages[0].golds, [0]);
        assert_eq!(found.passages[0].marks, [(8, 24, 0)]);
        assert_eq!(found.passages[1].golds, [0_usize; 0]);
        assert_eq!(
            (found.passages[2].golds.clone(), found.passages[2].marks.clone()),
            (vec![1], vec![(0, 7, 1)])
        );
    }
}
