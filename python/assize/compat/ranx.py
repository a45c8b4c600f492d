"""The calls of ``ranx``: ``Qrels``, ``Run``, ``evaluate``, ``compare``, ``fuse``, ``optimize_fusion``.

Metrics have ranx's names and values: documents with the same score keep the order in which they
were given, and gains are linear (``ndcg``) or exponential (``ndcg_burges``).
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from .. import _native
from .._retrieval import compare as _compare
from .._values import identifier, options
from ..errors import BadInput
from ._ranx_report import Report
from ._ranx_tables import Qrels, Run

__all__ = ["Qrels", "Report", "Run", "compare", "evaluate", "fuse", "optimize_fusion", "plot"]

#: ranx's names that are not ours.
_OURS = {
    "hit_rate": "success",
    "precision": "p",
    "r-precision": "r_prec",
}


#: What stands for "no document was found"; no collection has a document of this name.
_UNJUDGED = "\x00assize: no document"


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
    means: dict[str, Any] = {name: math.fsum(column) / len(column) for name, column in values.items()}
    if save_results_in_run:
        for name, column in values.items():
            found.mean_scores[name] = means[name]
            found.scores[name] = dict(zip(sorted(judged), column))
            if return_mean and return_std:
                found.std_scores[name] = _deviation(column, means[name])
    if not return_mean:
        return values[names[0]] if len(names) == 1 else values
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
) -> Report:
    """Every run against every other; prints as ranx's table, with LaTeX, Markdown and HTML."""
    tests = {"student": "t", "fisher": "randomization"}
    if stat_test not in tests:
        raise BadInput(
            f"stat_test: `{stat_test}` is not one of student, fisher; p-values are corrected over all "
            "pairs, which is what tukey is taken for"
        )
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
    ours = [_ours(name) for name in names]
    compared = _compare(
        named,
        _native.Qrels(qrels.qrels),
        ours,
        test=tests[stat_test],
        permutations=n_permutations,
        alpha=max_p,
        seed=random_seed,
        all_pairs=True,
        ties="input",
    )
    return Report(compared, dict(zip(names, ours)), stat_test, (rounding_digits, show_percentages))


def plot(*_: object, **__: object) -> None:
    """Not here: the page of a comparison has its plots."""
    raise BadInput("plot: compare(…) shows its plots in a notebook; to_html() writes them as a page")


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


def optimize_fusion(
    qrels: Qrels,
    runs: Sequence[Run],
    norm: str | None = "min-max",
    method: str = "wsum",
    metric: str = "ndcg",
    return_optimization_report: bool = False,
    rounding_digits: int = 3,
    show_percentages: bool = False,
    *,
    step: float | None = None,
    min_k: int = 10,
    max_k: int = 100,
    show_progress: bool = False,
) -> Any:
    """The weights (``wsum``) or the ``k`` (``rrf``) with the highest metric, by trying all of a grid."""
    trials: list[dict[str, Any]]
    if method == "wsum":
        trials = [{"weights": list(weights)} for weights in _weights(len(runs), step or 0.1)]
    elif method == "rrf":
        trials = [{"k": k} for k in range(min_k, max_k + 1, int(step or 10))]
    else:
        raise BadInput(f"method: `{method}` is not one of wsum, rrf, which have something to choose")
    found = [
        evaluate(qrels, fuse(runs, norm, method, trial), metric, save_results_in_run=False)
        for trial in trials
    ]
    # Of equal ones the last, as ranx takes it.
    best = max(range(len(trials)), key=lambda place: (found[place], place))
    if return_optimization_report:
        return trials[best], [{**trial, metric: value} for trial, value in zip(trials, found)]
    return trials[best]


def _weights(count: int, step: float) -> list[tuple[float, ...]]:
    """All weights of a grid that add up to 1, to the last bit: the others are none of ranx."""
    digits = len(str(step).partition(".")[2])
    steps = round(1 / step)
    grid = [round(place * step, digits) for place in range(steps + 1)]
    return [some for some in itertools.product(grid, repeat=count) if sum(some) == 1.0]


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
