//! A compliance run as the file that somebody asked for.

use assize_exports::{csv, json, oscal, pdf, xlsx};
use assize_store::AnyRun;

use crate::compliance::{ComplianceError, Registry};

impl Registry {
    /// The bytes of a report: `xlsx`, `pdf`, `csv`, `json` or `oscal`.
    pub async fn report_file(
        &self,
        run: &AnyRun,
        format: &str,
    ) -> Result<Vec<u8>, ComplianceError> {
        let run = self.find_run(run.id.as_str()).await?;
        let report = self.report(&run).await?;
        let mut bytes = Vec::new();
        let written = match format {
            "xlsx" => xlsx::write(&report, &mut bytes),
            "pdf" => pdf::write(&report, &mut bytes),
            "csv" => csv::write(&report, &mut bytes),
            "json" => json::write(&report, &mut bytes),
            "oscal" => oscal::write(&report, &oscal::Options::default(), &mut bytes),
            other => return Err(ComplianceError::Refused(format!("there is no format `{other}`"))),
        };
        match written {
            Ok(()) => Ok(bytes),
            Err(error) => Err(ComplianceError::Refused(error.to_string())),
        }
    }
}
