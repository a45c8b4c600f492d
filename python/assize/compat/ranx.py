"""The calls of ``ranx`` that people use most: ``Qrels``, ``Run``, ``evaluate``, ``compare``, ``fuse``.

Metrics have ranx's names and values: documents with the same score keep the order in which they
were given, and gains are linear (``ndcg``) or exponential (``ndcg_burges``).
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from .. import _native
from .._retrieval import Comparison
from .._retrieval import compare as _compare
from .._values import identifier, options
from ..errors import BadInput

__all__ = ["Qrels", "Run", "compare", "evaluate", "fuse"]

#: ranx's names that are not ours.
_OURS = {
    "hit_rate": "success",
    "precision": "p",
    "r-precision": "r_prec",
}


#: What stands for "no document was found"; no collection has a document of this name.
_UNJUDGED = "\x00assize: no document"


class Qrels:
    """Judgements, ``{query: {document: level}}``."""

    def __init__(
        self, qrels: Mapping[str, Mapping[str, int]] | None = None, name: str | None = None
    ) -> None:
        self.qrels = {query: dict(documents) for query, documents in (qrels or {}).items()}
        self.name = name

    def keys(self) -> list[str]:
        """The queries."""
        return list(self.qrels)


class Run:
    """Retrieved documents with their scores, ``{query: {document: score}}``."""

    def __init__(
        self, run: Mapping[str, Mapping[str, float]] | None = None, name: str | None = None
    ) -> None:
        self.run = {query: dict(documents) for query, documents in (run or {}).items()}
        self.name = name

    def keys(self) -> list[str]:
        """The queries."""
        return list(self.run)


def evaluate(
    qrels: Qrels | Mapping[str, Mapping[str, int]],
    run: Run | Mapping[str, Mapping[str, float]],
    metrics: Sequence[str] | str,
    return_mean: bool = True,
    return_std: bool = False,
    threads: int = 0,
    save_results_in_run: bool = True,
    make_comparable: bool = False,
) -> Any:
    """One metric: its mean, or every query's values. Several: those by their names."""
    names = [metrics] if isinstance(metrics, str) else list(metrics)
    gold = qrels if isinstance(qrels, Qrels) else Qrels(qrels)
    found = run if isinstance(run, Run) else Run(run)
    by_name = _named(found.run)
    judged = _judged(gold.qrels, by_name, make_comparable)
    ours = [_ours(name) for name in names]
    order = list(dict.fromkeys(ours))
    rows = _rows(gold.qrels, found.run, order) if any(by_name.get(name) for name in judged) else {}
    # A query without results is 0, as in ranx; by the names of the queries, as ranx gives them.
    nothing = (0.0,) * len(order)
    values = {
        name: [rows.get(query, nothing)[order.index(own)] for query in sorted(judged)]
        for name, own in zip(names, ours)
    }
    if not return_mean:
        return values[names[0]] if len(names) == 1 else values
    means: dict[str, Any] = {name: math.fsum(column) / len(column) for name, column in values.items()}
    if return_std:
        means = {
            name: {"mean": means[name], "std": _deviation(column, means[name])}
            for name, column in values.items()
        }
    return means[names[0]] if len(names) == 1 else means


def _named(nested: Mapping[Any, Mapping[str, float]]) -> dict[str, Mapping[str, float]]:
    return {identifier("query", query): documents for query, documents in nested.items()}


def _judged(
    qrels: Mapping[Any, Mapping[str, int]], run: Mapping[str, Any], make_comparable: bool
) -> list[str]:
    """The queries of the judgements, which the run must have too."""
    judged = [identifier("query", query) for query in qrels]
    if not judged:
        raise BadInput("qrels: there is no query in it")
    if not make_comparable and set(judged) != set(run):
        raise BadInput("run and qrels have different queries; make_comparable=True takes those of qrels")
    return judged


def _rows(
    qrels: dict[str, dict[str, int]], run: dict[str, dict[str, float]], measures: list[str]
) -> dict[str, tuple[float, ...]]:
    """The values of every query that has judgements and results."""
    settings = options(measures=measures, mode="ranked", resamples=0, ties="input")
    scored = _native.score(run, qrels, settings)
    columns = [scored.column(index) for index in range(len(measures))]
    return dict(zip(scored.queries(), zip(*columns)))


def compare(
    qrels: Qrels,
    runs: Sequence[Run],
    metrics: Sequence[str] | str,
    stat_test: str = "student",
    n_permutations: int = 1000,
    max_p: float = 0.01,
    random_seed: int = 42,
    threads: int = 0,
    rounding_digits: int = 3,
    show_percentages: bool = False,
    make_comparable: bool = False,
) -> Comparison:
    """Every run against every other; an ``assize.Comparison`` with LaTeX, Markdown and HTML."""
    tests = {"student": "t", "fisher": "randomization", "tukey": None}
    if tests.get(stat_test) is None:
        raise BadInput(f"stat_test: `{stat_test}` is not one of student, fisher")
    names = [metrics] if isinstance(metrics, str) else list(metrics)
    named: dict[str, dict[str, dict[str, float]]] = {}
    for place, run in enumerate(runs, start=1):
        name = run.name or f"run_{place}"
        if name in named:
            raise BadInput(f"runs: {name!r} names two runs")
        found = _named(run.run)
        judged = _judged(qrels.qrels, found, make_comparable)
        # Comparisons take the queries that every run answers: a document that nobody judged is an
        # answer worth as much as none.
        named[name] = {query: dict(found.get(query, {})) or {_UNJUDGED: 0.0} for query in judged}
    return _compare(
        named,
        _native.Qrels(qrels.qrels),
        [_ours(name) for name in names],
        test=tests[stat_test],
        permutations=n_permutations,
        alpha=max_p,
        seed=random_seed,
        all_pairs=True,
        ties="input",
    )


def fuse(
    runs: Sequence[Run],
    norm: str | None = "min-max",
    method: str = "wsum",
    params: Mapping[str, Any] | None = None,
) -> Run:
    """One run out of several: ``rrf``, or sums of scores that were brought to one range."""
    params = dict(params or {})
    if method not in ("rrf", "sum", "wsum", "max"):
        raise BadInput(f"method: `{method}` is not one of rrf, sum, wsum, max; try `assize fuse`")
    weights = list(params.get("weights", [1.0] * len(runs)))
    if len(weights) != len(runs):
        raise BadInput(f"weights: {len(weights)} for {len(runs)} runs")
    fused: dict[str, dict[str, float]] = {}
    for run, weight in zip(runs, weights):
        for query, documents in run.run.items():
            into = fused.setdefault(query, {})
            scores = _ranks(documents, params.get("k", 60)) if method == "rrf" else _normal(documents, norm)
            for document, value in scores.items():
                value *= weight if method == "wsum" else 1.0
                if method == "max":
                    into[document] = max(into.get(document, -math.inf), value)
                else:
                    into[document] = into.get(document, 0.0) + value
    return Run(
        {
            query: dict(sorted(documents.items(), key=lambda entry: -entry[1]))
            for query, documents in fused.items()
        },
        name=method,
    )


def _ranks(documents: Mapping[str, float], k: float) -> dict[str, float]:
    best_first = sorted(documents, key=lambda document: -documents[document])
    return {document: 1.0 / (k + rank) for rank, document in enumerate(best_first, start=1)}


def _normal(documents: Mapping[str, float], norm: str | None) -> dict[str, float]:
    if norm is None:
        return dict(documents)
    if norm != "min-max":
        raise BadInput(f"norm: `{norm}` is not one of min-max, None")
    low, high = min(documents.values(), default=0.0), max(documents.values(), default=0.0)
    span = max(high - low, 1e-9)
    return {document: (value - low) / span for document, value in documents.items()}


def _ours(name: str) -> str:
    found = re.fullmatch(r"(?P<family>[a-z0-9_-]+?)(\.(?P<p>\d+))?(@(?P<k>\d+))?(-l(?P<level>\d+))?", name)
    if found is None:
        raise BadInput(f"metrics: `{name}` is not a metric of ranx")
    family, share, cutoff, level = found["family"], found["p"], found["k"], found["level"]
    settings = [f"rel={level}"] if level else []
    at = f"@{cutoff}" if cutoff else ""
    if family == "ndcg_burges":
        family, settings = "ndcg", [*settings, "gain=exp"]
    elif share is not None:
        # Its gains are levels as they are, so that a value may be above 1.
        raise BadInput(f"metrics: `{name}` of ranx is not scaled; take rbp(p=0.{share}) of assize.score")
    elif family in ("precision", "recall", "f1", "hit_rate") and not at:
        # Over the whole list, as ranx means it.
        family = {"precision": "set_p", "recall": "set_recall", "f1": "set_f"}.get(family, "success")
        at = "@1000000000" if family == "success" else ""
    elif family == "hits":
        raise BadInput("metrics: `hits` is a count; take num_rel_ret of assize.score")
    family = _OURS.get(family, family)
    inside = f"({','.join(settings)})" if settings else ""
    return f"{family}{inside}{at}"


def _deviation(values: Sequence[float], mean: float) -> float:
    return math.sqrt(math.fsum((value - mean) ** 2 for value in values) / len(values))
