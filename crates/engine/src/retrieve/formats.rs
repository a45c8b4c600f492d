//! What was found, in the format that somebody asks for.

use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;
use std::str::FromStr;

use assize_search::Prediction;

use super::json::{json, json_lines};
use crate::retrieval::fuse::write_trec;
use crate::retrieval::ranked::{RankedError, Result, Run};

/// How predictions are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// A JSON list, which `assize score` reads.
    Json,
    /// The same, one query on each line.
    JsonLines,
    /// A run of documents, as `trec_eval` reads it.
    Trec,
    /// The same run as a table.
    Parquet,
}

impl Format {
    /// The format that the name of a file suggests.
    pub fn of_path(path: &Path) -> Self {
        let ending = path.extension().and_then(|ending| ending.to_str());
        match ending.map(str::to_ascii_lowercase).as_deref() {
            Some("trec" | "run" | "txt") => Self::Trec,
            Some("jsonl" | "ndjson") => Self::JsonLines,
            Some("parquet") => Self::Parquet,
            _ => Self::Json,
        }
    }

    /// Whether documents are listed, not passages.
    pub fn lists_documents(self) -> bool {
        matches!(self, Self::Trec | Self::Parquet)
    }
}

impl FromStr for Format {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "json" => Ok(Self::Json),
            "jsonl" => Ok(Self::JsonLines),
            "trec" => Ok(Self::Trec),
            "parquet" => Ok(Self::Parquet),
            _ => Err(format!("unknown format `{text}`; use json, jsonl, trec or parquet")),
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Json => "json",
            Self::JsonLines => "jsonl",
            Self::Trec => "trec",
            Self::Parquet => "parquet",
        })
    }
}

/// Predictions and what a run of documents needs besides.
#[derive(Debug, Clone, Copy)]
pub struct Found<'a> {
    /// What was found, query by query.
    pub predictions: &'a [Prediction<'a>],
    /// The identifiers of the queries; their places, from 1, where there are none.
    pub ids: Option<&'a [String]>,
    /// What the run is called.
    pub name: &'a str,
    /// How many documents a query lists at most.
    pub k: usize,
}

impl Found<'_> {
    /// The bytes of a file.
    pub fn written(&self, format: Format) -> Result<Vec<u8>> {
        match format {
            Format::Json => Ok(json(self.predictions, self.ids)),
            Format::JsonLines => Ok(json_lines(self.predictions, self.ids)),
            Format::Trec => {
                let mut bytes = Vec::new();
                write_trec(&self.run(), &mut bytes)?;
                Ok(bytes)
            }
            Format::Parquet => parquet(&self.rows()),
        }
    }

    /// A run of documents.
    pub fn run(&self) -> Run {
        let rows = self.rows();
        let scores = rows.iter().map(|row| (row.query.as_str(), row.document.as_str(), row.score));
        Run::from_scores(self.name, scores)
    }

    /// The best passage of each document stands for it.
    fn rows(&self) -> Vec<Row> {
        let mut rows = Vec::new();
        for (index, prediction) in self.predictions.iter().enumerate() {
            let query = self.ids.and_then(|ids| ids.get(index)).cloned();
            let query = query.unwrap_or_else(|| (index + 1).to_string());
            let mut seen = BTreeSet::new();
            let best =
                prediction.retrieved_passages.iter().filter(|one| seen.insert(&*one.file_path));
            for (passage, rank) in best.take(self.k).zip(1..) {
                // TREC's format has no other way to write a name with white space in it.
                let document = passage.file_path.replace(char::is_whitespace, "%20");
                rows.push(Row { query: query.clone(), document, rank, score: passage.score });
            }
        }
        rows
    }
}

struct Row {
    query: String,
    document: String,
    #[cfg_attr(not(feature = "parquet"), expect(dead_code, reason = "only Parquet keeps ranks"))]
    rank: i32,
    score: f64,
}

#[cfg(not(feature = "parquet"))]
fn parquet(_: &[Row]) -> Result<Vec<u8>> {
    Err(RankedError::Parquet {
        file: "-".into(),
        message: "this build cannot write Parquet; build with the feature `parquet`".to_owned(),
    })
}

#[cfg(feature = "parquet")]
fn parquet(rows: &[Row]) -> Result<Vec<u8>> {
    table(rows)
        .map_err(|error| RankedError::Parquet { file: "-".into(), message: error.to_string() })
}

#[cfg(feature = "parquet")]
fn table(rows: &[Row]) -> Result<Vec<u8>, parquet::errors::ParquetError> {
    use std::sync::Arc;

    use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int32Type};
    use parquet::file::properties::WriterProperties;
    use parquet::file::writer::SerializedFileWriter;
    use parquet::schema::parser::parse_message_type;

    let schema = "message run { required binary query_id (UTF8); required binary doc_id (UTF8); \
                  required int32 rank; required double score; }";
    let schema = Arc::new(parse_message_type(schema)?);
    let properties = Arc::new(WriterProperties::builder().build());
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, properties)?;
    let mut group = writer.next_row_group()?;
    let texts = |text: fn(&Row) -> &str| -> Vec<ByteArray> {
        rows.iter().map(|row| ByteArray::from(text(row))).collect()
    };
    let columns = [texts(|row| &row.query), texts(|row| &row.document)];
    let ranks: Vec<i32> = rows.iter().map(|row| row.rank).collect();
    let scores: Vec<f64> = rows.iter().map(|row| row.score).collect();
    let mut place = 0;
    while let Some(mut column) = group.next_column()? {
        match place {
            0 | 1 => column.typed::<ByteArrayType>().write_batch(&columns[place], None, None)?,
            2 => column.typed::<Int32Type>().write_batch(&ranks, None, None)?,
            _ => column.typed::<DoubleType>().write_batch(&scores, None, None)?,
        };
        column.close()?;
        place += 1;
    }
    group.close()?;
    writer.into_inner()
}

#[cfg(test)]
mod tests {
    use assize_search::predictions::Retrieved;

    use super::*;

    fn predictions() -> Vec<Prediction<'static>> {
        let passage = |file: &'static str, score| Retrieved {
            text: "x".into(),
            file_path: file.into(),
            span: (0, 1),
            chunk: 0,
            score,
        };
        let passages = vec![passage("b c", 3.0), passage("a", 2.0), passage("b c", 1.0)];
        vec![Prediction { query: "who?", retrieved_passages: passages }]
    }

    #[test]
    fn a_run_lists_each_document_once_under_its_best_passage() {
        let predictions = predictions();
        let ids = ["q7".to_owned()];
        let found = Found { predictions: &predictions, ids: Some(&ids), name: "hybrid", k: 10 };
        let trec = String::from_utf8(found.written(Format::Trec).unwrap()).unwrap();
        assert_eq!(trec, "q7 Q0 b%20c 1 3 hybrid\nq7 Q0 a 2 2 hybrid\n");
        let numbered = Found { ids: None, k: 1, ..found };
        let trec = String::from_utf8(numbered.written(Format::Trec).unwrap()).unwrap();
        assert_eq!(trec, "1 Q0 b%20c 1 3 hybrid\n");
    }

    #[test]
    fn identifiers_of_queries_stand_beside_them_in_json() {
        let predictions = predictions();
        let ids = ["q7".to_owned()];
        let found = Found { predictions: &predictions, ids: Some(&ids), name: "hybrid", k: 10 };
        for format in [Format::Json, Format::JsonLines] {
            let text = String::from_utf8(found.written(format).unwrap()).unwrap();
            assert!(text.contains(r#"{"query_id":"q7","query":"who?","retrieved_"#), "{text}");
            let unnamed = Found { ids: None, ..found }.written(format).unwrap();
            assert!(!String::from_utf8(unnamed).unwrap().contains("query_id"));
        }
    }

    #[cfg(feature = "parquet")]
    #[test]
    fn a_run_in_parquet_is_read_back() {
        let predictions = predictions();
        let found = Found { predictions: &predictions, ids: None, name: "hybrid", k: 10 };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.parquet");
        std::fs::write(&path, found.written(Format::Parquet).unwrap()).unwrap();
        let run = Run::load(&path, &crate::retrieval::ranked::Reading::default()).unwrap();
        let documents: Vec<(String, f64)> = run
            .documents(b"1")
            .unwrap()
            .map(|(document, score)| (String::from_utf8_lossy(document).into_owned(), score))
            .collect();
        assert_eq!(documents, [("b%20c".to_owned(), 3.0), ("a".to_owned(), 2.0)]);
    }

    #[test]
    fn a_name_suggests_the_format() {
        for (name, format) in [
            ("run.trec", Format::Trec),
            ("run.jsonl", Format::JsonLines),
            ("run.parquet", Format::Parquet),
            ("predictions.json", Format::Json),
            ("-", Format::Json),
        ] {
            assert_eq!(Format::of_path(Path::new(name)), format, "{name}");
        }
    }
}
