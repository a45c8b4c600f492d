//! Arguments that both commands share: which fields hold what.

use std::path::Path;

use anyhow::Result;
use assize_engine::summary::input::{FieldPath, Fields, Layout, Reading, Records};
use clap::{Args, ValueEnum};

use crate::map_args;

#[derive(Debug, Args)]
#[command(next_help_heading = "Fields of --input")]
pub(crate) struct FieldArguments {
    /// Field with the article; use a dotted path for nested fields
    #[arg(long, value_name = "FIELD", default_value = "article")]
    pub(crate) article_field: String,
    /// Field with the summary
    #[arg(long, value_name = "FIELD", default_value = "summary")]
    pub(crate) summary_field: String,
    /// Field with the id of the pair
    #[arg(long, value_name = "FIELD", default_value = "id")]
    pub(crate) id_field: String,
    /// Format of the input file [default: detected]
    #[arg(long, value_enum, value_name = "LAYOUT")]
    pub(crate) input_format: Option<LayoutName>,
    /// Alternative to the three flags above: article=COLUMN, summary=COLUMN, id=COLUMN
    #[arg(long, value_name = "FIELD=COLUMN", value_parser = map_args::pair)]
    pub(crate) map: Vec<(String, String)>,
    /// Sheet of a workbook to read [default: the first visible sheet with the required columns]
    #[arg(long, value_name = "NAME")]
    pub(crate) sheet: Option<String>,
}

impl FieldArguments {
    /// The fields that the engine reads.
    pub(crate) fn to_fields(&self) -> Result<Fields> {
        map_args::known(&self.map, &["article", "summary", "id"])?;
        let mut fields = Fields {
            article: FieldPath::new(&self.article_field),
            summary: FieldPath::new(&self.summary_field),
            id: FieldPath::new(&self.id_field),
        };
        for (field, column) in &self.map {
            fields.map(field, column);
        }
        Ok(fields)
    }

    /// How the file is read.
    pub(crate) fn to_reading(&self) -> Result<Reading> {
        let layout = self.input_format.map(|layout| match layout {
            LayoutName::Jsonl => Layout::JsonLines,
            LayoutName::Json => Layout::Json,
            LayoutName::Csv => Layout::Csv,
            LayoutName::Tsv => Layout::Tsv,
            LayoutName::Parquet => Layout::Parquet,
            LayoutName::Xlsx => Layout::Workbook,
        });
        let wanted = self.to_fields()?.columns();
        Ok(Reading { layout, sheet: self.sheet.clone(), wanted })
    }

    /// The records of a file.
    pub(crate) fn open(&self, input: &Path) -> Result<Records> {
        Ok(Records::open_by(input, &self.to_reading()?)?)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LayoutName {
    /// One JSON object per line
    Jsonl,
    /// A JSON array of objects
    Json,
    /// Comma-separated values with a header
    Csv,
    /// Tab-separated values with a header
    Tsv,
    /// Parquet
    Parquet,
    /// Excel workbook
    Xlsx,
}
