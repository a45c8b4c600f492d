//! What holds for any text at all.

use assize_text::normalize::collapse;
use assize_text::quote::{How, locate};
use assize_text::segments::segments;
use assize_text::shorten::shorten;
use assize_text::span::{CodePoints, Span, count_distinct, merge};
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
            prop_assert!(Span::new(&text, range.clone()).is_some());
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
    fn segments_lie_in_order_and_leave_out_no_word(text in text()) {
        let mut end = 0;
        for span in segments(&text) {
            prop_assert!(end <= span.start() && !span.is_empty());
            prop_assert!(!text[end..span.start()].contains(python::is_alnum_char));
            end = span.end();
        }
        prop_assert!(!text[end..].contains(python::is_alnum_char));
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
                let is_whole = located.is_some_and(|located| located.span.of(&text) == sentence);
                // A sentence of one word may stand inside a longer one only.
                prop_assert!(is_whole || sentence.split_whitespace().count() < 3, "{located:?}");
                prop_assert!(located.is_none_or(|located| !is_whole || located.how == How::Exact));
            }
        }
    }

    #[test]
    fn any_quotation_is_found_on_character_boundaries_or_not_at_all(source in text(), quotation in text()) {
        if let Some(located) = locate(&quotation, &source) {
            prop_assert!(Span::new(&source, located.span.range()).is_some());
            prop_assert!(!located.span.is_empty());
        }
    }

    #[test]
    fn code_points_lead_there_and_back(text in text(), ends in prop::collection::vec(any::<prop::sample::Index>(), 2)) {
        let places: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
        let (one, other) = (*ends[0].get(&places), *ends[1].get(&places));
        let span = Span::new(&text, one.min(other)..one.max(other)).unwrap();
        let points = CodePoints::new(&text);
        let range = points.of_span(span);
        prop_assert_eq!(range.len(), span.of(&text).chars().count());
        prop_assert_eq!(points.to_span(range), Some(span));
    }

    #[test]
    fn merging_keeps_every_byte_and_no_overlap(ranges in prop::collection::vec((0_usize..60, 0_usize..60), 0..12)) {
        let text = "x".repeat(60);
        let spans: Vec<Span> =
            ranges.iter().map(|(a, b)| Span::new(&text, *a.min(b)..*a.max(b)).unwrap()).collect();
        let merged = merge(&spans);
        let covered = |spans: &[Span], byte| spans.iter().any(|span| span.range().contains(&byte));
        for byte in 0..60 {
            prop_assert_eq!(covered(&spans, byte), covered(&merged, byte));
        }
        prop_assert!(merged.windows(2).all(|pair| pair[0].end() < pair[1].start()));
        prop_assert!(count_distinct(&spans) >= merged.iter().filter(|span| !span.is_empty()).count());
    }
}
