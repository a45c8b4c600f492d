//! What an ID token must say, and that the provider says it.

use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use thiserror::Error;

use super::keys::{Algorithm, KeySet};

/// How far clocks may differ.
const LEEWAY_SECONDS: f64 = 60.0;
/// As long as a subject may be; the standard says so.
const SUBJECT_LENGTH_MAX: usize = 255;

/// Why a token does not count.
#[derive(Debug, Error, PartialEq, Eq)]
pub(crate) enum TokenError {
    /// Not three parts, not base64, not JSON, or a value of a wrong kind.
    #[error("the token cannot be read")]
    Malformed,
    /// None, a shared secret, or something that nobody here knows.
    #[error("the token is not signed with RS256, ES256 or EdDSA")]
    Algorithm,
    /// Its key is not published.
    #[error("the token is signed with a key that the provider does not publish")]
    UnknownKey,
    /// It was changed, or signed by somebody else.
    #[error("the token's signature is invalid")]
    Signature,
    /// Another provider's.
    #[error("the token was issued by another provider")]
    Issuer,
    /// For another program.
    #[error("the token was issued for another application")]
    Audience,
    /// Too old.
    #[error("the token has expired")]
    Expired,
    /// Not yet valid.
    #[error("the token is from the future")]
    Early,
    /// Of another sign-in.
    #[error("the token belongs to another sign-in")]
    Nonce,
    /// Nobody.
    #[error("the token has no subject")]
    Subject,
}

/// What a token is held against.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Expectation<'a> {
    /// Who must have made it.
    pub(crate) issuer: &'a str,
    /// For whom.
    pub(crate) client_id: &'a str,
    /// In which sign-in.
    pub(crate) nonce: &'a str,
    /// Now, in seconds since 1970.
    pub(crate) now: f64,
}

#[derive(Deserialize)]
struct Header {
    alg: String,
    kid: Option<String>,
    /// What must be understood; nothing of the kind is.
    crit: Option<Value>,
}

/// What a token says.
#[derive(Debug, Deserialize)]
pub(crate) struct Claims {
    iss: String,
    /// Who.
    pub(crate) sub: String,
    aud: Audience,
    azp: Option<String>,
    exp: f64,
    iat: Option<f64>,
    nbf: Option<f64>,
    nonce: Option<String>,
    /// Their e-mail.
    email: Option<String>,
    email_verified: Option<bool>,
    /// What else it says.
    #[serde(flatten)]
    more: BTreeMap<String, Value>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Audience {
    One(String),
    Many(Vec<String>),
}

/// What a token says, if all of it holds.
pub(crate) fn verified(
    token: &str,
    keys: &KeySet,
    expected: Expectation<'_>,
) -> Result<Claims, TokenError> {
    let (message, signature) = token.rsplit_once('.').ok_or(TokenError::Malformed)?;
    let (header, claims) = message.split_once('.').ok_or(TokenError::Malformed)?;
    let header: Header = part(header)?;
    let algorithm = Algorithm::of(&header.alg).ok_or(TokenError::Algorithm)?;
    if header.crit.is_some() {
        return Err(TokenError::Malformed);
    }
    let key = keys.key(algorithm, header.kid.as_deref()).ok_or(TokenError::UnknownKey)?;
    let signature = URL_SAFE_NO_PAD.decode(signature).map_err(|_| TokenError::Malformed)?;
    if !key.signed(algorithm, message.as_bytes(), &signature) {
        return Err(TokenError::Signature);
    }
    let claims: Claims = part(claims)?;
    claims.hold(expected)?;
    Ok(claims)
}

fn part<T: DeserializeOwned>(text: &str) -> Result<T, TokenError> {
    let bytes = URL_SAFE_NO_PAD.decode(text).map_err(|_| TokenError::Malformed)?;
    serde_json::from_slice(&bytes).map_err(|_| TokenError::Malformed)
}

impl Claims {
    fn hold(&self, expected: Expectation<'_>) -> Result<(), TokenError> {
        let Expectation { issuer, client_id, nonce, now } = expected;
        let is_ours = |one: &String| one == client_id;
        let (is_for_us, is_shared) = match &self.aud {
            Audience::One(one) => (is_ours(one), false),
            Audience::Many(all) => (all.iter().any(is_ours), all.len() > 1),
        };
        // Who is one of several must be the one that asked.
        let is_asked_by_us = self.azp.as_ref().map_or(!is_shared, is_ours);
        let is_later = |time: Option<f64>| time.is_some_and(|time| time > now + LEEWAY_SECONDS);
        let is_plain = !self.sub.is_empty() && !self.sub.chars().any(char::is_control);
        for (holds, error) in [
            (self.iss == issuer, TokenError::Issuer),
            (is_for_us && is_asked_by_us, TokenError::Audience),
            (self.exp > now - LEEWAY_SECONDS, TokenError::Expired),
            (!is_later(self.iat) && !is_later(self.nbf), TokenError::Early),
            (self.nonce.as_deref() == Some(nonce), TokenError::Nonce),
            (is_plain && self.sub.len() <= SUBJECT_LENGTH_MAX, TokenError::Subject),
        ] {
            if !holds {
                return Err(error);
            }
        }
        Ok(())
    }

    /// The groups that a claim lists; one that is no list of texts lists none.
    pub(crate) fn groups(&self, claim: &str) -> Vec<String> {
        let all = self.more.get(claim).and_then(Value::as_array).into_iter().flatten();
        all.filter_map(|one| Some(one.as_str()?.to_owned())).collect()
    }

    /// Their e-mail, if the provider says that it is theirs.
    pub(crate) fn verified_email(&self) -> Option<String> {
        self.email.clone().filter(|_| self.email_verified == Some(true))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXPECTED: Expectation<'_> =
        Expectation { issuer: "https://id", client_id: "assize", nonce: "n", now: 1000.0 };

    fn good() -> Value {
        r#"{"iss": "https://id", "sub": "1", "aud": "assize", "exp": 1300, "iat": 1000, "nonce": "n"}"#
            .parse()
            .unwrap()
    }

    fn held(change: impl FnOnce(&mut Value)) -> Result<(), TokenError> {
        let mut claims = good();
        change(&mut claims);
        let claims: Claims = serde_json::from_value(claims).map_err(|_| TokenError::Malformed)?;
        claims.hold(EXPECTED)
    }

    #[test]
    fn what_a_token_says_holds_to_the_letter() {
        type Change = fn(&mut Value);
        let cases: [(Change, Result<(), TokenError>); 17] = [
            (|_| (), Ok(())),
            (|all| all["iss"] = "https://id/".into(), Err(TokenError::Issuer)),
            (|all| all["aud"] = "other".into(), Err(TokenError::Audience)),
            (|all| all["aud"] = vec!["assize"].into(), Ok(())),
            (|all| all["aud"] = Value::Array(vec![]), Err(TokenError::Audience)),
            (|all| all["aud"] = vec!["assize", "other"].into(), Err(TokenError::Audience)),
            (|all| all["azp"] = "other".into(), Err(TokenError::Audience)),
            (|all| all["exp"] = 941.into(), Ok(())),
            (|all| all["exp"] = 940.into(), Err(TokenError::Expired)),
            (|all| all["exp"] = "99999999999".into(), Err(TokenError::Malformed)),
            (|all| all["iat"] = 1061.into(), Err(TokenError::Early)),
            (|all| all["nbf"] = 1061.into(), Err(TokenError::Early)),
            (|all| all["nbf"] = "0".into(), Err(TokenError::Malformed)),
            (|all| all["nonce"] = "m".into(), Err(TokenError::Nonce)),
            (|all| all["nonce"] = Value::Null, Err(TokenError::Nonce)),
            (|all| all["sub"] = "".into(), Err(TokenError::Subject)),
            (|all| all["sub"] = "x".repeat(256).into(), Err(TokenError::Subject)),
        ];
        for (number, (change, outcome)) in cases.into_iter().enumerate() {
            assert_eq!(held(change), outcome, "case {number}");
        }
        let shared = |all: &mut Value| {
            all["aud"] = vec!["assize", "other"].into();
            all["azp"] = "assize".into();
        };
        assert_eq!(held(shared), Ok(()));
    }

    #[test]
    fn an_email_counts_only_if_the_provider_verified_it() {
        let email = |verified: Value| {
            let mut claims = good();
            claims["email"] = "a@b".into();
            claims["email_verified"] = verified;
            serde_json::from_value::<Claims>(claims).ok().and_then(|all| all.verified_email())
        };
        assert_eq!(email(true.into()), Some("a@b".to_owned()));
        for not in [Value::Null, false.into(), "true".into()] {
            assert_eq!(email(not), None);
        }
    }

    #[test]
    fn what_is_no_token_is_malformed() {
        let keys: KeySet = serde_json::from_str(r#"{"keys": []}"#).unwrap();
        for text in ["", "a.b", "a.b.c", "e30.e30.", "....", "é.é.é"] {
            let error = verified(text, &keys, EXPECTED).unwrap_err();
            assert_eq!(error, TokenError::Malformed, "{text}");
        }
        let header = URL_SAFE_NO_PAD.encode(r#"{"alg":"ES256","crit":["b64"]}"#);
        let error = verified(&format!("{header}.e30.AA"), &keys, EXPECTED).unwrap_err();
        assert_eq!(error, TokenError::Malformed);
    }
}
