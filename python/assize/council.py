"""Councils: answers, the reviews of them, and a verdict that is computed, not asked for."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from . import _native
from ._frames import Rows
from ._values import dumped, frame, identifier, is_path, options, text_of
from ._values import text as as_text
from .errors import BadInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["Options", "ReviewOptions", "Verdict", "rescore", "review"]


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


class Options(TypedDict, total=False):
    """How a council is counted: the fields of the request that every door takes.

    What is not given, or is None, is as the profile or the record has it.
    """

    profile: str | None
    weights: Mapping[str, float] | None
    aggregate: str | None
    safety_gate: bool | str | None
    gate_rate: float | None
    gate_patterns: Sequence[str | os.PathLike[str]] | None
    safety_score_cap: float | None
    trust: Mapping[str, Any] | str | os.PathLike[str] | None
    majority: float | None
    include_self: bool | None
    recuse: str | None
    break_ties: bool | None
    quorum: int | None


class ReviewOptions(Options, total=False):
    """The same where reviews are counted for the first time."""

    seed: int | None
    jury: str | None
    evidence: Sequence[Any] | None


def review(
    answers: Any,
    reviews: Mapping[str, Any],
    *,
    question: str | None = None,
    **counting: Unpack[ReviewOptions],
) -> Verdict:
    """Count reviews that were made elsewhere.

    ``answers`` is ``{name: text}``, a list of ``{"model", "text"}``, or a path. ``reviews`` is
    ``{reviewer: reply}``: what a model replied as text, or ``{answer: {dimension: mark}}`` by the
    answers' names. ``ReviewOptions`` lists the options.
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
    verdict = Verdict(*_native.council_review(asked, text, replies, _request(counting)))
    if not names:
        raise BadInput("answers: the names of the answers cannot be read")
    return verdict


def rescore(record: Any, **counting: Unpack[Options]) -> Verdict:
    """Count a council another way: a verdict, its record, or the path of a kept run.

    ``Options`` lists the options. A record is verified first; where ``ASSIZE_COUNCIL_KEY`` is set,
    so is its signature.
    """
    if isinstance(record, Verdict):
        record = record.record
    return Verdict(*_native.council_rescore(_text("record", record), _request(counting)))


def _request(counting: Mapping[str, Any]) -> str:
    """The options as the one request has them; the engine refuses what it does not know."""
    given = dict(counting)
    for field in ("weights", "trust"):
        if isinstance(given.get(field), Mapping):
            given[field] = dict(given[field]) or None
    if isinstance(given.get("trust"), os.PathLike):
        given["trust"] = os.fspath(given["trust"])
    for field in ("gate_patterns", "evidence"):
        if isinstance(given.get(field), Sequence) and not isinstance(given[field], str):
            given[field] = [
                os.fspath(one) if isinstance(one, os.PathLike) else one for one in given[field]
            ]
    return options(**given)


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
