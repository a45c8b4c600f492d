//! Writes tables: as CSV, and as a workbook that has nothing but the cells.

use std::fmt::Write as _;
use std::io::{Cursor, Write as _};

use quick_xml::escape::escape;
use zip::write::{SimpleFileOptions, ZipWriter};

use super::xlsx::letters;
use super::{Row, Table};

const CONTENT_TYPES: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>"#;

const PACKAGE_LINKS: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>"#;

const WORKBOOK: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>"#;

const WORKBOOK_LINKS: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>"#;

impl Table {
    /// A table of these rows, numbered as an editor will number them.
    pub fn new(headers: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> Self {
        let headers = headers.iter().map(|header| (*header).to_owned()).collect();
        let rows = rows.into_iter().enumerate();
        let rows = rows.map(|(index, cells)| Row { number: index + 2, cells }).collect();
        Self { headers, rows, ..Self::default() }
    }

    /// The table as comma-separated values.
    pub fn to_csv(&self) -> String {
        let mut writer = ::csv::Writer::from_writer(Vec::new());
        let rows = std::iter::once(&self.headers).chain(self.rows.iter().map(|row| &row.cells));
        for row in rows {
            writer.write_record(row).expect("writing to memory does not fail");
        }
        let bytes = writer.into_inner().expect("writing to memory does not fail");
        String::from_utf8(bytes).expect("text was written")
    }

    /// The table as a workbook with one sheet, whose first row stays in view.
    pub fn to_xlsx(&self) -> Vec<u8> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        // One date for all, so that the same table is the same file.
        let options = SimpleFileOptions::default().last_modified_time(zip::DateTime::default());
        for (name, content) in [
            ("[Content_Types].xml", CONTENT_TYPES),
            ("_rels/.rels", PACKAGE_LINKS),
            ("xl/workbook.xml", WORKBOOK),
            ("xl/_rels/workbook.xml.rels", WORKBOOK_LINKS),
            ("xl/worksheets/sheet1.xml", &self.sheet()),
        ] {
            writer.start_file(name, options).expect("the names are short and differ");
            writer.write_all(content.as_bytes()).expect("writing to memory does not fail");
        }
        writer.finish().expect("writing to memory does not fail").into_inner()
    }

    fn sheet(&self) -> String {
        let mut xml = String::from(
            r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>"#,
        );
        let rows = std::iter::once(&self.headers).chain(self.rows.iter().map(|row| &row.cells));
        for (row, cells) in (1..).zip(rows) {
            let _ = write!(xml, r#"<row r="{row}">"#);
            for (column, cell) in cells.iter().enumerate().filter(|(_, cell)| !cell.is_empty()) {
                let (place, text) = (letters(column), escape(cell.as_str()));
                let _ = write!(
                    xml,
                    r#"<c r="{place}{row}" t="inlineStr"><is><t xml:space="preserve">{text}</t></is></c>"#
                );
            }
            xml.push_str("</row>");
        }
        xml.push_str("</sheetData></worksheet>");
        xml
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::read;

    #[test]
    fn what_is_written_is_read_again() {
        let row = |cells: [&str; 2]| cells.map(str::to_owned).to_vec();
        let rows = [row(["AC-1", "a, \"b\" & <c>\nd"]), row(["ÄC-2", ""]), row(["x", "=1+1"])];
        let table = Table::new(&["criteria_id", "requirement"], rows);
        let from_xlsx = read(&table.to_xlsx(), "a.xlsx").unwrap();
        // A workbook also has a name for its sheet.
        assert_eq!(from_xlsx.sheet.as_deref(), Some("Sheet1"));
        assert_eq!(Table { sheet: None, ..from_xlsx }, table);
        let from_csv = read(table.to_csv().as_bytes(), "a.csv").unwrap();
        // The first row takes two lines of the file.
        assert_eq!(from_csv.rows.iter().map(|row| row.number).collect::<Vec<_>>(), [2, 4, 5]);
        assert_eq!(from_csv.rows[0].cells, table.rows[0].cells);
        assert_eq!(table.to_xlsx(), table.to_xlsx());
    }
}
