"""`--config`, and `--log-dir --new` of the commands that referee an evening: the same words for all of them."""

from __future__ import annotations

import argparse
from pathlib import Path


def add_config(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--config",
        type=Path,
        help="settings file (default: ~/.config/pi-board/settings.toml or /etc/pi-board)",
    )


def add_sitting_arguments(parser: argparse.ArgumentParser) -> None:
    """`add_config`, and where and how a sitting is recorded."""
    add_config(parser)
    parser.add_argument(
        "--log-dir", type=Path, help="journals and game files go here instead of [record] folder"
    )
    parser.add_argument(
        "--new", action="store_true", help="begin anew instead of going on with an unfinished game"
    )
