//! Tests of the string functions; every expected value was printed by Python 3.11.

use super::*;

#[test]
fn lower_borrows_what_is_lower_already() {
    assert!(matches!(lower("straße, 12 ½ καί"), Cow::Borrowed(_)));
    assert!(matches!(lower("A"), Cow::Owned(_)));
}

#[test]
fn a_capital_sigma_is_final_only_after_a_letter_and_before_none() {
    assert_eq!(lower("ΑΣ"), "ας");
    assert_eq!(lower("Σ"), "σ");
    assert_eq!(lower("ΣΑ"), "σα");
    assert_eq!(lower("ΑΣΑ"), "ασα");
    assert_eq!(lower("Α.Σ. Β"), "α.ς. β");
    assert_eq!(lower("Α.Σ.Β"), "α.σ.β");
    assert_eq!(lower("Α Σ"), "α σ");
    assert_eq!(lower("1Σ"), "1σ");
}

#[test]
fn letters_that_got_a_lower_case_after_unicode_14_stay_as_they_are() {
    // U+A7CB (Unicode 16) and U+10D50 (Garay, Unicode 16).
    assert_eq!(lower("\u{a7cb}\u{10d50}"), "\u{a7cb}\u{10d50}");
}

#[test]
fn lower_maps_single_letters_as_python_does() {
    assert_eq!(lower("ÀŸǅẞKΩ"), "àÿǆßkω");
    assert_eq!(lower("ꭰᏸᎠ"), "ꭰᏸꭰ");
    assert_eq!(lower("𐐀𞤀"), "𐐨𞤢");
}

#[test]
fn alphanumeric_is_letters_and_any_number_but_no_marks() {
    for yes in ["a", "9", "²", "Ⅷ", "٣", "ª", "한", "𝟘"] {
        assert!(is_alnum(yes), "{yes}");
    }
    // Circled letters and marks are alphabetic for Rust, not for Python.
    for no in ["ⓐ", "\u{903}", "_", "-", " ", "a b", "\u{10d50}", "\u{345}"] {
        assert!(!is_alnum(no), "{no:?}");
    }
}

#[test]
fn white_space_includes_the_four_separators_of_ascii() {
    let spaces = (char::MIN..=char::MAX).filter(|c| is_space(*c)).count();
    assert_eq!(spaces, 29);
    assert_eq!(strip("\u{1c}\u{a0} a b \u{2029}\u{1f}"), "a b");
    assert_eq!(strip_end(" a\u{85}"), " a");
    assert!(!is_space('\u{200b}') && !is_space('\u{feff}'));
}
