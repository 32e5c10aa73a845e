"""The hub's page without a broker: who may do what, and what is done."""

from __future__ import annotations

import io
import json
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from starlette.testclient import TestClient

from pi_board.club.archive import Archive, Line
from pi_board.club.collector import BoardNow
from pi_board.club.service import Desk, Service, make_app
from pi_board.record.journal import encode
from pi_board.web.access import Gatekeeper


class Heard:
    """What a collector is to the desk, without a network."""

    def __init__(self) -> None:
        view = {"verdict": "red", "names": ["Ann", "<b>Bob</b>"], "score": [1, 2], "message": "no"}
        self.boards = {
            "t-1": BoardNow("t-1", online=True, state={"view": {"verdict": "green"}}),
            "t-2": BoardNow("t-2", online=True, state={"view": view}, picture=b"jpeg"),
            "t-3": BoardNow("t-3"),
        }
        self.connected, self.fault = True, ""
        self.asked: list[tuple[str, dict[str, object]]] = []
        self.said: list[str] = []

    def ask(self, board: str, request: dict[str, object]) -> None:
        self.asked.append((board, request))

    def announce(self, words: str) -> None:
        self.said.append(words)


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[SimpleNamespace]:
    archive, heard = Archive(str(tmp_path / "club.db")), Heard()
    desk = Desk(archive, heard, clock=lambda: 100.0)  # type: ignore[arg-type]
    keeper = Gatekeeper("t" * 24, ("testserver",))
    app = make_app(Service(desk), keeper)
    director = TestClient(app, cookies={"pi_board": keeper.token})
    guest = TestClient(app, cookies={"pi_board": keeper.spectator_word})
    yield SimpleNamespace(
        archive=archive, heard=heard, desk=desk, keeper=keeper, director=director, guest=guest
    )
    archive.close()


CUP = {"name": "Cup", "kind": "swiss", "players": ["Ann", "Bob", "Cid", "Dot"], "length": 3}


def test_a_board_that_needs_somebody_comes_first(hub: SimpleNamespace) -> None:
    boards = hub.guest.get("/api/boards").json()["boards"]
    assert [(b["name"], b["calls"]) for b in boards] == [("t-2", True), ("t-1", False), ("t-3", False)]
    assert hub.guest.get("/api/boards/t-2/picture").content == b"jpeg"
    assert hub.guest.get("/api/boards/t-1/picture").status_code == 404


def test_a_table_calls_the_director(hub: SimpleNamespace) -> None:
    hub.heard.boards["t-1"].state["director"] = "called"
    hub.heard.boards["t-1"].called = 97.0
    first, second, *_ = hub.guest.get("/api/boards").json()["boards"]
    assert (first["name"], first["calls"], first["director"], first["waiting"]) == ("t-1", True, "called", 3)
    assert (second["name"], second["director"]) == ("t-2", "")
    assert hub.guest.post("/api/come", json={"board": "t-1"}).status_code == 403 and not hub.heard.asked
    assert hub.director.post("/api/come", json={"board": "t-1"}).status_code == 200
    assert hub.heard.asked == [("t-1", {"director": "coming"})]
    for wrong in ({}, {"board": "t-9"}, {"board": ["t-1"]}):
        assert hub.director.post("/api/come", json=wrong).status_code == 400
    hub.heard.boards["t-1"].state["director"] = "coming"
    assert [b["name"] for b in hub.guest.get("/api/boards").json()["boards"]][:2] == ["t-2", "t-1"]


def test_an_evening(hub: SimpleNamespace) -> None:
    made = hub.director.post("/api/tournaments", json=CUP).json()
    assert made["open"] == 2 and made["all_rounds"] == 2
    assert hub.director.post("/api/tournaments/1/tables", json={}).json() == {"sent": 2, "open": 2}
    assert [b for b, _ in hub.heard.asked] == ["t-1", "t-2"]
    for pair in made["played"][0]:
        body = {"first": pair["first"], "second": pair["second"], "score": [3, 1]}
        assert hub.director.post("/api/tournaments/1/result", json=body).status_code == 200
    second = hub.director.post("/api/tournaments/1/round", json={}).json()
    assert len(second["played"]) == 2
    assert hub.director.post("/api/tournaments/1/round", json={}).status_code == 400
    csv = hub.guest.get("/api/tournaments/1/standings.csv").text
    assert csv.startswith("place,player") and csv.count("\n") == 5
    assert "<h2>Round 2</h2>" in hub.guest.get("/api/tournaments/1/standings.html").text
    assert hub.director.post("/api/notice", json={"words": "Round 2 begins"}).status_code == 200
    assert hub.heard.said == ["Round 2 begins"]


def test_guests_look_and_strangers_do_not(hub: SimpleNamespace) -> None:
    """Every route of the app, so that a new one is tested by itself."""
    for route in Service(hub.desk).routes():
        path = (
            route.path.replace("{name}", "club.js")
            .replace("{board}", "t-2")
            .replace("{number:int}", "1")
            .replace("{kind}", "csv")
        )
        for method in route.methods - {"HEAD"}:
            # A door of its own for each, or the one for too many requests would answer.
            app = make_app(Service(hub.desk), hub.keeper)
            stranger, guest, director = (
                TestClient(app, cookies=c.cookies) for c in (TestClient(app), hub.guest, hub.director)
            )
            assert stranger.request(method, path).status_code == 401, (method, path)
            if method == "POST":
                assert guest.post(path, json={}).status_code == 403
                for body in (b"", b"[]", b"{", b'{"words": 5}', b'{"name": "\\u0000", "players": {}}'):
                    kind = {"content-type": "application/json"}
                    assert director.post(path, content=body, headers=kind).status_code < 500


def test_lines_of_a_board_become_a_zip_of_matches(hub: SimpleNamespace) -> None:
    from tests.record.random_match import (
        random_match,
    )  # a played match is long; its events are not needed here

    assert random_match is not None
    start = {
        "type": "match_started",
        "rules": "international",
        "match_length": 1,
        "light_name": "Ann",
        "dark_name": "Bob",
    }
    from pi_board.rules import STARTING_POSITION, legal_plays

    play = legal_plays(STARTING_POSITION, (3, 1))[0]
    bodies = [
        start,
        {"type": "game_started", "game": 1, "position": STARTING_POSITION.to_document()},
        {"type": "dice_rolled", "side": "light", "dice": [3, 1]},
        {
            "type": "turn_ended",
            "side": "light",
            "dice": [3, 1],
            "play": str(play),
            "moves": [list(m) for m in play.moves],
            "position": play.result.to_document(),
        },
        {"type": "game_won", "side": "light", "points": 1, "kind": "resigned", "score": [1, 0]},
        {"type": "match_won", "side": "light", "score": [1, 0]},
    ]
    at = "2030-01-01T20:00:00.000Z"
    lines = [
        Line.read("t-1", "session-20300101-200000", encode(i, at, {"event": body})[:-1])
        for i, body in enumerate(bodies)
    ]
    assert (hub.archive.add(lines), hub.archive.add(lines)) == (6, 0)
    assert hub.archive.first_missing("t-1", "session-20300101-200000") == 6
    with zipfile.ZipFile(io.BytesIO(hub.guest.get("/api/matches.zip").content)) as pack:
        assert pack.namelist() == ["t-1/session-20300101-200000-1.mat"] and b"31: 24/23" in pack.read(
            pack.namelist()[0]
        )
    found = hub.guest.get("/api/results").json()
    assert [(r["light"], r["score"]) for r in found["results"]] == [("Ann", [1, 0])]
    assert [r["name"] for r in found["ratings"]] == ["Ann", "Bob"]


def test_a_later_line_of_the_same_place_replaces_the_one_that_was_lost(hub: SimpleNamespace) -> None:
    def line(second: int, die: int) -> Line:
        body = {"event": {"type": "dice_rolled", "side": None, "dice": [die, 1]}}
        return Line.read("t-1", "session-1", encode(0, f"2030-01-01T20:00:0{second}.000Z", body)[:-1])

    hub.archive.add([line(1, 5)])
    hub.archive.add([line(2, 6)])
    hub.archive.add([line(1, 5)])
    assert json.loads(hub.archive.lines("t-1", "session-1")[0].document)["dice"] == [6, 1]


def test_two_writers_keep_every_line_once(hub: SimpleNamespace) -> None:
    bodies = [{"event": {"type": "paused", "time": float(i)}} for i in range(200)]
    lines = [Line.read("t-1", "session-1", encode(i, "2030", b)[:-1]) for i, b in enumerate(bodies)]
    threads = [threading.Thread(target=hub.archive.add, args=(lines[i:],)) for i in (0, 50, 100)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [line.seq for line in hub.archive.lines("t-1", "session-1")] == list(range(200))
