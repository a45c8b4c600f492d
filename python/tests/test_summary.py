"""Summaries: one pair with its ledger, tables of pairs, null where unscored."""

import json
import os
import signal
import threading
import time

import pandas as pd
import pyarrow as pa
import pytest

import assize
from assize import summary
from assize.errors import BadInput

ARTICLE = (
    "The council approved the new bridge on Monday. It will cost 12 million euros and open in 2027. "
    "Residents had asked for it since the flood of 2013."
)
GOOD = "The council approved a new bridge on Monday, which will cost 12 million euros."
BAD = "The council rejected the new bridge on Monday. It would have cost 90 million euros."


def test_a_pair_has_five_metrics_evidence_and_a_ledger():
    scored = summary.score(ARTICLE, GOOD)
    assert set(scored.scores) == set(summary.METRICS)
    assert scored.coverage.value is not None and 0 <= scored.coverage.value <= 10
    assert "coverage" in scored.ledger
    assert scored.evidence["hallucination"]["claims"]
    assert scored._repr_html_().startswith("<iframe srcdoc=")
    assert scored.reason is None


def test_a_contradiction_costs():
    good, bad = summary.score(ARTICLE, GOOD), summary.score(ARTICLE, BAD)
    assert bad.hallucination.value < good.hallucination.value


def test_frameworks_have_names_and_others_are_refused():
    assert summary.score(ARTICLE, GOOD, framework="judge-lock").coverage.value is not None
    with pytest.raises(BadInput, match="framework"):
        summary.score(ARTICLE, GOOD, framework="best-lock")
    with pytest.raises(BadInput, match="article: NoneType"):
        summary.score(None, GOOD)


def test_an_empty_text_has_no_score_and_says_why():
    scored = summary.score(ARTICLE, "")
    assert scored.reason
    assert set(scored.scores.values()) == {None}


def test_a_batch_has_a_row_for_each_row_and_null_where_unscored():
    columns = {"a": [ARTICLE, None, ARTICLE, ARTICLE], "s": [GOOD, GOOD, "", BAD], "n": [1, 2, 3, 4]}
    table = summary.score_batch(columns, article="a", summary="s", id="n", scorecard=True)
    rows = table.to_pydict()
    assert rows["id"] == ["1", "2", "3", "4"]
    assert rows["coverage"][0] == summary.score(ARTICLE, GOOD).coverage.value
    for metric in summary.METRICS:
        assert rows[metric][1] is None and rows[metric][2] is None
    assert rows["reason"][0] is None
    assert rows["reason"][1] == "null_article" and rows["reason"][2]
    assert json.loads(rows["scorecard"][3])["id"] == "4"


def test_a_batch_gives_the_bytes_of_the_command_line(tmp_path, capfd):
    pairs = [("p1", ARTICLE, GOOD), ("p2", ARTICLE, BAD), ("p3", ARTICLE, "")]
    lines = [json.dumps({"id": i, "article": a, "summary": s}) for i, a, s in pairs]
    (tmp_path / "pairs.jsonl").write_text("\n".join(lines) + "\n")
    words = ["summary", "score", "--input", str(tmp_path / "pairs.jsonl"), "--format", "jsonl"]
    assert assize._native.command_line(["assize", *words]) == 0
    columns = {name: list(values) for name, values in zip(("id", "article", "summary"), zip(*pairs))}
    table = summary.score_batch(columns, id="id", scorecard=True)
    assert capfd.readouterr().out.splitlines() == table.to_pydict()["scorecard"]


def test_columns_that_are_not_there_are_named():
    with pytest.raises(BadInput, match="no column `text`; there are `article`"):
        summary.score_batch({"article": [ARTICLE]}, summary="text")
    with pytest.raises(BadInput, match="row 0, column `article`: float"):
        summary.score_batch({"article": [0.5], "summary": [GOOD]})
    with pytest.raises(BadInput, match="table: int"):
        summary.score_batch(3)


def pairs(article, summary, **more):
    return pa.table({"article": pa.array(article), "summary": pa.array(summary), **more})


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (pairs([None, 0.5], [GOOD, GOOD]), "table: row 1, column `article`: a number, not text"),
        (pairs([ARTICLE], [7]), "table: row 0, column `summary`: a number, not text"),
        (
            pa.concat_tables([pairs([ARTICLE] * 3, [GOOD] * 3, id=pa.array([None] * 3, pa.float64())),
                              pairs([ARTICLE], [GOOD], id=[1.5])]),
            "table: row 3, column `id`: an identifier is text or a whole number",
        ),
        (pairs([True], [GOOD]), "column `article` is of type Boolean"),
        (pairs([[ARTICLE]], [GOOD]), "column `article` is of type List"),
        (pa.array([ARTICLE]), "table: .*single column"),
        ({"article": [ARTICLE], "summary": [3]}, "table: row 0, column `summary`: int, not text"),
        ({"article": [ARTICLE], "summary": [GOOD], "id": [True]}, "row 0, column `id`: bool"),
        ({"article": [ARTICLE, ARTICLE], "summary": [GOOD]}, "table: .*same length"),
        ({"article": ARTICLE, "summary": GOOD}, "table: column `article`: a text"),
        ({"article": [ARTICLE], "summary": None}, "table: column `summary`: NoneType"),
    ],
)
def test_columns_of_another_kind_are_refused_by_row_and_column(table, message):
    with pytest.raises(BadInput, match=message):
        summary.score_batch(table, id="id" if "id" in getattr(table, "column_names", table) else None)


def test_nulls_of_every_table_stay_null_and_say_why():
    frame = pd.DataFrame({"article": [ARTICLE, None, float("nan")], "summary": [GOOD, GOOD, None]})
    tables = [
        frame,
        pa.Table.from_pandas(frame),
        {"article": [ARTICLE, None, None], "summary": [GOOD, GOOD, None]},
        pairs([ARTICLE, None, None], [GOOD, GOOD, None]),
        pairs([ARTICLE, None, None], [GOOD, GOOD, None]).to_batches()[0],
    ]
    expected = summary.score(ARTICLE, GOOD).scores
    for table in tables:
        rows = summary.score_batch(table).to_pydict()
        assert rows["reason"] == [None, "null_article", "null_article"]
        for metric in summary.METRICS:
            assert rows[metric] == [expected[metric], None, None]
    # Columns without any value have no type of their own, or that of numbers.
    for nothing in (pa.nulls(2), pa.nulls(2, pa.float64())):
        rows = summary.score_batch(pairs([ARTICLE] * 2, nothing)).to_pydict()
        assert rows["reason"] == ["null_summary"] * 2 and rows["coverage"] == [None] * 2


def test_an_empty_table_gives_an_empty_one_with_the_same_columns():
    full = summary.score_batch(pairs([ARTICLE], [GOOD]), scorecard=True)
    for none in (pairs([], []).cast(pairs([""], [""]).schema), {"article": [], "summary": []}):
        empty = summary.score_batch(none, scorecard=True)
        assert len(empty) == 0 and empty.column_names == full.column_names
        assert pa.table(empty).schema == pa.table(full).schema


def test_rows_beyond_one_batch_keep_their_order():
    # More than the 65,536 rows of a batch of the result; nothing is scored, so it takes no time.
    count = 70_000
    table = pa.table(
        {"article": pa.nulls(count, pa.string()), "summary": [GOOD] * count, "id": range(count)}
    )
    found = summary.score_batch(table, id="id")
    assert len(found) == count
    assert pa.table(found)["id"].to_pylist() == [str(row) for row in range(count)]


def test_threads_work_side_by_side():
    found = []
    threads = [
        threading.Thread(target=lambda: found.append(summary.score(ARTICLE, GOOD).scores))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [found[0]] * 4


def test_a_fork_has_threads_of_its_own():
    expected = summary.score_batch({"article": [ARTICLE] * 20, "summary": [GOOD] * 20}).to_pydict()
    child = os.fork()
    if child == 0:
        again = summary.score_batch({"article": [ARTICLE] * 20, "summary": [GOOD] * 20}).to_pydict()
        os._exit(0 if again == expected else 1)
    wait_for(child)


def wait_for(child):
    """Fails unless a child ends well, and soon."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            assert os.waitstatus_to_exitcode(status) == 0
            return
        time.sleep(0.05)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    pytest.fail("the child hangs")


def test_a_fork_in_the_middle_of_other_work_scores():
    # As multiprocessing does while another thread of the parent is at work.
    columns = {"article": [ARTICLE] * 2000, "summary": [GOOD] * 2000}
    expected = summary.score(ARTICLE, GOOD).scores
    found = []
    thread = threading.Thread(target=lambda: found.append(summary.score_batch(columns)))
    thread.start()
    time.sleep(0.05)
    child = os.fork()
    if child == 0:
        os._exit(0 if summary.score(ARTICLE, GOOD).scores == expected else 1)
    wait_for(child)
    thread.join()
    assert found[0].to_pydict()["coverage"] == [expected["coverage"]] * 2000


def test_ctrl_c_is_honoured_in_the_middle():
    # Long enough that the signal arrives while pairs are being scored.
    count = 200_000
    columns = {"article": [ARTICLE] * count, "summary": [GOOD] * count}
    table = assize.Table.from_columns(columns)
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    # A shell starts what runs in the background deaf to Ctrl-C.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        timer.start()
        begun = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            summary.score_batch(table)
        assert time.monotonic() - begun < 2.0
        timer.join()
    finally:
        signal.signal(signal.SIGINT, before)
