"""Which judge can be trusted: any number of judges against any number of raters."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from . import _native
from ._frames import Drawn, flat
from ._values import is_path, options
from .errors import BadInput

__all__ = ["bench"]


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
    if not is_path(items):
        raise BadInput(f"items: {type(items).__name__} was given; expected a path")
    for field, named in (("judges", judges), ("raters", raters)):
        if not isinstance(named, Mapping):
            raise BadInput(f"{field}: {type(named).__name__} was given; expected {{name: source}}")
    settings = options(confidence=confidence, resamples=resamples, seed=seed)
    benched = options(
        items=os.fspath(items),
        judges=[f"{name}={source}" for name, source in judges.items()],
        raters=[f"{name}={source}" for name, source in raters.items()],
        id=id,
        group=group,
    )
    written, page = _native.judges_bench(benched, settings)
    found = json.loads(written)
    return Drawn(found, [flat(judge) for judge in found["judges"]], page)
