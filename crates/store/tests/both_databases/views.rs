//! What pages ask for: filtered, sorted, counted and paged in SQL.

use assize_store::views::{Cell, ItemQuery, ItemSort, LineFilter, LineQuery, LineSort};
use assize_store::{
    Approval, Change, Consequences, Decision, DecisionKind, Label, Marks, Organisation,
    OrganisationId, ResultOutcome, Run, RunState, Store,
};

use crate::bed::on_both;
use crate::samples::{Sample, noon, sample};

/// The lowest scores of the default tiers.
const EDGES: [f64; 5] = [0.0, 21.0, 41.0, 61.0, 81.0];

/// Two documents by three criteria: 10, 40, 82 and 90, 40, 55; the last one is decided to be 20
/// and the first one not to apply.
async fn judged(store: &Store) -> Sample {
    let sample = sample(store, "ours").await;
    let scores = [[10.0, 40.0, 82.0], [90.0, 40.0, 55.0]];
    let results: Vec<_> = (0..2)
        .flat_map(|document| (0..3).map(move |item| (document, item)))
        .map(|(document, item)| sample.result(document, item, scores[document][item]))
        .collect();
    sample.commit(store, &results).await.unwrap();
    let twenty = Change { score: Some(20.0), ..Change::default() };
    decide(store, &sample, 5, twenty).await;
    let not = Change { outcome: Some(ResultOutcome::NotApplicable), ..Change::default() };
    decide(store, &sample, 0, not).await;
    // What is withdrawn counts no longer.
    let high = Change { score: Some(99.0), ..Change::default() };
    decide(store, &sample, 1, high).await;
    let back = Change { is_withdrawal: true, ..Change::default() };
    decide(store, &sample, 1, back).await;
    sample
}

async fn decide(store: &Store, sample: &Sample, position: i64, change: Change) {
    let decision = Decision {
        position,
        sequence: 0,
        kind: DecisionKind::Score,
        target: "score".into(),
        change,
        is_current: true,
        author: "ada".into(),
        reason: "seen".into(),
        created_at: noon(),
    };
    store.decisions().add(&sample.run.id, &decision, Consequences::default()).await.unwrap();
}

async fn positions(store: &Store, sample: &Sample, query: &LineQuery) -> Vec<i64> {
    let found = store.views().lines(&sample.organisation, &sample.run.id, query, 100).await;
    found.unwrap().iter().map(|row| row.position).collect()
}

on_both! {
    async fn lines_are_filtered_and_sorted_by_the_score_that_counts(bed) {
        let store = bed.open().await;
        let sample = judged(&store).await;
        let show = async |filter: LineFilter| {
            let query = LineQuery { filter, ..LineQuery::default() };
            positions(&store, &sample, &query).await
        };
        assert_eq!(show(LineFilter::All).await, [0, 1, 2, 3, 4, 5]);
        assert_eq!(show(LineFilter::Below(41.0)).await, [1, 4, 5]);
        assert_eq!(show(LineFilter::Between(81.0, 101.0)).await, [2, 3]);
        assert_eq!(show(LineFilter::Decided).await, [0, 5]);
        assert_eq!(show(LineFilter::Undecided).await, [1, 2, 3, 4]);
        assert_eq!(show(LineFilter::Unscored).await, [0]);
        assert_eq!(show(LineFilter::Near(EDGES[1..].to_vec(), 2.0)).await, [1, 2, 4, 5]);
        let sorted = async |sort: LineSort| {
            let query = LineQuery { sort, ..LineQuery::default() };
            positions(&store, &sample, &query).await
        };
        assert_eq!(sorted(LineSort::Worst).await, [5, 1, 4, 2, 3, 0]);
        assert_eq!(sorted(LineSort::Best).await, [3, 2, 1, 4, 5, 0]);
    }

    async fn pages_of_a_sorted_list_join_without_a_gap_or_a_repeat(bed) {
        let store = bed.open().await;
        let sample = judged(&store).await;
        let (ours, run) = (&sample.organisation, &sample.run.id);
        let mut query = LineQuery { sort: LineSort::Worst, ..LineQuery::default() };
        let mut seen = Vec::new();
        while let Some(row) = store.views().lines(ours, run, &query, 1).await.unwrap().pop() {
            query.after = Some((row.sort_key, row.position));
            seen.push(row.position);
        }
        assert_eq!(seen, [5, 1, 4, 2, 3, 0]);
        let mut query =
            ItemQuery { sort: ItemSort::Measure("score".into(), true), ..ItemQuery::default() };
        let mut seen = Vec::new();
        while let Some((item, key)) = store.views().items(run, 1, &query, 1).await.unwrap().pop() {
            query.after = Some((key, item.position));
            seen.push(item.position);
        }
        assert_eq!(seen, [3, 2, 1, 4, 5, 0], "by the score that counts, wherever it is asked for");
    }

    async fn what_is_counted_of_a_run_that_is_done_follows_every_decision_and_no_comment(bed) {
        let store = bed.open().await;
        let sample = judged(&store).await;
        let (ours, id) = (&sample.organisation, &sample.run.id);
        store.runs().leave(id, RunState::Done, None).await.unwrap();
        let counts = async || {
            let run = store.runs().get(ours, id).await.unwrap().unwrap();
            let views = store.views();
            let low = views.line_count(&run, &LineFilter::Below(41.0)).await.unwrap();
            let tiers = views.line_counts(&run, &EDGES, 2.0).await.unwrap().tiers;
            let parts = views.distribution(&run, 1, "score", (0.0, 100.0)).await.unwrap();
            (run.revision, low, tiers, parts)
        };
        let before = counts().await;
        assert_eq!((before.1, &before.2), (3, &vec![1, 2, 0, 0, 2]));
        let comment = Decision {
            position: 1,
            sequence: 0,
            kind: DecisionKind::Comment,
            target: "item".into(),
            change: Change { value: Some(serde_json::json!("Why?")), ..Change::default() },
            is_current: true,
            author: "ada".into(),
            reason: String::new(),
            created_at: noon(),
        };
        store.decisions().add(id, &comment, Consequences::default()).await.unwrap();
        assert_eq!(counts().await, before);
        decide(&store, &sample, 1, Change { score: Some(70.0), ..Change::default() }).await;
        let after = counts().await;
        assert!(after.0 > before.0);
        assert_eq!((after.1, after.2), (2, vec![1, 1, 0, 1, 2]));
        assert_eq!(after.3.iter().sum::<u64>(), 5);
        assert_ne!(after.3, before.3);
    }

    async fn one_walk_counts_tiers_edges_decisions_and_quotes(bed) {
        let store = bed.open().await;
        let sample = judged(&store).await;
        let (ours, run) = (&sample.organisation, &sample.run.id);
        let any = store.runs().get(ours, run).await.unwrap().unwrap();
        let counts = store.views().line_counts(&any, &EDGES, 2.0).await.unwrap();
        assert_eq!((counts.all, counts.scored, counts.decided), (6, 5, 2));
        assert_eq!(counts.tiers, [1, 2, 0, 0, 2]);
        assert_eq!(counts.near, 4);
        assert_eq!(counts.citations, 12);
        let theirs = Run { organisation_id: OrganisationId::default_organisation(), ..any.clone() };
        let foreign = store.views().line_counts(&theirs, &EDGES, 2.0).await.unwrap();
        assert_eq!((foreign.all, foreign.citations), (0, 0));
        // 40, 82, 90, 40, 20: 272 / 5.
        let found = store.views().figures_of(std::slice::from_ref(&any)).await.unwrap();
        assert_eq!((found[0][0].count, found[0][0].mean), (counts.scored, Some(54.4)));
        let given = |values: &[f64]| Some((values[0], values[4]));
        let found = store.views().figures(&any, 1, given).await.unwrap();
        assert_eq!((found[0].mean, found[0].interval), (Some(54.4), Some((40.0, 20.0))));
        assert_eq!(found[0].range, Some((20.0, 90.0)));
        let parts = store.views().distribution(&any, 1, "score", (0.0, 100.0)).await.unwrap();
        assert_eq!(parts, [0, 0, 1, 0, 2, 0, 0, 0, 1, 1]);
    }

    async fn subjects_come_with_the_values_that_count(bed) {
        let store = bed.open().await;
        let sample = judged(&store).await;
        let any = store.runs().get(&sample.organisation, &sample.run.id).await.unwrap().unwrap();
        for _ in 0..2 {
            let scored = store.views().scored(&any, 1).await.unwrap();
            assert_eq!((scored.subjects.len(), scored.measures.as_slice()), (6, &["score".to_owned()][..]));
            let values: Vec<_> = (0..6).map(|place| scored.values(place)[0]).collect();
            let scored = [40.0, 82.0, 90.0, 40.0, 20.0].map(Cell::Scored);
            assert_eq!((values[0], &values[1..]), (Cell::Unscored, &scored[..]));
        }
        let names = store.views().criteria_at(&sample.organisation, &any.id, [1, 6]).await.unwrap();
        assert_eq!(names.into_keys().collect::<Vec<_>>(), [1]);
        let theirs = OrganisationId::default_organisation();
        assert!(store.views().criteria_at(&theirs, &any.id, [0, 1]).await.unwrap().is_empty());
    }

    async fn every_cell_of_a_run_stands_in_the_order_of_the_plan(bed) {
        let store = bed.open().await;
        let sample = judged(&store).await;
        let (ours, run) = (&sample.organisation, &sample.run.id);
        let of = async || store.runs().get(ours, run).await.unwrap().unwrap();
        let cells = store.views().matrix(&of().await).await.unwrap();
        let cells: Vec<_> = cells.iter().map(|c| (c.criterion, c.document, c.score)).collect();
        let expected = [(1, 0, Some(40.0)), (1, 1, Some(40.0)), (2, 0, Some(82.0)), (2, 1, Some(20.0))];
        assert_eq!(cells[2..], expected);
        let theirs = OrganisationId::default_organisation();
        assert!(store.views().criteria_of(&theirs, run).await.unwrap().is_empty());
        let names = store.views().names_of(ours, run).await.unwrap().unwrap();
        assert_eq!((names.document_set.as_str(), names.documents.len()), ("Policies", 2));
        assert_eq!(names.criteria_set, "Access");
        assert_eq!(store.views().names_of(&theirs, run).await.unwrap(), None);
    }

    async fn a_run_comes_with_its_sets_its_tags_and_whether_it_was_approved(bed) {
        let store = bed.open().await;
        let sample = judged(&store).await;
        let (ours, run) = (&sample.organisation, &sample.run.id);
        let any = store.runs().get(ours, run).await.unwrap().unwrap();
        assert_eq!(any.sets().map(|(criteria, _)| criteria), Some(&sample.set.id));
        let marks = async || store.runs().marks_of([run]).await.unwrap();
        assert_eq!(marks().await[run], Marks::default());
        for tag in ["b", "a"] {
            store.runs().tag(&any, tag).await.unwrap();
        }
        let approval = Approval {
            run_id: run.clone(),
            sequence: 0,
            is_withdrawal: true,
            version: 1,
            who: "ada".into(),
            note: String::new(),
            created_at: noon(),
        };
        store.approvals().add(ours, approval).await.unwrap();
        let tags = vec!["a".to_owned(), "b".to_owned()];
        assert_eq!(marks().await[run], Marks { tags, was_approved: true });
        let theirs = Organisation { id: OrganisationId::of(&["x"]), name: "X".into(), created_at: noon() };
        assert_eq!(store.organisations().name(&theirs.id).await.unwrap(), None);
        store.organisations().insert(&theirs).await.unwrap();
        for _ in 0..2 {
            assert_eq!(store.organisations().name(&theirs.id).await.unwrap().as_deref(), Some("X"));
        }
    }

    async fn a_cell_says_what_the_judge_noted_and_whether_a_person_decided(bed) {
        let store = bed.open().await;
        let sample = sample(&store, "ours").await;
        let mut denial = sample.result(0, 0, 10.0);
        denial.assessment().is_denial = true;
        let mut unquoted = sample.result(1, 0, 0.0);
        unquoted.assessment().quotes = (0, 0);
        sample.commit(&store, &[denial, unquoted]).await.unwrap();
        let cells = async || {
            let run = store.runs().get(&sample.organisation, &sample.run.id).await.unwrap();
            let found = store.views().matrix(&run.unwrap()).await.unwrap();
            let noted = |cell: &assize_store::views::MatrixCellRow| (cell.is_denial, cell.quotes > 0, cell.is_decided);
            [noted(&found[0]), noted(&found[1])]
        };
        assert_eq!(cells().await, [(true, true, false), (false, false, false)]);
        let higher = Change { score: Some(50.0), ..Change::default() };
        decide(&store, &sample, 0, higher).await;
        assert_eq!(cells().await, [(true, true, true), (false, false, false)]);
    }

    async fn a_queue_gives_what_somebody_has_not_rated(bed) {
        let store = bed.open().await;
        let sample = judged(&store).await;
        let run = &sample.run.id;
        let next = async |rater: &str, after| {
            store.views().next_unrated(run, rater, after).await.unwrap()
        };
        assert_eq!(next("ada", -1).await, Some(0));
        let label = Label {
            position: 0,
            rater: "ada".into(),
            measure: "score".into(),
            value: Some(10.0),
            label: None,
            note: None,
            created_at: noon(),
        };
        store.labels().put(run, &[label]).await.unwrap();
        assert_eq!((next("ada", -1).await, next("ben", -1).await), (Some(1), Some(0)));
        assert_eq!((next("ada", 1).await, next("ada", 5).await), (Some(2), None));
    }
}
