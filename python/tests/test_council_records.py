"""Records of councils through Python: what the command line refuses is refused, and signed is signed."""

import copy
import json
import pathlib
import re
import subprocess
import sys

import pytest

from assize import council
from assize.errors import BadInput

if sys.version_info < (3, 11):
    pytest.skip("tables are read with tomllib", allow_module_level=True)

import tomllib

import blake3

ROOT = pathlib.Path(__file__).parents[2]
FOLDER = ROOT / "cases" / "council-mutations"
MUTATIONS = tomllib.loads((FOLDER / "mutations.toml").read_text(encoding="utf-8"))["mutation"]
BASES = {
    base: json.loads((FOLDER / f"{base}.json").read_text(encoding="utf-8")) for base in ("sound", "whole")
}


def place(record, pointer):
    """What holds a place, and the place's name in it."""
    *path, last = pointer.lstrip("/").split("/")
    for step in path:
        record = record[int(step) if isinstance(record, list) else step]
    return record, int(last) if isinstance(record, list) else last


def found(record, pointer):
    holder, last = place(record, pointer)
    return holder[last]


def put(record, pointer, value):
    holder, last = place(record, pointer)
    if isinstance(holder, list) and last == len(holder):
        holder.append(value)
    else:
        holder[last] = value


def edit(record, change):
    if "set" in change:
        at = change["set"]
        if "value" in change:
            value = json.loads(change["value"])
        elif "copy" in change:
            value = copy.deepcopy(found(record, change["copy"]))
        else:
            assert change["from"] in found(record, at)
            value = found(record, at).replace(change["from"], change["to"])
        put(record, at, value)
    if "remove" in change:
        holder, last = place(record, change["remove"])
        del holder[last]
    if "swap" in change:
        one, other = found(record, change["swap"]), found(record, change["with"])
        put(record, change["swap"], other)
        put(record, change["with"], one)
    if "reverse" in change:
        found(record, change["reverse"]).reverse()
    if "negate" in change:
        put(record, change["negate"], not found(record, change["negate"]))


def renamed(record):
    """The file with the id that its content has now."""
    content = {name: value for name, value in record.items() if name not in ("assize_council", "id")}
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    identifier = blake3.blake3(text.encode()).hexdigest()[:16]
    return f'{{"assize_council":{record["assize_council"]},"id":"{identifier}",{text[1:]}'


def test_an_unchanged_record_keeps_its_name():
    for base, record in BASES.items():
        assert json.loads(renamed(record))["id"] == record["id"], base


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation["id"])
def test_python_refuses_what_the_command_line_refuses(tmp_path, mutation):
    record = copy.deepcopy(BASES[mutation.get("base", "sound")])
    for change in mutation["edits"]:
        edit(record, change)
    path = tmp_path / "run.json"
    path.write_text(renamed(record), encoding="utf-8")
    words = [sys.executable, "-m", "assize", "council", "rescore", str(path), "--aggregate", "mean"]
    done = subprocess.run([*words, "--format", "json"], capture_output=True, text=True, check=False)
    try:
        again = council.rescore(path, aggregate="mean").to_dict()
    except BadInput as refused:
        assert done.returncode == 2, f"{refused}: {done.stdout}"
        # Each door calls the file in its own way.
        said = " ".join(re.sub(r"^record:? ", "", str(refused)).split())
        assert said in " ".join(done.stderr.split()), done.stderr
    else:
        assert again.pop("record")
        assert again == json.loads(done.stdout)


def test_records_are_signed_and_checked_where_the_operator_has_a_key(monkeypatch):
    def codes(verdict):
        return [finding["code"] for finding in verdict.to_dict()["findings"]]

    monkeypatch.setenv("ASSIZE_COUNCIL_KEY", "the operator's own secret")
    reply = json.dumps({"evaluations": {label: dict.fromkeys(
        ("accuracy", "relevance", "completeness", "conciseness", "clarity"), mark
    ) for label, mark in (("A", 9), ("B", 6))}})
    verdict = council.review({"a": "Paris.", "b": "Lyon."}, {"ann": reply, "ben": reply}, question="Capital?")
    record = verdict.record
    assert record["signature"].startswith("blake3:")
    assert "unsigned" not in codes(council.rescore(record))
    forged = {**record, "signature": "blake3:" + "0" * 64}
    with pytest.raises(BadInput, match="signature"):
        council.rescore(forged)
    monkeypatch.delenv("ASSIZE_COUNCIL_KEY")
    assert "unsigned" in codes(council.rescore(forged))
    monkeypatch.setenv("ASSIZE_COUNCIL_KEY", "too short")
    with pytest.raises(BadInput, match="at least 16 characters"):
        council.rescore(record)


def test_every_field_of_the_request_is_an_option(tmp_path):
    answers = {"a": "Paris.", "b": "Lyon."}
    marks = dict.fromkeys(("accuracy", "relevance", "completeness", "conciseness", "clarity"), 8)
    reply = json.dumps({"evaluations": {label: {**marks, "vote": "yes"} for label in "AB"}})
    reviews = {"ann": reply, "ben": reply}
    rule = tmp_path / "rules.toml"
    rule.write_text("[[rule]]\nid = 'lyon'\ncategory = 'self_harm'\npattern = 'lyon'\n")
    verdict = council.review(
        answers,
        reviews,
        question="Capital?",
        jury="May it be published?",
        majority=0.6,
        evidence=[{"name": "atlas", "text": "The capital of France is Paris."}],
        safety_gate="learned",
        gate_rate=0.02,
        gate_patterns=[rule],
        trust={"source": "a bench", "weights": {"ann": 2.0}},
    ).to_dict()
    assert verdict["safety_gate"]["failed_models"] == ["b"]
    assert [answer["decision"] for answer in verdict["jury"]["answers"]] == ["yes", "fails_gate"]
    assert verdict["trust"]["weights"] == {"ann": 2.0}
    assert verdict["record"]["settings"]["gate_learned"] == 0.02
    assert verdict["record"]["record"]["evidence"][0]["name"] == "atlas"
    for field, value in (("rounds", 2), ("members", ["local/a"]), ("qorum", 2)):
        with pytest.raises(BadInput, match=field):
            council.review(answers, reviews, question="Capital?", **{field: value})
