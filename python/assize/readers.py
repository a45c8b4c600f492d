"""Local models: which statements are about something, and whether one text states another.

Install one first: ``assize readers install minilm-l6``. Nothing leaves the machine.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from . import _native

__all__ = ["Candidate", "Entailed", "Reader", "open"]


class Entailed(NamedTuple):
    """How sure the model is of each of three answers, and what must be said besides."""

    stated: float
    open: float
    denied: float
    notes: tuple[str, ...]


class Candidate(NamedTuple):
    """A statement that may be about a part, and why it was chosen."""

    place: int
    nearness: float | None
    words: float


class Reader:
    """An encoder, an entailment model, or both, by the names they were installed by."""

    def __init__(self, encoder: str | None = None, entailment: str | None = None) -> None:
        self._names = (encoder, entailment)
        self._native = _native.Reader(encoder, entailment, dict(os.environ))

    @property
    def identities(self) -> list[str]:
        """One line for each model: name, revision, hash, runtime."""
        return list(self._native.identities())

    def entail(self, pairs: Iterable[tuple[str, str]]) -> list[Entailed]:
        """What each premise says of its hypothesis, in order."""
        read = self._native.entail([(str(premise), str(part)) for premise, part in pairs])
        return [Entailed(stated, left, denied, tuple(notes)) for stated, left, denied, notes in read]

    def shortlist(
        self, parts: Sequence[str], statements: Sequence[str], most: int = 4
    ) -> list[list[Candidate]]:
        """For each part the statements that may be about it, the likeliest first."""
        found = self._native.shortlist(list(parts), list(statements), most)
        return [[Candidate(*one) for one in candidates] for candidates in found]

    def __reduce__(self) -> tuple[object, tuple[str | None, str | None]]:
        # A copy on another machine opens the models there, once for all tasks of a process.
        return open, self._names

    def __repr__(self) -> str:
        return f"Reader({', '.join(self.identities)})"


@functools.lru_cache(maxsize=4)
def _opened(encoder: str | None, entailment: str | None) -> Reader:
    return Reader(encoder, entailment)


def open(encoder: str | None = None, entailment: str | None = None) -> Reader:
    """The reader of these names; opened once in a process, so that Spark's and Ray's tasks share it."""
    # A cache tells arguments by name and by place apart; here they are always by place.
    return _opened(encoder, entailment)
