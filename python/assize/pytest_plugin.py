"""pytest: thresholds as assertions, with the ledger of the weakest queries in the message.

    def test_search(assize_check):
        assize_check.score("run.trec", "qrels.trec", {"ndcg@10": 0.45, "recall@100": 0.8})

With ``--assize-baseline FILE`` values must not fall below those of the file, and
``--assize-update-baseline`` writes it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from ._retrieval import Score
    from .summary import Summary

#: How many of the weakest queries a failure explains.
_SHOWN = 2
#: Differences that rounding alone can make.
_SLACK = 1e-9


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("assize")
    group.addoption(
        "--assize-baseline", metavar="FILE", default=None,
        help="fail where a checked value is below the one in this file",
    )
    group.addoption(
        "--assize-update-baseline", action="store_true", default=False,
        help="write the values of this run to the file of --assize-baseline",
    )


class _Baseline:
    def __init__(self, path: str | None, updates: bool) -> None:
        self.path, self.updates = path, updates
        self.values: dict[str, dict[str, float]] = {}
        self.seen: dict[str, dict[str, float]] = {}
        if path and not updates:
            if not os.path.exists(path):
                raise pytest.UsageError(
                    f"--assize-baseline {path}: no such file; --assize-update-baseline writes it"
                )
            with open(path, encoding="utf-8") as file:
                self.values = json.load(file)

    def check(self, test: str, found: Mapping[str, float]) -> list[str]:
        self.seen.setdefault(test, {}).update(found)
        before = self.values.get(test, {})
        return [
            f"FAIL {name} {found[name]:.4f} < {before[name]:.4f} (baseline)"
            for name in found
            if name in before and found[name] < before[name] - _SLACK
        ]

    def write(self) -> None:
        if self.path and self.updates:
            with open(self.path, "w", encoding="utf-8") as file:
                json.dump(self.seen, file, indent=2, sort_keys=True)
                file.write("\n")


class AssizeCheck:
    """Checks values against thresholds, and against the baseline if there is one."""

    def __init__(self, test: str, baseline: _Baseline) -> None:
        self._test, self._baseline = test, baseline

    def score(self, run: Any, qrels: Any, thresholds: Mapping[str, float], **settings: Any) -> Score:
        """Scores a run; every measure must reach its threshold."""
        import assize

        scored = assize.score(run, qrels, list(thresholds), **settings)
        found = {name: scored[name] for name in thresholds}
        self._conclude(found, thresholds, lambda missed: _ledgers(scored, missed))
        return scored

    def summary(
        self, article: str, summary: str, thresholds: Mapping[str, float], **settings: Any
    ) -> Summary:
        """Scores a summary; every metric must reach its threshold, and no score is no pass."""
        from . import summary as summaries

        scored = summaries.score(article, summary, **settings)
        found = {name: scored.scores.get(name) for name in thresholds}
        missing = [f"FAIL {name} has no score: {scored.reason or getattr(scored, name).unscored}"
                   for name, value in found.items() if value is None]
        if missing:
            pytest.fail("\n".join(missing), pytrace=False)
        known = {name: value for name, value in found.items() if value is not None}
        self._conclude(known, thresholds, lambda _: scored.ledger)
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
        missed = [name for name in found if found[name] < thresholds[name] - _SLACK]
        lines = [f"FAIL {name} {found[name]:.4f} < {thresholds[name]:.4f}" for name in missed]
        lines += self._baseline.check(self._test, found)
        if lines:
            pytest.fail("\n".join([*lines, "", str(ledger(missed))]), pytrace=False)


def _ledgers(scored: Score, missed: list[str]) -> str:
    name = next(iter(missed), next(iter(scored)))
    weakest = sorted(zip(scored.values(name), scored.queries))[:_SHOWN]
    return "\n".join(str(scored.explain(query)) for _, query in weakest)


_KEY = pytest.StashKey[_Baseline]()


def pytest_configure(config: pytest.Config) -> None:
    path = config.getoption("--assize-baseline", default=None)
    updates = bool(config.getoption("--assize-update-baseline", default=False))
    config.stash[_KEY] = _Baseline(path, updates)


def pytest_sessionfinish(session: pytest.Session) -> None:
    session.config.stash[_KEY].write()


@pytest.fixture
def assize_check(request: pytest.FixtureRequest) -> AssizeCheck:
    """Thresholds as assertions; see the guide, docs/guide/python.md."""
    return AssizeCheck(request.node.nodeid, request.config.stash[_KEY])
