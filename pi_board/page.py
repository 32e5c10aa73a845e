"""The page beside a running game: hub, set-up desk and server put together."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from pi_board.app import App
from pi_board.errors import DeviceError
from pi_board.settings import Settings
from pi_board.setup_desk import SetupDesk
from pi_board.web.hub import LiveHub
from pi_board.web.server import PageServer


class Page:
    """An `Output`: the hub in front, the server behind it. player_url, spectator_url: for display and QR code."""

    def __init__(self, settings: Settings, app: App, games: Path) -> None:
        board = settings.board
        self.hub = LiveHub()
        self.hub.extra = {"near": board.near, "home": board.home}
        desk = SetupDesk(settings, app, self.hub)
        self.server = PageServer(settings.web, self.hub, app, games=games, setup=desk)
        self.player_url, self.spectator_url = self.server.player_url, self.server.spectator_url
        self.server.start()

    def show(self, moment: Any) -> None:
        self.hub.show(moment)

    def close(self) -> None:
        self.hub.close()
        self.server.close()


def games_folder(settings: Settings, log_dir: Path | None) -> Path:
    return log_dir or Path(settings.record.folder).expanduser()


def open_page(
    settings: Settings, app: App, *, log_dir: Path | None = None, must: bool = False
) -> Page | None:
    """The page as [web] says, None when it is switched off or cannot be served (said once on stderr).

    must: the page is what was asked for, so a page that cannot be served raises DeviceError.
    """
    if not settings.web.enabled and not must:
        return None
    try:
        return Page(settings, app, games_folder(settings, log_dir))
    except DeviceError as error:
        if must:
            raise
        # The referee does not need the page.
        print(error, file=sys.stderr)
        return None


def qr_text(address: str) -> str:
    """`address` as a QR code in block characters for a terminal, dark on light."""
    import io

    import segno

    text = io.StringIO()
    segno.make(address, error="m").terminal(out=text, compact=True)
    return text.getvalue()
