//! The reader that the configuration or a caller names, for judges.

use std::fmt::{self, Debug};
use std::sync::{Arc, OnceLock};

use assize_models::Variables;
use assize_readers::local::{Progress, READING_VALUES};
use assize_readers::{Encoder, Entailment, LocalReader, MEGABYTES_MAX, Reader};

use super::ReadersError;
use super::kept::ReadingFiles;
use super::shelf::Shelf;
use crate::configuration::Written;

/// The folder beside the readers in which readings are kept.
const READINGS: &str = ".readings";

/// Opens the reader that is configured when a judge first needs it, and once for all judges: models
/// take a second to open, and most commands need none.
#[derive(Clone, Default)]
pub struct LazyReader(Option<Arc<Unopened>>);

struct Unopened {
    written: Written,
    variables: Variables,
    opened: OnceLock<Option<Arc<dyn Reader>>>,
}

impl LazyReader {
    /// The reader of a configuration.
    pub fn new(written: Written, variables: Variables) -> Self {
        Self(Some(Arc::new(Unopened { written, variables, opened: OnceLock::new() })))
    }

    /// A reader that is open already.
    pub fn given(reader: Arc<dyn Reader>) -> Self {
        let (written, variables) = (Written::default(), Variables::default());
        Self(Some(Arc::new(Unopened { written, variables, opened: OnceLock::from(Some(reader)) })))
    }

    /// The reader; nothing where none is configured.
    pub fn get(&self) -> Result<Option<Arc<dyn Reader>>, ReadersError> {
        let Some(unopened) = &self.0 else { return Ok(None) };
        if let Some(opened) = unopened.opened.get() {
            return Ok(opened.clone());
        }
        let reader = configured(&unopened.written, &unopened.variables, None)?;
        Ok(unopened.opened.get_or_init(|| reader).clone())
    }
}

impl Debug for LazyReader {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let opened = self.0.as_ref().and_then(|unopened| unopened.opened.get());
        formatter.debug_tuple("LazyReader").field(&opened).finish()
    }
}

/// The reader that `[readers]` names, with what it has read before; nothing where none is named.
/// `progress` hears how many of how many texts were read.
pub fn configured(
    written: &Written,
    variables: &Variables,
    progress: Option<Progress>,
) -> Result<Option<Arc<dyn Reader>>, ReadersError> {
    let table = &written.readers;
    if table.encoder.is_none() && table.entailment.is_none() {
        return Ok(None);
    }
    let shelf = Shelf::find(written, variables)?;
    let most = table.megabytes_max.unwrap_or(MEGABYTES_MAX);
    let names = (table.encoder.as_deref(), table.entailment.as_deref());
    let reader = open(&shelf, names, most)?;
    Ok(Some(Arc::new(match progress {
        Some(progress) => reader.with_progress(progress),
        None => reader,
    })))
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
