"""``ir_measures`` as one knows it: measures such as ``nDCG@10`` and ``P(rel=2)@5``, and its calls.

    from assize.compat import ir_measures
    from assize.compat.ir_measures import *
    ir_measures.calc_aggregate([AP, nDCG @ 10, P(rel=2) @ 10], qrels, run)

A query that has judgements and no results is 0, as there. A name that is not here says what to use
in its place.
"""

from __future__ import annotations

import gzip
import math
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from .. import _native
from .._values import identifier, options
from ..errors import BadInput

#: The measures with values of ir_measures, and how else it calls them.
_MEASURES = {
    "AP": ["MAP"],
    "Bpref": ["BPref"],
    "NumRel": [],
    "NumRet": [],
    "P": ["Precision"],
    "R": ["Recall"],
    "RR": ["MRR"],
    "Rprec": ["RPrec"],
    "SetP": [],
    "SetR": [],
    "Success": [],
    "nDCG": ["NDCG"],
}
_NAMES = {alias: name for name, aliases in _MEASURES.items() for alias in [name, *aliases]}
#: Its other name for ``NumRet(rel=1)``.
_RELEVANT_RETRIEVED = "NumRelRet"
#: Ours, where the spelling differs. Counts are summed over queries.
_COUNTS = {"NumRel": "num_rel", "NumRet": "num_ret"}

_CALLS = [
    "CalcResults", "Evaluator", "Measure", "Metric", "Qrel", "ScoredDoc", "calc", "calc_aggregate",
    "evaluator", "iter_calc", "parse_measure", "read_trec_qrels", "read_trec_run",
]
__all__ = [*_CALLS, *_NAMES, _RELEVANT_RETRIEVED]  # noqa: PLE0604

#: What stands in for a name of ir_measures that is not here.
_INSTEAD = {
    "parse_trec_measure": "assize.score takes trec_eval's names as they are, such as `ndcg_cut.10`",
    "parse_trec_qrels": "read_trec_qrels",
    "parse_trec_run": "read_trec_run",
    "convert_trec_name": "assize.score takes trec_eval's names as they are, such as `ndcg_cut.10`",
    "define": "values of your own functions go to assize.report",
    "define_byquery": "values of your own functions go to assize.report",
    "providers": "there is one implementation; leave the provider out",
}


def __getattr__(name: str) -> Any:
    if name in _NAMES:
        return Measure(_NAMES[name])
    if name == _RELEVANT_RETRIEVED:
        return Measure("NumRet", rel=1)
    if name.startswith("__"):
        raise AttributeError(name)
    instead = _INSTEAD.get(name, "ask the package ir_measures itself; `assize measures` lists ours")
    raise AttributeError(f"assize.compat.ir_measures has no `{name}`: {instead}")


class Qrel(NamedTuple):
    """How relevant a document is to a query."""

    query_id: str
    doc_id: str
    relevance: int
    iteration: str = "0"


class ScoredDoc(NamedTuple):
    """A document that was found, and its score."""

    query_id: str
    doc_id: str
    score: float


class Metric(NamedTuple):
    """The value of a measure for a query."""

    query_id: str
    measure: Measure
    value: float


class CalcResults(NamedTuple):
    """The values of all queries together, and of each."""

    aggregated: dict[Measure, float]
    per_query: list[Metric]


class Measure:
    """A measure with its parameters: ``nDCG @ 10``, ``P(rel=2) @ 5``."""

    def __init__(self, name: str, **params: Any) -> None:
        self.NAME = name
        self.params = params

    def __call__(self, **params: Any) -> Measure:
        return Measure(self.NAME, **{**self.params, **params})

    def __matmul__(self, cutoff: int) -> Measure:
        return self(cutoff=cutoff)

    def __repr__(self) -> str:
        inner = ",".join(f"{k}={v!r}" for k, v in self.params.items() if k != "cutoff")
        shown = f"{self.NAME}({inner})" if inner else self.NAME
        return f"{shown}@{self.params['cutoff']}" if "cutoff" in self.params else shown

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Measure) and repr(self) == repr(other)

    def __hash__(self) -> int:
        return hash(repr(self))

    def calc_aggregate(self, qrels: Any, run: Any) -> float:
        """The mean over all queries."""
        return calc_aggregate([self], qrels, run)[self]

    def iter_calc(self, qrels: Any, run: Any) -> Iterator[Metric]:
        """The value of each query."""
        return iter_calc([self], qrels, run)


def parse_measure(text: str) -> Measure:
    """The measure of a text such as ``P(rel=2)@5``."""
    if text.strip() == _RELEVANT_RETRIEVED:
        return Measure("NumRet", rel=1)
    shape, at, cutoff = text.strip().partition("@")
    name, _, inner = shape.partition("(")
    if name not in _NAMES or (at and not cutoff.isdigit()):
        raise BadInput(f"measure: ir_measures' `{text}` is not known here; `assize measures` lists ours")
    params: dict[str, Any] = {}
    for one in filter(None, inner.rstrip(")").split(",")):
        key, _, value = one.partition("=")
        params[key.strip()] = int(value) if value.strip().isdigit() else value.strip().strip("'\"")
    if at:
        params["cutoff"] = int(cutoff)
    return Measure(_NAMES[name], **params)


class Evaluator:
    """Scores runs against judgements that were read once."""

    def __init__(self, measures: Sequence[Measure | str], qrels: Any) -> None:
        self.measures = [parse_measure(one) if isinstance(one, str) else one for one in measures]
        if not self.measures:
            raise BadInput("measures: there is none")
        self._qrels = _nested("qrels", qrels, "relevance")
        if not self._qrels:
            raise BadInput("qrels: there is no query in it")

    def calc(self, run: Any) -> CalcResults:
        """The values of all queries together, and of each."""
        metrics = list(self.iter_calc(run))
        together: dict[Measure, float] = {}
        for measure in self.measures:
            values = [metric.value for metric in metrics if metric.measure == measure]
            is_count = measure.NAME in _COUNTS
            together[measure] = math.fsum(values) / (1 if is_count else len(values))
        return CalcResults(together, metrics)

    def calc_aggregate(self, run: Any) -> dict[Measure, float]:
        """The mean of each measure over all queries that have judgements; counts are summed."""
        return self.calc(run).aggregated

    def iter_calc(self, run: Any) -> Iterator[Metric]:
        """The value of each measure for each query that has judgements."""
        found = _nested("run", run, "score")
        names = [_ours(one) for one in self.measures]
        settings = options(measures=names, mode="ranked", resamples=0)
        rows: dict[str, tuple[float, ...]] = {}
        if any(found.get(query) for query in self._qrels):
            # trec_eval keeps scores in single precision, and ir_measures asks it.
            native = _native.Run(found, single_precision=True)
            scored = _native.score(native, _native.Qrels(self._qrels), settings)
            columns = [scored.column(index) for index in range(len(names))]
            rows = dict(zip(scored.queries(), zip(*columns)))
        for query in self._qrels:
            for index, measure in enumerate(self.measures):
                row = rows.get(identifier("qrels", query))
                # A query without results is 0 in every measure, as there.
                yield Metric(query, measure, 0.0 if row is None else row[index])


def _ours(measure: Measure) -> str:
    """A measure as the engine spells it."""
    if measure.NAME not in _COUNTS:
        return repr(measure)
    least = measure.params.get("rel")
    name = "num_rel_ret" if measure.NAME == "NumRet" and least else _COUNTS[measure.NAME]
    return name if least in (None, 1) else f"{name}(rel={least})"


def evaluator(measures: Sequence[Measure | str], qrels: Any) -> Evaluator:
    """What scores runs against these judgements."""
    return Evaluator(measures, qrels)


def calc(measures: Sequence[Measure | str], qrels: Any, run: Any) -> CalcResults:
    """The values of all queries together, and of each."""
    return Evaluator(measures, qrels).calc(run)


def calc_aggregate(measures: Sequence[Measure | str], qrels: Any, run: Any) -> dict[Measure, float]:
    """The mean of each measure over all queries that have judgements."""
    return Evaluator(measures, qrels).calc_aggregate(run)


def iter_calc(measures: Sequence[Measure | str], qrels: Any, run: Any) -> Iterator[Metric]:
    """The value of each measure for each query that has judgements."""
    return Evaluator(measures, qrels).iter_calc(run)


def read_trec_qrels(file: Any) -> Iterator[Qrel]:
    """The judgements of a TREC file: a path, the text itself, or an open file."""
    for row, fields in _lines("qrels", file, 4):
        yield Qrel(fields[0], fields[2], int(_number("qrels", row, fields[3])), fields[1])


def read_trec_run(file: Any) -> Iterator[ScoredDoc]:
    """The documents of a TREC run: a path, the text itself, or an open file."""
    for row, fields in _lines("run", file, 6):
        yield ScoredDoc(fields[0], fields[2], _number("run", row, fields[4]))


def _lines(what: str, file: Any, count: int) -> Iterator[tuple[int, list[str]]]:
    if hasattr(file, "read"):
        lines: Iterable[str] = file
    elif isinstance(file, str) and "\n" in file:
        lines = file.splitlines()
    else:
        path = os.fspath(file)
        opened = gzip.open(path, "rt") if str(path).endswith(".gz") else open(path, encoding="utf-8")
        with opened:
            lines = list(opened)
    for row, line in enumerate(lines, start=1):
        fields = line.split()
        if not fields:
            continue
        if len(fields) != count:
            raise BadInput(f"{what}: line {row}: {len(fields)} fields, {count} are expected")
        yield row, fields


def _number(what: str, row: int, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise BadInput(f"{what}: line {row}: {text!r} is not a number") from None


def _nested(what: str, given: Any, value: str) -> dict[str, dict[str, Any]]:
    """``{query: {document: value}}`` of a dict of dicts, a DataFrame or named tuples."""
    if isinstance(given, Mapping):
        return {query: dict(documents) for query, documents in given.items()}
    rows = given.itertuples() if hasattr(given, "itertuples") else given
    if isinstance(rows, (str, bytes)) or not hasattr(rows, "__iter__"):
        raise BadInput(f"{what}: a dict of dicts, a DataFrame or named tuples are expected")
    nested: dict[str, dict[str, Any]] = {}
    for row in rows:
        missing = [name for name in ("query_id", "doc_id", value) if not hasattr(row, name)]
        if missing:
            raise BadInput(f"{what}: a row has no `{missing[0]}`")
        nested.setdefault(row.query_id, {})[row.doc_id] = getattr(row, value)
    return nested
