//! Workbooks as other programs write them.

use assize_documents::criteria::from_table;
use assize_documents::table::{Reading, Table, TableError, read, read_for, read_sheet};
use assize_documents::{DocumentError, Limits};
use rust_xlsxwriter::{Format, Formula, Workbook};

fn cells(table: &Table) -> Vec<(usize, Vec<&str>)> {
    let row = |row: &'_ assize_documents::table::Row| row.number;
    table.rows.iter().map(|r| (row(r), r.cells.iter().map(String::as_str).collect())).collect()
}

#[test]
fn formulas_merged_cells_and_formats_are_read_as_shown() {
    let mut book = Workbook::new();
    let sheet = book.add_worksheet();
    sheet.merge_range(0, 0, 0, 2, "Truth keys of spring", &Format::new()).unwrap();
    for (column, header) in (0..).zip(["document", "criteria_id", "expected_score"]) {
        sheet.write(2, column, header).unwrap();
    }
    sheet.merge_range(3, 0, 4, 0, "policy.docx", &Format::new()).unwrap();
    sheet.write(3, 1, "AC-1").unwrap();
    sheet.write_with_format(3, 2, 0.73, &Format::new().set_num_format("0%")).unwrap();
    sheet.write(4, 1, "AC-2").unwrap();
    sheet.write_formula(4, 2, Formula::new("=40+2").set_result("42")).unwrap();
    let table = read(&book.save_to_buffer().unwrap(), "keys.xlsx").unwrap();
    assert_eq!(table.headers, ["document", "criteria_id", "expected_score"]);
    let expected =
        [(4, vec!["policy.docx", "AC-1", "73%"]), (5, vec!["policy.docx", "AC-2", "42"])];
    assert_eq!(cells(&table), expected);
    let expected = [
        "skipped the rows above the header, up to row 1",
        "formulas: 1; using their stored values",
        "merged cells: 2; each value applies to all its rows",
    ];
    assert_eq!(table.notices, expected);
}

#[test]
fn no_row_is_lost_where_identifiers_are_merged_and_titles_stand_between() {
    let mut book = Workbook::new();
    let (sheet, plain) = (book.add_worksheet(), Format::new());
    sheet.merge_range(0, 0, 0, 3, "Controls of the year", &plain).unwrap();
    for (column, header) in (0..).zip(["Function", "ID", "Requirement", "Notes"]) {
        sheet.write(1, column, header).unwrap();
    }
    // A title across the columns that are read, and one in a column that is not.
    sheet.merge_range(2, 1, 2, 3, "Doors", &plain).unwrap();
    sheet.write(3, 0, "PROTECT").unwrap();
    // One identifier over three requirements.
    sheet.merge_range(4, 1, 6, 1, "D-1", &plain).unwrap();
    for (row, text) in (4..).zip(["Lock the front.", "Lock the back.", "Lock the gate."]) {
        sheet.write(row, 2, text).unwrap();
    }
    // Both merged over two rows: the second row only has a note, which is a description.
    sheet.merge_range(7, 1, 8, 1, "D-2", &plain).unwrap();
    sheet.merge_range(7, 2, 8, 2, "Count keys.", &plain).unwrap();
    sheet.write(8, 3, "see D-1").unwrap();
    // One requirement for two identifiers.
    sheet.write(9, 1, "D-3").unwrap();
    sheet.write(10, 1, "D-4").unwrap();
    sheet.merge_range(9, 2, 10, 2, "Keep a log.", &plain).unwrap();
    let known = assize_documents::criteria::known_names();
    let bytes = book.save_to_buffer().unwrap();
    let table = read_for(&bytes, "controls.xlsx", &Reading::default(), &known).unwrap();
    let imported = from_table(&table).unwrap();
    assert_eq!(imported.bad_rows, []);
    let items: Vec<(&str, &str)> = imported
        .items
        .iter()
        .map(|item| (item.criteria_id.as_str(), item.requirement.as_str()))
        .collect();
    let expected = [
        ("D-1 (1)", "Lock the front."),
        ("D-1 (2)", "Lock the back."),
        ("D-1 (3)", "Lock the gate."),
        ("D-2", "Count keys."),
        ("D-3", "Keep a log."),
        ("D-4", "Keep a log."),
    ];
    assert_eq!(items, expected);
    assert_eq!(imported.items[3].description, "see D-1");
    for notice in [
        "rows without a requirement, taken as headings: 3, 4",
        "identifiers merged over several rows: 3 rows are criteria of their own, numbered, such \
         as `D-1 (2)`",
    ] {
        assert!(imported.notices.iter().any(|one| one == notice), "{:?}", imported.notices);
    }
}

#[test]
fn an_identifier_that_is_written_twice_is_still_refused() {
    let mut book = Workbook::new();
    let sheet = book.add_worksheet();
    for (row, (id, text)) in
        (0..).zip([("id", "requirement"), ("D-1", "Lock."), ("D-1", "Close."), ("D-2", "")])
    {
        sheet.write(row, 0, id).unwrap().write(row, 1, text).unwrap();
    }
    let table = read(&book.save_to_buffer().unwrap(), "controls.xlsx").unwrap();
    let bad: Vec<usize> = from_table(&table).unwrap().bad_rows.iter().map(|bad| bad.row).collect();
    assert_eq!(bad, [3, 4]);
}

#[test]
fn sheets_are_chosen_by_name_and_hidden_ones_only_so() {
    let mut book = Workbook::new();
    for (name, hidden) in [("Notes", true), ("Keys", false), ("More", false)] {
        let sheet = book.add_worksheet();
        sheet.set_name(name).unwrap().set_hidden(hidden);
        sheet.write(0, 0, "id").unwrap().write(0, 1, name).unwrap();
        sheet.write(1, 0, 1.5).unwrap().write(1, 1, true).unwrap();
    }
    book.worksheet_from_name("Keys").unwrap().set_active(true);
    let bytes = book.save_to_buffer().unwrap();
    let first = read(&bytes, "a.xlsx").unwrap();
    assert_eq!(first.headers, ["id", "Keys"]);
    assert_eq!(first.notices, ["read only the sheet `Keys`; there are 1 more"]);
    assert_eq!(cells(&first), [(2, vec!["1.5", "TRUE"])]);
    let limits = Limits::default();
    assert_eq!(read_sheet(&bytes, "a.xlsx", Some("notes"), &limits).unwrap().headers[1], "Notes");
    let missing = read_sheet(&bytes, "a.xlsx", Some("Gone"), &limits).unwrap_err().to_string();
    assert_eq!(missing, "no sheet `Gone`; there are `Notes`, `Keys`, `More`");
}

#[test]
fn a_cell_at_the_far_end_of_the_sheet_costs_nothing() {
    let mut book = Workbook::new();
    let sheet = book.add_worksheet();
    sheet.write(0, 0, "id").unwrap().write(0, 1, "text").unwrap();
    sheet.write(1, 0, "AC-1").unwrap().write(1_048_575, 1, "far").unwrap();
    sheet.write(2, 16_383, "right").unwrap();
    let table = read(&book.save_to_buffer().unwrap(), "a.xlsx").unwrap();
    assert_eq!(cells(&table), [(2, vec!["AC-1", ""]), (1_048_576, vec!["", "far"])]);
    assert_eq!(table.bad_rows.len(), 1);
    assert_eq!(table.bad_rows[0].reason, "the cell XFD3 is beyond the supported number of columns");
}

#[test]
fn a_word_document_is_no_table_and_a_cut_workbook_is_damaged() {
    let mut book = Workbook::new();
    book.add_worksheet().write(0, 0, "id").unwrap();
    let bytes = book.save_to_buffer().unwrap();
    let cut = read(&bytes[..bytes.len() / 2], "a.xlsx").unwrap_err();
    assert!(matches!(cut, TableError::File(DocumentError::Damaged { .. })), "{cut:?}");
    let small = Limits { decompressed_bytes_max: 100, ..Limits::default() };
    let large = read_sheet(&bytes, "a.xlsx", None, &small).unwrap_err();
    assert!(matches!(large, TableError::File(DocumentError::TooLarge(_))), "{large:?}");
}
