"""Inspect: a scorer that compares the output with the article in the sample's input.

    from assize.integrations.inspect_ai import summary_scorer
    Task(dataset=…, scorer=summary_scorer("hallucination"))
"""

from __future__ import annotations

import importlib
from typing import Any

from ..errors import BadInput
from ..summary import METRICS, score

__all__ = ["summary_scorer"]


def summary_scorer(metric: str = "hallucination", *, framework: str | None = None) -> Any:
    """A scorer of one metric, from 0 to 1; an unscored output counts in no mean."""
    if metric not in METRICS:
        raise BadInput(f"metric: `{metric}` is not one of {', '.join(METRICS)}")
    inspect: Any = importlib.import_module("inspect_ai.scorer")

    @inspect.scorer(metrics=[inspect.mean(), inspect.stderr()], name=f"assize_{metric}")  # type: ignore[untyped-decorator, unused-ignore]
    def made() -> Any:
        async def scored(state: Any, target: Any) -> Any:
            article = getattr(state, "input_text", None) or str(state.input)
            found = score(article, state.output.completion, framework=framework)
            value = found.scores[metric]
            if value is None:
                return _unscored(inspect.Score, state.output.completion, found.reason)
            return inspect.Score(
                value=value / 10,
                answer=state.output.completion,
                explanation=found.ledger,
                metadata={"scores": found.scores},
            )

        return scored

    return made()


def _unscored(kind: Any, answer: str, reason: str | None) -> Any:
    if hasattr(kind, "unscored"):
        return kind.unscored(answer=answer, explanation=reason, reason="unscored")
    # Before it had a name it was NaN all the same; NOANSWER would count as 0.
    return kind(value=float("nan"), answer=answer, explanation=reason)
