"""A page without a camera for the tests: hub, recording desk, a folder with one session."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
from starlette.testclient import TestClient

from pi_board.commands.page import WinCurve
from pi_board.errors import AmbiguousError, InvalidError
from pi_board.events import (
    ClockChanged,
    ClockSet,
    GameStarted,
    GameWon,
    JumpIllegal,
    JumpMade,
    MatchStarted,
    PlayIllegal,
    SolitaireEnded,
    SolitaireStarted,
    TurnEnded,
    TurnTimed,
)
from pi_board.frame import Frame
from pi_board.output import Moment
from pi_board.record.evidence import EvidencePictures
from pi_board.record.journal import Journal
from pi_board.record.options import RecordOptions
from pi_board.rules import SIDES, STARTING_POSITION, legal_plays, opponent
from pi_board.sighting import Gate, Sighting
from pi_board.solitaire import BOARD_37, bit, vacancy
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
        self.progress: dict[str, Any] = {"at": "Game", "game": {}, "light": False, "start": 0, "throws": []}

    def document(self) -> dict[str, Any]:
        game = {"rules": "international", "match_length": 0, "light_name": "Light", "dark_name": "Dark"}
        return {
            "profiles": [{"name": "generic", "title": "Any board"}],
            "rules": [{"name": "international", "title": "International rules"}],
            "board": {"profile": "generic", "near": "light", "home": "right"},
            "game": game,
            "match": {"mode": "legal", "clock": "off"},
            "picture": None,
            "found": None,
            "progress": self.progress,
            "holder": "",
        }

    def act(self, step: str, body: dict[str, Any], who: str, name: str) -> dict[str, Any]:
        if step == "hold":
            self.progress["at"] = body.get("at", self.progress["at"])
            return {"mine": True, "holder": name, "progress": self.progress}
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


def write_long_game(folder: Path, *, turns: int = 30) -> None:
    """A game played at random from its third turn on, an illegal play with its pictures in the fifth, then one resigned."""
    rng = random.Random(3)
    journal = Journal.create(folder)
    journal.append([MatchStarted(rules="international", match_length=5, light_name="Anna", dark_name="Bo")])
    journal.append([ClockSet(kind="delay", delay=12.0, light=400.0, dark=330.0)])
    journal.append([GameStarted(game=1, position=STARTING_POSITION)])
    evidence = EvidencePictures(folder / "evidence", journal.path.stem, RecordOptions(), note=journal.note)
    position, side, banks, now = STARTING_POSITION, "light", [400.0, 330.0], 0.0
    for turn in range(turns):
        roll = (rng.randint(1, 6), rng.randint(1, 6)) if turn else (3, 1)
        plays = legal_plays(position, roll, side)
        play = plays[0] if turn < 2 else rng.choice(plays)
        if turn == 4:
            wrong = PlayIllegal(side=side, dice=roll, code="wrong_number", reason="A five was played: 6-2 was rolled, and no five is in it.", position=position, seen=rng.choice(plays).result, seq=60)  # fmt: skip
            journal.append([wrong])
            view = TableView(phase=Phase.ILLEGAL, position=position)
            for i in range(10):
                image = np.full((360, 640, 3), 20 * i, np.uint8)
                settled = Sighting(i, i / 5, Gate.SETTLED)
                events = (wrong,) if i == 9 else ()
                evidence.show(Moment(i / 5, view, events, Frame(image, i / 5, i), sighting=settled))
            evidence.close()
        ended = TurnEnded(side=side, position=play.result, dice=roll, play=str(play), moves=play.moves)
        took = 4.0 + 1.5 * turn
        banks[SIDES.index(side)] -= took
        clock = ClockChanged(side=opponent(side), running=True, light=banks[0], dark=banks[1], why="pressed")
        journal.append([ended, clock, TurnTimed(side=side, seconds=took, began=now, ended=now + took)])
        now += took
        position, side = play.result, opponent(side)
    journal.append([GameWon(side="light", points=1, kind="resigned", score=(1, 0))])
    journal.append([GameStarted(game=2, position=STARTING_POSITION), GameWon(side="dark", points=1, kind="resigned", score=(1, 1))])  # fmt: skip
    journal.close()


def write_solitaire(folder: Path) -> None:
    """Two jumps on the 37-hole board, a wrong one between them."""
    journal = Journal.create(folder)
    start = vacancy(1).start
    holes = [start]
    for _ in range(2):
        jump = BOARD_37.legal(holes[-1])[0]
        holes.append(BOARD_37.after(holes[-1], jump))
    first, second = (BOARD_37.legal(p)[0] for p in holes[:2])

    def as_tuple(p: int) -> tuple[int, ...]:
        return tuple(int(bool(p & bit(n))) for n in range(1, 38))

    journal.append([SolitaireStarted(problem="vacancy-1", holes=as_tuple(start))])
    journal.append([JumpMade(jumps=(str(first),), holes=as_tuple(holes[1]))])
    journal.append([JumpIllegal(code="not_removed", reason="The piece that was jumped over still lies there.", holes=as_tuple(holes[1]), seen=as_tuple(holes[2] | bit(second.over)), seq=9)])  # fmt: skip
    journal.note({"evidence": f"{journal.path.stem}-001-not_removed", "of": 9})
    journal.append([JumpMade(jumps=(str(second),), holes=as_tuple(holes[2]))])
    journal.append([SolitaireEnded(remaining=34, won=False, holes=as_tuple(holes[2]))])
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
