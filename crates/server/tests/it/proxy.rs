//! Behind a proxy that signs people in: only what a listed address says is believed.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};

use assize_engine::Workspace;
use assize_engine::store::{OrganisationId, Role};
use assize_server::auth::proxy::ProxySettings;
use assize_server::{Settings, serve};
use serde_json::Value;
use tempfile::TempDir;
use tokio::sync::oneshot;
use tokio::task::spawn_blocking;

struct Running {
    address: SocketAddr,
    workspace: Workspace,
    _stop: oneshot::Sender<()>,
    _folder: TempDir,
}

/// A server that believes whoever connects from that address.
async fn behind(proxy: &str, newcomers: Option<Role>) -> Running {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("assize.db").to_str().unwrap().into();
    let mut settings = Settings::new("127.0.0.1:0".parse().unwrap(), place);
    settings.proxy = ProxySettings {
        addresses: vec![proxy.parse().unwrap()],
        user_header: Some("x-forwarded-user".parse().unwrap()),
    };
    settings.newcomers = newcomers;
    let serving = serve(settings).await.unwrap();
    assert_eq!(serving.setup_link, None, "people sign in elsewhere");
    let workspace = Workspace {
        store: std::sync::Arc::clone(&serving.state.store),
        organisation: OrganisationId::default_organisation(),
        who: "operator".to_owned(),
        address: None,
        token: None,
    };
    let (address, (stop, stopped)) = (serving.address, oneshot::channel::<()>());
    tokio::spawn(serving.run(async { drop(stopped.await) }));
    Running { address, workspace, _stop: stop, _folder: folder }
}

/// Status and body of a request with these headers.
async fn ask(server: &Running, line: &str, headers: &str) -> (u16, String) {
    let text = format!("{line} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{headers}\r\n");
    let address = server.address;
    spawn_blocking(move || {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.write_all(text.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
    })
    .await
    .unwrap()
}

const ME: &str = "GET /api/v1/me";
const ANN: &str = "X-Forwarded-User: ann\r\n";

#[tokio::test(flavor = "multi_thread")]
async fn whom_a_listed_proxy_names_comes_in_and_nobody_else() {
    let server = behind("127.0.0.1", None).await;
    assert_eq!(ask(&server, ME, "").await.0, 401, "loopback is not open behind a proxy");
    assert_eq!(ask(&server, ME, ANN).await.0, 401, "nobody added her");
    server.workspace.add_known_user("ann", Role::Analyst).await.unwrap();
    let (status, body) = ask(&server, ME, ANN).await;
    let me: Value = serde_json::from_str(&body).unwrap();
    assert_eq!((status, &me["name"], &me["role"]), (200, &"ann".into(), &"analyst".into()));
    let twice = format!("{ANN}X-Forwarded-User: root\r\n");
    assert_eq!(ask(&server, ME, &twice).await.0, 401);
    // What forms carry is asked for here too.
    let form =
        format!("{ANN}Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 0\r\n");
    let (status, body) = ask(&server, "POST /samples", &form).await;
    assert_eq!((status, body.contains("cross_site")), (403, true), "{body}");
    // From where the proxy says it comes, not from the proxy.
    server.workspace.set_role("ann", Role::Admin).await.unwrap();
    server.workspace.add_known_user("bob", Role::Viewer).await.unwrap();
    let from = format!(
        "{ANN}X-Forwarded-For: 1.1.1.1, 203.0.113.9\r\nContent-Type: application/json\r\nContent-Length: 19\r\n"
    );
    let change = format!("{from}\r\n{{\"role\": \"analyst\"}}");
    assert_eq!(
        ask(&server, "PATCH /api/v1/users/bob", change.trim_end_matches("\r\n")).await.0,
        200
    );
    let audit = server.workspace.audit_page(None, 1).await.unwrap();
    assert_eq!(audit.items[0].address.as_deref(), Some("203.0.113.9"));
    let operator = server.workspace.clone();
    operator.set_disabled("bob", true).await.unwrap();
    assert_eq!(ask(&server, ME, "X-Forwarded-User: bob\r\n").await.0, 401);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_another_address_says_about_people_is_not_believed() {
    let server = behind("192.0.2.9", Some(Role::Admin)).await;
    server.workspace.add_known_user("ann", Role::Admin).await.unwrap();
    assert_eq!(ask(&server, ME, ANN).await.0, 401);
    assert_eq!(server.workspace.users().await.unwrap().len(), 1, "nobody came in");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_newcomer_gets_the_role_that_the_operator_chose() {
    let server = behind("127.0.0.1", Some(Role::Viewer)).await;
    let (status, body) = ask(&server, ME, ANN).await;
    assert!(status == 200 && body.contains("\"role\":\"viewer\""), "{status} {body}");
    let control = "X-Forwarded-User:  \r\n";
    assert_eq!(ask(&server, ME, control).await.0, 401);
    assert_eq!(server.workspace.users().await.unwrap().len(), 1);
}
