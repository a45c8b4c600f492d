//! Criteria, documents, runs and results.

use std::slice::from_ref;

use assize_store::{DocSet, OrganisationId, ResultOutcome, RunState, StoreError};
use serde_json::json;

use crate::bed::on_both;
use crate::samples::{HOLD, new_run, noon, sample};

on_both! {
    async fn what_was_kept_is_found_again_as_it_was(bed) {
        let store = bed.open().await;
        let sample = sample(&store, "ours").await;
        let ours = &sample.organisation;
        store.close().await;

        let store = bed.open().await;
        let set = store.criteria_sets().get(ours, &sample.set.id).await.unwrap();
        assert_eq!(set.as_ref(), Some(&sample.set));
        assert_eq!(store.criteria_sets().find(ours, "Access").await.unwrap(), set);
        assert_eq!(store.criteria_items().list(ours, &sample.set.id).await.unwrap(), sample.items);
        let document = &sample.documents[0];
        let kept = store.documents().get(ours, &document.entry.id).await.unwrap();
        assert_eq!(kept.as_ref(), Some(document));
        let original = store.documents().original(ours, &document.entry.id).await.unwrap();
        assert_eq!(original.as_deref(), Some(b"# Hi\xff\0".as_slice()));
        let entries: Vec<_> = sample.documents.iter().map(|d| d.entry.clone()).collect();
        let listed = store.documents().list(ours, &document.entry.doc_set_id).await.unwrap();
        assert_eq!(listed, entries);
        let run = store.runs().get(ours, &sample.run.id).await.unwrap().unwrap();
        assert_eq!(run, sample.run);
        assert_eq!(run.sets(), Some((&sample.set.id, &document.entry.doc_set_id)));
    }

    async fn a_result_comes_back_with_its_ledger_and_quotes(bed) {
        let store = bed.open().await;
        let sample = sample(&store, "ours").await;
        let ours = &sample.organisation;
        let new = sample.result(0, 1, 72.25);
        let committed = sample.commit(&store, from_ref(&new)).await;
        assert_eq!(committed.unwrap(), 1);
        let run = &sample.run.id;
        let kept = store.results().at(ours, run, 1).await.unwrap().unwrap();
        let assessment = *new.verdict.assessment.clone().unwrap();
        assert_eq!((kept.ai_score_value, kept.score), (Some(72.25), Some(72.25)));
        assert_eq!((kept.ai_result.as_ref(), kept.ai_citations.as_ref()), (assessment.sections.as_ref(), assessment.citations.as_ref()));
        assert_eq!((kept.ai_confidence, kept.judge.as_deref()), (Some(85), Some("rules")));
        let pair = (sample.document(0), sample.item(1));
        assert_eq!(store.results().of_pair(ours, run, pair).await.unwrap(), Some(kept));
        let evidence = store.results().evidence(ours, run, 1).await.unwrap().unwrap();
        assert_eq!((evidence.ledger.as_ref(), evidence.raw_answer), (new.verdict.ledger.as_ref(), assessment.raw_answer));
        assert_eq!(evidence.exchange_keys, new.verdict.exchange_keys);
        let ledgers = store.results().ledgers_of_document(ours, run, sample.document(0)).await.unwrap();
        assert_eq!(ledgers, [(1, new.verdict.ledger.unwrap())]);
    }

    async fn the_first_result_of_a_pair_stays(bed) {
        let store = bed.open().await;
        let sample = sample(&store, "ours").await;
        let (ours, run) = (&sample.organisation, &sample.run.id);
        let (first, second) = (sample.result(0, 0, 10.0), sample.result(0, 0, 90.0));
        let both = [first.clone(), second.clone()];
        assert_eq!(sample.commit(&store, &both).await.unwrap(), 1);
        // The item is done: nobody gets a lease for it again.
        assert_eq!(sample.commit(&store, &[second]).await.unwrap(), 0);
        assert_eq!(sample.commit(&store, &[sample.result(0, 1, 20.0)]).await.unwrap(), 1);
        let scores = store.results().list(ours, run).await.unwrap();
        let scores: Vec<_> = scores.iter().map(|result| result.ai_score_value).collect();
        assert_eq!(scores, [Some(10.0), Some(20.0)]);
    }

    async fn what_is_open_is_what_was_planned_and_not_committed(bed) {
        let store = bed.open().await;
        let sample = sample(&store, "ours").await;
        let (ours, run) = (&sample.organisation, &sample.run.id);
        assert_eq!(store.leases().open(run).await.unwrap().claimable, 6);
        let done = [sample.result(0, 0, 1.0), sample.result(0, 2, 2.0), sample.result(1, 1, 3.0)];
        sample.commit(&store, &done).await.unwrap();
        let left = store.leases().claim(run, "test", 9, HOLD).await.unwrap();
        assert_eq!(left.iter().map(|one| one.position).collect::<Vec<_>>(), [1, 3, 5]);
        let now = store.runs().get(ours, run).await.unwrap().unwrap();
        assert_eq!((now.items, now.items_done, now.items_unscored), (6, 3, 0));
    }

    async fn a_run_keeps_the_words_its_criteria_had(bed) {
        let store = bed.open().await;
        let sample = sample(&store, "ours").await;
        let ours = &sample.organisation;
        let mut changed = sample.items[0].clone();
        changed.requirement = "Something else.".into();
        store.criteria_items().put_all(ours, &sample.set.id, &[changed.clone()]).await.unwrap();
        let now = store.criteria_items().get(ours, &changed.id).await.unwrap().unwrap();
        assert_eq!(now.requirement, "Something else.");
        let frozen = store.plans().criteria(ours, &sample.run.id).await.unwrap();
        assert_eq!(frozen[0].requirement, "Accounts are reviewed.");
        let documents = store.plans().documents(ours, &sample.run.id).await.unwrap();
        assert_eq!(documents, [sample.document(0).clone(), sample.document(1).clone()]);
    }

    async fn a_run_goes_from_state_to_state_and_stays_done(bed) {
        let store = bed.open().await;
        let sample = sample(&store, "ours").await;
        let (ours, run) = (&sample.organisation, &sample.run.id);
        let go = async |state| store.runs().set_state(ours, run, state, None).await;
        assert!(matches!(go(RunState::Done).await, Err(StoreError::Refused(_))));
        go(RunState::Running).await.unwrap();
        let because = Some("no answer");
        store.runs().set_state(ours, run, RunState::Failed, because).await.unwrap();
        let failed = store.runs().get(ours, run).await.unwrap().unwrap();
        assert_eq!(failed.failure.as_deref(), because);
        assert!(failed.started_at.unwrap() <= failed.ended_at.unwrap(), "{failed:?}");
        go(RunState::Running).await.unwrap();
        go(RunState::Running).await.unwrap();
        go(RunState::Done).await.unwrap();
        let refused = go(RunState::Running).await.unwrap_err().to_string();
        assert!(refused.contains("is done and cannot become running"), "{refused}");
        let done = store.runs().get(ours, run).await.unwrap().unwrap();
        assert_eq!((done.state, done.failure), (RunState::Done, None));
    }

    async fn a_number_without_a_score_and_a_score_without_a_number_are_refused(bed) {
        let store = bed.open().await;
        let sample = sample(&store, "ours").await;
        let (ours, run) = (&sample.organisation, &sample.run.id);
        let mut result = sample.result(0, 0, 50.0);
        result.verdict.outcome = ResultOutcome::NotApplicable;
        let refused = sample.commit(&store, &[result.clone()]).await;
        assert!(matches!(refused, Err(StoreError::Refused(_))), "{refused:?}");
        result.verdict.scores = vec![("score".into(), None)];
        result.verdict.reason = Some("no remote access here".into());
        assert_eq!(sample.commit(&store, &[result]).await.unwrap(), 1);
        for score in [-0.5, 100.5, f64::NAN] {
            let result = sample.result(0, 1, score);
            let refused = sample.commit(&store, from_ref(&result)).await;
            assert!(matches!(refused, Err(StoreError::Refused(_))), "{score}: {refused:?}");
        }
        assert_eq!(store.runs().get(ours, run).await.unwrap().unwrap().items_done, 1);
    }

    async fn nothing_of_another_organisation_ever_answers(bed) {
        let store = bed.open().await;
        let sample = sample(&store, "ours").await;
        let theirs = OrganisationId::default_organisation();
        let new = sample.result(0, 0, 50.0);
        let run = &sample.run.id;
        sample.commit(&store, from_ref(&new)).await.unwrap();
        let (set, document) = (&sample.set.id, sample.document(0));
        assert_eq!(store.criteria_sets().get(&theirs, set).await.unwrap(), None);
        assert_eq!(store.criteria_sets().find(&theirs, "Access").await.unwrap(), None);
        assert_eq!(store.criteria_sets().list(&theirs).await.unwrap(), []);
        assert_eq!(store.criteria_items().list(&theirs, set).await.unwrap(), []);
        assert_eq!(store.criteria_items().get(&theirs, sample.item(0)).await.unwrap(), None);
        assert_eq!(store.documents().get(&theirs, document).await.unwrap(), None);
        assert_eq!(store.documents().original(&theirs, document).await.unwrap(), None);
        assert_eq!(store.runs().get(&theirs, run).await.unwrap(), None);
        assert_eq!(store.plans().criteria(&theirs, run).await.unwrap(), []);
        assert_eq!(store.plans().documents(&theirs, run).await.unwrap(), []);
        assert_eq!(store.results().list(&theirs, run).await.unwrap(), []);
        assert_eq!(store.results().at(&theirs, run, 0).await.unwrap(), None);
        assert_eq!(store.results().evidence(&theirs, run, 0).await.unwrap(), None);
        assert_eq!(store.results().ledgers_of_document(&theirs, run, document).await.unwrap(), []);
        let missing = |done: Result<(), StoreError>| {
            assert!(matches!(done, Err(StoreError::Missing { .. })), "{done:?}");
        };
        let mut stolen = sample.set.clone();
        stolen.organisation_id = theirs.clone();
        missing(store.criteria_sets().update(&stolen).await);
        missing(store.criteria_sets().delete(&theirs, set).await);
        missing(store.criteria_items().insert_all(&theirs, set, &sample.items).await);
        missing(store.criteria_items().delete(&theirs, sample.item(0)).await);
        missing(store.documents().delete(&theirs, document).await);
        missing(store.runs().delete(&theirs, run).await);
        missing(store.runs().set_state(&theirs, run, RunState::Running, None).await);
        let files = DocSet { id: sample.documents[0].entry.doc_set_id.clone(), ..DocSet::new(&theirs, "x", noon()) };
        let run = new_run(&theirs, &sample.set, &files);
        missing(store.plans().plan(&run, from_ref(document), &[]).await.map(|_| ()));
        missing(store.plans().plan(&run, &[], from_ref(sample.item(0))).await.map(|_| ()));
    }

    async fn what_a_run_used_cannot_be_removed_and_a_run_goes_with_its_results(bed) {
        let store = bed.open().await;
        let sample = sample(&store, "ours").await;
        let (ours, run) = (&sample.organisation, &sample.run.id);
        sample.commit(&store, &sample.all_results()).await.unwrap();
        let kept = store.criteria_sets().delete(ours, &sample.set.id).await;
        assert!(matches!(kept, Err(StoreError::Attached(_))), "{kept:?}");
        let kept = store.documents().delete(ours, sample.document(0)).await;
        assert!(matches!(kept, Err(StoreError::Attached(_))), "{kept:?}");
        let again = store.criteria_sets().insert(&sample.set).await;
        assert!(matches!(again, Err(StoreError::Exists(_))), "{again:?}");
        store.runs().delete(ours, run).await.unwrap();
        assert_eq!(store.results().list(ours, run).await.unwrap(), []);
        store.criteria_sets().delete(ours, &sample.set.id).await.unwrap();
        store.documents().delete(ours, sample.document(0)).await.unwrap();
    }

    async fn text_that_postgres_cannot_hold_becomes_a_space_on_both(bed) {
        let store = bed.open().await;
        let sample = sample(&store, "ours").await;
        let ours = &sample.organisation;
        let mut new = sample.result(0, 0, 50.0);
        new.assessment().sections = Some(json!({"explanation": "a\0b", "n": 1e16, "z": [1.0, "\u{1F600}"]}));
        new.assessment().raw_answer = Some("\0".into());
        sample.commit(&store, &[new]).await.unwrap();
        let kept = store.results().at(ours, &sample.run.id, 0).await.unwrap().unwrap();
        assert_eq!(kept.ai_result.as_ref().unwrap()["explanation"], "a b");
        assert_eq!(kept.ai_result.unwrap()["z"], json!([1.0, "\u{1F600}"]));
        let evidence = store.results().evidence(ours, &sample.run.id, 0).await.unwrap().unwrap();
        assert_eq!(evidence.raw_answer.as_deref(), Some(" "));
    }
}
