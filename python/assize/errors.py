"""What goes wrong: one class for each kind of error, beside Python's own where there is one.

``code`` is a stable name for programs (docs/reference/errors.md), ``hint`` says what to do.
"""

from __future__ import annotations

__all__ = [
    "AssizeError",
    "BadInput",
    "Conflict",
    "Interrupted",
    "MissingFile",
    "NotFound",
    "ProviderFailed",
    "Refused",
    "StoreFailed",
]


class AssizeError(Exception):
    """Any error of assize."""

    def __init__(
        self, message: str, *, code: str = "invalid_input", hint: str | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}; {self.hint}" if self.hint else self.message

    def __reduce__(self) -> tuple[object, ...]:
        # Keyword arguments are lost on the way through pickle otherwise: Spark and Ray send
        # exceptions from worker to driver.
        return (_again, (type(self), self.message, self.code, self.hint))


class BadInput(AssizeError, ValueError):
    """What was given cannot be used as it is."""


class MissingFile(BadInput, FileNotFoundError):
    """A file that was named is not there."""


class NotFound(AssizeError, LookupError):
    """What was named is not there."""


class Conflict(AssizeError):
    """It does not go together with what is there."""


class Refused(AssizeError):
    """It is understood, and not done."""


class ProviderFailed(AssizeError):
    """A model or its provider failed, or may not be paid."""


class StoreFailed(AssizeError):
    """The database failed."""


class Interrupted(AssizeError):
    """Somebody wanted it to stop."""


_KINDS: dict[str, type[AssizeError]] = {
    "bad_input": BadInput,
    "missing_file": MissingFile,
    "not_found": NotFound,
    "conflict": Conflict,
    "refused": Refused,
    "provider": ProviderFailed,
    "store": StoreFailed,
    "interrupted": Interrupted,
}


def of(kind: str, code: str, message: str, hint: str | None) -> AssizeError:
    """The exception of a kind; the extension calls this."""
    return _KINDS.get(kind, AssizeError)(message, code=code, hint=hint)


def _again(
    kind: type[AssizeError], message: str, code: str, hint: str | None
) -> AssizeError:
    return kind(message, code=code, hint=hint)
