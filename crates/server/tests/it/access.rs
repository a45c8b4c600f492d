//! Every route, by role, organisation and scope: the list is the router's own, so a route that
//! is added is tested here from the same day.

use assize_engine::accounts::{SignIn, TokenRequest};
use assize_engine::store::{OrganisationId, Role, Scope};
use assize_server::auth::Access;
use assize_server::router::{Route, routes};
use axum::body::Body;
use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::client::{Answer, TestServer, csrf_of, request};

const PASSWORD: &str = "copper lantern seldom varnish";

/// Who asks, as headers.
struct Who {
    role: Role,
    scope: Option<Scope>,
    header: (&'static str, String),
}

/// A server for a team, with a run, sets and a document in one organisation and people with
/// every role and tokens with every scope in it.
async fn server_with(people_in: &str) -> (TestServer, Vec<Who>) {
    let server = TestServer::bound("192.0.2.1:80").await;
    fill(&server).await;
    let ours = OrganisationId::default_organisation();
    let organisation = match people_in {
        "ours" => ours.clone(),
        other => server.workspace(&ours).make_organisation(other).await.unwrap(),
    };
    let workspace = server.workspace(&organisation);
    let mut who = Vec::new();
    for (role, scope) in
        [(Role::Viewer, Scope::Read), (Role::Analyst, Scope::Write), (Role::Admin, Scope::Admin)]
    {
        workspace.add_user(role.word(), PASSWORD, role).await.unwrap();
        let with =
            SignIn { name: role.word(), password: PASSWORD, address: "", agent: "", code: "" };
        let (session, _) = workspace.sign_in(with).await.unwrap();
        who.push(Who {
            role,
            scope: None,
            header: ("cookie", format!("assize_session={session}")),
        });
        let request = TokenRequest { name: scope.word().to_owned(), scope, days: Some(1) };
        let made = workspace.make_token(request).await.unwrap();
        let header = ("authorization", format!("Bearer {}", made.secret));
        who.push(Who { role, scope: Some(scope), header });
    }
    (server, who)
}

/// Run 1 and the sets `controls` and `policies`, in the default organisation.
async fn fill(server: &TestServer) {
    let local = TestServer::over(server, "127.0.0.1:0").await;
    let run = json!({"instrument": "retrieval", "input": {"predictions": {"q": {"a": 1.0}},
        "gold": {"q": {"a": 1}}, "settings": {"resamples": 0}}});
    assert_eq!(local.post("/api/v1/runs", &run).await.status, StatusCode::CREATED);
    let set =
        json!({"name": "controls", "criteria": [{"criteria_id": "A", "requirement": "Lock."}]});
    local.post("/api/v1/criteria-sets", &set).await;
    local.post("/api/v1/document-sets", &json!({"name": "policies"})).await;
    local.upload("/api/v1/document-sets/policies/documents", "p.txt", b"Doors are locked.").await;
}

/// The path of a route with names of things that are there, in the default organisation.
fn filled(path: &str) -> String {
    let document = "document";
    [
        ("{run}", "1"),
        ("{position}", "0"),
        ("{number}", "1"),
        ("{id}", document),
        ("{item}", "criterion"),
        ("{set}", "set"),
        ("{document}", document),
        ("{name}", if path.contains("document-sets") { "policies" } else { "controls" }),
    ]
    .iter()
    .fold(path.to_owned(), |path, (name, value)| path.replace(name, value))
}

async fn ask(server: &TestServer, route: &Route, header: Option<(&str, &str)>) -> Answer {
    let mut headers = vec![("content-type", "application/json")];
    headers.extend(header);
    // Nothing is changed: no body of ours is `null`.
    let body = Body::from(Value::Null.to_string());
    server.send(request(route.method, &filled(route.path), &headers, body)).await
}

fn is_let_in(access: Access, who: &Who) -> bool {
    match access {
        Access::Probe | Access::Public => true,
        Access::To(role, scope) => who.role >= role && who.scope.is_none_or(|own| own >= scope),
        // The people are in the organisation whose administrators are operators.
        Access::Operator => who.role == Role::Admin,
    }
}

/// Streams of a run that never ends would keep the test waiting; ours is done.
#[tokio::test]
async fn every_route_lets_in_whom_its_access_names_and_nobody_else() {
    let (server, who) = server_with("ours").await;
    let mut asked = 0;
    for route in routes() {
        for one in &who {
            let header = Some((one.header.0, one.header.1.as_str()));
            let answer = ask(&server, &route, header).await;
            let place = format!("{} {} as {} {:?}", route.method, route.path, one.role, one.scope);
            assert!(!answer.status.is_server_error(), "{place}: {}", answer.text);
            let is_refused = answer.status == StatusCode::FORBIDDEN
                && answer.json()["code"] == "forbidden"
                || answer.status == StatusCode::UNAUTHORIZED
                    && answer.json()["code"] == "not_signed_in";
            assert_eq!(!is_refused, is_let_in(route.access, one), "{place}: {}", answer.text);
            asked += 1;
        }
    }
    assert_eq!(asked, routes().len() * 6);
}

#[tokio::test]
async fn nobody_comes_in_without_saying_who_they_are() {
    let (server, _) = server_with("ours").await;
    for route in routes() {
        let is_public = route.access == Access::Public;
        for header in [
            None,
            Some(("cookie", "assize_session=guess")),
            Some(("authorization", "Bearer assize_0")),
        ] {
            let answer = ask(&server, &route, header).await;
            // A token that counts for nothing is told everywhere but where nobody looks at it.
            let is_open = route.access == Access::Probe
                || is_public && header.is_none_or(|(name, _)| name != "authorization");
            let place = format!("{} {} {header:?}", route.method, route.path);
            let is_refused = answer.text.contains("not_signed_in");
            assert_eq!(!is_refused, is_open, "{place}");
        }
    }
}

/// A route without a thing in its path has nothing to hide but lists, which must be empty.
#[tokio::test]
async fn what_belongs_to_another_organisation_is_not_there() {
    let (server, who) = server_with("theirs").await;
    let admin = who.iter().find(|one| one.role == Role::Admin && one.scope.is_none()).unwrap();
    let header = (admin.header.0, admin.header.1.as_str());
    let mut named = 0;
    for route in routes() {
        let is_named = route.path.contains('{') && !route.path.starts_with("/assets/");
        if !is_named {
            continue;
        }
        named += 1;
        let answer = if route.method == "GET" || route.method == "DELETE" {
            ask(&server, &route, Some(header)).await
        } else {
            let headers = [("content-type", "application/json"), header, ("if-match", "x")];
            let body = Body::from(valid_body(route.path).to_string());
            let path = filled(route.path);
            let takes_files = path == "/documents/set" || path.ends_with("/replace");
            if takes_files {
                let form = [("content-type", "multipart/form-data; boundary=x"), header];
                let session = header.1.strip_prefix("assize_session=").unwrap();
                let body = format!(
                    "--x\r\nContent-Disposition: form-data; name=\"csrf\"\r\n\r\n{}\r\n--x\r\n\
                     Content-Disposition: form-data; name=\"file{}\"; filename=\"a.txt\"\r\n\r\n\
                     x\r\n--x--\r\n",
                    csrf_of(session),
                    if path.ends_with("/replace") { "" } else { "s" },
                );
                server.send(request(route.method, &path, &form, Body::from(body))).await
            } else if !path.starts_with("/api/") {
                // Pages take forms.
                let form = [("content-type", "application/x-www-form-urlencoded"), header];
                let session = header.1.strip_prefix("assize_session=").unwrap();
                let body = format!("csrf={}&reason=x", csrf_of(session));
                server.send(request(route.method, &path, &form, Body::from(body))).await
            } else if path.ends_with("/documents") {
                let form = [("content-type", "multipart/form-data; boundary=x"), header];
                let body = "--x\r\nContent-Disposition: form-data; name=\"f\"; filename=\"a.txt\"\r\n\r\nx\r\n--x--\r\n";
                server.send(request(route.method, &path, &form, Body::from(body))).await
            } else {
                server.send(request(route.method, &path, &headers, body)).await
            }
        };
        let place = format!("{} {}", route.method, route.path);
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{place}: {}", answer.text);
    }
    assert!(named > 25, "{named}");
    for list in ["runs", "criteria-sets", "document-sets"] {
        let all =
            server.send(request("GET", &format!("/api/v1/{list}"), &[header], Body::empty())).await;
        let all = all.json();
        let items = all.get("items").unwrap_or(&all);
        assert_eq!(items, &json!([]), "{list}");
    }
}

/// A body that the route would take, if only the thing were there.
fn valid_body(path: &str) -> Value {
    match path.rsplit('/').next().unwrap_or_default() {
        "decisions" => json!({"position": 0, "kind": "comment", "value": "x"}),
        "labels" => json!([{"position": 0, "measure": "mrr", "value": 1.0}]),
        "comments" => json!({"text": "x"}),
        "assignments" => json!({"criteria": ["A"]}),
        _ => json!({}),
    }
}

#[tokio::test]
async fn whoever_administers_another_organisation_does_not_run_the_server() {
    let (server, who) = server_with("theirs").await;
    let mut asked = 0;
    for route in routes().iter().filter(|route| route.access == Access::Operator) {
        for one in &who {
            let answer = ask(&server, route, Some((one.header.0, &one.header.1))).await;
            assert_eq!(answer.status, StatusCode::FORBIDDEN, "{} as {}", route.path, one.role);
            asked += 1;
        }
    }
    assert_eq!(asked, 2 * 6);
}
