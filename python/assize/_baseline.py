"""The baseline of the pytest plugin: a file of values that must not fall."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

import pytest

#: Differences that rounding alone can make.
SLACK = 1e-9
#: Under which name a worker of pytest-xdist hands its values over.
SEEN = "assize_seen"


class Baseline:
    """The values of a file, and those of this run."""

    def __init__(self, path: str | None, updates: bool) -> None:
        if updates and not path:
            raise pytest.UsageError("--assize-update-baseline: --assize-baseline FILE is needed")
        self.path, self.updates = path, updates
        self.seen: dict[str, dict[str, float]] = {}
        self.values: dict[str, dict[str, float]] = {}
        if path and os.path.exists(path):
            self.values = _read(path)
        elif path and not updates:
            raise pytest.UsageError(
                f"--assize-baseline {path}: no such file; --assize-update-baseline writes it"
            )

    def check(self, key: str, found: Mapping[str, float]) -> list[str]:
        """What fell below the file's values; keeps the found ones."""
        self.seen[key] = dict(found)
        before = {} if self.updates else self._before(key)
        return [
            f"FAIL {name} {found[name]:.4f} < {before[name]:.4f} (baseline)"
            for name in found
            if name in before and found[name] < before[name] - SLACK
        ]

    def _before(self, key: str) -> dict[str, float]:
        """The file's values of a check. Older files have one entry for all checks of a test."""
        if key in self.values:
            return self.values[key]
        test = test_of(key)
        first = self.seen.get(test, {})
        return {name: value for name, value in self.values.get(test, {}).items() if name not in first}

    def write(self) -> None:
        """Puts the values of this run beside those of tests that did not run."""
        if not (self.path and self.updates and self.seen):
            return
        # Written beside it and renamed: a run that is killed leaves the old file.
        beside = f"{self.path}.{os.getpid()}.tmp"
        with open(beside, "w", encoding="utf-8") as file:
            json.dump({**self._kept(), **self.seen}, file, indent=2, sort_keys=True)
            file.write("\n")
        os.replace(beside, self.path)

    def _kept(self) -> dict[str, dict[str, float]]:
        """The file's values without those of tests that ran: they may make fewer checks now."""
        ran = {test_of(key) for key in self.seen}
        return {key: values for key, values in self.values.items() if test_of(key) not in ran}


def key_of(test: str, check: int) -> str:
    """The name of a test's check; the first has the test's own, as when there was only one."""
    return test if check == 1 else f"{test} #{check}"


def test_of(key: str) -> str:
    """The test of a check's name."""
    test, mark, number = key.rpartition(" #")
    return test if mark and number.isdecimal() else key


def _read(path: str) -> dict[str, dict[str, float]]:
    try:
        with open(path, encoding="utf-8") as file:
            found = json.load(file)
    except (OSError, ValueError) as error:
        raise pytest.UsageError(f"--assize-baseline {path}: cannot be read: {error}") from None
    if not isinstance(found, dict):
        raise pytest.UsageError(f"--assize-baseline {path}: not {{test: {{measure: value}}}}")
    for test, values in found.items():
        if not isinstance(values, dict) or not all(_is_number(value) for value in values.values()):
            raise pytest.UsageError(
                f"--assize-baseline {path}: {test!r}: not {{measure: value}}"
            )
    return found


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value == value
