//! What stands first in a package, and the chain of hashes that binds all of it.
//!
//! `chain(i) = sha256(chain(i-1) ‖ name ‖ 0 ‖ sha256(content))`, from 32 zero bytes; the head is
//! `sha256(chain(last) ‖ manifest without head and signature)`. All JSON is canonical: keys in
//! order, nothing between, numbers as short as they can be.

use std::fmt::Write;

use assize_models::Variables;
use assize_wire::package::Numbers;
use chrono::{DateTime, Utc};
use ring::digest::{Context, SHA256};
use ring::signature::{ED25519, Ed25519KeyPair, KeyPair, UnparsedPublicKey};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::{MANIFEST, refused};
use crate::council::signing::{KEY_VARIABLE, SECRET_BYTES_MIN};
use crate::runs::error::{Result, RunError};

/// The format of packages that this program reads and writes.
pub const FORMAT: u32 = 1;
/// The largest manifest.
pub(super) const BYTES_MAX: u64 = 1 << 20;
/// The most that all parts may hold together.
const UNPACKED_MAX: u64 = 1 << 30;
/// What the pair of keys is made for: the same secret signs council records with another.
const PURPOSE: &str = "assize 2026-11 evidence package signature";

/// What a package says of itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The format.
    pub assize_package: u32,
    /// The version of the tables.
    pub schema: i64,
    /// The program that wrote it.
    pub program: String,
    /// When.
    pub packed_at: DateTime<Utc>,
    /// Who.
    pub packed_by: String,
    pub run: About,
    pub material: Material,
    /// How its numbers came about.
    pub numbers: Numbers,
    /// Its parts, in the order of the chain.
    pub parts: Vec<Part>,
    /// What binds all of it.
    #[serde(default)]
    pub head: String,
    /// The operator's signature of the head.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<Signature>,
}

/// Which run it is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct About {
    pub id: String,
    /// Its number where it was packed.
    pub number: i64,
    /// Its name there.
    pub name: Option<String>,
    /// What it measures.
    pub instrument: String,
    /// Which method scored it.
    pub method: String,
    /// How many items it has.
    pub items: i64,
    /// Which version of its verdicts counts.
    pub version: i64,
}

/// Whether texts and files are in a package.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Material {
    /// They are.
    Included,
    /// Only their hashes.
    Hashes,
}

/// A file of a package.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    pub name: String,
    /// How long it is.
    pub bytes: u64,
    /// The hash of its content.
    pub sha256: String,
    /// The chain up to it.
    pub chain: String,
}

/// An Ed25519 signature of the head, in hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Signature {
    /// By whose key.
    pub public_key: String,
    /// The signature.
    pub ed25519: String,
}

/// The operator's pair of keys for packages, made from the secret in `ASSIZE_COUNCIL_KEY`.
pub struct PackageKey(Ed25519KeyPair);

impl PackageKey {
    /// The pair that a secret gives; none if the secret is too short.
    pub fn new(secret: &str) -> Option<Self> {
        let secret = secret.trim();
        let is_long = secret.len() >= SECRET_BYTES_MIN;
        let seed = blake3::derive_key(PURPOSE, secret.as_bytes());
        is_long.then(|| Ed25519KeyPair::from_seed_unchecked(&seed).ok().map(Self)).flatten()
    }

    /// The operator's pair, if a secret is set; the secret if it is too short.
    pub fn from_variables(variables: &Variables) -> Result<Option<Self>> {
        let Some(secret) = variables.get(KEY_VARIABLE) else { return Ok(None) };
        let short = format!("{KEY_VARIABLE} is shorter than {SECRET_BYTES_MIN} characters");
        Self::new(&secret).map(Some).ok_or(RunError::Refused(short))
    }

    /// What others check signatures with.
    pub fn public(&self) -> String {
        hex(self.0.public_key().as_ref())
    }
}

impl std::fmt::Debug for PackageKey {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "PackageKey({})", self.public())
    }
}

impl Signature {
    fn holds(&self, head: &str) -> bool {
        let (Some(key), Some(signature)) = (bytes(&self.public_key), bytes(&self.ed25519)) else {
            return false;
        };
        UnparsedPublicKey::new(&ED25519, key).verify(head.as_bytes(), &signature).is_ok()
    }
}

/// A chain that grows by a part at a time.
#[derive(Debug, Default)]
pub(super) struct Chain([u8; 32]);

impl Chain {
    /// Adds a part that is being written.
    pub(super) fn append(&mut self, name: &str, content: &[u8]) -> Part {
        let own = hash(&[content]);
        self.0 = hash(&[&self.0, name.as_bytes(), &[0], &own]);
        Part {
            name: name.to_owned(),
            bytes: content.len() as u64,
            sha256: hex(&own),
            chain: hex(&self.0),
        }
    }

    /// Adds a part that was read, and holds it against what the manifest says of it.
    pub(super) fn add(&mut self, stated: &Part, content: &[u8]) -> Result<()> {
        let found = self.append(&stated.name, content);
        let problem = if found.sha256 != stated.sha256 {
            "its content is not the one that the manifest names"
        } else if found.bytes != stated.bytes {
            "it is not as long as the manifest says"
        } else if found.chain != stated.chain {
            "the chain of hashes breaks here: parts were reordered, added or removed"
        } else {
            return Ok(());
        };
        Err(refused(&stated.name, problem))
    }
}

impl Manifest {
    pub(super) fn read(content: &[u8]) -> Result<Self> {
        let text =
            std::str::from_utf8(content).map_err(|error| refused(MANIFEST, error.to_string()))?;
        let json: Json =
            serde_json::from_str(text).map_err(|error| refused(MANIFEST, error.to_string()))?;
        let format = json.get("assize_package").and_then(Json::as_u64);
        if format != Some(u64::from(FORMAT)) {
            let format = format.map_or("none".to_owned(), |format| format.to_string());
            let problem = format!(
                "the format is {format}, this program reads {FORMAT}: verify it with the program \
                 that wrote it"
            );
            return Err(refused(MANIFEST, problem));
        }
        let manifest: Self =
            serde_json::from_value(json).map_err(|error| refused(MANIFEST, error.to_string()))?;
        if manifest.to_text() != text {
            return Err(refused(MANIFEST, "not in canonical form"));
        }
        let schema = assize_store::Store::latest_version();
        if manifest.schema != schema {
            let other = manifest.schema;
            let problem =
                format!("its tables have version {other}, those of this program {schema}");
            return Err(refused(MANIFEST, problem));
        }
        Ok(manifest)
    }

    pub(super) fn to_text(&self) -> String {
        canonical(&serde_json::to_value(self).unwrap_or_default())
    }

    /// Refuses parts that together are larger than anybody should have to unpack.
    pub(super) fn check_size(&self) -> Result<()> {
        let all = self.parts.iter().try_fold(0_u64, |sum, part| sum.checked_add(part.bytes));
        if all.is_some_and(|all| all <= UNPACKED_MAX) {
            return Ok(());
        }
        Err(refused(MANIFEST, format!("its parts hold more than {UNPACKED_MAX} bytes")))
    }

    fn head_of(&self, chain: &Chain) -> String {
        let plain = Self { head: String::new(), signature: None, ..self.clone() };
        hex(&hash(&[&chain.0, plain.to_text().as_bytes()]))
    }

    pub(super) fn seal(&mut self, chain: &Chain, key: Option<&PackageKey>) {
        self.head = self.head_of(chain);
        self.signature = key.map(|key| Signature {
            public_key: key.public(),
            ed25519: hex(key.0.sign(self.head.as_bytes()).as_ref()),
        });
    }

    pub(super) fn check_head(&self, chain: &Chain) -> Result<()> {
        if self.head_of(chain) != self.head {
            return Err(refused(MANIFEST, "its head is not the hash of what it says"));
        }
        match &self.signature {
            Some(signature) if !signature.holds(&self.head) => {
                Err(refused(MANIFEST, "its signature is not one of its key for this head"))
            }
            _ => Ok(()),
        }
    }
}

/// JSON with its keys in order and nothing between.
pub(super) fn canonical(json: &Json) -> String {
    let mut text = String::new();
    write_canonical(json, &mut text);
    text
}

fn write_canonical(json: &Json, text: &mut String) {
    match json {
        Json::Object(fields) => {
            let mut fields: Vec<_> = fields.iter().collect();
            fields.sort_unstable_by_key(|(name, _)| *name);
            text.push('{');
            for (index, (name, value)) in fields.into_iter().enumerate() {
                text.push_str(if index == 0 { "" } else { "," });
                text.push_str(&Json::from(name.as_str()).to_string());
                text.push(':');
                write_canonical(value, text);
            }
            text.push('}');
        }
        Json::Array(items) => {
            text.push('[');
            for (index, item) in items.iter().enumerate() {
                text.push_str(if index == 0 { "" } else { "," });
                write_canonical(item, text);
            }
            text.push(']');
        }
        plain => text.push_str(&plain.to_string()),
    }
}

pub(super) fn hash(pieces: &[&[u8]]) -> [u8; 32] {
    let mut context = Context::new(&SHA256);
    for piece in pieces {
        context.update(piece);
    }
    let mut bytes = [0; 32];
    bytes.copy_from_slice(context.finish().as_ref());
    bytes
}

pub(super) fn hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

fn bytes(hex: &str) -> Option<Vec<u8>> {
    let digits = hex.as_bytes();
    let pair = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    let is_plain = digits.len().is_multiple_of(2) && digits.iter().all(u8::is_ascii_hexdigit);
    is_plain.then(|| digits.chunks(2).map(pair).collect())?
}
