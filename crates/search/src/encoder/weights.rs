//! The learnt numbers of a model, from a safetensors file.

use std::fs;
use std::path::{Path, PathBuf};

use safetensors::{Dtype, SafeTensors};

use super::EncoderError;

const FILE: &str = "model.safetensors";

/// A larger file is no small encoder; it would take more memory than a laptop has.
const FILE_BYTES_MAX: u64 = 4 << 30;

/// The bytes of a folder's numbers.
pub(super) fn bytes(folder: &Path) -> Result<Vec<u8>, EncoderError> {
    let file = folder.join(FILE);
    let unreadable = |source| EncoderError::Unreadable { file: file.clone(), source };
    let size = fs::metadata(&file).map_err(unreadable)?.len();
    if size > FILE_BYTES_MAX {
        let limit = FILE_BYTES_MAX >> 30;
        return Err(EncoderError::wrong(file, format!("larger than {limit} GB")));
    }
    fs::read(&file).map_err(unreadable)
}

/// Named tables of numbers.
pub(super) struct Weights<'a> {
    file: PathBuf,
    tensors: SafeTensors<'a>,
}

impl<'a> Weights<'a> {
    /// Reads which tables there are.
    pub(super) fn of(folder: &Path, bytes: &'a [u8]) -> Result<Self, EncoderError> {
        let file = folder.join(FILE);
        match SafeTensors::deserialize(bytes) {
            Ok(tensors) => Ok(Self { file, tensors }),
            Err(error) => {
                Err(EncoderError::wrong(file, format!("not a safetensors file: {error}")))
            }
        }
    }

    /// The numbers of a table of this shape; some models put their kind before the name.
    pub(super) fn values(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>, EncoderError> {
        let tensor = self.tensors.tensor(name).or_else(|_| {
            let with_kind = format!("bert.{name}");
            self.tensors.tensor(&with_kind)
        });
        let wrong = |problem| EncoderError::wrong(&self.file, problem);
        let tensor = tensor.map_err(|_| wrong(format!("`{name}` is missing")))?;
        if tensor.shape() != shape {
            let problem = format!(
                "`{name}` has the shape {:?}, but the configuration says {shape:?}",
                tensor.shape()
            );
            return Err(wrong(problem));
        }
        let values = converted(tensor.dtype(), tensor.data())
            .ok_or_else(|| wrong(format!("`{name}` holds {:?}, not floats", tensor.dtype())))?;
        if values.iter().any(|value| !value.is_finite()) {
            return Err(wrong(format!("`{name}` holds a value that is not a number")));
        }
        Ok(values)
    }
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
