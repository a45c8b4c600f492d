"""Documents against criteria, by rules."""

from __future__ import annotations

import csv
import io
import json
import os
from collections import Counter
from collections.abc import Mapping
from typing import Any

from . import _native
from ._frames import Rows, flat
from ._values import content, flag, is_path
from ._values import text as as_text
from .errors import BadInput, Refused
from .readers import Reader

__all__ = ["Evaluation", "evaluate"]

#: What a document's name ends in; other files of a folder are left alone.
_ENDINGS = frozenset([".txt", ".md", ".markdown", ".html", ".htm", ".pdf", ".docx"])


class Evaluation(Rows):
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

    def _rows(self) -> list[dict[str, Any]]:
        return [flat(line) for line in self.results]

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
    skip_unusable: bool = False,
    reader: Reader | None = None,
) -> Evaluation:
    """Hold documents against criteria.

    ``documents`` are paths of files and folders, or ``{name: text}``; ``criteria`` is a path (CSV, XLSX,
    OSCAL JSON) or a list of ``{"id", "requirement"}``. A list with rows that cannot be used is
    refused; ``skip_unusable`` leaves them out and names them in ``notices``. A ``reader`` (``assize.readers.Reader``) decides
    what words alone cannot. Models are asked by the command
    line, which keeps what was paid for: ``assize evaluate --judge``.
    """
    if judge != "rules":
        raise Refused(
            f"judge: `{judge}`; here rules judge", code="refused", hint="run `assize evaluate`"
        )
    read, notices = _native.compliance_evaluate(
        _documents(documents),
        _criteria(criteria),
        (flag("mask_identifiers", mask_identifiers), flag("skip_unusable", skip_unusable)),
        None if reader is None else reader._native,
    )
    return Evaluation(read, notices)


def _documents(documents: Any) -> list[tuple[str, bytes]]:
    if isinstance(documents, Mapping):
        named = [_text(str(name), text) for name, text in documents.items()]
    else:
        named = _files(documents)
    if not named:
        raise BadInput("documents: none were given")
    return named


def _text(name: str, text: Any) -> tuple[str, bytes]:
    field = f"documents[{name!r}]"
    if not isinstance(text, (str, bytes)):
        raise BadInput(f"{field}: {type(text).__name__} was given, text is expected")
    given = as_text(field, text).encode() if isinstance(text, str) else text
    return as_text("documents", name) if "." in name else f"{as_text('documents', name)}.txt", given


def _files(documents: Any) -> list[tuple[str, bytes]]:
    if is_path(documents):
        documents = [documents]
    if isinstance(documents, bytes) or not hasattr(documents, "__iter__"):
        kind = type(documents).__name__
        raise BadInput(f"documents: {kind} was given; expected paths or {{name: text}}")
    found: list[tuple[str, str, bytes]] = []
    for place, path in enumerate(documents):
        field = f"documents[{place}]"
        if is_path(path) and os.path.isdir(path):
            inside = _inside(field, os.fspath(path))
            found += [(name, whole, content(field, whole)) for name, whole in inside]
        else:
            name, read = _file(field, path)
            found.append((name, os.fspath(path), read))
    names = Counter(name for name, _, _ in found)
    # Files of one name in several folders are told apart by their paths.
    return [
        (name if names[name] == 1 else whole.replace(os.sep, "/"), read)
        for name, whole, read in found
    ]


def _inside(field: str, folder: str) -> list[tuple[str, str]]:
    """The documents of a folder and of those below it, named by their paths from there."""
    found = []

    def unread(error: OSError) -> None:
        # A folder that is skipped in silence would leave documents out of the result.
        raise BadInput(f"{field}: {error.filename}: {error.strerror}")

    for place, folders, files in os.walk(folder, onerror=unread):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in files:
            whole = os.path.join(place, name)
            ending = os.path.splitext(name)[1].lower()
            if ending in _ENDINGS and not name.startswith("."):
                found.append((os.path.relpath(whole, folder).replace(os.sep, "/"), whole))
    if not found:
        raise BadInput(f"{field}: {folder}: there is no document in it")
    return sorted(found)


def _file(field: str, path: Any) -> tuple[str, bytes]:
    if not is_path(path):
        raise BadInput(f"{field}: {type(path).__name__} was given, a path is expected")
    return os.path.basename(os.fspath(path)), content(field, path)


def _criteria(criteria: Any) -> tuple[str, bytes]:
    if is_path(criteria):
        return _file("criteria", criteria)
    if isinstance(criteria, Mapping) or not hasattr(criteria, "__iter__"):
        kind = type(criteria).__name__
        raise BadInput(f"criteria: {kind} was given; expected a path or a list of criteria")
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(["criteria_id", "requirement", "description"])
    for row, criterion in enumerate(criteria):
        if not isinstance(criterion, Mapping):
            kind = type(criterion).__name__
            raise BadInput(f"criteria[{row}]: {kind} was given; expected {{id, requirement}}")
        identity = criterion.get("criteria_id", criterion.get("id"))
        for field, value in (("id", identity), ("requirement", criterion.get("requirement"))):
            if not isinstance(value, str):
                raise BadInput(f"criteria[{row}]: no text in `{field}`")
        given = [identity, criterion["requirement"], criterion.get("description") or ""]
        writer.writerow([as_text(f"criteria[{row}]", text) for text in given])
    return "criteria.csv", text.getvalue().encode()
