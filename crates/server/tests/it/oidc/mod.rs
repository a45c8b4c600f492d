//! Signing in with a provider of identities: who comes in, and every way in which nobody does.

mod people;
mod provider;
mod refused;

use std::collections::BTreeMap;

use assize_engine::Workspace;
use assize_engine::asking::Variables;
use assize_engine::configuration::OidcTable;
use assize_engine::store::OrganisationId;
use assize_server::auth::oidc::OidcSettings;
use axum::body::Body;
use serde_json::{Value, json};

use self::provider::{CLIENT, Provider, SECRET};
use crate::client::{Answer, TestServer, request};

const OURS: &str = "https://assize.example.org";

/// Ann, as the provider knows her.
fn ann() -> Value {
    json!({"sub": "ann-1", "email": "Ann@example.org", "email_verified": true,
        "preferred_username": "ann"})
}

fn table(issuer: &str) -> OidcTable {
    OidcTable {
        issuer: issuer.to_owned(),
        client_id: CLIENT.to_owned(),
        public_url: OURS.to_owned(),
        name: Some("Example ID".to_owned()),
        client_secret_variable: Some("SECRET".to_owned()),
        client_secret_file: None,
        scopes: None,
        match_email: None,
        newcomer_role: None,
        newcomer_organisation: None,
        newcomer_domains: None,
        groups_claim: None,
        group_roles: None,
    }
}

/// A server whose people sign in with that provider.
async fn server_with(issuer: &str, change: impl FnOnce(&mut OidcTable)) -> TestServer {
    let mut table = table(issuer);
    change(&mut table);
    let variables = Variables::new(|_| Some(SECRET.to_owned()));
    let oidc = OidcSettings::new(&table, &variables, None).unwrap();
    TestServer::with("127.0.0.1:0", |settings| settings.oidc = Some(oidc)).await
}

fn operator(server: &TestServer) -> Workspace {
    server.workspace(&OrganisationId::default_organisation())
}

/// The cookies that an answer sets, as a browser sends them back.
fn cookies(answer: &Answer) -> BTreeMap<String, String> {
    let all = answer.headers.get_all("set-cookie").iter().map(|value| value.to_str().unwrap());
    let pairs = all.filter_map(|text| text.split(';').next()?.split_once('='));
    pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

async fn get(server: &TestServer, path: &str, cookie: &str) -> Answer {
    let headers = [("cookie", cookie), ("accept", "text/html")];
    server.send(request("GET", path, &headers, Body::empty())).await
}

/// A sign-in that has begun: the browser's cookie, and what the provider was asked for.
struct Begun {
    cookie: String,
    asked: BTreeMap<String, String>,
}

async fn begin(server: &TestServer) -> Begun {
    let answer = server.get("/login/oidc?return=/runs?sort%3Dnewest").await;
    assert_eq!(answer.status.as_u16(), 303, "{}", answer.text);
    let set = answer.header("set-cookie");
    for part in ["HttpOnly", "SameSite=Lax", "Secure", "Path=/login/oidc", "Max-Age=600"] {
        assert!(set.contains(part), "{set}");
    }
    let (_, query) = answer.header("location").split_once('?').unwrap();
    let asked: BTreeMap<String, String> = query
        .split('&')
        .filter_map(|pair| pair.split_once('='))
        .map(|(name, value)| (name.to_owned(), decoded(value)))
        .collect();
    Begun { cookie: format!("assize_oidc={}", cookies(&answer)["assize_oidc"]), asked }
}

/// A value of a query as it was before.
fn decoded(text: &str) -> String {
    let mut pieces = text.split('%');
    let mut all = pieces.next().unwrap_or_default().replace('+', " ");
    for piece in pieces {
        all.push(char::from(u8::from_str_radix(&piece[..2], 16).unwrap()));
        all.push_str(&piece[2..].replace('+', " "));
    }
    all
}

async fn end(server: &TestServer, (code, state): &(String, String), cookie: &str) -> Answer {
    get(server, &format!("/login/oidc/return?code={code}&state={state}"), cookie).await
}

/// The whole of it.
async fn sign_in(server: &TestServer, provider: &Provider) -> Answer {
    let begun = begin(server).await;
    end(server, &provider.grants(&begun.asked), &begun.cookie).await
}

/// Who a browser with the cookies of an answer is.
async fn me(server: &TestServer, answer: &Answer) -> Value {
    let cookie = format!("assize_session={}", cookies(answer)["assize_session"]);
    let answer = server.send(request("GET", "/api/v1/me", &[("cookie", &cookie)], Body::empty()));
    answer.await.json()
}
