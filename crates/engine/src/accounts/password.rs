//! Passwords: how good they must be, and how they are kept.

use argon2::password_hash::{PasswordHasher, PasswordVerifier, phc::PasswordHash};
use argon2::{Algorithm, Argon2, Params, Version};

use super::error::{AccountError, Result};

/// OWASP's and NIST's present floor for a password without a second factor.
pub(crate) const CHARACTERS_MIN: usize = 12;
/// Hashing takes time with length; nobody types more.
pub(crate) const BYTES_MAX: usize = 256;
/// Of 4: takes more than 10^8 guesses, which the throttle makes years.
const STRENGTH_MIN: u8 = 3;
/// OWASP's first choice for argon2id: 19 MiB, two passes, one lane.
const MEMORY_KIB: u32 = 19 * 1024;
const PASSES: u32 = 2;
const LANES: u32 = 1;

/// Whether a password may be used. What stands close to its owner is easy to guess.
pub fn check(password: &str, name: &str) -> Result<()> {
    if password.len() > BYTES_MAX {
        return Err(AccountError::LongPassword(BYTES_MAX));
    }
    if password.chars().count() < CHARACTERS_MIN {
        return Err(AccountError::ShortPassword(CHARACTERS_MIN));
    }
    let found = zxcvbn::zxcvbn(password, &[name, "assize"]);
    if u8::from(found.score()) < STRENGTH_MIN {
        let why = found.feedback().and_then(zxcvbn::feedback::Feedback::warning);
        return Err(AccountError::WeakPassword(why.map(|why| why.to_string())));
    }
    Ok(())
}

/// What is kept of a password: salted and slow to compute. It takes about 20 ms of a core.
pub fn hashed(password: &str) -> Result<String> {
    let hash = hasher().hash_password(password.as_bytes());
    let hash = hash.map_err(|error| AccountError::Random(error.to_string()))?;
    Ok(hash.to_string())
}

/// Whether a password is the one of a hash.
pub fn is(password: &str, hash: &str) -> bool {
    let Ok(hash) = PasswordHash::new(hash) else { return false };
    password.len() <= BYTES_MAX && hasher().verify_password(password.as_bytes(), &hash).is_ok()
}

fn hasher() -> Argon2<'static> {
    let params = Params::new(MEMORY_KIB, PASSES, LANES, None);
    let params = params.expect("the constants above are within argon2's limits");
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_long_and_hard_to_guess() {
        assert!(matches!(check("short", "ann"), Err(AccountError::ShortPassword(12))));
        assert!(matches!(check("elevenchars", "ann"), Err(AccountError::ShortPassword(12))));
        assert!(matches!(check("password1234", "ann"), Err(AccountError::WeakPassword(_))));
        assert!(matches!(check("aaaaaaaaaaaaaaaa", "ann"), Err(AccountError::WeakPassword(_))));
        assert!(matches!(check(&"x9".repeat(200), "ann"), Err(AccountError::LongPassword(256))));
        assert!(check("copper lantern seldom varnish", "ann").is_ok());
    }

    #[test]
    fn a_hash_is_argon2id_salted_and_knows_its_password() {
        let (one, two) = (hashed("copper lantern").unwrap(), hashed("copper lantern").unwrap());
        assert!(one.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{one}");
        assert_ne!(one, two);
        assert!(is("copper lantern", &one) && !is("copper lanterns", &one) && !is("x", "no hash"));
    }
}
