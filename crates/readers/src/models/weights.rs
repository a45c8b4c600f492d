//! The learnt numbers of a model: tensors of a safetensors file that is mapped, not copied.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::ops::{Deref, Range};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use memmap2::Mmap;
use safetensors::{Dtype, SafeTensors};

use crate::{ReaderError, Result};

/// The file of a folder that holds the numbers.
pub(crate) const FILE: &str = "model.safetensors";

/// What stands before the header: its length.
const HEADER_LENGTH_BYTES: usize = 8;

/// What some files put before a tensor's name.
const PREFIXES: [&str; 5] = ["", "bert.", "roberta.", "mpnet.", "deberta."];

/// Named tensors of one file.
pub(super) struct Weights {
    file: PathBuf,
    map: Arc<Mmap>,
    tensors: BTreeMap<String, Tensor>,
}

struct Tensor {
    kind: Dtype,
    shape: Vec<usize>,
    bytes: Range<usize>,
}

impl Weights {
    /// Maps the file of a folder and reads which tensors it has; none is read yet.
    pub(super) fn open(folder: &Path, megabytes_max: u64) -> Result<Self> {
        let file = folder.join(FILE);
        let unreadable = |source| ReaderError::Unreadable { file: file.clone(), source };
        let bytes = fs::metadata(&file).map_err(unreadable)?.len();
        if bytes > megabytes_max.saturating_mul(1_000_000) {
            let (megabytes, allowed_megabytes) = (bytes / 1_000_000, megabytes_max);
            return Err(ReaderError::TooLarge { file, megabytes, allowed_megabytes });
        }
        let map = map(&File::open(&file).map_err(unreadable)?).map_err(unreadable)?;
        let (header, metadata) = SafeTensors::read_metadata(&map).map_err(|error| {
            ReaderError::wrong(&file, format!("not a whole safetensors file: {error}"))
        })?;
        let data = HEADER_LENGTH_BYTES + header;
        let tensors = metadata.tensors().into_iter().map(|(name, info)| {
            let bytes = data + info.data_offsets.0..data + info.data_offsets.1;
            (name, Tensor { kind: info.dtype, shape: info.shape.clone(), bytes })
        });
        let tensors = tensors.collect();
        Ok(Self { file, map: Arc::new(map), tensors })
    }

    /// Whether there is a tensor of this name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    /// How many rows a tensor has, if it is there.
    pub(super) fn rows(&self, name: &str) -> Option<usize> {
        self.find(name)?.shape.first().copied()
    }

    /// A tensor of this shape: mapped where its numbers are 32-bit floats, else converted.
    pub(super) fn numbers(&self, name: &str, shape: &[usize]) -> Result<Numbers> {
        let wrong = |problem| ReaderError::wrong(&self.file, problem);
        let tensor = self.find(name).ok_or_else(|| wrong(format!("`{name}` is missing")))?;
        if tensor.shape != shape {
            let found = &tensor.shape;
            return Err(wrong(format!(
                "`{name}` has the shape {found:?}, but the configuration says {shape:?}"
            )));
        }
        let mapped = Mapped { map: Arc::clone(&self.map), bytes: tensor.bytes.clone() };
        if tensor.kind == Dtype::F32 && mapped.floats().is_some() {
            return Ok(Numbers::Mapped(mapped));
        }
        let values = converted(tensor.kind, &self.map[tensor.bytes.clone()])
            .ok_or_else(|| wrong(format!("`{name}` holds {:?}, not floats", tensor.kind)))?;
        Ok(Numbers::Owned(values))
    }

    /// A short tensor of this shape, whose values are checked.
    pub(super) fn values(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>> {
        let values = self.numbers(name, shape)?.to_vec();
        if values.iter().any(|value| !value.is_finite()) {
            let problem = format!("`{name}` holds a value that is not a number");
            return Err(ReaderError::wrong(&self.file, problem));
        }
        Ok(values)
    }

    fn find(&self, name: &str) -> Option<&Tensor> {
        PREFIXES.iter().find_map(|prefix| self.tensors.get(&format!("{prefix}{name}")))
    }
}

/// The numbers of one tensor, in the order of the file.
#[derive(Debug)]
pub(super) enum Numbers {
    Mapped(Mapped),
    Owned(Vec<f32>),
}

/// A part of a mapped file that begins where a float may begin.
#[derive(Debug)]
pub(super) struct Mapped {
    map: Arc<Mmap>,
    bytes: Range<usize>,
}

impl Mapped {
    /// The floats, unless they do not begin where the processor wants them.
    #[expect(unsafe_code, reason = "bytes of a file are seen as floats; see the comment")]
    fn floats(&self) -> Option<&[f32]> {
        if cfg!(target_endian = "big") {
            return None;
        }
        // SAFETY: every pattern of 32 bits is a float, and `align_to` itself takes care of where
        // they begin.
        let (before, floats, after) = unsafe { self.map[self.bytes.clone()].align_to::<f32>() };
        (before.is_empty() && after.is_empty()).then_some(floats)
    }
}

impl Deref for Numbers {
    type Target = [f32];

    fn deref(&self) -> &[f32] {
        match self {
            Self::Mapped(mapped) => mapped.floats().unwrap_or_default(),
            Self::Owned(values) => values,
        }
    }
}

#[expect(unsafe_code, reason = "the only way to map a file; see the comment")]
fn map(file: &File) -> std::io::Result<Mmap> {
    // SAFETY: the map is read-only. The one hazard is another process that shortens the file
    // while it is read; models are installed whole and never changed in place.
    unsafe { Mmap::map(file) }
}

/// Floats of 32 or 16 bits; nothing for other types.
fn converted(kind: Dtype, bytes: &[u8]) -> Option<Vec<f32>> {
    match kind {
        Dtype::F32 => {
            Some(bytes.as_chunks().0.iter().map(|four| f32::from_le_bytes(*four)).collect())
        }
        Dtype::BF16 => {
            let two = bytes.as_chunks().0.iter();
            Some(two.map(|two| f32::from_bits(u32::from(u16::from_le_bytes(*two)) << 16)).collect())
        }
        Dtype::F16 => {
            let two = bytes.as_chunks().0.iter();
            Some(two.map(|two| from_half(u16::from_le_bytes(*two))).collect())
        }
        _ => None,
    }
}

/// A float of 16 bits: a sign, five bits of exponent, ten of fraction.
fn from_half(bits: u16) -> f32 {
    /// Two to the power of -24: what the last bit of the smallest numbers is worth.
    const SMALLEST: f32 = 1.0 / 16_777_216.0;
    let (exponent, fraction) = (u32::from(bits >> 10 & 0x1f), u32::from(bits & 0x3ff));
    let size = match exponent {
        0 => f32::from(bits & 0x3ff) * SMALLEST,
        31 => f32::from_bits(0xff << 23 | fraction << 13),
        _ => f32::from_bits((exponent + 112) << 23 | fraction << 13),
    };
    if bits >> 15 == 1 { -size } else { size }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Expected values: `numpy.float16(x).view(numpy.uint16)`.
    #[test]
    fn halves_are_read_as_numpy_writes_them() {
        let cases =
            [(0x3c00, 1.0), (0xc000, -2.0), (0x3555, 0.333_251_95), (0x0001, 5.960_464_5e-8)];
        for (bits, expected) in cases {
            assert_eq!(from_half(bits), expected);
        }
        assert!(from_half(0x7c00).is_infinite() && from_half(0x7e00).is_nan());
        assert_eq!(converted(Dtype::BF16, &[0x80, 0x3f]), Some(vec![1.0]));
        assert_eq!(converted(Dtype::I64, &[0; 8]), None);
    }
}
