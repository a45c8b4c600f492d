"""Summaries against their articles: one pair with its ledger, or a whole table."""

from __future__ import annotations

import json
from typing import Any

from . import _native
from ._frames import Rows
from ._native import Table
from ._tables import pairs
from ._values import flag, frame, options, text

__all__ = ["METRICS", "Metric", "Summary", "score", "score_batch"]

#: The five metrics in the order of a scorecard.
METRICS = ("coverage", "alignment", "hallucination", "relevance", "bias_toxicity")


class Metric:
    """One metric of a summary: its value from 0 to 10, or None with a reason."""

    def __init__(self, name: str, details: dict[str, Any], workings: dict[str, Any]) -> None:
        self.name = name
        self.details = details
        value = workings.get("value")
        self.value: float | None = None if value is None else float(value)
        #: Why there is no value.
        self.unscored: str | None = workings.get("unscored")

    def __repr__(self) -> str:
        return f"{self.name}: {'–' if self.value is None else format(self.value, '.2f')}"


class Summary(Rows):
    """A pair, judged: five metrics, what they rest on, and how they were computed."""

    coverage: Metric
    alignment: Metric
    hallucination: Metric
    relevance: Metric
    bias_toxicity: Metric

    def __init__(self, native: _native.Scorecard) -> None:
        self._native = native
        self._wire: dict[str, Any] = json.loads(native.json(True))
        #: Why the pair has no scorecard at all; None where it has one.
        self.reason: str | None = self._wire.get("error")
        workings = self._wire.get("workings", {})
        for name in METRICS:
            found = Metric(name, self._wire.get(name, {}), workings.get(name, {}))
            setattr(self, name, found)

    @property
    def scores(self) -> dict[str, float | None]:
        """The five values."""
        return {name: getattr(self, name).value for name in METRICS}

    @property
    def evidence(self) -> dict[str, Any] | None:
        """What the judge found: claims, key points, quotations with their places."""
        found = self._native.evidence()
        return None if found is None else dict(json.loads(found))

    @property
    def ledger(self) -> str:
        """How each score was computed, as a tree."""
        return self._native.ledger()

    def _rows(self) -> list[dict[str, Any]]:
        return [{"metric": name, "value": value} for name, value in self.scores.items()]

    def to_dict(self, explain: bool = False) -> dict[str, Any]:
        """What ``assize summary score --format json`` prints."""
        return dict(json.loads(self._native.json(explain)))

    def to_json(self) -> str:
        """The same bytes as a line of ``assize summary score --format jsonl``."""
        return self._native.json(False)

    def to_html(self) -> str:
        """A self-contained page."""
        return self._native.html()

    def __repr__(self) -> str:
        if self.reason:
            return f"unscored: {self.reason}"
        return "\n".join(repr(getattr(self, name)) for name in METRICS)

    def _repr_html_(self) -> str:
        return frame(self.to_html(), height=640)


def score(
    article: str,
    summary: str,
    *,
    framework: str | None = None,
    overlap: str | None = None,
) -> Summary:
    """Score one summary by rules: no model, no network, the same result every time."""
    article, summary = text("article", article), text("summary", summary)
    settings = options(framework=framework, overlap=overlap)
    return Summary(_native.summary_score(article, summary, settings))


def score_batch(
    table: Any,
    *,
    article: str = "article",
    summary: str = "summary",
    id: str | None = None,
    framework: str | None = None,
    overlap: str | None = None,
    scorecard: bool = False,
) -> Table:
    """Score a table of pairs, one row out for each row in.

    Arrow in (pyarrow, pandas, polars, DuckDB) or ``{column: [text, …]}``, Arrow out: the five
    metrics, null where unscored, and ``reason``. With ``scorecard`` every row also holds the line
    that the command line would print.
    """
    columns = options(
        article=article, summary=summary, id=id, scorecard=flag("scorecard", scorecard)
    )
    settings = options(framework=framework, overlap=overlap)
    return _native.summary_score_batch(pairs(table, (article, summary), id), columns, settings)
