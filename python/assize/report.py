"""Per-query values that were computed elsewhere (Spark, Ray), as means with intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .errors import BadInput

__all__ = ["columns", "means"]


def columns(table: Any) -> dict[str, list[Any]]:
    """A table of any kind as ``{column: [value, …]}``."""
    if isinstance(table, Mapping):
        return {str(name): list(values) for name, values in table.items()}
    for method in ("to_pydict", "toArrow", "to_arrow"):
        if hasattr(table, method):
            found = getattr(table, method)()
            return found if isinstance(found, dict) else columns(found)
    if hasattr(table, "columns") and hasattr(table, "iloc"):
        return {str(name): table[name].tolist() for name in table.columns}
    raise BadInput(f"table: {type(table).__name__} is no table")


def means(table: Any, measures: Sequence[str] | None = None) -> dict[str, dict[str, Any]]:
    """Each measure's mean over the rows that have it, with how many have none.

    Null counts as unscored, never as 0.
    """
    found = columns(table)
    names = list(measures) if measures is not None else [
        name for name, values in found.items()
        if any(isinstance(value, float) for value in values)
    ]
    result = {}
    for name in names:
        if name not in found:
            raise BadInput(f"measures: no column `{name}`; there are `{'`, `'.join(found)}`")
        # NaN is how pandas writes null.
        values = [value for value in found[name] if value is not None and value == value]
        result[name] = {
            "value": sum(values) / len(values) if values else None,
            "scored": len(values),
            "unscored": len(found[name]) - len(values),
        }
    return result
