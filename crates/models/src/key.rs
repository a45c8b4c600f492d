//! The name by which an exchange is found again: a hash of all that decides its reply.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::chat::ChatRequest;

/// Counts up when the bytes that are hashed change; old exchanges are then asked anew.
const FORMAT: &[u8] = b"assize exchange 1\n";

/// A BLAKE3 hash of provider, model, messages, parameters, schema and attempt.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct ExchangeKey([u8; 32]);

/// A text that is no key.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("`{0}` is not the key of an exchange: expected 64 hexadecimal digits")]
pub struct NotAKey(String);

impl ExchangeKey {
    /// The key of a request that was already written as JSON.
    pub(crate) fn of_json(json: &str) -> Self {
        let mut hasher = blake3::Hasher::new();
        hasher.update(FORMAT).update(json.as_bytes());
        Self(*hasher.finalize().as_bytes())
    }

    /// A number for uses that need spreading, not secrecy, such as jitter.
    pub fn seed(&self) -> u64 {
        self.0.iter().take(8).fold(0, |seed, byte| seed << 8 | u64::from(*byte))
    }
}

/// The key of a request as it was kept.
pub fn of_request(json: &str) -> ExchangeKey {
    ExchangeKey::of_json(json)
}

impl ChatRequest {
    /// The key of this request. Two requests share it only if they are equal.
    pub fn key(&self) -> ExchangeKey {
        ExchangeKey::of_json(&self.json())
    }

    /// The request as it is hashed and kept.
    pub fn json(&self) -> String {
        serde_json::to_string(self).expect("a request is plain data")
    }
}

/// Sixteen hexadecimal digits made from a text: the same text, the same digits.
///
/// Fences around hostile text carry them. Whoever writes the text cannot also write its
/// hash into it.
pub fn nonce(text: &[u8]) -> String {
    let hash = blake3::hash(text);
    hash.to_hex().chars().take(16).collect()
}

impl fmt::Display for ExchangeKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(formatter, "{byte:02x}"))
    }
}

impl fmt::Debug for ExchangeKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "ExchangeKey({self})")
    }
}

impl FromStr for ExchangeKey {
    type Err = NotAKey;

    fn from_str(text: &str) -> Result<Self, NotAKey> {
        let hash = blake3::Hash::from_hex(text).map_err(|_| NotAKey(text.to_owned()))?;
        Ok(Self(*hash.as_bytes()))
    }
}

impl From<ExchangeKey> for String {
    fn from(key: ExchangeKey) -> Self {
        key.to_string()
    }
}

impl TryFrom<String> for ExchangeKey {
    type Error = NotAKey;

    fn try_from(text: String) -> Result<Self, NotAKey> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chat::{Message, Schema};

    fn request() -> ChatRequest {
        ChatRequest::new("local/tiny".parse().unwrap(), vec![Message::user("Is it so?")])
    }

    /// The bytes are a format that stores and transcripts rely on. The digest was made by
    /// another implementation: Python's `blake3` over the line in the test.
    #[test]
    fn the_key_is_the_hash_of_a_documented_line() {
        let line = concat!(
            r#"{"model":"local/tiny","messages":[{"role":"user","content":"Is it so?"}],"#,
            r#""parameters":{"temperature":0.0,"seed":null,"max_tokens":2048},"#,
            r#""schema":null,"attempt":0}"#
        );
        assert_eq!(serde_json::to_string(&request()).unwrap(), line);
        assert_eq!(
            request().key().to_string(),
            "4559a35ace27b85ff8296c0370e932ea132c4974449f23ef9d4da3a3439192bb"
        );
    }

    #[test]
    fn whatever_can_change_the_reply_changes_the_key() {
        let key = request().key();
        let changes: [fn(&mut ChatRequest); 7] = [
            |request| request.model = "other/tiny".parse().unwrap(),
            |request| request.messages[0].content.push(' '),
            |request| request.messages[0] = Message::system("Is it so?"),
            |request| request.parameters.temperature = None,
            |request| request.parameters.seed = Some(0),
            |request| {
                let schema = serde_json::Map::new().into();
                request.schema = Some(Schema { name: "a".into(), schema });
            },
            |request| request.attempt = 1,
        ];
        for change in changes {
            let mut other = request();
            change(&mut other);
            assert_ne!(other.key(), key);
        }
        assert_eq!(request().key(), key);
    }

    #[test]
    fn a_key_is_read_back_from_its_text_and_nothing_else_is() {
        let key = request().key();
        assert_eq!(key.to_string().parse(), Ok(key));
        assert!("xyz".parse::<ExchangeKey>().is_err());
    }
}
