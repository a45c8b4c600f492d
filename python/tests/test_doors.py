"""The cases of the doors' test through Python: what the command line prints is what it gives."""

import copy
import inspect
import json
import pathlib
import re
import subprocess
import sys

import pytest

import assize
from assize import compliance, council, summary
from assize.errors import BadInput, Refused

ROOT = pathlib.Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
CASES = json.loads((ROOT / "cases" / "doors" / "options.json").read_text())
REFUSALS = json.loads((ROOT / "cases" / "doors" / "refusals.json").read_text())
RUN = {
    "q1": {"a": 2.0, "b": 2.0, "c": 1.0, "unjudged": 3.0},
    "q2": {"a": 0.5, "d": 0.5, "b": 0.25},
    "q3": {"c": 1.0},
}
QRELS = {
    "q1": {"a": 1, "b": 2, "c": 0},
    "q2": {"d": 2, "b": 1, "a": 0},
    "q3": {"a": 1},
    "q4": {"a": 1},
}
SPELLED = {"relevance_level": "level"}
WORDS = {"best_sentence": "sentence", "whole_article": "literal"}


def flags(options):
    typed = []
    for name, value in options.items():
        typed.append("--" + SPELLED.get(name, name).replace("_", "-"))
        if isinstance(value, list):
            typed.append(",".join(str(one) for one in value))
        elif isinstance(value, dict):
            typed.append(",".join(f"{key}={one}" for key, one in value.items()))
        elif name == "safety_gate":
            typed[-1] += f"={str(value).lower()}"
        elif value is not True:
            typed.append(WORDS.get(value, str(value)))
    return typed


def printed(*words):
    command = [sys.executable, "-m", "assize", *map(str, words), "--format", "json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("options", CASES["ranked"], ids=json.dumps)
def test_ranked_documents(tmp_path, options):
    run, qrels = tmp_path / "run.json", tmp_path / "qrels.json"
    run.write_text(json.dumps(RUN))
    qrels.write_text(json.dumps(QRELS))
    expected = printed("score", run, qrels, *flags(options))
    assert assize.score(run, qrels, **options).to_dict() == expected


@pytest.mark.parametrize("case", CASES["disjoint"], ids=lambda case: case["words"])
def test_what_shares_nothing_is_refused(tmp_path, case):
    values = case["predictions"], case["gold"]
    score = assize.score_passages if "tests" in case["gold"] else assize.score
    with pytest.raises(BadInput, match=re.escape(case["words"])):
        score(*values)
    files = tmp_path / "run.json", tmp_path / "gold.json"
    for file, value in zip(files, values, strict=True):
        file.write_text(json.dumps(value))
    with pytest.raises(BadInput, match=re.escape(case["words"])):
        score(*files)


@pytest.mark.parametrize("options", CASES["passages"], ids=json.dumps)
def test_passages(options):
    files = EXAMPLES / "retrieval" / "keyword.json", EXAMPLES / "retrieval" / "gold.json"
    expected = printed("score", *files, *flags(options))
    values = [json.loads(file.read_text()) for file in files]
    assert assize.score_passages(*values, **options).to_dict() == expected


@pytest.mark.parametrize("options", CASES["summaries"], ids=json.dumps)
def test_summaries(options):
    files = EXAMPLES / "summary" / "article.txt", EXAMPLES / "summary" / "bad.txt"
    words = ["summary", "score", "--article", files[0], "--summary", files[1], "--explain"]
    expected = printed(*words, *flags(options))
    # Rules are the only judge here, and they answer once; how they read questions is not offered.
    if "qag" in options:
        pytest.skip("not an option of Python")
    model_only = ("judge", "samples", "repeat")
    options = {key: value for key, value in options.items() if key not in model_only}
    scored = summary.score(*(file.read_text() for file in files), **options)
    assert scored.to_dict(explain=True) == expected


def comparable(run):
    """What two evaluations share: not the run's id, not how long somebody worked on it, and not the
    set, which nothing is stored under here."""
    apart = ("run", "seconds", "judged", "document_set")
    return {field: value for field, value in run.items() if field not in apart}


@pytest.mark.parametrize("options", CASES["compliance"], ids=json.dumps)
def test_documents_against_criteria(tmp_path, options):
    files = EXAMPLES / "compliance" / "access-policy.md", EXAMPLES / "compliance" / "criteria.csv"
    words = ["evaluate", files[0], "--criteria", files[1], "--allow-unscored"]
    expected = printed(*words, "--database", tmp_path / "a.db", *flags(options))
    # Only models are shown a part of a document, or asked again.
    model_only = ("context_tokens", "repeat")
    options = {key: value for key, value in options.items() if key not in model_only}
    found = compliance.evaluate(files[0], files[1], **options).to_dict()
    assert comparable(found) == comparable(expected)


@pytest.mark.parametrize("options", CASES["councils"], ids=json.dumps)
def test_councils_counted_again(tmp_path, options):
    record = EXAMPLES / "council" / "run.json"
    typed = dict(options)
    words = []
    if "trust" in typed:
        # On the command line, weights of reviewers are a file.
        file = tmp_path / "trust.json"
        file.write_text(json.dumps({"assize_trust": 1, **typed.pop("trust")}))
        words = ["--trust", file]
        assert council.rescore(record, **{**options, "trust": file}).to_dict()["trust"] == options["trust"]
    expected = printed("council", "rescore", record, *words, *flags(typed))
    found = council.rescore(record, **options).to_dict()
    # Python also hands back the record, to count it once more.
    assert found.pop("record")
    assert found == expected


def refused(function, given, options, words):
    """Refused in the words of the other doors; an option that Python lacks, by its name."""
    known = inspect.signature(function).parameters.values()
    takes_any = any(one.kind is inspect.Parameter.VAR_KEYWORD for one in known)
    lacking = set() if takes_any else set(options) - {one.name for one in known}
    with pytest.raises((TypeError, ValueError, Refused)) as error:
        function(*given, **options)
    expected = [words] if not lacking else [f"'{name}'" for name in lacking]
    assert any(one in str(error.value) for one in expected), str(error.value)


@pytest.mark.parametrize(("options", "words"), REFUSALS["ranked"], ids=json.dumps)
def test_a_retrieval_request_that_makes_no_sense(options, words):
    refused(assize.score, (RUN, QRELS), options, words)


@pytest.mark.parametrize(("options", "words"), REFUSALS["summaries"], ids=json.dumps)
def test_a_summary_request_that_makes_no_sense(options, words):
    refused(summary.score, ("It rained on Mull.", "It rained."), options, words)


@pytest.mark.parametrize(("options", "words"), REFUSALS["compliance"], ids=json.dumps)
def test_a_compliance_request_that_makes_no_sense(options, words):
    files = EXAMPLES / "compliance" / "access-policy.md", EXAMPLES / "compliance" / "criteria.csv"
    # Only rules and readers judge here, and every other judge is told so.
    refused(compliance.evaluate, files, options, "here rules judge" if "judge" in options else words)


@pytest.mark.parametrize(("options", "words"), REFUSALS["councils"], ids=json.dumps)
def test_a_council_request_that_makes_no_sense(options, words):
    refused(council.rescore, (EXAMPLES / "council" / "run.json",), options, words)


def places(value, place=()):
    """Where the fields of a value are; of a list the first and the last stand for all."""
    if isinstance(value, dict):
        below = list(value.items())
    elif isinstance(value, list):
        below = [(at, value[at]) for at in sorted({0, len(value) - 1}) if value]
    else:
        below = []
    for name, child in below:
        yield (*place, name)
        yield from places(child, (*place, name))


def without(value, place):
    less = copy.deepcopy(value)
    parent = less
    for name in place[:-1]:
        parent = parent[name]
    del parent[place[-1]]
    return less


def test_a_field_that_python_leaves_out_is_a_difference():
    files = EXAMPLES / "retrieval" / "keyword.json", EXAMPLES / "retrieval" / "gold.json"
    scored = assize.score_passages(*(json.loads(file.read_text()) for file in files)).to_dict()
    files = EXAMPLES / "compliance" / "access-policy.md", EXAMPLES / "compliance" / "criteria.csv"
    judged = compliance.evaluate(*files).to_dict()
    for found, compared in ((scored, scored), (judged, comparable(judged))):
        fields = list(places(compared))
        assert len(fields) > 20
        for place in fields:
            less = without(found, place)
            assert (comparable(less) if found is judged else less) != compared, place
