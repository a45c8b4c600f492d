"""DeepEval: a metric that needs no model.

    from assize.integrations.deepeval import summary_metric
    metric = summary_metric("hallucination", threshold=0.7)
    metric.measure(LLMTestCase(input=article, actual_output=summary))
"""

from __future__ import annotations

import importlib
from typing import Any

from ..errors import BadInput
from ..summary import METRICS, score

__all__ = ["summary_metric"]


def summary_metric(
    metric: str = "hallucination", *, threshold: float = 0.5, framework: str | None = None
) -> Any:
    """A ``BaseMetric`` of one metric, from 0 to 1; ``input`` is the article."""
    if metric not in METRICS:
        raise BadInput(f"metric: `{metric}` is not one of {', '.join(METRICS)}")
    base: Any = importlib.import_module("deepeval.metrics").BaseMetric

    def measure(self: Any, test_case: Any, *args: Any, **kwargs: Any) -> float:
        scored = score(test_case.input, test_case.actual_output, framework=framework)
        value = scored.scores[metric]
        self.error = None
        if value is None:
            self.score, self.success = None, False
            self.error = self.reason = f"unscored: {scored.reason}"
            raise BadInput(self.reason)
        self.score = value / 10
        self.success = self.score >= self.threshold
        self.reason = scored.ledger
        return float(self.score)

    def begin(self: Any, threshold: float = threshold) -> None:
        # DeepEval copies a metric for each test case by the names of these arguments.
        self.threshold = threshold
        self.async_mode = False
        self.include_reason = True

    async def a_measure(self: Any, test_case: Any, *args: Any, **kwargs: Any) -> float:
        return measure(self, test_case)

    return type(
        "AssizeMetric",
        (base,),
        {
            "__init__": begin,
            "measure": measure,
            "a_measure": a_measure,
            "is_successful": lambda self: bool(self.success),
            "__name__": property(lambda self: f"Assize {metric}"),
        },
    )()
