//! A document as statements: sentences with their terms, how they are meant, and their place.

use std::ops::Range;

use assize_text::sentences;

use super::addressed;
use super::lexicon::{Lexicon, Term};
use super::meaning::{Near, Plain};
use super::pieces::{Piece, PieceKind, pieces};
use super::quantity::Quantity;
use super::sentence::{Marked, Sentence};
use super::stance::{Stance, is_sentence, stance};

/// Words that lay a duty on somebody: "suppliers **must** encrypt" is no duty of ours.
const OBLIGING: [&str; 8] = [
    " must ",
    " shall ",
    " should ",
    " has to ",
    " have to ",
    " required to ",
    " expected to ",
    " obliged to ",
];

/// A heading at the beginning of its paragraph has at most so many words.
const RUN_IN_WORDS: usize = 5;

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
    pub quantities: Vec<Quantity>,
    /// Whether it points back to the sentence before it.
    pub points_back: bool,
    /// The first word of the sentence that means something.
    pub subject: Option<Term>,
    /// Whether it lays a duty on its subject, or supposes something about it.
    pub obliges: bool,
    /// Whether it says that something does not apply.
    pub is_not_applicable: bool,
}

/// Where a term stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Posting {
    pub statement: u32,
    pub clause: u8,
    /// Whether it is denied there.
    pub is_denied: bool,
    /// Whether it alone is denied, and not its clause.
    pub is_local: bool,
}

/// A document read with the words of a criteria set: read once, judged many times.
pub struct Reading<'t> {
    /// The document.
    pub(super) text: &'t str,
    pub(super) statements: Vec<Statement>,
    pub(super) paragraphs: usize,
    /// For each term of the lexicon, where it stands, in order.
    pub(super) postings: Vec<Vec<Posting>>,
    /// Sentences that speak to a judge instead of a reader.
    pub(super) addressed: Vec<Range<usize>>,
    /// How near its statements come to the words of the criteria.
    pub(super) near: Near,
    plain: Vec<Vec<Plain>>,
    /// The share of a part from which on a statement is rather about it than not.
    pub(super) middle: f64,
    /// For each statement, how much it says of the part of the set that it says most of.
    pub(super) claims: Vec<f64>,
}

impl<'t> Reading<'t> {
    pub(super) fn of(text: &'t str, lexicon: &Lexicon) -> Self {
        let mut reading = Self {
            text,
            statements: Vec::new(),
            paragraphs: 0,
            postings: vec![Vec::new(); lexicon.len()],
            addressed: Vec::new(),
            near: Near::default(),
            plain: Vec::new(),
            middle: 0.0,
            claims: Vec::new(),
        };
        let (mut heading, mut lead) = (None, None);
        for piece in pieces(text) {
            reading.paragraphs = piece.paragraph as usize + 1;
            if piece.kind != PieceKind::Item {
                lead = None;
            }
            let first = reading.next();
            for sentence in sentences(&text[piece.bytes.clone()]) {
                let start = piece.bytes.start;
                for bytes in halves(text, start + sentence.start..start + sentence.end) {
                    let above = reading.run_in(first).or(lead).or(heading);
                    reading.take(trimmed(text, bytes), &piece, above, lexicon);
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
        reading.near = lexicon.meanings.near(&std::mem::take(&mut reading.plain));
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

    /// The first statement of a piece if it only names what the rest is about: "**Fire.** Drills …".
    fn run_in(&self, first: u32) -> Option<u32> {
        let statement = self.statements.get(first as usize)?;
        let words = self.text[statement.bytes.clone()].split_whitespace().count();
        (statement.stance == Stance::Named && words <= RUN_IN_WORDS).then_some(first)
    }

    fn next(&self) -> u32 {
        u32::try_from(self.statements.len()).unwrap_or(u32::MAX)
    }

    fn take(&mut self, bytes: Range<usize>, piece: &Piece, above: Option<u32>, lexicon: &Lexicon) {
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
        let said = Sentence::said(text, lexicon);
        let statement = self.next();
        for marked in &said.terms {
            let clause = u8::try_from(marked.clause).unwrap_or(u8::MAX);
            let Marked { is_denied, is_local, .. } = *marked;
            let posting = Posting { statement, clause, is_denied, is_local };
            self.postings[marked.term as usize].push(posting);
        }
        let lower = text.to_lowercase();
        self.plain.push(said.plain);
        self.statements.push(Statement {
            stance,
            paragraph: piece.paragraph,
            above,
            quantities: said.quantities,
            points_back: said.points_back,
            subject: said.terms.first().map(|marked| marked.term),
            obliges: OBLIGING.iter().any(|words| lower.contains(words)) || lower.starts_with("if "),
            is_not_applicable: is_not_applicable(&lower),
            bytes,
        });
    }

    fn stance(&self, text: &str, piece: &Piece, above: Option<u32>) -> Stance {
        if piece.kind == PieceKind::Heading || piece.is_listed {
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
                let has_sentence = text.contains(|letter: char| letter.is_ascii_digit());
                if cells.count() > 1 && (has_sentence || is_sentence(text)) {
                    Stance::Firm
                } else {
                    own
                }
            }
            _ => own,
        }
    }
}

/// A sentence as what stands between its semicolons, where each of these is a sentence: "it is not
/// true that data is copied daily; a copy is made on Fridays" says two things.
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
        return vec![bytes];
    }
    found
}

fn is_not_applicable(lower: &str) -> bool {
    const DECLARING: [&str; 10] = [
        "not applicable",
        "inapplicable",
        "does not apply",
        "do not apply",
        "not relevant to us",
        "not relevant for us",
        "do not concern us",
        "does not concern us",
        "has no application",
        "have no application",
    ];
    DECLARING.iter().any(|words| lower.contains(words)) || lower.trim_end_matches('.') == "n/a"
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
        let lexicon = Lexicon::of(std::iter::empty());
        let reading = Reading::of(text, &lexicon);
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
        let lexicon = Lexicon::of(std::iter::empty());
        let reading = Reading::of(text, &lexicon);
        assert_eq!(reading.statements[1].above, Some(0));
        assert_eq!(without_number("C.3 The contractor pays."), "The contractor pays.");
    }

    #[test]
    fn what_does_not_apply_is_noticed() {
        assert!(is_not_applicable("not applicable."));
        assert!(is_not_applicable("this does not apply to us."));
        assert!(is_not_applicable("n/a"));
        assert!(!is_not_applicable("see applicable laws."));
    }
}
