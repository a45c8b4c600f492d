"""The adapter with the real ragas."""

import asyncio

from ragas.metrics.result import MetricResult

import assize
from assize.integrations.ragas import summary_metric

ARTICLE = "The council approved the bridge on Monday. It will cost 12 million euros."


def test_a_metric_scores_at_once_and_later():
    metric = summary_metric("hallucination")
    good = metric.score(article=ARTICLE, summary="The council approved the bridge on Monday.")
    assert isinstance(good, MetricResult) and 0.5 < good.value <= 1
    bad = asyncio.run(
        metric.ascore(article=ARTICLE, summary="The council rejected the bridge. It costs 90 million.")
    )
    assert isinstance(bad, MetricResult) and bad.value < good.value
    assert "hallucination" in bad.reason


def test_no_score_keeps_its_reason():
    metric = summary_metric("coverage")
    found = metric.score(article=ARTICLE, summary="")
    assert found.value is None and "expected a numeric value" not in found.reason
    assert found.reason == assize.summary.score(ARTICLE, "").reason
