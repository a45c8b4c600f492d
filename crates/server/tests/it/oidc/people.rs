//! Who comes in, as whom, and how they leave.

use assize_engine::store::{Identity, Role};
use axum::body::Body;
use serde_json::{Value, json};

use super::provider::{Lie, Provider};
use super::{OURS, ann, begin, cookies, end, get, me, operator, server_with, sign_in};
use crate::client::{TestServer, csrf_of, request};

const PASSWORD: &str = "copper lantern seldom varnish";
const FORM: (&str, &str) = ("content-type", "application/x-www-form-urlencoded");

/// The last entries of the audit: who, what, to what.
async fn audited(server: &TestServer, count: u32) -> Vec<(String, String)> {
    let page = operator(server).audit_page(None, count.into()).await.unwrap();
    page.items.into_iter().map(|entry| (entry.who, entry.action)).collect()
}

async fn is_unknown(server: &TestServer, provider: &Provider) {
    let answer = sign_in(server, provider).await;
    assert_eq!(answer.status.as_u16(), 403, "{}", answer.text);
    assert!(answer.text.contains("You have no account here yet"), "{}", answer.text);
    assert!(!cookies(&answer).contains_key("assize_session"));
    assert_eq!(audited(server, 1).await[0].1, "refuse");
}

#[tokio::test]
async fn somebody_who_is_known_comes_in_and_goes_where_they_wanted_to() {
    let provider = Provider::start(ann()).await;
    let server = server_with(&provider.issuer, |_| ()).await;
    assert_eq!(server.get("/api/v1/me").await.status.as_u16(), 401, "loopback is not open");
    is_unknown(&server, &provider).await;
    let workspace = operator(&server);
    workspace.add_known_user("ann", Role::Analyst).await.unwrap();
    let identity = Identity { issuer: &provider.issuer, subject: "ann-1" };
    workspace.link_identity("ann", identity).await.unwrap();
    let begun = begin(&server).await;
    assert_eq!(begun.asked["response_type"], "code");
    assert_eq!(begun.asked["tenant"], "1", "what the provider's address had");
    assert_eq!(begun.asked["scope"], "openid email profile");
    assert_eq!(begun.asked["code_challenge_method"], "S256");
    assert_eq!(begun.asked["redirect_uri"], format!("{OURS}/login/oidc/return"));
    let answer = end(&server, &provider.grants(&begun.asked), &begun.cookie).await;
    assert_eq!(
        (answer.status.as_u16(), answer.header("location")),
        (303, "/runs?sort=newest"),
        "{}",
        answer.text
    );
    assert_eq!(cookies(&answer)["assize_oidc"], "", "the sign-in's cookie is taken back");
    let who = me(&server, &answer).await;
    assert_eq!((&who["name"], &who["role"]), (&json!("ann"), &json!("analyst")));
    assert_eq!(audited(&server, 1).await, [("ann".to_owned(), "sign in".to_owned())]);
}

#[tokio::test]
async fn the_session_is_a_new_one_and_ends_when_they_sign_out() {
    let provider = Provider::start(ann()).await;
    let server = server_with(&provider.issuer, |table| {
        table.newcomer_role = Some("viewer".to_owned());
    })
    .await;
    let first = sign_in(&server, &provider).await;
    let old = format!("assize_session={}", cookies(&first)["assize_session"]);
    let begun = begin(&server).await;
    let both = format!("{old}; {}", begun.cookie);
    let second = end(&server, &provider.grants(&begun.asked), &both).await;
    assert_ne!(cookies(&second)["assize_session"], cookies(&first)["assize_session"]);
    assert_eq!(get(&server, "/api/v1/me", &old).await.status.as_u16(), 401, "the old one ended");
    let session = cookies(&second)["assize_session"].clone();
    let cookie = format!("assize_session={session}");
    let body = Body::from(format!("csrf={}", csrf_of(&session)));
    let out = server.send(request("POST", "/logout", &[FORM, ("cookie", &cookie)], body)).await;
    assert_eq!(out.header("location"), "/login?out=1");
    assert_eq!(get(&server, "/api/v1/me", &cookie).await.status.as_u16(), 401);
    let page = server.get("/login?out=1").await;
    assert!(page.text.contains("Sign out of"), "{}", page.text);
    let there = server.get("/login/oidc/out").await;
    let wanted = format!(
        "{}/out?client_id=assize&post_logout_redirect_uri=https%3A%2F%2Fassize.example.org%2Flogin",
        provider.issuer
    );
    assert_eq!(there.header("location"), wanted);
}

#[tokio::test]
async fn an_email_names_an_account_only_if_it_is_verified_and_the_operator_says_so() {
    let provider = Provider::start(ann()).await;
    let matching = |is_matching: bool| {
        let issuer = provider.issuer.clone();
        async move { server_with(&issuer, |table| table.match_email = Some(is_matching)).await }
    };
    let server = matching(false).await;
    operator(&server).add_user("ann@example.org", PASSWORD, Role::Admin).await.unwrap();
    is_unknown(&server, &provider).await;
    let server = matching(true).await;
    operator(&server).add_user("ann@example.org", PASSWORD, Role::Admin).await.unwrap();
    let unverified: fn(&mut Value) = |claims| claims["email_verified"] = false.into();
    provider.lies(Lie { claims: unverified, ..Lie::default() });
    is_unknown(&server, &provider).await;
    provider.lies(Lie::default());
    let answer = sign_in(&server, &provider).await;
    assert_eq!(me(&server, &answer).await["name"], "ann@example.org");
    let actions: Vec<String> = audited(&server, 2).await.into_iter().map(|one| one.1).collect();
    assert_eq!(actions, ["sign in", "link"]);
    // Somebody else who has the same address now is somebody else; Ann is Ann whatever hers is.
    provider.lies(Lie { claims: |claims| claims["sub"] = "bob-2".into(), ..Lie::default() });
    is_unknown(&server, &provider).await;
    provider.lies(Lie { claims: |claims| claims["email"] = "new@x".into(), ..Lie::default() });
    let answer = sign_in(&server, &provider).await;
    assert_eq!(me(&server, &answer).await["name"], "ann@example.org");
    operator(&server).add_user("bob", PASSWORD, Role::Admin).await.unwrap();
    operator(&server).set_disabled("ann@example.org", true).await.unwrap();
    let answer = sign_in(&server, &provider).await;
    assert_eq!(answer.status.as_u16(), 403);
    assert!(answer.text.contains("is disabled"), "{}", answer.text);
}

#[tokio::test]
async fn newcomers_get_the_role_and_the_organisation_that_the_operator_chose() {
    let provider = Provider::start(ann()).await;
    let server = server_with(&provider.issuer, |table| {
        table.newcomer_role = Some("analyst".to_owned());
        table.newcomer_organisation = Some("guests".to_owned());
        table.newcomer_domains = Some(vec!["example.org".to_owned()]);
    })
    .await;
    provider
        .lies(Lie { claims: |claims| claims["email"] = "a@evil.example".into(), ..Lie::default() });
    is_unknown(&server, &provider).await;
    provider
        .lies(Lie { claims: |claims| claims["email_verified"] = false.into(), ..Lie::default() });
    is_unknown(&server, &provider).await;
    provider.lies(Lie::default());
    let who = me(&server, &sign_in(&server, &provider).await).await;
    assert_eq!((&who["name"], &who["role"]), (&json!("Ann@example.org"), &json!("analyst")));
    let guests = operator(&server).make_organisation("guests").await.unwrap();
    assert_eq!(who["organisation"], guests.as_str());
    let again = me(&server, &sign_in(&server, &provider).await).await;
    assert_eq!(again, who);
    assert_eq!(server.workspace(&guests).users().await.unwrap().len(), 1);
}

#[tokio::test]
async fn a_newcomer_never_takes_the_name_of_somebody_else() {
    let provider = Provider::start(ann()).await;
    let server = server_with(&provider.issuer, |table| {
        table.newcomer_role = Some("viewer".to_owned());
    })
    .await;
    operator(&server).add_user("Ann@example.org", PASSWORD, Role::Admin).await.unwrap();
    let answer = sign_in(&server, &provider).await;
    assert_eq!(answer.status.as_u16(), 403);
    let told = answer.text.to_lowercase();
    assert!(told.contains("user `ann@example.org` already exists"), "{told}");
    // Nor does a newcomer choose one: `local` is what the person on the loopback address is called.
    let claims: fn(&mut Value) = |claims| {
        claims["email_verified"] = false.into();
        claims["preferred_username"] = "local".into();
    };
    provider.lies(Lie { claims, ..Lie::default() });
    let who = me(&server, &sign_in(&server, &provider).await).await;
    assert_eq!(who["name"], "ann-1");
}

#[tokio::test]
async fn the_page_to_sign_in_shows_the_ways_there_are() {
    let provider = Provider::start(ann()).await;
    let server = server_with(&provider.issuer, |_| ()).await;
    let page = server.get("/login?return=/runs").await.text;
    assert!(page.contains("href=\"/login/oidc?return=%2Fruns\""), "{page}");
    assert!(page.contains("Example ID") && page.contains("type=\"password\""), "{page}");
    let only = TestServer::with("127.0.0.1:0", |settings| {
        settings.oidc = server.state.settings.oidc.clone();
        settings.oidc.as_mut().unwrap().allows_passwords = false;
    })
    .await;
    assert!(!only.get("/login").await.text.contains("type=\"password\""));
    let body = Body::from("name=ann&password=x");
    let refused = only.send(request("POST", "/login", &[FORM], body)).await;
    assert_eq!(refused.json()["detail"], "sign-in with a password is off on this server");
    let without = TestServer::bound("192.0.2.1:80").await;
    assert!(!without.get("/login").await.text.contains("Sign in with"));
    assert_eq!(without.get("/login/oidc").await.status.as_u16(), 404);
}

#[tokio::test]
async fn groups_give_roles_at_every_sign_in_and_keep_out_who_is_in_none() {
    let provider = Provider::start(ann()).await;
    let roles = [("staff", "viewer"), ("reviewers", "analyst"), ("owners", "admin")];
    let server = server_with(&provider.issuer, |table| {
        let words = roles.map(|(group, role)| (group.to_owned(), role.to_owned()));
        table.group_roles = Some(words.into());
    })
    .await;
    operator(&server).add_user("root", PASSWORD, Role::Admin).await.unwrap();
    let said = async |claims: fn(&mut Value)| {
        provider.lies(Lie { claims, ..Lie::default() });
        sign_in(&server, &provider).await
    };
    let role = async |claims| me(&server, &said(claims).await).await["role"].clone();
    let refused = said(|_| ()).await;
    assert_eq!(refused.status.as_u16(), 403, "{}", refused.text);
    assert!(refused.text.contains("None of your groups"), "{}", refused.text);
    assert_eq!(role(|claims| claims["groups"] = json!(["staff", "others"])).await, "viewer");
    assert_eq!(role(|claims| claims["groups"] = json!(["reviewers", "staff"])).await, "analyst");
    assert_eq!(role(|claims| claims["groups"] = json!(["owners", 7])).await, "admin");
    assert_eq!(role(|claims| claims["groups"] = json!(["staff"])).await, "viewer");
    let refused = said(|claims| claims["groups"] = json!("owners")).await;
    assert_eq!(refused.status.as_u16(), 403, "a text is no list");
}
