"""Compat classes against the real packages where runs have gaps: no results, other queries."""

import pytest

from assize.compat import pytrec_eval as our_pytrec_eval
from assize.compat import ranx as our_ranx
from assize.errors import BadInput

QRELS = {"q": {"a": 1, "b": 0, "c": 2}, "r": {"a": 1}}
# The real one reads memory that nobody wrote for these two.
NAMES = sorted(set(our_pytrec_eval.supported_measures) - {"num_q", "iprec_at_recall", "11pt_avg"})


# One at a time: given all of them, the real one crashes on a query without results.
@pytest.mark.parametrize("measure", NAMES)
def test_pytrec_eval_gives_0_to_a_query_without_results(measure):
    import pytrec_eval as real

    run = {"q": {}, "r": {"a": 1.0}}
    theirs = real.RelevanceEvaluator(QRELS, {measure}).evaluate(run)
    ours = our_pytrec_eval.RelevanceEvaluator(QRELS, {measure}).evaluate(run)
    assert ours == {query: pytest.approx(values, abs=1e-12) for query, values in theirs.items()}


def test_pytrec_eval_gives_0_where_no_query_has_results():
    import pytrec_eval as real

    for measures in ({"map"}, {"P.5", "recip_rank"}, {"ndcg"}):
        theirs = real.RelevanceEvaluator(QRELS, measures).evaluate({"q": {}})
        assert our_pytrec_eval.RelevanceEvaluator(QRELS, measures).evaluate({"q": {}}) == theirs
    both = our_pytrec_eval.RelevanceEvaluator(QRELS, {"iprec_at_recall.0.0", "11pt_avg"}).evaluate({"q": {}})
    assert both == {"q": {"iprec_at_recall_0.00": 0.0, "11pt_avg": 0.0}}


def test_pytrec_eval_takes_whole_numbers_as_everything_here_does():
    # The real one refuses them; {} for all queries would be neither.
    evaluator = our_pytrec_eval.RelevanceEvaluator({1: {"a": 1}, "2": {"a": 1}}, {"map"})
    assert evaluator.evaluate({1: {"a": 1.0}, 2: {"a": 1.0}}) == {1: {"map": 1.0}, 2: {"map": 1.0}}
    with pytest.raises(BadInput, match="run: None is neither text"):
        evaluator.evaluate({None: {"a": 1.0}})


def test_pytrec_eval_parses_the_lines_of_trec():
    import pytrec_eval as real

    run = ["q1 Q0 a 1 2.5 name\n", "q1 Q0 b 2 1 name\n", "q2 Q0 a 1 -3e2 name\n"]
    qrel = ["q1 0 a 1\n", "q2 0 b -1\n"]
    assert our_pytrec_eval.parse_run(run) == dict(real.parse_run(run))
    assert our_pytrec_eval.parse_qrel(qrel) == dict(real.parse_qrel(qrel))
    for lines, message in [
        (["q1 0 a\n"], "qrels: line 1: 3 fields, 4"),
        (["q1 0 a 1\n", "q1 0 a 1\n"], "qrels: line 2: document 'a' appears twice"),
        (["q1 0 a high\n"], "qrels: line 1: 'high' is not a number"),
    ]:
        with pytest.raises(BadInput, match=message):
            our_pytrec_eval.parse_qrel(lines)


def test_pytrec_eval_knows_the_nicknames_it_can_expand():
    import pytrec_eval as real

    run = {"q": {"a": 2.0, "x": 1.0}, "r": {"a": 1.0}}
    for name, measures in our_pytrec_eval.supported_nicknames.items():
        assert measures == real.supported_nicknames[name] - {"runid", "relstring"}
        ours = our_pytrec_eval.RelevanceEvaluator(QRELS, {name}).evaluate(run)["q"]
        theirs = real.RelevanceEvaluator(QRELS, measures).evaluate(run)["q"]
        assert set(ours) == set(theirs), name


GOLD = {"q1": {"b": 1}, "q2": {"b": 1}}


@pytest.mark.parametrize("metric", ["mrr", "map", "ndcg", "recall@5", "precision", "f1", "hit_rate@3", "r-precision"])
def test_ranx_gives_0_to_a_query_without_results(metric):
    import ranx as real

    run = {"q1": {"b": 1.0}, "q2": {}}
    theirs = real.evaluate(real.Qrels(GOLD), real.Run(run), metric, return_mean=False)
    assert our_ranx.evaluate(GOLD, run, metric, return_mean=False) == list(theirs)
    assert our_ranx.evaluate(GOLD, run, metric) == 0.5
    assert our_ranx.evaluate(GOLD, {"q1": {"b": 1.0}, "q3": {"b": 1.0}}, metric, make_comparable=True) == 0.5
    assert our_ranx.evaluate(GOLD, {"q1": {}, "q2": {}}, metric) == 0.0


def test_ranx_compares_what_has_the_same_queries_or_fills_it_up():
    import ranx as real

    runs = [("a", {"q1": {"b": 1.0}}), ("b", {"q1": {"c": 1.0, "b": 0.5}, "q2": {"b": 1.0}, "q3": {"x": 1.0}})]
    theirs = real.compare(
        real.Qrels(GOLD), [real.Run(run, name=name) for name, run in runs], ["mrr"], make_comparable=True
    )
    ours = [our_ranx.Run(run, name=name) for name, run in runs]
    found = our_ranx.compare(our_ranx.Qrels(GOLD), ours, ["mrr"], make_comparable=True)
    assert found.runs == theirs.results == {"a": {"mrr": 0.5}, "b": {"mrr": 0.75}}
    assert found.queries == 2
    with pytest.raises(BadInput, match="different queries"):
        our_ranx.compare(our_ranx.Qrels(GOLD), ours, ["mrr"])
    with pytest.raises(BadInput, match="runs: 'a' names two runs"):
        our_ranx.compare(our_ranx.Qrels(GOLD), [ours[0], ours[0]], "mrr", make_comparable=True)


@pytest.mark.parametrize(
    "metric",
    ["mrr-l2", "recall-l2", "map-l2", "mrr@2-l2", "precision-l3", "f1-l2", "hit_rate-l3", "r-precision-l2",
     "recall@2-l2"],
)
def test_ranx_has_levels_with_and_without_cutoffs(metric):
    import ranx as real

    qrels, run = {"q": {"a": 1, "b": 2, "c": 3}}, {"q": {"a": 3.0, "b": 2.0, "x": 1.5, "c": 1.0}}
    theirs = real.evaluate(real.Qrels(qrels), real.Run(run), metric)
    assert our_ranx.evaluate(qrels, run, metric) == pytest.approx(float(theirs), abs=1e-9)


def test_ranx_reads_a_run_again_that_changed():
    qrels, run = our_ranx.Qrels(GOLD), our_ranx.Run({"q1": {"b": 1.0}, "q2": {"b": 1.0}})
    assert our_ranx.evaluate(qrels, run, "mrr") == 1.0
    run.run["q1"]["c"] = 2.0
    assert our_ranx.evaluate(qrels, run, "mrr") == 0.75
    qrels.qrels["q1"]["c"] = 1
    assert our_ranx.evaluate(qrels, run, "mrr") == 1.0


def test_ranx_fuses_queries_without_documents():
    runs = [our_ranx.Run({"q1": {"b": 1.0, "c": 0.0}, "q2": {}}), our_ranx.Run({"q1": {"b": 2.0, "c": 1.0}})]
    # Both bring b to 1 and c to 0.
    assert our_ranx.fuse(runs, method="sum").run == {"q1": {"b": 2.0, "c": 0.0}, "q2": {}}
