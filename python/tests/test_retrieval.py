"""Runs scored and compared: values by hand, forms of input, and what is refused."""

import json
import math
import pickle

import pytest

import assize
from assize.errors import BadInput, NotFound

RUN = {"q1": {"a": 3.0, "b": 2.0, "c": 1.0}, "q2": {"x": 2.0, "y": 1.0}}
QRELS = {"q1": {"b": 1, "c": 1}, "q2": {"x": 1}}


def test_values_are_those_one_computes_by_hand():
    scored = assize.score(RUN, QRELS, ["mrr", "map", "ndcg@10", "p@2"])
    # q1: b stands second, c third; q2: x stands first.
    ndcg = (1 / math.log2(3) + 1 / math.log2(4)) / (1 + 1 / math.log2(3))
    assert scored.mean["mrr"] == pytest.approx((0.5 + 1) / 2, abs=1e-12)
    assert scored.mean["map"] == pytest.approx(((1 / 2 + 2 / 3) / 2 + 1) / 2, abs=1e-12)
    assert scored["ndcg@10"] == pytest.approx((ndcg + 1) / 2, abs=1e-12)
    assert scored.values("p@2") == [0.5, 0.5]
    assert scored.queries == ["q1", "q2"]
    assert scored.by_query()["q2"] == {"mrr": 1.0, "map": 1.0, "ndcg@10": 1.0, "p@2": 0.5}


def test_every_spelling_names_the_same_measure():
    spellings = ["ndcg@10", "nDCG@10", "ndcg_cut_10", "ndcg_cut.10"]
    found = {assize.score(RUN, QRELS, [name])["ndcg@10"] for name in spellings}
    assert len(found) == 1
    assert assize.score(RUN, QRELS, ["AP(rel=2)"]).mean == {"map(rel=2)": 0.0}


def test_means_have_intervals_and_counts_have_none():
    scored = assize.score(RUN, QRELS, ["mrr", "num_rel"])
    low, high = scored.interval["mrr"]
    assert low <= scored["mrr"] <= high
    assert scored.interval["num_rel"] is None
    assert assize.score(RUN, QRELS, ["mrr"], resamples=0).interval["mrr"] is None
    assert assize.score(RUN, QRELS, ["mrr"]).interval == assize.score(RUN, QRELS, ["mrr"]).interval


def test_a_query_is_explained_as_a_tree_and_as_html():
    ledger = assize.score(RUN, QRELS, ["mrr"]).explain("q1")
    assert "mrr" in str(ledger) and "0.5" in str(ledger)
    assert ledger._repr_html_().startswith("<iframe srcdoc=")
    with pytest.raises(NotFound, match="q7"):
        assize.score(RUN, QRELS, ["mrr"]).explain("q7")


def test_files_give_the_same_as_dicts(tmp_path):
    run, qrels = tmp_path / "run.trec", tmp_path / "qrels.trec"
    lines = [f"{q} Q0 {d} 0 {s} t" for q, ds in RUN.items() for d, s in ds.items()]
    run.write_text("\n".join(lines) + "\n")
    lines = [f"{q} 0 {d} {v}" for q, ds in QRELS.items() for d, v in ds.items()]
    qrels.write_text("\n".join(lines) + "\n")
    expected = assize.score(RUN, QRELS).to_dict(per_query=True)
    assert assize.score(run, str(qrels)).to_dict(per_query=True) == expected
    assert assize.score(RUN, qrels).to_dict(per_query=True) == expected
    assert assize.score(assize.Run(run), assize.Qrels(QRELS)).to_dict(per_query=True) == expected


def test_ranked_lists_without_scores_are_best_first():
    scored = assize.score({"q1": ["a", "b", "c"], "q2": ["x"]}, QRELS, ["mrr"])
    assert scored.values("mrr") == [0.5, 1.0]


@pytest.mark.parametrize(
    ("run", "qrels", "place"),
    [
        ({"q1": {"a": float("nan")}}, QRELS, r'run\["q1"\]\["a"\]: NaN'),
        ({"q1": {"a": "high"}}, QRELS, r'run\["q1"\]\["a"\]: not a number'),
        ({"q1": {"a": None}}, QRELS, r'run\["q1"\]\["a"\]: not a number'),
        ({"q1": {2.5: 1.0}}, QRELS, r'run\["q1"\]\["2.5"\]: a document'),
        ({"q1": 3}, QRELS, r'run\["q1"\]: expected documents'),
        (RUN, {"q1": {"a": 0.5}}, r'qrels\["q1"\]\["a"\]: a level of relevance is a whole number'),
        (3, QRELS, "run: int was given"),
        ({}, QRELS, "run: there is no query"),
        (RUN, {}, "judgements"),
        ({"other": {"a": 1.0}}, QRELS, "other"),
    ],
)
def test_what_cannot_be_used_is_refused_by_its_place(run, qrels, place):
    with pytest.raises(BadInput, match=place) as raised:
        assize.score(run, qrels, ["mrr"])
    assert isinstance(raised.value, ValueError)
    assert raised.value.code


def test_numbers_and_texts_name_the_same_document():
    assert assize.score({1: {7: 1.0}}, {"1": {"7": 1}}, ["mrr"]).mean == {"mrr": 1.0}


def test_unknown_settings_are_refused():
    with pytest.raises(BadInput, match="ties"):
        assize.score(RUN, QRELS, ties="random")
    with pytest.raises(BadInput, match="confidence"):
        assize.score(RUN, QRELS, confidence=1.5)
    with pytest.raises(BadInput, match="nope"):
        assize.score(RUN, QRELS, ["nope@3"])


def test_a_missing_file_is_bad_input_with_a_code():
    with pytest.raises(assize.AssizeError) as raised:
        assize.score("no/such/run.trec", "no/such/qrels.trec")
    assert raised.value.code == "unreadable_file"
    again = pickle.loads(pickle.dumps(raised.value))
    assert (type(again), again.code, str(again)) == (
        type(raised.value), raised.value.code, str(raised.value),
    )


def test_comparisons_print_as_tables():
    better = {"q1": {"b": 3.0, "c": 2.0, "a": 1.0}, "q2": {"x": 2.0}}
    compared = assize.compare({"old_1": RUN, "new": better}, QRELS, ["map"])
    assert list(compared.runs) == ["old_1", "new"]
    assert compared.pairs[0]["difference"] == pytest.approx((1 - (1 / 2 + 2 / 3) / 2) / 2)
    assert compared.pairs[0]["wins"] == 1
    assert "\\begin{tabular}" in compared.to_latex() and "old\\_1" in compared.to_latex()
    assert compared.to_html().startswith("<!DOCTYPE html>")
    assert compared.queries == 2
    with pytest.raises(BadInput, match="two or more"):
        assize.compare({"one": RUN}, QRELS)


def test_passages_are_scored_like_the_command_line_does():
    gold = {"tests": [{"query": "Who?", "snippets": [{"answer": "The tenant pays."}]}]}
    predictions = [{"query": "Who?", "retrieved_passages": ["Nobody.", "The tenant pays."]}]
    scored = assize.score_passages(predictions, gold, k=2)
    assert scored.mean["recall@2"] == 1.0
    assert scored.mean["exact_match"] == 0.0
    with pytest.raises(BadInput, match=r"predictions\[0\]\['score'\]: nan"):
        assize.score_passages([{"score": math.nan}], gold)


def test_the_result_is_what_the_command_line_prints(tmp_path, capfd):
    run, qrels = tmp_path / "run.json", tmp_path / "qrels.json"
    run.write_text(json.dumps(RUN))
    qrels.write_text(json.dumps(QRELS))
    words = ["assize", "score", str(run), str(qrels), "--format", "json"]
    assert assize._native.command_line(words) == 0
    assert json.loads(capfd.readouterr().out) == assize.score(RUN, QRELS).to_dict()
