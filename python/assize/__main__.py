"""The command line: the same entry point as the binary's."""

from __future__ import annotations

import signal
import sys


def main() -> int:
    """Run the command line with what was typed."""
    from . import _native

    # Python's own handler only sets a flag that nobody looks at while the command works.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _native.command_line(["assize", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
