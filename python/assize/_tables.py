"""Tables on their way to the extension: of a frame only the columns it needs, with Arrow or without."""

from __future__ import annotations

from collections.abc import Mapping

from . import _native
from ._values import identifier, is_path
from ._values import text as as_text
from .errors import BadInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

# Identifiers before what they identify: a frame of PyTerrier has the query's text beside its `qid`.
_QUERY = ("query_id", "query-id", "qid", "q_id", "topic_id", "query", "topic")
_DOCUMENT = (
    "doc_id", "document_id", "corpus-id", "corpus_id", "docno", "docid", "document", "doc",
)
_VALUE = {
    "run": ("score", "similarity", "value", "sim", "weight"),
    "qrels": ("level", "relevance", "rel", "label", "score", "qrel"),
}


def ranked(what: str, value: Any) -> Any:
    """A run or judgements in a form that the extension reads by itself."""
    if isinstance(value, dict) or is_path(value):
        return value
    if is_frame(value):
        return _ranked_frame(what, value)
    if isinstance(value, Mapping):
        # What is no mapping, such as a run's list of documents, is the extension's to judge.
        return {
            query: dict(documents) if isinstance(documents, Mapping) else documents
            for query, documents in value.items()
        }
    return value


def pairs(table: Any, texts: Sequence[str], id: str | None) -> Any:
    """Articles and summaries in a form that the extension reads by itself."""
    named = list(dict.fromkeys([*texts, *([] if id is None else [id])]))
    if is_frame(table):
        _look_for("table", named, [str(name) for name in table.columns])
        if has_pyarrow():
            return table[named]
        table = {name: without_nan(table[name].tolist()) for name in named}
    elif hasattr(table, "__arrow_c_stream__") or hasattr(table, "__arrow_c_array__"):
        return table
    if not isinstance(table, Mapping):
        kind = type(table).__name__
        raise BadInput(f"table: {kind} was given; expected is Arrow or {{column: [text, …]}}")
    _look_for("table", named, [str(name) for name in table])
    return _native.Table.from_columns(
        {name: _column(name, table[name], _text if name in texts else _written) for name in named}
    )


def is_frame(value: object) -> bool:
    """Whether a value is a frame of pandas, which makes Arrow only where pyarrow is installed."""
    return hasattr(value, "columns") and hasattr(value, "iloc")


def has_pyarrow() -> bool:
    """Whether frames can be handed over as Arrow."""
    import importlib

    try:
        importlib.import_module("pyarrow")
    except ImportError:
        return False
    return True


def missing(value: object) -> bool:
    """Whether a value is none: None, NaN, or the NA of pandas."""
    if value is None:
        return True
    try:
        return bool(value != value)
    except (TypeError, ValueError):
        return type(value).__name__ == "NAType"  # it has no truth, so it cannot be asked


def without_nan(values: Sequence[Any]) -> list[Any]:
    """Values with None where pandas writes something else for nothing."""
    return [None if missing(value) else value for value in values]


def _ranked_frame(what: str, frame: Any) -> Any:
    there = [str(name) for name in frame.columns]
    wanted = (_QUERY, _DOCUMENT, _VALUE[what])
    known = [name for names in wanted for name in names if name in there]
    twice = next((name for name in known if there.count(name) > 1), None)
    if twice is not None:
        raise BadInput(f"{what}: column `{twice}` stands twice")
    if all(any(name in there for name in names) for names in wanted):
        # The other columns are nobody's business, and may be of kinds that Arrow has not.
        frame = frame[list(dict.fromkeys(known))]
    return frame if has_pyarrow() else _nested(what, frame, wanted)


def _nested(what: str, frame: Any, wanted: tuple[tuple[str, ...], ...]) -> dict[Any, dict[Any, Any]]:
    """``{query: {document: number}}`` of the first columns with these names."""
    there = [str(name) for name in frame.columns]
    names = []
    for choice in wanted:
        name = next((name for name in choice if name in there), None)
        if name is None:
            looked = "`, `".join(choice)
            raise BadInput(f"{what}: no column `{looked}`; there are `{'`, `'.join(there)}`")
        names.append(name)
    if not len(frame):
        raise BadInput(f"{what}: the table is empty")
    nested: dict[Any, dict[Any, Any]] = {}
    for row, values in enumerate(zip(*(frame[name].tolist() for name in names))):
        for name, value in zip(names, values):
            if missing(value):
                raise BadInput(f"{what}: row {row}, column `{name}`: null")
        query, document, value = values
        documents = nested.setdefault(query, {})
        if document in documents:
            raise BadInput(f"{what}: row {row}: document {document!r} stands twice")
        documents[document] = value
    return nested


def _look_for(what: str, names: Sequence[str], there: Sequence[str]) -> None:
    for name in names:
        if name not in there:
            raise BadInput(f"{what}: no column `{name}`; there are `{'`, `'.join(there)}`")
        if there.count(name) > 1:
            raise BadInput(f"{what}: column `{name}` stands twice")


def _column(name: str, values: Any, written: Any) -> list[str | None]:
    # A text has letters, which would each become a row.
    if isinstance(values, (str, bytes)) or not hasattr(values, "__iter__"):
        kind = "a text" if isinstance(values, (str, bytes)) else type(values).__name__
        raise BadInput(f"table: column `{name}`: {kind}, not a list")
    return [
        None if value is None else written(f"table: row {row}, column `{name}`", value)
        for row, value in enumerate(values)
    ]


def _text(place: str, value: object) -> str:
    # Whole numbers are written out where they name a row; they are no articles.
    if not isinstance(value, str):
        raise BadInput(f"{place}: {type(value).__name__}, not text")
    return as_text(place, value)


def _written(place: str, value: object) -> str:
    try:
        return as_text(place, identifier(place, value))
    except BadInput:
        if isinstance(value, str):
            raise
        raise BadInput(f"{place}: {type(value).__name__}, not text") from None
