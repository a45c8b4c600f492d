"""Tables on their way to the extension, with Arrow or without."""

from __future__ import annotations

from collections.abc import Mapping

from . import _native
from ._values import identifier
from ._values import text as as_text
from .errors import BadInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


def pairs(table: Any, texts: Sequence[str], id: str | None) -> Any:
    """Articles and summaries in a form that the extension reads by itself."""
    wanted: list[str] = [*texts, *([] if id is None else [id])]
    named = list(dict.fromkeys(wanted))
    if is_frame(table):
        _look_for("table", named, [str(name) for name in table.columns])
        if has_pyarrow():
            return table[named]
        table = {name: without_nan(table[name].tolist()) for name in named}
    elif hasattr(table, "__arrow_c_stream__") or hasattr(table, "__arrow_c_array__"):
        return table
    if not isinstance(table, Mapping):
        kind = type(table).__name__
        raise BadInput(f"table: {kind} was given; expected Arrow or {{column: [text, …]}}")
    _look_for("table", named, [str(name) for name in table])
    return _native.Table.from_columns(
        {name: _column(name, table[name], _text if name in texts else _written) for name in named}
    )


def rows(field: str, table: Any) -> list[dict[str, Any]]:
    """The rows of a table of any kind, with None where there is nothing."""
    if is_frame(table):
        columns = {str(name): table[name].tolist() for name in table.columns}
    elif hasattr(table, "to_pydict") or hasattr(table, "to_dict"):
        columns = table.to_pydict() if hasattr(table, "to_pydict") else table.to_dict(as_series=False)
    elif isinstance(table, Mapping):
        columns = {str(name): list(values) for name, values in table.items()}
    elif isinstance(table, (list, tuple)) and all(isinstance(row, Mapping) for row in table):
        return [dict(zip(row, without_nan(list(row.values())))) for row in table]
    else:
        kind = type(table).__name__
        raise BadInput(f"{field}: {kind} was given; expected a path, a frame, columns or rows")
    if len({len(values) for values in columns.values()}) > 1:
        raise BadInput(f"{field}: the columns are not of one length")
    listed = zip(*(without_nan(values) for values in columns.values()))
    return [dict(zip(columns, row)) for row in listed]


def column_names(table: Any) -> list[str]:
    """The columns of a table of any kind; none of what is no table."""
    names = getattr(table, "column_names", None) or getattr(table, "columns", None)
    if names is None or not hasattr(names, "__iter__"):
        return []
    return [name for name in names if isinstance(name, str)]


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


def _look_for(what: str, names: Sequence[str], there: Sequence[str]) -> None:
    for name in names:
        if name not in there:
            raise BadInput(f"{what}: no column `{name}`; there are `{'`, `'.join(there)}`")
        if there.count(name) > 1:
            raise BadInput(f"{what}: column `{name}` appears twice")


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
