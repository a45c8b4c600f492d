//! Lines of fields with white space between them, read without copying.

/// A place in a text of lines.
#[derive(Debug)]
pub(super) struct Fields<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Fields<'a> {
    /// Starts at a byte of the text.
    pub(super) fn new(text: &'a [u8], at: usize) -> Self {
        Self { text, at }
    }

    /// Where it stands.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// Goes on to a byte further down.
    pub(super) fn go_to(&mut self, at: usize) {
        self.at = at;
    }

    /// Skips white space within the line and takes what comes up to the next white space:
    /// where it starts and ends. Empty at the end of the line.
    #[inline]
    pub(super) fn take(&mut self) -> (usize, usize) {
        while self.text.get(self.at).is_some_and(|byte| is_gap(*byte)) {
            self.at += 1;
        }
        let start = self.at;
        self.at = field_end(self.text, start);
        (start, self.at)
    }

    /// Skips what is left of the line and the end of it.
    #[inline]
    pub(super) fn next_line(&mut self) {
        if self.text.get(self.at) == Some(&b'\n') {
            self.at += 1;
            return;
        }
        self.at = match memchr::memchr(b'\n', self.text.get(self.at..).unwrap_or_default()) {
            Some(length) => self.at + length + 1,
            None => self.text.len(),
        };
    }

    /// Goes to the first line that is neither blank nor a comment; false at the end.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "called once for every line of a run")]
    pub(super) fn skip_to_content(&mut self) -> bool {
        loop {
            match self.text.get(self.at) {
                None => return false,
                Some(b'#') => self.next_line(),
                Some(byte) if *byte > b' ' => return true,
                Some(_) => self.at += 1,
            }
        }
    }
}

/// White space that does not end the line.
fn is_gap(byte: u8) -> bool {
    byte <= b' ' && byte != b'\n'
}

/// The first byte at or after `at` that is white space or the end of the text.
#[inline(always)]
pub(super) fn field_end(text: &[u8], mut at: usize) -> usize {
    const LOW: u64 = 0x2121_2121_2121_2121;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    while let Some(bytes) = text.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        // A byte below 0x21 borrows and sets its highest bit; the lowest such bit is exact.
        let word = u64::from_le_bytes(*bytes);
        let gaps = word.wrapping_sub(LOW) & !word & HIGH;
        if gaps != 0 {
            return at + gaps.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    while text.get(at).is_some_and(|byte| *byte > b' ') {
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<Vec<&str>> {
        let mut fields = Fields::new(text.as_bytes(), 0);
        let mut lines = Vec::new();
        while fields.skip_to_content() {
            let mut line = Vec::new();
            loop {
                let (start, end) = fields.take();
                if start == end {
                    break;
                }
                line.push(&text[start..end]);
            }
            fields.next_line();
            lines.push(line);
        }
        lines
    }

    #[test]
    fn fields_of_any_length_and_any_gap_are_taken_apart() {
        let text =
            "a  bb\tccc\u{e9}dd eeeeeeee fffffffff  \r\n\n  # a comment\n# another\nlast line";
        let expected =
            vec![vec!["a", "bb", "ccc\u{e9}dd", "eeeeeeee", "fffffffff"], vec!["last", "line"]];
        assert_eq!(lines(text), expected);
    }

    #[test]
    fn a_hash_within_a_line_is_an_ordinary_byte() {
        assert_eq!(lines("q d#1\n"), vec![vec!["q", "d#1"]]);
    }
}
