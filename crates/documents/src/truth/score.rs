//! Scores as people write them: 73, 73%, 73.0; and the words for "there is none".

use serde::{Deserialize, Serialize};

/// What is expected of a judge.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Expected {
    /// A score from 0 to 100.
    Score(f64),
    /// The criterion has nothing to do with the document: no number stands for that.
    NotApplicable,
    /// The document says too little to judge.
    NeedsInformation,
    /// Nobody judged it: an empty cell of a template.
    NotJudged,
}

/// The scores that there are.
const RANGE: std::ops::RangeInclusive<f64> = 0.0..=100.0;

/// Reads a score, or says why it is none.
///
/// ```
/// # use assize_documents::truth::{parse_score, Expected};
/// assert_eq!(parse_score("73%"), Ok(Expected::Score(73.0)));
/// assert_eq!(parse_score("N/A"), Ok(Expected::NotApplicable));
/// assert!(parse_score("1e9").is_err());
/// ```
pub fn parse_score(text: &str) -> Result<Expected, String> {
    let text = text.trim();
    let word: String =
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    match word.as_str() {
        "na" | "notapplicable" => return Ok(Expected::NotApplicable),
        "needsinformation" | "needsinfo" | "needsmoreinformation" => {
            return Ok(Expected::NeedsInformation);
        }
        // A template need not be filled in to its last row.
        "" => return Ok(Expected::NotJudged),
        _ => {}
    }
    let number = text.strip_suffix('%').unwrap_or(text).trim();
    // A comma is a decimal point where people write one.
    let number =
        if number.contains('.') { number.to_owned() } else { number.replacen(',', ".", 1) };
    match number.parse::<f64>() {
        // Minus zero is zero.
        Ok(score) if RANGE.contains(&score) => Ok(Expected::Score(score + 0.0)),
        Ok(score) if score.is_nan() => Err(format!("`{text}` is not a score")),
        Ok(_) => Err(format!("the score `{text}` is not between 0 and 100")),
        Err(_) => Err(format!("`{text}` is not a score")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_read_as_people_write_them() {
        for text in ["73", "73%", " 73.0 ", "73 %", "+73", "73,0", "7.3e1"] {
            assert_eq!(parse_score(text), Ok(Expected::Score(73.0)), "{text}");
        }
        assert_eq!(parse_score("0"), Ok(Expected::Score(0.0)));
        assert_eq!(parse_score("100"), Ok(Expected::Score(100.0)));
        assert_eq!(parse_score("-0"), Ok(Expected::Score(0.0)));
    }

    #[test]
    fn no_score_is_no_number() {
        for text in ["N/A", "n.a.", "NA", "Not applicable"] {
            assert_eq!(parse_score(text), Ok(Expected::NotApplicable), "{text}");
        }
        assert_eq!(parse_score("Needs information"), Ok(Expected::NeedsInformation));
        for text in ["", "  ", "-", "—"] {
            assert_eq!(parse_score(text), Ok(Expected::NotJudged), "{text}");
        }
    }

    #[test]
    fn what_is_out_of_range_or_no_number_is_refused() {
        for text in ["1e9", "100.5", "-1", "inf", "101%"] {
            let expected = format!("the score `{text}` is not between 0 and 100");
            assert_eq!(parse_score(text), Err(expected));
        }
        for text in ["high", "NaN", "8/10", "7 3", "1,000.5,0"] {
            assert_eq!(parse_score(text), Err(format!("`{text}` is not a score")));
        }
    }
}
