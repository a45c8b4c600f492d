"""The report of ranx's ``compare``."""

from __future__ import annotations

import importlib
import json
from collections.abc import Mapping
from typing import Any

from .._retrieval import Comparison

_LABELS = {
    "hit_rate": "Hit Rate",
    "precision": "P",
    "recall": "Recall",
    "f1": "F1",
    "r-precision": "R-Prec",
    "mrr": "MRR",
    "map": "MAP",
    "ndcg": "NDCG",
    "ndcg_burges": "NDCG Burges",
    "bpref": "BPref",
}
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_RAISED = "ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖ۹ʳˢᵗᵘᵛʷˣʸᶻ"


class Report(Comparison):
    """Runs against each other, as ranx prints them: a letter marks each run that one is better than."""

    def __init__(
        self,
        compared: Comparison,
        metrics: Mapping[str, str],
        stat_test: str,
        shown: tuple[int, bool],
    ) -> None:
        super().__init__(compared._native)
        self.metrics = list(metrics)
        self.model_names = list(self.runs)
        self.stat_test = stat_test
        self.rounding_digits, self.show_percentages = shown
        self._ours = dict(metrics)

    @property
    def results(self) -> dict[str, dict[str, float]]:
        """Each run's means, by ranx's names."""
        return {
            name: {metric: means[own] for metric, own in self._ours.items()}
            for name, means in self.runs.items()
        }

    def to_table(self) -> str:
        """The table that ranx prints."""
        rows = [["#", "Model", *map(_label, self.metrics)]]
        for letter, (name, means) in zip(_LETTERS, self.results.items()):
            cells = [f"{self._written(means[metric])}{self._better(name, metric)}" for metric in self.metrics]
            rows.append([letter, name, *cells])
        widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
        rows.insert(1, ["-" * width for width in widths])
        return "\n".join(
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows
        )

    def to_dict(self) -> dict[str, Any]:
        """The dict of ranx; what ``assize compare --format json`` prints is ``Comparison.to_dict``."""
        found: dict[str, Any] = {
            "stat_test": self.stat_test,
            "metrics": self.metrics,
            "model_names": self.model_names,
        }
        for name, means in self.results.items():
            others: dict[str, Any] = {"scores": means, "comparisons": {}, "win_tie_loss": {}}
            for metric, own in self._ours.items():
                for pair, turned in self._pairs(name, own):
                    other = pair["run"] if turned else pair["baseline"]
                    wins, losses = ("losses", "wins") if turned else ("wins", "losses")
                    counts = {"W": pair[wins], "T": pair["ties"], "L": pair[losses]}
                    p = pair["p"].get("corrected")
                    others["comparisons"].setdefault(other, {})[metric] = p
                    others["win_tie_loss"].setdefault(other, {})[metric] = counts
            found[name] = others
        return found

    def to_dataframe(self) -> Any:
        """A frame of pandas: a row for each run, a column for each metric."""
        pandas = importlib.import_module("pandas")
        return pandas.DataFrame([{"model_names": name, **means} for name, means in self.results.items()])

    def save(self, path: str) -> None:
        """Writes the dict as JSON."""
        with open(path, "w", encoding="utf-8") as file:
            json.dump(self.to_dict(), file, ensure_ascii=False, indent=4)

    def print_results(self) -> None:
        """Prints the means as JSON."""
        print(json.dumps(self.results, indent=4))

    def __repr__(self) -> str:
        return self.to_table()

    def _pairs(self, name: str, measure: str) -> list[tuple[dict[str, Any], bool]]:
        """The pairs of a run on a measure, and whether it is the other side of one."""
        return [
            (pair, pair["baseline"] == name)
            for pair in self.pairs
            if pair["measure"] == measure and name in (pair["run"], pair["baseline"])
        ]

    def _better(self, name: str, metric: str) -> str:
        worse = [
            pair["run"] if turned else pair["baseline"]
            for pair, turned in self._pairs(name, self._ours[metric])
            if pair["mark"] == ("worse" if turned else "better")
        ]
        return "".join(
            letter for letter, other in zip(_RAISED, self.model_names) if other in worse
        )

    def _written(self, value: float) -> str:
        digits = self.rounding_digits
        return f"{value * 100:.{max(0, digits - 2)}f}" if self.show_percentages else f"{value:.{digits}f}"


def _label(metric: str) -> str:
    name, at, rest = metric.partition("@")
    if not at:
        name, at, rest = metric.partition("-l")
    return f"{_LABELS.get(name, name)}{at}{rest}"
