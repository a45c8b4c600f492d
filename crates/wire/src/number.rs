//! How numbers are shown: places, signs, and a dash where there is none.

/// A score with four decimals, as every scorer of the field prints it.
pub fn score(value: f64) -> String {
    format!("{value:.4}")
}

/// A number with so many decimals; the minus is a real minus.
pub fn fixed(value: f64, places: usize) -> String {
    format!("{value:.places$}").replace('-', "−")
}

/// A difference with its sign; the minus is a real minus.
pub fn difference(value: f64) -> String {
    signed(value, 4)
}

/// The same with so many decimals.
pub fn signed(value: f64, places: usize) -> String {
    let text = format!("{:.places$}", value.abs());
    match value {
        // A difference that prints as zero has no direction worth a sign.
        _ if text.chars().all(|letter| "0.".contains(letter)) => text,
        value if value < 0.0 => format!("−{text}"),
        _ => format!("+{text}"),
    }
}

/// A share in per cent, with no more decimals than it has: `95 %`, `99.9 %`.
pub fn percent(share: f64) -> String {
    let text = format!("{:.3}", share * 100.0);
    format!("{} %", text.trim_end_matches('0').trim_end_matches('.'))
}

/// A count with its word: `1 query`, `2 queries`.
pub fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// A p-value: small ones as a bound, not as a row of zeros.
pub fn p_value(value: f64) -> String {
    if value < 0.001 { "< 0.001".to_owned() } else { format!("{value:.3}") }
}

/// An interval in brackets, or nothing.
pub fn interval(interval: Option<(f64, f64)>) -> String {
    interval.map_or(String::new(), |(low, high)| format!("[{low:.4}, {high:.4}]"))
}

/// A p-value or a dash.
pub fn p_or_dash(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), p_value)
}

/// An effect size or a dash.
pub fn effect(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| format!("{value:+.2}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_shows_its_direction_unless_it_prints_as_zero() {
        assert_eq!(difference(0.25), "+0.2500");
        assert_eq!(difference(-0.25), "−0.2500");
        assert_eq!(difference(-0.000_01), "0.0000");
    }

    #[test]
    fn a_percentage_shows_no_noise() {
        assert_eq!((percent(0.55), percent(0.999)), ("55 %".to_owned(), "99.9 %".to_owned()));
    }

    #[test]
    fn a_tiny_p_value_is_a_bound() {
        assert_eq!(p_value(0.000_2), "< 0.001");
        assert_eq!(p_value(0.049_9), "0.050");
    }
}
