"""The recorded games on the page: replay, evidence, the coach, downloads, statistics."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from pi_board.events import GameStarted, GameWon, MatchAgreed, MatchStarted, MatchWon, PlayIllegal, TurnEnded
from pi_board.frame import Frame
from pi_board.output import Moment
from pi_board.record.evidence import EvidencePictures
from pi_board.record.journal import Journal, journals
from pi_board.record.options import RecordOptions
from pi_board.rules import STARTING_POSITION, legal_plays
from pi_board.session.look_back import LookBack
from pi_board.table import Phase, TableView
from pi_board.web import routes
from pi_board.web.access import Limiter
from tests.web.site import TOKEN, Bench, write_solitaire

PLAY = legal_plays(STARTING_POSITION, (3, 1), "light")[0]
TURN = TurnEnded(side="light", position=PLAY.result, dice=(3, 1), play=str(PLAY), moves=PLAY.moves)
ILLEGAL = PlayIllegal(
    side="dark",
    dice=(6, 2),
    code="wrong_number",
    reason="A five was played.",
    position=PLAY.result,
    seen=STARTING_POSITION,
    seq=60,
)


@pytest.fixture(autouse=True)
def patient_door(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Limiter, "allows", lambda self, client: True)


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    """Two journals; the newer one has two matches, an illegal play and real evidence of it."""
    bench = Bench(tmp_path / "games")
    bench.site.history.coach = LookBack()
    write_evidence(bench.folder)
    return bench


def write_evidence(folder: Path) -> None:
    """A journal with two matches, an illegal play and real evidence of it."""
    journal = Journal.create(folder)
    first = MatchStarted(rules="international", light_name="Cy", dark_name="Di")
    won = GameWon(side="light", points=1, kind="resigned", score=(1, 0))
    start = GameStarted(game=1, position=STARTING_POSITION)
    journal.append([first, start, TURN, won])
    journal.append([MatchStarted(rules="jumbo", light_name="Eve", dark_name="Fay"), start, TURN])
    journal.append([ILLEGAL])
    evidence = EvidencePictures(folder / "evidence", journal.path.stem, RecordOptions(), note=journal.note)
    view = TableView(phase=Phase.ILLEGAL, position=STARTING_POSITION)
    for i in range(10):
        image = np.full((120, 160, 3), 20 * i, np.uint8)
        events = (ILLEGAL,) if i == 9 else ()
        evidence.show(Moment(i / 5, view, events, Frame(image, i / 5, i)))
    evidence.request()
    evidence.close()
    journal.append([won])
    journal.close()


def test_list_and_replay(bench: Bench) -> None:
    client = bench.client(cookie=TOKEN)
    sessions = client.get("/api/games").json()["sessions"]
    assert [(s["number"], s["names"]) for s in sessions] == [
        ("1.1", ["Eve", "Fay"]),
        ("1.0", ["Cy", "Di"]),
        ("0.0", ["Anna", "Bo"]),
    ]
    assert sessions[2]["score"] == [1, 0]
    game = client.get("/api/games/0").json()["games"][0]
    assert game["actions"][0]["position"]["points"] and 0.4 < game["light_wins"] < 0.7
    assert client.get("/api/games/1.0").json()["games"][0]["actions"]
    for kind in ("mat", "sgf", "txt", "json"):
        for number, name in (("0", "Anna"), ("1.0", "Cy"), ("1.1", "Eve")):
            answer = client.get(f"/api/games/{number}/{kind}")
            assert answer.status_code == 200 and name in answer.text
            assert answer.headers["content-disposition"] == f'attachment; filename="pi-board-{number}.{kind}"'
    assert client.get("/api/games/1.2").status_code == 404


def test_evidence(bench: Bench) -> None:
    client = bench.client(cookie=bench.keeper.spectator_word)
    assert client.get("/api/games/0/evidence").json() == {"evidence": []}
    found = client.get("/api/games/1/evidence").json()["evidence"]
    assert [e["code"] for e in found] == ["wrong_number", "on_demand"]
    assert found[0] == {
        "piece": 0,
        "code": "wrong_number",
        "reason": "A five was played.",
        "side": "dark",
        "dice": [6, 2],
        "position": ILLEGAL.position.to_document(),
        "seen": STARTING_POSITION.to_document(),
        "match": 1,
        "game": 0,
        "actions": 1,
        "files": ["after", "clip"],
    }
    # It is evidence of the second match only.
    assert [e["code"] for e in client.get("/api/games/1.1/evidence").json()["evidence"]] == ["wrong_number"]
    after = client.get("/api/games/1/evidence/0/after.jpg")
    assert picture(after.content).shape == (120, 160, 3)
    assert client.get("/api/games/1/evidence/0/before.jpg").status_code == 404
    avi = client.get("/api/games/1/evidence/0/clip.avi")
    assert avi.content[:4] == b"RIFF" and avi.headers["content-disposition"].endswith('.avi"')


def test_a_clip_plays_in_the_browser(bench: Bench) -> None:
    answer = bench.client(cookie=TOKEN).get("/api/games/1/evidence/0/clip")
    assert answer.headers["content-type"] == "multipart/x-mixed-replace; boundary=frame"
    pictures = [picture(p.partition(b"\r\n\r\n")[2]) for p in answer.content.split(b"--frame\r\n")[1:]]
    brightness = [float(p.mean()) for p in pictures]
    # Ten pictures in their order, the last one twice so that it is shown.
    assert len(brightness) == 11 and brightness == sorted(brightness) and brightness[-1] > brightness[0] + 150


def test_the_clip_of_the_verdict_on_the_page(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(routes, "WAIT_FOR_CLIP", 1)
    client = bench.client(cookie=TOKEN)
    assert client.get("/api/clip").status_code == 404, "nothing illegal has been shown"
    bench.hub.illegal = (1, 60)
    assert client.get("/api/clip").content.startswith(b"--frame")
    bench.hub.illegal = (2, 61)
    assert client.get("/api/clip").status_code == 404, "not the clip of another play"


def test_only_evidence_is_served(bench: Bench, tmp_path: Path) -> None:
    """Whatever a journal says, and whatever lies in the folder."""
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "after.jpg").write_bytes(b"secret")
    folder = next((bench.folder / "evidence").glob("*wrong_number"))
    (folder / "before.jpg").symlink_to(secret / "after.jpg")
    linked = bench.folder / "evidence" / "session-1-001-linked"
    linked.symlink_to(secret)
    journal = Journal.create(bench.folder)
    journal.append([MatchStarted(rules="international", light_name="A", dark_name="B")])
    names: list[Any] = [
        "../../secret",
        "/etc",
        "session-1-001-linked",
        "session-1-001-../x",
        "",
        7,
        None,
        ["a"],
    ]
    for name in names:
        journal.note({"evidence": name, "files": ["after.jpg"], "of": 60})
    journal.close()
    client = bench.client(cookie=TOKEN)
    found = client.get("/api/games/2/evidence").json()["evidence"]
    assert [e["files"] for e in found] == [[]]
    for number in (1, 2):
        for piece in range(4):
            for file in ("before.jpg", "after.jpg", "clip.avi", "clip", "verdict.json"):
                answer = client.get(f"/api/games/{number}/evidence/{piece}/{file}")
                assert b"secret" not in answer.content
    assert client.get("/api/games/1/evidence/0/before.jpg").status_code == 404


def test_evidence_that_is_gone(bench: Bench) -> None:
    for file in (bench.folder / "evidence").rglob("*.*"):
        file.unlink()
    client = bench.client(cookie=TOKEN)
    found = client.get("/api/games/1/evidence").json()["evidence"]
    assert [e["files"] for e in found] == [[], []] and found[0]["reason"]
    assert client.get("/api/games/1/evidence/0/clip").status_code == 404


def test_the_coach_looks_back(bench: Bench) -> None:
    client = bench.client(cookie=TOKEN)
    answer = client.post("/api/games/1.0/coach", json={"game": 0})
    (said,) = answer.json()["actions"]
    assert said[0]["what"] == "play" and said[0]["grade"] in ("fine", "doubtful", "error", "blunder")
    assert said[0]["words"] and said[0]["loss"] >= 0 and len(answer.json()["summary"]) == 2
    assert client.post("/api/games/1.0/coach", json={"game": 0}).json() == answer.json()
    for body in ({"game": 1}, {"game": -1}, {"game": "0"}, {"game": True}, {"game": None}):
        assert client.post("/api/games/1.0/coach", json=body).status_code == 400
    assert client.post("/api/games/7/coach", json={"game": 0}).status_code == 404
    assert client.get("/api/games/1.0/coach").status_code == 404
    spectator = bench.client(cookie=bench.keeper.spectator_word)
    assert spectator.post("/api/games/1.0/coach", json={"game": 0}).status_code == 403


def test_one_game_is_looked_over_at_a_time(bench: Bench) -> None:
    coach = LookBack()
    bench.site.history.coach = coach
    with coach._busy:
        answer = bench.client(cookie=TOKEN).post("/api/games/1.0/coach", json={"game": 0})
    assert answer.status_code == 409 and "try again" in answer.json()["error"]


def test_statistics_with_plots(bench: Bench) -> None:
    found = bench.client(cookie=TOKEN).get("/api/statistics").json()
    assert set(found["players"]) >= {"Anna", "Cy", "Eve"} and found["players"]["Fay"]["illegal"] == {
        "wrong_number": 1
    }
    assert {"dice", "points", "illegal"} <= set(found["plots"])
    assert all(text.startswith("<svg") for text in found["plots"].values())


def test_journals_are_counted_from_the_oldest(bench: Bench) -> None:
    assert len(journals(bench.folder)) == 2


def picture(data: bytes) -> Any:
    return cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)


def test_solitaire_is_in_the_list_and_can_be_looked_back_on(bench: Bench) -> None:
    write_solitaire(bench.folder)
    client = bench.client(cookie=TOKEN)
    entry = next(s for s in client.get("/api/games").json()["sessions"] if s.get("kind") == "solitaire")
    assert (entry["games"], entry["won"]) == (1, 0)
    found = client.get(f"/api/games/{entry['number']}").json()
    assert found["kind"] == "solitaire" and not found["coach"]
    game = found["games"][0]
    assert (game["problem"], game["remaining"], game["won"]) == ("vacancy-1", 34, False)
    assert [sum(a["holes"]) for a in game["actions"]] == [35, 34] and sum(game["start"]) == 36
    # The wrong jump has its place between the two, with what lay there and what should.
    wrong = client.get(f"/api/games/{entry['number']}/evidence").json()["evidence"][0]
    assert (wrong["game"], wrong["actions"]) == (0, 1)
    assert sum(wrong["seen"]) == 35 and wrong["position"] == game["actions"][0]["holes"]


def test_a_match_that_is_played_is_not_judged_here_either(bench: Bench) -> None:
    """Players could read in the history what the referee keeps from them: the play, its pictures, the coach's word."""
    journal = Journal.create(bench.folder)
    won = GameWon(side="light", points=1, kind="resigned", score=(1, 0))
    start = GameStarted(game=1, position=STARTING_POSITION)
    journal.append(
        [MatchStarted(rules="international", match_length=3), MatchAgreed(mode="responsible", hints=False)]
    )
    journal.append([start, TURN, won, start, TURN, ILLEGAL])
    journal.note({"evidence": f"{journal.path.stem}-001-wrong_number", "files": [], "of": ILLEGAL.seq})
    number = str(len(journals(bench.folder)) - 1)
    client = bench.client(cookie=TOKEN)
    before = client.get("/api/statistics").json()
    game = client.get(f"/api/games/{number}").json()
    assert len(game["games"]) == 1 and not game["coach"], "the game in hand is nobody's business"
    assert client.get(f"/api/games/{number}/evidence").json() == {"evidence": []}
    assert "Game 2" not in client.get(f"/api/games/{number}/mat").text
    assert client.post(f"/api/games/{number}/coach", json={"game": 0}).status_code == 409
    journal.append(
        [GameWon(side="light", points=2, kind="resigned", score=(3, 0)), MatchWon(side="light", score=(3, 0))]
    )
    game = client.get(f"/api/games/{number}").json()
    assert len(game["games"]) == 2 and game["coach"]
    assert len(client.get(f"/api/games/{number}/evidence").json()["evidence"]) == 1
    assert client.get("/api/statistics").json() != before
    journal.close()
