"""openevals: an evaluator is a function of ``inputs``, ``outputs`` and ``reference_outputs``.

    from assize.integrations.openevals import summary_evaluator
    evaluator = summary_evaluator("hallucination")
    evaluator(inputs=article, outputs=summary)   # {"key", "score", "comment"}
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..summary import METRICS, score
from ..errors import BadInput

__all__ = ["summary_evaluator"]


def summary_evaluator(
    metric: str = "hallucination", *, framework: str | None = None
) -> Callable[..., dict[str, Any]]:
    """An evaluator of one metric, from 0 to 1; None with a comment where there is no score."""
    if metric not in METRICS:
        raise BadInput(f"metric: `{metric}` is not one of {', '.join(METRICS)}")

    def evaluator(
        *, inputs: Any, outputs: Any, reference_outputs: Any = None, **more: Any
    ) -> dict[str, Any]:
        scored = score(_text("inputs", inputs), _text("outputs", outputs), framework=framework)
        value = scored.scores[metric]
        return {
            "key": f"assize_{metric}",
            "score": None if value is None else value / 10,
            "comment": scored.reason or scored.ledger,
            "metadata": {"scores": scored.scores},
        }

    return evaluator


def _text(field: str, value: Any) -> str:
    """Text as it is, or the only text of a dict or of the last message."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        texts = [entry for entry in value.values() if isinstance(entry, str)]
        if len(texts) == 1:
            return texts[0]
        if "messages" in value:
            return _text(field, value["messages"])
        if isinstance(value.get("content"), str):
            return str(value["content"])
    if isinstance(value, list) and value:
        return _text(field, value[-1])
    content = getattr(value, "content", None)
    if isinstance(content, str):
        return content
    raise BadInput(f"{field}: no single text in {type(value).__name__}")
