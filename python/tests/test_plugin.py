"""The pytest plugin: every check has its baseline, and a threshold that checks nothing is refused."""

import json

import pytest

from assize import pytest_plugin
from assize._baseline import SEEN, Baseline

pytest_plugins = ["pytester"]

TESTS = """
    RUN = {"q1": {"a": 2.0, "b": 1.0}}
    BEST = {"q1": {"b": 2.0}}
    QRELS = {"q1": {"b": 1}}

    def test_two(assize_check):
        assize_check.score(RUN, QRELS, {"mrr": 0.0})
        assize_check.score(BEST, QRELS, {"mrr": 0.0})

    def test_other(assize_check):
        assize_check.score(RUN, QRELS, {"mrr": 0.0})
"""
UPDATE = ["-q", "--assize-baseline", "base.json", "--assize-update-baseline"]
CHECK = ["-q", "--assize-baseline", "base.json"]
ALL = {"test_it.py::test_two": {"mrr": 0.5}, "test_it.py::test_two #2": {"mrr": 1.0},
       "test_it.py::test_other": {"mrr": 0.5}}


@pytest.fixture
def base(pytester):
    pytester.makepyfile(test_it=TESTS)
    return pytester.path / "base.json"


def test_each_check_of_a_test_has_a_value_of_its_own(pytester, base):
    pytester.runpytest_subprocess(*UPDATE).assert_outcomes(passed=2)
    assert json.loads(base.read_text()) == ALL
    pytester.runpytest_subprocess(*CHECK).assert_outcomes(passed=2)
    # The second check of the first test falls to 1/2, which the first one is allowed to have.
    pytester.makepyfile(test_it=TESTS.replace('BEST = {"q1": {', 'BEST = {"q1": {"a": 3.0, '))
    failed = pytester.runpytest_subprocess(*CHECK)
    failed.assert_outcomes(passed=1, failed=1)
    failed.stdout.fnmatch_lines(["*FAIL mrr 0.5000 < 1.0000 (baseline)*"])


def test_a_file_with_one_value_a_test_is_still_read(pytester, base):
    base.write_text('{"test_it.py::test_other": {"mrr": 0.75}}')
    failed = pytester.runpytest_subprocess(*CHECK)
    failed.assert_outcomes(passed=1, failed=1)
    failed.stdout.fnmatch_lines(["*FAIL mrr 0.5000 < 0.7500 (baseline)*"])


def test_a_file_with_one_entry_for_all_checks_of_a_test_is_still_read(pytester, base):
    pytester.makepyfile(
        test_it="""
        RUN, QRELS = {"q": {"a": 2.0, "b": 1.0}}, {"q": {"b": 1}}
        def test_both(assize_check):
            assize_check.score(RUN, QRELS, {"mrr": 0})
            assize_check.score(RUN, QRELS, {"map": 0})
        """
    )
    base.write_text('{"test_it.py::test_both": {"mrr": 0.5, "map": 0.9}}')
    failed = pytester.runpytest_subprocess(*CHECK)
    failed.stdout.fnmatch_lines(["*FAIL map 0.5000 < 0.9000 (baseline)*"])


def test_measures_of_passages_have_thresholds(pytester):
    pytester.makepyfile(
        test_it="""
        import json
        def test_passages(assize_check, tmp_path):
            one, other = tmp_path / "p.json", tmp_path / "g.json"
            one.write_text(json.dumps([{"query": "q", "retrieved_passages": ["a b c"]}]))
            other.write_text(json.dumps({"tests": [{"query": "q", "snippets": [{"answer": "a b c"}]}]}))
            assize_check.score(str(one), str(other), {"exact_match": 1.0, "span_f1": 0.9})
        """
    )
    pytester.runpytest_subprocess().assert_outcomes(passed=1)


def test_an_update_keeps_the_values_of_tests_that_did_not_run(pytester, base):
    pytester.runpytest_subprocess(*UPDATE).assert_outcomes(passed=2)
    for words in (["-k", "other"], ["--collect-only"], ["-k", "nothing"]):
        pytester.runpytest_subprocess(*UPDATE, *words)
        assert json.loads(base.read_text()) == ALL, words
    pytester.makepyfile(test_it="def broken(:")
    pytester.runpytest_subprocess(*UPDATE)
    assert json.loads(base.read_text()) == ALL
    # A test that ran says anew what it checks.
    pytester.makepyfile(test_it=TESTS.replace("assize_check.score(BEST", "dict(run=BEST) or (lambda *a: a)(BEST"))
    pytester.runpytest_subprocess(*UPDATE).assert_outcomes(passed=2)
    assert json.loads(base.read_text()) == {key: ALL[key] for key in ALL if "#" not in key}


def test_nothing_is_written_where_nothing_ran(pytester, base):
    pytester.runpytest_subprocess(*UPDATE, "--collect-only")
    assert not base.exists()


def test_workers_of_xdist_hand_their_values_over(pytester, base):
    pytest.importorskip("xdist")
    pytester.runpytest_subprocess(*UPDATE, "-n", "2").assert_outcomes(passed=2)
    assert json.loads(base.read_text()) == ALL


def test_what_workers_hand_over_is_written(tmp_path):
    # As pytest-xdist calls it, for where it is not installed.
    path = tmp_path / "base.json"
    baseline = Baseline(str(path), True)
    workers = pytest_plugin._Workers(baseline)
    for number in range(2):
        node = type("Node", (), {"workeroutput": {SEEN: json.dumps({f"test_{number}": {"mrr": 0.5}})}})
        workers.pytest_testnodedown(node=node)
    workers.pytest_testnodedown(node=object())
    baseline.write()
    assert json.loads(path.read_text()) == {"test_0": {"mrr": 0.5}, "test_1": {"mrr": 0.5}}


@pytest.mark.parametrize("content", ["{", "[]", '{"test": 3}', '{"test": {"mrr": "high"}}'])
def test_a_file_that_is_no_baseline_is_a_usage_error(pytester, base, content):
    base.write_text(content)
    for words in (CHECK, UPDATE):
        found = pytester.runpytest_subprocess(*words)
        assert found.ret == pytest.ExitCode.USAGE_ERROR
        assert "--assize-baseline base.json: " in found.stderr.str()
    assert base.read_text() == content


def test_an_update_needs_a_file(pytester, base):
    found = pytester.runpytest_subprocess("-q", "--assize-update-baseline")
    assert found.ret == pytest.ExitCode.USAGE_ERROR
    assert "--assize-baseline FILE is needed" in found.stderr.str()


SCORE = 'score({"q1": {"b": 2.0}}, {"q1": {"b": 1}}, %s)'
SUMMARY = 'summary("The bridge opens in 2027.", "The bridge opens.", %s)'


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (SCORE % '{"mrr": float("nan")}', "thresholds['mrr']: nan is not a number"),
        (SCORE % '{"mrr": "0.5"}', "thresholds['mrr']: '0.5' is not a number"),
        (SCORE % "{}", "thresholds: {} checks nothing"),
        (SCORE % '["mrr"]', "thresholds: ['mrr'] checks nothing"),
        (SCORE % '{"official": 0.1}', "thresholds: `official` is 29 measures"),
        (SCORE % '{"recall": 0.1}', "thresholds: `recall` is 9 measures"),
        (SUMMARY % '{"halucination": 7}', "thresholds: `halucination` is not one of coverage"),
        (SUMMARY % "{}", "thresholds: {} checks nothing"),
    ],
)
def test_thresholds_that_check_nothing_are_refused_by_name(pytester, call, message):
    pytester.makepyfile(f"def test_it(assize_check):\n    assize_check.{call}\n")
    found = pytester.runpytest_subprocess("-q")
    found.assert_outcomes(failed=1)
    assert f"BadInput: {message}" in found.stdout.str()
