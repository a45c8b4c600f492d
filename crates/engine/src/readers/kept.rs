//! What readers have read, in files that outlive the process.

use std::io;
use std::path::Path;

use assize_readers::{ContentKey, ReadingCache};

use crate::retrieve::vectors::VectorCache;

/// Readings in files, one folder for each number of values.
#[derive(Debug)]
pub(super) struct ReadingFiles(Vec<(usize, VectorCache)>);

impl ReadingFiles {
    /// Below a folder, for readings of these numbers of values.
    pub(super) fn open(folder: &Path, lengths: &[usize]) -> io::Result<Self> {
        let opened = lengths.iter().map(|length| {
            let identity = format!("readings of {length} values");
            Ok((*length, VectorCache::open(folder, &identity, *length)?))
        });
        opened.collect::<io::Result<_>>().map(Self)
    }
}

impl ReadingCache for ReadingFiles {
    fn get(&self, keys: &[ContentKey]) -> io::Result<Vec<Option<Vec<f32>>>> {
        let find = |key| self.0.iter().find_map(|(_, cache)| cache.get(key));
        Ok(keys.iter().map(find).collect())
    }

    fn keep(&self, readings: &[(ContentKey, Vec<f32>)]) -> io::Result<()> {
        for (length, cache) in &self.0 {
            let own: Vec<(ContentKey, &Vec<f32>)> = readings
                .iter()
                .filter(|(_, values)| values.len() == *length)
                .map(|(key, values)| (*key, values))
                .collect();
            if !own.is_empty() {
                cache.keep(&own)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readings_outlive_whoever_kept_them() {
        let folder = tempfile::tempdir().unwrap();
        let open = || ReadingFiles::open(folder.path(), &[2, 5]).unwrap();
        open().keep(&[([1; 32], vec![0.5, 1.0]), ([2; 32], vec![0.0; 5])]).unwrap();
        let found = open().get(&[[2; 32], [3; 32], [1; 32]]).unwrap();
        assert_eq!(found, [Some(vec![0.0; 5]), None, Some(vec![0.5, 1.0])]);
    }
}
