//! Pieces of text into lines, and lines into paragraphs.
//!
//! A PDF knows neither. Pieces that follow one another at one height are a line; lines
//! that follow one another closely, in one size, are a paragraph.

use std::collections::{BTreeMap, HashSet};

use super::drawing::Piece;

/// Pieces that are this far apart have a space between them, in parts of their size.
const SPACE_FROM: f64 = 0.18;
/// Pieces that are this far apart are cells of a table, or the like.
const TAB_FROM: f64 = 2.0;
/// How far a piece may lie above or below its line, in parts of its size.
const RAISED_MAX: f64 = 0.5;
/// How much further apart than usual two lines are when a paragraph ends between them.
const PARAGRAPH_FROM: f64 = 1.25;
/// How far apart the lines of a paragraph are at least and at most, in parts of their size.
const PITCH: std::ops::RangeInclusive<f64> = 1.0..=1.6;
/// How much the sizes of two lines may differ within a paragraph.
const SIZE_CHANGE_MAX: f64 = 1.08;

/// The longest part of a word that a hyphen is looked at for.
const WORD_LETTERS_MAX: usize = 64;

/// Lines that begin in the same strip of a page, this wide in points, are of one column.
const COLUMN_WIDTH: f64 = 36.0;
/// A sentence that ends a line with this part of its column empty ends the paragraph too.
const EMPTY_FROM: f64 = 0.15;

/// A line of a page.
#[derive(Debug, Clone)]
pub(super) struct Line {
    pub(super) text: String,
    pub(super) size: f64,
    start: f64,
    end: f64,
    height: f64,
    direction: (f64, f64),
}

/// A paragraph of a page.
#[derive(Debug)]
pub(super) struct Block {
    pub(super) text: String,
    pub(super) size: f64,
}

/// The lines that pieces make, in the order in which they were drawn.
pub(super) fn lines(pieces: &[Piece]) -> Vec<Line> {
    let has_text = |piece: &&Piece| !piece.is_artifact && !piece.text.trim().is_empty();
    // A page of nothing but artifacts was marked wrongly: then they are the text.
    let all_artifacts = pieces.iter().find(has_text).is_none();
    let mut lines: Vec<Line> = Vec::new();
    let mut last: Option<&Piece> = None;
    let mut printed: HashSet<(String, i64, i64)> = HashSet::new();
    for piece in pieces.iter().filter(|piece| all_artifacts || !piece.is_artifact) {
        if last.is_some_and(|last| is_shadow(piece, last)) || is_again(piece, &mut printed) {
            continue;
        }
        match lines.last_mut().filter(|line| line.goes_on_with(piece)) {
            Some(line) => line.push(piece),
            None => lines.push(Line::of(piece)),
        }
        last = Some(piece);
    }
    lines.retain(|line| !line.text.trim().is_empty());
    lines
}

/// Whether the same was printed at the same place before: it counts once. Single letters may
/// stand so close together that they seem to be the same.
fn is_again(piece: &Piece, printed: &mut HashSet<(String, i64, i64)>) -> bool {
    let place = (piece.text.clone(), tenths(piece.start), tenths(piece.height));
    piece.text.trim().chars().count() > 2 && !printed.insert(place)
}

/// A place in tenths of a point.
#[expect(clippy::cast_possible_truncation, reason = "a cast ends at the ends of its range")]
fn tenths(place: f64) -> i64 {
    (10.0 * place).clamp(-1e12, 1e12) as i64
}

/// Whether a piece was drawn before, a hair's breadth away, to look bolder.
fn is_shadow(piece: &Piece, before: &Piece) -> bool {
    let near = |a: f64, b: f64| (a - b).abs() < 0.2 * piece.size;
    piece.text == before.text
        && !piece.text.trim().is_empty()
        && near(piece.start, before.start)
        && near(piece.height, before.height)
}

impl Line {
    fn of(piece: &Piece) -> Self {
        Self {
            text: piece.text.clone(),
            size: piece.size,
            start: piece.start,
            end: piece.end,
            height: piece.height,
            direction: piece.direction,
        }
    }

    fn goes_on_with(&self, piece: &Piece) -> bool {
        let size = self.size.max(piece.size);
        is_same_way(self.direction, piece.direction)
            && (piece.height - self.height).abs() < RAISED_MAX * size
            && piece.start > self.end - size
    }

    fn push(&mut self, piece: &Piece) {
        let gap = piece.start - self.end;
        let size = self.size.min(piece.size);
        let spaced =
            self.text.ends_with(char::is_whitespace) || piece.text.starts_with(char::is_whitespace);
        if gap > TAB_FROM * size {
            self.text.truncate(self.text.trim_end().len());
            self.text.push('\t');
            self.text.push_str(piece.text.trim_start());
        } else {
            if gap > SPACE_FROM * size && !spaced {
                self.text.push(' ');
            }
            self.text.push_str(&piece.text);
        }
        // What is small and raised does not change what the line is.
        if piece.size > self.size {
            (self.size, self.height) = (piece.size, piece.height);
        }
        self.end = piece.end;
    }

    /// How far below this line the next one is, in parts of the size; `None` when the
    /// next one is above it, or goes another way.
    fn pitch_to(&self, next: &Self) -> Option<f64> {
        let down = self.height - next.height;
        let follows = is_same_way(self.direction, next.direction) && down > 0.0 && self.size > 0.0;
        follows.then(|| down / self.size.max(next.size))
    }
}

fn is_same_way(one: (f64, f64), other: (f64, f64)) -> bool {
    (one.0 - other.0).abs() < 0.02 && (one.1 - other.1).abs() < 0.02
}

/// How far apart the lines of a paragraph usually are in a document.
pub(super) fn usual_pitch(pages: &[Vec<Line>]) -> f64 {
    let mut pitches: Vec<f64> = pages
        .iter()
        .flat_map(|lines| lines.windows(2).filter_map(|pair| pair[0].pitch_to(&pair[1])))
        .filter(|pitch| *pitch < 3.0)
        .collect();
    pitches.sort_by(f64::total_cmp);
    // Most steps are within paragraphs; the larger ones are between them.
    let usual = pitches.get(pitches.len() * 3 / 10).copied().unwrap_or(*PITCH.start());
    usual.clamp(*PITCH.start(), *PITCH.end())
}

/// The words of a document, to tell a hyphen that only parts a word at the end of a line
/// from one that belongs to it.
#[derive(Debug, Default)]
pub(super) struct Words {
    known: HashSet<String>,
    /// Whether words that are not known are put together: as most known ones are.
    unknown_are_parted: bool,
}

impl Words {
    pub(super) fn of(pages: &[Vec<Line>]) -> Self {
        let lines = || pages.iter().flatten();
        if !lines().any(|line| line.text.trim_end().ends_with('-')) {
            return Self::default();
        }
        let split = |c: char| !c.is_alphanumeric() && c != '-';
        let known = lines().flat_map(|line| line.text.split(split)).map(str::to_lowercase);
        let mut words = Self { known: known.collect(), unknown_are_parted: false };
        let pairs = pages.iter().flat_map(|lines| lines.windows(2));
        let parted = pairs.filter_map(|pair| parted_word(pair[0].text.trim_end(), &pair[1].text));
        let (mut apart, mut together) = (0, 0);
        for (left, right) in parted {
            together += usize::from(words.knows(left, "", right));
            apart += usize::from(words.knows(left, "-", right));
        }
        words.unknown_are_parted = together > apart;
        words
    }

    fn knows(&self, left: &str, between: &str, right: &str) -> bool {
        self.known.contains(&format!("{left}{between}{right}").to_lowercase())
    }

    /// Whether the hyphen between these is there only because a line ended.
    fn are_one(&self, left: &str, right: &str) -> bool {
        let hyphenated = self.knows(left, "-", right);
        self.knows(left, "", right) || (self.unknown_are_parted && !hyphenated)
    }
}

/// The two parts of a word that a hyphen at the end of a line parts.
fn parted_word<'a>(line: &'a str, next: &'a str) -> Option<(&'a str, &'a str)> {
    let before = line.strip_suffix('-')?;
    // Longer words are not looked at: a text of one word would be walked again at every line.
    let length = |letters: &mut dyn Iterator<Item = char>| -> Option<usize> {
        let word = letters.take(WORD_LETTERS_MAX).take_while(|c| c.is_alphanumeric());
        let (count, bytes) = word.fold((0, 0), |(n, bytes), c| (n + 1, bytes + c.len_utf8()));
        (count < WORD_LETTERS_MAX).then_some(bytes)
    };
    let left = &before[before.len() - length(&mut before.chars().rev())?..];
    let next = next.trim_start();
    let right = &next[..length(&mut next.chars())?];
    (!left.is_empty() && right.starts_with(char::is_lowercase)).then_some((left, right))
}

/// The paragraphs that lines make.
pub(super) fn paragraphs(lines: &[Line], pitch: f64, words: &Words) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut before: Option<&Line> = None;
    let columns = Columns::of(lines);
    for line in lines {
        match (before, blocks.last_mut()) {
            (Some(last), Some(block))
                if goes_on(last, line, pitch) && !columns.ends_early(last) =>
            {
                join(&mut block.text, line.text.trim(), words);
            }
            _ => blocks.push(Block { text: line.text.trim().to_owned(), size: line.size }),
        }
        before = Some(line);
    }
    blocks
}

/// How far to the right the lines of each column reach.
struct Columns(BTreeMap<i64, f64>);

impl Columns {
    fn of(lines: &[Line]) -> Self {
        let mut ends = BTreeMap::new();
        for line in lines {
            let end = ends.entry(column(line)).or_insert(line.end);
            *end = end.max(line.end);
        }
        Self(ends)
    }

    /// Whether a line ends its sentence well before the others of its column end.
    fn ends_early(&self, line: &Line) -> bool {
        let column = column(line);
        let ends = self.0.range(column - 1..=column + 1).map(|(_, end)| *end);
        let right = ends.fold(line.end, f64::max);
        line.text.trim_end().ends_with(['.', ':', ';', '!', '?'])
            && right - line.end > EMPTY_FROM * (right - line.start)
    }
}

#[expect(clippy::cast_possible_truncation, reason = "a cast ends at the ends of its range")]
fn column(line: &Line) -> i64 {
    (line.start / COLUMN_WIDTH).clamp(-1e6, 1e6) as i64
}

fn goes_on(last: &Line, line: &Line, pitch: f64) -> bool {
    let sizes = last.size.max(line.size) / last.size.min(line.size).max(f64::MIN_POSITIVE);
    let near = last.pitch_to(line).is_some_and(|step| step < pitch * PARAGRAPH_FROM);
    near && sizes < SIZE_CHANGE_MAX && line.start < last.end && !begins_an_item(&line.text)
}

/// Whether a line begins with the mark of a list: `•`, `(a)`, `3.`, `2.1.4`.
fn begins_an_item(line: &str) -> bool {
    let Some(mark) = line.split_whitespace().next() else { return false };
    if ["•", "◦", "▪", "●", "○", "■", "·", "–", "-", "o", "➢", "✓", "\u{f0b7}", "\u{fffd}"]
        .contains(&mark)
    {
        return true;
    }
    let inner = mark.trim_start_matches('(').trim_end_matches([')', '.']);
    let marked = inner.len() < mark.len() && (1..=9).contains(&inner.len());
    let numbers = inner.split('.').all(|part| {
        (1..=3).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit())
    });
    let letter = inner.len() == 1 && inner.bytes().all(|byte| byte.is_ascii_alphabetic());
    (marked && (numbers || letter)) || (numbers && inner.contains('.'))
}

/// Adds a line to a paragraph.
fn join(text: &mut String, line: &str, words: &Words) {
    if text.ends_with('\u{ad}') {
        text.pop();
    } else if let Some((left, right)) = parted_word(text, line) {
        if words.are_one(left, right) {
            text.pop();
        }
    } else {
        text.push(' ');
    }
    text.push_str(line);
}
