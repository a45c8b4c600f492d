//! Records of every layout, whole and broken.

use std::fs;
use std::io::Write;

use super::*;

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// What each record of a file holds, or what is wrong with it.
fn read(name: &str, content: impl AsRef<[u8]>) -> Vec<Result<Value, String>> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, content).unwrap();
    let records = Records::open(&path, None).unwrap();
    records.map(|record| record.unwrap().value().map_err(|error| error.to_string())).collect()
}

#[test]
fn the_layout_follows_from_content_and_name() {
    let cases = [
        ("a.csv", "id,article", Layout::Csv),
        ("a.tsv.gz", "id\tarticle", Layout::Tsv),
        ("-", " [{", Layout::Json),
        ("a.json", "\n{", Layout::Json),
        ("-", "{\"a\":1}", Layout::JsonLines),
        ("a.JSONL.zst", "oops", Layout::JsonLines),
        ("a.bin", "PAR1\u{15}", Layout::Parquet),
        ("-", "article,summary", Layout::Csv),
    ];
    for (name, start, layout) in cases {
        assert_eq!(guess(Path::new(name), start.as_bytes()), layout, "{name} {start}");
    }
}

#[test]
fn a_file_that_is_no_text_is_refused_once() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a.xlsx", "a.csv", "a.jsonl", "a.json"] {
        let path = folder.path().join(name);
        fs::write(&path, b"P>\xba\xa4yC\xe8\xa0\x01\n\x02\xff\n").unwrap();
        let error = Records::open(&path, None).map(drop).unwrap_err().to_string();
        assert!(error.ends_with("the file is binary and its format is not supported"), "{error}");
    }
}

#[test]
fn a_broken_line_does_not_spoil_its_neighbours() {
    let found = read("a.jsonl", b"\xef\xbb\xbf{\"a\": 1}\n\n{\"a\": \n\xff\xfe\n{\"a\": 4}");
    assert_eq!(found[0], Ok(json(r#"{"a": 1}"#)));
    let broken = found[1].as_ref().unwrap_err();
    assert!(broken.starts_with("malformed_record: line 3: not valid JSON"), "{broken}");
    assert_eq!(found[2], Err("malformed_record: line 4: not valid UTF-8 text".to_owned()));
    assert_eq!(found[3], Ok(json(r#"{"a": 4}"#)));
    assert_eq!(found.len(), 4);
}

#[test]
fn an_array_is_cut_into_its_elements_whatever_they_hold() {
    let text = "[ {\"a\": \"]}\\\"{[\", \"b\": [1, {\"c\": 2}]} ,\n {\"a\": \"\\\\\"},\n\n7]\n";
    let found = read("a.json", text);
    let expected =
        [json(r#"{"a": "]}\"{[", "b": [1, {"c": 2}]}"#), json(r#"{"a": "\\"}"#), json("7")].map(Ok);
    assert_eq!(found, expected);
}

#[test]
fn an_indented_object_in_a_json_file_is_one_record() {
    assert_eq!(read("a.json", "{\n  \"a\": 1\n}\n"), [Ok(json(r#"{"a": 1}"#))]);
}

#[test]
fn an_array_that_is_cut_short_says_so_and_keeps_what_came_before() {
    let found = read("a.json", "[{\"a\": 1},\n{\"a\": \"2");
    assert_eq!(found[0], Ok(json(r#"{"a": 1}"#)));
    let broken = found[1].as_ref().unwrap_err();
    assert!(broken.contains("line 2: the file ends in the middle"), "{broken}");
}

#[test]
fn a_broken_element_is_named_by_its_line_and_the_next_one_is_read() {
    let found = read("a.json", "[\n{\"a\": 1},\n{\"a\" 2},\n{\"a\": 3}]");
    let broken = found[1].as_ref().unwrap_err();
    assert!(broken.starts_with("malformed_record: line 3: not valid JSON"), "{broken}");
    assert_eq!(found[2], Ok(json(r#"{"a": 3}"#)));
}

#[test]
fn rows_of_a_table_are_named_by_its_header() {
    let found = read("a.csv", "id, article\n1,\"two\nlines, quoted\"\n2\n3,c\n");
    assert_eq!(found[0], Ok(json(r#"{"id": "1", "article": "two\nlines, quoted"}"#)));
    let broken = found[1].as_ref().unwrap_err();
    assert_eq!(broken, "malformed_record: line 4: 1 fields, but the header has 2");
    assert_eq!(found[2], Ok(json(r#"{"id": "3", "article": "c"}"#)));
}

#[test]
fn tabs_and_compression_are_found_out() {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(b"id\ttext\n1\ta,b\n").unwrap();
    let found = read("a.tsv.gz", encoder.finish().unwrap());
    assert_eq!(found, [Ok(json(r#"{"id": "1", "text": "a,b"}"#))]);
    let zstd = zstd::encode_all(&b"{\"a\": 1}\n"[..], 1).unwrap();
    assert_eq!(read("a.jsonl.zst", zstd), [Ok(json(r#"{"a": 1}"#))]);
}

#[test]
fn an_empty_file_and_a_folder_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("empty.jsonl");
    fs::write(&path, "").unwrap();
    let refused = |path: &Path| Records::open(path, None).err().unwrap().to_string();
    assert!(refused(&path).contains("is empty"));
    assert!(refused(folder.path()).contains("is a directory"));
}

#[cfg(feature = "parquet")]
#[test]
fn rows_of_a_parquet_file_keep_their_nested_fields() {
    use std::sync::Arc;

    use ::parquet::column::writer::ColumnWriter;
    use ::parquet::data_type::ByteArray;
    use ::parquet::file::writer::SerializedFileWriter;
    use ::parquet::schema::parser::parse_message_type;

    let schema = "message pair { required binary article (UTF8); \
                  required group human { required double consistency; } }";
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let mut file = Vec::new();
    let mut writer = SerializedFileWriter::new(&mut file, schema, Arc::default()).unwrap();
    let mut rows = writer.next_row_group().unwrap();
    while let Some(mut column) = rows.next_column().unwrap() {
        match column.untyped() {
            ColumnWriter::ByteArrayColumnWriter(texts) => {
                texts.write_batch(&[ByteArray::from("Ærø"), "b".into()], None, None).unwrap();
            }
            ColumnWriter::DoubleColumnWriter(numbers) => {
                numbers.write_batch(&[4.5, 1.0], None, None).unwrap();
            }
            _ => panic!("the schema has no other column"),
        }
        column.close().unwrap();
    }
    rows.close().unwrap();
    writer.close().unwrap();
    let found = read("pairs.parquet", file);
    assert_eq!(found[0], Ok(json(r#"{"article": "Ærø", "human": {"consistency": 4.5}}"#)));
    assert_eq!(found[1], Ok(json(r#"{"article": "b", "human": {"consistency": 1.0}}"#)));
}
