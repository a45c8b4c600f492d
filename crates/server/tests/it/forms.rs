//! Forms of pages carry what another site cannot know, and are refused without it.

use assize_server::auth::Access;
use assize_server::demo;
use assize_server::router::routes;
use axum::body::Body;
use axum::http::StatusCode;

use crate::client::{TestServer, request};

const FORM: (&str, &str) = ("content-type", "application/x-www-form-urlencoded");

/// A server with the samples of all four instruments.
async fn with_samples() -> TestServer {
    let server = TestServer::open().await;
    demo::fill(&server.state).await.unwrap();
    server
}

/// The addresses that a route can have over the samples: there are fewer than six runs.
async fn addresses(server: &TestServer, path: &str) -> Vec<String> {
    let sets = server.get("/admin/org/eval/criteria-sets").await.text;
    let set = sets.split("criteria-sets/").nth(1).and_then(|rest| rest.split(['"', '/']).next());
    let path = path.replace("{id}", set.unwrap()).replace("{number}", "1");
    let path = if path.contains("{item}") {
        let list = server.get(&format!("/admin/org/eval/criteria-sets/{}", set.unwrap())).await;
        let item = list.text.split("/criteria/item-").nth(1).unwrap();
        path.replace("{item}", &format!("item-{}", &item[..20]))
    } else {
        path
    };
    if path.contains("{run}") {
        return (1..6).map(|run| path.replace("{run}", &run.to_string())).collect();
    }
    vec![path]
}

fn tags(page: &str) -> Vec<(&str, &str)> {
    let forms = page.match_indices("<form").map(|(start, _)| &page[start..]);
    forms.map(|rest| rest.split_once('>').unwrap()).collect()
}

#[tokio::test]
async fn every_form_of_every_page_carries_the_token_of_whoever_looks() {
    let server = with_samples().await;
    let (mut pages, mut forms, mut targets) = (0, 0, Vec::new());
    for route in routes() {
        if route.method != "GET" || route.operation.is_some() {
            continue;
        }
        let mut shown = 0;
        for address in addresses(&server, route.path).await {
            let answer = server.get(&address).await;
            let is_page = answer.header("content-type").starts_with("text/html");
            if answer.status != StatusCode::OK || !is_page {
                continue;
            }
            shown += 1;
            for (tag, rest) in tags(&answer.text) {
                let is_public = ["/login", "/setup"].iter().any(|path| tag.contains(path));
                // Whoever is not signed in has no token, and `/theme` only sets a cookie of theirs.
                let nobody = route.access == Access::Public;
                let is_public = is_public || nobody && tag.contains("\"/theme\"");
                if !tag.contains("method=\"post\"") || is_public {
                    continue;
                }
                let field = "<input type=\"hidden\" name=\"csrf\" value=\"";
                let token = rest.strip_prefix(field).and_then(|rest| rest.split('"').next());
                assert_eq!(token.map(str::len), Some(64), "{address}: <form{tag}>");
                targets.push(
                    tag.split("action=\"").nth(1).unwrap().split('"').next().unwrap().to_owned(),
                );
                forms += 1;
            }
        }
        pages += usize::from(shown > 0);
    }
    assert!(pages >= 20 && forms >= 40, "{pages} pages, {forms} forms");
    assert!(targets.iter().any(|target| target.ends_with("/decide")), "{targets:?}");
}

#[tokio::test]
async fn a_form_without_its_token_changes_nothing() {
    let server = with_samples().await;
    let mut refused = 0;
    for route in routes().into_iter().filter(assize_server::router::Route::takes_form) {
        let address = addresses(&server, route.path).await.remove(0);
        for body in ["", "reason=x", "csrf=", "csrf=0000"] {
            let answer =
                server.send(request(route.method, &address, &[FORM], Body::from(body))).await;
            assert_eq!(answer.status, StatusCode::FORBIDDEN, "{address}: {}", answer.text);
            assert_eq!(answer.json()["code"], "cross_site");
        }
        refused += 1;
    }
    assert!(refused >= 20, "{refused}");
    assert_eq!(server.get("/runs/1/edit").await.status, StatusCode::OK, "the run is still there");
}

#[tokio::test]
async fn a_form_as_its_page_has_it_is_taken() {
    let server = with_samples().await;
    let page = server.get("/runs/1/edit").await.text;
    let token = page.split("name=\"csrf\" value=\"").nth(1).unwrap().split('"').next().unwrap();
    let body = Body::from(format!("csrf={token}&name=Renamed&tags="));
    let answer = server.send(request("POST", "/runs/1/edit", &[FORM], body)).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.text);
    assert!(server.get("/runs/1/edit").await.text.contains("Renamed"));
    let body = format!(
        "--x\r\nContent-Disposition: form-data; name=\"csrf\"\r\n\r\n{token}\r\n\
         --x\r\nContent-Disposition: form-data; name=\"instrument\"\r\n\r\nsummary\r\n--x--\r\n"
    );
    let with_files = [("content-type", "multipart/form-data; boundary=x")];
    let answer = server.send(request("POST", "/runs/new", &with_files, Body::from(body))).await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST);
    assert!(
        answer.text.contains("Choose a file with article and summary pairs."),
        "{}",
        answer.text
    );
}
