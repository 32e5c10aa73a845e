"""`pi-board …`: one parser, one module per command in `pi_board/commands/`, loaded only when used.

Exit codes: 0 done, 1 nothing could be read or refereed (or the health check found a fault), 2 wrong use or bad input (one line
on stderr), 130 interrupted by Ctrl-C.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import NoReturn

from pi_board.commands import COMMANDS
from pi_board.errors import PiBoardError

#: Commands that look at pictures for as long as they run.
_LIVE = ("bench", "demo", "read", "replay", "run", "serve")


class _Parser(argparse.ArgumentParser):
    """argparse, but a wrong use is one line and exit code 2."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message} (try {self.prog} --help)\n")


#: The places of an XGID whose first one is empty: nothing that an option is called.
_BARE_XGID = re.compile(r"-[-A-Oa-o]{25}(?::|$)")


def _with_bare_xgids(args: Sequence[str]) -> list[str]:
    """An XGID without its prefix may begin with a dash, and argparse takes that for an option: `--xgid -b…` is joined."""
    joined: list[str] = []
    for arg in args:
        if joined and joined[-1].startswith("--") and "=" not in joined[-1] and _BARE_XGID.match(arg):
            joined[-1] += f"={arg}"
        else:
            joined.append(arg)
    return joined


def _overview() -> str:
    lines = [
        "usage: pi-board COMMAND [options]",
        "",
        "A referee above a real backgammon board.",
        "",
        "commands:",
    ]
    lines += [f"  {name:<10} {text}" for name, text in COMMANDS.items()]
    lines += ["", "pi-board COMMAND --help tells the options; pi-board --version the version."]
    return "\n".join(lines)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code."""
    args = list(sys.argv[1:] if argv is None else argv)
    # OpenCV and the decoder inside it complain on standard error of every broken file and full disk; our own lines say it.
    os.environ.setdefault("OPENCV_LOG_LEVEL", "SILENT")
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    # libcamera tells on standard error what it finds, tunes and configures, each time a camera is opened.
    os.environ.setdefault("LIBCAMERA_LOG_LEVELS", "*:ERROR")
    if not args or args[0] in ("-h", "--help", "help"):
        print(_overview())
        return 0 if args else 2
    if args[0] == "--version":
        from pi_board import __version__

        print(f"pi-board {__version__}")
        return 0
    name = args[0]
    if name not in COMMANDS:
        print(f"pi-board: no command {name!r} (try pi-board --help)", file=sys.stderr)
        return 2
    if name in _LIVE:
        # Its products of small matrices are many, and threads that wait for each other cost more than they save. (Read by numpy
        # when it is loaded.)
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        command = import_module(f"pi_board.commands.{name}")
        parser = _Parser(prog=f"pi-board {name}", description=COMMANDS[name])
        command.add_arguments(parser)
        code = int(command.run(parser.parse_args(_with_bare_xgids(args[1:]))) or 0)
        sys.stdout.flush()
        return code
    except SystemExit as stop:  # argparse has said what is wrong (or printed help)
        return stop.code if isinstance(stop.code, int) else 2
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return 130
    except BrokenPipeError:
        # The reader of our output has gone (`pi-board … | head`); do not complain again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except PiBoardError as error:
        print(f"pi-board {name}: {' '.join(str(error).split())}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    raise SystemExit(main())
