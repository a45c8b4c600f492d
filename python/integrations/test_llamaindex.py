"""The adapter with the real LlamaIndex."""

import asyncio

import pytest
from llama_index.core.base.response.schema import Response
from llama_index.core.evaluation import BaseEvaluator, EvaluationResult
from llama_index.core.schema import NodeWithScore, TextNode

from assize.errors import BadInput
from assize.integrations.llama_index import summary_evaluator

CONTEXTS = ["The council approved the bridge on Monday.", "It will cost 12 million euros."]
GOOD = "The council approved the bridge on Monday."
BAD = "The council rejected the bridge. It costs 90 million."


def test_an_evaluator_is_one_of_llamaindexs():
    evaluator = summary_evaluator("hallucination", threshold=0.7)
    assert isinstance(evaluator, BaseEvaluator) and evaluator.get_prompts() == {}
    good = evaluator.evaluate(response=GOOD, contexts=CONTEXTS)
    assert isinstance(good, EvaluationResult)
    assert good.passing and 0.7 <= good.score <= 1 and "hallucination" in good.feedback
    bad = asyncio.run(evaluator.aevaluate(response=BAD, contexts=CONTEXTS))
    assert not bad.passing and bad.score < 0.7


def test_a_response_brings_its_contexts():
    nodes = [NodeWithScore(node=TextNode(text=text)) for text in CONTEXTS]
    evaluator = summary_evaluator("hallucination")
    found = evaluator.evaluate_response(response=Response(response=GOOD, source_nodes=nodes))
    assert found.score == evaluator.evaluate(response=GOOD, contexts=CONTEXTS).score


def test_no_score_is_an_invalid_result_and_not_zero():
    found = summary_evaluator("coverage").evaluate(response="", contexts=CONTEXTS)
    assert found.score is None and found.invalid_result
    assert found.invalid_reason.startswith("unscored")
    with pytest.raises(BadInput, match="contexts"):
        summary_evaluator().evaluate(response=GOOD)
    with pytest.raises(BadInput, match="metric"):
        summary_evaluator("beauty")
