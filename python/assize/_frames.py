"""Results as rows: frames of pandas and polars, LaTeX, and a table for notebooks."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

#: What LaTeX reads as a command of its own.
_ESCAPED = {letter: f"\\{letter}" for letter in "&%$#_{}"} | {"~": "\\textasciitilde{}", "^": "\\textasciicircum{}"}

#: Rows that a notebook shows; frames have all of them.
_SHOWN = 50


class Rows:
    """Something that is rows of named values."""

    def _rows(self) -> list[dict[str, Any]]:
        raise NotImplementedError

    def to_pandas(self) -> Any:
        """The rows as a frame of pandas."""
        return _module("pandas").DataFrame(self._rows())

    def to_polars(self) -> Any:
        """The rows as a frame of polars."""
        return _module("polars").DataFrame(self._rows(), infer_schema_length=None)

    def to_latex(self) -> str:
        """The rows as a table for a paper; it needs the package booktabs."""
        rows = self._rows()
        names = _names(rows)
        numeric = [all(_is_number(row.get(name)) for row in rows) for name in names]
        lines = [
            f"\\begin{{tabular}}{{{''.join('r' if one else 'l' for one in numeric)}}}",
            "\\toprule",
            f"{' & '.join(_latex(name) for name in names)} \\\\",
            "\\midrule",
            *(f"{' & '.join(_latex(row.get(name)) for name in names)} \\\\" for row in rows),
            "\\bottomrule",
            "\\end{tabular}",
        ]
        return "\n".join(lines) + "\n"

    def _repr_html_(self) -> str:
        rows = self._rows()
        return html_table(_names(rows), [list(row.values()) for row in rows])


class Found(dict, Rows):  # type: ignore[type-arg]
    """What was found, as the command line prints it for programs, and as rows."""

    def __init__(self, found: dict[str, Any], rows: list[dict[str, Any]]) -> None:
        super().__init__(found)
        self._flat = rows

    def _rows(self) -> list[dict[str, Any]]:
        return self._flat


class Drawn(Found):
    """The same with plots."""

    def __init__(self, found: dict[str, Any], rows: list[dict[str, Any]], page: str) -> None:
        super().__init__(found, rows)
        self._page = page

    def to_html(self) -> str:
        """A self-contained page with plots; the numbers of each are a link below it."""
        return self._page

    def plot(self) -> Any:
        """The plots, for a notebook."""
        return Plots(self._page)


class Plots:
    """A page that a notebook shows in a frame."""

    def __init__(self, page: str) -> None:
        self._page = page

    def _repr_html_(self) -> str:
        from ._values import frame

        return frame(self._page, height=640)


def flat(value: dict[str, Any]) -> dict[str, Any]:
    """A row of plain values: what is nested is named by its path, what is a list is left out."""
    row: dict[str, Any] = {}
    for name, entry in value.items():
        if isinstance(entry, dict):
            row.update({f"{name}_{below}": found for below, found in flat(entry).items()})
        elif not isinstance(entry, list):
            row[name] = entry
    return row


def _module(name: str) -> Any:
    """A package that only whoever wants its frames needs."""
    import importlib

    return importlib.import_module(name)


def html_table(names: list[str], rows: list[list[Any]]) -> str:
    """A table for a notebook, with as many rows as one looks at."""
    import html

    head = "".join(f"<th>{html.escape(str(name))}</th>" for name in names)
    body = "".join(
        "<tr>" + "".join(f"<td>{html.escape(_written(value))}</td>" for value in row) + "</tr>"
        for row in rows[:_SHOWN]
    )
    more = f"<p>{len(rows) - _SHOWN} more rows</p>" if len(rows) > _SHOWN else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def _names(rows: list[dict[str, Any]]) -> list[str]:
    return list(dict.fromkeys(name for row in rows for name in row))


def _is_number(value: object) -> bool:
    return value is None or (isinstance(value, (int, float)) and not isinstance(value, bool))


def _written(value: object) -> str:
    if value is None:
        return "–"
    return f"{value:.4f}" if isinstance(value, float) else str(value)


def _latex(value: object) -> str:
    text = _written(value).replace("\\", "\\textbackslash ")
    if _is_number(value) and text.startswith("-"):
        return f"${text}$"
    return "".join(_ESCAPED.get(letter, letter) for letter in text).replace("–", "--")


class _Columns(Rows):
    def __init__(self, columns: dict[str, list[Any]]) -> None:
        self._columns = columns

    def _rows(self) -> list[dict[str, Any]]:
        return [dict(zip(self._columns, row)) for row in zip(*self._columns.values())]


def latex_of(columns: dict[str, list[Any]]) -> str:
    """Columns as a table for a paper; the extension calls this."""
    return _Columns(columns).to_latex()


def html_of(columns: dict[str, list[Any]]) -> str:
    """Columns as a table for a notebook; the extension calls this."""
    return _Columns(columns)._repr_html_()
