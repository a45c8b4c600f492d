//! What a sheet shows for the numbers it stores: 0.73 as 73%, 45000 as a day.

use std::collections::BTreeMap;

use crate::xml::{Step, XmlProblem, walk};

/// What a number stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Shape {
    #[default]
    Plain,
    Percent,
    Date,
}

/// The shapes of a workbook's styles, by their index.
#[derive(Debug, Default)]
pub(super) struct Shapes {
    by_style: Vec<Shape>,
    /// Whether days are counted from 1904, as old Macintosh workbooks do.
    pub(super) from_1904: bool,
}

impl Shapes {
    pub(super) fn read(xml: &[u8]) -> Result<Self, XmlProblem> {
        let mut shapes = Self::default();
        let mut own: BTreeMap<String, Shape> = BTreeMap::new();
        let mut in_cells = false;
        walk(xml, |step| {
            match step {
                Step::Open(element) => match element.name {
                    "numFmt" => {
                        let code = element.attribute("formatCode").unwrap_or_default();
                        let id = element.attribute("numFmtId").unwrap_or_default();
                        own.insert(id, of_code(&code));
                    }
                    "cellXfs" => in_cells = true,
                    "xf" if in_cells => {
                        let id = element.attribute("numFmtId").unwrap_or_default();
                        let shape = own.get(&id).copied().unwrap_or_else(|| built_in(&id));
                        shapes.by_style.push(shape);
                    }
                    _ => {}
                },
                Step::Close("cellXfs") => in_cells = false,
                _ => {}
            }
            Ok::<(), XmlProblem>(())
        })?;
        Ok(shapes)
    }

    /// What a cell of this style shows for a number.
    pub(super) fn show(&self, number: &str, style: Option<usize>) -> String {
        let Ok(value) = number.trim().parse::<f64>() else { return number.to_owned() };
        let shape = style.and_then(|style| self.by_style.get(style)).copied().unwrap_or_default();
        match shape {
            Shape::Plain => value.to_string(),
            Shape::Percent => format!("{}%", short(value * 100.0)),
            Shape::Date => date(value, self.from_1904).unwrap_or_else(|| value.to_string()),
        }
    }
}

/// The formats that every workbook has without saying so.
fn built_in(id: &str) -> Shape {
    match id.parse::<u32>() {
        Ok(9 | 10) => Shape::Percent,
        Ok(14..=22 | 27..=36 | 45..=47 | 50..=58) => Shape::Date,
        _ => Shape::Plain,
    }
}

fn of_code(code: &str) -> Shape {
    let mut bare = String::new();
    let mut until = None;
    for c in code.to_lowercase().chars() {
        match (until, c) {
            (Some(end), c) if c == end => until = None,
            (Some(_), _) => {}
            (None, '"') => until = Some('"'),
            (None, '[') => until = Some(']'),
            (None, c) => bare.push(c),
        }
    }
    if bare.contains('%') {
        Shape::Percent
    } else if bare.contains(['y', 'd']) || (bare.contains('h') && bare.contains('m')) {
        Shape::Date
    } else {
        Shape::Plain
    }
}

/// A number without the last digits, which only come from reckoning in binary.
fn short(value: f64) -> String {
    let written = format!("{value:.9}");
    written.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// The day, and the time if it is not midnight, that a number of days stands for.
fn date(days: f64, from_1904: bool) -> Option<String> {
    if !(1.0..2_958_466.0).contains(&days) {
        return None;
    }
    #[expect(clippy::cast_possible_truncation, reason = "the range was looked at above")]
    let (day, second) = (days as i64, ((days - days.floor()) * 86_400.0 + 0.5) as i64);
    // Days from 1970-01-01; the first sixty of 1900 are one off in every workbook.
    let unix = day - if from_1904 { 24_107 } else { 25_569 };
    let (year, month, of_month) = civil(unix);
    let day = format!("{year:04}-{month:02}-{of_month:02}");
    let time = format!("{:02}:{:02}:{:02}", second / 3600, second / 60 % 60, second % 60);
    Some(if second == 0 { day } else { format!("{day} {time}") })
}

/// Year, month and day of a number of days since 1970-01-01, after Howard Hinnant's
/// "chrono-compatible low-level date algorithms".
fn civil(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let of_era = shifted.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_shown_as_their_style_says() {
        let xml = br#"<styleSheet><numFmts><numFmt numFmtId="164" formatCode="0.0%"/>
            <numFmt numFmtId="165" formatCode="[Red]&quot;day &quot;0"/></numFmts>
            <cellStyleXfs><xf numFmtId="9"/></cellStyleXfs>
            <cellXfs><xf numFmtId="0"/><xf numFmtId="9"/><xf numFmtId="164"/><xf numFmtId="14"/>
            <xf numFmtId="165"/></cellXfs></styleSheet>"#;
        let shapes = Shapes::read(xml).unwrap();
        assert_eq!(shapes.show("7.3E1", Some(0)), "73");
        assert_eq!(shapes.show("0.57", Some(1)), "57%");
        assert_eq!(shapes.show("0.735", Some(2)), "73.5%");
        assert_eq!(shapes.show("12", Some(4)), "12");
        // As Excel shows them: serial 45000 is 15 March 2023, and .75 is six in the evening.
        assert_eq!(shapes.show("45000", Some(3)), "2023-03-15");
        assert_eq!(shapes.show("45000.75", Some(3)), "2023-03-15 18:00:00");
        assert_eq!(shapes.show("1e300", Some(3)), 1e300.to_string());
        assert_eq!(shapes.show("73", None), "73");
    }
}
