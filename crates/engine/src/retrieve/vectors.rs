//! Vectors kept on disk by the content of their texts, so that no text is embedded twice.
//!
//! Vectors of one model stand in one folder, in files that are written whole and never changed:
//! two programs may add at the same time, and one that is killed leaves nothing half written. A
//! file that cannot be read is passed over; its texts are embedded again.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use assize_search::dense::{EmbedError, Embedder};

/// What a file of vectors begins with; then the number of dimensions and of texts, the hashes of
/// the texts, and their vectors.
const MAGIC: [u8; 8] = *b"assizev1";
const HEAD_BYTES: usize = 24;
const KEY_BYTES: usize = 32;
const FLOAT_BYTES: usize = 4;
const ENDING: &str = "vectors";

type Key = [u8; KEY_BYTES];

/// The vectors of one model that are kept in a folder.
#[derive(Debug)]
pub(crate) struct VectorCache {
    folder: PathBuf,
    dimensions: usize,
    known: Mutex<HashMap<Key, Place>>,
}

/// Where a vector stands.
#[derive(Debug, Clone)]
struct Place {
    file: Arc<PathBuf>,
    offset: u64,
}

impl VectorCache {
    /// The vectors below `folder` of the model that `identity` tells from all others.
    pub(crate) fn open(folder: &Path, identity: &str, dimensions: usize) -> io::Result<Self> {
        let name = blake3::hash(identity.as_bytes()).to_hex();
        let folder = folder.join(&name[..32]);
        fs::create_dir_all(&folder)?;
        let mut known = HashMap::new();
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            if path.extension().is_some_and(|ending| ending == ENDING) {
                // What cannot be read is as if it were not there.
                known.extend(keys(&path, dimensions).unwrap_or_default());
            }
        }
        Ok(Self { folder, dimensions, known: Mutex::new(known) })
    }

    /// What is kept under a key; nothing where it cannot be read.
    pub(crate) fn get(&self, key: &Key) -> Option<Vec<f32>> {
        let place = self.known.lock().unwrap_or_else(PoisonError::into_inner).get(key)?.clone();
        let mut bytes = vec![0; self.dimensions * FLOAT_BYTES];
        let mut file = File::open(&*place.file).ok()?;
        file.seek(SeekFrom::Start(place.offset)).ok()?;
        file.read_exact(&mut bytes).ok()?;
        let floats = bytes.as_chunks().0.iter().map(|four| f32::from_le_bytes(*four));
        let vector: Vec<f32> = floats.collect();
        vector.iter().all(|value| value.is_finite()).then_some(vector)
    }

    /// Writes vectors to a file of their own, which appears whole or not at all.
    pub(crate) fn keep(&self, texts: &[(Key, &Vec<f32>)]) -> io::Result<()> {
        let mut bytes = Vec::new();
        bytes.extend(MAGIC);
        bytes.extend((self.dimensions as u64).to_le_bytes());
        bytes.extend((texts.len() as u64).to_le_bytes());
        for (key, _) in texts {
            bytes.extend(key);
        }
        for (_, vector) in texts {
            vector.iter().for_each(|value| bytes.extend(value.to_le_bytes()));
        }
        let path = self.folder.join(format!("{}.{ENDING}", blake3::hash(&bytes).to_hex()));
        let mut file = tempfile::NamedTempFile::new_in(&self.folder)?;
        file.write_all(&bytes)?;
        file.persist(&path).map_err(|error| error.error)?;
        let added = places(texts.iter().map(|(key, _)| *key), path, self.dimensions);
        self.known.lock().unwrap_or_else(PoisonError::into_inner).extend(added);
        Ok(())
    }
}

/// The texts whose vectors a file holds; an error where it is not whole.
fn keys(path: &Path, dimensions: usize) -> io::Result<Vec<(Key, Place)>> {
    let wrong = || io::Error::from(io::ErrorKind::InvalidData);
    let mut file = File::open(path)?;
    let mut head = [0; HEAD_BYTES];
    file.read_exact(&mut head)?;
    let number = |at: usize| {
        let eight = head[at..at + 8].try_into().map_err(|_| wrong())?;
        usize::try_from(u64::from_le_bytes(eight)).map_err(|_| wrong())
    };
    let (found, count) = (number(8)?, number(16)?);
    // The length is checked before memory is taken by it.
    let whole = (KEY_BYTES + dimensions * FLOAT_BYTES)
        .checked_mul(count)
        .and_then(|bytes| u64::try_from(bytes + HEAD_BYTES).ok());
    if head[..8] != MAGIC || found != dimensions || whole != Some(file.metadata()?.len()) {
        return Err(wrong());
    }
    let mut bytes = vec![0; count * KEY_BYTES];
    file.read_exact(&mut bytes)?;
    let keys = bytes.as_chunks().0.iter().copied();
    Ok(places(keys, path.to_owned(), dimensions))
}

fn places(
    keys: impl ExactSizeIterator<Item = Key>,
    path: PathBuf,
    dimensions: usize,
) -> Vec<(Key, Place)> {
    let (file, first) = (Arc::new(path), HEAD_BYTES + keys.len() * KEY_BYTES);
    let place = |(index, key): (usize, Key)| {
        let offset = (first + index * dimensions * FLOAT_BYTES) as u64;
        (key, Place { file: Arc::clone(&file), offset })
    };
    keys.enumerate().map(place).collect()
}

/// A model whose vectors are kept.
#[derive(Debug)]
pub(crate) struct CachedEmbedder {
    model: Arc<dyn Embedder>,
    cache: VectorCache,
}

impl CachedEmbedder {
    /// The model, asked only for what the cache does not hold.
    pub(crate) fn new(model: Arc<dyn Embedder>, cache: VectorCache) -> Self {
        Self { model, cache }
    }
}

impl Embedder for CachedEmbedder {
    fn dimensions(&self) -> usize {
        self.model.dimensions()
    }

    fn weight(&self) -> f64 {
        self.model.weight()
    }

    fn question<'t>(&self, text: &'t str) -> std::borrow::Cow<'t, str> {
        self.model.question(text)
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let keys: Vec<Key> =
            texts.iter().map(|text| *blake3::hash(text.as_bytes()).as_bytes()).collect();
        let mut vectors: Vec<Option<Vec<f32>>> =
            keys.iter().map(|key| self.cache.get(key)).collect();
        let missing: Vec<usize> = (0..texts.len()).filter(|at| vectors[*at].is_none()).collect();
        if !missing.is_empty() {
            let asked: Vec<&str> = missing.iter().map(|at| texts[*at]).collect();
            let found = self.model.embed(&asked)?;
            let kept: Vec<(Key, &Vec<f32>)> = missing
                .iter()
                .map(|at| keys[*at])
                .zip(&found)
                .filter(|(_, vector)| vector.len() == self.dimensions())
                .collect();
            // A full disk costs time the next time, and nothing now.
            let _ = self.cache.keep(&kept);
            for (at, vector) in missing.into_iter().zip(found) {
                vectors[at] = Some(vector);
            }
        }
        Ok(vectors.into_iter().map(Option::unwrap_or_default).collect())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    /// The length of a text, and how many texts were asked for.
    #[derive(Debug, Default)]
    struct Lengths(AtomicUsize);

    impl Embedder for Lengths {
        fn dimensions(&self) -> usize {
            2
        }

        fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
            self.0.fetch_add(texts.len(), Ordering::Relaxed);
            Ok(texts.iter().map(|text| vec![text.len() as f32, 1.0]).collect())
        }
    }

    fn cached(folder: &Path, model: &Arc<Lengths>, identity: &str) -> CachedEmbedder {
        let cache = VectorCache::open(folder, identity, 2).unwrap();
        CachedEmbedder::new(Arc::clone(model) as Arc<dyn Embedder>, cache)
    }

    #[test]
    fn a_text_is_embedded_once_also_by_the_next_program() {
        let (folder, model) = (tempfile::tempdir().unwrap(), Arc::new(Lengths::default()));
        let first = cached(folder.path(), &model, "one");
        assert_eq!(first.embed(&["a", "bb"]).unwrap(), [[1.0, 1.0], [2.0, 1.0]]);
        assert_eq!(first.embed(&["bb", "ccc"]).unwrap(), [[2.0, 1.0], [3.0, 1.0]]);
        assert_eq!(model.0.load(Ordering::Relaxed), 3);
        let next = cached(folder.path(), &model, "one");
        assert_eq!(next.embed(&["ccc", "a", "bb"]).unwrap(), [[3.0, 1.0], [1.0, 1.0], [2.0, 1.0]]);
        assert_eq!(model.0.load(Ordering::Relaxed), 3);
        // Another model's vectors are its own.
        cached(folder.path(), &model, "two").embed(&["a"]).unwrap();
        assert_eq!(model.0.load(Ordering::Relaxed), 4);
    }

    #[test]
    fn a_file_that_was_cut_short_or_changed_is_passed_over() {
        let (folder, model) = (tempfile::tempdir().unwrap(), Arc::new(Lengths::default()));
        cached(folder.path(), &model, "one").embed(&["a", "bb"]).unwrap();
        let own = fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap().path();
        let file = fs::read_dir(own).unwrap().next().unwrap().unwrap().path();
        let whole = fs::read(&file).unwrap();
        let mut huge = whole.clone();
        huge[16..24].fill(0xff);
        for damaged in [&whole[..whole.len() - 1], &whole[..10], b"", &huge] {
            fs::write(&file, damaged).unwrap();
            let again = cached(folder.path(), &model, "one");
            assert_eq!(again.embed(&["bb"]).unwrap(), [[2.0, 1.0]]);
        }
        // Asked for each time: after the first, "bb" stands in a file of its own.
        assert_eq!(model.0.load(Ordering::Relaxed), 3);
    }
}
