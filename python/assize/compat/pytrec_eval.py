"""``pytrec_eval`` as one knows it: the same class, the same keys, the same values.

    from assize.compat import pytrec_eval
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, {"map", "ndcg_cut.10"})
    evaluator.evaluate(run)

One thing differs on purpose: ``iprec_at_recall`` and ``11pt_avg`` are those of trec_eval 10, and
pytrec_eval carries trec_eval 9, which rounds the number of documents needed otherwise.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from .. import _native
from .._values import identifier, options
from ..errors import BadInput

__all__ = [
    "RelevanceEvaluator",
    "compute_aggregated_measure",
    "parse_qrel",
    "parse_run",
    "supported_measures",
    "supported_nicknames",
]

#: Measures without their cutoffs, as trec_eval names them.
supported_measures = frozenset(
    [
        "11pt_avg", "G", "P", "Rndcg", "Rprec", "Rprec_mult", "binG", "bpref", "gm_bpref",
        "gm_map", "infAP", "iprec_at_recall", "map", "map_cut", "ndcg", "ndcg_cut", "ndcg_rel",
        "num_nonrel_judged_ret", "num_q", "num_rel", "num_rel_ret", "num_ret", "recall",
        "recip_rank", "relative_P", "set_F", "set_P", "set_map", "set_recall", "set_relative_P",
        "success", "utility",
    ]
)

#: Names of several measures at once, without ``runid`` and ``relstring``, which are no numbers.
supported_nicknames = {
    "all_trec": supported_measures,
    "official": frozenset(
        [
            "P", "Rprec", "bpref", "gm_map", "iprec_at_recall", "map", "num_q", "num_rel",
            "num_rel_ret", "num_ret", "recip_rank",
        ]
    ),
    "set": frozenset(
        [
            "num_q", "num_rel", "num_rel_ret", "num_ret", "set_F", "set_P", "set_map",
            "set_recall", "set_relative_P", "utility",
        ]
    ),
}

#: Where trec_eval gives a query's logarithm, to be averaged later.
_LOGARITHMS = frozenset(["gm_map", "gm_bpref"])
#: What trec_eval raises a value to before its logarithm.
_FLOOR = 0.00001


_Number = TypeVar("_Number", int, float)


class RelevanceEvaluator:
    """Scores runs against judgements that were read once."""

    def __init__(
        self,
        query_relevance: Mapping[str, Mapping[str, int]],
        measures: Iterable[str],
        relevance_level: int = 1,
        judged_docs_only_flag: bool = False,
    ) -> None:
        self._names = _names(measures)
        self._settings = options(
            measures=[ours for ours, _ in self._names],
            mode="ranked",
            resamples=0,
            relevance_level=relevance_level,
            judged_only=judged_docs_only_flag,
        )
        # A query without judgements is one that nobody judged.
        judged = {query: levels for query, levels in _plain(query_relevance).items() if levels}
        self._qrels = _native.Qrels(judged) if judged else None
        self._judged = {identifier("qrels", query): levels for query, levels in judged.items()}
        self._level = relevance_level

    def evaluate(self, scores: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, float]]:
        """``{query: {measure: value}}`` of the queries that have judgements.

        A query without results is 0 in every measure but ``num_rel``, as pytrec_eval has it.
        """
        named = {query: identifier("run", query) for query in scores}
        judged = [query for query, name in named.items() if name in self._judged]
        rows: dict[str, tuple[float, ...]] = {}
        if any(scores[query] for query in judged):
            rows = self._rows(scores)
        names = [trec for _, trec in self._names]
        # In the order of the run, as pytrec_eval gives them.
        return {
            query: dict(zip(names, rows.get(named[query]) or self._nothing(named[query])))
            for query in judged
        }

    def _nothing(self, query: str) -> list[float]:
        """The values of a query for which nothing was found."""
        relevant = sum(level >= self._level for level in self._judged[query].values())
        known = {"num_rel": float(relevant), **dict.fromkeys(_LOGARITHMS, math.log(_FLOOR))}
        return [known.get(trec, 0.0) for _, trec in self._names]

    def _rows(self, scores: Mapping[str, Mapping[str, float]]) -> dict[str, tuple[float, ...]]:
        # trec_eval 9 keeps scores in single precision, and so does pytrec_eval.
        run = _native.Run(_plain(scores), single_precision=True)
        found = _native.score(run, self._qrels, self._settings)
        columns = []
        for index, (_, trec) in enumerate(self._names):
            column = found.column(index)
            if trec in _LOGARITHMS:
                column = [math.log(max(value, _FLOOR)) for value in column]
            columns.append(column)
        return dict(zip(found.queries(), zip(*columns)))


def parse_run(f_run: Iterable[str]) -> dict[str, dict[str, float]]:
    """``{query: {document: score}}`` of the lines of a TREC run."""
    return _parsed("run", f_run, 6, 4, float)


def parse_qrel(f_qrel: Iterable[str]) -> dict[str, dict[str, int]]:
    """``{query: {document: level}}`` of the lines of TREC judgements."""
    return _parsed("qrels", f_qrel, 4, 3, int)


def _parsed(
    what: str, lines: Iterable[str], fields: int, value: int, number: Callable[[str], _Number]
) -> dict[str, dict[str, _Number]]:
    parsed: dict[str, dict[str, _Number]] = {}
    for row, line in enumerate(lines, start=1):
        found = line.split()
        if len(found) != fields:
            raise BadInput(f"{what}: line {row}: {len(found)} fields, {fields} are expected")
        documents = parsed.setdefault(found[0], {})
        if found[2] in documents:
            raise BadInput(f"{what}: line {row}: document {found[2]!r} appears twice")
        try:
            documents[found[2]] = number(found[value])
        except ValueError:
            raise BadInput(f"{what}: line {row}: {found[value]!r} is not a number") from None
    return parsed


def compute_aggregated_measure(measure: str, values: Sequence[float]) -> float:
    """All queries' values as one: a sum for counts, a geometric mean for ``gm_…``."""
    if measure.startswith("num_"):
        return float(sum(values))
    mean = sum(values) / len(values) if values else 0.0
    return math.exp(mean) if measure.startswith("gm_") else mean


def _plain(nested: Any) -> dict[str, dict[str, float]]:
    if isinstance(nested, dict):
        return nested
    return {query: dict(documents) for query, documents in nested.items()}


def _names(measures: Iterable[str]) -> list[tuple[str, str]]:
    """Each measure in our notation and under trec_eval's name."""
    if isinstance(measures, str):
        raise BadInput("measures: a set of names is expected, not one text")
    names = []
    wanted = sorted({one for name in measures for one in supported_nicknames.get(name, [name])})
    for ours, trec in _native.measures(wanted):
        if trec is None:
            raise BadInput(f"measures: trec_eval has no `{ours}`")
        if (ours, trec) not in names:
            names.append((ours, trec))
    return names
