"""promptfoo: a Python assertion is a file with ``get_assert(output, context)``.

    # assert.py, named in promptfooconfig.yaml as `type: python, value: file://assert.py`
    from assize.integrations.promptfoo import get_assert

The article is the variable ``article`` of the test (``config.article`` names another), the metric
``config.metric``, and the threshold ``config.threshold`` (0 to 1).
"""

from __future__ import annotations

from typing import Any

from ..errors import BadInput
from ..summary import METRICS, score

__all__ = ["get_assert"]

#: What a score must reach where the configuration says nothing.
THRESHOLD = 0.5


def get_assert(output: str, context: dict[str, Any]) -> dict[str, Any]:
    """Grades an output: ``pass``, ``score`` from 0 to 1, ``reason``."""
    config = context.get("config") or {}
    metric = config.get("metric", "hallucination")
    if metric not in METRICS:
        raise BadInput(f"config.metric: `{metric}` is not one of {', '.join(METRICS)}")
    name = config.get("article", "article")
    article = (context.get("vars") or {}).get(name)
    if not isinstance(article, str):
        raise BadInput(f"vars.{name}: no text; config.article names the variable")
    scored = score(article, output, framework=config.get("framework"))
    value = scored.scores[metric]
    if value is None:
        return {"pass": False, "score": 0.0, "reason": f"unscored: {scored.reason}"}
    threshold = float(config.get("threshold", THRESHOLD))
    return {
        "pass": value / 10 >= threshold,
        "score": value / 10,
        "reason": f"{metric} {value:.2f} of 10",
        "namedScores": {k: v / 10 for k, v in scored.scores.items() if v is not None},
    }
