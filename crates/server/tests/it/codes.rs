//! One-time codes beside passwords.

use assize_engine::store::OrganisationId;
use axum::body::Body;
use axum::http::StatusCode;
use chrono::Utc;

use crate::accounts::{FORM, PASSWORD, cookie, login, me, team};
use crate::client::{csrf_of, request};

/// The code that an app shows now which was told a key.
fn code_now(key: &str) -> String {
    let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    let fives = key.chars().map(|letter| format!("{:05b}", letters.find(letter).unwrap()));
    let bits = fives.collect::<Vec<_>>().concat();
    let bytes: Vec<u8> =
        (0..20).map(|at| u8::from_str_radix(&bits[at * 8..][..8], 2).unwrap()).collect();
    let key = ring::hmac::Key::new(ring::hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY, &bytes);
    let tag = ring::hmac::sign(&key, &(Utc::now().timestamp() / 30).to_be_bytes());
    let tag = tag.as_ref();
    let at = usize::from(tag[19] & 15);
    let word = u32::from_be_bytes(tag[at..at + 4].try_into().unwrap()) & 0x7fff_ffff;
    format!("{:06}", word % 1_000_000)
}

#[tokio::test]
async fn with_one_time_codes_a_password_alone_lets_nobody_in_and_a_code_counts_once() {
    let server = team().await;
    let signed_in = cookie(&login(&server, "ann", PASSWORD, &[]).await);
    let csrf = csrf_of(signed_in.split_once('=').unwrap().1);
    let post = async |form: String| {
        let headers = [FORM, ("cookie", signed_in.as_str())];
        let body = Body::from(format!("csrf={csrf}&{form}"));
        server.send(request("POST", "/account/codes", &headers, body)).await
    };
    let page = request("GET", "/account", &[("cookie", &signed_in)], Body::empty());
    let page = server.send(page).await.text;
    let key = page.split_once("name=\"secret\" value=\"").unwrap().1[..32].to_owned();
    let password = PASSWORD.replace(' ', "+");
    let wrong = post(format!("secret={key}&code={}&old=nonsense", code_now(&key))).await;
    assert_eq!(wrong.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", wrong.text);
    assert!(wrong.text.contains("rong user name or password"), "{}", wrong.text);
    let wrong = post(format!("secret={key}&code=12345&old={password}")).await;
    assert_eq!(wrong.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", wrong.text);
    assert!(wrong.text.contains("he code does not fit"), "{}", wrong.text);
    let on = post(format!("secret={key}&code={}&old={password}", code_now(&key))).await;
    assert_eq!((on.status, on.header("location")), (StatusCode::SEE_OTHER, "/login"));
    assert_eq!(me(&server, ("cookie", &signed_in)).await.status, StatusCode::UNAUTHORIZED);
    let with_code = async |code: &str| {
        let body = Body::from(format!("name=ann&password={password}&code={code}"));
        server.send(request("POST", "/login", &[FORM], body)).await.status
    };
    assert_eq!(with_code("").await, StatusCode::UNAUTHORIZED);
    let code = code_now(&key);
    assert_eq!(with_code(&code).await, StatusCode::SEE_OTHER);
    assert_eq!(with_code(&code).await, StatusCode::UNAUTHORIZED, "somebody looked on");
    let workspace = server.workspace(&OrganisationId::default_organisation());
    workspace.forget_codes("ann").await.unwrap();
    assert_eq!(with_code("").await, StatusCode::SEE_OTHER, "whoever lost the app");
}
