"""The adapter with the real openevals: its own wrapper runs an evaluator of ours."""

import pytest

from assize.errors import BadInput
from assize.integrations.openevals import summary_evaluator

ARTICLE = "The council approved the bridge on Monday. It will cost 12 million euros."


def test_an_evaluator_gives_what_openevals_expects():
    from openevals.types import EvaluatorResult

    evaluator = summary_evaluator("hallucination")
    good = evaluator(inputs=ARTICLE, outputs="The bridge will cost 12 million euros.")
    bad = evaluator(inputs=ARTICLE, outputs="The council rejected the bridge. It costs 90 million.")
    assert set(EvaluatorResult.__annotations__) >= {"key", "score", "comment"}
    assert good["key"] == "assize_hallucination"
    assert 0 <= bad["score"] < good["score"] <= 1


def test_messages_are_read_and_no_score_stays_none():
    evaluator = summary_evaluator("coverage")
    found = evaluator(inputs={"article": ARTICLE}, outputs=[{"role": "assistant", "content": ""}])
    assert found["score"] is None and found["comment"]
    with pytest.raises(BadInput, match="metric"):
        summary_evaluator("beauty")
    with pytest.raises(BadInput, match="outputs"):
        evaluator(inputs=ARTICLE, outputs=3)


def test_openevals_runs_it_as_one_of_its_own():
    from openevals.utils import _run_evaluator

    def scorer(*, inputs, outputs, **kwargs):
        return summary_evaluator("hallucination")(inputs=inputs, outputs=outputs)["score"]

    result = _run_evaluator(
        run_name="assize",
        scorer=scorer,
        feedback_key="assize_hallucination",
        inputs=ARTICLE,
        outputs="The bridge will cost 12 million euros.",
    )
    assert result["key"] == "assize_hallucination" and 0 <= result["score"] <= 1
