//! How measures are written and read: the usual notation and `trec_eval`'s names.

use assize_methods::retrieval::ranked::{Measure, MeasureError};

fn read(text: &str) -> Result<String, String> {
    text.parse::<Measure>().map(|measure| measure.to_string()).map_err(|error| error.to_string())
}

#[test]
fn a_measure_is_written_as_it_is_read() {
    let same = [
        "ndcg@10",
        "ndcg",
        "map",
        "map@100",
        "mrr@10",
        "p@5",
        "recall@100",
        "success@1",
        "f1@3",
        "judged@10",
        "r_prec",
        "bpref",
        "rbp(p=0.8)",
        "rbp(p=0.8)@20",
        "err@20",
        "infap",
        "iprec@0.1",
        "r_prec_mult@1.2",
        "ndcg(gain=exponential)@10",
        "ndcg(1=3,2=9,4=4.5)",
        "p(rel=2)@5",
        "utility(2,-1,0,0)",
        "11pt_avg(0.25,0.5,0.75)",
        "set_f(x=2)",
        "err(max=2)",
    ];
    for text in same {
        assert_eq!(read(text).as_deref(), Ok(text));
    }
}

#[test]
fn other_names_mean_the_same_measure() {
    let pairs = [
        ("nDCG@10", "ndcg@10"),
        ("AP", "map"),
        ("RR@10", "mrr@10"),
        ("recip_rank", "mrr"),
        ("R@100", "recall@100"),
        ("hit@3", "success@3"),
        ("Rprec", "r_prec"),
        ("rbp", "rbp(p=0.9)"),
        ("RBP(p=.8)", "rbp(p=0.8)"),
        ("ndcg@10(gain=exp)", "ndcg(gain=exponential)@10"),
        ("ndcg_cut_10", "ndcg@10"),
        ("map_cut_30", "map@30"),
        ("P_5", "p@5"),
        ("recall_1000", "recall@1000"),
        ("iprec_at_recall_0.10", "iprec@0.1"),
        ("Rprec_mult_0.20", "r_prec_mult@0.2"),
        ("relative_P_5", "relative_p@5"),
        ("utility_2,-1,0,0", "utility(2,-1,0,0)"),
        ("ndcg_1=3,2=9,4=4.5", "ndcg(1=3,2=9,4=4.5)"),
        ("11pt_avg_.25,.5,.75", "11pt_avg(0.25,0.5,0.75)"),
    ];
    for (text, ours) in pairs {
        assert_eq!(read(text).as_deref(), Ok(ours), "{text}");
    }
}

#[test]
fn a_refusal_says_what_was_expected() {
    let refused = [
        ("ndgc@10", "unknown measure `ndgc`; did you mean ndcg?"),
        ("qqqqqqqq", "unknown measure `qqqqqqqq`"),
        ("ndcg@0", "the cutoff of `ndcg@0` must be 1 or more"),
        ("p", "`p` needs a cutoff, as in `p@10`"),
        ("iprec", "`iprec` needs a cutoff, as in `iprec@0.5`"),
        ("iprec@2", "`iprec` takes a share from 0 to 1 after the @, not `2`"),
        ("ndcg@ten", "`ndcg` takes a rank such as 10 after the @, not `ten`"),
        ("bpref@5", "`bpref` takes nothing after the @, not `5`"),
        (
            "rbp(p=2)",
            "`rbp` takes `rel=level` or `p=` 0 to 1 or gains in its parentheses, not `p=2`",
        ),
        ("map(gain=exp)", "`map` takes `rel=level` in its parentheses, not `gain=exp`"),
        ("utility(1,2)", "`utility` takes `rel=level` or 4 numbers in its parentheses, not `1,2`"),
        ("ndcg(", "`ndcg(` is not a measure: expected name, (settings), @cutoff"),
        ("@5", "`@5` is not a measure: expected name, (settings), @cutoff"),
        ("", "`` is not a measure: expected name, (settings), @cutoff"),
    ];
    for (text, message) in refused {
        assert_eq!(read(text).unwrap_err(), message);
    }
}

#[test]
fn sets_and_rows_of_cutoffs_unfold_in_trec_evals_order() {
    let official = Measure::parse_all("official").unwrap();
    assert_eq!(official.len(), 9 + 11 + 9);
    assert_eq!(official[0].to_string(), "num_q");
    assert_eq!(official[28].to_string(), "p@1000");
    // Every line of `-m all_trec` but runid, which is not a number.
    assert_eq!(Measure::parse_all("all_trec").unwrap().len(), 98);
    let names = |text| -> Vec<String> {
        Measure::parse_all(text).unwrap().iter().map(ToString::to_string).collect()
    };
    assert_eq!(names("success"), ["success@1", "success@5", "success@10"]);
    assert_eq!(names("P.5,7,3"), ["p@3", "p@5", "p@7"]);
    assert_eq!(names("ndcg_cut.10,20,23.4"), ["ndcg@10", "ndcg@20", "ndcg@23"]);
    assert_eq!(names("iprec_at_recall..10,.20"), ["iprec@0.1", "iprec@0.2"]);
    assert_eq!(names("rbp.p=.5"), ["rbp(p=0.5)"]);
    assert_eq!(names("set_F.2"), ["set_f(x=2)"]);
    assert_eq!(names("ndcg@10"), ["ndcg@10"]);
    assert!(matches!(Measure::parse_all("P.0"), Err(MeasureError::CutoffZero { .. })));
}

#[test]
fn trec_evals_name_of_a_measure_reads_back() {
    for measure in Measure::parse_all("all_trec").unwrap() {
        let name = measure.trec_name().expect("trec_eval has it");
        assert_eq!(name.parse::<Measure>().as_ref(), Ok(&measure), "{name}");
    }
    let name = |text: &str| text.parse::<Measure>().unwrap().trec_name();
    assert_eq!(name("ndcg@10").as_deref(), Some("ndcg_cut_10"));
    assert_eq!(name("iprec@0.1").as_deref(), Some("iprec_at_recall_0.10"));
    assert_eq!(name("utility(2,-1,0,0)").as_deref(), Some("utility_2,-1,0,0"));
    assert_eq!(name("err@20"), None);
}
