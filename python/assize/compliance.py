"""Documents against criteria, by rules."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Mapping, Sequence
from typing import Any

from . import _native
from ._values import content, is_path
from ._values import text as as_text
from .errors import BadInput, Refused

__all__ = ["Evaluation", "evaluate"]


class Evaluation:
    """What came of each document and criterion."""

    def __init__(self, wire: str, notices: list[str]) -> None:
        self._wire: dict[str, Any] = json.loads(wire)
        #: What one should know: rows that could not be used, what a reader noticed.
        self.notices = notices

    @property
    def results(self) -> list[dict[str, Any]]:
        """One entry for each document and criterion; ``score`` is None where unscored."""
        return list(self._wire["results"])

    @property
    def mean(self) -> float | None:
        """The mean of the scores there are."""
        return None if self._wire["mean"] is None else float(self._wire["mean"])

    @property
    def tiers(self) -> dict[str, int]:
        """How many results lie in each tier."""
        return {tier["label"]: tier["results"] for tier in self._wire["tiers"]}

    def to_dict(self) -> dict[str, Any]:
        """What ``assize evaluate --format json`` prints."""
        return dict(self._wire)

    def __repr__(self) -> str:
        mean = "–" if self.mean is None else format(self.mean, ".1f")
        scored, planned = self._wire["scored"], self._wire["planned"]
        return f"{scored} of {planned} results scored, mean {mean}"


def evaluate(
    documents: Any,
    criteria: Any,
    judge: str = "rules",
    *,
    mask_identifiers: bool = False,
) -> Evaluation:
    """Hold documents against criteria.

    ``documents`` is a path, a list of paths or ``{name: text}``; ``criteria`` is a path (CSV, XLSX,
    OSCAL JSON) or a list of ``{"criteria_id", "requirement"}``. Models are asked by the command
    line, which keeps what was paid for: ``assize evaluate --judge``.
    """
    if judge != "rules":
        raise Refused(
            f"judge: `{judge}`; here rules judge", code="refused", hint="run `assize evaluate`"
        )
    read, notices = _native.compliance_evaluate(
        _documents(documents), _criteria(criteria), mask_identifiers
    )
    return Evaluation(read, notices)


def _documents(documents: Any) -> list[tuple[str, bytes]]:
    if is_path(documents):
        documents = [documents]
    if isinstance(documents, Mapping):
        named = []
        for name, text in documents.items():
            if not isinstance(text, (str, bytes)):
                kind = type(text).__name__
                raise BadInput(f"documents[{name!r}]: {kind} was given, text is expected")
            given = as_text(f"documents[{name!r}]", text).encode() if isinstance(text, str) else text
            named.append((str(name) if "." in str(name) else f"{name}.txt", given))
        return named
    if not isinstance(documents, Sequence):
        kind = type(documents).__name__
        raise BadInput(f"documents: {kind} was given; expected are paths or {{name: text}}")
    return [_file(f"documents[{place}]", path) for place, path in enumerate(documents)]


def _file(field: str, path: Any) -> tuple[str, bytes]:
    if not is_path(path):
        raise BadInput(f"{field}: {type(path).__name__} was given, a path is expected")
    return os.path.basename(os.fspath(path)), content(field, path)


def _criteria(criteria: Any) -> tuple[str, bytes]:
    if is_path(criteria):
        return _file("criteria", criteria)
    if isinstance(criteria, Mapping) or not hasattr(criteria, "__iter__"):
        kind = type(criteria).__name__
        raise BadInput(f"criteria: {kind} was given; expected is a path or a list of criteria")
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(["criteria_id", "requirement", "description"])
    for row, criterion in enumerate(criteria):
        for field in ("criteria_id", "requirement"):
            if not isinstance(criterion, Mapping) or not isinstance(criterion.get(field), str):
                raise BadInput(f"criteria[{row}]: no text in `{field}`")
        writer.writerow(
            [criterion["criteria_id"], criterion["requirement"], criterion.get("description", "")]
        )
    return "criteria.csv", text.getvalue().encode()
