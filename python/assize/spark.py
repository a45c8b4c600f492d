"""Spark: summaries scored where they are, and queries whose rows meet on one executor.

    import assize.spark
    scores = assize.spark.summary_scores(df, article="article", summary="summary", id="id")
    values = assize.spark.score_queries(run, qrels, ["ndcg@10"])

Executors need the same wheel and Python (``PYSPARK_PYTHON``). Each task scores on one core: Spark
decides how many run side by side.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from . import _native
from .summary import METRICS, score_batch

__all__ = ["score_queries", "summary_scores"]


def summary_scores(
    df: Any,
    *,
    article: str = "article",
    summary: str = "summary",
    id: str | None = None,
    framework: str | None = None,
    overlap: str | None = None,
    scorecard: bool = False,
) -> Any:
    """A row for each row: the metrics, null where unscored, and the reason."""
    fields = [f"{name} double" for name in METRICS]
    fields = ([] if id is None else ["id string"]) + fields + ["reason string"]
    if scorecard:
        fields.append("scorecard string")

    def scored(batches: Iterable[Any]) -> Iterator[Any]:
        pyarrow: Any = importlib.import_module("pyarrow")

        _one_core()
        for batch in batches:
            table = score_batch(
                batch,
                article=article,
                summary=summary,
                id=id,
                framework=framework,
                overlap=overlap,
                scorecard=scorecard,
            )
            yield from pyarrow.table(table).to_batches()

    wanted = [article, summary] + ([] if id is None else [id])
    return df.select(*dict.fromkeys(wanted)).mapInArrow(scored, ", ".join(fields))


def score_queries(
    run: Any,
    qrels: Any,
    measures: Sequence[str],
    *,
    query: str = "query",
    document: str = "document",
    score: str = "score",
    level: str = "relevance",
    relevance_level: int | None = None,
    ties: str | None = None,
) -> Any:
    """A row for each judged query of the run: ``query`` and a column a measure.

    Both are DataFrames with a row for each document; the rows of a query meet by ``cogroup``. A
    query of the run without judgements gives no row, and one without results gives none either.
    """
    names = [ours for ours, _ in _native.measures(list(measures))]
    schema = "query string, " + ", ".join(f"`{name}` double" for name in names)

    def scored(left: Any, right: Any) -> Any:
        pyarrow: Any = importlib.import_module("pyarrow")

        from . import score as score_run

        _one_core()
        empty = pyarrow.table(
            {"query": pyarrow.array([], pyarrow.string())}
            | {name: pyarrow.array([], pyarrow.float64()) for name in names}
        )
        if left.num_rows == 0 or right.num_rows == 0:
            return empty
        found = score_run(
            left.select([query, document, score]).rename_columns(["query", "document", "score"]),
            right.select([query, document, level]).rename_columns(["query", "document", "level"]),
            names,
            resamples=0,
            relevance_level=relevance_level,
            ties=ties,
        )
        return pyarrow.table(found.per_query)

    grouped = run.groupby(query).cogroup(qrels.groupby(query))
    return grouped.applyInArrow(scored, schema)


def _one_core() -> None:
    # Read when the extension makes its threads, which is at the first score of the process.
    os.environ.setdefault("RAYON_NUM_THREADS", "1")
