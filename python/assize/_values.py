"""Values on their way to the extension: JSON without NaN, tables without Arrow, pages in frames."""

from __future__ import annotations

from collections.abc import Mapping

from .errors import BadInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def options(**given: object) -> str:
    """Options as JSON; what is None is left to the engine."""
    return dumped("options", {name: value for name, value in given.items() if value is not None})


def dumped(field: str, value: object) -> str:
    """A value as JSON, or an error that names the place where it cannot be."""
    import json  # an import inside a function is one that `import assize` does not wait for

    try:
        return json.dumps(value, allow_nan=False, ensure_ascii=False)
    except (TypeError, ValueError):
        place = _unwritable(field, value)
        raise BadInput(place or f"{field}: cannot be written as JSON") from None


def loaded(text: str) -> Any:
    """The value that the extension wrote as JSON."""
    import json

    return json.loads(text)


def _unwritable(place: str, value: object) -> str | None:
    if value is None or isinstance(value, (bool, int, str)):
        return None
    if isinstance(value, float):
        return f"{place}: {value} is not a number" if value - value != 0 else None
    if isinstance(value, Mapping):
        entries = [(f"{place}[{key!r}]", entry) for key, entry in value.items()]
    elif isinstance(value, (list, tuple)):
        entries = [(f"{place}[{index}]", entry) for index, entry in enumerate(value)]
    else:
        return f"{place}: {type(value).__name__} is neither text, number, list nor dict"
    return next(filter(None, (_unwritable(where, entry) for where, entry in entries)), None)


def is_path(value: object) -> bool:
    """Whether a value names a file."""
    return isinstance(value, str) or hasattr(value, "__fspath__")


def content(field: str, path: Any) -> bytes:
    """The bytes of a file; that it cannot be read is refused as the engine does."""
    import os

    try:
        with open(os.fspath(path), "rb") as file:
            return file.read()
    except OSError as error:
        raise BadInput(f"{field}: {os.fspath(path)}: cannot be read: {error.strerror}") from None


def text_of(field: str, path: Any) -> str:
    """The text of a file."""
    try:
        return content(field, path).decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadInput(f"{field}: {path}: not UTF-8 at byte {error.start}") from None


def text(field: str, value: object) -> str:
    """A text that can be handed over; a half of a surrogate pair cannot."""
    if not isinstance(value, str):
        raise BadInput(f"{field}: {type(value).__name__} was given, text is expected")
    try:
        value.encode("utf-8")
    except UnicodeEncodeError as error:
        raise BadInput(f"{field}: character {error.start} is half of a surrogate pair") from None
    return value


class Columns:
    """A table without Arrow (pandas without pyarrow) as the mappings that the extension takes."""

    def __init__(self, frame: Any) -> None:
        self.columns: dict[str, list[Any]] = {
            str(name): frame[name].tolist() for name in frame.columns
        }

    def nested(self, what: str, names: tuple[tuple[str, ...], ...]) -> dict[Any, dict[Any, Any]]:
        """``{query: {document: number}}`` of the first columns with these names."""
        found = []
        for wanted in names:
            name = next((name for name in wanted if name in self.columns), None)
            if name is None:
                there = "`, `".join(self.columns)
                raise BadInput(f"{what}: no column `{'`, `'.join(wanted)}`; there are `{there}`")
            found.append(self.columns[name])
        nested: dict[Any, dict[Any, Any]] = {}
        for row, (query, document, value) in enumerate(zip(*found)):
            documents = nested.setdefault(query, {})
            if document in documents:
                raise BadInput(f"{what}: row {row}: document {document!r} stands twice")
            documents[document] = value
        return nested


_QUERY = ("query", "query_id", "query-id", "qid", "q_id", "topic", "topic_id")
_DOCUMENT = (
    "document", "doc_id", "document_id", "corpus-id", "corpus_id", "docid", "docno", "doc",
)
_VALUE = {
    "run": ("score", "similarity", "value", "sim", "weight"),
    "qrels": ("level", "relevance", "rel", "label", "score", "qrel"),
}


def ranked(what: str, value: Any) -> Any:
    """A run or judgements in a form that the extension reads by itself."""
    if isinstance(value, dict) or is_path(value) or hasattr(value, "__arrow_c_array__"):
        return value
    if isinstance(value, Mapping):
        # What is no mapping, such as a run's list of documents, is the extension's to judge.
        return {
            query: dict(documents) if isinstance(documents, Mapping) else documents
            for query, documents in value.items()
        }
    if hasattr(value, "columns") and hasattr(value, "iloc") and not _has_pyarrow():
        return Columns(value).nested(what, (_QUERY, _DOCUMENT, _VALUE[what]))
    return value


def _has_pyarrow() -> bool:
    import importlib

    try:
        importlib.import_module("pyarrow")
    except ImportError:
        return False
    return True


def frame(page: str, height: int = 420) -> str:
    """A whole page inside a notebook's cell: its styles cannot touch the notebook's."""
    import html  # only notebooks need it, and it slows every import down

    return (
        f'<iframe srcdoc="{html.escape(page, quote=True)}" sandbox '
        f'style="width:100%;height:{height}px;border:0"></iframe>'
    )
