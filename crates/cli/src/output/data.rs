//! Results as comma-separated lines.

/// Comma-separated lines under a header.
pub(crate) fn csv(header: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let mut written = writer.write_record(header);
    for row in rows {
        written = written.and_then(|()| writer.write_record(row));
    }
    written.expect("writing to memory cannot fail, and all rows have one length");
    let bytes = writer.into_inner().expect("writing to memory cannot fail");
    String::from_utf8(bytes).expect("only text was written")
}
