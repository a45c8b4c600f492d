//! Numbers and places as people read them.

use assize_methods::council::verdict::AnswerVerdict;
use assize_wire::number;

/// A score with two decimals, as it was rounded.
pub fn score(value: f64) -> String {
    format!("{value:.2}")
}

/// A difference with its sign.
pub fn signed(value: f64) -> String {
    number::signed(value, 2)
}

/// A place: `1`, `2=` when it is shared, a dash when there is none.
pub fn place(answer: &AnswerVerdict) -> String {
    match answer.rank {
        Some(rank) if answer.tied => format!("{rank}="),
        Some(rank) => rank.to_string(),
        None => "–".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_has_a_sign_unless_it_prints_as_zero() {
        assert_eq!((signed(0.5).as_str(), signed(-0.5).as_str()), ("+0.50", "−0.50"));
        assert_eq!(signed(-0.001), "0.00");
    }
}
