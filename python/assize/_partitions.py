"""What Spark and Ray have in common: a part of the queries scored, on one core."""

from __future__ import annotations

import importlib
import os
from collections.abc import Sequence
from typing import Any

from . import _native
from ._values import options


def names(measures: Sequence[str]) -> list[str]:
    """Measures in our notation, which names the columns; one that is named twice is one column."""
    return list(dict.fromkeys(ours for ours, _ in _native.measures(list(measures))))


def values(
    run: Any, qrels: Any, measures: Sequence[str], relevance_level: int | None, ties: str | None
) -> Any:
    """The values of a part's queries as a ``pyarrow.Table``; no row where none has judgements."""
    pyarrow: Any = importlib.import_module("pyarrow")
    one_core()
    settings = options(
        measures=list(measures), mode="ranked", resamples=0, relevance_level=relevance_level, ties=ties
    )
    found = None
    if len(run) and len(qrels):
        found = _native.score_part(run, qrels, settings)
    if found is not None:
        return pyarrow.table(found)
    # The fields of a part that has rows: engines join parts only if these are the same.
    fields = [pyarrow.field("query", pyarrow.string(), nullable=False)]
    fields += [pyarrow.field(name, pyarrow.float64(), nullable=False) for name in measures]
    return pyarrow.schema(fields).empty_table()


def one_core() -> None:
    """Leaves the number of tasks side by side to the engine that starts them."""
    # Read when the extension makes its threads, which is at the first score of the process.
    os.environ.setdefault("RAYON_NUM_THREADS", "1")
