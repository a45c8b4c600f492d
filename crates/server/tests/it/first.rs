//! What every answer has in common: health, headers, problems, hosts, sites.

use axum::body::Body;
use axum::http::StatusCode;

use crate::client::{TestServer, request};

#[tokio::test]
async fn probes_come_by_any_name_and_names_have_no_case() {
    let named = TestServer::with("192.0.2.1:80", |settings| {
        settings.hosts = vec!["assize.example.org".to_owned()];
    })
    .await;
    let ask = async |server: &TestServer, host: &str, path: &str| {
        server.send(request("GET", path, &[("host", host)], Body::empty())).await.status
    };
    for path in ["/healthz", "/readyz"] {
        assert_eq!(ask(&named, "10.1.2.3:8780", path).await, StatusCode::OK, "{path}");
    }
    assert_eq!(ask(&named, "10.1.2.3:8780", "/metrics").await, StatusCode::UNAUTHORIZED);
    assert_eq!(ask(&named, "Assize.Example.ORG", "/login").await, StatusCode::OK);
    assert_eq!(ask(&named, "10.1.2.3:8780", "/login").await, StatusCode::MISDIRECTED_REQUEST);
    // Without accounts the name is all that keeps pages elsewhere away from the figures.
    let open = TestServer::open().await;
    assert_eq!(ask(&open, "evil.example", "/healthz").await, StatusCode::OK);
    assert_eq!(ask(&open, "evil.example", "/metrics").await, StatusCode::MISDIRECTED_REQUEST);
}

#[tokio::test]
async fn a_fresh_server_answers_without_any_set_up() {
    let server = TestServer::open().await;
    for path in ["/", "/healthz", "/readyz", "/metrics"] {
        assert_eq!(server.get(path).await.status, StatusCode::OK, "{path}");
    }
    assert_eq!(server.get("/healthz").await.json()["status"], "ok");
    let figures = server.get("/metrics").await.text;
    assert!(figures.contains("assize_http_requests_total{method=\"GET\",path=\"/healthz\""));
}

#[tokio::test]
async fn every_answer_tells_the_browser_to_be_careful() {
    let server = TestServer::open().await;
    for path in ["/", "/nothing/here", "/api/v1/nothing"] {
        let answer = server.get(path).await;
        let policy = answer.header("content-security-policy");
        assert!(policy.starts_with("default-src 'none'; script-src 'self'"), "{path}: {policy}");
        assert_eq!(answer.header("x-content-type-options"), "nosniff");
        assert!(!answer.header("x-request-id").is_empty());
    }
}

#[tokio::test]
async fn a_problem_is_json_for_programs_and_a_page_for_people() {
    let server = TestServer::open().await;
    let answer = server.get("/nothing/here").await;
    assert_eq!(answer.status, StatusCode::NOT_FOUND);
    assert_eq!(answer.header("content-type"), "application/problem+json");
    assert_eq!(answer.json()["code"], "not_found");
    let html = [("accept", "text/html,*/*")];
    let page = server.send(request("GET", "/nothing/here", &html, Body::empty())).await;
    assert_eq!(page.status, StatusCode::NOT_FOUND);
    assert!(page.header("content-type").starts_with("text/html"));
    let api = server.send(request("GET", "/api/v1/nothing", &html, Body::empty())).await;
    assert_eq!(api.header("content-type"), "application/problem+json");
}

#[tokio::test]
async fn a_wrong_method_is_named_with_those_that_work() {
    let server = TestServer::open().await;
    let answer = server.send(request("DELETE", "/healthz", &[], Body::empty())).await;
    assert_eq!(answer.status, StatusCode::METHOD_NOT_ALLOWED);
    assert_eq!(answer.json()["code"], "method_not_allowed");
    assert_eq!(answer.header("allow"), "GET,HEAD");
}

#[tokio::test]
async fn a_name_that_was_rebound_to_loopback_is_refused() {
    let server = TestServer::open().await;
    for host in ["evil.example", "evil.example:8780", "localhost.evil.example"] {
        let foreign = request("GET", "/", &[("host", host)], Body::empty());
        let answer = server.send(foreign).await;
        assert_eq!(answer.status, StatusCode::MISDIRECTED_REQUEST, "{host}");
        assert_eq!(answer.json()["code"], "foreign_host");
    }
}

#[tokio::test]
async fn a_page_of_another_site_can_change_nothing() {
    let server = TestServer::open().await;
    let headers = [("origin", "https://evil.example")];
    let answer = server.send(request("POST", "/healthz", &headers, Body::empty())).await;
    assert_eq!(
        (answer.status, answer.json()["code"].as_str()),
        (StatusCode::FORBIDDEN, Some("cross_site"))
    );
}

#[tokio::test]
async fn whoever_comes_from_elsewhere_has_to_sign_in() {
    let server = TestServer::bound("192.0.2.1:80").await;
    let answer = server.get("/").await;
    assert_eq!(answer.status, StatusCode::UNAUTHORIZED);
    assert_eq!(answer.json()["code"], "not_signed_in");
    assert_eq!(server.get("/healthz").await.status, StatusCode::OK);
}

#[tokio::test]
async fn a_task_that_panics_is_counted_although_nobody_waits_for_it() {
    // Its end would look for panics that nobody expects.
    let server = std::mem::ManuallyDrop::new(TestServer::open().await);
    let figures = server.get("/metrics").await.text;
    for line in ["assize_panics_total 0", "assize_write_failures_total 0", "assize_items_queued 0"]
    {
        assert!(figures.contains(line), "{line}\n{figures}");
    }
    assert!(figures.contains("assize_lease_overdue_seconds 0"), "{figures}");
    assert!(tokio::spawn(async { panic!("on purpose") }).await.is_err());
    let figures = server.get("/metrics").await.text;
    assert!(figures.contains("assize_panics_total 1"), "{figures}");
}
