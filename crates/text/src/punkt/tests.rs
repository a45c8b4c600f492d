//! Tests of the rules; every expected value was printed by NLTK 3.10.4.

use super::sentences;

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let found: Vec<&str> = sentences(text).map(|range| &text[range]).collect();
    assert_eq!(found, expected);
}

#[test]
fn abbreviations_do_not_end_a_sentence() {
    check("Mr. Smith met Dr. Jones. They spoke.", &["Mr. Smith met Dr. Jones.", "They spoke."]);
    check(
        "It is the U.S. dollar. It is here at 5 p.m. on Monday.",
        &["It is the U.S. dollar.", "It is here at 5 p.m. on Monday."],
    );
}

#[test]
fn an_abbreviation_ends_a_sentence_before_a_typical_starter() {
    check(
        "He works for Acme Corp. The firm is old.",
        &["He works for Acme Corp.", "The firm is old."],
    );
    check("Made in the U.S. However, it broke.", &["Made in the U.S.", "However, it broke."]);
    check("made in the u.s. however, it broke.", &["made in the u.s. however, it broke."]);
}

#[test]
fn initials_and_ordinals_do_not_end_a_sentence() {
    check("J. Bach and S. Levine met.", &["J. Bach and S. Levine met."]);
    check("see 5. international law", &["see 5. international law"]);
    check(
        "Item 1. The rent. Item 2. the deposit.",
        &["Item 1.", "The rent.", "Item 2. the deposit."],
    );
}

#[test]
fn an_ellipsis_ends_a_sentence_only_before_a_starter() {
    check("Wait... what is it? Well... The end.", &["Wait... what is it?", "Well...", "The end."]);
    check("so . . . and. . . . on", &["so .", ".", ".", "and.", ".", ".", ".", "on"]);
}

#[test]
fn closing_marks_go_with_the_sentence_they_close() {
    check(
        "(One.) Two. \"Three.\" 'Four!' Five?",
        &["(One.)", "Two.", "\"Three.\"", "'Four!'", "Five?"],
    );
    check("He left.”  She stayed.» So.", &["He left.”", "She stayed.»", "So."]);
    check("A.)-- b. 'c'", &["A.)", "-- b.", "'c'"]);
}

#[test]
fn hyphenated_abbreviations_are_known_by_their_last_part() {
    check("A non-u.s. firm. A well-known. firm.", &["A non-u.s. firm.", "A well-known.", "firm."]);
}

#[test]
fn question_and_exclamation_marks_always_end_one() {
    check("Why?! No!! yes? ok", &["Why?!", "No!!", "yes?", "ok"]);
    check("what?no? x!y", &["what?no?", "x!y"]);
}

#[test]
fn leading_white_space_belongs_to_the_first_sentence() {
    check("  a. b. \n", &["  a. b."]);
    check("\n\na b. c", &["\n\na b. c"]);
    check("   ", &[]);
}

#[test]
fn a_line_end_separates_words() {
    check("a b.\nc d.\n\ne", &["a b.\nc d.\n\ne"]);
    check("a.\u{a0}b. c", &["a.\u{a0}b. c"]);
}
