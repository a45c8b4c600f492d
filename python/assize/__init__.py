"""Measures what AI systems produce, and shows how it came to every number.

>>> import assize
>>> assize.score({"q1": {"a": 1.0, "b": 0.5}}, {"q1": {"b": 1}}, ["mrr"]).mean
{'mrr': 0.5}
"""

from __future__ import annotations

from . import _native, errors
from ._agreement import Gate, agree, gate
from ._native import Qrels, Run, Table, __version__
from ._retrieval import Comparison, Interval, Ledger, Score, compare, score, score_passages
from .errors import AssizeError

TYPE_CHECKING = False  # typing's own takes longer to load than all of this
if TYPE_CHECKING:
    from typing import Any

    from . import compat, compliance, council, judges, ray, readers, report, spark, summary

__all__ = [
    "AssizeError",
    "Comparison",
    "Gate",
    "Interval",
    "Ledger",
    "Qrels",
    "Run",
    "Score",
    "Table",
    "__version__",
    "agree",
    "compare",
    "compat",
    "compliance",
    "council",
    "errors",
    "gate",
    "judges",
    "ray",
    "readers",
    "report",
    "score",
    "score_passages",
    "spark",
    "summary",
]

_MODULES = frozenset(
    ["compat", "compliance", "council", "integrations", "judges", "ray", "readers", "report", "spark", "summary"]
)


def __getattr__(name: str) -> Any:
    # Loaded when they are used: an import that nobody needs costs every start.
    if name in _MODULES:
        import importlib

        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
