"""The cases of the doors' test through Python: what the command line prints is what it gives."""

import json
import pathlib
import re
import subprocess
import sys

import pytest

import assize
from assize import compliance, council, summary
from assize.errors import BadInput

ROOT = pathlib.Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
CASES = json.loads((ROOT / "cases" / "doors" / "options.json").read_text())
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


@pytest.mark.parametrize("options", CASES["compliance"], ids=json.dumps)
def test_documents_against_criteria(tmp_path, options):
    files = EXAMPLES / "compliance" / "access-policy.md", EXAMPLES / "compliance" / "criteria.csv"
    words = ["evaluate", files[0], "--criteria", files[1], "--allow-unscored"]
    expected = printed(*words, "--database", tmp_path / "a.db", *flags(options))
    # Only models are shown a part of a document, or asked again.
    model_only = ("context_tokens", "repeat")
    options = {key: value for key, value in options.items() if key not in model_only}
    found = compliance.evaluate(files[0], files[1], **options).to_dict()
    assert found["results"] == expected["results"]
    for field in ("mean", "scored", "unscored", "planned", "tiers", "citations"):
        assert found[field] == expected[field], field


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
