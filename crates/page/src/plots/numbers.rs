//! The numbers behind a chart as a file that a table program opens.

use maud::{Markup, html};

use crate::app::address::encoded;

/// The chart with a link beneath it that holds its numbers.
pub(super) fn with_numbers(
    chart: &Markup,
    head: &[&str],
    rows: impl Iterator<Item = Vec<String>>,
) -> Markup {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let head: Vec<String> = head.iter().map(ToString::to_string).collect();
    for row in std::iter::once(head).chain(rows) {
        writer.write_record(row.iter().map(|cell| harmless(cell))).expect("memory takes a row");
    }
    let bytes = writer.into_inner().expect("memory takes all of it");
    let text = String::from_utf8_lossy(&bytes);
    html! {
        (chart)
        p class="small numbers" { a download="numbers.csv" href={ "data:text/csv;charset=utf-8," (encoded(&text)) } { "Numbers (CSV)" } }
    }
}

/// A name that a table program would take for a formula is marked as text.
fn harmless(cell: &str) -> String {
    let is_number = cell.parse::<f64>().is_ok();
    let is_formula = cell.starts_with(['=', '+', '-', '@', '\t', '\r']) && !is_number;
    if is_formula { format!("'{cell}") } else { cell.to_owned() }
}

/// A value that may be missing.
pub(super) fn or_empty(value: Option<f64>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_a_file_and_a_name_is_no_formula() {
        let rows = [vec!["=1+1, \"a\"".to_owned(), "-0.5".to_owned()]];
        let html = with_numbers(&html! { svg {} }, &["name", "value"], rows.into_iter());
        let link = html.into_string();
        let data = link.split("utf-8,").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
        assert_eq!(data, "name%2Cvalue%0A%22%27%3D1%2B1%2C%20%22%22a%22%22%22%2C-0.5%0A");
    }
}
