//! Which column holds what: the same for every command that reads records or tables.

use std::collections::BTreeMap;

use anyhow::{Result, bail};
use assize_engine::compliance::intake::Reading;
use clap::Args;

/// Columns by other names, and the sheet they stand on.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Columns")]
pub(crate) struct MapArguments {
    /// Column that holds a field, if it is not recognised by name (repeatable)
    #[arg(long, value_name = "FIELD=COLUMN", value_parser = pair)]
    pub(crate) map: Vec<(String, String)>,
    /// Sheet of a workbook to read [default: the first visible sheet with the required columns]
    #[arg(long, value_name = "NAME")]
    pub(crate) sheet: Option<String>,
}

impl MapArguments {
    /// As tables of criteria and truth keys are read.
    pub(crate) fn to_reading(&self, rows: RowArguments) -> Reading {
        Reading {
            sheet: self.sheet.clone(),
            mapping: self.map.iter().cloned().collect(),
            skip_unusable: rows.skip_unusable,
        }
    }

    /// Fields and columns; a field that is none of these is refused with those there are.
    pub(crate) fn to_map(&self, fields: &[&str]) -> Result<BTreeMap<String, String>> {
        known(&self.map, fields)?;
        Ok(self.map.iter().cloned().collect())
    }

    /// Whether anything is said.
    pub(crate) fn is_given(&self) -> bool {
        !self.map.is_empty() || self.sheet.is_some()
    }
}

/// What happens to rows of a list that cannot be used.
#[derive(Debug, Clone, Copy, Default, Args)]
#[command(next_help_heading = "Columns")]
pub(crate) struct RowArguments {
    /// Leave out rows that cannot be used, instead of refusing the file
    #[arg(long)]
    pub(crate) skip_unusable: bool,
}

/// Refuses a field that is none of these.
pub(crate) fn known(map: &[(String, String)], fields: &[&str]) -> Result<()> {
    for (field, _) in map {
        if !fields.contains(&field.as_str()) {
            bail!("--map {field}=…: unknown field `{field}`; the fields are {}", fields.join(", "));
        }
    }
    Ok(())
}

/// `FIELD=COLUMN`.
pub(crate) fn pair(text: &str) -> Result<(String, String), String> {
    let (field, column) = text.split_once('=').ok_or("expected FIELD=COLUMN")?;
    let (field, column) = (field.trim(), column.trim());
    if field.is_empty() || column.is_empty() {
        return Err("expected FIELD=COLUMN".to_owned());
    }
    Ok((field.to_owned(), column.to_owned()))
}
