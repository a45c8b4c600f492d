"""ragas: a metric whose ``ascore`` gives a ``MetricResult``.

    from assize.integrations.ragas import summary_metric
    result = await summary_metric("hallucination").ascore(article=article, summary=summary)
"""

from __future__ import annotations

import importlib
from typing import Any

from ..errors import BadInput
from ..summary import METRICS, score

__all__ = ["summary_metric"]


def summary_metric(metric: str = "hallucination", *, framework: str | None = None) -> Any:
    """A numeric metric from 0 to 1; ``value`` is None where there is no score."""
    if metric not in METRICS:
        raise BadInput(f"metric: `{metric}` is not one of {', '.join(METRICS)}")
    results: Any = importlib.import_module("ragas.metrics.result").MetricResult
    numeric: Any = importlib.import_module("ragas.metrics").numeric_metric

    def scored(article: str, summary: str) -> Any:
        found = score(article, summary, framework=framework)
        value = found.scores[metric]
        return results(
            value=None if value is None else value / 10, reason=found.reason or found.ledger
        )

    made = numeric(name=f"assize_{metric}", allowed_values=(0.0, 1.0))(scored)
    checked = made.validate_result_value
    # None is out of the range for ragas, which would put a reason of its own in place of ours.
    made.validate_result_value = lambda value: None if value is None else checked(value)
    return made
