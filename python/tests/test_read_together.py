"""A run and judgements from dicts are read together; that must not show in any result."""

import itertools

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
