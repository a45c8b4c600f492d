"""Which judge can be trusted: any number of judges against any number of raters."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from . import _native
from ._frames import Drawn, flat
from ._tables import rows
from ._values import dumped, is_path, options
from .errors import BadInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["bench", "infer"]


def bench(
    items: Any,
    judges: Mapping[str, str],
    raters: Mapping[str, str],
    *,
    id: str | None = None,
    group: str | None = None,
    slice: str | None = None,
    length: str | None = None,
    order: str | None = None,
    author: str | None = None,
    confidence: float | None = None,
    resamples: int | None = None,
    seed: int | None = None,
) -> Drawn:
    """Compare judges with raters on items: a file, a frame of pandas or polars, Arrow, columns or rows.

    Where each score has a row of its own (``item``, ``rater``, ``score``), everybody who gave some is a
    column. ``judges`` and ``raters`` map a name to ``col:COLUMN`` or ``file:FILE``; the result is what
    ``assize judges bench --format json`` prints; as rows (``to_pandas()``) it is one a judge, and
    ``plot()`` shows judge against rater, calibration, precision and recall, and who agrees with
    whom. ``slice``, ``length``, ``order`` and ``author`` are columns: agreement is reported for each
    slice, and whether a judge leans with the length of a text, its place or its author's family.
    """
    settings = options(confidence=confidence, resamples=resamples, seed=seed)
    columns = {"group": group, "slice": slice, "length": length, "order": order, "author": author}
    with _benched(items, judges, raters, id=id, **columns) as benched:
        written, page = _native.judges_bench(benched, settings)
    found = json.loads(written)
    return Drawn(found, [flat(judge) for judge in found["judges"]], page)


def infer(
    items: Any,
    judge: str,
    raters: Mapping[str, str],
    *,
    id: str | None = None,
    confidence: float | None = None,
    share: str | None = None,
    width: float | None = None,
    next: int | None = None,
    seed: int | None = None,
) -> dict[str, Any]:
    """What people would say of all items, from a few labels and a judge that scored them all.

    ``items`` are what ``bench`` takes. ``judge`` and the values of ``raters`` are ``col:COLUMN`` or
    ``file:FILE``; ``share=">= 7"`` estimates a share instead of the mean, and ``width`` asks how many
    labels an interval needs. The result is what ``assize judges infer --format json`` prints.
    """
    asked = options(confidence=confidence, share=share, width=width, next=next, seed=seed)
    with _benched(items, {"judge": judge}, raters, id=id) as benched:
        return dict(json.loads(_native.judges_infer(benched, asked)))


@contextmanager
def _benched(items: Any, judges: object, raters: object, **more: str | None) -> Iterator[str]:
    """The items as a file, with who scored them."""
    named = {}
    for field, sources in (("judges", judges), ("raters", raters)):
        if not isinstance(sources, Mapping):
            raise BadInput(f"{field}: {type(sources).__name__} was given; expected {{name: source}}")
        named[field] = [f"{name}={source}" for name, source in sources.items()]
    if is_path(items):
        yield options(items=os.fspath(items), **named, **more)
        return
    lines = [dumped(f"items[{place}]", row) for place, row in enumerate(rows("items", items))]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "items.jsonl")
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(lines))
        yield options(items=path, **named, **more)
