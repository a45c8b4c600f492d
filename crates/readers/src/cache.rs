//! What was read is kept by content, so that nothing is read twice.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::io;
use std::sync::{Mutex, PoisonError};

use sha2::{Digest, Sha256};

use crate::Identity;

/// What a reading is kept by: a hash over the model and the texts.
pub type ContentKey = [u8; 32];

/// Somewhere readings are kept: in memory, in files, in a database.
pub trait ReadingCache: Debug + Send + Sync {
    /// What is kept under each key, in order.
    fn get(&self, keys: &[ContentKey]) -> io::Result<Vec<Option<Vec<f32>>>>;

    /// Keeps readings; all of one call have the same number of values.
    fn keep(&self, readings: &[(ContentKey, Vec<f32>)]) -> io::Result<()>;
}

/// Readings that are kept as long as the process runs.
#[derive(Debug, Default)]
pub struct MemoryCache(Mutex<BTreeMap<ContentKey, Vec<f32>>>);

impl ReadingCache for MemoryCache {
    fn get(&self, keys: &[ContentKey]) -> io::Result<Vec<Option<Vec<f32>>>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(keys.iter().map(|key| kept.get(key).cloned()).collect())
    }

    fn keep(&self, readings: &[(ContentKey, Vec<f32>)]) -> io::Result<()> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend(readings.iter().cloned());
        Ok(())
    }
}

/// The key of texts that a model reads. Their lengths are part of it, so that a text which moves
/// from one to the other changes it.
pub fn key(identity: &Identity, texts: &[&str]) -> ContentKey {
    let mut hash = Sha256::new();
    for part in [&identity.sha256, &identity.runtime].map(String::as_str).iter().chain(texts) {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part.as_bytes());
    }
    hash.finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identity(sha256: &str) -> Identity {
        let (name, sha256) = ("own".to_owned(), sha256.to_owned());
        Identity { name, revision: None, sha256, runtime: "readers-1".to_owned() }
    }

    #[test]
    fn the_key_depends_on_the_model_and_on_where_a_text_ends() {
        let model = identity("aa");
        let first = key(&model, &["ab", "c"]);
        assert_eq!(
            first,
            key(&Identity { name: "renamed".to_owned(), ..model.clone() }, &["ab", "c"])
        );
        assert_ne!(first, key(&model, &["a", "bc"]));
        assert_ne!(first, key(&identity("bb"), &["ab", "c"]));
        let later = Identity { runtime: "readers-2".to_owned(), ..model };
        assert_ne!(first, key(&later, &["ab", "c"]));
    }

    #[test]
    fn what_is_kept_in_memory_is_found_again() {
        let (cache, one, two) = (MemoryCache::default(), [1; 32], [2; 32]);
        cache.keep(&[(one, vec![0.5, 0.25])]).unwrap();
        assert_eq!(cache.get(&[two, one]).unwrap(), [None, Some(vec![0.5, 0.25])]);
    }
}
