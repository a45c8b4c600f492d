"""The adapter with the real DeepEval."""

import os

import pytest

os.environ.setdefault("DEEPEVAL_TELEMETRY_OPT_OUT", "YES")

from deepeval.metrics import BaseMetric  # noqa: E402
from deepeval.test_case import LLMTestCase  # noqa: E402

from assize.integrations.deepeval import summary_metric  # noqa: E402

ARTICLE = "The council approved the bridge on Monday. It will cost 12 million euros."


def test_a_metric_is_one_of_deepevals():
    metric = summary_metric("hallucination", threshold=0.7)
    assert isinstance(metric, BaseMetric)
    case = LLMTestCase(input=ARTICLE, actual_output="The council approved the bridge on Monday.")
    assert 0.7 <= metric.measure(case) <= 1
    assert metric.is_successful() and "hallucination" in metric.reason
    bad = LLMTestCase(input=ARTICLE, actual_output="The council rejected the bridge. It costs 90 million.")
    assert metric.measure(bad) < 0.7 and not metric.is_successful()


def test_deepeval_asserts_with_it():
    from deepeval import assert_test

    metric = summary_metric("hallucination", threshold=0.7)
    case = LLMTestCase(input=ARTICLE, actual_output="The council approved the bridge on Monday.")
    assert_test(case, [metric], run_async=False)


def test_no_score_is_an_error_and_not_zero():
    metric = summary_metric("coverage")
    with pytest.raises(ValueError, match="unscored"):
        metric.measure(LLMTestCase(input=ARTICLE, actual_output=""))
    assert metric.score is None


def test_deepevals_defaults_copy_the_metric_and_keep_its_threshold():
    from deepeval import assert_test, evaluate

    case = LLMTestCase(input=ARTICLE, actual_output="The council approved the bridge on Monday.")
    bad = LLMTestCase(input=ARTICLE, actual_output="The council rejected the bridge. It costs 90 million.")
    metric = summary_metric("hallucination", threshold=0.7)
    assert_test(case, [metric])
    with pytest.raises(AssertionError, match="Assize hallucination"):
        assert_test(bad, [metric])
    found = evaluate([case, bad], [metric]).test_results
    assert sorted(result.success for result in found) == [False, True]
    measured = [result.metrics_data[0] for result in found]
    assert {data.threshold for data in measured} == {0.7}
    assert all("hallucination" in data.reason for data in measured)
