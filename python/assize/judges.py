"""Which judge can be trusted: any number of judges against any number of raters."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

from . import _native
from ._frames import Drawn, flat
from ._values import is_path, options
from .errors import BadInput

__all__ = ["bench", "infer"]


def bench(
    items: str | os.PathLike[str],
    judges: Mapping[str, str],
    raters: Mapping[str, str],
    *,
    id: str | None = None,
    group: str | None = None,
    confidence: float | None = None,
    resamples: int | None = None,
    seed: int | None = None,
) -> Drawn:
    """Compare judges with raters on the items of a file.

    ``judges`` and ``raters`` map a name to ``col:COLUMN`` or ``file:FILE``; the result is what
    ``assize judges bench --format json`` prints; as rows (``to_pandas()``) it is one a judge, and
    ``plot()`` shows judge against rater, calibration, precision and recall, and who agrees with
    whom.
    """
    settings = options(confidence=confidence, resamples=resamples, seed=seed)
    benched = _benched(items, judges, raters, id, group)
    written, page = _native.judges_bench(benched, settings)
    found = json.loads(written)
    return Drawn(found, [flat(judge) for judge in found["judges"]], page)


def infer(
    items: str | os.PathLike[str],
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

    ``judge`` and the values of ``raters`` are ``col:COLUMN`` or ``file:FILE``; ``share=">= 7"``
    estimates a share instead of the mean, and ``width`` asks how many labels an interval needs.
    The result is what ``assize judges infer --format json`` prints.
    """
    benched = _benched(items, {"judge": judge}, raters, id, None)
    asked = options(confidence=confidence, share=share, width=width, next=next, seed=seed)
    return dict(json.loads(_native.judges_infer(benched, asked)))


def _benched(
    items: object, judges: object, raters: object, id: str | None, group: str | None
) -> str:
    if not is_path(items):
        raise BadInput(f"items: {type(items).__name__} was given; expected a path")
    named = {}
    for field, sources in (("judges", judges), ("raters", raters)):
        if not isinstance(sources, Mapping):
            raise BadInput(f"{field}: {type(sources).__name__} was given; expected {{name: source}}")
        named[field] = [f"{name}={source}" for name, source in sources.items()]
    return options(items=os.fspath(items), id=id, group=group, **named)
