//! A provider of identities on loopback: it signs with keys that are made for the test, and lies
//! where it is told to.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use axum::extract::{Form, State};
use axum::http::{HeaderMap, StatusCode};
use axum::routing::{get, post};
use axum::{Json, Router};
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use chrono::Utc;
use ring::digest::{SHA256, digest};
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair};
use serde_json::{Value, json};
use tokio::net::TcpListener;

pub(crate) const CLIENT: &str = "assize";
pub(crate) const SECRET: &str = "a+secret/with=signs";

/// A key, and its name.
pub(crate) struct Signer {
    name: &'static str,
    key: EcdsaKeyPair,
}

impl Signer {
    pub(crate) fn new(name: &'static str) -> Self {
        let (algorithm, random) = (&ECDSA_P256_SHA256_FIXED_SIGNING, SystemRandom::new());
        let made = EcdsaKeyPair::generate_pkcs8(algorithm, &random).unwrap();
        let key = EcdsaKeyPair::from_pkcs8(algorithm, made.as_ref(), &random).unwrap();
        Self { name, key }
    }

    /// The uncompressed point.
    pub(crate) fn public(&self) -> &[u8] {
        self.key.public_key().as_ref()
    }

    fn published(&self) -> Value {
        let (x, y) = self.public()[1..].split_at(32);
        let text = |bytes: &[u8]| URL_SAFE_NO_PAD.encode(bytes);
        json!({"kty": "EC", "crv": "P-256", "use": "sig", "kid": self.name, "x": text(x), "y": text(y)})
    }

    /// A token that is signed as it should be.
    pub(crate) fn signed(&self, claims: &Value) -> String {
        let message = message(&json!({"alg": "ES256", "kid": self.name}), claims);
        let signature = self.key.sign(&SystemRandom::new(), message.as_bytes()).unwrap();
        format!("{message}.{}", URL_SAFE_NO_PAD.encode(signature))
    }
}

/// Head and claims of a token.
pub(crate) fn message(head: &Value, claims: &Value) -> String {
    let text = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
    format!("{}.{}", text(head), text(claims))
}

/// How the provider lies.
#[derive(Clone, Copy)]
pub(crate) struct Lie {
    /// What it says otherwise about the person.
    pub(crate) claims: fn(&mut Value),
    /// How it signs.
    pub(crate) sign: fn(&Signer, &Value) -> String,
    /// How much longer than needed its description is.
    pub(crate) padding: usize,
}

impl Default for Lie {
    fn default() -> Self {
        Self { claims: |_| (), sign: Signer::signed, padding: 0 }
    }
}

#[derive(Default)]
struct Inner {
    /// What was granted, by code: nonce, challenge, where to.
    granted: BTreeMap<String, [String; 3]>,
    signers: Vec<Signer>,
    /// How many of the signers, from the first on, are published.
    published: usize,
    lie: Lie,
    person: Value,
    fetched: usize,
}

/// The provider.
#[derive(Clone)]
pub(crate) struct Provider {
    pub(crate) issuer: String,
    inner: Arc<Mutex<Inner>>,
}

impl Provider {
    /// One that knows a person and listens.
    pub(crate) async fn start(person: Value) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let issuer = format!("http://{}", listener.local_addr().unwrap());
        let inner =
            Inner { signers: vec![Signer::new("first")], published: 1, person, ..Inner::default() };
        let provider = Self { issuer, inner: Arc::new(Mutex::new(inner)) };
        let router = Router::new()
            .route("/.well-known/openid-configuration", get(describe))
            .route("/keys", get(keys))
            .route("/token", post(token))
            .with_state(provider.clone());
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        provider
    }

    pub(crate) fn lies(&self, lie: Lie) {
        self.inner.lock().unwrap().lie = lie;
    }

    /// Signs with another key from now on, which it may keep to itself.
    pub(crate) fn turns_to(&self, signer: Signer, is_published: bool) {
        let mut inner = self.inner.lock().unwrap();
        inner.signers.push(signer);
        inner.published += usize::from(is_published);
    }

    /// How often its keys were fetched.
    pub(crate) fn fetched(&self) -> usize {
        self.inner.lock().unwrap().fetched
    }

    /// What it answers to the address that a browser was sent to: the code, and the state.
    pub(crate) fn grants(&self, asked: &BTreeMap<String, String>) -> (String, String) {
        let part = |name: &str| asked[name].clone();
        let code = format!("code-{}", part("nonce"));
        let granted = [part("nonce"), part("code_challenge"), part("redirect_uri")];
        self.inner.lock().unwrap().granted.insert(code.clone(), granted);
        (code, part("state"))
    }
}

async fn describe(State(provider): State<Provider>) -> Json<Value> {
    let issuer = &provider.issuer;
    let padding = "x".repeat(provider.inner.lock().unwrap().lie.padding);
    Json(json!({
        "issuer": issuer,
        "authorization_endpoint": format!("{issuer}/authorize?tenant=1"),
        "token_endpoint": format!("{issuer}/token"),
        "jwks_uri": format!("{issuer}/keys"),
        "end_session_endpoint": format!("{issuer}/out"),
        "padding": padding,
    }))
}

async fn keys(State(provider): State<Provider>) -> Json<Value> {
    let mut inner = provider.inner.lock().unwrap();
    inner.fetched += 1;
    let keys: Vec<Value> = inner.signers[..inner.published].iter().map(Signer::published).collect();
    Json(json!({"keys": keys}))
}

/// A code is worth one token, to whoever began the sign-in.
async fn token(
    State(provider): State<Provider>,
    headers: HeaderMap,
    Form(form): Form<BTreeMap<String, String>>,
) -> Result<Json<Value>, StatusCode> {
    let mut inner = provider.inner.lock().unwrap();
    let [nonce, challenge, to] =
        inner.granted.remove(&form["code"]).ok_or(StatusCode::BAD_REQUEST)?;
    let own = URL_SAFE_NO_PAD.encode(digest(&SHA256, form["code_verifier"].as_bytes()));
    let basic = STANDARD.encode(format!("{CLIENT}:a%2Bsecret%2Fwith%3Dsigns"));
    let is_known = headers["authorization"] == format!("Basic {basic}").as_str();
    let is_same = own == challenge && form["redirect_uri"] == to && form["client_id"] == CLIENT;
    if !is_known || !is_same || form["grant_type"] != "authorization_code" {
        return Err(StatusCode::UNAUTHORIZED);
    }
    let now = Utc::now().timestamp();
    let mut claims = json!({"iss": provider.issuer, "aud": CLIENT, "iat": now, "exp": now + 300, "nonce": nonce});
    for (name, value) in inner.person.as_object().unwrap() {
        claims[name] = value.clone();
    }
    (inner.lie.claims)(&mut claims);
    let token = (inner.lie.sign)(inner.signers.last().unwrap(), &claims);
    Ok(Json(json!({"access_token": "unused", "token_type": "Bearer", "id_token": token})))
}
