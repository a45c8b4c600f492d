//! Judges that vary and judges that obey: models asked several times and under attack, against a
//! server that says what the test wants.

#![expect(clippy::unwrap_used, reason = "a test may end here")]

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use assize_engine::Workspace;
use assize_engine::asking::{AskOptions, AskSession, Config, JudgeName, Stop};
use assize_engine::compliance::ComplianceRequest;
use assize_engine::compliance::evaluate::{Evaluation, NamedFile};
use assize_engine::compliance::intake::Reading;
use assize_engine::judges::{Attack, Position, Target, attack};
use assize_engine::runs::package::pack::PackRequest;
use assize_engine::runs::package::verify::verify;
use assize_engine::store::{Order, Run};
use assize_engine::summary::Framework;
use assize_engine::workplace::samples::attack_target;
use assize_engine::workplace::wizard::{CriteriaSource, Intended};
use assize_injector::{Injector, Script};
use assize_models::Variables;
use assize_wire::package::PackageResult;

const REPEATS: u32 = 5;
const CRITERIA: usize = 20;

/// A session whose models live on this server.
async fn session(workspace: &Workspace, server: &Injector, stop: Stop) -> AskSession {
    session_of(workspace, server, (stop, 2)).await
}

/// The same, asking so many questions at once.
async fn session_of(
    workspace: &Workspace,
    server: &Injector,
    (stop, concurrency): (Stop, usize),
) -> AskSession {
    let named = [("local".to_owned(), server.base_url())];
    let config = Config::load(None, &named, Variables::default()).unwrap();
    let options = AskOptions { concurrency, ..AskOptions::default() };
    let store = Some(Arc::clone(&workspace.store));
    AskSession::over(store, &options, config, stop, |_| {}).await.unwrap()
}

fn file(name: &str, text: &str) -> NamedFile {
    NamedFile { name: name.to_owned(), bytes: text.as_bytes().to_vec() }
}

async fn planned(workspace: &Workspace, criteria: usize, repeat: u32) -> Run {
    let rows = (0..criteria).map(|number| format!("C-{number},Door {number} is locked.,\n"));
    let criteria = format!("id,requirement,description\n{}", rows.collect::<String>());
    let evaluation = Evaluation {
        criteria: "doors".to_owned(),
        criteria_file: Some(file("doors.csv", &criteria)),
        documents: "house".to_owned(),
        document_files: vec![file("house.txt", "Every door is locked at night.\n")],
        request: ComplianceRequest {
            judge: Some("local/noisy".parse().unwrap()),
            repeat,
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
    let run = planned(&workspace, CRITERIA, REPEATS).await;
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
    assert_eq!(report.result, PackageResult::Sound, "{:#?}", report.findings);
    assert_eq!((report.judged_again, report.numbers.recomputed), (CRITERIA, CRITERIA));
    assert_eq!(server.seen(), u64::from(REPEATS) * CRITERIA as u64, "nobody was asked again");
}

/// Of two items asked four times one is scored twice and called not applicable twice: undecided,
/// and just there the judge flips, with 4 of 6 pairs. The other is never answered in words that
/// can be read, which says nothing of steadiness.
#[tokio::test(flavor = "multi_thread")]
async fn an_undecided_item_counts_among_the_flips_and_shows_its_repeats() {
    let asked = AtomicU32::new(0);
    let script = Script::answering(move |request| {
        let question = request.body["messages"][1]["content"].as_str().unwrap();
        if question.contains("Door 1 is") {
            return "I would rather not say.".to_owned();
        }
        let is_even = asked.fetch_add(1, Ordering::Relaxed).is_multiple_of(2);
        let score = if is_even { "90" } else { "\"N/A\"" };
        format!("{{\"score\": {score}, \"confidence\": 80}}")
    });
    let server = Injector::start(script).await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let workspace = Workspace::open(&folder.path().join("a.db")).await.unwrap();
    let run = planned(&workspace, 2, 4).await;
    let session = session_of(&workspace, &server, (Stop::default(), 1)).await;
    workspace.work(&run.id, &session, None, |_| {}).await.unwrap();
    let run = workspace.find_run(run.id.as_str()).await.unwrap();

    let undecided = workspace.repeats_of(&run, 1).await.unwrap();
    let said: Vec<&str> = undecided.iter().map(|one| one.outcome.as_str()).collect();
    assert_eq!(said, ["scored", "not_applicable", "scored", "not_applicable"]);
    assert!(undecided.iter().all(|one| !one.counts), "{undecided:?}");
    let failed = workspace.repeats_of(&run, 2).await.unwrap();
    assert!(failed.len() == 4 && failed.iter().all(|one| one.outcome == "failed"), "{failed:?}");
    let order = Order::ByPosition { after: None };
    let view = workspace.run_view(&run, None, &order, 2).await.unwrap();
    let found = view.repeats.unwrap();
    assert_eq!((found.repeats, found.items, found.steady), (4, 1, 0));
    assert!((found.flips - 4.0 / 6.0).abs() < 1e-12, "{found:?}");
    assert_eq!(found.always_met, Some(0.0));
    let items = workspace.run_items(&run, None, &order, 2).await.unwrap();
    let why = |place: usize| items[place].reason.as_deref().unwrap_or_default();
    assert_eq!(why(0), "undecided: of 4 repeats 2 not_applicable, 2 scored");
    assert!(!why(1).is_empty() && !why(1).contains("undecided"), "{}", why(1));

    let packed = workspace.pack(&run, &PackRequest::default()).await.unwrap();
    let report = verify(&packed.bytes).await.unwrap();
    assert_eq!(report.result, PackageResult::Sound, "{:#?}", report.findings);
}

/// What an evaluation would take counts every repeat: 3 criteria by 1 document, five times.
#[tokio::test(flavor = "multi_thread")]
async fn the_estimate_of_an_evaluation_counts_its_repeats() {
    let server = Injector::start(Script::saying("nobody asks")).await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let workspace = Workspace::open(&folder.path().join("a.db")).await.unwrap();
    workspace
        .keep_documents("house", vec![file("house.txt", "Every door is locked.\n")])
        .await
        .unwrap();
    let criteria = "id,requirement\nA,Doors are locked.\nB,Keys are counted.\nC,Lights are on.\n";
    let intended = |repeat| Intended {
        criteria: CriteriaSource::File {
            name: "doors".to_owned(),
            file: file("doors.csv", criteria),
            reading: Reading::default(),
        },
        documents: "house".to_owned(),
        document_ids: Vec::new(),
        request: ComplianceRequest {
            judge: Some("local/noisy".parse().unwrap()),
            repeat,
            ..ComplianceRequest::default()
        },
        budget_nanodollars: None,
    };
    let session = session_of(&workspace, &server, (Stop::default(), 1)).await;
    let once = workspace.preview_run(&intended(1), &session).await.unwrap().estimate.unwrap();
    let often = workspace.preview_run(&intended(5), &session).await.unwrap().estimate.unwrap();
    assert_eq!((once.calls, once.kept, once.pairs), (3, 0, Some(3)));
    assert_eq!((often.calls, often.kept, often.pairs), (15, 0, Some(3)));
    assert_eq!(often.request_tokens, 5 * once.request_tokens);
    assert_eq!(server.seen(), 0);
}

fn plain(judge: &JudgeName) -> Attack<'_> {
    Attack { judge, framework: Framework::TwinLock, position: Position::End }
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
    let found = attack(&session, &plain(&judge), &target).await.unwrap();
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
    for position in [Position::End, Position::Middle] {
        let how = Attack { position, ..plain(&JudgeName::Rules) };
        let found = attack(&session, &how, &target).await.unwrap();
        for row in found.rows.iter().filter(|row| row.family == "all") {
            assert!(row.moved <= row.harmless + 0.02, "{position:?} {row:?}");
        }
    }
}
