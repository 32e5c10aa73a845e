"""A page without a camera for the tests: hub, recording desk, a folder with one session."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from starlette.testclient import TestClient

from pi_board.commands.page import WinCurve
from pi_board.errors import AmbiguousError, InvalidError
from pi_board.events import GameStarted, GameWon, MatchStarted, TurnEnded
from pi_board.frame import Frame
from pi_board.output import Moment
from pi_board.record.journal import Journal
from pi_board.rules import STARTING_POSITION, legal_plays
from pi_board.table import Phase, TableView
from pi_board.web.access import Gatekeeper
from pi_board.web.hub import LiveHub
from pi_board.web.routes import Site
from pi_board.web.server import make_app

TOKEN = "a-token-for-the-tests-1"
PHONE = ("192.168.1.50", 40000)


class Desk:
    """Records what the page asks of the program."""

    def __init__(self) -> None:
        self.asked: list[Any] = []
        self.full = False

    def submit(self, request: Any) -> bool:
        if not self.full:
            self.asked.append(request)
        return not self.full


class Setup:
    """A wizard that records its steps."""

    def __init__(self) -> None:
        self.steps: list[tuple[str, dict[str, Any]]] = []

    def document(self) -> dict[str, Any]:
        return {"profiles": []}

    def act(self, step: str, body: dict[str, Any]) -> dict[str, Any]:
        if step == "busy":
            raise AmbiguousError("busy")
        if step != "find":
            raise InvalidError("step: expected find")
        self.steps.append((step, body))
        return {"ok": True}


def write_session(folder: Path) -> None:
    """One finished little game."""
    journal = Journal.create(folder)
    play = legal_plays(STARTING_POSITION, (3, 1), "light")[0]
    journal.append(
        [
            MatchStarted(rules="international", light_name="Anna", dark_name="Bo"),
            GameStarted(game=1, position=STARTING_POSITION),
            TurnEnded(side="light", position=play.result, dice=(3, 1), play=str(play), moves=play.moves),
            GameWon(side="light", points=1, kind="resigned", score=(1, 0)),
        ]
    )
    journal.close()


def a_moment(time: float = 0.0, *, message: str = "", image: Any = None) -> Moment:
    picture = np.full((120, 160, 3), 90, np.uint8) if image is None else image
    view = TableView(
        phase=Phase.ROLL, position=STARTING_POSITION, side="light", message=message, pips=(167, 167)
    )
    return Moment(time, view, (), Frame(picture, time, int(time)))


class Bench:
    """Everything around one application."""

    def __init__(self, folder: Path, *, trusting: bool = False) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        write_session(folder)
        self.folder = folder
        self.hub, self.desk, self.setup = LiveHub(), Desk(), Setup()
        self.hub.show(a_moment())
        self.keeper = Gatekeeper(TOKEN, ("board.local",), open_to_this_machine=trusting)
        self.site = Site(
            self.hub,
            self.desk,
            self.keeper,
            games=folder,
            addresses=self.addresses,
            setup=self.setup,
            curve=WinCurve(),
        )
        self.app = make_app(self.site, self.keeper)

    def addresses(self) -> tuple[str, str]:
        base = "http://192.168.1.9:8064"
        return base + self.keeper.short_path, f"{base}/enter?watch={self.keeper.spectator_word}"

    def client(
        self, address: tuple[str, int] = PHONE, *, cookie: str = "", host: str = "board.local"
    ) -> TestClient:
        """A browser at `address`; cookie: the word it kept."""
        client = TestClient(
            self.app, base_url=f"http://{host}", client=address, raise_server_exceptions=False
        )
        if cookie:
            client.cookies.set("pi_board", cookie)
        return client
