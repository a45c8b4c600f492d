"""Ray Data: summaries scored block by block, and queries whose rows meet in one group.

    import assize.ray
    scores = assize.ray.summary_scores(dataset, article="article", summary="summary", id="id")
    values = assize.ray.score_queries(run, qrels, ["ndcg@10"])
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Sequence
from typing import Any

from . import _native
from .summary import score_batch

__all__ = ["score_queries", "summary_scores"]


def summary_scores(
    dataset: Any,
    *,
    article: str = "article",
    summary: str = "summary",
    id: str | None = None,
    framework: str | None = None,
    overlap: str | None = None,
    scorecard: bool = False,
    batch_size: int | None = 4096,
) -> Any:
    """A row for each row: the metrics, null where unscored, and the reason."""

    def scored(batch: Any) -> Any:
        pyarrow: Any = importlib.import_module("pyarrow")

        _one_core()
        table = score_batch(
            batch,
            article=article,
            summary=summary,
            id=id,
            framework=framework,
            overlap=overlap,
            scorecard=scorecard,
        )
        return pyarrow.table(table)

    return dataset.map_batches(
        scored, batch_format="pyarrow", batch_size=batch_size, zero_copy_batch=True
    )


def score_queries(
    run: Any,
    qrels: Any,
    measures: Sequence[str],
    *,
    query: str = "query",
    relevance_level: int | None = None,
    ties: str | None = None,
    batch_size: int | None = 100_000,
) -> Any:
    """A row for each judged query of the run: ``query`` and a column a measure.

    ``run`` is a dataset with one row a query: ``query``, ``documents`` (best first or with
    ``scores`` beside them). ``qrels`` is anything that ``assize.Qrels`` takes; every worker reads
    it once, so a path on shared storage is best.
    """
    names = [ours for ours, _ in _native.measures(list(measures))]

    def scored(batch: Any) -> Any:
        pyarrow: Any = importlib.import_module("pyarrow")

        from . import score as score_run

        _one_core()
        rows = batch.to_pydict()
        lists = zip(rows[query], rows["documents"], rows.get("scores", [None] * len(rows[query])))
        nested = {
            name: list(documents) if scores is None else dict(zip(documents, scores))
            for name, documents, scores in lists
        }
        found = score_run(
            nested, _judgements(qrels), names, resamples=0,
            relevance_level=relevance_level, ties=ties,
        )
        return pyarrow.table(found.per_query)

    return dataset_of(run).map_batches(scored, batch_format="pyarrow", batch_size=batch_size)


def dataset_of(run: Any) -> Any:
    """A dataset as it is; anything else becomes one."""
    if hasattr(run, "map_batches"):
        return run
    return importlib.import_module("ray").data.from_arrow(run)


_READ: dict[str, _native.Qrels] = {}


def _judgements(qrels: Any) -> _native.Qrels:
    key = str(qrels) if isinstance(qrels, (str, os.PathLike)) else str(id(qrels))
    if key not in _READ:
        _READ.clear()
        _READ[key] = _native.Qrels(qrels)
    return _READ[key]


def _one_core() -> None:
    # Read when the extension makes its threads, which is at the first score of the process.
    os.environ.setdefault("RAYON_NUM_THREADS", "1")
