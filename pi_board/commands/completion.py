"""`pi-board completion bash`: what a shell needs to complete commands, options and file names (made by shtab)."""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from pi_board.commands import COMMANDS
from pi_board.errors import DeviceError

HELP = "a script that lets your shell complete pi-board's commands and options"
#: What shtab completes something with: shell -> snippet, with a preamble.
Complete = dict[str, Any]
SHELLS = ("bash", "zsh", "tcsh")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "shell",
        choices=SHELLS,
        help="bash: put the output into ~/.local/share/bash-completion/completions/pi-board",
    )


def run(args: argparse.Namespace) -> int:
    try:
        import shtab
    except ImportError:
        raise DeviceError("the library shtab is not installed: pip install shtab") from None
    sys.stdout.write(
        shtab.complete(whole_parser(shtab.FILE, shtab.DIRECTORY), args.shell).rstrip("\n") + "\n"
    )
    return 0


def whole_parser(files: Complete, folders: Complete) -> argparse.ArgumentParser:
    """All commands in one parser. files, folders: what shtab completes paths with."""
    parser = argparse.ArgumentParser(prog="pi-board")
    parser.add_argument("--version", action="store_true", help="print the version")
    commands = parser.add_subparsers()
    for name, words in COMMANDS.items():
        command = commands.add_parser(name, help=words, description=words)
        import_module(f"pi_board.commands.{name}").add_arguments(command)
        _complete_paths(command, files, folders)
    return parser


def _complete_paths(parser: argparse.ArgumentParser, files: Complete, folders: Complete) -> None:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for below in action.choices.values():
                _complete_paths(below, files, folders)
        elif action.type is Path:
            action.complete = folders if "dir" in action.dest else files  # type: ignore[attr-defined]
