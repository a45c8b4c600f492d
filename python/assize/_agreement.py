"""Scores beside people's ratings, and the safety gate: what needs no module of its own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from . import _native
from ._frames import Drawn, flat
from ._values import flag, loaded, options
from ._values import text as as_text
from .errors import BadInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Gate:
    """What the safety gate says of a text."""

    def __init__(self, wire: dict[str, Any]) -> None:
        self._wire = wire

    @property
    def passed(self) -> bool:
        """Whether the text may pass."""
        return bool(self._wire["passed"])

    @property
    def findings(self) -> list[dict[str, Any]]:
        """What was found, where, and what excused it."""
        return list(self._wire["findings"])

    def to_dict(self) -> dict[str, Any]:
        """The whole report."""
        return dict(self._wire)

    def __bool__(self) -> bool:
        return self.passed

    def __repr__(self) -> str:
        return f"{'passes' if self.passed else 'fails'}; {len(self.findings)} findings"


def gate(
    text: str, *, learned: bool = False, rate: float | None = None, patterns: Sequence[str] = ()
) -> Gate:
    """Check a text by the safety gate; ``patterns`` are rules of your own, as TOML.

    ``learned`` adds the classifier, at the false-positive rate ``rate`` (0.01 unless given)."""
    if isinstance(patterns, str) or not hasattr(patterns, "__iter__"):
        raise BadInput(f"patterns: {type(patterns).__name__} was given; expected a list of texts")
    given = [as_text(f"patterns[{place}]", rules) for place, rules in enumerate(patterns)]
    return Gate(loaded(_native.gate(as_text("text", text), flag("learned", learned), rate, given)))


def agree(
    scores: Iterable[float | None],
    ratings: Iterable[float | None],
    groups: Iterable[object] | None = None,
    *,
    threshold: float | None = None,
    confidence: float | None = None,
    resamples: int | None = None,
    seed: int | None = None,
) -> Drawn:
    """How near scores are to people's ratings: three correlations with intervals.

    None is an item without a score or rating: it is left out and counted. With ``groups``,
    correlations are computed within each group and averaged.
    """
    for field, values in (("scores", scores), ("ratings", ratings), ("groups", groups)):
        if field == "groups" and values is None:
            continue
        if isinstance(values, str) or not hasattr(values, "__iter__"):
            expected = "names" if field == "groups" else "numbers"
            raise BadInput(f"{field}: {type(values).__name__} was given; expected {expected}")
    left, right = list(scores), list(ratings)
    names = None
    if groups is not None:
        names = [as_text(f"groups[{row}]", str(group)) for row, group in enumerate(groups)]
    if len(left) != len(right) or (names is not None and len(names) != len(left)):
        raise BadInput(f"scores, ratings and groups: {len(left)}, {len(right)} and "
                       f"{'no' if names is None else len(names)} entries do not go together")
    kept = [row for row in range(len(left)) if left[row] is not None and right[row] is not None]
    settings = options(
        threshold=threshold, confidence=confidence, resamples=resamples, seed=seed
    )
    written, page = _native.agree(
        [_number("scores", row, left[row]) for row in kept],
        [_number("ratings", row, right[row]) for row in kept],
        None if names is None else [names[row] for row in kept],
        settings,
    )
    found = loaded(written)
    found["unscored"] = sum(value is None for value in left)
    found["unrated"] = sum(value is None for value in right)
    return Drawn(found, [flat(found)], page)


def _number(field: str, row: int, value: Any) -> float:
    if isinstance(value, (str, bytes)) or not hasattr(value, "__float__"):
        raise BadInput(f"{field}[{row}]: {value!r} is not a number")
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError) as error:
        raise BadInput(f"{field}[{row}]: {error}") from None
    if number - number != 0:
        raise BadInput(f"{field}[{row}]: {number} is not a number")
    return number
