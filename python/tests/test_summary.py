"""Summaries: one pair with its ledger, tables of pairs, null where unscored."""

import json
import os
import signal
import threading
import time

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
    deadline = time.monotonic() + 30
    while True:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            assert os.waitstatus_to_exitcode(status) == 0
            return
        if time.monotonic() > deadline:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            pytest.fail("the child hangs")
        time.sleep(0.05)


def test_ctrl_c_is_honoured_in_the_middle():
    # Long enough that the signal arrives while pairs are being scored.
    count = 200_000
    columns = {"article": [ARTICLE] * count, "summary": [GOOD] * count}
    table = assize.Table.from_columns(columns)
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        summary.score_batch(table)
    assert time.monotonic() - begun < 2.0
    timer.join()
