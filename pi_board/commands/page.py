"""The page beside a running game: hub, set-up desk and server put together."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, cast

from pi_board.errors import DeviceError
from pi_board.record.match import GameRecord, Rolled
from pi_board.rules import SIDES, Position, Side, opponent
from pi_board.session.app import App
from pi_board.session.look_back import LookBack
from pi_board.session.sitting import Sitting
from pi_board.setup.desk import SetupDesk
from pi_board.setup.settings import Settings
from pi_board.web.hub import LiveHub
from pi_board.web.server import PageServer


class WinCurve:
    """Light's chance of winning at the start of a game and after each action, by the evaluator (loaded when needed)."""

    def __init__(self) -> None:
        self._evaluator: Any = None

    def __call__(self, game: GameRecord) -> list[float]:
        from pi_board.hints import Evaluator

        if self._evaluator is None:
            self._evaluator = Evaluator()
        first: Side = next((a.side for a in game.actions), "light")
        # (position, side to move): after a roll the other side, after cube actions whoever was to move before.
        stops: list[tuple[Position, Side]] = [(game.start, first)]
        for action, _, after in game.positions():
            side = opponent(action.side) if isinstance(action, Rolled) else stops[-1][1]
            stops.append((after, side))
        chances = [0.0] * len(stops)
        for side in SIDES:
            places = [i for i, (_, s) in enumerate(stops) if s == side]
            if not places:
                continue
            wins = self._evaluator.evaluate([stops[i][0] for i in places], side)[:, 0]
            for i, win in zip(places, wins, strict=True):
                chances[i] = round(float(win if side == "light" else 1 - win), 4)
        return chances


class PageOutput:
    """An `Output`: the hub in front, the server behind it. player_url, spectator_url: for display and QR code."""

    def __init__(self, settings: Settings, app: App, games: Path) -> None:
        board = settings.board
        self.hub = LiveHub()
        self.hub.extra = {"near": board.near, "home": board.home}
        # The 37-hole board is found by itself; the wizard's steps are backgammon's.
        backgammon = isinstance(app.sitting, Sitting)
        desk = SetupDesk(settings, cast(Any, app), self.hub) if backgammon else None
        journal = app.sitting.journal
        self.server = PageServer(
            settings.web,
            self.hub,
            app,
            games=games,
            setup=desk,
            curve=WinCurve(),
            coach=LookBack(),
            live=journal.path.parent if journal is not None else None,
        )
        self.server.start()

    @property
    def player_url(self) -> str:
        return self.server.player_url

    @property
    def spectator_url(self) -> str:
        return self.server.spectator_url

    def show(self, moment: Any) -> None:
        self.hub.show(moment)

    def close(self) -> None:
        self.hub.close()
        self.server.close()


def games_folder(settings: Settings, log_dir: Path | None) -> Path:
    return log_dir or Path(settings.record.folder).expanduser()


def open_page(
    settings: Settings, app: App, *, log_dir: Path | None = None, must: bool = False
) -> PageOutput | None:
    """The page as [web] says, None when it is switched off or cannot be served (said once on stderr).

    must: the page is what was asked for, so a page that cannot be served raises DeviceError.
    """
    if not settings.web.enabled and not must:
        return None
    try:
        return PageOutput(settings, app, games_folder(settings, log_dir))
    except DeviceError as error:
        if must:
            raise
        # The referee runs without the page, so a page that cannot start is only reported.
        print(error, file=sys.stderr)
        return None


def qr_text(address: str) -> str:
    """`address` as a QR code in block characters for a terminal, dark on light."""
    import io

    import segno

    text = io.StringIO()
    segno.make(address, error="m").terminal(out=text, compact=True)
    return text.getvalue()
