"""Spark: summaries scored where they are, and queries whose rows meet on one executor.

    import assize.spark
    scores = assize.spark.summary_scores(df, article="article", summary="summary", id="id")
    values = assize.spark.score_queries(run, qrels, ["ndcg@10"])

Executors need the same wheel and Python (``PYSPARK_PYTHON``). Each task scores on one core: Spark
decides how many run side by side.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ._partitions import names, one_core, values
from .errors import BadInput
from .summary import METRICS, score_batch

__all__ = ["score_queries", "summary_scores"]

#: Handing a part to Python costs as much as scoring some hundred queries: parts are many enough to
#: be small, and few enough to be worth it.
PARTS_OF_A_PARTITION = 16


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

        one_core()
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
    parts: int | None = None,
) -> Any:
    """A row for each judged query of the run: ``query`` and a column a measure.

    Both are DataFrames with a row for each document; the rows of a query meet by ``cogroup``, in
    one of ``parts`` parts, each of which has to fit into the memory of a worker (16 for each of
    Spark's shuffle partitions, if nothing is said). A query of the run without judgements gives no
    row, and one without results gives none either.
    """
    columns = names(measures)
    schema = "query string, " + ", ".join(f"`{name}` double" for name in columns)
    if parts is None:
        partitions = run.sparkSession.conf.get("spark.sql.shuffle.partitions")
        parts = PARTS_OF_A_PARTITION * int(partitions)
    if parts < 1:
        raise BadInput(f"parts: {parts} is not at least 1")

    def scored(left: Any, right: Any) -> Any:
        own = ["query", "document"]
        return values(
            left.select([*own, "score"]), right.select([*own, "level"]), columns, relevance_level, ties
        )

    def parted(frame: Any, value: str, name: str) -> Any:
        # As text, because numbers and texts that are written alike name the same query.
        key = f"cast({_quoted(query)} as string)"
        return frame.selectExpr(
            f"pmod(hash({key}), {parts}) as part",
            f"{key} as query",
            f"{_quoted(document)} as document",
            f"{_quoted(value)} as {name}",
        ).groupby("part")

    grouped = parted(run, score, "score").cogroup(parted(qrels, level, "level"))
    return grouped.applyInArrow(scored, schema)


def _quoted(column: str) -> str:
    return "`" + column.replace("`", "``") + "`"
