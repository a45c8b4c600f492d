//! Numbers and texts as bytes, and a reader that believes no length before it has checked it.

/// Bytes that are not what was written, and in what way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Damage(pub(super) &'static str);

/// The checksum that stands beside everything that is read on its own.
pub(super) fn checksum(parts: &[&[u8]]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    for part in parts {
        hasher.update(part);
    }
    hasher.finalize()
}

/// A number in as few bytes as it needs: seven bits each, the lowest first.
pub(super) fn put_number(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number.to_le_bytes()[0] | 0x80);
        number >>= 7;
    }
    out.push(number.to_le_bytes()[0]);
}

/// A text behind its length.
pub(super) fn put_text(out: &mut Vec<u8>, text: &str) {
    put_number(out, text.len() as u64);
    out.extend_from_slice(text.as_bytes());
}

/// Bytes yet to be read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    pub(super) fn of(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    pub(super) fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// So many bytes.
    pub(super) fn take(&mut self, length: usize) -> Result<&'a [u8], Damage> {
        let (taken, left) = self.0.split_at_checked(length).ok_or(Damage("it ends too early"))?;
        self.0 = left;
        Ok(taken)
    }

    /// A number as [`put_number`] wrote it.
    pub(super) fn number(&mut self) -> Result<u64, Damage> {
        let mut number = 0;
        for shift in (0..u64::BITS).step_by(7) {
            let (&byte, left) = self.0.split_first().ok_or(Damage("it ends too early"))?;
            self.0 = left;
            let bits = u64::from(byte & 0x7f);
            if shift == 63 && bits > 1 {
                break;
            }
            number |= bits << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(Damage("a number is too large"))
    }

    /// A number that fits 32 bits.
    pub(super) fn small(&mut self) -> Result<u32, Damage> {
        u32::try_from(self.number()?).map_err(|_| Damage("a number is too large"))
    }

    /// How many things follow. Each takes a byte at least, so room may be made for so many.
    pub(super) fn count(&mut self) -> Result<usize, Damage> {
        let count = usize::try_from(self.number()?).ok();
        count.filter(|count| *count <= self.0.len()).ok_or(Damage("a number is too large"))
    }

    /// A text as [`put_text`] wrote it.
    pub(super) fn text(&mut self) -> Result<&'a str, Damage> {
        let length = self.count()?;
        std::str::from_utf8(self.take(length)?).map_err(|_| Damage("a text is not UTF-8"))
    }

    /// Four bytes, the lowest first.
    pub(super) fn word(&mut self) -> Result<u32, Damage> {
        let mut word = [0; 4];
        word.copy_from_slice(self.take(4)?);
        Ok(u32::from_le_bytes(word))
    }

    /// Eight bytes, the lowest first.
    pub(super) fn long(&mut self) -> Result<u64, Damage> {
        let mut long = [0; 8];
        long.copy_from_slice(self.take(8)?);
        Ok(u64::from_le_bytes(long))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_they_were_written() {
        for number in [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX - 1, u64::MAX] {
            let mut bytes = Vec::new();
            put_number(&mut bytes, number);
            let mut left = Bytes::of(&bytes);
            assert_eq!(left.number(), Ok(number));
            assert!(left.is_empty());
            assert!(Bytes::of(&bytes[..bytes.len() - 1]).number().is_err());
        }
        assert!(Bytes::of(&[0xff; 11]).number().is_err());
        assert!(
            Bytes::of(&[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2]).number().is_err()
        );
    }

    #[test]
    fn a_length_beyond_the_end_is_refused_before_room_is_made() {
        let mut bytes = Vec::new();
        put_number(&mut bytes, u64::MAX);
        assert!(Bytes::of(&bytes).text().is_err());
        assert!(Bytes::of(&bytes).count().is_err());
        assert!(Bytes::of(&bytes).small().is_err());
        assert!(Bytes::of(&[1, 0xff]).text().is_err());
        assert_eq!(Bytes::of(&[1, b'a']).text(), Ok("a"));
    }
}
