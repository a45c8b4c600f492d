"""What people hand over by mistake: each is refused by its place, or means what it says."""

import enum
import os
import signal
import subprocess
import sys
import threading
import time
import types

import pytest

import assize
from assize.errors import BadInput

RUN = {"q1": {"a": 3.0, "b": 2.0, "c": 1.0}, "q2": {"x": 2.0, "y": 1.0}}
QRELS = {"q1": {"b": 1, "c": 1}, "q2": {"x": 1}}


def mrr(run, qrels=QRELS):
    return assize.score(run, qrels, ["mrr"]).mean["mrr"]


class Name(str):
    """As numpy's strings are: text, but not exactly ``str``."""


class Place(str, enum.Enum):
    FIRST = "a"
    SECOND = "b"


class Whole:
    """As numpy's whole numbers are: no ``int``, but one can be had."""

    def __init__(self, value):
        self.value = value

    def __index__(self):
        return self.value

    def __str__(self):
        return f"Whole({self.value})"


class Number:
    """As numpy's numbers are: converts itself."""

    def __init__(self, value):
        self.value = value

    def __float__(self):
        return self.value


@pytest.mark.parametrize(
    ("run", "qrels", "place"),
    [
        ({"q1": {"a": True}}, QRELS, r'run\["q1"\]\["a"\]: not a number'),
        ({"q1": {"a": [1.0]}}, QRELS, r'run\["q1"\]\["a"\]: not a number'),
        ({"q1": {"a": 1j}}, QRELS, r'run\["q1"\]\["a"\]: not a number'),
        ({"q1": {"a": 1.0, None: 2.0}}, QRELS, r'run\["q1"\]\["None"\]: a document'),
        ({"q1": {"a": 1.0, b"b": 2.0}}, QRELS, r"run\[\"q1\"\]\[\"b'b'\"\]: a document"),
        ({"q1": {"a": 1.0, True: 2.0}}, QRELS, r'run\["q1"\]\["True"\]: a document'),
        ({"q1": {"a": 1.0, "\ud800": 2.0}}, QRELS, "a document's identifier is neither text"),
        ({("q", 1): {"a": 1.0}}, QRELS, "run: a query's identifier is neither text nor a whole"),
        ({"q1": ["a", 2.5]}, QRELS, r'run\["q1"\]\[1\]: a document'),
        ({"q1": ["a", "b", "a"]}, QRELS, "document `a` appears twice for query `q1`"),
        ({"q1": {7: 1.0, "7": 2.0}}, {"q1": {"7": 1}}, "document `7` appears twice for query `q1`"),
        ({"q1": {Name("a"): 1.0, 7: 1.0}, 1: {"a": 1.0}, "1": {"a": 2.0}}, {"1": {"a": 1}}, "`a` appears twice"),
        ({"q1": {"a": 1.0}, "q2": None}, QRELS, r'run\["q2"\]: expected documents'),
        (RUN, {"q1": {"a": float("nan")}}, r'qrels\["q1"\]\["a"\]: a level'),
        (RUN, {"q1": {"a": float("inf")}}, r'qrels\["q1"\]\["a"\]: a level'),
        (RUN, {"q1": {"a": 2**40}}, r'qrels\["q1"\]\["a"\]: a level'),
        (RUN, {"q1": {"a": 10**400}}, r'qrels\["q1"\]\["a"\]: not a number'),
        (RUN, {"q1": {7: 1, "7": 0}}, "document `7` appears twice for query `q1`"),
        (RUN, {"q1": {}}, "judgements"),
        (RUN, {"q1": ["b", "c"]}, r'qrels\["q1"\]: a list says no levels of relevance'),
        (RUN, {"q1": {"b": 1}, "q2": []}, r'qrels\["q2"\]: a list says no levels of relevance'),
        (RUN, {"q1": ("b", "c")}, r'qrels\["q1"\]: expected documents with their levels'),
        (RUN, None, "qrels: NoneType was given"),
        ({"q1": {}, "q2": {}}, QRELS, "run: there is no query"),
    ],
)
def test_what_nobody_means_is_refused_by_its_place(run, qrels, place):
    with pytest.raises(BadInput, match=place):
        assize.score(run, qrels, ["mrr"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"k": 0}, "^k: .*0"),
        ({"resamples": -1}, "^resamples: .*-1"),
        ({"resamples": 2.5}, "^resamples: .*2.5"),
        ({"seed": "one"}, "^seed: .*one"),
        ({"confidence": float("nan")}, r"options\['confidence'\]: nan is not a number"),
        ({"confidence": 95}, "^confidence: 95 is not between 0 and 1"),
        ({"measures": 10}, "^measures: int was given"),
        ({"measures": ["ndgc@10"]}, r"unknown measure `ndgc`; did you mean ndcg\?"),
        ({"ties": "random"}, "^ties: unknown variant `random`, expected one of `trec`"),
        ({"relevance_level": 10**12}, "^relevance_level: "),
    ],
)
def test_an_option_that_cannot_be_is_refused_by_its_name(options, message):
    with pytest.raises(BadInput, match=message):
        assize.score(RUN, QRELS, **options)


def test_files_of_passages_are_refused_with_line_and_column(tmp_path):
    (tmp_path / "gold.json").write_text('[\n{"question": "Why?",}]')
    with pytest.raises(BadInput, match="gold: not JSON: .*line 2 column"):
        assize.score_passages([{"question": "Why?", "passages": ["a"]}], tmp_path / "gold.json")


def test_the_run_of_a_comparison_is_named():
    with pytest.raises(BadInput, match=r'runs\["new"\]\["q1"\]\["a"\]: NaN'):
        assize.compare({"old": RUN, "new": {"q1": {"a": float("nan")}}}, QRELS)
    with pytest.raises(BadInput, match=r'runs\["new"\]: there is no query'):
        assize.compare({"old": RUN, "new": {}}, QRELS)


def test_text_and_numbers_of_other_kinds_mean_what_they_say():
    # q1: b stands second; by whole numbers, by numbers that convert themselves, by text of a kind.
    assert mrr({"q1": {"a": 3, "b": 2}}) == 0.5
    assert mrr({"q1": {"a": Number(3.0), "b": Number(2.0)}}) == 0.5
    assert mrr({Name("q1"): {Name("a"): 3.0, Name("b"): 2.0}}) == 0.5
    assert mrr({"q1": {Place.FIRST: 3.0, Place.SECOND: 2.0}}) == 0.5
    assert mrr({"q1": {"a": float("inf"), "b": -float("inf")}}) == 0.5
    assert mrr({"q1": {"ä": 3.0, "日本": 2.0}}, {"q1": {"日本": 1}}) == 0.5
    assert mrr({1: {10: 3.0, "20": 2.0}}, {"1": {20: 1}}) == 0.5
    assert mrr({Whole(1): {Whole(10): 3.0, Whole(20): 2.0}}, {"1": {20: 1}}) == 0.5
    assert mrr({1: [Whole(10), Whole(20)]}, {"1": {"20": 1}}) == 0.5
    # Zero and minus zero tie, and the higher identifier stands first.
    assert mrr({"q1": {"a": 0.0, "b": -0.0}}) == 1.0


def test_whole_numbers_of_numpy_are_names_and_its_truths_are_not():
    import numpy as np

    for kind in (np.int64, np.int8, np.uint64):
        assert mrr({kind(1): {kind(10): 3.0, kind(20): 2.0}}, {"1": {"20": 1}}) == 0.5
        assert mrr({1: {10: 3.0, 20: 2.0}}, {kind(1): {kind(20): 1}}) == 0.5
    with pytest.raises(BadInput, match=r'run\["1"\]\["True"\]: a document'):
        mrr({1: {np.True_: 3.0}})
    with pytest.raises(BadInput, match=r'run\["1"\]\["1.0"\]: a document'):
        mrr({1: {np.float64(1.0): 3.0}})


def test_a_mapping_that_is_no_dict_may_hold_lists_where_a_dict_may():
    assert mrr(types.MappingProxyType({"q1": ["a", "b"]})) == 0.5
    with pytest.raises(BadInput, match=r'qrels\["q1"\]: a list'):
        mrr(RUN, types.MappingProxyType({"q1": ["a", "b"]}))


def test_single_precision_is_the_same_from_files_runs_and_dicts(tmp_path):
    # In single precision both scores are 1, and of equals the higher identifier stands first.
    run = {"q1": {"a": 1.00000001, "b": 1.0}}
    path = tmp_path / "run.trec"
    path.write_text("q1 Q0 a 0 1.00000001 tag\nq1 Q0 b 0 1.0 tag\n")
    assert mrr(assize.Run(path)) == mrr(assize.Run(run)) == 0.5
    for given in (path, str(path), run, assize.Run(path), assize.Run(run)):
        assert mrr(assize.Run(given, single_precision=True)) == 1.0
    path.write_bytes(b"q1 Q0 \xff 0 1.0 tag\n")
    with pytest.raises(BadInput, match="not UTF-8, which single_precision needs"):
        assize.Run(path, single_precision=True)


def test_the_extension_keeps_the_interpreters_lock():
    # A Python without the lock takes it back when an extension is loaded that says it needs it.
    assert getattr(sys, "_is_gil_enabled", lambda: True)()


def test_a_query_without_documents_is_one_that_was_not_answered():
    scored = assize.score({"q1": {"b": 1.0}, "q2": {}}, QRELS, ["mrr"])
    assert scored.queries == ["q1"] and scored.mean == {"mrr": 1.0}
    assert "q2" in scored.notices[0]


def test_a_dict_that_changes_while_it_is_read_is_an_error():
    documents = {"a": 1.0}

    class Changing(Number):
        def __float__(self):
            documents.clear()
            return self.value

    documents.update({"b": Changing(2.0), "c": 3.0})
    with pytest.raises(RuntimeError, match="changed size"):
        mrr({"q1": documents})


def test_many_documents_rank_as_python_sorts_them():
    # More judged documents than are counted one by one, and ties; the rule of trec_eval.
    run = {f"d{number:04}": float(number * 7919 % 50) for number in range(3000)}
    judged = {f"d{number:04}": 1 for number in range(0, 3000, 2)}
    order = sorted(run, key=lambda name: (run[name], name), reverse=True)
    ranks = [rank for rank, name in enumerate(order, start=1) if name in judged]
    expected = sum(hits / rank for hits, rank in enumerate(ranks, start=1)) / len(ranks)
    scored = assize.score({"q": run}, {"q": judged}, ["map", "num_rel_ret"])
    assert scored["map"] == pytest.approx(expected, abs=1e-12)
    assert scored["num_rel_ret"] == 1500


def test_frames_with_mixed_kinds_are_refused_by_their_column():
    import pandas as pd

    mixed = pd.DataFrame({"query": ["q1", 1], "document": ["a", "b"], "score": [1.0, 2.0]})
    with pytest.raises(BadInput, match="run: .*query"):
        mrr(mixed)
    empty = pd.DataFrame({"query": [], "document": [], "score": []})
    with pytest.raises(BadInput, match="run: the table is empty"):
        mrr(empty)
    missing = pd.DataFrame({"query": ["q1", None], "document": ["a", "b"], "score": [1.0, 2.0]})
    with pytest.raises(BadInput, match="run: row 1, column `query`: null"):
        mrr(missing)
    gold = pd.DataFrame({"query": ["q1", "q1"], "document": ["a", "b"], "relevance": [1.0, 0.5]})
    with pytest.raises(BadInput, match="qrels: row 1, column `relevance`: a level"):
        mrr(RUN, gold)


def test_threads_score_side_by_side():
    found = []
    work = lambda: found.append(assize.score(RUN, QRELS, ["mrr"]).mean)
    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [{"mrr": 0.75}] * 8


def test_a_fork_scores():
    assert mrr(RUN) == 0.75
    child = os.fork()
    if child == 0:
        os._exit(0 if mrr(RUN) == 0.75 else 1)
    for _ in range(600):
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            assert os.waitstatus_to_exitcode(status) == 0
            return
        time.sleep(0.05)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    pytest.fail("the child hangs")


def test_ctrl_c_ends_a_score_in_the_middle():
    # More resamples than anybody waits for; the process ends at once and takes the work with it.
    code = """
import os, signal
import assize
signal.signal(signal.SIGINT, signal.default_int_handler)  # also where tests run in the background
run = {f"q{query}": {f"d{number}": float(number) for number in range(9)} for query in range(2000)}
qrels = {query: {"d1": 1, "d7": 1} for query in run}
print("begun", flush=True)
try:
    assize.score(run, qrels, ["map"], resamples=5_000_000)
except KeyboardInterrupt:
    print("interrupted", flush=True)
    os._exit(0)
"""
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "begun\n"
    time.sleep(1.0)
    child.send_signal(signal.SIGINT)
    begun = time.monotonic()
    try:
        said, _ = child.communicate(timeout=30)
    finally:
        child.kill()
    assert said == "interrupted\n" and time.monotonic() - begun < 5.0
