//! Texts of judges and people, made harmless for spreadsheets and paper.

use assize_score::rounding::half_up;

use crate::report::{Citation, Override, Section, SectionValue};

/// What makes a spreadsheet read a text as a formula, full-width forms included.
const FORMULA_STARTS: [char; 10] = ['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠'];
/// Decimal places of a score that readers see.
const SCORE_PLACES: u32 = 2;

/// The text with one kind of line end, and a visible mark for other control characters.
pub(crate) fn plain(text: &str) -> String {
    let unified = text.replace("\r\n", "\n").replace('\r', "\n");
    let shown = |character: char| match character {
        '\n' | '\t' => character,
        _ if character.is_control() || is_noncharacter(character) => char::REPLACEMENT_CHARACTER,
        _ => character,
    };
    unified.chars().map(shown).collect()
}

/// Whether a spreadsheet may take the text for a formula.
///
/// Spaces and apostrophes in front are looked past: some programs drop them.
pub(crate) fn looks_like_formula(text: &str) -> bool {
    text.trim_start_matches(['\'', ' ', '\u{a0}', '\n']).starts_with(FORMULA_STARTS)
}

/// A score as readers see it: at most two decimals, none for nothing.
pub(crate) fn score(value: f64) -> String {
    number(value, SCORE_PLACES)
}

/// A number with at most so many decimals, and no zeros at its end.
pub(crate) fn number(value: f64, places: u32) -> String {
    if !value.is_finite() {
        return "not a number".to_owned();
    }
    let rounded = half_up(value, places);
    if rounded == 0.0 { "0".to_owned() } else { rounded.to_string() }
}

/// A section's value as text; lists with one line for each entry.
pub(crate) fn value(value: &SectionValue) -> String {
    match value {
        SectionValue::Number(number) => number.to_string(),
        SectionValue::Text(text) => text.clone(),
        SectionValue::List(entries) => {
            entries.iter().map(|entry| format!("• {entry}")).collect::<Vec<_>>().join("\n")
        }
    }
}

/// The value of the section of that name, if there is one.
pub(crate) fn section<'a>(sections: &'a [Section], name: &str) -> Option<&'a SectionValue> {
    sections.iter().find(|section| section.name == name).map(|section| &section.value)
}

/// Where a citation stands, for readers.
pub(crate) fn place(citation: &Citation) -> String {
    if citation.is_missing() {
        return "not found in the document".to_owned();
    }
    if !citation.found {
        return citation.matched.clone();
    }
    let page = citation.page.map(|page| format!("page {page}"));
    let span = citation.start.zip(citation.end).map(|(start, end)| format!("{start}–{end}"));
    let matched = (!citation.matched.is_empty()).then(|| citation.matched.clone());
    let parts: Vec<_> = [page, span, matched].into_iter().flatten().collect();
    parts.join(", ")
}

/// What an override says: a score, a state, that it takes another back, or only sections.
pub(crate) fn override_verdict(made: &Override) -> String {
    match (made.is_withdrawal, made.score, &made.state) {
        (true, _, _) => "withdrawn".to_owned(),
        (_, Some(value), _) => score(value),
        (_, _, Some(state)) => state.words().to_owned(),
        _ => "sections only".to_owned(),
    }
}

/// An override in one line: what, who, when, why.
pub(crate) fn override_line(made: &Override) -> String {
    format!("{} by {}, {}: {}", override_verdict(made), made.who, made.when, made.why)
}

fn is_noncharacter(character: char) -> bool {
    matches!(u32::from(character) & 0xFFFF, 0xFFFE | 0xFFFF)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_become_visible_and_line_ends_one_kind() {
        assert_eq!(plain("a\r\nb\rc\0d\u{1b}[31m\u{85}\u{ffff}\te"), "a\nb\nc�d�[31m��\te");
    }

    #[test]
    fn texts_that_begin_like_a_formula_are_seen_behind_spaces_and_quotes() {
        for text in ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", " =1", "'=1", "＝1"] {
            assert!(looks_like_formula(text), "{text:?}");
        }
        for text in ["", "1-1", "AC-2", "a=b", "• -1"] {
            assert!(!looks_like_formula(text), "{text:?}");
        }
    }

    #[test]
    fn scores_have_no_zeros_at_their_end() {
        assert_eq!(score(80.5), "80.5");
        assert_eq!(score(81.0), "81");
        assert_eq!(score(66.666_666), "66.67");
        assert_eq!(score(-0.001), "0");
        assert_eq!(score(f64::NAN), "not a number");
    }

    #[test]
    fn a_citation_that_is_not_there_says_so_and_gives_no_page() {
        let mut citation = Citation { page: Some(3), ..Citation::default() };
        assert_eq!(place(&citation), "not found in the document");
        let old = Citation { matched: "not looked up".to_owned(), ..citation.clone() };
        assert_eq!(place(&old), "not looked up");
        citation.found = true;
        citation.matched = "fuzzy".into();
        assert_eq!(place(&citation), "page 3, fuzzy");
    }
}
