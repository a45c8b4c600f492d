//! Every way in which nobody comes in: a plain message, no session, an entry in the audit.

use axum::body::Body;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::hmac;
use serde_json::{Value, json};

use super::provider::{Lie, Provider, Signer, message};
use super::{ann, begin, cookies, end, get, operator, server_with, sign_in};
use crate::client::{Answer, TestServer, request};

/// Nobody came in, they are told why, and it is noted.
async fn is_refused(server: &TestServer, answer: &Answer, status: u16, why: &str) {
    assert_eq!(answer.status.as_u16(), status, "{why}: {}", answer.text);
    let first = why.chars().next().unwrap().to_uppercase();
    let shown = format!("{first}{}", &why[1..]);
    let is_shown = answer.text.contains(why) || answer.text.contains(&shown);
    assert!(is_shown, "{why}: {}", answer.text);
    assert!(answer.text.contains("Sign in with"), "they can begin again");
    assert!(!cookies(answer).contains_key("assize_session"), "{why}");
    let audit = operator(server).audit_page(None, 1).await.unwrap();
    let entry = &audit.items[0];
    assert_eq!((entry.action.as_str(), entry.subject.as_str()), ("refuse", "sign-in"), "{why}");
    let noted = entry.after.as_ref().unwrap().as_str().unwrap();
    assert!(noted.contains(why), "{why}: {noted}");
}

/// A provider with one lie, and somebody whom it would let in otherwise.
async fn with_lie(lie: Lie) -> (TestServer, Provider) {
    let provider = Provider::start(ann()).await;
    provider.lies(lie);
    let newcomers = |table: &mut assize_engine::configuration::OidcTable| {
        table.newcomer_role = Some("viewer".to_owned());
    };
    (server_with(&provider.issuer, newcomers).await, provider)
}

#[tokio::test]
async fn what_the_token_says_must_hold() {
    type Change = fn(&mut Value);
    let cases: [(Change, &str); 9] = [
        (|all| all["nonce"] = "another".into(), "belongs to another sign-in"),
        (|all| all["nonce"] = Value::Null, "belongs to another sign-in"),
        (|all| all["aud"] = "another".into(), "was issued for another application"),
        (|all| all["aud"] = json!(["assize", "another"]), "was issued for another application"),
        (|all| all["azp"] = "another".into(), "was issued for another application"),
        (|all| all["iss"] = "https://id.example".into(), "was issued by another provider"),
        (|all| all["exp"] = (all["iat"].as_i64().unwrap() - 61).into(), "has expired"),
        (|all| all["exp"] = "99999999999".into(), "cannot be read"),
        (|all| all["sub"] = "".into(), "has no subject"),
    ];
    for (claims, why) in cases {
        let (server, provider) = with_lie(Lie { claims, ..Lie::default() }).await;
        let answer = sign_in(&server, &provider).await;
        is_refused(&server, &answer, 401, &format!("the token {why}")).await;
    }
    let (server, provider) = with_lie(Lie::default()).await;
    assert_eq!(sign_in(&server, &provider).await.status.as_u16(), 303, "without a lie");
}

fn unsigned(_: &Signer, claims: &Value) -> String {
    format!("{}.", message(&json!({"alg": "none"}), claims))
}

/// The published key as a shared secret, as a library would have to take it that goes by the
/// algorithm of the token alone.
fn with_public_key_as_secret(signer: &Signer, claims: &Value) -> String {
    let message = message(&json!({"alg": "HS256", "kid": "first"}), claims);
    let key = hmac::Key::new(hmac::HMAC_SHA256, signer.public());
    let signature = hmac::sign(&key, message.as_bytes());
    format!("{message}.{}", URL_SAFE_NO_PAD.encode(signature))
}

/// Another person under a signature that was for Ann.
fn tampered(signer: &Signer, claims: &Value) -> String {
    let good = signer.signed(claims);
    let (message_of_good, signature) = good.rsplit_once('.').unwrap();
    let (head, _) = message_of_good.split_once('.').unwrap();
    let mut other = claims.clone();
    other["sub"] = "root".into();
    format!("{head}.{}.{signature}", URL_SAFE_NO_PAD.encode(other.to_string()))
}

fn by_somebody_else(_: &Signer, claims: &Value) -> String {
    Signer::new("first").signed(claims)
}

#[tokio::test]
async fn only_a_signature_of_a_published_key_counts() {
    type Sign = fn(&Signer, &Value) -> String;
    let algorithm = "the token is not signed with RS256, ES256 or EdDSA";
    let signature = "the token's signature is invalid";
    let cases: [(Sign, &str); 5] = [
        (unsigned, algorithm),
        (with_public_key_as_secret, algorithm),
        (tampered, signature),
        (by_somebody_else, signature),
        (|_, _| "no.token".to_owned(), "the token cannot be read"),
    ];
    for (sign, why) in cases {
        let (server, provider) = with_lie(Lie { sign, ..Lie::default() }).await;
        is_refused(&server, &sign_in(&server, &provider).await, 401, why).await;
    }
}

#[tokio::test]
async fn a_new_key_is_looked_for_once() {
    let (server, provider) = with_lie(Lie::default()).await;
    assert_eq!(sign_in(&server, &provider).await.status.as_u16(), 303);
    assert_eq!(sign_in(&server, &provider).await.status.as_u16(), 303);
    assert_eq!(provider.fetched(), 1, "keys are kept");
    provider.turns_to(Signer::new("second"), true);
    assert_eq!(sign_in(&server, &provider).await.status.as_u16(), 303);
    assert_eq!(provider.fetched(), 2);
    provider.turns_to(Signer::new("third"), false);
    let why = "signed with a key that the provider does not publish";
    is_refused(&server, &sign_in(&server, &provider).await, 401, why).await;
    assert_eq!(provider.fetched(), 3, "once, and no more");
}

#[tokio::test]
async fn a_sign_in_ends_once_and_in_its_own_browser() {
    let (server, provider) = with_lie(Lie::default()).await;
    let begun = begin(&server).await;
    let granted = provider.grants(&begun.asked);
    let why = "the sign-in was not started in this browser";
    is_refused(&server, &end(&server, &granted, "").await, 401, why).await;
    let why = "the sign-in has expired, was already used, or was started in another browser";
    let other = begin(&server).await;
    is_refused(&server, &end(&server, &granted, &other.cookie).await, 401, why).await;
    let forged = (granted.0.clone(), "0".repeat(64));
    is_refused(&server, &end(&server, &forged, &begun.cookie).await, 401, why).await;
    assert_eq!(end(&server, &granted, &begun.cookie).await.status.as_u16(), 303);
    is_refused(&server, &end(&server, &granted, &begun.cookie).await, 401, why).await;
}

#[tokio::test]
async fn what_is_missing_or_of_another_provider_is_told() {
    let (server, _) = with_lie(Lie::default()).await;
    for (answer, why) in [
        ("error=access_denied", "did not sign you in: access_denied"),
        ("code=x&iss=https://id.example", "the response comes from a different identity provider"),
        ("", "lacks the code"),
    ] {
        let begun = begin(&server).await;
        let path = format!("/login/oidc/return?state={}&{answer}", begun.asked["state"]);
        is_refused(&server, &get(&server, &path, &begun.cookie).await, 401, why).await;
    }
    let begun = begin(&server).await;
    let answer = get(&server, "/login/oidc/return?code=x", &begun.cookie).await;
    is_refused(&server, &answer, 401, "lacks the state").await;
}

#[tokio::test]
async fn a_provider_that_is_down_or_never_ends_is_not_waited_for() {
    let server = server_with("http://127.0.0.1:1", |_| ()).await;
    let answer = server.get("/login/oidc").await;
    let why = "the identity provider cannot be reached: it does not respond";
    is_refused(&server, &answer, 502, why).await;
    let (server, provider) = with_lie(Lie { padding: 300_000, ..Lie::default() }).await;
    let answer = server.get("/login/oidc").await;
    is_refused(&server, &answer, 502, "its response is longer than 262144 bytes").await;
    provider.lies(Lie::default());
    assert_eq!(server.get("/login/oidc").await.status.as_u16(), 303, "when it is mended");
    // A code that the provider does not know.
    let begun = begin(&server).await;
    let unknown = ("unknown".to_owned(), begun.asked["state"].clone());
    let why = "it responded with status 400";
    is_refused(&server, &end(&server, &unknown, &begun.cookie).await, 502, why).await;
}

#[tokio::test]
async fn a_provider_that_describes_another_or_asks_for_no_tls_is_not_asked() {
    let (_, provider) = with_lie(Lie::default()).await;
    let other = provider.issuer.replace("127.0.0.1", "localhost");
    let server = server_with(&other, |_| ()).await;
    let answer = server.get("/login/oidc").await;
    is_refused(&server, &answer, 502, "it reports a different issuer").await;
}

#[tokio::test]
async fn nobody_is_sent_to_another_site_afterwards() {
    for path in ["//evil.example", "https://evil.example", "/%5Cevil.example", "/a%0D%0Ab"] {
        let (server, _) = with_lie(Lie::default()).await;
        let answer = server.get(&format!("/login/oidc?return={path}")).await;
        let why = "the return address does not belong to this server";
        is_refused(&server, &answer, 400, why).await;
        assert_eq!(answer.header("location"), "");
        let page = server.get(&format!("/login?return={path}")).await;
        assert!(!page.text.contains("evil.example"), "{}", page.text);
    }
}

#[tokio::test]
async fn after_five_refusals_an_address_waits() {
    let (server, _) = with_lie(Lie::default()).await;
    for _ in 0..5 {
        assert_eq!(server.get("/login/oidc/return").await.status.as_u16(), 401);
    }
    assert_eq!(server.get("/login/oidc").await.json()["code"], "too_many_requests");
}

#[tokio::test]
async fn codes_that_nobody_was_given_count_as_refusals() {
    let (server, _) = with_lie(Lie::default()).await;
    for _ in 0..5 {
        let begun = begin(&server).await;
        let unknown = ("unknown".to_owned(), begun.asked["state"].clone());
        assert_eq!(end(&server, &unknown, &begun.cookie).await.status.as_u16(), 502);
    }
    assert_eq!(server.get("/login/oidc").await.json()["code"], "too_many_requests");
}

#[tokio::test]
async fn a_picture_on_another_site_uses_up_no_tries() {
    let (server, _) = with_lie(Lie::default()).await;
    for _ in 0..5 {
        let picture = [("sec-fetch-dest", "image"), ("sec-fetch-site", "cross-site")];
        let path = "/login/oidc?return=//evil.example";
        let answer = server.send(request("GET", path, &picture, Body::empty())).await;
        assert_eq!(answer.json()["code"], "refused");
    }
    assert_eq!(server.get("/login/oidc").await.status.as_u16(), 303);
}
