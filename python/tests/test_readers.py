"""Local models: opened by folder, the same answers alone and together, once in a process."""

from __future__ import annotations

import json
import math
import pickle
from pathlib import Path

import assize
import pytest
from assize import readers

MODELS = Path(__file__).parents[2] / "crates/readers/tests/models"
ENTAILMENT = str(MODELS / "bert-entailment")
ENCODER = str(MODELS / "xlmr-encoder")


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSIZE_READERS", str(tmp_path))
    readers._opened.cache_clear()


def test_shares_are_those_of_transformers() -> None:
    expected = json.loads((MODELS / "bert-entailment/expected.json").read_text(encoding="utf-8"))
    reader = readers.open(entailment=ENTAILMENT)
    read = reader.entail([(row["premise"], row["hypothesis"]) for row in expected])
    for one, row in zip(read, expected):
        powers = [math.exp(value) for value in row["logits"]]
        # id2label: contradiction, entailment, neutral.
        denied, stated, left = (power / sum(powers) for power in powers)
        assert one[:3] == pytest.approx((stated, left, denied), abs=1e-4)


def test_statements_that_say_the_same_come_first() -> None:
    reader = readers.open(encoder=ENCODER)
    statements = ["Records are kept.", "Backups are tested.", "x y z"]
    found = reader.shortlist(["Backups are tested."], statements, most=2)
    assert [one.place for one in found[0]][0] == 1 and len(found[0]) == 2
    assert found[0][0].nearness == pytest.approx(1.0, abs=1e-5)


def test_a_copy_opens_the_same_models_once_in_a_process() -> None:
    reader = readers.open(entailment=ENTAILMENT)
    assert pickle.loads(pickle.dumps(reader)) is reader
    assert "bert-entailment (sha256 " in repr(reader)


def test_what_is_missing_is_said() -> None:
    with pytest.raises(assize.AssizeError, match="no reader `nobody` is installed"):
        readers.open(entailment="nobody")
    with pytest.raises(assize.AssizeError, match="no entailment model is configured"):
        readers.open(encoder=ENCODER).entail([("a", "b")])
