//! Who looks after which criteria of a run.

use std::slice::from_ref;

use assize_store::views::LineQuery;
use assize_store::{OrganisationId, StoreError};

use crate::bed::on_both;
use crate::samples::{noon, sample};

on_both! {
    async fn a_criterion_belongs_to_one_person_and_lines_are_found_by_them(bed) {
        let store = bed.open().await;
        let sample = sample(&store, "ours").await;
        let (ours, run) = (&sample.organisation, &sample.run.id);
        let (first, second) = (sample.item(0).clone(), sample.item(1).clone());
        let assignments = store.assignments();
        let by = ("ada", noon());
        let both = [first.clone(), second.clone()];
        assignments.set((ours, run), &both, Some("ben"), by).await.unwrap();
        assignments.set((ours, run), from_ref(&first), Some("ada"), by).await.unwrap();
        let found = assignments.of_run(ours, run).await.unwrap();
        assert_eq!((found[&first].as_str(), found[&second].as_str()), ("ada", "ben"));
        let query = LineQuery { assignee: "ada".to_owned(), ..LineQuery::default() };
        let lines = store.views().lines(ours, run, &query, 100).await.unwrap();
        assert!(!lines.is_empty());
        assert!(lines.iter().all(|line| line.assignee.as_deref() == Some("ada")), "{lines:?}");
        let all = store.views().lines(ours, run, &LineQuery::default(), 100).await.unwrap();
        assert!(all.len() > lines.len());
        let criteria = store.views().criteria_of(ours, run).await.unwrap();
        assert_eq!(criteria[1].assignee.as_deref(), Some("ben"));
        let of_ben = assignments.of_person(ours, "ben", 10).await.unwrap();
        assert_eq!((of_ben.len(), of_ben[0].criteria), (1, 1));
        assignments.set((ours, run), from_ref(&second), None, by).await.unwrap();
        assert_eq!(assignments.of_person(ours, "ben", 10).await.unwrap(), []);
        let theirs = OrganisationId::default_organisation();
        assert!(assignments.of_run(&theirs, run).await.unwrap().is_empty());
        let refused = assignments.set((&theirs, run), &both, Some("eve"), by).await;
        assert!(matches!(refused, Err(StoreError::Missing { .. })), "{refused:?}");
    }
}
