//! How often, how soon, how long and how much: the numbers of a sentence with what they mean.

use super::lists::{LISTS, Phrases};
use super::tokens::Token;
use super::units::{again, hours, number};

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

/// How far before and after a number its bound may stand.
const BOUND_BEFORE: usize = 5;
const BOUND_AFTER: usize = 5;

/// With one of these before it a bound is turned round: "**nobody** works more than 48 hours".
const TURNED: [&str; 5] = ["never", "no", "nobody", "none", "not"];

/// How far a unit may stand after its number: "five unsuccessful login attempts".
const UNIT_AFTER: usize = 3;

/// The quantities of a sentence.
pub(super) fn quantities(tokens: &mut [Token<'_>]) -> Vec<Quantity> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let (quantity, length) = Reader { tokens }.at(at);
        if let Some(quantity) = &quantity {
            // What is counted is said, too; a measure or a time is only compared.
            let says = matches!(&quantity.kind, Kind::Count { unit, .. } if !is_measure(unit));
            let is_number = |token: &Token<'_>| number(std::slice::from_ref(token), 0).is_some();
            for token in &mut tokens[at..at + length] {
                token.is_counted = !says || is_number(token);
            }
        }
        found.extend(quantity);
        at += length.max(1);
    }
    found
}

/// Whether a unit measures and names nothing: "80 percent", but "two **adults**".
fn is_measure(unit: &str) -> bool {
    LISTS.money.has(unit)
        || ["degree", "metre", "percent", "time"].contains(&unit)
        || LISTS.short_units.has(unit)
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
        if let Some((hours, length)) = LISTS.soon_at(self.tokens, at) {
            return (Some(self.quantity(at, Kind::Within, hours, Bound::AtMost)), length);
        }
        if ["regularly", "regular", "periodically", "periodic"].contains(&lower) {
            return (Some(self.quantity(at, Kind::Regular, 0.0, Bound::Exact)), 1);
        }
        if let Some(hours) = LISTS.adverbs.get(lower) {
            return (Some(self.quantity(at, Kind::Often, *hours, Bound::AtMost)), 1);
        }
        if ["every", "each", "per"].contains(&lower) {
            return self.again(at);
        }
        if self.has(at, &["round", "the", "clock"]) || self.has(at, &["around", "the", "clock"]) {
            return (Some(self.quantity(at, Kind::Often, 0.0, Bound::AtMost)), 3);
        }
        if self.has(at, &["half", "yearly"]) {
            return (Some(self.quantity(at, Kind::Often, 4380.0, Bound::AtMost)), 2);
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
            "third" if hours(self.lower(at + 2)).is_some() => (3.0, 2),
            word if LISTS.between.has(word) && hours(self.lower(at + 2)).is_some() => (1.0, 2),
            _ => number(self.tokens, at + 1).map_or((1.0, 1), |(value, used)| (value, used + 1)),
        };
        if let Some(unit) = again(self.lower(at + length)) {
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
            if let Some(hours) = hours(self.lower(unit)) {
                let every = hours / value;
                let quantity = self.quantity(at, Kind::Often, every, Bound::AtMost);
                return (Some(quantity), unit + 1 - at);
            }
        }
        if ["once", "twice", "half"].contains(&self.lower(at)) {
            return (None, 1);
        }
        let working = ["working", "business"].contains(&self.lower(after));
        let unit = after + usize::from(LISTS.filling.has(self.lower(after)));
        if let Some(hours) = hours(self.lower(unit)) {
            let kind = self.kind_of_time(at);
            let bound = self.bound(at, unit + 1);
            let mut quantity = self.quantity(at, kind, value * hours, bound);
            quantity.is_working_time = working;
            // "eight hours **a week**" is one measure.
            let is_rate = ["a", "per", "each"].contains(&self.lower(unit + 1))
                && self::hours(self.lower(unit + 2)).is_some();
            return (Some(quantity), unit + 1 + 2 * usize::from(is_rate) - at);
        }
        let money = at
            .checked_sub(1)
            .and_then(|before| LISTS.money_before.get(self.lower(before)).cloned());
        let unit = money.map(|unit| (unit, 0)).or_else(|| self.unit(after));
        let Some((unit, length)) = unit else { return (None, used) };
        let bound = self.bound(at, after + length);
        let kind = Kind::Count { unit, is_ratio: false };
        // A threshold from which on a duty holds is the stricter the lower it is.
        let first = at.saturating_sub(4);
        let is_money = matches!(&kind, Kind::Count { unit, .. } if LISTS.money.has(unit));
        let has = |words: &[&str]| (first..at).any(|place| words.contains(&self.lower(place)));
        let exceeds = has(&["above", "exceeding", "more", "over"]);
        let is_threshold =
            has(&["with"]) && !is_money || is_money && exceeds && bound == Bound::AtLeast;
        let bound = if is_threshold { Bound::AtMost } else { bound };
        (Some(self.quantity(at, kind, value, bound)), used + length)
    }

    /// The unit at a token, or a known one shortly after it; and how many tokens that takes.
    fn unit(&self, at: usize) -> Option<(String, usize)> {
        for ahead in 0..UNIT_AFTER {
            let lower = self.lower(at + ahead);
            let is_unit = || LISTS.units.values().any(|unit| unit == lower);
            let unit = LISTS.units.get(lower).map(String::as_str);
            if let Some(unit) = unit.or_else(|| is_unit().then_some(lower)) {
                return Some((unit.to_owned(), ahead + 1));
            }
        }
        let lower = self.lower(at);
        let is_word = lower.len() > 3 && lower.chars().all(char::is_alphabetic);
        if LISTS.short_units.has(lower) {
            return Some((lower.to_owned(), 1));
        }
        is_word.then(|| (lower.trim_end_matches('s').to_owned(), 1))
    }

    fn kind_of_time(&self, at: usize) -> Kind {
        let first = at.saturating_sub(BOUND_BEFORE);
        let nearest = (first..at)
            .rev()
            .map(|place| self.lower(place))
            .find(|word| ["within", "after", "for", "until", "in", "every", "by"].contains(word));
        let clause = self.tokens[at].clause;
        let is_kept = || {
            let mut own = self.tokens.iter().filter(|token| token.clause == clause);
            own.any(|token| LISTS.lasting.has(&token.lower))
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
        let near = |phrases: &Phrases, from: usize, to: usize| {
            let ends = |place: usize| {
                let length = phrases.at(self.tokens, place)?;
                Some((place + length, length))
            };
            (from..to).filter_map(ends).filter(|(end, _)| *end <= to).max()
        };
        let turned = (first..at)
            .any(|place| self.tokens[place].is_taken && TURNED.contains(&self.lower(place)));
        let upto = self.tokens.len().min(end + BOUND_AFTER);
        let same = (end..upto).take_while(|place| !self.tokens[*place].word.begins_clause).last();
        let upto = same.map_or(end, |place| place + 1);
        let (least, most) = (near(&LISTS.at_least, first, at), near(&LISTS.at_most, first, at));
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
            None if near(&LISTS.at_least, end, upto).is_some() => Bound::AtLeast,
            None if near(&LISTS.at_most, end, upto).is_some() => Bound::AtMost,
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

#[cfg(test)]
mod tests {
    use super::super::denial::take_harmless;
    use super::super::tokens::tokens;
    use super::*;

    fn read(text: &str) -> Vec<(Kind, f64, Bound)> {
        let mut tokens = tokens(text);
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
            ("once every 24 hours", 24.0),
            ("half-yearly", 4380.0),
            ("around the clock", 0.0),
            ("on Thursdays", 168.0),
            ("each June", 8760.0),
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
        let extra = read("Nobody works more than eight extra hours a week.");
        assert_eq!((extra[0].1, extra[0].2), (8.0, Bound::AtMost));
    }

    #[test]
    fn a_date_is_no_quantity() {
        assert!(
            read("It was approved on 12 March 2024.").iter().all(|found| found.0 == count("march"))
        );
        assert!(read("in force since 4 June").iter().all(|found| found.0 == count("june")));
        assert!(read("see section 3.4 and TLS 1.3").is_empty());
    }
}
