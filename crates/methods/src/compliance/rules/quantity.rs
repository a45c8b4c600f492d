//! How often, how soon, how long and how much: the numbers of a sentence with what they mean.

use super::tokens::Token;

/// What a number says.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Kind {
    /// Something happens again after so many hours.
    Often,
    /// Something happens regularly, and nobody says how often.
    Regular,
    /// Something happens within so many hours.
    Within,
    /// Something lasts so many hours.
    Lasting,
    /// So many of something; one for so many of it, if `is_ratio`.
    Count { unit: String, is_ratio: bool },
}

/// What a number bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bound {
    AtLeast,
    AtMost,
    Exact,
}

/// A number of a sentence.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Quantity {
    pub kind: Kind,
    pub value: f64,
    pub bound: Bound,
    /// Whether it counts working days, which weekends stretch.
    pub is_working_time: bool,
    /// The clause it stands in.
    pub clause: usize,
}

/// Units of time in hours.
const HOURS: [(&str, f64); 22] = [
    ("autumn", 8760.0),
    ("day", 24.0),
    ("evening", 24.0),
    ("fortnight", 336.0),
    ("hour", 1.0),
    ("minute", 1.0 / 60.0),
    ("monday", 168.0),
    ("month", 730.0),
    ("morning", 24.0),
    ("night", 24.0),
    ("quarter", 2190.0),
    ("season", 8760.0),
    ("second", 1.0 / 3600.0),
    ("semester", 4380.0),
    ("shift", 8.0),
    ("spring", 8760.0),
    ("summer", 8760.0),
    ("term", 2920.0),
    ("tuesday", 168.0),
    ("week", 168.0),
    ("winter", 8760.0),
    ("year", 8760.0),
];

/// Words that say how often, in hours.
const ADVERBS: [(&str, f64); 18] = [
    ("annual", 8760.0),
    ("annually", 8760.0),
    ("biannually", 4380.0),
    ("continuous", 0.0),
    ("continuously", 0.0),
    ("daily", 24.0),
    ("fortnightly", 336.0),
    ("fridays", 168.0),
    ("hourly", 1.0),
    ("mondays", 168.0),
    ("monthly", 730.0),
    ("nightly", 24.0),
    ("quarterly", 2190.0),
    ("semiannually", 4380.0),
    ("sundays", 168.0),
    ("weekly", 168.0),
    ("yearly", 8760.0),
    ("yearlong", 8760.0),
];

/// Words that say how soon, in hours.
const SOON: &[(&[&str], f64)] = &[
    (&["immediately"], 0.0),
    (&["immediate"], 0.0),
    (&["instantly"], 0.0),
    (&["promptly"], 0.0),
    (&["forthwith"], 0.0),
    (&["at", "once"], 0.0),
    (&["straight", "away"], 0.0),
    (&["right", "away"], 0.0),
    (&["without", "delay"], 0.0),
    (&["without", "undue", "delay"], 0.0),
    (&["same", "day"], 24.0),
    (&["same", "evening"], 24.0),
    (&["same", "hour"], 1.0),
    (&["last", "working", "day"], 24.0),
    (&["last", "day"], 24.0),
];

const NUMBERS: [(&str, f64); 31] = [
    ("eight", 8.0),
    ("eighteen", 18.0),
    ("eighty", 80.0),
    ("eleven", 11.0),
    ("fifteen", 15.0),
    ("fifty", 50.0),
    ("five", 5.0),
    ("forty", 40.0),
    ("four", 4.0),
    ("fourteen", 14.0),
    ("half", 0.5),
    ("hundred", 100.0),
    ("nine", 9.0),
    ("nineteen", 19.0),
    ("ninety", 90.0),
    ("one", 1.0),
    ("once", 1.0),
    ("seven", 7.0),
    ("seventeen", 17.0),
    ("seventy", 70.0),
    ("six", 6.0),
    ("sixteen", 16.0),
    ("sixty", 60.0),
    ("ten", 10.0),
    ("thirteen", 13.0),
    ("thirty", 30.0),
    ("three", 3.0),
    ("twelve", 12.0),
    ("twenty", 20.0),
    ("twice", 2.0),
    ("two", 2.0),
];

/// Different words for one unit.
const UNITS: [(&str, &str); 24] = [
    ("attempts", "attempt"),
    ("c", "degree"),
    ("cent", "percent"),
    ("characters", "character"),
    ("children", "child"),
    ("degrees", "degree"),
    ("digits", "character"),
    ("employees", "person"),
    ("kilometres", "km"),
    ("letters", "character"),
    ("logins", "attempt"),
    ("metres", "metre"),
    ("people", "person"),
    ("percent", "percent"),
    ("persons", "person"),
    ("pupils", "child"),
    ("signs", "character"),
    ("staff", "person"),
    ("students", "child"),
    ("symbols", "character"),
    ("times", "time"),
    ("tries", "attempt"),
    ("workers", "person"),
    ("euros", "euro"),
];

const AT_LEAST: &[&[&str]] = &[
    &["at", "least"],
    &["at", "the", "least"],
    &["minimum"],
    &["no", "fewer", "than"],
    &["no", "less", "than"],
    &["not", "less", "than"],
    &["not", "fewer", "than"],
    &["more", "than"],
    &["longer", "than"],
    &["over"],
    &["or", "more"],
    &["or", "longer"],
    &["or", "above"],
];
const AT_MOST: &[&[&str]] = &[
    &["at", "most"],
    &["at", "the", "most"],
    &["at", "the", "latest"],
    &["maximum"],
    &["no", "more", "than"],
    &["not", "more", "than"],
    &["no", "later", "than"],
    &["no", "longer", "than"],
    &["not", "exceed"],
    &["up", "to"],
    &["below"],
    &["under"],
    &["fewer", "than"],
    &["less", "than"],
    &["shorter", "than"],
    &["or", "less"],
    &["or", "fewer"],
    &["or", "below"],
];

/// How far before and after a number its bound may stand.
const BOUND_BEFORE: usize = 5;
const BOUND_AFTER: usize = 5;

/// How far a unit may stand after its number: "five unsuccessful login attempts".
const UNIT_AFTER: usize = 3;

/// Words that make a time last.
const LASTING: [&str; 16] = [
    "archived",
    "available",
    "hold",
    "holds",
    "held",
    "keep",
    "keeps",
    "kept",
    "preserved",
    "retain",
    "retained",
    "retains",
    "retention",
    "store",
    "stored",
    "until",
];

/// The quantities of a sentence.
pub(super) fn quantities(tokens: &mut [Token<'_>]) -> Vec<Quantity> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let (quantity, length) = Reader { tokens }.at(at);
        if quantity.is_some() {
            tokens[at..at + length].iter_mut().for_each(|token| token.is_counted = true);
        }
        found.extend(quantity);
        at += length.max(1);
    }
    found
}

struct Reader<'a, 't> {
    tokens: &'a [Token<'t>],
}

impl Reader<'_, '_> {
    fn lower(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| token.lower.as_str())
    }

    /// The quantity that begins at a token, and how many tokens it takes.
    fn at(&self, at: usize) -> (Option<Quantity>, usize) {
        let lower = self.lower(at);
        if let Some((phrase, hours)) = SOON.iter().find(|(phrase, _)| self.has(at, phrase)) {
            return (Some(self.quantity(at, Kind::Within, *hours, Bound::AtMost)), phrase.len());
        }
        if ["regularly", "regular", "periodically", "periodic"].contains(&lower) {
            return (Some(self.quantity(at, Kind::Regular, 0.0, Bound::Exact)), 1);
        }
        if let Ok(place) = ADVERBS.binary_search_by_key(&lower, |(word, _)| word) {
            return (Some(self.quantity(at, Kind::Often, ADVERBS[place].1, Bound::AtMost)), 1);
        }
        if ["every", "each", "per"].contains(&lower) {
            return self.again(at);
        }
        if self.has(at, &["of", "the", "month"]) {
            return (Some(self.quantity(at, Kind::Often, 730.0, Bound::AtMost)), 3);
        }
        self.number(at)
    }

    /// "every two weeks", "each night", "for every ten pupils".
    fn again(&self, at: usize) -> (Option<Quantity>, usize) {
        let (count, length) = match self.lower(at + 1) {
            "other" | "second" if hours(self.lower(at + 2)).is_some() => (2.0, 2),
            _ => number(self.tokens, at + 1).map_or((1.0, 1), |(value, used)| (value, used + 1)),
        };
        if let Some((unit, _)) = hours(self.lower(at + length)) {
            return (Some(self.quantity(at, Kind::Often, count * unit, Bound::AtMost)), length + 1);
        }
        let is_ratio = length > 1 && at > 0 && self.lower(at - 1) == "for";
        if is_ratio && let Some((unit, used)) = self.unit(at + length) {
            let kind = Kind::Count { unit, is_ratio: true };
            return (Some(self.quantity(at, kind, count, Bound::AtMost)), length + used);
        }
        (None, 1)
    }

    fn number(&self, at: usize) -> (Option<Quantity>, usize) {
        let Some((value, used)) = number(self.tokens, at) else { return (None, 1) };
        let after = at + used;
        // "twice a year", "four times a year", "once each term".
        let times = after + usize::from(self.lower(after) == "times");
        let is_rate = ["a", "per", "each", "every", "in"].contains(&self.lower(times))
            && (times > after || ["once", "twice"].contains(&self.lower(at)));
        if is_rate {
            let unit = times + 1 + usize::from(self.lower(times + 1) == "a");
            if let Some((hours, _)) = hours(self.lower(unit)) {
                let every = hours / value;
                let quantity = self.quantity(at, Kind::Often, every, Bound::AtMost);
                return (Some(quantity), unit + 1 - at);
            }
        }
        if ["once", "twice", "half"].contains(&self.lower(at)) {
            return (None, 1);
        }
        let working = ["working", "business"].contains(&self.lower(after));
        let unit = after + usize::from(working || self.lower(after) == "calendar");
        if let Some((hours, _)) = hours(self.lower(unit)) {
            let kind = self.kind_of_time(at);
            let bound = self.bound(at, unit + 1);
            let mut quantity = self.quantity(at, kind, value * hours, bound);
            quantity.is_working_time = working;
            return (Some(quantity), unit + 1 - at);
        }
        let Some((unit, length)) = self.unit(after) else { return (None, used) };
        let bound = self.bound(at, after + length);
        let kind = Kind::Count { unit, is_ratio: false };
        // A threshold from which on a duty holds is the stricter the lower it is.
        let first = at.saturating_sub(4);
        let is_threshold = (first..at).any(|place| self.lower(place) == "with");
        let bound = if is_threshold { Bound::AtMost } else { bound };
        (Some(self.quantity(at, kind, value, bound)), used + length)
    }

    /// The unit at a token, or a known one shortly after it; and how many tokens that takes.
    fn unit(&self, at: usize) -> Option<(String, usize)> {
        for ahead in 0..UNIT_AFTER {
            let lower = self.lower(at + ahead);
            if let Some((_, unit)) =
                UNITS.iter().find(|(word, unit)| *word == lower || *unit == lower)
            {
                return Some(((*unit).to_owned(), ahead + 1));
            }
        }
        let lower = self.lower(at);
        let is_word = lower.len() > 3 && lower.chars().all(char::is_alphabetic);
        is_word.then(|| (lower.trim_end_matches('s').to_owned(), 1))
    }

    fn kind_of_time(&self, at: usize) -> Kind {
        let first = at.saturating_sub(BOUND_BEFORE);
        let before = || (first..at).rev().map(|place| self.lower(place));
        let nearest = before()
            .find(|word| ["within", "after", "for", "until", "in", "every", "by"].contains(word));
        let clause = self.tokens[at].clause;
        let is_kept = || {
            let own = self.tokens.iter().filter(|token| token.clause == clause);
            own.into_iter().any(|token| LASTING.contains(&token.lower.as_str()))
        };
        match nearest {
            Some("within" | "in" | "by" | "after") => Kind::Within,
            Some("every") => Kind::Often,
            Some("for" | "until") => Kind::Lasting,
            _ if is_kept() => Kind::Lasting,
            _ => Kind::Within,
        }
    }

    fn bound(&self, at: usize, end: usize) -> Bound {
        let first = at.saturating_sub(BOUND_BEFORE);
        // Where the phrase that ends nearest to the number ends, and how long it is: "no fewer
        // than" is longer than the "fewer than" in it.
        let near = |phrases: &[&[&str]], from: usize, to: usize| {
            let ends = |place: usize| {
                let found = phrases.iter().filter(move |phrase| self.has(place, phrase));
                found.map(move |phrase| (place + phrase.len(), phrase.len()))
            };
            (from..to).flat_map(ends).filter(|(end, _)| *end <= to).max()
        };
        let turned = (first..at).any(|place| {
            self.tokens[place].is_taken && ["not", "never"].contains(&self.lower(place))
        });
        let last = self.tokens.len().min(end + BOUND_AFTER);
        let same = (end..last).take_while(|place| !self.tokens[*place].word.begins_clause).last();
        let last = same.map_or(end, |place| place + 1);
        let (least, most) = (near(AT_LEAST, first, at), near(AT_MOST, first, at));
        let before = match (least, most) {
            (Some(least), Some(most)) if least > most => Some(Bound::AtLeast),
            (_, Some(_)) => Some(Bound::AtMost),
            (Some(_), None) => Some(Bound::AtLeast),
            (None, None) => None,
        };
        let is_whole = |found: Option<(usize, usize)>| {
            found.is_some_and(|(end, length)| ["no", "not"].contains(&self.lower(end - length)))
        };
        match before {
            // "must not have fewer than 12", but not "no fewer than 12", which says it itself.
            Some(Bound::AtMost) if turned && !is_whole(most) => Bound::AtLeast,
            Some(Bound::AtLeast) if turned && !is_whole(least) => Bound::AtMost,
            Some(bound) => bound,
            None if near(AT_LEAST, end, last).is_some() => Bound::AtLeast,
            None if near(AT_MOST, end, last).is_some() => Bound::AtMost,
            None => Bound::Exact,
        }
    }

    fn has(&self, at: usize, phrase: &[&str]) -> bool {
        let words = self.tokens.get(at..).unwrap_or_default().iter();
        words.take(phrase.len()).map(|token| token.lower.as_str()).eq(phrase.iter().copied())
    }

    fn quantity(&self, at: usize, kind: Kind, value: f64, bound: Bound) -> Quantity {
        let clause = self.tokens[at].clause;
        Quantity { kind, value, bound, is_working_time: false, clause }
    }
}

/// A unit of time in hours, and whether it is the plain one.
fn hours(word: &str) -> Option<(f64, bool)> {
    let one = word.strip_suffix('s').unwrap_or(word);
    let place = HOURS.binary_search_by_key(&one, |(unit, _)| unit).ok()?;
    Some((HOURS[place].1, one == word))
}

/// The number at a token, and how many tokens it takes: `12`, `twelve`, `twenty five`.
fn number(tokens: &[Token<'_>], at: usize) -> Option<(f64, usize)> {
    let lower = |at: usize| tokens.get(at).map_or("", |token| token.lower.as_str());
    let word =
        |at: usize| NUMBERS.iter().find(|(word, _)| *word == lower(at)).map(|(_, value)| *value);
    if let Ok(value) = lower(at).parse::<f64>() {
        return value.is_finite().then_some((value, 1));
    }
    if lower(at) == "a" && ["week", "day", "month", "year"].contains(&lower(at + 1)) {
        return Some((1.0, 1));
    }
    let value = word(at)?;
    match word(at + 1) {
        Some(ones) if value >= 20.0 && value < 100.0 && ones < 10.0 => Some((value + ones, 2)),
        _ => Some((value, 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::denial::take_harmless;
    use super::super::lexicon::Lexicon;
    use super::super::tokens::tokens;
    use super::*;

    fn read(text: &str) -> Vec<(Kind, f64, Bound)> {
        let lexicon = Lexicon::of(std::iter::empty());
        let mut tokens = tokens(text, &lexicon);
        take_harmless(&mut tokens);
        quantities(&mut tokens)
            .into_iter()
            .map(|found| (found.kind, found.value, found.bound))
            .collect()
    }

    fn count(unit: &str) -> Kind {
        Kind::Count { unit: unit.to_owned(), is_ratio: false }
    }

    #[test]
    fn lengths_and_limits_have_their_bounds() {
        let characters = |text: &str| {
            let found = read(text);
            assert_eq!(found[0].0, count("character"), "{text}");
            (found[0].1, found[0].2)
        };
        assert_eq!(characters("at least 12 characters"), (12.0, Bound::AtLeast));
        assert_eq!(characters("a minimum length of 14 characters"), (14.0, Bound::AtLeast));
        assert_eq!(characters("fifteen letters or more"), (15.0, Bound::AtLeast));
        assert_eq!(characters("must not have fewer than 12 characters"), (12.0, Bound::AtLeast));
        assert_eq!(characters("no fewer than 16 characters"), (16.0, Bound::AtLeast));
        assert_eq!(characters("have eight characters"), (8.0, Bound::Exact));
        let found = read("locked after no more than five unsuccessful login attempts");
        assert_eq!(found, [(count("attempt"), 5.0, Bound::AtMost)]);
    }

    #[test]
    fn periods_are_hours() {
        for (text, hours) in [
            ("every 90 days", 2160.0),
            ("monthly", 730.0),
            ("twice a year", 4380.0),
            ("four times a year", 2190.0),
            ("every two years", 17520.0),
            ("once each term", 2920.0),
            ("every night", 24.0),
        ] {
            assert_eq!(read(text), [(Kind::Often, hours, Bound::AtMost)], "{text}");
        }
    }

    #[test]
    fn deadlines_and_retention_are_told_apart() {
        assert_eq!(read("within 24 hours")[0].0, Kind::Within);
        assert_eq!(read("reported immediately")[0], (Kind::Within, 0.0, Bound::AtMost));
        assert_eq!(read("kept for 12 months")[0], (Kind::Lasting, 8760.0, Bound::Exact));
        assert_eq!(read("erased after three days")[0].0, Kind::Within);
    }

    #[test]
    fn a_date_is_no_quantity() {
        assert!(
            read("It was approved on 12 March 2024.").iter().all(|found| found.0 == count("march"))
        );
        assert!(read("see section 3.4 and TLS 1.3").is_empty());
    }

    #[test]
    fn the_lists_can_be_searched() {
        assert!(HOURS.is_sorted_by_key(|(word, _)| *word));
        assert!(ADVERBS.is_sorted_by_key(|(word, _)| *word));
    }
}
