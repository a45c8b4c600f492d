"""Ctrl-C: what is abandoned holds nothing up, and whatever is read can be abandoned."""

import os
import signal
import subprocess
import sys
import time

import pyarrow as pa
import pytest

import assize

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes that have a name")

#: Waits for a pipe that nobody writes, is interrupted, and scores something else.
CODE = """
import os, signal, sys, threading
os.environ["RAYON_NUM_THREADS"] = "1"
import assize
signal.signal(signal.SIGINT, signal.default_int_handler)
pipe, judged = sys.argv[1:]
read = {
    "score": lambda: assize.score(pipe, judged, ["mrr"]),
    "run": lambda: assize.Run(pipe),
    "qrels": lambda: assize.Qrels(pipe),
    "mixed": lambda: assize.score(pipe, {"q": {"a": 1}}, ["mrr"]),
}["HOW"]
threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    read()
except KeyboardInterrupt:
    print("interrupted", flush=True)
print(assize.score({"q": {"a": 1.0}}, {"q": {"a": 1}}, ["mrr"])["mrr"], flush=True)
os._exit(0)  # a thread still waits for the pipe
"""


@pytest.mark.parametrize("how", ["score", "run", "qrels", "mixed"])
def test_ctrl_c_leaves_a_file_and_the_next_score_does_not_wait_for_it(tmp_path, how):
    pipe, judged = tmp_path / "run.json", tmp_path / "qrels.json"
    os.mkfifo(pipe)
    judged.write_text('{"q": {"a": 1}}')
    command = [sys.executable, "-c", CODE.replace("HOW", how), str(pipe), str(judged)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    assert done.stdout == "interrupted\n1.0\n", done.stderr


def test_signals_are_looked_at_while_a_table_is_read():
    rows = 2_000_000
    name = pa.DictionaryArray.from_arrays(pa.array([0] * rows, pa.int8()), pa.array(["q"]))
    score = pa.array([1.0] * rows)
    table = pa.table({"query": name, "document": pa.array(range(rows)), "score": score})
    noticed = []
    before = signal.signal(signal.SIGALRM, lambda *_: noticed.append(time.monotonic()))
    try:
        # By the kernel: no thread of Python runs while the table is read.
        signal.setitimer(signal.ITIMER_REAL, 0.01)
        begun = time.monotonic()
        assize.Run(table)
        ended = time.monotonic()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    # A reader that looks at none leaves it to Python, after the end.
    assert noticed[0] - begun < 0.9 * (ended - begun)
