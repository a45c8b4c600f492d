//! Whether what a document counts meets what a requirement counts.

use super::quantity::{Bound, Kind, Quantity};

/// A period may be so much longer and still be the same: a quarter has 91 days, not 90.
const SLACK: f64 = 1.06;

/// What a share of a requirement is worth when its number is missing from the document.
pub(super) const UNSTATED: f64 = 0.5;

const UNSTATED_SOON: f64 = 0.8;

/// What it is worth when the document rather counts something else.
pub(super) const UNSTATED_OTHER: f64 = 0.3;

/// What it is worth when a working day stands for 24 hours.
const WORKING_TIME: f64 = 0.65;

/// What it is worth by how many times the number misses: times are judged milder than counts.
const MISSED_TIME: [(f64, f64); 5] =
    [(1.2, 0.6), (2.5, 0.42), (3.5, 0.38), (6.0, 0.3), (15.0, 0.18)];
const MISSED_COUNT: [(f64, f64); 3] = [(1.1, 0.4), (3.0, 0.28), (10.0, 0.2)];
const MISSED_FAR: f64 = 0.08;

/// How a number of the document compares.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Fit {
    /// It is met, or there is nothing to meet.
    Met,
    /// The document gives no such number.
    Unstated,
    /// The document gives another one.
    Missed(f64),
}

impl Fit {
    /// What the share is worth.
    pub(super) fn worth(self) -> f64 {
        match self {
            Self::Met => 1.0,
            Self::Unstated => UNSTATED,
            Self::Missed(worth) => worth,
        }
    }
}

/// The fit of everything that is wanted; the worst counts. Of what was found, the nearest comes
/// first, and the first of the same kind counts.
pub(super) fn fit(wanted: &[Quantity], found: &[&Quantity]) -> Fit {
    let mut worst = Fit::Met;
    for wanted in wanted {
        let fit = found
            .iter()
            .find_map(|found| one(wanted, found))
            .or_else(|| found.iter().find_map(|found| loosely(wanted, found)));
        let fit = fit.unwrap_or(match wanted.kind {
            // "A second factor" or "two copies" is no measure that a document repeats.
            Kind::Count { .. } if wanted.bound == Bound::Exact => Fit::Met,
            Kind::Regular => Fit::Met,
            // "Without delay" is said in passing more often than a number is.
            Kind::Within if wanted.value == 0.0 => Fit::Missed(UNSTATED_SOON),
            _ => Fit::Unstated,
        });
        if fit.worth() < worst.worth() {
            worst = fit;
        }
    }
    worst
}

/// How one number compares with another of its kind; none if they speak of different things.
fn one(wanted: &Quantity, found: &Quantity) -> Option<Fit> {
    let times = match (&wanted.kind, &found.kind) {
        (Kind::Regular, Kind::Often | Kind::Regular) => return Some(Fit::Met),
        (Kind::Often, Kind::Regular) => return Some(Fit::Unstated),
        (Kind::Often, Kind::Often) => ratio(found.value, wanted.value),
        (Kind::Within, Kind::Within | Kind::Lasting) => {
            if found.is_working_time
                && !wanted.is_working_time
                && found.value <= wanted.value * SLACK
            {
                return Some(Fit::Missed(WORKING_TIME));
            }
            ratio(found.value, wanted.value)
        }
        (Kind::Lasting, Kind::Lasting | Kind::Within) if wanted.bound == Bound::AtMost => {
            ratio(found.value, wanted.value)
        }
        (Kind::Lasting, Kind::Lasting | Kind::Within) => ratio(wanted.value, found.value),
        (Kind::Count { unit, is_ratio }, Kind::Count { unit: other, is_ratio: as_ratio }) => {
            if unit != other || is_ratio != as_ratio {
                return None;
            }
            return Some(counted(wanted, found));
        }
        _ => return None,
    };
    Some(if times <= SLACK { Fit::Met } else { Fit::Missed(missed(&MISSED_TIME, times)) })
}

/// A number before one of these is a date.
const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "augu",
    "september",
    "october",
    "november",
    "december",
];

/// How far apart numbers of different kinds may lie and still speak of the same thing: a course
/// of one day is no yearly course.
const LIKE_TIMES: f64 = 13.0;
const LIKE_COUNTS: f64 = 3.0;

/// How numbers of different kinds compare where no other does: what expires after 60 days is
/// renewed as often, and three offers are three quotations. One that misses is rather about something
/// else.
fn loosely(wanted: &Quantity, found: &Quantity) -> Option<Fit> {
    match (&wanted.kind, &found.kind) {
        (Kind::Often, Kind::Within) | (Kind::Within, Kind::Often) => {
            let times = ratio(found.value, wanted.value);
            let fit = if times <= SLACK { Fit::Met } else { Fit::Missed(UNSTATED_OTHER) };
            (times * LIKE_TIMES >= 1.0).then_some(fit)
        }
        (Kind::Count { is_ratio: false, .. }, Kind::Count { unit, is_ratio: false }) => {
            let times = ratio(found.value, wanted.value);
            let is_like = times <= LIKE_COUNTS && times * LIKE_COUNTS >= 1.0;
            let is_met = is_like && counted(wanted, found) == Fit::Met;
            (is_met && !MONTHS.contains(&unit.as_str())).then_some(Fit::Met)
        }
        _ => None,
    }
}

fn counted(wanted: &Quantity, found: &Quantity) -> Fit {
    let times = match wanted.bound {
        Bound::AtLeast => ratio(wanted.value, found.value),
        Bound::AtMost => ratio(found.value, wanted.value),
        Bound::Exact => ratio(wanted.value, found.value).max(ratio(found.value, wanted.value)),
    };
    if times <= 1.0 { Fit::Met } else { Fit::Missed(missed(&MISSED_COUNT, times)) }
}

fn missed(steps: &[(f64, f64)], times: f64) -> f64 {
    steps.iter().find(|(most, _)| times <= *most).map_or(MISSED_FAR, |(_, worth)| *worth)
}

/// How many times one number is the other; endless where the other is nothing.
fn ratio(one: f64, other: f64) -> f64 {
    if one <= 0.0 {
        0.0
    } else if other <= 0.0 {
        f64::MAX
    } else {
        one / other
    }
}

#[cfg(test)]
mod tests {
    use super::super::denial::take_harmless;
    use super::super::quantity::quantities;
    use super::super::tokens::tokens;
    use super::*;

    fn held(wanted: &str, found: &str) -> Fit {
        let read = |text: &str| {
            let mut tokens = tokens(text);
            take_harmless(&mut tokens);
            quantities(&mut tokens)
        };
        fit(&read(wanted), &read(found).iter().collect::<Vec<_>>())
    }

    #[test]
    fn more_than_enough_is_met_and_less_is_not() {
        assert_eq!(held("at least 12 characters", "a minimum of 14 characters"), Fit::Met);
        assert_eq!(held("at least 12 characters", "exactly 12 characters"), Fit::Met);
        assert_eq!(held("at least 12 characters", "eight characters"), Fit::Missed(0.28));
        assert_eq!(held("at least 12 characters", "approved on 12 March"), Fit::Unstated);
    }

    #[test]
    fn a_shorter_period_meets_a_longer_one() {
        assert_eq!(held("every 90 days", "monthly"), Fit::Met);
        assert_eq!(held("every 90 days", "every quarter"), Fit::Met);
        assert_eq!(held("every 90 days", "once a year"), Fit::Missed(0.3));
        assert_eq!(held("regularly", "once a year"), Fit::Met);
        assert_eq!(held("once a year", "regularly"), Fit::Unstated);
    }

    #[test]
    fn soon_is_within_and_a_working_day_is_close() {
        assert_eq!(held("within 24 hours", "immediately"), Fit::Met);
        assert_eq!(held("within 24 hours", "within one working day"), Fit::Missed(0.65));
        assert_eq!(held("within 24 hours", "within two hours"), Fit::Met);
        assert_eq!(held("within 30 minutes", "within two hours"), Fit::Missed(0.3));
    }

    #[test]
    fn numbers_of_other_kinds_fit_or_are_about_something_else() {
        assert_eq!(held("every 90 days", "expire after 60 days"), Fit::Met);
        assert_eq!(held("every year", "a course of one day"), Fit::Unstated);
        assert_eq!(held("within five days", "every year"), Fit::Missed(0.3));
        assert_eq!(held("at least two references", "three referees"), Fit::Met);
        assert_eq!(held("at least two references", "one referee"), Fit::Unstated);
    }

    #[test]
    fn weights_shares_and_money_are_compared() {
        assert_eq!(held("not exceed 25 kg", "nobody lifts more than 20 kg"), Fit::Met);
        assert_eq!(held("not exceed 25 kg", "up to 40 kg"), Fit::Missed(0.28));
        assert_eq!(held("at least 5 percent", "8 percent"), Fit::Met);
        assert_eq!(held("at least EUR 5 million", "EUR 2 million"), Fit::Missed(0.28));
        assert_eq!(held("at least EUR 5 million", "euro 6,000,000"), Fit::Met);
        assert_eq!(held("gifts above 50 pounds", "gifts over 40 pounds"), Fit::Met);
        assert_eq!(held("gifts above 50 pounds", "gifts over 80 pounds"), Fit::Missed(0.28));
    }

    #[test]
    fn what_is_kept_longer_is_kept_long_enough() {
        assert_eq!(held("kept for at least one year", "kept for 400 days"), Fit::Met);
        assert_eq!(held("kept for one year", "kept for six months"), Fit::Missed(0.42));
    }
}
