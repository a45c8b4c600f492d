"""What the READMEs of pytrec_eval and ir_measures show, beside the real packages."""

import io
import json

import pytest

from assize.compat import ir_measures as our_ir_measures
from assize.compat import pytrec_eval as our_pytrec_eval
from assize.errors import BadInput

QRELS = {"Q0": {"D0": 0, "D1": 1}, "Q1": {"D0": 0, "D3": 2}}
RUN = {"Q0": {"D0": 1.2, "D1": 1.0}, "Q1": {"D0": 2.4, "D3": 3.6}}
#: The values that the README of ir_measures prints.
AGGREGATED = {
    "AP": 0.75, "nDCG": 0.8154648767857288, "RR": 0.75, "nDCG@10": 0.8154648767857288, "P(rel=2)@10": 0.05,
}


def test_the_readme_of_pytrec_eval_gives_the_values_it_prints():
    qrel = {"q1": {"d1": 0, "d2": 1, "d3": 0}, "q2": {"d2": 1, "d3": 1}}
    run = {"q1": {"d1": 1.0, "d2": 0.0, "d3": 1.5}, "q2": {"d1": 1.5, "d2": 0.2, "d3": 0.5}}
    evaluator = our_pytrec_eval.RelevanceEvaluator(qrel, {"map", "ndcg"})
    assert json.loads(json.dumps(evaluator.evaluate(run), indent=1)) == {
        "q1": {"ndcg": pytest.approx(0.5), "map": pytest.approx(0.3333333333333333)},
        "q2": {"ndcg": pytest.approx(0.6934264036172708), "map": pytest.approx(0.5833333333333333)},
    }


def test_the_example_of_pytrec_eval_that_prints_like_trec_eval_prints_the_same():
    import pytrec_eval as real

    qrels = "q1 0 d1 0\nq1 0 d2 1\nq2 0 d2 1\nq2 0 d3 2\n"
    run = "q1 Q0 d1 1 2.0 t\nq1 Q0 d2 2 1.0 t\nq2 Q0 d3 1 3.5 t\nq2 Q0 d9 2 0.5 t\n"
    printed = []
    for package in (real, our_pytrec_eval):
        read, found = package.parse_qrel(io.StringIO(qrels)), package.parse_run(io.StringIO(run))
        measures = {"map", "gm_map", "num_rel_ret", "P_5", "recip_rank"}
        assert {"map", "gm_map", "num_rel_ret", "P", "recip_rank"} <= package.supported_measures
        results = package.RelevanceEvaluator(read, measures).evaluate(found)
        printed.append({
            measure: package.compute_aggregated_measure(measure, [values[measure] for values in results.values()])
            for measure in sorted(results["q1"])
        })
    assert printed[1] == pytest.approx(printed[0], abs=1e-9)
    assert len(printed[1]) == 5


def test_the_readme_of_ir_measures_gives_the_values_it_prints():
    names: dict = {}
    exec("from assize.compat.ir_measures import *", names)  # noqa: S102
    AP, nDCG, RR, P = (names[name] for name in ("AP", "nDCG", "RR", "P"))
    measures = [AP, nDCG, RR, nDCG @ 10, P(rel=2) @ 10]
    found = our_ir_measures.calc_aggregate(measures, QRELS, RUN)
    assert {str(measure): value for measure, value in found.items()} == pytest.approx(AGGREGATED)
    by_query = {(one.query_id, str(one.measure)): one.value for one in our_ir_measures.iter_calc(measures, QRELS, RUN)}
    assert len(by_query) == 10
    assert by_query["Q0", "nDCG@10"] == pytest.approx(0.6309297535714575)
    assert by_query["Q1", "P(rel=2)@10"] == pytest.approx(0.1)
    metric = next(our_ir_measures.iter_calc([AP], QRELS, RUN))
    assert repr(metric) == "Metric(query_id='Q0', measure=AP, value=0.5)"


def test_every_form_that_ir_measures_takes_is_read(tmp_path):
    import pandas

    flat = [(query, name, value) for query, documents in QRELS.items() for name, value in documents.items()]
    found = [(query, name, value) for query, documents in RUN.items() for name, value in documents.items()]
    (tmp_path / "qrels.txt").write_text("".join(f"{q} 0 {d} {v}\n" for q, d, v in flat))
    (tmp_path / "run.txt").write_text("".join(f"{q} Q0 {d} 1 {v} tag\n" for q, d, v in found))
    package = our_ir_measures
    for qrels, run in [
        (pandas.DataFrame(flat, columns=["query_id", "doc_id", "relevance"]),
         pandas.DataFrame(found, columns=["query_id", "doc_id", "score"])),
        ((package.Qrel(*row) for row in flat), [package.ScoredDoc(*row) for row in found]),
        (package.read_trec_qrels(str(tmp_path / "qrels.txt")), package.read_trec_run(str(tmp_path / "run.txt"))),
        (package.read_trec_qrels((tmp_path / "qrels.txt").read_text()),
         package.read_trec_run(open(tmp_path / "run.txt"))),
    ]:
        evaluated = package.evaluator(["AP", "nDCG@10", "P(rel=2)@10"], qrels).calc_aggregate(run)
        assert {str(one): value for one, value in evaluated.items()} == pytest.approx(
            {name: AGGREGATED[name] for name in ("AP", "nDCG@10", "P(rel=2)@10")}
        )


def test_queries_without_results_count_and_counts_are_summed_as_there():
    import ir_measures as real

    run = {"Q0": RUN["Q0"], "only in the run": {"D0": 1.0}}
    qrels = {**QRELS, "Q2": {"D1": 1, "D2": 0}}
    names = ["AP", "AP(rel=2)", "P@5", "R@10", "RR", "Rprec", "Bpref", "Success@1", "SetP", "NumRel", "NumRet",
             "NumRelRet", "nDCG@5"]
    theirs = real.calc_aggregate([real.parse_measure(name) for name in names], qrels, run)
    ours = our_ir_measures.calc_aggregate([our_ir_measures.parse_measure(name) for name in names], qrels, run)
    assert {str(one): value for one, value in ours.items()} == pytest.approx(
        {str(one): value for one, value in theirs.items()}, abs=1e-9
    )


def test_what_is_not_here_names_what_is():
    with pytest.raises(AttributeError, match="parse_trec_run.*read_trec_run"):
        our_ir_measures.parse_trec_run
    with pytest.raises(AttributeError, match="`alpha_nDCG`: ask the package ir_measures itself"):
        our_ir_measures.alpha_nDCG
    with pytest.raises(BadInput, match=r"ERR@10.*assize measures"):
        our_ir_measures.parse_measure("ERR@10")
    with pytest.raises(BadInput, match="no `query_id`"):
        our_ir_measures.calc_aggregate(["AP"], [("Q0", "D0", 1)], RUN)
