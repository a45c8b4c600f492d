//! What a reader has read, in one file, so that a second run reads nothing again.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use assize_readers::{ContentKey, ReadingCache};

type Kept = BTreeMap<ContentKey, Vec<f32>>;

/// Readings in memory, and at the end of a file as they come.
#[derive(Debug)]
pub(crate) struct ReadingFile(Mutex<(Kept, File)>);

impl ReadingFile {
    /// Opens a file, or makes it.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let bytes = if path.exists() { fs::read(path)? } else { Vec::new() };
        let (mut kept, mut rest) = (Kept::new(), bytes.as_slice());
        while let Some((key, after)) = rest.split_first_chunk::<32>()
            && let Some((length, after)) = after.split_first_chunk::<4>()
            && let Some((values, after)) =
                after.split_at_checked(4 * u32::from_le_bytes(*length) as usize)
        {
            let (values, _) = values.as_chunks::<4>();
            kept.insert(*key, values.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect());
            rest = after;
        }
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        Ok(Self(Mutex::new((kept, file))))
    }
}

impl ReadingCache for ReadingFile {
    fn get(&self, keys: &[ContentKey]) -> io::Result<Vec<Option<Vec<f32>>>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(keys.iter().map(|key| kept.0.get(key).cloned()).collect())
    }

    fn keep(&self, readings: &[(ContentKey, Vec<f32>)]) -> io::Result<()> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for (key, values) in readings {
            let mut bytes = key.to_vec();
            bytes.extend(u32::try_from(values.len()).unwrap_or(0).to_le_bytes());
            bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
            kept.1.write_all(&bytes)?;
            kept.0.insert(*key, values.clone());
        }
        Ok(())
    }
}
