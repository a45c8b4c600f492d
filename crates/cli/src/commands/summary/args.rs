//! Arguments that both commands share: who judges, who counts, and which fields hold what.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use anyhow::{Result, ensure};
use assize_engine::asking::JudgeName;
use assize_engine::summary::input::{FieldPath, Fields, Layout, Reading, Records};
use assize_engine::summary::{Framework, Judge, Settings};
use assize_methods::summary::evidence::OverlapWith;
use clap::{Args, ValueEnum};

use crate::map_args;

#[derive(Debug, Args)]
#[command(next_help_heading = "Judging")]
pub(crate) struct JudgingArguments {
    /// Scoring framework
    #[arg(long, value_enum, default_value_t = FrameworkName::TwinLock)]
    pub(crate) framework: FrameworkName,
    /// The judge: rules, rules+PROVIDER/MODEL (the model decides what rules leave open),
    /// PROVIDER/MODEL, or panel:A,B,C
    #[arg(long, value_name = "JUDGE", default_value = "rules")]
    pub(crate) judge: SummaryJudgeName,
    /// What to compare each segment of the summary with for relevance
    #[arg(long, value_enum, default_value_t = OverlapName::Sentence)]
    pub(crate) overlap: OverlapName,
}

impl JudgingArguments {
    /// The settings that the engine takes.
    pub(crate) fn to_settings(&self) -> Settings {
        Settings {
            judge: match &self.judge.who {
                _ if self.judge.only_undecided => Judge::RulesAndModel,
                JudgeName::Rules => Judge::Rules,
                JudgeName::Model(_) => Judge::Model,
                JudgeName::Panel(_) => Judge::Panel,
            },
            framework: match self.framework {
                FrameworkName::TwinLock => Framework::TwinLock,
                FrameworkName::JudgeLock => Framework::JudgeLock,
                FrameworkName::JudgeLockUltra => Framework::JudgeLockUltra,
            },
            overlap: match self.overlap {
                OverlapName::Sentence => OverlapWith::BestSentence,
                OverlapName::Literal => OverlapWith::WholeArticle,
            },
        }
    }
}

/// Who finds and labels, as users type it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SummaryJudgeName {
    /// The rules, a model, or a panel.
    pub(crate) who: JudgeName,
    /// Whether a model is asked only about the claims that the rules cannot decide.
    pub(crate) only_undecided: bool,
}

/// What stands before the model that gets what the rules cannot decide.
const UNDECIDED_BY: &str = "rules+";

impl FromStr for SummaryJudgeName {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Self> {
        let Some(model) = text.strip_prefix(UNDECIDED_BY) else {
            return Ok(Self { who: text.parse()?, only_undecided: false });
        };
        let who: JudgeName = model.parse()?;
        ensure!(
            matches!(who, JudgeName::Model(_)),
            "rules+ must be followed by one PROVIDER/MODEL"
        );
        Ok(Self { who, only_undecided: true })
    }
}

impl fmt::Display for SummaryJudgeName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let before = if self.only_undecided { UNDECIDED_BY } else { "" };
        write!(formatter, "{before}{}", self.who)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FrameworkName {
    /// Twin-Lock: five metrics; an unsupported claim caps coverage and relevance at 4
    TwinLock,
    /// Judge-Lock: adds questions and answers, and stricter caps
    JudgeLock,
    /// Judge-Lock with labels voted by a panel, with agreement and intervals
    JudgeLockUltra,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum OverlapName {
    /// The best matching sentence of the article
    Sentence,
    /// The whole article, as the framework literally says
    Literal,
}

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
