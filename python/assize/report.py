"""Per-query values that were computed elsewhere (Spark, Ray), as means."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ._tables import is_frame, missing
from .errors import BadInput

__all__ = ["columns", "means"]

#: What stands beside the values of our own tables, and names queries or documents in others.
_NO_MEASURES = frozenset(
    [
        "id", "query", "reason", "scorecard", "query_id", "query-id", "qid", "q_id", "topic",
        "topic_id", "document", "doc_id", "document_id", "corpus_id", "corpus-id", "docno", "docid",
        "doc", "rank",
    ]
)


def columns(table: Any) -> dict[str, list[Any]]:
    """A table of any kind as ``{column: [value, …]}``."""
    if isinstance(table, Mapping):
        return {str(name): list(values) for name, values in table.items()}
    for method in ("to_pydict", "toArrow", "to_arrow"):
        if hasattr(table, method):
            found = getattr(table, method)()
            return found if isinstance(found, dict) else columns(found)
    if is_frame(table):
        return {str(name): table[name].tolist() for name in table.columns}
    raise BadInput(f"table: {type(table).__name__} is not a table")


def means(table: Any, measures: Sequence[str] | None = None) -> dict[str, dict[str, Any]]:
    """Each measure's mean over the rows that have it, with how many have none.

    Null counts as unscored, never as 0. Without ``measures`` these are all columns of numbers.
    """
    found = columns(table)
    names = list(measures) if measures is not None else [
        name for name, values in found.items() if name not in _NO_MEASURES and _is_measure(values)
    ]
    result = {}
    for name in names:
        if name not in found:
            raise BadInput(f"measures: no column `{name}`; there are `{'`, `'.join(found)}`")
        values = [
            _number(name, row, value) for row, value in enumerate(found[name]) if not missing(value)
        ]
        result[name] = {
            "value": sum(values) / len(values) if values else None,
            "scored": len(values),
            "unscored": len(found[name]) - len(values),
        }
    return result


def _is_measure(values: list[Any]) -> bool:
    return all(missing(value) or _is_number(value) for value in values)


def _is_number(value: object) -> bool:
    # Truths convert themselves, and so do texts; neither is a value.
    is_other = isinstance(value, (str, bytes)) or type(value).__name__ in ("bool", "bool_")
    return hasattr(value, "__float__") and not is_other


def _number(name: str, row: int, value: Any) -> float:
    try:
        if _is_number(value):
            return float(value)
    except (TypeError, ValueError, OverflowError):
        pass
    raise BadInput(f"table: row {row}, column `{name}`: {value!r} is not a number")
