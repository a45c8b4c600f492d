"""Values on their way to the extension: JSON without NaN, texts, paths, pages in frames."""

from __future__ import annotations

from collections.abc import Mapping

from .errors import BadInput, MissingFile

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def options(**given: object) -> str:
    """Options as JSON; what is None is left to the engine."""
    return dumped("options", {name: value for name, value in given.items() if value is not None})


def dumped(field: str, value: object) -> str:
    """A value as JSON, or an error that names the place where it cannot be."""
    import json  # an import inside a function is one that `import assize` does not wait for

    try:
        written = json.dumps(value, allow_nan=False, ensure_ascii=False, default=plain)
        written.encode("utf-8")
    except (TypeError, ValueError, RecursionError):
        raise BadInput(_problem(field, value)) from None
    return written


def plain(value: Any) -> object:
    """The Python number that a number of numpy is; nothing else is one."""
    if getattr(value, "shape", None) == () and hasattr(value, "item"):
        return value.item()
    if hasattr(value, "__index__"):
        return value.__index__()
    raise TypeError


def identifier(field: str, value: Any) -> str:
    """An identifier as the engine writes it: text, or a whole number written out."""
    if isinstance(value, str):
        return str.__str__(value)  # an enumeration's own would be its name
    if hasattr(value, "__index__") and type(value).__name__ not in ("bool", "bool_"):
        return str(value.__index__())
    raise BadInput(f"{field}: {value!r} is neither text nor a whole number")


def flag(field: str, value: object) -> bool:
    """True or False, also numpy's."""
    if type(value).__name__ not in ("bool", "bool_"):
        raise BadInput(f"{field}: {type(value).__name__} was given, True or False is expected")
    return bool(value)


def loaded(text: str) -> Any:
    """The value that the extension wrote as JSON."""
    import json

    return json.loads(text)


def _problem(field: str, value: object) -> str:
    try:
        return _unwritable(field, value) or f"{field}: cannot be written as JSON"
    except RecursionError:
        return f"{field}: nested too deeply, or a part of itself"


def _unwritable(place: str, value: object) -> str | None:
    if value is None or isinstance(value, (bool, int)):
        return None
    if isinstance(value, str):
        return _half(place, value)
    if isinstance(value, float):
        return f"{place}: {value} is not a number" if value - value != 0 else None
    if isinstance(value, Mapping):
        entries = [(f"{place}[{key!r}]", entry) for key, entry in value.items()]
        if found := next((key for key in value if not isinstance(key, (str, int, float))), None):
            return f"{place}: the key {found!r} is not text"
    elif isinstance(value, (list, tuple)):
        entries = [(f"{place}[{index}]", entry) for index, entry in enumerate(value)]
    else:
        try:
            return _unwritable(place, plain(value))
        except TypeError:
            return f"{place}: {type(value).__name__} is neither text, number, list nor dict"
    return next(filter(None, (_unwritable(where, entry) for where, entry in entries)), None)


def _half(place: str, value: str) -> str | None:
    try:
        value.encode("utf-8")
    except UnicodeEncodeError as error:
        return f"{place}: character {error.start} is half of a surrogate pair"
    return None


def is_path(value: object) -> bool:
    """Whether a value names a file."""
    return isinstance(value, str) or hasattr(value, "__fspath__")


def content(field: str, path: Any) -> bytes:
    """The bytes of a file; that it cannot be read is refused as the engine does."""
    import os

    try:
        with open(os.fspath(path), "rb") as file:
            return file.read()
    except OSError as error:
        kind = MissingFile if isinstance(error, FileNotFoundError) else BadInput
        raise kind(f"{field}: {os.fspath(path)}: cannot be read: {error.strerror}") from None


def text_of(field: str, path: Any) -> str:
    """The text of a file."""
    try:
        return content(field, path).decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadInput(f"{field}: {path}: not UTF-8 at byte {error.start}") from None


def text(field: str, value: object) -> str:
    """A text that can be handed over; a half of a surrogate pair cannot."""
    if not isinstance(value, str):
        raise BadInput(f"{field}: {type(value).__name__} was given, text is expected")
    if problem := _half(field, value):
        raise BadInput(problem)
    return value


def frame(page: str, height: int = 420) -> str:
    """A whole page inside a notebook's cell: its styles cannot touch the notebook's."""
    import html  # only notebooks need it, and it slows every import down

    return (
        f'<iframe srcdoc="{html.escape(page, quote=True)}" sandbox="allow-downloads" '
        f'style="width:100%;height:{height}px;border:0"></iframe>'
    )
