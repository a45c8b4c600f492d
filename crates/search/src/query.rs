//! What a query says: which document it means, and what it asks about it.

/// A query taken apart.
///
/// Benchmarks of the LegalBench-RAG kind name the document first: "Consider the
/// Non-Disclosure Agreement between A and B; does it …?". What stands before the first
/// semicolon is taken for such a naming only if it holds a name; any other query is one
/// whole question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueryParts<'a> {
    /// The part that names a document.
    pub naming: Option<&'a str>,
    /// The part that asks; the whole query when no document is named.
    pub question: &'a str,
}

impl<'a> QueryParts<'a> {
    /// Takes a query apart.
    pub fn of(query: &'a str) -> Self {
        let whole = Self { naming: None, question: query.trim() };
        let Some((before, after)) = query.split_once(';') else {
            return whole;
        };
        let (naming, question) = (before.trim(), after.trim());
        if question.is_empty() || !holds_a_name(naming) {
            return whole;
        }
        Self { naming: Some(without_introduction(naming)), question }
    }
}

/// Words that introduce a document and are no part of its name.
const INTRODUCTIONS: [&str; 8] =
    ["consider", "regarding", "concerning", "given", "about", "see", "take", "review"];

fn without_introduction(naming: &str) -> &str {
    let Some((first, rest)) = naming.split_once(char::is_whitespace) else {
        return naming;
    };
    let introduces = INTRODUCTIONS.iter().any(|word| first.eq_ignore_ascii_case(word));
    if introduces { rest.trim_start() } else { naming }
}

/// Whether some word after the first has a capital or a digit, or something is quoted.
fn holds_a_name(text: &str) -> bool {
    let named =
        |word: &str| word.chars().any(|letter| letter.is_uppercase() || letter.is_numeric());
    text.contains(['"', '\u{201c}']) || text.split_whitespace().skip(1).any(named)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_named_document_is_told_from_the_question() {
        let parts = QueryParts::of("Consider EFCA's Non-Disclosure Agreement; Does it end; when?");
        assert_eq!(parts.naming, Some("EFCA's Non-Disclosure Agreement"));
        assert_eq!(parts.question, "Does it end; when?");
        let parts = QueryParts::of("Consider \"fiverr\"'s privacy policy; who sees my tasks?");
        assert_eq!(parts.naming, Some("\"fiverr\"'s privacy policy"));
    }

    #[test]
    fn a_semicolon_alone_names_nothing() {
        for query in ["What is the fee; when is it due?", "Consider Acme;", "the term", ""] {
            let expected = QueryParts { naming: None, question: query };
            assert_eq!(QueryParts::of(query), expected);
        }
    }
}
