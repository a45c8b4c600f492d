//! One-time codes by time (RFC 6238): what an app shows that was told the secret.

use assize_store::User;
use async_recursion::async_recursion as boxed;
use chrono::{DateTime, Utc};
use ring::hmac::{HMAC_SHA1_FOR_LEGACY_USE_ONLY, Key, sign};

use super::error::{AccountError, Result};
use super::password;
use crate::Workspace;

/// Bytes of a secret: as many as the hash has.
const BYTES: usize = 20;
/// Letters of a secret.
const LETTERS: usize = BYTES * 8 / 5;
/// How long a code is shown.
const STEP_SECONDS: i64 = 30;
/// Codes of so many steps before and after this one count: clocks differ.
const LEEWAY: i64 = 1;
const DIGITS: u32 = 6;
/// Base 32 (RFC 4648), which every app takes.
const ALPHABET: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/// A new secret, as it is typed into an app.
pub fn secret() -> Result<String> {
    let mut bytes = [0; BYTES];
    getrandom::fill(&mut bytes).map_err(|error| AccountError::Random(error.to_string()))?;
    Ok(text_of(&bytes))
}

impl Workspace {
    /// Has somebody need one-time codes from now on who shows their password and a code of that
    /// secret; without one, they need none any more. They are signed out everywhere.
    #[boxed]
    pub async fn set_codes(
        &self,
        name: &str,
        old: &str,
        with: Option<(String, String)>,
    ) -> Result<()> {
        let user = self.user(name).await?.user;
        if !password::is(old, user.password_hash.as_deref().unwrap_or_default()) {
            return Err(AccountError::Wrong);
        }
        if let Some((secret, code)) = &with
            && (secret.len() != LETTERS || step_of(secret, code, Utc::now()).is_none())
        {
            let because = "the code does not fit the key: check the clock of your device, and type \
                the code that it shows now";
            return Err(AccountError::Refused(because.to_owned()));
        }
        self.keep_codes(&user, with.as_ref().map(|(secret, _)| secret.as_str())).await
    }

    /// Has somebody need no one-time codes any more who lost what shows them.
    #[boxed]
    pub async fn forget_codes(&self, name: &str) -> Result<()> {
        let user = self.user(name).await?.user;
        self.keep_codes(&user, None).await
    }

    async fn keep_codes(&self, user: &User, secret: Option<&str>) -> Result<()> {
        self.store.accounts().set_code_secret(&user.id, secret).await?;
        let after = if secret.is_some() { "on" } else { "off" };
        self.audit_user("one-time codes", &user.id, None, Some(after.into())).await
    }

    /// Whether a code lets somebody in; it does so once. Who has no secret needs none.
    pub(super) async fn takes_code(&self, user: &User, code: &str) -> Result<bool> {
        let Some(secret) = &user.code_secret else { return Ok(true) };
        match step_of(secret, code, Utc::now()) {
            Some(step) => Ok(self.store.accounts().use_code(&user.id, step).await?),
            None => Ok(false),
        }
    }
}

/// The step of time whose code that is, if it counts now.
fn step_of(secret: &str, typed: &str, now: DateTime<Utc>) -> Option<i64> {
    let key = Key::new(HMAC_SHA1_FOR_LEGACY_USE_ONLY, &bytes_of(secret)?);
    let typed: String = typed.chars().filter(|letter| !letter.is_whitespace()).collect();
    let is_code = typed.len() == DIGITS as usize && typed.bytes().all(|one| one.is_ascii_digit());
    let typed: u32 = typed.parse().ok().filter(|_| is_code)?;
    let step = now.timestamp().div_euclid(STEP_SECONDS);
    (step - LEEWAY..=step + LEEWAY).find(|step| code(&key, *step) == typed)
}

/// RFC 4226, 5.3.
fn code(key: &Key, step: i64) -> u32 {
    let tag = sign(key, &step.to_be_bytes());
    let tag = tag.as_ref();
    let at = usize::from(tag[tag.len() - 1] & 15);
    let word = u32::from_be_bytes([tag[at] & 0x7f, tag[at + 1], tag[at + 2], tag[at + 3]]);
    word % 10_u32.pow(DIGITS)
}

fn text_of(bytes: &[u8]) -> String {
    let (mut text, mut bits, mut count) = (String::new(), 0_u16, 0);
    for byte in bytes {
        bits = bits << 8 | u16::from(*byte);
        count += 8;
        while count >= 5 {
            count -= 5;
            text.push(char::from(ALPHABET[usize::from(bits >> count & 31)]));
        }
    }
    text
}

fn bytes_of(text: &str) -> Option<Vec<u8>> {
    let (mut bytes, mut bits, mut count) = (Vec::new(), 0_u16, 0);
    for letter in text.bytes() {
        let value = ALPHABET.iter().position(|one| *one == letter)?;
        bits = bits << 5 | u16::try_from(value).ok()?;
        count += 5;
        if count >= 8 {
            count -= 8;
            bytes.push(u8::try_from(bits >> count & 0xff).ok()?);
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 6238, appendix B: the last six of its eight digits.
    #[test]
    fn codes_are_those_of_the_standard() {
        let key = Key::new(HMAC_SHA1_FOR_LEGACY_USE_ONLY, b"12345678901234567890");
        for (seconds, expected) in [
            (59, 287_082),
            (1_111_111_109, 81_804),
            (1_111_111_111, 50_471),
            (1_234_567_890, 5_924),
            (2_000_000_000, 279_037),
            (20_000_000_000, 353_130),
        ] {
            assert_eq!(code(&key, seconds / STEP_SECONDS), expected, "{seconds}");
        }
    }

    /// RFC 4648, 10, and the secret of RFC 6238.
    #[test]
    fn a_secret_is_base_32_and_comes_back() {
        assert_eq!(text_of(b"fooba"), "MZXW6YTB");
        let text = text_of(b"12345678901234567890");
        assert_eq!(text, "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
        assert_eq!(bytes_of(&text).unwrap(), b"12345678901234567890");
        assert_eq!(bytes_of("MZXW6YT1"), None);
        let (one, two) = (secret().unwrap(), secret().unwrap());
        assert_eq!((one.len(), one == two), (LETTERS, false));
    }

    #[test]
    fn a_code_counts_half_a_minute_before_and_after_and_as_six_digits_only() {
        let secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
        let at = |seconds| DateTime::from_timestamp(seconds, 0).unwrap();
        for (seconds, expected) in [
            (1_111_111_109, Some(37_037_036)),
            (1_111_111_139, Some(37_037_036)),
            (1_111_111_200, None),
        ] {
            assert_eq!(step_of(secret, "081 804", at(seconds)), expected, "{seconds}");
        }
        for typed in ["81804", "0081804", "+81804", "08180a", ""] {
            assert_eq!(step_of(secret, typed, at(1_111_111_109)), None, "{typed}");
        }
    }
}
