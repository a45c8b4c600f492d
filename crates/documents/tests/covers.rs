//! Tables as people keep them: a cover before the table, another separator, columns by other names.

#![expect(clippy::unwrap_used, reason = "a test that cannot make its file has failed")]

use assize_documents::criteria::{self, Criterion};
use assize_documents::import::Imported;
use assize_documents::table::{Mapping, Reading, read_for};
use rust_xlsxwriter::Workbook;

fn mapped(pairs: &[(&str, &str)]) -> Mapping {
    pairs.iter().map(|(field, column)| ((*field).to_owned(), (*column).to_owned())).collect()
}

fn import(bytes: &[u8], name: &str, reading: &Reading) -> Result<Imported<Criterion>, String> {
    let table = read_for(bytes, name, reading, &criteria::known_names());
    let table = table.map_err(|error| error.to_string())?;
    criteria::from_table_by(&table, &reading.mapping).map_err(|error| error.to_string())
}

fn plain(text: &str) -> Result<Imported<Criterion>, String> {
    import(text.as_bytes(), "criteria.csv", &Reading::default())
}

/// A sheet with a cover, and one whose header has a title and the author above it.
fn workbook() -> Vec<u8> {
    let mut book = Workbook::new();
    let cover = book.add_worksheet().set_name("Cover").unwrap();
    for (row, text) in ["Controls of the library", "Version 3", "Ada"].iter().enumerate() {
        cover.write_string(u32::try_from(row).unwrap(), 0, *text).unwrap();
    }
    let sheet = book.add_worksheet().set_name("Controls").unwrap();
    let rows: [&[&str]; 6] = [
        &["Controls"],
        &["Author", "Ada"],
        &[],
        &["Control ID", "Control name", "Control description"],
        &["A-1", "Doors", "Every door is locked at night."],
        &["A-2", "Windows", "Every window is closed at night."],
    ];
    for (row, cells) in rows.iter().enumerate() {
        for (column, cell) in cells.iter().enumerate() {
            let (row, column) = (u32::try_from(row).unwrap(), u16::try_from(column).unwrap());
            sheet.write_string(row, column, *cell).unwrap();
        }
    }
    book.save_to_buffer().unwrap()
}

#[test]
fn a_workbook_with_a_cover_sheet_and_a_late_header_is_read() {
    let read = import(&workbook(), "controls.xlsx", &Reading::default()).unwrap();
    assert_eq!(read.items.len(), 2, "{read:?}");
    assert_eq!(read.items[0].requirement, "Doors\nEvery door is locked at night.");
    let notices = read.notices.join("\n");
    assert!(notices.contains("read the sheet `Controls`"), "{notices}");
    assert!(notices.contains("skipped the rows above the header, up to row 2"), "{notices}");
    assert!(
        notices.contains(
            "using the column `Control description` as the requirement, because it has more"
        ),
        "{notices}"
    );
    let cover = Reading { sheet: Some("Cover".to_owned()), ..Reading::default() };
    assert!(import(&workbook(), "controls.xlsx", &cover).is_err(), "the user said which sheet");
    let none = Reading { sheet: Some("Other".to_owned()), ..Reading::default() };
    let error = import(&workbook(), "controls.xlsx", &none).unwrap_err();
    assert_eq!(error, "no sheet `Other`; there are `Cover`, `Controls`");
}

#[test]
fn semicolons_tabs_marks_and_line_ends_make_no_difference() {
    let lines =
        ["id;requirement", "A-1;Lock doors, always.", "", ";nameless", "A-2;Close windows."];
    for (separator, end) in [(";", "\n"), (";", "\r\n"), ("\t", "\r\n")] {
        let text = format!("\u{feff}{}{end}", lines.join(end)).replace(';', separator);
        let read = plain(&text).unwrap();
        assert_eq!(read.items.len(), 2, "{text:?}: {read:?}");
        assert_eq!(read.items[0].requirement, "Lock doors, always.");
        // The line that an editor shows beside the row, the empty one counted.
        assert_eq!(read.bad_rows[0].row, 4, "{text:?}");
    }
}

#[test]
fn a_wrong_name_is_answered_with_the_columns_and_the_nearest() {
    let error = plain("Control ID,Requirments text,Owner\nA,b,c\n").unwrap_err();
    assert_eq!(
        error,
        "no requirement column: expected one named `requirement`; the columns are `Control ID`, \
         `Requirments text`, `Owner`; did you mean `Requirments text`?"
    );
    let reading = Reading { mapping: mapped(&[("requirement", "Owners")]), ..Reading::default() };
    let error = import(b"id,Text,Owner\nA,b,c\n", "a.csv", &reading).unwrap_err();
    assert!(error.starts_with("no column `Owners` for the requirement"), "{error}");
    assert!(error.contains("did you mean `Owner`"), "{error}");
    let reading = Reading { mapping: mapped(&[("requirment", "Owner")]), ..Reading::default() };
    let error = import(b"id,Text,Owner\nA,b,c\n", "a.csv", &reading).unwrap_err();
    assert!(error.contains("unknown field `requirment`"), "{error}");
}

#[test]
fn of_two_columns_the_richer_counts_and_a_doubt_is_a_question() {
    let clear =
        plain("id,statement,question\nA,Doors are locked at night by the porter.,Locked?\n");
    assert!(clear.unwrap().items[0].requirement.starts_with("Doors are locked"));
    let doubt = "id,statement,question\nA,Doors are locked.,Are they locked?\n";
    let error = plain(doubt).unwrap_err();
    assert_eq!(
        error,
        "which column holds the requirement: `statement` or `question`? Map `requirement` to one \
         of them"
    );
    let reading = Reading { mapping: mapped(&[("requirement", "Question")]), ..Reading::default() };
    let read = import(doubt.as_bytes(), "a.csv", &reading).unwrap();
    assert_eq!(read.items[0].requirement, "Are they locked?");
}
