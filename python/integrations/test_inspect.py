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


def test_an_unscored_output_counts_in_no_mean(tmp_path):
    outputs = []
    for said in ("The council approved the bridge on Monday.", ""):
        output = ModelOutput.from_content("mockllm/model", said)
        output.usage = ModelUsage()
        outputs.append(output)
    model = get_model("mockllm/model", custom_outputs=outputs)
    samples = [Sample(input=ARTICLE, target="") for _ in outputs]
    task = Task(dataset=samples, scorer=summary_scorer("hallucination"))
    log = eval(task, model=model, log_dir=str(tmp_path), display="none", max_samples=1)[0]
    assert log.status == "success", log.error
    scores = [next(iter(sample.scores.values())) for sample in log.samples]
    scored = next(score for score in scores if score.value == score.value)
    unscored = next(score for score in scores if score.value != score.value)
    assert unscored.explanation
    # The mean of one value is that value; with the other as 0 it would be half of it.
    assert log.results.scores[0].metrics["mean"].value == scored.value > 0.5


def test_an_older_inspect_gets_what_its_means_leave_out():
    from assize.integrations.inspect_ai import _unscored

    class Older:
        def __init__(self, **given):
            self.__dict__.update(given)

    made = _unscored(Older, "said", "empty_summary")
    assert made.value != made.value and made.explanation == "empty_summary"
