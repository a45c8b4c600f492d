//! A document as statements: sentences with their words, how they are meant, and their place.

use std::ops::Range;

use assize_text::sentences;
use assize_text::word_vectors;
use rustc_hash::FxHashMap;

use super::addressed;
use super::lists::LISTS;
use super::pieces::{Piece, PieceKind, pieces};
use super::sentence::Sentence;
use super::stance::{Stance, is_sentence, stance};

/// A heading at the beginning of its paragraph has at most so many words.
const RUN_IN_WORDS: usize = 5;

/// A longer sentence is cut: no reader takes in more, and what looks at all words of a sentence for
/// each of them stays quick whatever a document holds.
const WORDS_MAX: usize = 150;

/// One sentence, heading or item of a list.
#[derive(Debug, Clone)]
pub(super) struct Statement {
    /// Where it stands, without white space and list marks around it.
    pub bytes: Range<usize>,
    pub stance: Stance,
    /// Its paragraph, counted from 0.
    pub paragraph: u32,
    /// The heading above it, or what leads to the list that it stands in.
    pub above: Option<u32>,
    /// What it says.
    pub said: Sentence,
    /// Whether it says that something does not apply.
    pub is_not_applicable: bool,
}

/// A document read once, for all criteria.
pub struct Reading<'t> {
    /// The document.
    pub(super) text: &'t str,
    pub(super) statements: Vec<Statement>,
    /// For each stem the statements that use it, in order.
    pub(super) places: FxHashMap<String, Vec<u32>>,
    /// What each statement points to with its heading, of length one.
    pub(super) directions: Vec<Vec<f32>>,
    /// Sentences that speak to a judge instead of a reader.
    pub(super) addressed: Vec<Range<usize>>,
}

impl<'t> Reading<'t> {
    /// Reads a document.
    pub fn new(text: &'t str) -> Self {
        let mut reading = Self {
            text,
            statements: Vec::new(),
            places: FxHashMap::default(),
            directions: Vec::new(),
            addressed: Vec::new(),
        };
        let (mut heading, mut lead) = (None, None);
        for piece in pieces(text) {
            if piece.kind != PieceKind::Item {
                lead = None;
            }
            let first = reading.next();
            for sentence in sentences(&text[piece.bytes.clone()]) {
                let start = piece.bytes.start;
                for bytes in halves(text, start + sentence.start..start + sentence.end) {
                    let above = reading.run_in(first).or(lead).or(heading);
                    reading.take(trimmed(text, bytes), &piece, above);
                }
            }
            let last = reading.next().checked_sub(1).filter(|last| *last >= first);
            if piece.kind == PieceKind::Heading {
                heading = last.or(heading);
            } else if let Some(last) = last
                && text[piece.bytes].trim_end().ends_with(':')
            {
                lead = Some(last);
            }
        }
        reading
    }

    /// How many statements the document makes.
    pub fn len(&self) -> usize {
        self.statements.len()
    }

    /// Whether it makes none.
    pub fn is_empty(&self) -> bool {
        self.statements.is_empty()
    }

    /// A statement on one line, as it is read.
    pub(super) fn text_of(&self, statement: u32) -> String {
        let bytes = self.statements[statement as usize].bytes.clone();
        self.text[bytes].split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// The statement before and after, where they stand in the same paragraph.
    pub(super) fn neighbours(&self, statement: u32) -> [Option<u32>; 2] {
        let paragraph = |index: u32| self.statements.get(index as usize).map(|one| one.paragraph);
        let is_near = |index: &u32| paragraph(*index) == paragraph(statement);
        [statement.checked_sub(1).filter(is_near), statement.checked_add(1).filter(is_near)]
    }

    /// The first statement of a piece if it only names what the rest is about: "**Fire.** Drills …".
    fn run_in(&self, first: u32) -> Option<u32> {
        let statement = self.statements.get(first as usize)?;
        let words = self.text[statement.bytes.clone()].split_whitespace().take(RUN_IN_WORDS + 1);
        (statement.stance == Stance::Named && words.count() <= RUN_IN_WORDS).then_some(first)
    }

    fn next(&self) -> u32 {
        u32::try_from(self.statements.len()).unwrap_or(u32::MAX)
    }

    fn take(&mut self, bytes: Range<usize>, piece: &Piece, above: Option<u32>) {
        let text = &self.text[bytes.clone()];
        if !text.contains(char::is_alphanumeric) {
            return;
        }
        let stance = if addressed::is_addressed(text) {
            self.addressed.push(bytes.clone());
            Stance::Named
        } else {
            self.stance(text, piece, above)
        };
        let said = Sentence::read(text);
        let statement = self.next();
        for word in &said.words {
            let places = self.places.entry(word.stem.clone()).or_default();
            if places.last() != Some(&statement) {
                places.push(statement);
            }
        }
        let mut direction = match above {
            Some(above) => word_vectors::sum(&format!("{} {text}", self.text_of(above))),
            None => word_vectors::sum(text),
        };
        word_vectors::to_length_one(&mut direction);
        self.directions.push(direction);
        let lower = text.to_lowercase();
        let is_not_applicable = LISTS.not_applying.iter().any(|words| lower.contains(words))
            || lower.trim_end_matches('.') == "n/a";
        let paragraph = piece.paragraph;
        self.statements.push(Statement {
            bytes,
            stance,
            paragraph,
            above,
            said,
            is_not_applicable,
        });
    }

    fn stance(&self, text: &str, piece: &Piece, above: Option<u32>) -> Stance {
        if piece.kind == PieceKind::Heading {
            return Stance::Named;
        }
        let own = stance(text);
        // An item goes on with the sentence that leads to its list.
        let lead = above.map(|above| &self.statements[above as usize]).filter(|lead| {
            piece.kind == PieceKind::Item
                && lead.stance > Stance::Named
                && self.text[lead.bytes.clone()].ends_with(':')
        });
        match lead {
            Some(lead) if own == Stance::Named => lead.stance,
            Some(lead) if lead.stance < own => lead.stance,
            // A row of a table states what its cells hold side by side.
            None if own == Stance::Named && piece.kind == PieceKind::Row => {
                let cells = self.text[piece.bytes.clone()]
                    .split('|')
                    .filter(|cell| cell.contains(char::is_alphanumeric));
                let has_number = text.contains(|letter: char| letter.is_ascii_digit());
                if cells.count() > 1 && (has_number || is_sentence(text)) {
                    Stance::Firm
                } else {
                    own
                }
            }
            _ => own,
        }
    }
}

/// A sentence as what stands between its semicolons, where each of these is a sentence ("it is not
/// true that data is copied daily; a copy is made on Fridays" says two things), and cut where it is
/// longer than anybody writes.
fn halves(text: &str, bytes: Range<usize>) -> Vec<Range<usize>> {
    let sentence = &text[bytes.clone()];
    let ends = sentence.match_indices("; ").map(|(at, _)| bytes.start + at + 1);
    let mut start = bytes.start;
    let mut found = Vec::new();
    for end in ends.chain(std::iter::once(bytes.end)) {
        found.push(start..end);
        start = end;
    }
    if found.len() == 1 || !found.iter().all(|half| is_sentence(&text[half.clone()])) {
        found = vec![bytes];
    }
    found.into_iter().flat_map(|half| cut(text, half)).collect()
}

/// A range in pieces of at most so many words; what is no letter and no digit ends a word.
fn cut(text: &str, bytes: Range<usize>) -> Vec<Range<usize>> {
    let (mut found, mut start, mut words, mut is_inside) = (Vec::new(), bytes.start, 0, false);
    for (at, letter) in text[bytes.clone()].char_indices() {
        let begins = letter.is_alphanumeric() && !is_inside;
        is_inside = letter.is_alphanumeric();
        words += usize::from(begins);
        if begins && words > WORDS_MAX {
            found.push(start..bytes.start + at);
            (start, words) = (bytes.start + at, 1);
        }
    }
    found.push(start..bytes.end);
    found
}

/// A range without white space and list marks around it.
fn trimmed(text: &str, bytes: Range<usize>) -> Range<usize> {
    let part = &text[bytes.clone()];
    let inner =
        part.trim_start_matches(|mark: char| mark.is_whitespace() || "#*-•+|".contains(mark));
    let inner = without_number(inner);
    let start = bytes.end - inner.len();
    start..start + inner.trim_end_matches(|mark: char| mark.is_whitespace() || mark == '|').len()
}

/// A text without the number of its section before it: `4.3 Terminals lock`.
fn without_number(text: &str) -> &str {
    // "C.3" as well as "4.3".
    let bare = text.strip_prefix(|first: char| first.is_ascii_uppercase()).unwrap_or(text);
    let rest = bare.trim_start_matches(|mark: char| mark.is_ascii_digit() || mark == '.');
    let number = &bare[..bare.len() - rest.len()];
    let is_number = number.contains('.') && number.contains(|mark: char| mark.is_ascii_digit());
    let rest = rest.strip_prefix(')').unwrap_or(rest);
    if is_number && rest.starts_with(' ') { rest.trim_start() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn statements(text: &str) -> Vec<(&str, Stance)> {
        let reading = Reading::new(text);
        let shown = |statement: &Statement| (&text[statement.bytes.clone()], statement.stance);
        reading.statements.iter().map(shown).collect()
    }

    #[test]
    fn sentences_headings_and_terms_are_told_apart() {
        let text = "# Reviews\nAccounts are reviewed\nevery month. Owners decide on them.\n\n* Access\n* Backup\n";
        let expected = [
            ("Reviews", Stance::Named),
            ("Accounts are reviewed\nevery month.", Stance::Firm),
            ("Owners decide on them.", Stance::Firm),
            ("Access", Stance::Named),
            ("Backup", Stance::Named),
        ];
        assert_eq!(statements(text), expected);
    }

    #[test]
    fn items_go_on_with_the_sentence_that_leads_to_them() {
        let text = "The office manager must:\n- review accounts\n- remove leavers\n";
        assert_eq!(statements(text)[1].1, Stance::Firm);
        let text = "The office manager should:\n- review accounts\n";
        assert_eq!(statements(text)[1].1, Stance::Advised);
        assert_eq!(statements("Topics:\n- accounts\n")[1].1, Stance::Named);
    }

    #[test]
    fn a_heading_may_stand_in_the_line_of_its_text() {
        let text = "Fire. Drills are held every year.\n";
        let reading = Reading::new(text);
        assert_eq!(reading.statements[1].above, Some(0));
        assert_eq!(without_number("C.3 The contractor pays."), "The contractor pays.");
    }

    #[test]
    fn what_does_not_apply_is_noticed() {
        let declares = |text: &str| Reading::new(text).statements[0].is_not_applicable;
        assert!(declares("Not applicable.") && declares("This does not apply to us."));
        assert!(declares("N/A") && !declares("See applicable laws."));
    }

    #[test]
    fn a_sentence_longer_than_anybody_writes_is_cut() {
        let text = "a:".repeat(2 * WORDS_MAX);
        assert_eq!(Reading::new(&text).len(), 2);
    }
}
