//! What holds for any text at all.

use assize_text::CodePoints;
use assize_text::normalize::collapse;
use assize_text::quote::{How, locate};
use assize_text::shorten::shorten;
use assize_text::tokens::count_alnum_tokens;
use assize_text::{
    TokenBag, alnum_tokens, for_matching, lower_strip, python, sentences, word_tokens,
};
use proptest::prelude::*;

/// Any text, and text in which the marks that rules are about are frequent.
fn text() -> impl Strategy<Value = String> {
    let marks = prop::sample::select(vec![
        ".", "...", ". . .", "!", "?", ",", ":", ";", "'", "''", "\"", "`", "“", "”", "’", "«",
        "--", "-", "—", "(", ")", " ", "  ", "\n", "\u{1c}", "\u{a0}", "É", "Σ", "İ", "ß", "ﬁ",
        "…", "日", "cannot", "'tis", "n't", "Mr.", "U.S.", "5", "1,000.5", "The", "word", "x", "ⓐ",
    ]);
    prop_oneof![
        any::<String>(),
        prop::collection::vec(marks, 0..40).prop_map(|parts| parts.concat())
    ]
}

proptest! {
    #[test]
    fn sentences_lie_in_order_with_white_space_between_them(text in text()) {
        let mut end = 0;
        for range in sentences(&text) {
            prop_assert!(range.start < range.end && end <= range.start);
            prop_assert!(text.get(range.clone()).is_some());
            prop_assert_eq!(python::strip(&text[end..range.start]), "");
            end = range.end;
        }
        prop_assert_eq!(python::strip(&text[end..]), "");
    }

    #[test]
    fn word_tokens_are_the_text_without_white_space(text in text()) {
        let squeeze = |text: &str| -> String {
            let plain = text.replace("``", "\"").replace("''", "\"");
            plain.chars().filter(|c| !python::is_space(*c)).collect()
        };
        let tokens = word_tokens(&text);
        prop_assert!(tokens.iter().all(|token| !token.is_empty()));
        prop_assert!(tokens.iter().all(|token| !token.contains(python::is_space)));
        // Quotes are rewritten, so they are compared without their shape.
        let unquoted = |text: String| text.replace(['"', '\'', '`'], "");
        prop_assert_eq!(unquoted(squeeze(&tokens.concat())), unquoted(squeeze(&text)));
    }

    #[test]
    fn alnum_tokens_are_lower_case_letters_and_digits(text in text()) {
        let tokens = alnum_tokens(&text);
        prop_assert!(tokens.iter().all(|token| python::is_alnum(token)));
        prop_assert_eq!(tokens.len(), count_alnum_tokens(&text));
        prop_assert_eq!(TokenBag::of(&text).total(), tokens.len());
        prop_assert_eq!(tokens, alnum_tokens(&for_matching(&text)));
    }

    #[test]
    fn normal_forms_do_not_change_again(text in text()) {
        let collapsed = collapse(&text);
        prop_assert_eq!(collapse(&collapsed), collapsed.as_ref());
        let normal = for_matching(&text);
        prop_assert_eq!(for_matching(&normal), normal.as_ref());
        let lowered = python::lower(&text);
        prop_assert_eq!(normal, collapse(&lowered));
        prop_assert_eq!(lower_strip(&text), python::strip(&lowered));
    }

    #[test]
    fn a_shortened_text_is_a_start_of_it_within_the_limit(text in text(), limit in 0_usize..12) {
        let short = shorten(&text, limit);
        prop_assert!(python::strip(&text).starts_with(short));
        prop_assert!(count_alnum_tokens(short) <= limit);
    }

    #[test]
    fn every_sentence_of_a_text_is_an_exact_quotation_of_it(text in text()) {
        for range in sentences(&text) {
            let sentence = python::strip(&text[range]);
            if sentence.contains(python::is_alnum_char) {
                let located = locate(sentence, &text);
                let quoted = located.as_ref().map(|located| &text[located.bytes.clone()]);
                let is_whole = quoted == Some(sentence);
                // A sentence of one word may stand inside a longer one only.
                prop_assert!(is_whole || sentence.split_whitespace().count() < 3, "{located:?}");
                prop_assert!(located.is_none_or(|located| !is_whole || located.how == How::Exact));
            }
        }
    }

    #[test]
    fn any_quotation_is_found_on_character_boundaries_or_not_at_all(source in text(), quotation in text()) {
        if let Some(located) = locate(&quotation, &source) {
            prop_assert!(source.get(located.bytes.clone()).is_some_and(|quoted| !quoted.is_empty()));
        }
    }

    #[test]
    fn a_span_cuts_the_bytes_it_was_made_from(text in text(), ends in prop::collection::vec(any::<prop::sample::Index>(), 2)) {
        let places: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
        let (one, other) = (*ends[0].get(&places), *ends[1].get(&places));
        let bytes = one.min(other)..one.max(other);
        let span = CodePoints::of(&text).span(bytes.clone());
        prop_assert_eq!(span.len(), text[bytes.clone()].chars().count());
        prop_assert_eq!(span.cut(&text), Some(&text[bytes]));
    }
}
