"""Which judge can be trusted: any number of judges against any number of raters."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping
from . import _native
from ._frames import Drawn, flat
from ._tables import rows
from ._values import dumped, is_path, options
from .errors import BadInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["bench"]


def bench(
    items: Any,
    judges: Mapping[str, str],
    raters: Mapping[str, str],
    *,
    id: str | None = None,
    group: str | None = None,
    confidence: float | None = None,
    resamples: int | None = None,
    seed: int | None = None,
) -> Drawn:
    """Compare judges with raters on items: a file, a frame of pandas or polars, Arrow, columns or rows.

    Where each score has a row of its own (``item``, ``rater``, ``score``), everybody who gave some is a
    column. ``judges`` and ``raters`` map a name to ``col:COLUMN`` or ``file:FILE``; the result is what
    ``assize judges bench --format json`` prints; as rows (``to_pandas()``) it is one a judge, and
    ``plot()`` shows judge against rater, calibration, precision and recall, and who agrees with
    whom.
    """
    for field, named in (("judges", judges), ("raters", raters)):
        if not isinstance(named, Mapping):
            raise BadInput(f"{field}: {type(named).__name__} was given; expected {{name: source}}")
    settings = options(confidence=confidence, resamples=resamples, seed=seed)
    with tempfile.TemporaryDirectory() as folder:
        path = os.fspath(items) if is_path(items) else _written(items, os.path.join(folder, "items"))
        benched = options(
            items=path,
            judges=[f"{name}={source}" for name, source in judges.items()],
            raters=[f"{name}={source}" for name, source in raters.items()],
            id=id,
            group=group,
        )
        written, page = _native.judges_bench(benched, settings)
    found = json.loads(written)
    return Drawn(found, [flat(judge) for judge in found["judges"]], page)


def _written(items: Any, path: str) -> str:
    lines = [dumped(f"items[{place}]", row) for place, row in enumerate(rows("items", items))]
    with open(path + ".jsonl", "w", encoding="utf-8") as file:
        file.write("\n".join(lines))
    return file.name
