//! The reader that the configuration or a caller names, for judges.

use std::path::PathBuf;
use std::sync::Arc;

use assize_models::Variables;
use assize_readers::local::READING_VALUES;
use assize_readers::models::Kind;
use assize_readers::{Encoder, Entailment, LocalReader, MEGABYTES_MAX, Reader};

use super::ReadersError;
use super::kept::ReadingFiles;
use super::shelf::Shelf;
use crate::asking::LazyReader;
use crate::configuration::Written;

/// The folder beside the readers in which readings are kept.
const READINGS: &str = ".readings";

/// The reader that `[readers]` names, opened when a judge first needs it.
pub fn lazy(written: Written, variables: Variables) -> LazyReader {
    LazyReader::new(move || configured(&written, &variables).map_err(|error| error.to_string()))
}

/// The reader that `[readers]` names, with what it has read before; nothing where none is named.
fn configured(
    written: &Written,
    variables: &Variables,
) -> Result<Option<Arc<dyn Reader>>, ReadersError> {
    let table = &written.readers;
    if table.encoder.is_none() && table.entailment.is_none() {
        return Ok(None);
    }
    let shelf = Shelf::find(written, variables)?;
    let most = table.megabytes_max.unwrap_or(MEGABYTES_MAX);
    let names = (table.encoder.as_deref(), table.entailment.as_deref());
    Ok(Some(Arc::new(open(&shelf, names, most)?)))
}

/// The folder of the encoder that `[readers]` names; where it names none, of the first that is
/// installed.
pub fn encoder_folder(written: &Written, variables: &Variables) -> Result<PathBuf, ReadersError> {
    let shelf = Shelf::find(written, variables)?;
    if let Some(name) = &written.readers.encoder {
        return shelf.folder_of(name);
    }
    let first = shelf.list()?.into_iter().find(|one| one.kind == Some(Kind::Encoder));
    let folder = shelf.folder().to_owned();
    first.map(|encoder| encoder.folder).ok_or(ReadersError::NoEncoder { folder })
}

/// The encoder and the entailment model of these names or folders, of at most so many megabytes each,
/// with what they have read before.
pub fn open(
    shelf: &Shelf,
    (encoder, entailment): (Option<&str>, Option<&str>),
    megabytes_max: u64,
) -> Result<LocalReader, ReadersError> {
    let folder = |name: Option<&str>| name.map(|name| shelf.folder_of(name)).transpose();
    let encoder = folder(encoder)?.map(|one| Encoder::open_within(&one, megabytes_max));
    let encoder = encoder.transpose()?;
    let entailment = folder(entailment)?.map(|one| Entailment::open_within(&one, megabytes_max));
    let lengths = [READING_VALUES].into_iter().chain(encoder.as_ref().map(Encoder::dimensions));
    let kept = shelf.folder().join(READINGS);
    let files = ReadingFiles::open(&kept, &lengths.collect::<Vec<_>>())
        .map_err(|error| ReadersError::writing(&kept, error))?;
    Ok(LocalReader::new(encoder, entailment.transpose()?).with_cache(Arc::new(files)))
}
