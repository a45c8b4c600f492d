"""Retrieval runs: one scored, several compared."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Iterator, Mapping, Sequence

from . import _native
from ._frames import Rows, flat
from ._native import Table
from ._tables import column_names
from ._values import dumped, frame, is_path, loaded, options, text_of
from .errors import BadInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NamedTuple

    class Interval(NamedTuple):
        """Both ends of a confidence interval."""

        low: float
        high: float

else:
    Interval = namedtuple("Interval", ["low", "high"])
    Interval.__doc__ = "Both ends of a confidence interval."


class Ledger:
    """How the numbers of one query were computed; prints as a tree."""

    def __init__(self, title: str, text: str, page: str) -> None:
        self.title = title
        self._text, self._page = text, page

    def __str__(self) -> str:
        return f"{self.title}\n\n{self._text}"

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return frame(self._page)


class Score(Rows):
    """One run's results."""

    def __init__(self, native: _native.Score) -> None:
        self._native = native
        self._wire: dict[str, Any] = loaded(native.json(False))

    @property
    def mean(self) -> dict[str, float]:
        """The value of each measure over all queries."""
        return {name: measure["value"] for name, measure in self._wire["measures"].items()}

    @property
    def interval(self) -> dict[str, Interval | None]:
        """The interval of each mean; counts and geometric means have none."""
        return {
            name: Interval(measure["low"], measure["high"]) if "low" in measure else None
            for name, measure in self._wire["measures"].items()
        }

    @property
    def per_query(self) -> Table:
        """Every query's values as a table that speaks Arrow."""
        return self._native.table()

    @property
    def queries(self) -> list[str]:
        """The scored queries, in the order of the judgements."""
        return self._native.queries()

    @property
    def num_queries(self) -> int:
        """How many queries were scored."""
        return int(self._wire["num_examples"])

    @property
    def confidence(self) -> float:
        """The confidence level of the intervals."""
        return float(self._wire["confidence"])

    @property
    def notices(self) -> list[str]:
        """What one should know: queries left out, duplicate documents."""
        return list(self._wire["notices"])

    @property
    def groups(self) -> dict[str, dict[str, float]]:
        """The means of each value of the field that makes groups."""
        groups = self._wire.get("groups", {})
        return {
            name: {measure: found["value"] for measure, found in group["measures"].items()}
            for name, group in groups.items()
        }

    def values(self, measure: str) -> list[float]:
        """The values of one measure in the order of ``queries``."""
        return self._native.column(self._place(measure))

    def by_query(self) -> dict[str, dict[str, float]]:
        """``{query: {measure: value}}``."""
        columns = [self._native.column(index) for index in range(len(self.mean))]
        names = list(self.mean)
        return {
            query: dict(zip(names, row)) for query, row in zip(self.queries, zip(*columns))
        }

    def explain(self, query: str) -> Ledger:
        """How the numbers of a query were computed, by its identifier or text."""
        return Ledger(*self._native.explain(str(query)))

    def _rows(self) -> list[dict[str, Any]]:
        return [
            {
                "measure": name,
                "mean": measure["value"],
                "low": measure.get("low"),
                "high": measure.get("high"),
            }
            for name, measure in self._wire["measures"].items()
        ]

    def to_dict(self, per_query: bool = False) -> dict[str, Any]:
        """What ``assize score --format json`` prints."""
        return dict(loaded(self._native.json(per_query)))

    def to_html(self) -> str:
        """A self-contained page."""
        return self._native.html()

    def _place(self, measure: str) -> int:
        names = list(self.mean)
        if measure in names:
            return names.index(measure)
        ours = _native.measures([measure])[0][0]
        if ours in names:
            return names.index(ours)
        raise BadInput(f"measure: `{measure}` was not scored; there are {', '.join(names)}")

    def __getitem__(self, measure: str) -> float:
        return list(self.mean.values())[self._place(measure)]

    def __iter__(self) -> Iterator[str]:
        return iter(self.mean)

    def __len__(self) -> int:
        return len(self.mean)

    def __repr__(self) -> str:
        lines = [f"{self.num_queries} queries"]
        for name, value in self.mean.items():
            ends = self.interval[name]
            shown = f" [{ends.low:.4f}, {ends.high:.4f}]" if ends else ""
            lines.append(f"{name:<16} {value:.4f}{shown}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return frame(self.to_html())


class Comparison(Rows):
    """Runs compared on the queries that all of them answer; the first is the baseline."""

    def __init__(self, native: _native.Comparison) -> None:
        self._native = native
        self._wire: dict[str, Any] = loaded(native.json())

    @property
    def runs(self) -> dict[str, dict[str, float]]:
        """Each run's means."""
        return {
            run["name"]: {name: found["value"] for name, found in run["scores"].items()}
            for run in self._wire["runs"]
        }

    @property
    def pairs(self) -> list[dict[str, Any]]:
        """Every compared pair on every measure: difference, interval, p-values, effect, mark."""
        return list(self._wire["pairs"])

    @property
    def queries(self) -> int:
        """How many queries were compared."""
        return int(self._wire["queries"])

    @property
    def method(self) -> str:
        """How p-values and intervals were made, as a sentence."""
        return str(self._wire["method"])

    @property
    def notices(self) -> list[str]:
        """What one should know."""
        return self._native.notices()

    def _rows(self) -> list[dict[str, Any]]:
        return [flat(pair) for pair in self.pairs]

    def to_dict(self) -> dict[str, Any]:
        """What ``assize compare --format json`` prints."""
        return dict(self._wire)

    def to_latex(self) -> str:
        """A table for a paper."""
        return self._native.latex()

    def to_markdown(self) -> str:
        """Tables in Markdown."""
        return self._native.markdown()

    def to_html(self) -> str:
        """A self-contained page with plots."""
        return self._native.html()

    def __repr__(self) -> str:
        return self.to_markdown()

    def _repr_html_(self) -> str:
        return frame(self.to_html(), height=640)


def score(
    run: Any,
    qrels: Any,
    measures: Sequence[str] | str | None = None,
    *,
    mode: str | None = None,
    k: int | Sequence[int] | None = None,
    confidence: float | None = None,
    resamples: int | None = None,
    seed: int | None = None,
    require_all: bool | None = None,
    relevance_level: int | None = None,
    depth: int | None = None,
    ties: str | None = None,
    judged_only: bool | None = None,
    by: str | None = None,
) -> Score:
    """Score a run against its judgements.

    ``run`` and ``qrels`` are paths, ``{query: {document: number}}``, tables with Arrow's interface
    (pyarrow, pandas, polars, DuckDB), or an ``assize.Run`` and ``assize.Qrels`` that were read
    before. Measures are written as ``ndcg@10``, as trec_eval's ``ndcg_cut_10`` or as ir_measures'
    ``nDCG@10``.
    """
    settings = options(
        measures=_measures(measures),
        mode=mode,
        k=k,
        confidence=confidence,
        resamples=resamples,
        seed=seed,
        require_all=require_all,
        relevance_level=relevance_level,
        depth=depth,
        ties=ties,
        judged_only=judged_only,
        by=by,
    )
    if looks_swapped(run, qrels):
        raise BadInput("run and qrels seem to be swapped: score(run, qrels) takes the run first")
    return Score(_native.score(run, qrels, settings))


def looks_swapped(run: Any, qrels: Any) -> bool:
    """Whether dicts look like judgements and then a run: levels, and then scores in falling order.

    Only the first query is looked at: the rest would cost time in every call.
    """
    if not isinstance(run, dict) or not isinstance(qrels, dict) or not run or not qrels:
        return False
    levels, scores = next(iter(run.values())), next(iter(qrels.values()))
    if not isinstance(levels, dict) or not isinstance(scores, dict):
        return False
    given = list(scores.values())
    return (
        len(given) > len(levels)
        and all(type(level) is int and 0 <= level <= 4 for level in levels.values())
        and all(type(score) is float for score in given)
        and len(set(given)) == len(given)
    )


def compare(
    runs: Mapping[str, Any],
    qrels: Any,
    measures: Sequence[str] | str | None = None,
    *,
    test: str | None = None,
    correction: str | None = None,
    all_pairs: bool | None = None,
    permutations: int | None = None,
    alpha: float | None = None,
    confidence: float | None = None,
    resamples: int | None = None,
    seed: int | None = None,
    relevance_level: int | None = None,
    ties: str | None = None,
) -> Comparison:
    """Compare runs on the same judgements, with intervals and paired tests."""
    settings = options(
        measures=_measures(measures),
        confidence=confidence,
        resamples=resamples,
        seed=seed,
        relevance_level=relevance_level,
        ties=ties,
    )
    comparing = options(
        test=test,
        correction=correction,
        all_pairs=all_pairs,
        permutations=permutations,
        alpha=alpha,
    )
    if alpha is not None and hasattr(alpha, "__float__") and not 0 < float(alpha) < 1:
        raise BadInput(f"alpha: {alpha} is not between 0 and 1")
    if not isinstance(runs, Mapping):
        raise BadInput(f"runs: {type(runs).__name__} was given; expected {{name: run}}")
    names = [str(name) for name in runs]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise BadInput(f"runs: {twice!r} names two runs; a number and its text are one name")
    named = list(zip(names, runs.values()))
    gold = qrels
    if not all(is_path(run) for run in runs.values()) and not is_path(gold):
        # Read once for all runs, by the columns that these have too.
        beside = [name for run in runs.values() for name in column_names(run)]
        gold = gold if isinstance(gold, _native.Qrels) else _native.Qrels(gold, beside)
    return Comparison(_native.compare(named, gold, settings, comparing))


def score_passages(
    predictions: Any,
    gold: Any,
    k: int | Sequence[int] | None = None,
    measures: Sequence[str] | str | None = None,
    *,
    mode: str | None = None,
    whitespace: str | None = None,
    f1: str | None = None,
    ndcg_ideal: str | None = None,
    ndcg_unclipped: bool | None = None,
    compat: bool | None = None,
    require_all: bool | None = None,
    confidence: float | None = None,
    resamples: int | None = None,
    seed: int | None = None,
    by: str | None = None,
) -> Score:
    """Score retrieved passages against gold snippets: lists and dicts, or two paths."""
    settings = options(
        measures=_measures(measures),
        mode=mode,
        k=k,
        whitespace=whitespace,
        f1=f1,
        ndcg_ideal=ndcg_ideal,
        ndcg_unclipped=ndcg_unclipped,
        compat=compat,
        require_all=require_all,
        confidence=confidence,
        resamples=resamples,
        seed=seed,
        by=by,
    )
    if is_path(predictions) and is_path(gold):
        return Score(_native.score(predictions, gold, settings))
    run, gold = _json("predictions", predictions), _json("gold", gold)
    return Score(_native.score_values(run, gold, settings))


def _json(field: str, value: Any) -> str:
    return text_of(field, value) if is_path(value) else dumped(field, value)


def _measures(measures: Sequence[str] | str | None) -> list[str] | None:
    if measures is None:
        return None
    if not isinstance(measures, str) and not hasattr(measures, "__iter__"):
        # A single object of ir_measures is one measure, a number is none.
        if not hasattr(measures, "calc_aggregate"):
            raise BadInput(f"measures: {type(measures).__name__} was given; expected names")
        return [str(measures)]
    names = [measures] if isinstance(measures, str) else list(measures)
    # Objects of ir_measures write themselves as users type them.
    return [name if isinstance(name, str) else str(name) for name in names]
