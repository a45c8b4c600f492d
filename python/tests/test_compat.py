"""Compat classes against the real packages, on random runs with ties, to 1e-9."""

import random

import pytest

import assize
from assize.compat import pytrec_eval as our_pytrec_eval
from assize.compat import ranx as our_ranx
from assize.errors import BadInput


def random_run(seed, queries=40, documents=60):
    """A run with many equal scores, and judgements of which some documents are unjudged."""
    chance = random.Random(seed)
    run, qrels = {}, {}
    for number in range(queries):
        names = [f"d{document:03}" for document in range(documents)]
        chance.shuffle(names)
        found = names[: chance.randint(1, documents)]
        # Few different scores: most documents tie with another.
        run[f"q{number}"] = {name: chance.randint(0, 12) / 4 for name in found}
        judged = chance.sample(names, chance.randint(1, min(25, documents)))
        qrels[f"q{number}"] = {name: chance.choice([0, 0, 1, 2, 3]) for name in judged}
        if not any(qrels[f"q{number}"].values()):
            qrels[f"q{number}"][judged[0]] = 1
    return run, qrels


def close(ours, theirs, what):
    assert ours == pytest.approx(theirs, abs=1e-9, rel=0), what


#: pytrec_eval carries trec_eval 9, which rounds the number of documents needed up by adding 0.9;
#: trec_eval 10 and assize round to the nearest.
INTERPOLATED = {"iprec_at_recall", "11pt_avg"}


@pytest.mark.parametrize("seed", range(5))
def test_pytrec_eval_gives_the_same_keys_and_values(seed):
    import pytrec_eval as real

    run, qrels = random_run(seed)
    run["only in the run"] = {"d000": 1.0}
    qrels["only in the judgements"] = {"d000": 1}
    measures = set(our_pytrec_eval.supported_measures) - {"num_q"} - INTERPOLATED
    theirs = real.RelevanceEvaluator(qrels, measures).evaluate(run)
    ours = our_pytrec_eval.RelevanceEvaluator(qrels, measures).evaluate(run)
    assert set(ours) == set(theirs)
    for query in theirs:
        assert set(ours[query]) == set(theirs[query])
        for measure, value in theirs[query].items():
            close(ours[query][measure], value, (seed, query, measure))


def test_interpolated_precision_is_that_of_trec_eval_10():
    # Of 8 relevant documents 0.3 * 8 = 2.4 are needed: 2 to the nearest, 3 by adding 0.9.
    qrels = {"q": {f"r{number}": 1 for number in range(8)}}
    run = {"q": {"r0": 9.0, "x": 8.0, "r1": 7.0}}
    ours = our_pytrec_eval.RelevanceEvaluator(qrels, {"iprec_at_recall.0.3"}).evaluate(run)
    assert ours == {"q": {"iprec_at_recall_0.30": pytest.approx(2 / 3)}}


def test_pytrec_eval_spellings_levels_and_single_precision():
    import pytrec_eval as real

    run, qrels = random_run(7)
    run["q0"] = {"a": 1.00000001, "b": 1.0}
    qrels["q0"] = {"a": 1, "b": 0}
    measures = {"ndcg_cut.3,7", "P_4", "map_cut.10", "success.1", "recall.5"}
    for level in (1, 2):
        theirs = real.RelevanceEvaluator(qrels, measures, level).evaluate(run)
        ours = our_pytrec_eval.RelevanceEvaluator(qrels, measures, level).evaluate(run)
        assert ours.keys() == theirs.keys()
        for query in theirs:
            close(ours[query], theirs[query], (level, query))


def test_pytrec_eval_judged_documents_only():
    import pytrec_eval as real

    run, qrels = random_run(8)
    theirs = real.RelevanceEvaluator(qrels, {"map", "P.5"}, judged_docs_only_flag=True).evaluate(run)
    ours = our_pytrec_eval.RelevanceEvaluator(
        qrels, {"map", "P.5"}, judged_docs_only_flag=True
    ).evaluate(run)
    for query in theirs:
        close(ours[query], theirs[query], query)


def test_pytrec_eval_without_a_common_query_is_empty():
    evaluator = our_pytrec_eval.RelevanceEvaluator({"q1": {"a": 1}}, {"map"})
    assert evaluator.evaluate({"q2": {"a": 1.0}}) == {}
    with pytest.raises(BadInput):
        our_pytrec_eval.RelevanceEvaluator({"q1": {"a": 1}}, {"nonsense"})


@pytest.mark.parametrize("seed", range(3))
def test_ir_measures_spellings_give_its_values(seed):
    import ir_measures as real

    run, qrels = random_run(seed)
    names = ["nDCG@10", "nDCG", "AP", "AP(rel=2)", "AP@5", "P@5", "P(rel=2)@10", "R@20", "RR",
             "Rprec", "Bpref", "Success@5", "SetP", "SetR"]
    kept = [(name, real.parse_measure(name)) for name in names]
    theirs = real.iter_calc([measure for _, measure in kept], qrels, run)
    theirs = {(result.query_id, str(result.measure)): result.value for result in theirs}
    compared = 0
    for name, measure in kept:
        scored = assize.score(run, qrels, [measure], resamples=0)
        column = next(iter(scored))
        for query, value in zip(scored.queries, scored.values(column)):
            close(value, theirs[query, str(measure)], (seed, query, name))
            compared += 1
    assert compared == len(names) * len(run)


RANX = ["mrr", "mrr@10", "map", "map@10", "ndcg", "ndcg@10", "ndcg_burges@10", "precision@5",
        "recall@20", "f1@10", "hit_rate@3", "r-precision", "precision", "recall"]


@pytest.mark.parametrize("seed", range(3))
def test_ranx_keeps_ties_of_short_lists_in_the_order_given(seed):
    import ranx as real

    run, qrels = random_run(seed, queries=20, documents=15)
    qrels = {query: dict(list(levels.items())[:10]) for query, levels in qrels.items()}
    theirs = real.evaluate(real.Qrels(qrels), real.Run(run), "mrr", return_mean=False)
    ours = our_ranx.evaluate(qrels, run, "mrr", return_mean=False)
    close(list(ours), [float(value) for value in theirs], seed)


@pytest.mark.parametrize("seed", range(3))
def test_ranx_gives_the_same_values(seed):
    import ranx as real

    run, qrels = random_run(seed, queries=20)
    # Beyond 15 documents the sort of ranx leaves ties in no particular order: take its own.
    sorted_there, gold = real.Run(run), real.Qrels(qrels)
    given = {query: dict(documents) for query, documents in sorted_there.to_dict().items()}
    for metric in RANX:
        theirs = real.evaluate(gold, sorted_there, metric, return_mean=False)
        ours = our_ranx.evaluate(our_ranx.Qrels(qrels), our_ranx.Run(given), metric, return_mean=False)
        close(list(ours), [float(value) for value in theirs], (seed, metric))
        mean = real.evaluate(gold, sorted_there, metric)
        close(our_ranx.evaluate(qrels, given, metric), float(mean), (seed, metric))


def test_ranx_fuses_to_the_same_scores():
    import ranx as real

    one, _ = random_run(1, queries=5)
    other, _ = random_run(2, queries=5)
    for method, norm, params in [("rrf", None, {"k": 60}), ("wsum", "min-max", {"weights": [0.3, 0.7]})]:
        theirs = real.fuse([real.Run(one), real.Run(other)], norm=norm, method=method, params=params)
        ours = our_ranx.fuse([our_ranx.Run(one), our_ranx.Run(other)], norm, method, params)
        if method == "rrf":
            # Ties make ranks differ; sums of reciprocal ranks over all documents do not.
            for query in ours.run:
                close(sum(ours.run[query].values()), sum(theirs.to_dict()[query].values()), query)
        else:
            for query, documents in theirs.to_dict().items():
                close(ours.run[query], dict(documents), (method, query))


def test_ranx_compare_has_the_call_shape_and_refuses_other_tests():
    run, qrels = random_run(3)
    better, _ = random_run(4)
    runs = [our_ranx.Run(run, name="a"), our_ranx.Run(better, name="b")]
    compared = our_ranx.compare(our_ranx.Qrels(qrels), runs, ["map@100", "mrr"], max_p=0.05)
    assert list(compared.runs) == ["a", "b"] and "tabular" in compared.to_latex()
    with pytest.raises(BadInput, match="tukey"):
        our_ranx.compare(our_ranx.Qrels(qrels), runs, "mrr", stat_test="tukey")
    with pytest.raises(BadInput, match="not scaled"):
        our_ranx.evaluate(qrels, run, "rbp.80")
    with pytest.raises(BadInput, match="different queries"):
        our_ranx.evaluate(qrels, {"q1": {"a": 1.0}}, "mrr")
