//! Looking up a judge's quotes in the texts they are said to come from.

use assize_text::CodePoints;
use assize_text::quote::Source;

use crate::summary::evidence::Quote;
use crate::summary::input::SummaryPair;

/// Both texts, ready to be quoted from.
#[derive(Debug)]
pub struct Sources<'text> {
    article: Text<'text>,
    summary: Text<'text>,
}

#[derive(Debug)]
struct Text<'text> {
    whole: &'text str,
    source: Source<'text>,
    points: CodePoints<'text>,
}

impl<'text> Sources<'text> {
    /// Of a pair.
    pub fn of(pair: &SummaryPair<'text>) -> Self {
        Self { article: Text::of(pair.article()), summary: Text::of(pair.summary()) }
    }

    /// Words of the article; without a place if they are not there.
    pub fn in_article(&self, words: Option<&str>) -> Option<Quote> {
        words.map(|words| self.article.quote(words))
    }

    /// Words of the summary; without a place if they are not there.
    pub fn in_summary(&self, words: Option<&str>) -> Option<Quote> {
        words.map(|words| self.summary.quote(words))
    }
}

impl<'text> Text<'text> {
    fn of(text: &'text str) -> Self {
        Self { whole: text, source: Source::new(text), points: CodePoints::of(text) }
    }

    /// The words as the text has them and where, or as the judge wrote them and nowhere.
    fn quote(&self, words: &str) -> Quote {
        match self.source.locate(words) {
            Some(found) => {
                Quote::at(&self.whole[found.bytes.clone()], self.points.span(found.bytes))
            }
            None => Quote::not_found(words),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quote_is_looked_up_in_its_own_text_and_counted_in_code_points() {
        let pair = SummaryPair::new("Zoë’s ferry sank. It was old.", "The ferry was new.").unwrap();
        let sources = Sources::of(&pair);
        let found = sources.in_article(Some("it was old")).unwrap();
        assert_eq!(found.text, "It was old");
        assert_eq!(found.span.map(|span| (span.start(), span.end())), Some((18, 28)));
        assert_eq!(sources.in_summary(Some("It was old")).unwrap().span, None);
        assert_eq!(sources.in_summary(None), None);
    }
}
