"""Tables: Arrow from several libraries in, Arrow out, and what is refused with row and column."""

import pyarrow as pa
import pytest

import assize
from assize.errors import BadInput

RUN = pa.table({"query": ["q1", "q1", "q2"], "doc_id": ["a", "b", "x"], "score": [2.0, 1.0, 1.0]})
QRELS = pa.table({"query": ["q1", "q2"], "doc_id": ["b", "x"], "relevance": [1, 1]})


def mean(run, qrels):
    return assize.score(run, qrels, ["mrr"]).mean["mrr"]


def test_tables_batches_and_frames_give_the_same():
    assert mean(RUN, QRELS) == 0.75
    assert mean(RUN.to_batches()[0], QRELS) == 0.75
    assert mean(RUN.to_pandas(), QRELS.to_pandas()) == 0.75
    assert mean(RUN.to_pandas().astype({"query": "category"}), QRELS) == 0.75


@pytest.mark.parametrize("kind", ["large_string", "string_view", "dictionary"])
def test_every_kind_of_text_is_read(kind):
    text = pa.dictionary(pa.int8(), pa.string()) if kind == "dictionary" else getattr(pa, kind)()
    run = RUN.set_column(0, "query", RUN["query"].combine_chunks().cast(text))
    assert mean(run, QRELS) == 0.75


def test_whole_numbers_are_identifiers_and_floats_are_none():
    run = pa.table({"qid": [1, 1], "docno": [10, 20], "score": [2, 1]})
    qrels = pa.table({"qid": ["1"], "docno": ["20"], "label": [1]})
    assert mean(run, qrels) == 0.5
    floats = pa.table({"qid": [1.0], "docno": [10], "score": [2.0]})
    with pytest.raises(BadInput, match="row 0, column `qid`: an identifier is text"):
        mean(floats, qrels)


@pytest.mark.parametrize(
    ("run", "message"),
    [
        (RUN.drop_columns(["doc_id"]), "run: no column `doc_id`.*`document`.*there are `query`, `score`"),
        (RUN.slice(0, 0), "run: the table is empty"),
        (
            pa.table({"query": ["q1", None], "doc_id": ["a", "b"], "score": [1.0, 2.0]}),
            "run: row 1, column `query`: null",
        ),
        (
            pa.table({"query": ["q1", "q1"], "doc_id": ["a", "b"], "score": [1.0, None]}),
            "run: row 1, column `score`: null",
        ),
        (
            pa.table({"query": ["q1"], "doc_id": ["a"], "score": [float("nan")]}),
            "run: row 0, column `score`: NaN",
        ),
        (
            pa.table({"query": ["q1"], "doc_id": ["a"], "score": ["high"]}),
            "run: row 0, column `score`: not a number",
        ),
        (
            pa.table({"query": ["q1", "q1"], "doc_id": ["a", "a"], "score": [1.0, 2.0]}),
            "document `a` appears twice for query `q1`",
        ),
        (
            pa.table({"query": [[1]], "doc_id": ["a"], "score": [1.0]}),
            "column `query` is of type List",
        ),
    ],
)
def test_a_table_that_cannot_be_used_is_refused_by_row_and_column(run, message):
    with pytest.raises(BadInput, match=message):
        mean(run, QRELS)


def test_values_of_queries_leave_as_arrow():
    table = assize.score(RUN, QRELS, ["mrr", "map"]).per_query
    assert table.column_names == ["query", "mrr", "map"]
    assert pa.table(table).to_pydict() == {
        "query": ["q1", "q2"], "mrr": [0.5, 1.0], "map": [0.5, 1.0],
    }
    assert table.to_pydict()["mrr"] == [0.5, 1.0]
    assert list(table.to_pandas()["query"]) == ["q1", "q2"]
    assert len(table) == 2


def test_an_exported_table_may_be_read_more_than_once():
    table = assize.score(RUN, QRELS, ["mrr"]).per_query
    assert pa.table(table).equals(pa.table(table))
