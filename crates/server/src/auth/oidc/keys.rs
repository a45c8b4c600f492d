//! The keys that a provider publishes, and whether a signature is of one of them.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::signature::{
    ECDSA_P256_SHA256_FIXED, ED25519, RSA_PKCS1_2048_8192_SHA256, RsaPublicKeyComponents,
    UnparsedPublicKey,
};
use serde::Deserialize;
use serde_json::Value;

/// Bytes of a coordinate on P-256.
const COORDINATE: usize = 32;

/// How an ID token may be signed. There is no `none` here, and nothing with a shared secret: a
/// public key is never taken for one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Algorithm {
    /// RSASSA-PKCS1-v1_5 with SHA-256, keys of at least 2,048 bits.
    Rs256,
    /// ECDSA on P-256 with SHA-256.
    Es256,
    /// Ed25519.
    EdDsa,
}

impl Algorithm {
    /// By its name in a token.
    pub(crate) fn of(name: &str) -> Option<Self> {
        Some(match name {
            "RS256" => Self::Rs256,
            "ES256" => Self::Es256,
            "EdDSA" => Self::EdDsa,
            _ => return None,
        })
    }

    fn name(self) -> &'static str {
        match self {
            Self::Rs256 => "RS256",
            Self::Es256 => "ES256",
            Self::EdDsa => "EdDSA",
        }
    }

    /// The kind of key and its curve.
    fn kind(self) -> (&'static str, Option<&'static str>) {
        match self {
            Self::Rs256 => ("RSA", None),
            Self::Es256 => ("EC", Some("P-256")),
            Self::EdDsa => ("OKP", Some("Ed25519")),
        }
    }
}

/// The keys of a provider.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct KeySet {
    keys: Vec<Value>,
}

/// One of them.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Key {
    kty: String,
    kid: Option<String>,
    #[serde(rename = "use")]
    purpose: Option<String>,
    alg: Option<String>,
    crv: Option<String>,
    n: Option<String>,
    e: Option<String>,
    x: Option<String>,
    y: Option<String>,
}

impl KeySet {
    /// The key that a token names; where it names none, the only one that can be meant.
    pub(crate) fn key(&self, algorithm: Algorithm, id: Option<&str>) -> Option<Key> {
        // Keys of kinds that nobody here knows are passed over.
        let all = self.keys.iter().filter_map(|key| Key::deserialize(key).ok());
        let mut fitting = all.filter(|key| key.is_for(algorithm));
        if let Some(id) = id {
            return fitting.find(|key| key.kid.as_deref() == Some(id));
        }
        fitting.next().filter(|_| fitting.next().is_none())
    }
}

impl Key {
    fn is_for(&self, algorithm: Algorithm) -> bool {
        let (kind, curve) = algorithm.kind();
        self.kty == kind
            && (curve.is_none() || self.crv.as_deref() == curve)
            && self.purpose.as_deref().is_none_or(|purpose| purpose == "sig")
            && self.alg.as_deref().is_none_or(|name| name == algorithm.name())
    }

    /// Whether a signature is of this key.
    pub(crate) fn signed(&self, algorithm: Algorithm, message: &[u8], signature: &[u8]) -> bool {
        let part = |text: &Option<String>| URL_SAFE_NO_PAD.decode(text.as_deref()?).ok();
        let verified = match algorithm {
            Algorithm::Rs256 => part(&self.n).zip(part(&self.e)).map(|(n, e)| {
                // Some providers write a leading zero, as other formats want it.
                let n = &n[n.iter().take_while(|byte| **byte == 0).count()..];
                let key = RsaPublicKeyComponents { n, e: &e[..] };
                key.verify(&RSA_PKCS1_2048_8192_SHA256, message, signature).is_ok()
            }),
            Algorithm::Es256 => part(&self.x).zip(part(&self.y)).map(|(x, y)| {
                let is_whole = x.len() == COORDINATE && y.len() == COORDINATE;
                let point = [&[4], &x[..], &y[..]].concat();
                let key = UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, point);
                is_whole && key.verify(message, signature).is_ok()
            }),
            Algorithm::EdDsa => part(&self.x)
                .map(|x| UnparsedPublicKey::new(&ED25519, x).verify(message, signature).is_ok()),
        };
        verified.unwrap_or(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Value {
        text.parse().unwrap()
    }

    /// RFC 7515, appendix A.2 and A.3 (the same payload), and RFC 8037, appendix A.4: who signs,
    /// the key, what was signed, the signature.
    fn published() -> [(Algorithm, Value, String, &'static str); 3] {
        let payload = "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ";
        let n = "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ";
        [
            (
                Algorithm::Rs256,
                parsed(&format!(r#"{{"kty": "RSA", "kid": "r", "n": "{n}", "e": "AQAB"}}"#)),
                format!("eyJhbGciOiJSUzI1NiJ9.{payload}"),
                "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw",
            ),
            (
                Algorithm::Es256,
                parsed(
                    r#"{"kty": "EC", "crv": "P-256", "kid": "e",
                    "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
                    "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}"#,
                ),
                format!("eyJhbGciOiJFUzI1NiJ9.{payload}"),
                "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q",
            ),
            (
                Algorithm::EdDsa,
                parsed(
                    r#"{"kty": "OKP", "crv": "Ed25519", "kid": "o",
                    "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}"#,
                ),
                "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc".to_owned(),
                "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg",
            ),
        ]
    }

    #[test]
    fn signatures_of_the_standards_hold_and_any_other_does_not() {
        for (algorithm, key, message, signature) in published() {
            let set = KeySet { keys: vec![key] };
            let key = set.key(algorithm, None).unwrap();
            let mut signature = URL_SAFE_NO_PAD.decode(signature).unwrap();
            assert!(key.signed(algorithm, message.as_bytes(), &signature), "{algorithm:?}");
            let other = format!("{message}A");
            assert!(!key.signed(algorithm, other.as_bytes(), &signature), "{algorithm:?}");
            assert!(!key.signed(algorithm, message.as_bytes(), &[]), "{algorithm:?}");
            signature[10] ^= 1;
            assert!(!key.signed(algorithm, message.as_bytes(), &signature), "{algorithm:?}");
        }
    }

    #[test]
    fn a_key_is_taken_by_its_name_and_only_for_what_it_is_meant() {
        let mut keys: Vec<Value> = published().into_iter().map(|(_, key, ..)| key).collect();
        keys.push(parsed(r#"{"kty": "oct", "kid": "h", "k": "AAAA"}"#));
        keys.push("nonsense".into());
        let set = KeySet { keys: keys.clone() };
        assert!(set.key(Algorithm::Rs256, Some("r")).is_some());
        assert!(set.key(Algorithm::Rs256, Some("e")).is_none(), "another kind of key");
        assert!(set.key(Algorithm::Es256, Some("unknown")).is_none());
        assert!(set.key(Algorithm::Es256, None).is_some(), "only one is meant");
        keys[1]["use"] = "enc".into();
        keys[2]["alg"] = "ES256".into();
        keys.push(keys[0].clone());
        let set = KeySet { keys };
        assert!(set.key(Algorithm::Es256, Some("e")).is_none(), "not for signatures");
        assert!(set.key(Algorithm::EdDsa, Some("o")).is_none(), "for another algorithm");
        assert!(set.key(Algorithm::Rs256, None).is_none(), "which of the two?");
    }

    #[test]
    fn nothing_without_a_signature_or_with_a_shared_secret_is_an_algorithm() {
        for name in ["none", "None", "", "HS256", "HS384", "HS512", "RS1", "rs256"] {
            assert_eq!(Algorithm::of(name), None, "{name}");
        }
        for algorithm in [Algorithm::Rs256, Algorithm::Es256, Algorithm::EdDsa] {
            assert_eq!(Algorithm::of(algorithm.name()), Some(algorithm));
        }
    }
}
