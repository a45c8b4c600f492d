"""``pytrec_eval`` as one knows it: the same class, the same keys, the same values.

    from assize.compat import pytrec_eval
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, {"map", "ndcg_cut.10"})
    evaluator.evaluate(run)

One thing differs on purpose: ``iprec_at_recall`` and ``11pt_avg`` are those of trec_eval 10, and
pytrec_eval carries trec_eval 9, which rounds the number of documents needed otherwise.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from .. import _native
from .._values import options
from ..errors import BadInput

__all__ = ["RelevanceEvaluator", "compute_aggregated_measure", "supported_measures"]

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

#: Where trec_eval gives a query's logarithm, to be averaged later.
_LOGARITHMS = frozenset(["gm_map", "gm_bpref"])
#: What trec_eval raises a value to before its logarithm.
_FLOOR = 0.00001


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
        self._qrels = None
        if query_relevance:
            self._qrels = _native.Qrels(_plain(query_relevance))
        self._judged = frozenset(query_relevance)

    def evaluate(self, scores: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, float]]:
        """``{query: {measure: value}}`` of the queries that have judgements."""
        if self._qrels is None or self._judged.isdisjoint(scores):
            return {}
        # trec_eval 9 keeps scores in single precision, and so does pytrec_eval.
        run = _native.Run(_plain(scores), single_precision=True)
        found = _native.score(run, self._qrels, self._settings)
        columns = []
        for index, (_, trec) in enumerate(self._names):
            column = found.column(index)
            if trec in _LOGARITHMS:
                column = [math.log(max(value, _FLOOR)) for value in column]
            columns.append(column)
        names = [trec for _, trec in self._names]
        rows = dict(zip(found.queries(), zip(*columns)))
        # In the order of the run, as pytrec_eval gives them.
        return {query: dict(zip(names, rows[query])) for query in scores if query in rows}


def compute_aggregated_measure(measure: str, values: Sequence[float]) -> float:
    """All queries' values as one: a sum for counts, a geometric mean for ``gm_…``."""
    if measure.startswith("num_"):
        return float(sum(values))
    mean = sum(values) / len(values) if values else 0.0
    return math.exp(mean) if measure.startswith("gm_") else mean


def _plain(nested: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, float]]:
    if isinstance(nested, dict):
        return nested
    return {query: dict(documents) for query, documents in nested.items()}


def _names(measures: Iterable[str]) -> list[tuple[str, str]]:
    """Each measure in our notation and under trec_eval's name."""
    if isinstance(measures, str):
        raise BadInput("measures: a set of names is expected, not one text")
    names = []
    for ours, trec in _native.measures(sorted(measures)):
        if trec is None:
            raise BadInput(f"measures: trec_eval has no `{ours}`")
        if (ours, trec) not in names:
            names.append((ours, trec))
    return names
