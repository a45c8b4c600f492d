//! The operator's key: a record that it signed is the one that this operator wrote.

use std::fmt;

use assize_models::Variables;

/// The variable that holds the operator's secret.
pub(crate) const KEY_VARIABLE: &str = "ASSIZE_COUNCIL_KEY";

/// What a key is made for: the same secret used elsewhere gives another key.
const PURPOSE: &str = "assize 2026-11 council record signature";

/// A secret must be long enough not to be guessed.
pub(crate) const SECRET_BYTES_MIN: usize = 16;

/// How a signature begins: the function that makes it.
const FUNCTION: &str = "blake3";

/// A key that records are signed with and checked against.
#[derive(Clone, PartialEq, Eq)]
pub struct SigningKey([u8; 32]);

/// What a signature says about a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignatureState {
    /// The operator's key made it for this content.
    Valid,
    /// There is none.
    Missing,
    /// There is one, and no key to check it with.
    Unchecked,
    /// Another key made it, or the content is another.
    Wrong,
}

impl SigningKey {
    /// The key of a secret; `None` if it is too short.
    pub fn new(secret: &str) -> Option<Self> {
        let secret = secret.trim();
        let is_long = secret.len() >= SECRET_BYTES_MIN;
        is_long.then(|| Self(blake3::derive_key(PURPOSE, secret.as_bytes())))
    }

    /// The operator's key, if one is set; the secret if it is too short.
    pub fn from_variables(variables: &Variables) -> Result<Option<Self>, String> {
        match variables.get(KEY_VARIABLE) {
            None => Ok(None),
            Some(secret) => Self::new(&secret).map(Some).ok_or(secret),
        }
    }

    /// The signature of a content.
    pub fn sign(&self, content: &str) -> String {
        let mark = blake3::keyed_hash(&self.0, content.as_bytes());
        format!("{FUNCTION}:{}", mark.to_hex())
    }

    /// What a signature says about a content. Comparing hashes takes the same time wherever they
    /// differ.
    pub fn check(key: Option<&Self>, signature: Option<&str>, content: &str) -> SignatureState {
        let (Some(signature), Some(key)) = (signature, key) else {
            return match signature {
                None => SignatureState::Missing,
                Some(_) => SignatureState::Unchecked,
            };
        };
        let stated = signature.strip_prefix(FUNCTION).and_then(|rest| rest.strip_prefix(':'));
        let stated = stated.and_then(|hex| blake3::Hash::from_hex(hex).ok());
        let made = blake3::keyed_hash(&key.0, content.as_bytes());
        if stated == Some(made) { SignatureState::Valid } else { SignatureState::Wrong }
    }
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("SigningKey(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_holds_for_one_key_and_one_content() {
        let key = SigningKey::new("a secret of the operator").unwrap();
        let other = SigningKey::new("a secret of another one").unwrap();
        let signature = key.sign("content");
        let check =
            |key, signature: Option<&str>, content| SigningKey::check(key, signature, content);
        assert_eq!(check(Some(&key), Some(&signature), "content"), SignatureState::Valid);
        assert_eq!(check(Some(&key), Some(&signature), "Content"), SignatureState::Wrong);
        assert_eq!(check(Some(&other), Some(&signature), "content"), SignatureState::Wrong);
        assert_eq!(check(Some(&key), Some("blake3:00"), "content"), SignatureState::Wrong);
        assert_eq!(check(Some(&key), None, "content"), SignatureState::Missing);
        assert_eq!(check(None, Some(&signature), "content"), SignatureState::Unchecked);
        assert_eq!(SigningKey::new("too short"), None);
        assert!(!format!("{key:?}").contains("secret"));
    }
}
