//! Tests of what counts as a quotation and where it is found.

use super::*;

const SOURCE: &str = "The Receiving Party shall not disclose “Confidential Information” to any \
    third party for 5 years. The Disclosing Party may, at its sole discretion, waive this \
    obligation in writing – but only after 30 days’ notice.";

#[track_caller]
fn found(quotation: &str) -> (How, &'static str) {
    let located = locate(quotation, SOURCE).expect("the quotation should be found");
    (located.how, &SOURCE[located.bytes])
}

#[test]
fn a_verbatim_quotation_is_exact() {
    assert_eq!(found(" for 5 years. ").0, How::Exact);
    assert_eq!(found("The Disclosing Party may").1, "The Disclosing Party may");
}

#[test]
fn a_whole_word_is_preferred_and_short_quotations_need_one() {
    assert_eq!(locate("art", SOURCE), None);
    assert_eq!(found("any").1, "any");
    let source = "parties party";
    assert_eq!(locate("part", source), None);
    assert_eq!(locate("party", source).unwrap().bytes.start, 8);
    assert_eq!(found("at its sole discr").0, How::Exact);
}

#[test]
fn case_space_quotes_and_dashes_do_not_matter() {
    let quotation = "\"shall NOT\n disclose \"confidential information\"\"";
    assert_eq!(
        found(quotation),
        (How::Normalized, "shall not disclose “Confidential Information”")
    );
    assert_eq!(found("in writing - but only after 30 days' notice").0, How::Normalized);
    assert_eq!(found("...waive this obligation…").1, "waive this obligation");
}

#[test]
fn an_ellipsis_may_stand_for_what_was_left_out() {
    let (how, part) = found("The Receiving Party shall not disclose [...] for 5 years");
    assert_eq!(how, How::Elided);
    assert!(part.starts_with("The Receiving") && part.ends_with("5 years"));
    // Parts in the wrong order, or too short to mean anything.
    assert_eq!(locate("third party for 5 years ... The Receiving Party shall", SOURCE), None);
    assert_eq!(locate("The ... notice", SOURCE), None);
}

#[test]
fn one_other_word_in_ten_is_near() {
    let (how, part) =
        found("The Disclosing Party may, in its sole discretion, waive this obligation");
    // Ten of eleven words on either side: 20 / 22.
    assert_eq!(how, How::Near { similarity: 20.0 / 22.0 });
    assert_eq!(part, "The Disclosing Party may, at its sole discretion, waive this obligation");
    assert_eq!(found("years the disclosing party").0, How::Near { similarity: 1.0 });
}

#[test]
fn the_share_of_words_for_a_near_match_can_be_chosen() {
    let quotation = "The Disclosing Party can, in its discretion, waive this obligation";
    assert_eq!(locate(quotation, SOURCE), None);
    let located = Source::new(SOURCE).locate_like(quotation, 0.7).unwrap();
    assert_eq!(
        &SOURCE[located.bytes],
        "The Disclosing Party may, at its sole discretion, waive this obligation"
    );
}

#[test]
fn another_number_or_a_lost_negation_is_not_near() {
    let start =
        "The Receiving Party shall not disclose “Confidential Information” to any third party for";
    assert!(locate(&format!("{start} all 5 years"), SOURCE).is_some());
    assert_eq!(locate(&format!("{start} 3 years"), SOURCE), None);
    assert_eq!(locate(&format!("{start} 5 years").replace("not ", ""), SOURCE), None);
}

#[test]
fn blank_and_foreign_quotations_are_nowhere() {
    assert_eq!(locate("", SOURCE), None);
    assert_eq!(locate(" “…” ", SOURCE), None);
    assert_eq!(locate("Nothing of this kind was ever agreed", SOURCE), None);
    assert_eq!(locate("anything", ""), None);
}
