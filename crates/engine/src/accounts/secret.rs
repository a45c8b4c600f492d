//! Secrets: random, shown once, and kept only as hashes.

use super::error::{AccountError, Result};

/// 256 bits: nobody guesses it, so a fast hash is enough to keep it by.
const BYTES: usize = 32;

/// A new secret, as text that fits into a header and an address.
pub fn random() -> Result<String> {
    let mut bytes = [0; BYTES];
    getrandom::fill(&mut bytes).map_err(|error| AccountError::Random(error.to_string()))?;
    Ok(blake3::Hash::from_bytes(bytes).to_hex().to_string())
}

/// What is kept of a secret.
pub fn hashed(secret: &str) -> String {
    blake3::hash(secret.as_bytes()).to_hex().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_secrets_differ_and_a_hash_does_not_show_its_secret() {
        let (one, two) = (random().unwrap(), random().unwrap());
        assert_eq!(one.len(), 64);
        assert_ne!(one, two);
        assert_ne!(hashed(&one), one);
        assert_eq!(hashed(&one), hashed(&one));
    }
}
