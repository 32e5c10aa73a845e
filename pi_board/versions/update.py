"""An update from start to end, and the way back. Nothing here knows how a version is built."""

from __future__ import annotations

import time
from collections.abc import Callable

from pi_board.versions.build import UpdateError
from pi_board.versions.machine import Machine
from pi_board.versions.store import VersionStore

#: How long after its last event an unfinished game still counts as being played, seconds.
QUIET = 20 * 60.0


def update(
    store: VersionStore,
    build: Callable[[], str],
    *,
    machine: Machine | None = None,
    game: Callable[[], bool] = lambda: False,
    say: Callable[[str], None] = print,
    restart: bool = True,
) -> str:
    """Build, switch, restart; the new version's name. build: makes and checks a version in `store` and returns its name.

    game: whether one is being played; asked again before the switch, because building takes minutes. Raises UpdateError (what
    runs goes on running) and Busy.
    """
    machine = machine or Machine()
    with store.locked():
        _not_during(game)
        store.clear()
        name = build()
        _not_during(game, f"version {name} is built and checked; say it again after the game")
        old = store.current()
        # The new version is on trial only where somebody counts: the unit's guard.
        store.switch(name, trial=bool(old))
        machine.refresh(store)
        machine.name_command(store)
        store.clear()
    say(f"switched to version {name}")
    if restart and machine.supervised:
        if machine.restart():
            say("the service runs again")
        elif old:
            back = store.previous()
            say(f"the service does not come up yet; after three tries version {back} comes back by itself")
        else:
            say("the service does not come up: journalctl -u pi-board -n 20")
    return name


def rollback(
    store: VersionStore,
    *,
    machine: Machine | None = None,
    game: Callable[[], bool] = lambda: False,
    say: Callable[[str], None] = print,
    restart: bool = True,
) -> str:
    """Back to the version before; its name. Raises UpdateError when there is none, or a game is being played."""
    machine = machine or Machine()
    with store.locked():
        back = store.previous()
        if not back:
            raise UpdateError("there is no earlier version to go back to")
        _not_during(game)
        store.switch(back, trial=False)
        machine.refresh(store)
    say(f"back to version {back}")
    if restart and machine.supervised and not machine.restart():
        say("the service does not come up: journalctl -u pi-board -n 20")
    return back


def _not_during(game: Callable[[], bool], words: str = "it can wait, or say --now") -> None:
    if game():
        raise UpdateError(f"a game is being played: {words}")


def is_recent(changed: float, now: float | None = None) -> bool:
    """changed, now: seconds since 1970. A clock that was set back counts as recent."""
    return (time.time() if now is None else now) - changed < QUIET
