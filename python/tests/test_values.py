"""What is handed over in other forms than usual: generators, frames without Arrow, numpy's numbers."""

import sys
import types

import numpy as np
import pandas as pd
import pytest

import assize
from assize import council, summary
from assize.errors import BadInput

ARTICLE = "The council approved the bridge on Monday. It will cost 12 million euros."
GOOD = "The council approved the bridge on Monday."
RUN = {"q1": {"a": 3.0, "b": 2.0}}
QRELS = {"q1": {"b": 1}}
FRAME = pd.DataFrame({"query": ["q1", "q1"], "document": ["a", "b"], "score": [3.0, 2.0]})
GOLD = pd.DataFrame({"query": ["q1"], "document": ["b"], "relevance": [1]})


@pytest.fixture
def no_pyarrow(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)


def test_columns_may_be_generators():
    given = {"article": (ARTICLE for _ in range(3)), "summary": (GOOD for _ in range(3)),
             "id": iter([7, 8, 9])}
    found = summary.score_batch(given, id="id").to_pydict()
    assert found["id"] == ["7", "8", "9"]
    assert found["coverage"] == [summary.score(ARTICLE, GOOD).coverage.value] * 3


def test_columns_that_are_not_named_do_not_matter():
    expected = summary.score(ARTICLE, GOOD).coverage.value
    for other in ([0.5], [1, 2], "text", None):
        given = {"article": [ARTICLE], "summary": [GOOD], "rouge": other}
        assert summary.score_batch(given).to_pydict()["coverage"] == [expected]
    given = types.MappingProxyType({"article": [ARTICLE], "summary": [GOOD]})
    assert summary.score_batch(given).to_pydict()["coverage"] == [expected]
    frame = pd.DataFrame({"article": [ARTICLE] * 2, "summary": [GOOD] * 2, "other": [1, "x"]})
    assert summary.score_batch(frame).to_pydict()["coverage"] == [expected] * 2
    assert assize.score(FRAME.assign(other=[1, "x"]), QRELS, ["mrr"]).mean == {"mrr": 0.5}


def test_frames_without_pyarrow_are_read(no_pyarrow):
    frame = pd.DataFrame({"article": [ARTICLE, None], "summary": [GOOD, GOOD], "n": [1, 2], "x": [1, "x"]})
    found = summary.score_batch(frame, id="n").to_pydict()
    assert found["id"] == ["1", "2"] and found["reason"] == [None, "null_article"]
    assert found["coverage"] == [summary.score(ARTICLE, GOOD).coverage.value, None]
    assert assize.score(FRAME.assign(other=[1, "x"]), GOLD, ["mrr"]).mean == {"mrr": 0.5}
    missing = FRAME.assign(query=pd.Series(["q1", None], dtype="string"))
    with pytest.raises(BadInput, match="run: row 1, column `query`: null"):
        assize.score(missing, QRELS, ["mrr"])
    with pytest.raises(BadInput, match="table: no column `text`; there are `article`"):
        summary.score_batch(frame, summary="text")


@pytest.mark.parametrize("with_pyarrow", [True, False])
def test_a_column_that_stands_twice_is_refused(with_pyarrow, request):
    if not with_pyarrow:
        request.getfixturevalue("no_pyarrow")
    twice = pd.concat([FRAME, FRAME[["score"]]], axis=1)
    with pytest.raises(BadInput, match="run: column `score` appears twice"):
        assize.score(twice, QRELS, ["mrr"])
    pairs = pd.DataFrame([[ARTICLE, GOOD, GOOD]], columns=["article", "summary", "summary"])
    with pytest.raises(BadInput, match="table: column `summary` appears twice"):
        summary.score_batch(pairs)


def test_numbers_of_numpy_are_options_and_identifiers():
    plain = assize.score(RUN, QRELS, ["mrr"], resamples=50, seed=3, confidence=0.5).to_dict()
    given = {"resamples": np.int64(50), "seed": np.uint8(3), "confidence": np.float32(0.5)}
    assert assize.score(RUN, QRELS, ["mrr"], **given).to_dict() == plain
    pair = {"article": [ARTICLE], "summary": [GOOD], "id": np.array([7])}
    found = summary.score_batch(pair, id="id", scorecard=np.True_).to_pydict()
    assert found["id"] == ["7"] and found["scorecard"][0]
    with pytest.raises(BadInput, match=r"options\['confidence'\]: nan is not a number"):
        assize.score(RUN, QRELS, ["mrr"], confidence=np.float32("nan"))
    two = {"a": RUN, "b": {"q1": {"b": 1.0}}}
    assert assize.compare(two, QRELS, ["mrr"], alpha=np.float32(0.5), resamples=50).pairs
    with pytest.raises(BadInput, match="^alpha: 7"):
        assize.compare(two, QRELS, ["mrr"], alpha=np.float32(7))
    names = ("accuracy", "relevance", "completeness", "conciseness", "clarity")
    marks = {name: dict.fromkeys(names, np.int64(mark)) for name, mark in (("x", 9), ("y", 3))}
    verdict = council.review({"x": "one", "y": "two"}, {"ann": marks, "ben": marks}, question="Why?")
    assert verdict.scores["x"] == pytest.approx(9.0)


def circle():
    entry = {"question": "Why?"}
    entry["passages"] = [entry]
    return [entry]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: assize.gate("x", learned=1), "^learned: int was given"),
        (lambda: assize.gate("x", patterns=None), "^patterns: NoneType"),
        (lambda: assize.gate("x", patterns="[[pattern]]"), "^patterns: str"),
        (lambda: assize.agree([10**400, 1], [1, 2]), r"^scores\[0\]: int too large"),
        (lambda: assize.agree([1, 2], [1, 2], 3), "^groups: int"),
        (lambda: assize.agree([1, 2], [1, 2], ["\ud800", "b"]), r"^groups\[0\]: character 0"),
        (lambda: assize.score_passages(circle(), []), "^predictions: nested too deeply, or a part of itself"),
        (lambda: assize.score_passages([{"question": "\ud800"}], []),
         r"^predictions\[0\]\['question'\]: character 0 is half"),
        (lambda: assize.score(RUN, QRELS, ["mrr"], by="\ud800"), r"options\['by'\]: character 0"),
        (lambda: summary.score_batch({"article": [ARTICLE], "summary": ["\ud800"]}),
         "^table: row 0, column `summary`: character 0 is half"),
        (lambda: summary.score_batch({"article": [ARTICLE], "summary": [GOOD]}, scorecard=1), "^scorecard: int"),
        (lambda: assize.compare({1: RUN, "1": RUN}, QRELS), "^runs: '1' names two runs"),
    ],
)
def test_what_cannot_be_handed_over_is_refused_by_its_place(call, message):
    with pytest.raises(BadInput, match=message):
        call()
