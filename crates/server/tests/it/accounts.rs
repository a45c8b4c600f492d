//! People and programs: the first one's way in, signing in and out, what ends a session.

use std::sync::Arc;

use assize_engine::accounts::TokenRequest;
use assize_engine::store::{
    Instrument, NewRun, OrganisationId, Role, RunFilter, RunId, RunState, Scope,
};
use assize_server::router::router;
use axum::body::Body;
use axum::http::StatusCode;
use chrono::{TimeDelta, Utc};
use futures_util::StreamExt;
use serde_json::json;
use tower::ServiceExt;

use crate::client::{Answer, TestServer, csrf_of, request};

pub(crate) const PASSWORD: &str = "copper lantern seldom varnish";
pub(crate) const FORM: (&str, &str) = ("content-type", "application/x-www-form-urlencoded");

pub(crate) async fn team() -> TestServer {
    let server = TestServer::bound("192.0.2.1:80").await;
    let ours = OrganisationId::default_organisation();
    server.workspace(&ours).add_user("ann", PASSWORD, Role::Admin).await.unwrap();
    server
}

pub(crate) async fn login(
    server: &TestServer,
    name: &str,
    password: &str,
    headers: &[(&str, &str)],
) -> Answer {
    let body = format!("name={name}&password={}", password.replace(' ', "+"));
    let mut all = vec![FORM];
    all.extend_from_slice(headers);
    server.send(request("POST", "/login", &all, Body::from(body))).await
}

/// The part of the cookie that the browser sends back.
pub(crate) fn cookie(answer: &Answer) -> String {
    answer.header("set-cookie").split(';').next().unwrap().to_owned()
}

pub(crate) async fn me(server: &TestServer, header: (&str, &str)) -> Answer {
    server.send(request("GET", "/api/v1/me", &[header], Body::empty())).await
}

#[tokio::test]
async fn somebody_signs_in_and_out_and_the_cookie_is_theirs_alone() {
    let server = team().await;
    let answer = login(&server, "ann", PASSWORD, &[]).await;
    assert_eq!((answer.status, answer.header("location")), (StatusCode::SEE_OTHER, "/"));
    let set = answer.header("set-cookie");
    assert!(set.contains("HttpOnly") && set.contains("SameSite=Lax"), "{set}");
    let cookie = cookie(&answer);
    let who = me(&server, ("cookie", &cookie)).await.json();
    assert_eq!((&who["name"], &who["role"]), (&json!("ann"), &json!("admin")));
    // A form without its token is not ours, whoever's cookie comes with it.
    let headers = [FORM, ("cookie", cookie.as_str())];
    let forged = server.send(request("POST", "/logout", &headers, Body::from("csrf=x"))).await;
    assert_eq!(forged.json()["code"], "cross_site");
    assert_eq!(me(&server, ("cookie", &cookie)).await.status, StatusCode::OK);
    let session = cookie.strip_prefix("assize_session=").unwrap();
    let token = csrf_of(session);
    let out = server
        .send(request("POST", "/logout", &headers, Body::from(format!("csrf={token}"))))
        .await;
    assert_eq!(out.status, StatusCode::SEE_OTHER, "{}", out.text);
    assert_eq!(me(&server, ("cookie", &cookie)).await.status, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn a_session_that_somebody_prepared_is_not_the_one_that_is_signed_in() {
    let server = team().await;
    let prepared = "assize_session=prepared";
    let answer = login(&server, "ann", PASSWORD, &[("cookie", prepared)]).await;
    assert_ne!(cookie(&answer), prepared);
    assert_eq!(me(&server, ("cookie", prepared)).await.status, StatusCode::UNAUTHORIZED);
    // Signing in again ends the session before.
    let first = cookie(&answer);
    let second = login(&server, "ann", PASSWORD, &[("cookie", &first)]).await;
    assert_eq!(me(&server, ("cookie", &first)).await.status, StatusCode::UNAUTHORIZED);
    assert_eq!(me(&server, ("cookie", &cookie(&second))).await.status, StatusCode::OK);
}

#[tokio::test]
async fn a_name_and_a_password_are_refused_alike_and_only_a_few_times() {
    let server = team().await;
    for name in ["ann", "nobody"] {
        let answer = login(&server, name, "wrong wrong wrong", &[]).await;
        assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{name}");
        assert!(
            answer.text.contains("Incorrect name, password or one-time code."),
            "{}",
            answer.text
        );
    }
    for _ in 0..4 {
        login(&server, "ann", "wrong wrong wrong", &[]).await;
    }
    let answer = login(&server, "ann", PASSWORD, &[]).await;
    assert_eq!(
        (answer.status, &answer.json()["code"]),
        (StatusCode::TOO_MANY_REQUESTS, &json!("too_many_requests"))
    );
}

#[tokio::test]
async fn a_session_ends_when_it_is_idle_or_old_or_its_person_may_not_come_in() {
    let server = team().await;
    let workspace = server.workspace(&OrganisationId::default_organisation());
    let cookie = cookie(&login(&server, "ann", PASSWORD, &[]).await);
    let token = cookie.strip_prefix("assize_session=").unwrap();
    let now = Utc::now();
    assert!(workspace.signed_in(token, now + TimeDelta::hours(11)).await.unwrap().is_some());
    // Seen just then; idle for more than twelve hours after.
    assert!(workspace.signed_in(token, now + TimeDelta::hours(24)).await.unwrap().is_none());
    let cookie = super::accounts::cookie(&login(&server, "ann", PASSWORD, &[]).await);
    let token = cookie.strip_prefix("assize_session=").unwrap();
    for day in 1..=13 {
        let at = now + TimeDelta::hours(day * 11);
        workspace.signed_in(token, at).await.unwrap().unwrap();
    }
    assert!(
        workspace
            .signed_in(token, now + TimeDelta::days(7) + TimeDelta::hours(1))
            .await
            .unwrap()
            .is_none()
    );
    workspace.add_user("bob", PASSWORD, Role::Viewer).await.unwrap();
    let bob = super::accounts::cookie(&login(&server, "bob", PASSWORD, &[]).await);
    workspace.set_disabled("bob", true).await.unwrap();
    assert_eq!(me(&server, ("cookie", &bob)).await.status, StatusCode::UNAUTHORIZED);
    assert!(workspace.set_disabled("ann", true).await.is_err(), "the last administrator stays");
}

#[tokio::test]
async fn the_first_person_comes_in_by_a_link_that_works_once_and_for_an_hour() {
    let server = TestServer::bound("192.0.2.1:80").await;
    let workspace = server.workspace(&OrganisationId::default_organisation());
    let old = workspace.offer_setup(Utc::now() - TimeDelta::seconds(1)).await.unwrap();
    let body = |link: &str, password: &str| {
        Body::from(format!("link={link}&name=ann&password={}", password.replace(' ', "+")))
    };
    let late = server.send(request("POST", "/setup", &[FORM], body(&old, PASSWORD))).await;
    assert_eq!(late.status, StatusCode::UNPROCESSABLE_ENTITY);
    let link = workspace.offer_setup(Utc::now() + TimeDelta::hours(1)).await.unwrap();
    let weak = server.send(request("POST", "/setup", &[FORM], body(&link, "password1234"))).await;
    assert_eq!(weak.status, StatusCode::BAD_REQUEST, "{}", weak.text);
    let page = format!("/setup?link={link}");
    assert_eq!(server.get(&page).await.status, StatusCode::OK);
    let made = server.send(request("POST", "/setup", &[FORM], body(&link, PASSWORD))).await;
    assert_eq!((made.status, made.header("location")), (StatusCode::SEE_OTHER, "/login"));
    let again = server.send(request("POST", "/setup", &[FORM], body(&link, PASSWORD))).await;
    assert_eq!(again.status, StatusCode::UNPROCESSABLE_ENTITY);
    // Whoever follows it once more is told at once, and not after a name and a password.
    let used = server.get(&page).await;
    assert_eq!(used.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(used.text.contains("already used"), "{}", used.text);
    assert_eq!(login(&server, "ann", PASSWORD, &[]).await.status, StatusCode::SEE_OTHER);
}

#[tokio::test]
async fn a_token_counts_until_it_expires_or_is_revoked_and_is_shown_once() {
    let server = team().await;
    let workspace = server.workspace(&OrganisationId::default_organisation());
    let request = TokenRequest { name: "ci".to_owned(), scope: Scope::Read, days: Some(1) };
    let made = workspace.make_token(request).await.unwrap();
    let header = format!("Bearer {}", made.secret);
    let who = me(&server, ("authorization", &header)).await.json();
    assert_eq!((&who["name"], &who["scope"]), (&json!("token ci"), &json!("read")));
    let tomorrow = Utc::now() + TimeDelta::days(1) + TimeDelta::seconds(1);
    assert!(workspace.token_of(&made.secret, tomorrow).await.unwrap().is_none());
    let kept = serde_json::to_string(&workspace.tokens().await.unwrap()).unwrap();
    assert!(!kept.contains(&made.secret), "{kept}");
    workspace.revoke_token(made.token.id.as_str()).await.unwrap();
    assert_eq!(me(&server, ("authorization", &header)).await.status, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn what_was_made_with_a_token_counts_no_longer_than_the_token() {
    let server = team().await;
    let workspace = server.workspace(&OrganisationId::default_organisation());
    let request =
        |days| TokenRequest { name: "t".to_owned(), scope: Scope::Admin, days: Some(days) };
    let parent = workspace.make_token(request(2)).await.unwrap();
    let make = async |secret: &str| {
        let header = format!("Bearer {secret}");
        let body = json!({"name": "child", "scope": "admin", "days": 90});
        let headers = [("authorization", header.as_str())];
        let made = server.send_json("POST", "/api/v1/tokens", &headers, &body).await;
        assert_eq!(made.status, StatusCode::CREATED, "{}", made.text);
        made.json()
    };
    let child = make(&parent.secret).await;
    let until = |json: &serde_json::Value| -> chrono::DateTime<Utc> {
        json["expires_at"].as_str().unwrap().parse().unwrap()
    };
    let of_parent = &workspace.tokens().await.unwrap();
    let of_parent = of_parent.iter().find(|one| one.id == parent.token.id).unwrap();
    assert_eq!(until(&child), of_parent.expires_at.unwrap());
    let grandchild = make(child["secret"].as_str().unwrap()).await;
    let header = format!("Bearer {}", grandchild["secret"].as_str().unwrap());
    assert_eq!(me(&server, ("authorization", &header)).await.status, StatusCode::OK);
    workspace.revoke_token(parent.token.id.as_str()).await.unwrap();
    for secret in [&child["secret"], &grandchild["secret"]] {
        let header = format!("Bearer {}", secret.as_str().unwrap());
        let answer = me(&server, ("authorization", &header)).await;
        assert_eq!(answer.status, StatusCode::UNAUTHORIZED);
    }
}

#[tokio::test]
async fn an_administrator_adds_people_over_the_api() {
    let server = TestServer::open().await;
    let weak = json!({"name": "bob", "password": "short", "role": "viewer"});
    assert_eq!(server.post("/api/v1/users", &weak).await.status, StatusCode::BAD_REQUEST);
    let good = json!({"name": "bob", "password": PASSWORD, "role": "viewer"});
    assert_eq!(server.post("/api/v1/users", &good).await.status, StatusCode::CREATED);
    assert_eq!(server.post("/api/v1/users", &good).await.status, StatusCode::CONFLICT);
    let edit = json!({"role": "analyst"});
    let edited = server.send_json("PATCH", "/api/v1/users/bob", &[], &edit).await.json();
    assert_eq!(edited["role"], "analyst");
    let all = server.get("/api/v1/users").await;
    assert!(all.text.contains("bob") && !all.text.contains("argon2"), "{}", all.text);
}

#[tokio::test]
async fn no_two_names_look_alike_and_none_looks_like_a_token() {
    let server = team().await;
    let workspace = server.workspace(&OrganisationId::default_organisation());
    for name in
        ["Ann", "\u{430}nn", "\u{ff41}nn", "an\u{200b}n", "ann\u{a0}", "token ci", "Token ci"]
    {
        let added = workspace.add_user(name, PASSWORD, Role::Viewer).await;
        assert!(added.is_err(), "{name:?}");
    }
    for name in ["anna", "анна", "zoë"] {
        workspace.add_user(name, PASSWORD, Role::Viewer).await.unwrap();
    }
    let made = workspace.make_organisation("acme").await.unwrap();
    assert_eq!(workspace.make_organisation("acme").await.unwrap(), made);
    for name in ["Acme", "\u{430}cme", "\u{ff41}cme", "ac\u{200b}me", "Default"] {
        assert!(workspace.make_organisation(name).await.is_err(), "{name:?}");
        assert!(workspace.add_organisation(name, None).await.is_err(), "{name:?}");
    }
    workspace.make_organisation("acmé").await.unwrap();
}

#[tokio::test]
async fn whoever_looks_at_a_page_is_led_to_sign_in_and_back() {
    let server = team().await;
    let html = ("accept", "text/html,*/*");
    let look = async |path: &str, headers: &[(&str, &str)]| {
        server.send(request("GET", path, headers, Body::empty())).await
    };
    let answer = look("/runs?sort=newest", &[html]).await;
    let login_page = "/login?return=%2Fruns%3Fsort%3Dnewest";
    assert_eq!((answer.status, answer.header("location")), (StatusCode::SEE_OTHER, login_page));
    let answer = look("//evil.example", &[html]).await;
    assert_eq!(answer.status, StatusCode::NOT_FOUND, "{}", answer.text);
    // Programs, changes and tokens that count no more are told.
    let told = [
        look("/runs", &[]).await,
        look("/api/v1/runs", &[html]).await,
        look("/runs", &[html, ("authorization", "Bearer nothing")]).await,
        server.send(request("POST", "/runs/1/stop", &[html, FORM], Body::empty())).await,
    ];
    for answer in told {
        assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{}", answer.text);
    }
    let back = async |referer: &str| {
        let answer = login(&server, "ann", PASSWORD, &[("referer", referer)]).await;
        answer.header("location").to_owned()
    };
    assert_eq!(back(&format!("http://localhost{login_page}")).await, "/runs?sort=newest");
    assert_eq!(back("http://localhost/login?return=%2F%2Fevil.example").await, "/");
    assert_eq!(back("http://localhost/other?return=%2Fruns").await, "/");
}

#[tokio::test]
async fn accounts_that_are_wanted_are_needed_on_loopback_too() {
    let open = TestServer::open().await;
    assert_eq!(open.get("/api/v1/runs").await.status, StatusCode::OK);
    let closed = TestServer::with("127.0.0.1:0", |settings| settings.needs_accounts = true).await;
    assert_eq!(closed.get("/api/v1/runs").await.status, StatusCode::UNAUTHORIZED);
    assert_eq!(closed.get("/healthz").await.status, StatusCode::OK);
    assert!(closed.state.settings.takes_passwords());
}

/// As it comes from there.
fn from_address(
    address: &str,
    mut request: axum::http::Request<Body>,
) -> axum::http::Request<Body> {
    let client = std::net::SocketAddr::new(address.parse().unwrap(), 1);
    request.extensions_mut().insert(assize_server::serve::Client(client));
    request
}

#[tokio::test]
async fn wrong_tries_of_a_stranger_do_not_keep_somebody_out_elsewhere() {
    let server = team().await;
    let try_from = async |address: &str, password: &str| {
        let body = format!("name=ann&password={}", password.replace(' ', "+"));
        let asked = request("POST", "/login", &[FORM], Body::from(body));
        server.send(from_address(address, asked)).await.status
    };
    for _ in 0..5 {
        assert_eq!(try_from("203.0.113.66", "wrong").await, StatusCode::UNAUTHORIZED);
    }
    assert_eq!(try_from("203.0.113.66", PASSWORD).await, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(try_from("198.51.100.7", PASSWORD).await, StatusCode::SEE_OTHER);
}

#[tokio::test]
async fn ones_own_password_is_guessed_no_more_often_than_at_sign_in() {
    let server = team().await;
    let cookie = cookie(&login(&server, "ann", PASSWORD, &[]).await);
    let guess = async |old: &str| {
        let body = json!({"old": old, "new": "another lantern seldom varnish"});
        server.send_json("PUT", "/api/v1/me/password", &[("cookie", &cookie)], &body).await.status
    };
    for number in 0..5 {
        let status = guess("wrong wrong wrong").await;
        assert!(status.is_client_error() && status != 429, "{number}: {status}");
    }
    assert_eq!(guess(PASSWORD).await, StatusCode::TOO_MANY_REQUESTS);
    let form =
        format!("csrf={}&old=x&new=y", csrf_of(cookie.strip_prefix("assize_session=").unwrap()));
    let headers = [FORM, ("cookie", cookie.as_str())];
    let page = server.send(request("POST", "/account/password", &headers, Body::from(form))).await;
    assert_eq!(page.status, StatusCode::TOO_MANY_REQUESTS, "the page counts with it");
}

#[tokio::test]
async fn nothing_private_stays_in_a_cache_and_styles_do() {
    let server = team().await;
    let cookie = cookie(&login(&server, "ann", PASSWORD, &[]).await);
    for path in ["/", "/account", "/runs", "/api/v1/me", "/api/v1/runs", "/login", "/metrics"] {
        let asked = request("GET", path, &[("cookie", &cookie)], Body::empty());
        let answer = server.send(asked).await;
        assert_eq!(answer.status, StatusCode::OK, "{path}");
        assert_eq!(answer.header("cache-control"), "no-store", "{path}");
    }
    let styles = server.get("/assets/assize.css").await;
    assert_eq!((styles.status, styles.header("cache-control")), (StatusCode::OK, "no-cache"));
}

/// A run that nobody works on: it goes on for ever.
async fn endless_run(server: &TestServer) {
    let ours = OrganisationId::default_organisation();
    let run = NewRun {
        id: RunId::at(Utc::now(), &["watched"]),
        organisation_id: ours.clone(),
        instrument: Instrument::Retrieval,
        name: None,
        criteria_set_id: None,
        doc_set_id: None,
        configuration: None,
        configuration_hash: None,
        method_version: None,
        material: None,
        who: "ann".to_owned(),
        created_at: Utc::now(),
    };
    let runs = server.state.store.runs();
    runs.plan(&run, &[]).await.unwrap();
    runs.set_state(&ours, &run.id, RunState::Running, None).await.unwrap();
}

#[tokio::test]
async fn watching_ends_when_its_token_is_revoked() {
    let server = team().await;
    endless_run(&server).await;
    let workspace = server.workspace(&OrganisationId::default_organisation());
    let asked = TokenRequest { name: "watch".to_owned(), scope: Scope::Read, days: Some(1) };
    let made = workspace.make_token(asked).await.unwrap();
    let header = format!("Bearer {}", made.secret);
    let asked =
        request("GET", "/api/v1/runs/1/events", &[("authorization", &header)], Body::empty());
    let watching = tokio::time::timeout(std::time::Duration::from_secs(20), server.send(asked));
    let revoke = async {
        tokio::time::sleep(std::time::Duration::from_secs(1)).await;
        workspace.revoke_token(made.token.id.as_str()).await.unwrap();
    };
    let (watched, ()) = tokio::join!(watching, revoke);
    let watched = watched.expect("the stream ends");
    assert!(watched.text.contains("event: progress"), "{}", watched.text);
}

#[tokio::test]
async fn a_stream_of_events_that_cannot_go_on_is_cut_off_and_not_ended() {
    let server = TestServer::open().await;
    endless_run(&server).await;
    let asked = request("GET", "/api/v1/runs/1/events", &[], Body::empty());
    let answer = router(Arc::clone(&server.state)).oneshot(asked).await.unwrap();
    assert_eq!(answer.status(), StatusCode::OK);
    let mut events = answer.into_body().into_data_stream();
    let first = events.next().await.unwrap().unwrap();
    assert!(String::from_utf8_lossy(&first).contains("event: progress"), "{first:?}");
    // What is watched is not there any more.
    let ours = OrganisationId::default_organisation();
    let store = &server.state.store;
    let run = store.runs().page(&ours, &RunFilter::default(), 1).await.unwrap().remove(0);
    store.runs().delete(&ours, &run.id).await.unwrap();
    let next = tokio::time::timeout(std::time::Duration::from_secs(20), events.next()).await;
    assert!(matches!(next, Ok(Some(Err(_)))), "{next:?}");
}

#[tokio::test]
async fn whoever_is_removed_is_gone_and_what_they_decided_stays_under_another_name() {
    let server = team().await;
    let ours = OrganisationId::default_organisation();
    let workspace = server.workspace(&ours);
    workspace.add_user("bob", PASSWORD, Role::Admin).await.unwrap();
    endless_run(&server).await;
    let ann = cookie(&login(&server, "ann", PASSWORD, &[]).await);
    let bob = cookie(&login(&server, "bob", PASSWORD, &[]).await);
    let ask = async |method: &str, path: &str, session: &str| {
        server.send(request(method, path, &[("cookie", session)], Body::empty())).await
    };
    let made = request(
        "POST",
        "/api/v1/tokens",
        &[
            ("cookie", &ann),
            ("content-type", "application/json"),
            ("sec-fetch-site", "same-origin"),
        ],
        Body::from(json!({"name": "hers", "scope": "read"}).to_string()),
    );
    let made = server.send(made).await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.text);
    let secret = format!("Bearer {}", made.json()["secret"].as_str().unwrap());
    assert_eq!(me(&server, ("authorization", &secret)).await.status, StatusCode::OK);

    let out = ask("DELETE", "/api/v1/users/ann/sessions", &bob).await;
    assert_eq!(out.status, StatusCode::NO_CONTENT, "{}", out.text);
    assert_eq!(me(&server, ("cookie", &ann)).await.status, StatusCode::UNAUTHORIZED);
    assert_eq!(me(&server, ("cookie", &bob)).await.status, StatusCode::OK, "only hers");

    let removed = ask("DELETE", "/api/v1/users/ann", &bob).await;
    assert_eq!(removed.status, StatusCode::OK, "{}", removed.text);
    let alias = removed.json()["former_name"].as_str().unwrap().to_owned();
    assert!(alias.starts_with("former user "), "{alias}");
    assert_eq!(login(&server, "ann", PASSWORD, &[]).await.status, StatusCode::UNAUTHORIZED);
    assert_eq!(me(&server, ("authorization", &secret)).await.status, StatusCode::UNAUTHORIZED);
    let run = ask("GET", "/api/v1/runs/1", &bob).await.text;
    assert!(run.contains(&alias) && !run.contains("\"ann\""), "{run}");
    let tokens = ask("GET", "/api/v1/tokens", &bob).await.text;
    assert!(tokens.contains(&alias) && !tokens.contains("\"ann\""), "{tokens}");
    // Nobody is left who could make another.
    let last = ask("DELETE", "/api/v1/users/bob", &bob).await;
    assert!(last.status.is_client_error(), "{}", last.text);
    assert_eq!(me(&server, ("cookie", &bob)).await.status, StatusCode::OK);
}
