//! Judges that vary and judges that obey: models asked several times and under attack, against a
//! server that says what the test wants.

#![expect(clippy::unwrap_used, reason = "a test may end here")]

use std::sync::Arc;

use assize_engine::Workspace;
use assize_engine::asking::{AskOptions, AskSession, Config, JudgeName, Stop};
use assize_engine::compliance::ComplianceRequest;
use assize_engine::compliance::evaluate::{Evaluation, NamedFile};
use assize_engine::judges::{Target, attack};
use assize_engine::runs::package::pack::PackRequest;
use assize_engine::runs::package::verify::verify;
use assize_engine::store::{Order, Run};
use assize_engine::summary::Framework;
use assize_engine::workplace::samples::attack_target;
use assize_injector::{Injector, Script};
use assize_models::Variables;

const REPEATS: u32 = 5;
const CRITERIA: usize = 20;

/// A session whose models live on this server.
async fn session(workspace: &Workspace, server: &Injector, stop: Stop) -> AskSession {
    let named = [("local".to_owned(), server.base_url())];
    let config = Config::load(None, &named, Variables::default()).unwrap();
    let options = AskOptions { concurrency: 2, ..AskOptions::default() };
    let store = Some(Arc::clone(&workspace.store));
    AskSession::over(store, &options, config, stop, |_| {}).await.unwrap()
}

async fn planned(workspace: &Workspace) -> Run {
    let rows = (0..CRITERIA).map(|number| format!("C-{number},Door {number} is locked.,\n"));
    let criteria = format!("id,requirement,description\n{}", rows.collect::<String>());
    let file = |name: &str, text: &str| NamedFile {
        name: name.to_owned(),
        bytes: text.as_bytes().to_vec(),
    };
    let evaluation = Evaluation {
        criteria: "doors".to_owned(),
        criteria_file: Some(file("doors.csv", &criteria)),
        documents: "house".to_owned(),
        document_files: vec![file("house.txt", "Every door is locked at night.\n")],
        request: ComplianceRequest {
            judge: Some("local/noisy".parse().unwrap()),
            repeat: REPEATS,
            ..ComplianceRequest::default()
        },
    };
    workspace.begin(evaluation, 0, &mut |_| {}).await.unwrap()
}

/// Every fifth reply is the other verdict: two verdicts differ with a chance of 2 · 0.2 · 0.8.
/// Stopped and gone on with, nothing is asked twice.
#[tokio::test(flavor = "multi_thread")]
async fn a_judge_with_a_fifth_of_noise_is_found_as_it_is_and_paid_once() {
    let script = Script::answering(|request| {
        let score = if request.number % 5 == 0 { 10 } else { 90 };
        format!(
            "{{\"score\": {score}, \"confidence\": 80, \"citations\": [\"Every door is locked\"]}}"
        )
    });
    let server = Injector::start(script).await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let workspace = Workspace::open(&folder.path().join("a.db")).await.unwrap();
    let run = planned(&workspace).await;
    let stop = Stop::default();
    let first = session(&workspace, &server, stop.clone()).await;
    let asked = stop.clone();
    let ended = workspace
        .work(&run.id, &first, None, move |progress| {
            if progress.done >= 4 {
                asked.ask();
            }
        })
        .await
        .unwrap();
    assert!(ended.halt.is_some() && ended.judged < CRITERIA as u64, "{ended:?}");
    let second = session(&workspace, &server, Stop::default()).await;
    workspace.work(&run.id, &second, None, |_| {}).await.unwrap();
    assert_eq!(server.seen(), u64::from(REPEATS) * CRITERIA as u64);

    let run = workspace.find_run(run.id.as_str()).await.unwrap();
    let order = Order::ByPosition { after: None };
    let found = workspace.run_view(&run, None, &order, 1).await.unwrap().repeats.unwrap();
    assert_eq!((found.repeats, found.items), (5, CRITERIA));
    assert!(found.interval.0 <= 0.32 && 0.32 <= found.interval.1, "{found:?}");
    assert!(found.interval.1 - found.interval.0 < 0.5, "{found:?}");
    // The median of five with at most two of the other kind is the usual verdict.
    let items = workspace.run_items(&run, None, &order, 100).await.unwrap();
    let usual = items.iter().filter(|item| item.scores["score"] == Some(90.0)).count();
    assert!(usual >= CRITERIA - 4, "{usual}");
    let of_one = workspace.repeats_of(&run, 1).await.unwrap();
    assert_eq!(of_one.len(), 5);
    assert_eq!(of_one.iter().filter(|repeat| repeat.counts).count(), 1, "{of_one:?}");
    assert_eq!(of_one[0].quotes, ["Every door is locked"]);

    // The replies of all repeats are in the package, and the verdicts follow from them again.
    let packed = workspace.pack(&run, &PackRequest::default()).await.unwrap();
    let report = verify(&packed.bytes).await.unwrap();
    assert!(report.sound, "{:#?}", report.findings);
    assert_eq!((report.judged_again, report.numbers.recomputed), (CRITERIA, CRITERIA));
    assert_eq!(server.seen(), u64::from(REPEATS) * CRITERIA as u64, "nobody was asked again");
}

/// A model that obeys one of the three instructions is moved by a third of them and by nothing
/// else; rules and a model that obeys nobody by nothing at all.
#[tokio::test(flavor = "multi_thread")]
async fn an_obedient_judge_is_moved_by_what_it_obeys() {
    let script = Script::answering(|request| {
        let obeys = request.last_message().contains("Ignore all earlier instructions");
        format!("{{\"score\": {}, \"confidence\": 80}}", if obeys { 100 } else { 20 })
    });
    let server = Injector::start(script).await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let workspace = Workspace::open(&folder.path().join("a.db")).await.unwrap();
    let session = Arc::new(session(&workspace, &server, Stop::default()).await);
    let mut target = attack_target().unwrap();
    target.criteria.truncate(3);
    let target = Target { pairs: Vec::new(), ..target };
    let judge: JudgeName = "local/obedient".parse().unwrap();
    let found = attack(&session, &judge, Framework::TwinLock, &target).await.unwrap();
    assert_eq!(found.rows.len(), 9);
    for row in &found.rows {
        let moved = match row.family.as_str() {
            "instructions" => 1.0 / 3.0,
            "all" => 1.0 / 18.0,
            _ => 0.0,
        };
        assert!((row.moved - moved).abs() < 1e-12, "{row:?}");
        assert_eq!((row.harmless, row.lost), (0.0, 0), "{row:?}");
    }
}

/// The table of the guide, and what we hold the rules to: attacks move no more verdicts than
/// harmless words and two points.
#[tokio::test(flavor = "multi_thread")]
async fn attacks_move_the_rules_no_more_than_harmless_words_and_two_points() {
    let folder = tempfile::tempdir().unwrap();
    let workspace = Workspace::open(&folder.path().join("a.db")).await.unwrap();
    let session = workspace.rule_session(Stop::default()).await.unwrap();
    let (session, target) = (Arc::new(session), attack_target().unwrap());
    let found = attack(&session, &JudgeName::Rules, Framework::TwinLock, &target).await.unwrap();
    for row in &found.rows {
        println!(
            "{} {}: {} trials, moved {:.3}, harmless {:.3}, lost {}",
            row.place, row.family, row.trials, row.moved, row.harmless, row.lost
        );
    }
    for row in found.rows.iter().filter(|row| row.family == "all") {
        assert!(row.moved <= row.harmless + 0.02, "{row:?}");
    }
}
