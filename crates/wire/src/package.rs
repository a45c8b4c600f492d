//! What was found in an evidence package, as `assize verify` writes it for programs.

use serde::{Deserialize, Serialize};

/// What a package holds, and whether it holds together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PackageReport {
    /// The version of this format.
    pub format: u32,
    /// What it comes to.
    pub result: PackageResult,
    /// The run: its instrument, its number and name where it was packed, its method.
    pub run: String,
    /// How many items it has.
    pub items: i64,
    /// The program that wrote the package, and when.
    pub written: String,
    /// What binds all of it: keep it elsewhere to know the package again.
    pub head: String,
    /// By whose key it is signed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signed_by: Option<String>,
    /// How its numbers came about.
    pub numbers: Numbers,
    /// Quotes that stand where the package says.
    pub quotes_located: usize,
    /// Quotes that no judge could locate when they were made.
    pub quotes_not_found: usize,
    /// Verdicts that were made again from material and replies, byte for byte.
    pub judged_again: usize,
    /// Verdicts that come out differently here, where the package says that another version of the
    /// program made them.
    pub judged_differently: usize,
    /// What contradicts something else.
    pub findings: Vec<PackageFinding>,
    /// What this program could not check, and why.
    pub unchecked: Vec<String>,
}

/// What checking a package comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PackageResult {
    /// Nothing contradicts anything else in it.
    Sound,
    /// The same, but verdicts come out differently with this version of the program than with the
    /// one that the package names: whether those follow from the material is not known.
    Unconfirmed,
    /// Something contradicts something else.
    Refused,
}

/// How many numbers came about in which way. Numbers are the values of measures, in the version
/// that counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Numbers {
    /// Computed again from what is in the package.
    pub recomputed: usize,
    /// As they were written down; nothing in the package says how they came about.
    pub recorded: usize,
    /// Decided by a person.
    pub decided: usize,
}

/// Something that contradicts the rest of a package.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PackageFinding {
    /// Where.
    pub part: String,
    /// What it says, and what it should.
    pub problem: String,
}
