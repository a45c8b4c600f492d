"""The installed package: command line, import time, size, types, and the pytest plugin."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import assize

COMMAND = Path(sys.executable).with_name("assize")
pytest_plugins = ["pytester"]


def run(*words, **more):
    return subprocess.run([COMMAND, *words], capture_output=True, text=True, timeout=60, **more)


def test_the_command_line_is_inside():
    assert run("--version").stdout.strip() == f"assize {assize.__version__}"
    demo = run("demo")
    assert demo.returncode == 0 and "ndcg" in demo.stdout.lower()
    assert subprocess.run(
        [sys.executable, "-m", "assize", "--version"], capture_output=True
    ).returncode == 0


def test_exit_codes_are_those_of_the_binary(tmp_path):
    wrong = run("score", "--no-such-flag")
    assert wrong.returncode == 2 and "--no-such-flag" in wrong.stderr
    missing = run("score", str(tmp_path / "a.trec"), str(tmp_path / "b.trec"))
    assert missing.returncode == 2 and "a.trec" in missing.stderr
    (tmp_path / "run.json").write_text('{"q": {"a": 1.0}}')
    (tmp_path / "qrels.json").write_text('{"q": {"b": 1, "a": 0}}')
    missed = run("score", "run.json", "qrels.json", "-m", "mrr", "--fail-under", "mrr=0.5", cwd=tmp_path)
    assert missed.returncode == 1 and "FAIL mrr" in missed.stdout + missed.stderr


def test_ctrl_c_ends_a_command(tmp_path):
    fifo = tmp_path / "run.json"
    os.mkfifo(fifo)
    (tmp_path / "qrels.json").write_text('{"q": {"b": 1}}')
    command = subprocess.Popen([COMMAND, "score", str(fifo), str(tmp_path / "qrels.json")])
    time.sleep(0.5)
    command.send_signal(signal.SIGINT)
    assert command.wait(timeout=10) in (-signal.SIGINT, 130)


def test_the_import_is_light():
    code = (
        "import time; begun = time.perf_counter(); import assize; "
        "print(time.perf_counter() - begun)"
    )
    taken = min(
        float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout)
        for _ in range(10)
    )
    assert taken < 0.050, f"{taken * 1000:.0f} ms"


def test_nothing_else_is_imported():
    code = (
        "import sys, assize, assize.summary, assize.council, assize.compliance\n"
        "heavy = {'numpy', 'pandas', 'pyarrow', 'pytest', 'pyspark', 'ray'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert found.stdout.strip() == "[]", found.stderr


def test_types_are_shipped_and_complete(tmp_path):
    folder = Path(assize.__file__).parent
    assert (folder / "py.typed").exists() and (folder / "_native.pyi").exists()
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--no-incremental", "-p", "assize"],
        capture_output=True, text=True, cwd=tmp_path,
    )
    assert checked.returncode == 0, checked.stdout
    checked = subprocess.run(
        [sys.executable, "-m", "pyright", "--pythonpath", sys.executable, folder],
        capture_output=True, text=True, cwd=tmp_path,
    )
    assert checked.returncode == 0, checked.stdout


PLUGIN_TEST = """
    RUN = {"q1": {"a": 2.0, "b": 1.0}}
    QRELS = {"q1": {"b": 1}}

    def test_search(assize_check):
        assize_check.score(RUN, QRELS, {"mrr": THRESHOLD})
"""


def test_the_plugin_turns_thresholds_into_assertions(pytester):
    pytester.makepyfile(PLUGIN_TEST.replace("THRESHOLD", "0.5"))
    pytester.runpytest_subprocess("-q").assert_outcomes(passed=1)
    pytester.makepyfile(PLUGIN_TEST.replace("THRESHOLD", "0.9"))
    failed = pytester.runpytest_subprocess("-q")
    failed.assert_outcomes(failed=1)
    failed.stdout.fnmatch_lines(["*FAIL mrr 0.5000 < 0.9000*", "*Query q1*"])


def test_the_plugin_compares_with_a_baseline(pytester):
    pytester.makepyfile(test_it=PLUGIN_TEST.replace("THRESHOLD", "0.0"))
    missing = pytester.runpytest_subprocess("-q", "--assize-baseline", "base.json")
    assert missing.ret != 0
    written = ["-q", "--assize-baseline", "base.json", "--assize-update-baseline"]
    pytester.runpytest_subprocess(*written).assert_outcomes(passed=1)
    pytester.runpytest_subprocess("-q", "--assize-baseline", "base.json").assert_outcomes(passed=1)
    worse = PLUGIN_TEST.replace("THRESHOLD", "0.0").replace('"a": 2.0', '"a": 2.0, "c": 1.5')
    pytester.makepyfile(test_it=worse)
    failed = pytester.runpytest_subprocess("-q", "--assize-baseline", "base.json")
    failed.assert_outcomes(failed=1)
    failed.stdout.fnmatch_lines(["*FAIL mrr 0.3333 < 0.5000 (baseline)*"])


def test_summaries_and_texts_are_checked(pytester):
    pytester.makepyfile(
        """
        ARTICLE = "The bridge opens in 2027. It costs 12 million euros."

        def test_fine(assize_check):
            assize_check.summary(ARTICLE, "The bridge opens in 2027.", {"hallucination": 5})
            assize_check.gate("Bread is baked at 220 degrees.")

        def test_no_score_is_no_pass(assize_check):
            assize_check.summary(ARTICLE, "", {"hallucination": 0})
        """
    )
    found = pytester.runpytest_subprocess("-q")
    found.assert_outcomes(passed=1, failed=1)
    found.stdout.fnmatch_lines(["*FAIL hallucination has no score*"])
