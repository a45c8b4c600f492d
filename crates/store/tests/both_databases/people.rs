//! What people add: decisions, prompts, truth keys, searches, and the audit of it all.

use std::slice::from_ref;

use assize_store::{
    AuditEntry, Change, Consequences, Decision, DecisionKind, NewVerdict, OptCandidate,
    OptCandidateId, OptRun, OptRunId, OrganisationId, ResultOutcome, RunState, Store, StoreError,
    TruthKey,
};
use chrono::TimeDelta;
use serde_json::json;

use crate::bed::on_both;
use crate::samples::{Sample, noon, sample};

fn entry(position: i64, change: Change) -> Decision {
    Decision {
        position,
        sequence: 0,
        kind: DecisionKind::Score,
        target: "score".into(),
        change,
        is_current: true,
        author: "ada".into(),
        reason: "page 7 says otherwise".into(),
        created_at: noon(),
    }
}

async fn decide(store: &Store, sample: &Sample, decision: &Decision) -> Result<(), StoreError> {
    store.decisions().add(&sample.run.id, decision, Consequences::default()).await
}

fn truth(sample: &Sample, document: usize, item: usize, score: f64) -> TruthKey {
    TruthKey {
        id: TruthKey::id_of(sample.document(document), sample.item(item), Some("ada")),
        organisation_id: sample.organisation.clone(),
        document_id: sample.document(document).clone(),
        criteria_item_id: sample.item(item).clone(),
        expected_score: score,
        score_range: 4,
        response_sections: Some(json!({"justification": "Most of it is there."})),
        analyst: Some("ada".into()),
        note: None,
        created_at: noon(),
        updated_at: noon(),
        is_adjudicated: false,
    }
}

on_both! {
    async fn a_decision_stands_beside_the_judges_value_and_its_history_is_kept(bed) {
        let store = bed.open().await;
        let sample = sample(&store, "ours").await;
        let (ours, run) = (&sample.organisation, &sample.run.id);
        sample.commit(&store, &[sample.result(0, 0, 73.0), sample.result(0, 1, 5.0)]).await.unwrap();
        let counts = async || {
            let result = store.results().at(ours, run, 0).await.unwrap().unwrap();
            assert_eq!((result.ai_score_value, result.judged_outcome), (Some(73.0), ResultOutcome::Scored));
            (result.outcome, result.score, result.is_decided)
        };
        let unscored = async || store.runs().get(ours, run).await.unwrap().unwrap().items_unscored;
        assert_eq!(counts().await, (ResultOutcome::Scored, Some(73.0), false));
        let first = Change { score: Some(40.0), ..Change::default() };
        decide(&store, &sample, &entry(0, first.clone())).await.unwrap();
        assert_eq!(counts().await, (ResultOutcome::Scored, Some(40.0), true));
        let means = store.verdicts().means(run, 1).await.unwrap();
        // (40 + 5) / 2
        assert_eq!(means["score"], (2, Some(22.5)));
        let outcome = Some(ResultOutcome::NotApplicable);
        let second = Change { outcome, value: Some(json!({"justification": "No."})), ..Change::default() };
        decide(&store, &sample, &entry(0, second.clone())).await.unwrap();
        assert_eq!(counts().await, (ResultOutcome::NotApplicable, None, true));
        assert_eq!((store.verdicts().means(run, 1).await.unwrap()["score"], unscored().await), ((1, Some(5.0)), 1));
        let withdrawn = Change { is_withdrawal: true, ..Change::default() };
        decide(&store, &sample, &entry(0, withdrawn.clone())).await.unwrap();
        assert_eq!((counts().await, unscored().await), ((ResultOutcome::Scored, Some(73.0), false), 0));
        let history = store.decisions().about(run, 0).await.unwrap();
        let said: Vec<_> = history.iter().map(|one| (one.sequence, one.change.clone(), one.is_current)).collect();
        assert_eq!(said, [(1, first, false), (2, second, false), (3, withdrawn, false)]);
        assert_eq!(store.check().await.unwrap().findings, [""; 0]);
    }

    async fn a_decision_about_an_item_without_a_score_gives_it_one_in_every_version(bed) {
        let store = bed.open().await;
        let sample = sample(&store, "ours").await;
        let (ours, run) = (&sample.organisation, &sample.run.id);
        let mut failed = sample.result(0, 0, 0.0);
        failed.verdict = NewVerdict::failed("no reply");
        sample.commit(&store, &[failed, sample.result(0, 1, 60.0)]).await.unwrap();
        decide(&store, &sample, &entry(0, Change { score: Some(30.0), ..Change::default() })).await.unwrap();
        let version = assize_store::RunVersion {
            version: 0,
            configuration: None,
            method_version: None,
            reason: "other tiers".into(),
            who: "ada".into(),
            created_at: noon(),
        };
        let mut writing = store.verdicts().begin_version(run, &version).await.unwrap();
        writing.carry(1).await.unwrap();
        writing.finish().await.unwrap();
        for version in [1, 2] {
            // (30 + 60) / 2
            assert_eq!(store.verdicts().means(run, version).await.unwrap()["score"], (2, Some(45.0)));
        }
        let now = store.results().at(ours, run, 0).await.unwrap().unwrap();
        assert_eq!((now.judged_outcome, now.outcome), (ResultOutcome::Failed, ResultOutcome::Scored));
        assert_eq!(store.runs().get(ours, run).await.unwrap().unwrap().items_unscored, 0);
    }

    async fn who_has_not_seen_the_last_decision_does_not_decide_over_it(bed) {
        let store = bed.open().await;
        let sample = sample(&store, "ours").await;
        sample.commit(&store, &[sample.result(0, 0, 73.0)]).await.unwrap();
        let add = async |score: f64, seen| {
            let decision = entry(0, Change { score: Some(score), ..Change::default() });
            let with = Consequences { seen: Some(seen), ..Consequences::default() };
            store.decisions().add(&sample.run.id, &decision, with).await
        };
        add(40.0, 0).await.unwrap();
        assert!(matches!(add(50.0, 0).await, Err(StoreError::Refused(_))));
        add(50.0, 1).await.unwrap();
    }

    async fn a_decision_without_a_reason_or_a_meaning_is_refused(bed) {
        let store = bed.open().await;
        let sample = sample(&store, "ours").await;
        sample.commit(&store, &[sample.result(0, 0, 73.0)]).await.unwrap();
        let scored = |score| Change { score: Some(score), ..Change::default() };
        let mut unfounded = entry(0, scored(40.0));
        unfounded.reason = "  ".into();
        let outcome = Some(ResultOutcome::NotApplicable);
        let bad = [
            unfounded,
            entry(0, scored(f64::NAN)),
            entry(0, Change::default()),
            entry(0, Change { outcome, ..scored(40.0) }),
            entry(0, Change { is_withdrawal: true, ..scored(40.0) }),
        ];
        for entry in bad {
            let refused = decide(&store, &sample, &entry).await;
            assert!(matches!(refused, Err(StoreError::Refused(_))), "{refused:?}");
        }
        let nowhere = decide(&store, &sample, &entry(99, scored(1.0))).await;
        assert!(matches!(nowhere, Err(StoreError::Missing { .. })), "{nowhere:?}");
        assert_eq!(store.decisions().list(&sample.run.id).await.unwrap(), []);
    }

    async fn a_prompt_that_was_used_stays_and_a_change_is_a_new_version(bed) {
        let store = bed.open().await;
        let ours = &OrganisationId::default_organisation();
        let prompts = store.prompt_templates();
        let first = prompts.add(ours, "assess", "Judge {context}", noon()).await.unwrap();
        assert_eq!(first.version, 1);
        let same = prompts.add(ours, "assess", "Judge {context}", noon()).await.unwrap();
        assert_eq!(same, first);
        prompts.edit(ours, &first.id, "Judge well {context}").await.unwrap();
        prompts.mark_used(ours, &first.id, noon()).await.unwrap();
        prompts.mark_used(ours, &first.id, noon() + TimeDelta::hours(1)).await.unwrap();
        let refused = prompts.edit(ours, &first.id, "Anything").await;
        assert!(matches!(refused, Err(StoreError::Frozen { .. })), "{refused:?}");
        let kept = prompts.get(ours, &first.id).await.unwrap().unwrap();
        assert_eq!((kept.body.as_str(), kept.used_at), ("Judge well {context}", Some(noon())));
        let second = prompts.add(ours, "assess", "Anything", noon()).await.unwrap();
        assert_eq!(second.version, 2);
        assert_eq!(prompts.latest(ours, "assess").await.unwrap(), Some(second.clone()));
        assert_eq!(prompts.list(ours).await.unwrap(), [kept, second]);
    }

    async fn an_analyst_has_one_key_of_a_pair_and_one_key_settles_it(bed) {
        let store = bed.open().await;
        let sample = sample(&store, "ours").await;
        let (ours, keys) = (&sample.organisation, store.truth_keys());
        let (one, two) = (truth(&sample, 0, 0, 73.0), truth(&sample, 1, 2, 12.5));
        keys.put(ours, &[two.clone(), one.clone()]).await.unwrap();
        let (documents, criteria) = (&sample.documents[0].entry.doc_set_id, &sample.set.id);
        assert_eq!(keys.list(ours, documents, criteria).await.unwrap(), [one.clone(), two]);
        let mut better = one.clone();
        better.expected_score = 68.0;
        better.updated_at = noon() + TimeDelta::hours(1);
        keys.put(ours, &[better.clone()]).await.unwrap();
        let of_pair = async || keys.of_pair(ours, sample.document(0), sample.item(0)).await.unwrap();
        assert_eq!(of_pair().await, [better.clone()]);
        let mut others = truth(&sample, 0, 0, 20.0);
        (others.id, others.analyst) = (TruthKey::id_of(sample.document(0), sample.item(0), None), None);
        keys.put(ours, from_ref(&others)).await.unwrap();
        assert_eq!(of_pair().await, [others.clone(), better.clone()]);
        // Ada settles it, and her own key stays what it was; a second time takes the first's place.
        let mut settled = truth(&sample, 0, 0, 50.0);
        settled.id = TruthKey::adjudicated_id_of(sample.document(0), sample.item(0));
        settled.is_adjudicated = true;
        keys.put(ours, from_ref(&settled)).await.unwrap();
        (settled.analyst, settled.expected_score) = (Some("grace".into()), 55.0);
        keys.put(ours, from_ref(&settled)).await.unwrap();
        assert_eq!(of_pair().await, [settled, others, better]);
        let theirs = OrganisationId::default_organisation();
        assert_eq!(keys.list(&theirs, documents, criteria).await.unwrap(), []);
        let refused = keys.put(&theirs, from_ref(&one)).await;
        assert!(matches!(refused, Err(StoreError::Missing { .. })), "{refused:?}");
        keys.delete(ours, &one.id).await.unwrap();
        assert_eq!(keys.list(ours, documents, criteria).await.unwrap().len(), 3);
    }

    async fn a_search_keeps_its_candidates_and_what_became_of_them(bed) {
        let store = bed.open().await;
        let sample = sample(&store, "ours").await;
        let (ours, searches) = (&sample.organisation, store.optimisations());
        let mut search = OptRun {
            id: OptRunId::at(noon(), &["first"]),
            organisation_id: ours.clone(),
            criteria_set_id: sample.set.id.clone(),
            doc_set_id: sample.documents[0].entry.doc_set_id.clone(),
            state: RunState::Planned,
            configuration: Some(json!({"seed": 7})),
            verdict: None,
            failure: None,
            created_at: noon(),
            started_at: None,
            ended_at: None,
        };
        searches.put(&search).await.unwrap();
        let candidate = |position: i64| OptCandidate {
            id: OptCandidateId::of(&[search.id.as_str(), &position.to_string()]),
            opt_run_id: search.id.clone(),
            position,
            parent_id: None,
            prompt_template_id: None,
            scoring_rubric: None,
            judge: "rules".into(),
            tune_run_id: None,
            holdout_run_id: None,
            tune: None,
            holdout: None,
            is_promoted: false,
        };
        let mut candidates = vec![candidate(0), candidate(1)];
        candidates[1].parent_id = Some(candidates[0].id.clone());
        searches.put_candidates(ours, &search.id, &candidates).await.unwrap();
        candidates[1].holdout = Some(json!({"overall": 0.9}));
        candidates[1].tune_run_id = Some(sample.run.id.clone());
        candidates[1].is_promoted = true;
        searches.put_candidates(ours, &search.id, &candidates[1..]).await.unwrap();
        search.state = RunState::Done;
        search.verdict = Some(json!({"winner": 1}));
        search.ended_at = Some(noon());
        searches.put(&search).await.unwrap();
        assert_eq!(searches.get(ours, &search.id).await.unwrap(), Some(search.clone()));
        assert_eq!(searches.list(ours).await.unwrap(), [search.clone()]);
        assert_eq!(searches.candidates(ours, &search.id).await.unwrap(), candidates);
        let theirs = OrganisationId::default_organisation();
        assert_eq!(searches.get(&theirs, &search.id).await.unwrap(), None);
        assert_eq!(searches.candidates(&theirs, &search.id).await.unwrap(), []);
        let refused = searches.put_candidates(&theirs, &search.id, &candidates).await;
        assert!(matches!(refused, Err(StoreError::Missing { .. })), "{refused:?}");
        search.organisation_id = theirs;
        let refused = searches.put(&search).await;
        assert!(matches!(refused, Err(StoreError::Missing { .. })), "{refused:?}");
    }

    async fn the_audit_says_who_changed_what_and_from_what_to_what(bed) {
        let store = bed.open().await;
        let ours = OrganisationId::default_organisation();
        let change = |hour| {
            let at = noon() + TimeDelta::hours(hour);
            AuditEntry::new(&ours, at, "ada", ["update", "criteria set", "criteria-1"])
                .with(Some(json!({"name": "A"})), Some(json!({"name": "B"})))
        };
        for entry in [change(0), change(1), change(1)] {
            store.audit().record(&entry).await.unwrap();
        }
        // Its place and hash are given when it is recorded.
        let recorded = async |limit| {
            let entries = store.audit().list(&ours, limit).await.unwrap().into_iter();
            let plain = |entry| AuditEntry { sequence: None, hash: None, ..entry };
            entries.map(plain).collect::<Vec<_>>()
        };
        assert_eq!(recorded(10).await, [change(1), change(0)]);
        assert_eq!(recorded(1).await, [change(1)]);
        assert_eq!(store.audit().list(&OrganisationId::from("x"), 10).await.unwrap(), []);
    }
}
