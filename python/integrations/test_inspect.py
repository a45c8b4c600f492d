"""The adapter with the real Inspect: a task of two samples with a model that is none."""

from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput, ModelUsage, get_model

from assize.integrations.inspect_ai import summary_scorer

ARTICLE = "The council approved the bridge on Monday. It will cost 12 million euros."


def test_inspect_scores_a_task_with_it(tmp_path):
    said = "The council approved the bridge on Monday."
    output = ModelOutput.from_content("mockllm/model", said)
    output.usage = ModelUsage()  # or tokens are counted with a vocabulary from the internet
    model = get_model("mockllm/model", custom_outputs=[output])
    task = Task(dataset=[Sample(input=ARTICLE, target="")], scorer=summary_scorer("hallucination"))
    log = eval(task, model=model, log_dir=str(tmp_path), display="none")[0]
    assert log.status == "success", log.error
    score = next(iter(log.samples[0].scores.values()))
    assert 0.5 < score.value <= 1 and "hallucination" in score.explanation
