"""Ray Data: summaries scored block by block, and queries whose rows meet in one group.

    import assize.ray
    scores = assize.ray.summary_scores(dataset, article="article", summary="summary", id="id")
    values = assize.ray.score_queries(run, qrels, ["ndcg@10"])
"""

from __future__ import annotations

import importlib
import os
import uuid
from collections.abc import Sequence
from typing import Any

from . import _native
from ._partitions import names, one_core, values
from ._values import is_path
from .errors import BadInput
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

        one_core()
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
    columns = names(measures)
    # What is no file has no version: the next call reads it again, as it may have changed.
    call = uuid.uuid4().hex

    def scored(batch: Any) -> Any:
        return values(_rows(batch, query), _judgements(qrels, call), columns, relevance_level, ties)

    return dataset_of(run).map_batches(scored, batch_format="pyarrow", batch_size=batch_size)


def _rows(batch: Any, query: str) -> Any:
    """A row for each document of the lists; without scores, what stands earlier is better."""
    pyarrow: Any = importlib.import_module("pyarrow")
    compute: Any = importlib.import_module("pyarrow.compute")
    for name in (query, "documents"):
        if name not in batch.column_names:
            raise BadInput(f"run: no column `{name}`; there are `{'`, `'.join(batch.column_names)}`")
    batch = batch.combine_chunks()
    documents = batch.column("documents")
    parents = compute.list_parent_indices(documents)
    if "scores" in batch.column_names:
        _same_lengths(compute, batch)
        scores = compute.list_flatten(batch.column("scores"))
    else:
        scores = pyarrow.array(range(len(parents), 0, -1), pyarrow.float64())
    return pyarrow.table(
        {
            "query": compute.take(batch.column(query), parents),
            "document": compute.list_flatten(documents),
            "score": scores,
        }
    )


def _same_lengths(compute: Any, batch: Any) -> None:
    one, other = (
        compute.fill_null(compute.list_value_length(batch.column(name)), 0).to_pylist()
        for name in ("documents", "scores")
    )
    for row, (documents, scores) in enumerate(zip(one, other)):
        if documents != scores:
            raise BadInput(f"run: row {row}: {documents} documents and {scores} scores")


def dataset_of(run: Any) -> Any:
    """A dataset as it is; anything else becomes one."""
    if hasattr(run, "map_batches"):
        return run
    return importlib.import_module("ray").data.from_arrow(run)


#: The judgements that this worker read last: by what they are known, and they.
_READ: list[tuple[object, _native.Qrels]] = []


def _judgements(qrels: Any, call: str) -> _native.Qrels:
    """Judgements read once for each version of a file, or once for each call of a function."""
    known: object = call
    if is_path(qrels):
        # The same path may name another file the next time.
        try:
            found = os.stat(qrels)
        except OSError as error:
            raise BadInput(f"qrels: {os.fspath(qrels)}: cannot be read: {error.strerror}") from None
        known = (os.fspath(qrels), found.st_mtime_ns, found.st_size)
    if not _READ or _READ[0][0] != known:
        _READ[:] = [(known, _native.Qrels(qrels))]
    return _READ[0][1]
