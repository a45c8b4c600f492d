"""pytest: thresholds as assertions, with the ledger of the weakest queries in the message.

    def test_search(assize_check):
        assize_check.score("run.trec", "qrels.trec", {"ndcg@10": 0.45, "recall@100": 0.8})

With ``--assize-baseline FILE`` values must not fall below those of the file, and
``--assize-update-baseline`` puts the values of the tests that ran into it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import pytest

from . import _native
from ._baseline import SEEN, SLACK, Baseline, key_of
from ._values import identifier
from .errors import BadInput

if TYPE_CHECKING:
    from ._retrieval import Score
    from .summary import Summary

#: How many of the weakest queries a failure explains.
_SHOWN = 2


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("assize")
    group.addoption(
        "--assize-baseline", metavar="FILE", default=None,
        help="fail where a checked value is below the one in this file",
    )
    group.addoption(
        "--assize-update-baseline", action="store_true", default=False,
        help="put the values of this run into the file of --assize-baseline",
    )


class AssizeCheck:
    """Checks values against thresholds, and against the baseline if there is one."""

    def __init__(self, test: str, baseline: Baseline) -> None:
        self._test, self._baseline = test, baseline
        self._checks = 0

    def score(self, run: Any, qrels: Any, thresholds: Mapping[str, float], **settings: Any) -> Score:
        """Scores a run; every measure must reach its threshold."""
        import assize

        wanted = _thresholds(thresholds)
        for name in wanted:
            _one_measure(name)
        scored = assize.score(run, qrels, list(wanted), **settings)
        found = {name: scored[name] for name in wanted}
        self._conclude(found, wanted, lambda missed: _ledgers(scored, missed))
        return scored

    def summary(
        self, article: str, summary: str, thresholds: Mapping[str, float], **settings: Any
    ) -> Summary:
        """Scores a summary; every metric must reach its threshold, and no score is no pass."""
        from . import summary as summaries

        wanted = _thresholds(thresholds)
        unknown = next((name for name in wanted if name not in summaries.METRICS), None)
        if unknown is not None:
            metrics = ", ".join(summaries.METRICS)
            raise BadInput(f"thresholds: `{unknown}` is not one of {metrics}")
        scored = summaries.score(article, summary, **settings)
        found = {name: scored.scores[name] for name in wanted}
        missing = [f"FAIL {name} has no score: {scored.reason or getattr(scored, name).unscored}"
                   for name, value in found.items() if value is None]
        if missing:
            pytest.fail("\n".join(missing), pytrace=False)
        known = {name: value for name, value in found.items() if value is not None}
        self._conclude(known, wanted, lambda _: scored.ledger)
        return scored

    def gate(self, text: str, **settings: Any) -> None:
        """The text must pass the safety gate."""
        import assize

        found = assize.gate(text, **settings)
        if not found.passed:
            shown = json.dumps(found.findings, indent=2, ensure_ascii=False)
            pytest.fail(f"FAIL safety gate\n{shown}", pytrace=False)

    def _conclude(
        self, found: Mapping[str, float], thresholds: Mapping[str, float], ledger: Any
    ) -> None:
        missed = [name for name in found if found[name] < thresholds[name] - SLACK]
        lines = [f"FAIL {name} {found[name]:.4f} < {thresholds[name]:.4f}" for name in missed]
        self._checks += 1
        lines += self._baseline.check(key_of(self._test, self._checks), found)
        if lines:
            pytest.fail("\n".join([*lines, "", str(ledger(missed))]), pytrace=False)


def _ledgers(scored: Score, missed: list[str]) -> str:
    name = next(iter(missed), next(iter(scored)))
    weakest = sorted(zip(scored.values(name), scored.queries))[:_SHOWN]
    return "\n".join(str(scored.explain(query)) for _, query in weakest)


def _thresholds(given: Any) -> dict[str, float]:
    """Thresholds that a value can miss; others would check nothing, and look as if they did."""
    if not isinstance(given, Mapping) or not given:
        raise BadInput(f"thresholds: {given!r} checks nothing; expected {{measure: value}}")
    wanted = {}
    for measure, value in given.items():
        # Objects of ir_measures write themselves as users type them.
        name = str(measure) if hasattr(measure, "calc_aggregate") else identifier("thresholds", measure)
        is_number = hasattr(value, "__float__") and not isinstance(value, bool)
        try:
            number = float(value) if is_number else float("nan")
        except (TypeError, ValueError, OverflowError):
            number = float("nan")  # such as an array
        if number - number != 0:
            raise BadInput(f"thresholds[{name!r}]: {value!r} is not a number")
        wanted[name] = number
    return wanted


def _one_measure(name: str) -> None:
    try:
        made = [ours for ours, _ in _native.measures([name])]
    except BadInput:
        return  # measures of passages, or none: scoring tells
    if len(made) != 1:
        raise BadInput(
            f"thresholds: `{name}` is {len(made)} measures, of which a threshold needs one: "
            f"{', '.join(made[:3])}, …"
        )


_KEY = pytest.StashKey[Baseline]()


def pytest_configure(config: pytest.Config) -> None:
    path = config.getoption("--assize-baseline", default=None)
    updates = bool(config.getoption("--assize-update-baseline", default=False))
    config.stash[_KEY] = Baseline(path, updates)
    if config.pluginmanager.hasplugin("xdist"):
        config.pluginmanager.register(_Workers(config.stash[_KEY]), "assize_workers")


class _Workers:
    """Tests run in other processes with pytest-xdist: what those saw is put together here."""

    def __init__(self, baseline: Baseline) -> None:
        self._baseline = baseline

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        output = getattr(node, "workeroutput", None) or {}  # a worker that crashed has none
        self._baseline.seen.update(json.loads(output.get(SEEN, "{}")))


def pytest_sessionfinish(session: pytest.Session) -> None:
    baseline = session.config.stash[_KEY]
    output = getattr(session.config, "workeroutput", None)
    if output is None:
        baseline.write()
    else:
        output[SEEN] = json.dumps(baseline.seen)


@pytest.fixture
def assize_check(request: pytest.FixtureRequest) -> AssizeCheck:
    """Thresholds as assertions; see the guide, docs/guide/python.md."""
    return AssizeCheck(request.node.nodeid, request.config.stash[_KEY])
