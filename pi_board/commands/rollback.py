"""`pi-board rollback`: back to the version that ran before the last update."""

from __future__ import annotations

import argparse
import sys

from pi_board.commands.update import add_common_arguments, game_in_hand, store_of
from pi_board.versions.build import UpdateError
from pi_board.versions.machine import Machine
from pi_board.versions.store import Busy
from pi_board.versions.update import rollback

HELP = "go back to the version before the last update"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_common_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """0, or 1 when there is nothing to go back to, or a game is being played."""
    try:
        rollback(
            store_of(args),
            machine=Machine(args.root),
            game=(lambda: False) if args.now else game_in_hand,
            say=lambda words: print(f"pi-board: {words}", flush=True),
            restart=not args.no_restart,
        )
    except (UpdateError, Busy) as error:
        print(f"pi-board rollback: {error}", file=sys.stderr)
        return 1
    return 0
