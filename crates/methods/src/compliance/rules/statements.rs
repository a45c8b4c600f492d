//! A document as statements: sentences with their terms, their force and their paragraph.

use std::ops::Range;

use assize_text::sentences;

use super::denial::{self, Said};
use super::lexicon::Lexicon;

/// How firmly a statement is made; from weak to strong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Force {
    /// A heading names a subject and states nothing.
    Heading,
    /// A recommendation, a plan or a question.
    Tentative,
    /// A fact or a duty.
    Firm,
}

impl Force {
    /// From weak to strong.
    pub(super) const ALL: [Self; 3] = [Self::Heading, Self::Tentative, Self::Firm];

    /// What a statement of this force is worth.
    pub(super) fn worth(self) -> f64 {
        match self {
            Self::Heading => 0.5,
            Self::Tentative => 0.75,
            Self::Firm => 1.0,
        }
    }
}

const TENTATIVE_WORDS: [&str; 14] = [
    "should",
    "may",
    "might",
    "could",
    "plans",
    "planned",
    "planning",
    "intends",
    "intend",
    "aims",
    "considers",
    "recommended",
    "encouraged",
    "eventually",
];
const BINDING_WORDS: [&str; 7] =
    ["must", "shall", "will", "required", "requires", "ensures", "always"];

/// One sentence, heading or item of a list.
#[derive(Debug, Clone)]
pub(super) struct Statement {
    /// Where it stands, without white space and list marks around it.
    pub bytes: Range<usize>,
    /// How firmly it is made.
    pub force: Force,
    /// Its paragraph, counted from 0.
    pub paragraph: u32,
    /// The paragraph of the heading above it; its own if there is none.
    pub heading: u32,
    /// Whether it holds a denial.
    pub denies: bool,
    /// Whether it says that something does not apply.
    pub is_not_applicable: bool,
}

/// Where a term stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Posting {
    /// The statement.
    pub statement: u32,
    /// Whether it is denied there.
    pub is_denied: bool,
}

/// A document read with the words of a criteria set: read once, judged many times.
pub struct Reading<'t> {
    /// The document.
    pub(super) text: &'t str,
    pub(super) statements: Vec<Statement>,
    pub(super) paragraphs: usize,
    /// For each term of the lexicon, where it stands, in order.
    pub(super) postings: Vec<Vec<Posting>>,
}

impl<'t> Reading<'t> {
    pub(super) fn of(text: &'t str, lexicon: &Lexicon) -> Self {
        let mut reading = Self {
            text,
            statements: Vec::new(),
            paragraphs: 0,
            postings: vec![Vec::new(); lexicon.len()],
        };
        let mut heading = None;
        for paragraph in paragraphs(text) {
            let number = u32::try_from(reading.paragraphs).unwrap_or(u32::MAX);
            for piece in pieces(text, paragraph) {
                let is_heading = text[piece.clone()].starts_with('#');
                if is_heading {
                    heading = Some(number);
                }
                for sentence in sentences(&text[piece.clone()]) {
                    let bytes = piece.start + sentence.start..piece.start + sentence.end;
                    let place = (number, heading.unwrap_or(number));
                    reading.take(bytes, place, is_heading, lexicon);
                }
            }
            reading.paragraphs += 1;
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

    fn take(
        &mut self,
        bytes: Range<usize>,
        (paragraph, heading): (u32, u32),
        is_heading: bool,
        lexicon: &Lexicon,
    ) {
        let bytes = trimmed(self.text, bytes);
        let text = &self.text[bytes.clone()];
        if !text.contains(char::is_alphanumeric) {
            return;
        }
        let Said { terms, denies } = denial::read(text, lexicon);
        let statement = u32::try_from(self.statements.len()).unwrap_or(u32::MAX);
        for marked in terms {
            let posting = Posting { statement, is_denied: marked.is_denied };
            self.postings[marked.term as usize].push(posting);
        }
        let force = if is_heading { Force::Heading } else { force(text) };
        let is_not_applicable = is_not_applicable(text);
        let statement = Statement { bytes, force, paragraph, heading, denies, is_not_applicable };
        self.statements.push(statement);
    }
}

/// How firmly a sentence is made.
fn force(text: &str) -> Force {
    let has = |words: &[&str]| {
        let mut found = text.split(|letter: char| !letter.is_alphanumeric());
        found.any(|word| words.iter().any(|known| known.eq_ignore_ascii_case(word)))
    };
    let is_tentative = text.ends_with('?') || (has(&TENTATIVE_WORDS) && !has(&BINDING_WORDS));
    if is_tentative { Force::Tentative } else { Force::Firm }
}

fn is_not_applicable(text: &str) -> bool {
    let lower = text.to_lowercase();
    ["not applicable", "does not apply", "do not apply"].iter().any(|words| lower.contains(words))
        || lower.trim_end_matches('.') == "n/a"
}

/// The paragraphs of a text: what stands between empty lines.
fn paragraphs(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < text.len() {
            let start = at;
            let mut end = start;
            for line in text[start..].split_inclusive('\n') {
                at += line.len();
                if line.trim().is_empty() {
                    break;
                }
                end = at;
            }
            if end > start {
                return Some(start..end);
            }
        }
        None
    })
}

/// The parts of a paragraph that are read apart: headings, items of lists, rows of tables, and
/// the lines between them as one.
fn pieces(text: &str, paragraph: Range<usize>) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut at = paragraph.start;
    let mut after_heading = true;
    for line in text[paragraph].split_inclusive('\n') {
        let start = at;
        at += line.len();
        let bare = line.trim_start();
        let is_heading = bare.starts_with('#');
        let is_item = is_heading || bare.starts_with('|') || is_list_item(bare);
        match found.last_mut() {
            Some(last) if !is_item && !after_heading => last.end = at,
            _ => found.push(start + (line.len() - bare.len())..at),
        }
        after_heading = is_heading;
    }
    found
}

fn is_list_item(line: &str) -> bool {
    let rest = line.trim_start_matches(['-', '*', '•', '+']);
    if rest.len() < line.len() {
        return rest.starts_with(' ');
    }
    let rest = line.trim_start_matches(|letter: char| letter.is_ascii_digit());
    rest.len() < line.len() && (rest.starts_with(". ") || rest.starts_with(") "))
}

/// A range without white space and list marks around it.
fn trimmed(text: &str, bytes: Range<usize>) -> Range<usize> {
    let part = &text[bytes.clone()];
    let inner =
        part.trim_start_matches(|mark: char| mark.is_whitespace() || "#*-•+|".contains(mark));
    let start = bytes.end - inner.len();
    start..start + inner.trim_end_matches(|mark: char| mark.is_whitespace() || mark == '|').len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn statements(text: &str) -> Vec<(&str, f64, u32)> {
        let lexicon = Lexicon::of(std::iter::empty());
        let reading = Reading::of(text, &lexicon);
        let shown = |statement: &Statement| {
            (&text[statement.bytes.clone()], statement.force.worth(), statement.paragraph)
        };
        reading.statements.iter().map(shown).collect()
    }

    #[test]
    fn headings_items_and_wrapped_lines_are_told_apart() {
        let text =
            "# Reviews\nAccounts are reviewed\nevery month. Owners decide.\n\n* One\n* Two\n";
        let expected = [
            ("Reviews", 0.5, 0),
            ("Accounts are reviewed\nevery month.", 1.0, 0),
            ("Owners decide.", 1.0, 0),
            ("One", 1.0, 1),
            ("Two", 1.0, 1),
        ];
        assert_eq!(statements(text), expected);
    }

    #[test]
    fn a_plan_or_a_recommendation_is_worth_less() {
        let force = |text: &str| statements(text)[0].1;
        assert_eq!(force("The team should review accounts."), 0.75);
        assert_eq!(force("The team plans to review accounts."), 0.75);
        assert_eq!(force("Accounts that may be shared must be reviewed."), 1.0);
        assert_eq!(force("Accounts are reviewed."), 1.0);
    }

    #[test]
    fn what_does_not_apply_is_noticed() {
        assert!(is_not_applicable("Not applicable."));
        assert!(is_not_applicable("This does not apply to us."));
        assert!(is_not_applicable("N/A"));
        assert!(!is_not_applicable("See applicable laws."));
    }
}
