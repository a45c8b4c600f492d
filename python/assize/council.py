"""Councils: answers, the reviews of them, and a verdict that is computed, not asked for."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from . import _native
from ._frames import Rows
from ._values import dumped, frame, identifier, is_path, options, text_of
from ._values import text as as_text
from .errors import BadInput

__all__ = ["Verdict", "rescore", "review"]


class Verdict(Rows):
    """What a council decided, with the record it was decided from."""

    def __init__(self, wire: str, page: str) -> None:
        self._wire: dict[str, Any] = json.loads(wire)
        self._page = page

    @property
    def status(self) -> str:
        """``complete``, ``degraded``, ``no_quorum``, ``no_valid_ballots`` or ``no_winner``."""
        return str(self._wire["status"])

    @property
    def ranking(self) -> list[str]:
        """The answers by name, best first."""
        answers = self._wire["answers"]
        return [answers[index]["model"] for index in self._wire["ranking"]]

    @property
    def scores(self) -> dict[str, float | None]:
        """Each answer's score; None where nobody's review counts."""
        return {
            answer["model"]: (answer.get("score") or {}).get("value")
            for answer in self._wire["answers"]
        }

    @property
    def record(self) -> dict[str, Any]:
        """The whole evidence, to be handed to ``rescore``."""
        return dict(self._wire["record"])

    def _rows(self) -> list[dict[str, Any]]:
        return [
            {"rank": place, "answer": name, "score": self.scores[name]}
            for place, name in enumerate(self.ranking, start=1)
        ]

    def to_dict(self) -> dict[str, Any]:
        """What the command line prints for programs, with the record."""
        return dict(self._wire)

    def to_html(self) -> str:
        """A self-contained page."""
        return self._page

    def __repr__(self) -> str:
        lines = [f"{self.status}; profile {self._wire['profile']['name']}"]
        for place, name in enumerate(self.ranking, start=1):
            value = self.scores[name]
            lines.append(f"{place}. {name} {'–' if value is None else format(value, '.2f')}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return frame(self._page, height=640)


def review(
    answers: Any,
    reviews: Mapping[str, Any],
    *,
    question: str | None = None,
    profile: str | None = None,
    weights: Mapping[str, float] | None = None,
    aggregate: str | None = None,
    safety_gate: bool | None = None,
    safety_score_cap: float | None = None,
    include_self: bool | None = None,
    recuse: str | None = None,
    break_ties: bool | None = None,
    quorum: int | None = None,
    seed: int | None = None,
) -> Verdict:
    """Count reviews that were made elsewhere.

    ``answers`` is ``{name: text}``, a list of ``{"model", "text"}``, or a path. ``reviews`` is
    ``{reviewer: reply}``: what a model replied as text, or ``{answer: {dimension: mark}}`` by the
    answers' names.
    """
    for field, value in (("answers", answers), ("reviews", reviews)):
        if value is None or (field == "reviews" and not isinstance(value, Mapping)):
            kind = type(value).__name__
            raise BadInput(f"{field}: {kind} was given; expected {{name: …}}")
    asked = "" if question is None else as_text("question", question)
    if isinstance(answers, Mapping):
        answers = {identifier("answers", name): answer for name, answer in answers.items()}
    text = _text("answers", answers)
    names = _names(text)
    # Answers without names are refused by the engine, which says what is missing.
    replies = [
        (name, _reply(name, said, names) if names else "")
        for name, said in ((identifier("reviews", one), said) for one, said in reviews.items())
    ]
    counting = options(
        profile=profile,
        weights=dict(weights) if weights else None,
        aggregate=aggregate,
        safety_gate=safety_gate,
        safety_score_cap=safety_score_cap,
        include_self=include_self,
        recuse=recuse,
        break_ties=break_ties,
        quorum=quorum,
        seed=seed,
    )
    verdict = Verdict(*_native.council_review(asked, text, replies, counting))
    if not names:
        raise BadInput("answers: the names of the answers cannot be read")
    return verdict


def rescore(
    record: Any,
    *,
    profile: str | None = None,
    weights: Mapping[str, float] | None = None,
    aggregate: str | None = None,
    safety_gate: bool | None = None,
    safety_score_cap: float | None = None,
    include_self: bool | None = None,
    recuse: str | None = None,
    break_ties: bool | None = None,
    quorum: int | None = None,
) -> Verdict:
    """Count a council another way: a verdict, its record, or the path of a kept run."""
    if isinstance(record, Verdict):
        record = record.record
    counting = options(
        profile=profile,
        weights=dict(weights) if weights else None,
        aggregate=aggregate,
        safety_gate=safety_gate,
        safety_score_cap=safety_score_cap,
        include_self=include_self,
        recuse=recuse,
        break_ties=break_ties,
        quorum=quorum,
    )
    return Verdict(*_native.council_rescore(_text("record", record), counting))


def _text(field: str, value: Any) -> str:
    return text_of(field, value) if is_path(value) else dumped(field, value)


def _names(answers: str) -> list[str]:
    """The answers' names in their order, as the engine will read them; none if it will not."""
    try:
        found = _read(answers.lstrip("\ufeff"))
    except (ValueError, RecursionError):
        return []
    if isinstance(found, dict):
        found = found.get("answers", found.get("responses", found))
    if isinstance(found, dict):
        return [name for name in found if name != "question"]
    keys = ("model", "name", "member", "author", "id")
    named = [
        next((one[key] for key in keys if isinstance(one, dict) and isinstance(one.get(key), str)), "")
        for one in (found if isinstance(found, list) else [])
    ]
    return named if any(named) else []


def _read(text: str) -> Any:
    """One value, or a line for each answer."""
    try:
        return json.loads(text)
    except ValueError:
        return [json.loads(line) for line in text.split("\n") if line.strip()]


def _reply(reviewer: str, said: Any, names: Sequence[str]) -> str:
    """A reviewer's reply as text; marks by name become the form that reviewers fill in."""
    if isinstance(said, str):
        return said
    if not isinstance(said, Mapping):
        raise BadInput(f"reviews[{reviewer!r}]: {type(said).__name__} is neither text nor marks")
    if "evaluations" in said:
        return dumped(f"reviews[{reviewer!r}]", dict(said))
    evaluations = {}
    for one, marks in said.items():
        name = identifier(f"reviews[{reviewer!r}]", one)
        if name not in names:
            raise BadInput(f"reviews[{reviewer!r}][{name!r}]: there is no such answer")
        evaluations[_label(names.index(name))] = marks
    return dumped(f"reviews[{reviewer!r}]", {"evaluations": evaluations})


def _label(seat: int) -> str:
    """A, B, …, Z, AA, …: what the answers are called in a review."""
    label = ""
    seat += 1
    while seat > 0:
        seat, letter = divmod(seat - 1, 26)
        label = chr(ord("A") + letter) + label
    return label
