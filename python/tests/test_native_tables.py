"""Columns as libraries really write them: empty categories, PyTerrier's names, large numbers."""

import collections
import json
import sys
import types

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import assize
from assize import _native
from assize.errors import BadInput

QRELS = {"q": {"a": 1}}
RUN = pd.DataFrame({"query": ["q", "q"], "document": ["b", "a"], "score": [2.0, 1.0]})
PAIRS = json.dumps({"article": "article", "summary": "summary", "id": None, "scorecard": False})
TEXT = "The council approved the bridge on Monday. It will open in 2027."


def mrr(run, qrels):
    return assize.score(run, qrels, ["mrr"])["mrr"]


def test_a_category_without_values_is_null():
    empty = RUN.assign(query=pd.Series([None] * 2, dtype="category"))
    with pytest.raises(BadInput, match="row 0, column `query`: null"):
        mrr(empty, QRELS)
    nothing = pa.DictionaryArray.from_arrays(pa.array([None], pa.int32()), pa.array([], pa.string()))
    table = pa.table({"article": nothing, "summary": [TEXT]})
    assert assize.summary.score_batch(table).to_pydict()["reason"] == ["null_article"]


def test_an_empty_chunk_of_categories_before_others_is_passed_over():
    empty = pa.DictionaryArray.from_arrays(pa.array([], pa.int32()), pa.array([], pa.string()))
    query = pa.DictionaryArray.from_arrays(pa.array([0, 0], pa.int32()), pa.array(["q"]))
    run = pa.table(
        {
            "query": pa.chunked_array([empty, query]),
            "document": pa.chunked_array([pa.array([], pa.string()), pa.array(["b", "a"])]),
            "score": pa.chunked_array([pa.array([], pa.float64()), pa.array([2.0, 1.0])]),
        }
    )
    assert mrr(run, QRELS) == 0.5


#: What PyTerrier gives for one query: its text, and documents by two names.
TERRIER = {
    "qid": ["1", "1"],
    "query": ["old bridges", "old bridges"],
    "docid": [10, 11],
    "docno": ["d10", "d11"],
    "rank": [0, 1],
    "score": [2.0, 1.0],
}


@pytest.mark.parametrize("frame", [pd.DataFrame, pa.table])
def test_pyterriers_identifiers_go_before_its_texts_and_numbers(frame):
    qrels = {"qid": ["1"], "docno": ["d11"], "label": [1]}
    assert mrr(frame(TERRIER), frame(qrels)) == 0.5
    assert mrr(assize.Run(frame(TERRIER)), {"1": {"d11": 1}}) == 0.5


def test_pyterriers_files_are_read_alike(tmp_path):
    run, qrels = tmp_path / "run.csv", tmp_path / "qrels.csv"
    pd.DataFrame(TERRIER).to_csv(run, index=False)
    qrels.write_text("qid,docno,label\n1,d11,1\n")
    assert mrr(run, qrels) == 0.5


def test_a_name_that_both_tables_have_goes_before_the_usual_order():
    by_number = pd.DataFrame({"qid": ["1"], "docid": [11], "label": [1]})
    assert mrr(pd.DataFrame(TERRIER), by_number) == 0.5
    # Also where the judgements have two names, and where they were read before.
    both = pd.DataFrame({"qid": ["1"], "docid": [11], "docno": ["d11"], "label": [1]})
    assert mrr(pd.DataFrame(TERRIER).drop(columns="docno"), both) == 0.5
    assert mrr(pd.DataFrame(TERRIER), assize.Qrels(by_number)) == 0.5
    runs = {"one": pd.DataFrame(TERRIER), "other": pd.DataFrame(TERRIER)}
    compared = assize.compare(runs, by_number, ["mrr"])
    assert compared.to_dict()["queries"] == 1
    numbered = pd.DataFrame(TERRIER).drop(columns="docno")
    compared = assize.compare({"one": numbered, "other": numbered}, both, ["mrr"])
    assert compared.runs == {"one": {"mrr": 0.5}, "other": {"mrr": 0.5}}
    # The text of a document is not its identifier.
    texts = pd.DataFrame({"qid": ["1"], "doc_id": ["d11"], "document": ["A text."], "score": [1.0]})
    assert mrr(texts, {"1": {"d11": 1}}) == 1.0


def test_whole_numbers_above_two_to_the_63_are_identifiers():
    large = 2**63 + 5
    run = pa.table(
        {
            "query": ["q", "q"],
            "document": pa.array([1, large], pa.uint64()),
            "score": pa.array([2**64 - 1, 1], pa.uint64()),
        }
    )
    assert mrr(run, {"q": {large: 1}}) == 0.5


def test_columns_that_nobody_names_may_hold_anything():
    mixed = RUN.assign(other=pd.Series([1, "x"], dtype=object))
    assert mrr(mixed, QRELS) == 0.5
    pairs = pd.DataFrame({"article": [TEXT], "summary": [TEXT], "other": [object()]})
    assert assize.summary.score_batch(pairs).to_pydict()["reason"] == [None]
    lists = {"article": [TEXT], "summary": [TEXT], "rouge": [0.5, 0.7]}
    found = _native.summary_score_batch(lists, PAIRS, "{}")
    assert len(found) == 1 and found.to_pydict()["reason"] == [None]
    # They are still told where one is missing.
    with pytest.raises(BadInput, match="no column `article`; there are `summary`, `rouge`"):
        _native.summary_score_batch({"summary": [TEXT], "rouge": [0.5]}, PAIRS, "{}")
    with pytest.raises(BadInput, match="there are `score`, `other`"):
        mrr(mixed[["other", "score"]], QRELS)
    with pytest.raises(BadInput, match="there are `other`"):
        mrr(mixed[["other"]], QRELS)


@pytest.mark.parametrize("with_arrow", [True, False])
def test_a_column_that_is_there_twice_is_refused(monkeypatch, with_arrow):
    if not with_arrow:
        without_pyarrow(monkeypatch)
    twice = pd.concat([RUN, RUN[["query"]]], axis=1)
    with pytest.raises(BadInput, match="column `query` appears twice"):
        assize.Run(twice)


def test_a_column_of_arrow_that_is_there_twice_is_refused():
    names = ["query", "document", "document", "score"]
    twice = pa.Table.from_arrays([pa.array(["q"]), pa.array(["a"]), pa.array(["b"]), pa.array([1.0])], names)
    with pytest.raises(BadInput, match="column `document` appears twice"):
        assize.Run(twice)


def without_pyarrow(monkeypatch):
    for name in [name for name in sys.modules if name.split(".")[0] == "pyarrow"]:
        monkeypatch.setitem(sys.modules, name, None)


def test_frames_are_read_without_pyarrow(monkeypatch):
    without_pyarrow(monkeypatch)
    judged = pd.DataFrame({"query": ["q"], "document": ["a"], "relevance": [1]})
    assert mrr(assize.Run(RUN), assize.Qrels(judged)) == 0.5
    numbers = pd.DataFrame({"qid": [1, 1], "docno": [2**63 + 1, 7], "score": [2, 1]})
    assert mrr(assize.Run(numbers), {"1": {"7": 1}}) == 0.5
    categories = RUN.astype({"query": "category"})
    assert mrr(assize.Run(categories), QRELS) == 0.5
    pairs = pd.DataFrame({"article": [TEXT, None], "summary": [TEXT, TEXT], "other": [1, "x"]})
    found = _native.summary_score_batch(pairs, PAIRS, "{}").to_pydict()
    assert found["reason"] == [None, "null_article"]


def test_what_a_frame_lacks_is_told_without_pyarrow(monkeypatch):
    without_pyarrow(monkeypatch)
    for score, problem in ([None, 1.0], "row 0, column `score`: null"), (["x", "y"], "not a number"):
        with pytest.raises(BadInput, match=problem):
            assize.Run(RUN.assign(score=score))
    with pytest.raises(BadInput, match="row 0, column `query`: null"):
        assize.Run(RUN.assign(query=None))
    with pytest.raises(BadInput, match="row 1, column `document`: a number among texts"):
        assize.Run(RUN.assign(document=["a", 1.5]))


def test_a_table_becomes_a_frame_without_pyarrow(monkeypatch):
    table = assize.score(RUN, QRELS, ["mrr"]).per_query
    without_pyarrow(monkeypatch)
    assert table.to_pandas().to_dict("list") == {"query": ["q"], "mrr": [0.5]}


def test_any_mapping_is_a_run_or_judgements():
    inner = types.MappingProxyType({"b": 2.0, "a": 1.0})
    run = assize.Run(types.MappingProxyType({"q": inner}))
    qrels = assize.Qrels(collections.ChainMap({"q": types.MappingProxyType({"a": 1})}))
    assert mrr(run, qrels) == 0.5
    assert mrr(assize.Run(types.MappingProxyType({"q": ["b", "a"]})), qrels) == 0.5


def test_numpys_whole_numbers_name_rows():
    table = assize.Table.from_columns({"id": np.array([3, 4]), "text": np.array(["a", "b"])})
    assert table.to_pydict() == {"id": ["3", "4"], "text": ["a", "b"]}
    with pytest.raises(BadInput, match="row 0, column `id`: bool"):
        assize.Table.from_columns({"id": [np.True_]})


def test_the_gate_says_what_learned_is():
    assert _native.gate("Hello.", np.True_, None, [])
    with pytest.raises(BadInput, match="learned: int was given"):
        _native.gate("Hello.", 1, None, [])
