"""What Spark and Ray are handed, by stand-ins that call it as they do: batches, groups, blocks.

The engines themselves are started by ``cargo xtask test engines``; this shows in a second that the
functions they get give the values of one machine, whatever the partitions.
"""

import os
import re
import zlib

import pyarrow as pa
import pytest

import assize
from assize.errors import BadInput
import assize.ray
import assize.report
import assize.spark

ARTICLE = "The council approved the bridge on Monday. It will cost 12 million euros."
PAIRS = pa.table(
    {
        "id": ["a", "b", "c"],
        "article": [ARTICLE, ARTICLE, None],
        "summary": ["The bridge will cost 12 million euros.", "", "Nothing."],
        "other": [1, 2, 3],
    }
)
RUN = pa.table(
    {
        "query": ["q1", "q1", "q2", "q9"],
        "document": ["a", "b", "x", "y"],
        "score": [2.0, 1.0, 1.0, 1.0],
    }
)
QRELS = pa.table({"query": ["q1", "q2", "q3"], "document": ["b", "x", "z"], "relevance": [1, 1, 1]})


class Frame:
    """As much of a Spark DataFrame as is used, one partition a row."""

    def __init__(self, table):
        self.table = table

    def select(self, *names):
        return Frame(self.table.select(list(names)))

    def mapInArrow(self, function, schema):
        self.schema = schema
        parts = [function(iter(self.table.slice(row, 1).to_batches())) for row in range(len(self.table))]
        return pa.Table.from_batches([batch for part in parts for batch in part])

    def selectExpr(self, part, *columns):
        # All rows of a query in one part; the rest are renamed columns.
        rule = re.fullmatch(r"pmod\(hash\(cast\(`(\w+)` as string\)\), (\d+)\) as part", part)
        renamed = r"(?:cast\()?`(\w+)`(?: as string\))? as (\w+)"
        names = [re.fullmatch(renamed, one).groups() for one in columns]
        made = {new: self.table[old] for old, new in names}
        made["query"] = made["query"].cast(pa.string())
        keys = self.table[rule[1]].to_pylist()
        parts = [zlib.crc32(str(name).encode()) % int(rule[2]) for name in keys]
        return Frame(pa.table({"part": parts} | made))

    def groupby(self, name):
        values = self.table[name].to_pylist()
        return Groups({
            value: self.table.filter(pa.array([other == value for other in values])) for value in values
        }, self.table.schema)


class Groups:
    def __init__(self, groups, schema):
        self.groups, self.schema = groups, schema

    def cogroup(self, other):
        self.other = other
        return self

    def applyInArrow(self, function, schema):
        names = sorted(set(self.groups) | set(self.other.groups))
        tables = [
            function(
                self.groups.get(name, self.schema.empty_table()),
                self.other.groups.get(name, self.other.schema.empty_table()),
            )
            for name in names
        ]
        return pa.concat_tables([pa.table(table) for table in tables], promote_options="permissive")


class Dataset:
    """As much of a Ray dataset as is used, one block a row."""

    def __init__(self, table):
        self.table = table

    def map_batches(self, function, batch_format, **more):
        assert batch_format == "pyarrow"
        blocks = [function(self.table.slice(row, 1)) for row in range(len(self.table))]
        return pa.concat_tables(blocks)


def test_pairs_are_scored_alike_in_every_partition():
    expected = assize.summary.score_batch(PAIRS, id="id", scorecard=True).to_pydict()
    assert expected["coverage"][1:] == [None, None] and expected["reason"][0] is None
    spark = assize.spark.summary_scores(Frame(PAIRS), id="id", scorecard=True)
    assert spark.to_pydict() == expected
    ray = assize.ray.summary_scores(Dataset(PAIRS), id="id", scorecard=True)
    assert ray.to_pydict() == expected


@pytest.mark.parametrize("parts", [1, 2, 50])
def test_the_rows_of_a_query_meet(parts):
    expected = assize.score(RUN, QRELS, ["mrr", "map"], resamples=0).per_query.to_pydict()
    assert expected["query"] == ["q1", "q2"]
    values = assize.spark.score_queries(Frame(RUN), Frame(QRELS), ["mrr", "AP"], parts=parts)
    assert values.sort_by("query").to_pydict() == expected
    assert assize.report.means(values)["mrr"] == {"value": 0.75, "scored": 2, "unscored": 0}


def test_numbers_and_texts_name_the_same_query_in_spark():
    run = pa.table({"query": [1, 2], "document": ["a", "b"], "score": [1.0, 1.0]})
    qrels = pa.table({"query": ["1", "2"], "document": ["a", "x"], "relevance": [1, 1]})
    values = assize.spark.score_queries(Frame(run), Frame(qrels), ["mrr"], parts=8)
    assert values.sort_by("query").to_pydict() == {"query": ["1", "2"], "mrr": [1.0, 0.0]}
    with pytest.raises(BadInput, match="parts: 0"):
        assize.spark.score_queries(Frame(run), Frame(qrels), ["mrr"], parts=0)


def test_list_columns_hold_whole_queries():
    listed = pa.table(
        {"query": ["q1", "q2"], "documents": [["a", "b"], ["x"]], "scores": [[2.0, 1.0], [1.0]]}
    )
    expected = assize.score(RUN, QRELS, ["mrr"], resamples=0).per_query.to_pydict()
    assert assize.ray.score_queries(Dataset(listed), QRELS, ["mrr"]).to_pydict() == expected
    unscored = listed.drop_columns(["scores"])
    assert assize.ray.score_queries(Dataset(unscored), QRELS, ["mrr"]).to_pydict() == expected


def test_a_block_without_judged_queries_gives_no_row():
    listed = pa.table({"query": ["q9", "q1"], "documents": [["y"], ["a", "b"]]})
    found = assize.ray.score_queries(Dataset(listed), QRELS, ["mrr"])
    assert found.to_pydict() == {"query": ["q1"], "mrr": [0.5]}


def test_lists_that_do_not_go_together_are_refused_by_row():
    uneven = pa.table({"query": ["q1"], "documents": [["a", "b"]], "scores": [[1.0]]})
    with pytest.raises(BadInput, match="run: row 0: 2 documents and 1 scores"):
        assize.ray.score_queries(Dataset(uneven), QRELS, ["mrr"])
    with pytest.raises(BadInput, match="run: no column `documents`; there are `query`"):
        assize.ray.score_queries(Dataset(uneven.select(["query"])), QRELS, ["mrr"])


def test_judgements_that_changed_are_read_again(tmp_path):
    path = tmp_path / "qrels.json"
    listed = pa.table({"query": ["q1"], "documents": [["a", "b"]]})
    for second, (judged, value) in enumerate([("a", 1.0), ("b", 0.5), ("elsewhere", 0.0)]):
        path.write_text('{"q1": {"%s": 1}}' % judged)
        os.utime(path, (second, second))
        found = assize.ray.score_queries(Dataset(listed), path, ["mrr"])
        assert found.to_pydict()["mrr"] == [value]


def test_judgements_may_be_anything_and_are_read_again_by_the_next_call(tmp_path):
    import pandas as pd

    listed = Dataset(pa.table({"query": ["q1"], "documents": [["a", "b"]]}))
    frame = pd.DataFrame({"query": ["q1"], "document": ["b"], "relevance": [1]})
    (tmp_path / "qrels.json").write_text('{"q1": {"a": 1}}')
    levels = {"q1": {"b": 1}}
    mrr = lambda qrels: assize.ray.score_queries(listed, qrels, ["mrr"]).to_pydict()["mrr"]
    # One after another: each is compared with what was read before.
    assert [mrr(frame), mrr(tmp_path / "qrels.json"), mrr(frame), mrr(levels)] == [[0.5], [1.0], [0.5], [0.5]]
    levels["q1"] = {"a": 1}
    assert mrr(levels) == [1.0]
    with pytest.raises(BadInput, match="qrels: /no/qrels.json: cannot be read"):
        mrr("/no/qrels.json")


def test_a_measure_that_is_named_twice_is_one_column():
    listed = pa.table({"query": ["q9", "q1"], "documents": [["y"], ["a", "b"]]})
    found = assize.ray.score_queries(Dataset(listed), QRELS, ["mrr", "RR", "mrr"])
    assert found.to_pydict() == {"query": ["q1"], "mrr": [0.5]}
    values = assize.spark.score_queries(Frame(RUN), Frame(QRELS), ["mrr", "RR"], parts=2)
    assert values.column_names == ["query", "mrr"]


def test_columns_of_every_kind_of_number_have_means():
    import numpy as np
    import pandas as pd

    found = assize.report.means({"coverage": [None, None], "x": [1.0, None], "reason": [None, None]})
    assert found == {"coverage": {"value": None, "scored": 0, "unscored": 2},
                     "x": {"value": 1.0, "scored": 1, "unscored": 1}}
    three = {"value": 3.0, "scored": 2, "unscored": 0}
    for values in ([2, 4], np.array([2, 4], dtype="float32"), pa.array([2, 4])):
        assert assize.report.means(pa.table({"n": pa.array(values)})) == {"n": three}
        assert assize.report.means(pd.DataFrame({"n": np.asarray(values)})) == {"n": three}
    assert assize.report.means({"n": [np.float32(2), np.int64(4)]}) == {"n": three}
    nullable = pd.DataFrame({"n": pd.array([2.0, None, 4.0], dtype="Float64"), "text": ["a", "b", "c"]})
    assert assize.report.means(nullable) == {"n": {"value": 3.0, "scored": 2, "unscored": 1}}
    with pytest.raises(BadInput, match="table: row 0, column `text`: 'a' is not a number"):
        assize.report.means(nullable, ["text"])


def test_null_is_counted_and_never_zero():
    found = assize.report.means({"coverage": [4.0, None, float("nan"), 8.0]})
    assert found == {"coverage": {"value": 6.0, "scored": 2, "unscored": 2}}
