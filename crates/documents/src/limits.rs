//! How much a file may ask of the one who reads it.

use std::time::Duration;

/// What a reader does not go beyond, whatever the file says about itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// The largest file that is looked at, in bytes.
    pub bytes_max: usize,
    /// How much may come out of the compressed parts of one file together, in bytes.
    pub decompressed_bytes_max: usize,
    /// How many times larger than itself a compressed part may become. Only looked at
    /// once [`RATIO_FROM_BYTES`] came out: a small file of spaces harms nobody.
    pub ratio_max: usize,
    /// How many files an archive may hold.
    pub entries_max: usize,
    /// How many pages a document may have.
    pub pages_max: usize,
    /// How long a text may be, in code points.
    pub code_points_max: usize,
    /// How long reading may take.
    pub time_max: Duration,
}

/// From how many bytes on the ratio of an archive's part is looked at.
pub(crate) const RATIO_FROM_BYTES: usize = 4 << 20;

impl Default for Limits {
    fn default() -> Self {
        Self {
            bytes_max: 64 << 20,
            decompressed_bytes_max: 256 << 20,
            ratio_max: 200,
            entries_max: 10_000,
            pages_max: 10_000,
            code_points_max: 20_000_000,
            time_max: Duration::from_mins(1),
        }
    }
}
