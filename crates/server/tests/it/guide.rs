//! The examples of docs/guide/api.md, run as they stand there.

use std::process::{Command, Stdio};

use assize_server::{Settings, serve};
use tokio::sync::oneshot;

const GUIDE: &str = include_str!("../../../../docs/guide/api.md");

#[tokio::test(flavor = "multi_thread")]
async fn every_example_of_the_guide_works_one_after_the_other() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("assize.db").to_str().unwrap().into();
    let settings = Settings::new("127.0.0.1:0".parse().unwrap(), place);
    let serving = serve(settings).await.unwrap();
    let url = format!("http://{}", serving.address);
    let (stop, stopped) = oneshot::channel::<()>();
    let running = tokio::spawn(serving.run(async { drop(stopped.await) }));
    let blocks: Vec<&str> = GUIDE.split("```sh\n").skip(1).collect();
    assert!(blocks.len() >= 6);
    for block in blocks {
        let script = block.split("```").next().unwrap();
        let mut command = Command::new("sh");
        command.args(["-eu", "-c", script]).env("ASSIZE", &url).current_dir(folder.path());
        // The server goes on answering on the other threads.
        let run = tokio::task::spawn_blocking(move || command.stdin(Stdio::null()).output());
        let output = run.await.unwrap().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.success(),
            "{}{said}\n{script}",
            String::from_utf8_lossy(&output.stdout)
        );
    }
    stop.send(()).unwrap();
    running.await.unwrap();
}
