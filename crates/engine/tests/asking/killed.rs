//! Killed at a random moment, twenty times: nothing is lost and nothing is scored twice.

use std::env;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use assize_engine::asking::{Sender, Stop};
use assize_injector::{Fault, Injector, When};
use assize_models::Budget;

use crate::support::{item, judge, label_all, labels, settings, store};

const ITEMS: usize = 300;
const KILLS: u64 = 20;
/// Set in a process that is there to be killed: the server and the folder, divided by a space.
const VICTIM: &str = "ASSIZE_TEST_VICTIM";

/// The test is its own victim: it starts itself again, with a variable that says so.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_twenty_times_at_random_every_item_ends_once() {
    if let Ok(orders) = env::var(VICTIM) {
        let (base_url, folder) = orders.split_once(' ').unwrap();
        return run_to_the_end(base_url, Path::new(folder)).await;
    }
    let script = labels()
        .after(Duration::from_millis(15))
        .with(When::Every(10), Fault::slow_down(0.02))
        .with(When::matching(|request| item(request).is_multiple_of(10)), Fault::CutMessage);
    let injector = Injector::start(script).await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut moment = 0x5eed_u64;
    for _ in 0..KILLS {
        moment = moment.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let mut victim = victim(&injector.base_url(), folder.path());
        tokio::time::sleep(Duration::from_millis(20 + (moment >> 33) % 120)).await;
        victim.kill().unwrap();
        victim.wait().unwrap();
    }
    let mut survivor = victim(&injector.base_url(), folder.path());
    let ended = tokio::task::spawn_blocking(move || survivor.wait()).await.unwrap().unwrap();
    assert!(ended.success());

    let tally = store(folder.path()).await.tally().await.unwrap();
    // 300 questions, of which every tenth was put twice.
    assert_eq!(tally.exchanges, 330);
    // A request noted just before the end of its process may not have reached the server;
    // all others did, and each is a reply, a failure with its class, or lost with its process.
    let (seen, lost) = (injector.seen(), tally.open);
    assert!(seen <= tally.sends && seen >= tally.sends - lost, "{seen} {tally:?}");
    let failed: u64 = tally.failures.values().sum();
    assert_eq!(tally.sends, tally.exchanges + failed + lost, "{tally:?}");
    assert!(lost <= KILLS * 8, "{tally:?}");

    // Everything is there: reading it all again asks nobody.
    let before = injector.seen();
    run_to_the_end(&injector.base_url(), folder.path()).await;
    assert_eq!(injector.seen(), before);
}

fn victim(base_url: &str, folder: &Path) -> Child {
    Command::new(env::current_exe().unwrap())
        .args(["killed::killed_twenty_times_at_random_every_item_ends_once", "--exact"])
        .env(VICTIM, format!("{base_url} {}", folder.display()))
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

async fn run_to_the_end(base_url: &str, folder: &Path) {
    let stop = Stop::default();
    let sender = Sender::new(Some(store(folder).await), Arc::<Budget>::default(), stop.clone());
    let run = label_all(&sender, &judge(base_url, settings(8)), ITEMS, &stop).await;
    assert!(run.halt.is_none(), "{:?}", run.halt);
    assert_eq!((run.scored.len(), run.unscored.len()), (270, 30));
    assert!(run.unscored.keys().all(|item| item.is_multiple_of(10)));
    for (item, label) in run.scored {
        assert_eq!((label.item, label.label), (item, format!("dry {item}")));
    }
}
