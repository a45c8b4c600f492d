//! The reader of judges without a language model, opened when one first needs it.

use std::fmt::{self, Debug};
use std::sync::{Arc, OnceLock};

use assize_readers::Reader;

/// A reader that is there; nothing where none is configured.
type OpenedReader = Option<Arc<dyn Reader>>;

/// Opens a reader once for all judges: models take a second to open, and most commands need none.
#[derive(Clone, Default)]
pub struct LazyReader(Option<Arc<Unopened>>);

struct Unopened {
    open: Box<dyn Fn() -> Result<OpenedReader, String> + Send + Sync>,
    opened: OnceLock<OpenedReader>,
}

impl LazyReader {
    /// A reader that is opened so; what fails says why.
    pub fn new(open: impl Fn() -> Result<OpenedReader, String> + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(Unopened { open: Box::new(open), opened: OnceLock::new() })))
    }

    /// The reader; nothing where none is configured.
    pub fn get(&self) -> Result<OpenedReader, String> {
        let Some(unopened) = &self.0 else { return Ok(None) };
        if let Some(opened) = unopened.opened.get() {
            return Ok(opened.clone());
        }
        let reader = (unopened.open)()?;
        Ok(unopened.opened.get_or_init(|| reader).clone())
    }
}

impl Debug for LazyReader {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let opened = self.0.as_ref().and_then(|unopened| unopened.opened.get());
        formatter.debug_tuple("LazyReader").field(&opened).finish()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use assize_readers::ScriptedReader;

    use super::*;

    #[test]
    fn a_reader_is_opened_once_and_only_if_it_is_needed() {
        let opened = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&opened);
        let lazy = LazyReader::new(move || {
            count.fetch_add(1, Ordering::Relaxed);
            Ok(Some(Arc::new(ScriptedReader::new())))
        });
        assert_eq!(opened.load(Ordering::Relaxed), 0);
        assert!(lazy.get().unwrap().is_some() && lazy.clone().get().unwrap().is_some());
        assert_eq!(opened.load(Ordering::Relaxed), 1);
        assert!(LazyReader::default().get().unwrap().is_none());
        assert!(LazyReader::new(|| Err("gone".to_owned())).get().is_err());
    }
}
