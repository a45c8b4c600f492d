"""A run and judgements from dicts are read together; that must not show in any result."""

import itertools
import time
from types import MappingProxyType

import assize
import pytest

RUN = {"q1": {"a": 2.0, "b": 1.0}, "q2": {"a": 1.0}, "q3": {"c": 1.0, "a": 0.5}}
QRELS = {"q1": {"b": 1}, "q2": {"a": 1}, "q3": {"a": 1}}
# By hand: the one relevant document stands second, first and second.
EXPECTED = {"q1": 0.5, "q2": 1.0, "q3": 0.5}


def values(run, qrels):
    return {query: row["mrr"] for query, row in assize.score(run, qrels, ["mrr"]).by_query().items()}


@pytest.mark.parametrize("order", list(itertools.permutations(QRELS)))
def test_queries_may_come_in_another_order(order):
    assert values(RUN, {query: QRELS[query] for query in order}) == EXPECTED


def test_either_may_hold_more_queries():
    more = {f"x{number}": {"a": 1} for number in range(5)}
    assert values(RUN, {**more, **QRELS}) == EXPECTED
    assert values({**RUN, **{name: {"a": 1.0} for name in more}}, QRELS) == EXPECTED


def test_a_problem_is_named_wherever_it_is():
    with pytest.raises(assize.errors.BadInput, match="NaN is not a score"):
        assize.score({**RUN, "q4": {"a": float("nan")}}, QRELS)
    with pytest.raises(assize.errors.BadInput, match="whole number"):
        assize.score(RUN, {**QRELS, "q4": {"a": 0.5}})


def test_an_empty_run_is_refused():
    with pytest.raises(assize.errors.BadInput, match="there is no query in it"):
        assize.score({}, QRELS)


def test_a_mapping_within_a_dict_is_read():
    assert values({query: MappingProxyType(found) for query, found in RUN.items()}, QRELS) == EXPECTED


def test_entries_deleted_after_the_last_query_cost_nothing():
    judged = {**QRELS, **{f"x{number}": {"a": 1} for number in range(50_000)}}
    for number in range(50_000):
        del judged[f"x{number}"]
    run = {**RUN, **{f"x{number}": {"a": 1.0} for number in range(100_000)}}
    begun = time.process_time()
    assert values(run, dict(judged)) == EXPECTED
    compact, begun = time.process_time() - begun, time.process_time()
    assert values(run, judged) == EXPECTED
    assert time.process_time() - begun < 5 * compact + 0.5
