//! Where clauses begin: sentences, lines, and what a "but" sets against what came before.

/// The starts of the clauses of a folded text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Clauses<'t> {
    text: &'t str,
    /// In rising order; the first is 0.
    starts: Vec<usize>,
}

/// Words that set a clause against the one before.
const TURNS: [&str; 7] =
    ["but ", "however", "nevertheless", "nonetheless", "that said", "anyway", "yet here"];

/// No clause is looked at further than this from a match: hostile text has no full stops.
pub(super) const REACH_BYTES: usize = 320;

impl<'t> Clauses<'t> {
    /// Finds the clauses.
    pub(super) fn of(text: &'t str) -> Self {
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        for (at, byte) in bytes.iter().enumerate() {
            let next = bytes.get(at + 1).copied().unwrap_or(b'\n');
            let ends = match byte {
                b'\n' => true,
                b'!' | b'?' | b';' => matches!(next, b' ' | b'\n' | b'"' | b')'),
                b'.' => matches!(next, b' ' | b'\n' | b'"' | b')') && !is_number(bytes, at),
                b' ' => turns(&text[at + 1..]),
                _ => false,
            };
            if ends && at + 1 < bytes.len() {
                starts.push(at + 1);
            }
        }
        Self { text, starts }
    }

    /// The clause in which a match starts, as a range; no longer than it may reach.
    pub(super) fn around(&self, start: usize, end: usize) -> (usize, usize) {
        let index = self.starts.partition_point(|clause| *clause <= start);
        let from = self.starts[index.saturating_sub(1)];
        let next = self.starts.partition_point(|clause| *clause < end);
        let to = self.starts.get(next).copied().unwrap_or(self.text.len());
        let from = from.max(self.floor(start.saturating_sub(REACH_BYTES)));
        (from, to.min(self.floor(end + REACH_BYTES)))
    }

    /// The clause that begins where another ends.
    pub(super) fn after(&self, end: usize) -> (usize, usize) {
        let next = self.starts.partition_point(|clause| *clause <= end);
        let to = self.starts.get(next).copied().unwrap_or(self.text.len());
        (end, to.min(self.floor(end + REACH_BYTES)))
    }

    /// What stands shortly before a place, whatever clauses it belongs to.
    pub(super) fn shortly_before(&self, start: usize) -> usize {
        self.floor(start.saturating_sub(2 * REACH_BYTES))
    }

    fn floor(&self, at: usize) -> usize {
        let mut at = at.min(self.text.len());
        while !self.text.is_char_boundary(at) {
            at -= 1;
        }
        at
    }
}

/// Whether a full stop belongs to the number of a list.
fn is_number(bytes: &[u8], at: usize) -> bool {
    let digits = bytes[..at].iter().rev().take(3).take_while(|byte| byte.is_ascii_digit()).count();
    digits > 0 && matches!(bytes[..at - digits].last(), None | Some(b'\n' | b' '))
}

fn turns(rest: &str) -> bool {
    TURNS.iter().any(|turn| rest.starts_with(turn))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clause_of<'t>(text: &'t str, word: &str) -> &'t str {
        let start = text.find(word).unwrap();
        let (from, to) = Clauses::of(text).around(start, start + word.len());
        text[from..to].trim()
    }

    #[test]
    fn sentences_lines_and_contrasts_part_clauses() {
        let text = "one is here. two goes on, but three does not\nfour; five";
        for (word, clause) in [
            ("one", "one is here."),
            ("two", "two goes on,"),
            ("three", "but three does not"),
            ("four", "four;"),
            ("five", "five"),
        ] {
            assert_eq!(clause_of(text, word), clause);
        }
    }

    #[test]
    fn the_number_of_a_list_and_a_decimal_part_nothing() {
        assert_eq!(clause_of("1. take 2.5 grams", "take"), "1. take 2.5 grams");
    }

    #[test]
    fn a_clause_without_end_is_cut() {
        let text = "é".repeat(5_000);
        let (from, to) = Clauses::of(&text).around(4_000, 4_002);
        assert!(to - from <= 2 * REACH_BYTES + 4);
    }
}
