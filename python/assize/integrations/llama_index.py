"""LlamaIndex: an evaluator of what was said against the contexts it was made from.

    from assize.integrations.llama_index import summary_evaluator
    result = summary_evaluator("hallucination").evaluate(response=summary, contexts=[article])
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any

from ..errors import BadInput
from ..summary import METRICS, score

__all__ = ["summary_evaluator"]


def summary_evaluator(
    metric: str = "hallucination", *, threshold: float = 0.5, framework: str | None = None
) -> Any:
    """A ``BaseEvaluator`` of one metric, from 0 to 1; an unscored response is an invalid result.

    The contexts together are the article; ``evaluate_response`` takes them from the nodes of the
    response.
    """
    if metric not in METRICS:
        raise BadInput(f"metric: `{metric}` is not one of {', '.join(METRICS)}")
    base: Any = importlib.import_module("llama_index.core.evaluation").BaseEvaluator
    result: Any = importlib.import_module("llama_index.core.evaluation").EvaluationResult

    async def aevaluate(
        self: Any,
        query: str | None = None,
        response: str | None = None,
        contexts: Sequence[str] | None = None,
        **more: Any,
    ) -> Any:
        if not contexts or isinstance(contexts, str):
            raise BadInput("contexts: a list of texts is needed, which together are the article")
        if response is None:
            raise BadInput("response: the text that is judged is missing")
        scored = score("\n\n".join(contexts), response, framework=framework)
        value = scored.scores[metric]
        given = {"query": query, "response": response, "contexts": contexts}
        if value is None:
            return result(**given, invalid_result=True, invalid_reason=f"unscored: {scored.reason}")
        return result(
            **given, score=value / 10, passing=value / 10 >= threshold, feedback=scored.ledger
        )

    return type(
        "AssizeEvaluator",
        (base,),
        {
            "aevaluate": aevaluate,
            # It asks no model, so there is nothing to show or to change.
            "_get_prompts": lambda self: {},
            "_update_prompts": lambda self, prompts: None,
        },
    )()
