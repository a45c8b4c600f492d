//! `assize fuse`.

use crate::support::{assize, file};

/// d2 is second in one run and first in the other: 1/62 + 1/61 beats d1's 1/61.
#[test]
fn reciprocal_ranks_are_added() {
    let (_one, first) = file("a.trec", "q Q0 d1 1 9 a\nq Q0 d2 2 8 a\n");
    let (_two, second) = file("b.trec", "q Q0 d2 1 0.3 b\n");
    let said = assize(&["fuse", &first, &second]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    let lines: Vec<Vec<&str>> = said.stdout.lines().map(|line| line.split(' ').collect()).collect();
    assert_eq!((lines.len(), lines[0][2], lines[1][2]), (2, "d2", "d1"));
    let score: f64 = lines[0][4].parse().unwrap();
    assert!((score - (1.0 / 62.0 + 1.0 / 61.0)).abs() < 1e-15);
}

#[test]
fn weights_must_fit_the_runs() {
    let (_one, first) = file("a.trec", "q Q0 d1 1 9 a\n");
    let said = assize(&["fuse", &first, &first, "--weights", "1,2,3"]);
    assert_eq!(said.code, 2);
    assert!(said.stderr.contains("3 weights"), "{}", said.stderr);
    let unknown = assize(&["fuse", &first, &first, "--method", "average"]);
    assert_eq!(unknown.code, 2);
}

#[test]
fn runs_that_share_nothing_are_fused_with_a_note() {
    for (other, note) in [
        (
            "q Q0 doc-1 1 0.3 b\n",
            "b: no document in common with the runs before; it has `doc-1`, they have `d1`: they \
             share their number",
        ),
        (
            "Q Q0 d1 1 0.3 b\n",
            "b: no query in common with the runs before; it has `Q`, they have `q`: they differ in \
             case",
        ),
    ] {
        let (_one, first) = file("a.trec", "q Q0 d1 1 9 a\nq Q0 d2 2 8 a\n");
        let (_two, second) = file("b.trec", other);
        let said = assize(&["fuse", &first, &second]);
        assert_eq!((said.code, said.stdout.lines().count()), (0, 3), "{}", said.stderr);
        assert!(said.stderr.contains(note), "{}", said.stderr);
        let alike = assize(&["fuse", &first, &first]);
        assert_eq!((alike.code, alike.stderr.as_str()), (0, ""));
    }
}
