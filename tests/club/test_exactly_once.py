"""Boards, a real Mosquitto and the hub, each of them killed: every journal line is in the archive exactly once."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pi_board.club import publisher
from pi_board.club.archive import Archive
from pi_board.club.collector import Collector
from pi_board.club.journal_tail import load_mark
from pi_board.club.publisher import ClubPublisher
from pi_board.events import DiceRolled, GameStarted, MatchStarted, MatchWon
from pi_board.output import Moment
from pi_board.record.journal import Journal, read_journal
from pi_board.rules import STARTING_POSITION
from pi_board.table import TableView
from tests.club.mosquitto import PROGRAM, Broker

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="mosquitto is not installed")


def until(good: Callable[[], bool], seconds: float = 20.0) -> bool:
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        if good():
            return True
        time.sleep(0.05)
    return False


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    found = Broker(tmp_path / "club", ["a", "b"])
    found.start()
    yield found
    found.kill()


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    found = Archive(str(tmp_path / "club.db"))
    yield found
    found.close()


class Table:
    """A board without a camera: a journal, and the output that publishes it."""

    def __init__(self, broker: Broker, name: str, folder: Path) -> None:
        self.broker, self.name, self.folder = broker, name, folder
        folder.mkdir(exist_ok=True)
        self.journal = Journal.create(folder)
        self.publisher = self.joined()

    def joined(self) -> ClubPublisher:
        return ClubPublisher(self.broker.options(self.name, home_assistant=False), self.folder)

    def say(self, n: int) -> None:
        for i in range(n):
            events = [DiceRolled(side="light", dice=(1 + i % 6, 3), time=float(i))]
            self.journal.append(events)
            self.publisher.show(Moment(float(i), TableView(names=("Ann", "Bob")), tuple(events)))

    def killed(self) -> None:
        """As SIGKILL leaves it: nothing more is sent or written; then it starts again."""
        client = self.publisher.client
        self.publisher._stop.set()
        self.publisher._connected = False
        client.loop_stop()
        if client.socket() is not None:
            client.socket().close()
        self.publisher = self.joined()

    @property
    def session(self) -> str:
        return self.journal.path.stem

    def lines(self) -> list[str]:
        return [json.dumps(e.to_document()) for e in read_journal(self.journal.path).events]


def kept(archive: Archive, table: Table) -> list[str]:
    return [json.dumps(json.loads(line.document)) for line in archive.lines(table.name, table.session)]


@pytest.mark.slow
def test_every_line_once_whoever_dies(broker: Broker, archive: Archive, tmp_path: Path) -> None:
    tables = [Table(broker, name, tmp_path / name) for name in ("a", "b")]
    hub = Collector(broker.options("hub"), archive)
    for table in tables:
        table.say(100)
    broker.kill()
    for table in tables:
        table.say(50)
    tables[0].killed()
    broker.start()
    tables[1].say(50)
    hub.client.loop_stop()
    if hub.client.socket() is not None:
        hub.client.socket().close()
    tables[0].say(30)
    hub = Collector(broker.options("hub"), archive)
    tables[1].killed()
    for table in tables:
        table.say(20)
    assert until(lambda: all(len(kept(archive, t)) == len(t.lines()) for t in tables), 40)
    for table in tables:
        assert kept(archive, table) == table.lines()
        table.publisher.close()
    hub.close()


def test_what_the_broker_lost_is_asked_for(broker: Broker, archive: Archive, tmp_path: Path) -> None:
    """The broker forgets everything while the hub is away, although it had acknowledged every line."""
    table = Table(broker, "a", tmp_path / "a")
    table.say(40)
    assert until(lambda: table.publisher._sent.get(table.session) == 40)
    broker.kill()
    for file in (broker.files.folder / "data").iterdir():
        file.unlink()
    broker.start()
    hub = Collector(broker.options("hub"), archive)
    assert until(lambda: kept(archive, table) == table.lines(), 40)
    table.publisher.close()
    hub.close()


def test_only_the_session_in_hand_unless_history_is_wanted(
    broker: Broker, archive: Archive, tmp_path: Path
) -> None:
    folder = tmp_path / "a"
    folder.mkdir()
    earlier = Journal.create(folder)
    earlier.append([MatchStarted(rules="international")])
    earlier.close()
    table = Table(broker, "a", folder)
    hub = Collector(broker.options("hub"), archive)
    table.say(3)
    assert until(lambda: len(kept(archive, table)) == 3)
    assert [s for _, s, _ in archive.sessions()] == [table.session]
    table.publisher.close()
    hub.close()


def test_a_lost_mark_costs_no_session(broker: Broker, archive: Archive, tmp_path: Path) -> None:
    """Two evenings, the second without the broker; then the note of how much was sent is gone."""
    folder = tmp_path / "a"
    folder.mkdir()
    first = Table(broker, "a", folder)
    hub = Collector(broker.options("hub"), archive)
    first.say(5)
    assert until(lambda: kept(archive, first) == first.lines())
    first.publisher.close()
    broker.kill()
    second = Table(broker, "a", folder)
    second.say(4)
    second.publisher.close()
    (folder / "club-sent.json").unlink()
    third = Table(broker, "a", folder)
    broker.start()
    third.say(3)
    assert until(lambda: all(kept(archive, t) == t.lines() for t in (first, second, third)), 40)
    third.publisher.close()
    hub.close()


def test_the_director_is_called_and_answers(broker: Broker, archive: Archive, tmp_path: Path) -> None:
    answers: list[str] = []
    table, hub = Table(broker, "a", tmp_path / "a"), Collector(broker.options("hub"), archive)
    table.publisher._director_comes = lambda: answers.append("coming")
    view = TableView(names=("Ann", "Bob"))
    table.publisher.show(Moment(1.0, view, director="called"))
    assert until(lambda: "a" in hub.boards and hub.boards["a"].state.get("director") == "called")
    hub.ask("a", {"director": "going"})
    hub.ask("a", {"director": "coming"})
    assert until(lambda: answers == ["coming"])
    table.publisher.close()
    hub.close()


def test_a_board_cannot_speak_for_another(broker: Broker, archive: Archive, tmp_path: Path) -> None:
    """With b's password: not a's state, not a's journal, not the hub's questions, and no reading of others' lines."""
    from pi_board.club.publisher import connect
    from pi_board.club.topics import NOTICE, BoardTopics

    hub = Collector(broker.options("hub"), archive)
    client = connect(broker.options("b"), "b", client_id="a", clean=True)
    heard: list[str] = []
    client.on_message = lambda c, u, m: heard.append(m.topic)
    client.connect("localhost", broker.port)
    client.loop_start()
    assert until(client.is_connected)
    client.subscribe("#", 1)
    a = BoardTopics("a")
    for topic in (
        a.state,
        a.status,
        a.journal("session-1"),
        a.ask,
        a.press,
        NOTICE,
        "homeassistant/sensor/a/turn/config",
    ):
        client.publish(topic, "{}", qos=1)
    client.publish(BoardTopics("b").state, json.dumps({"board": "b"}), qos=1, retain=True)
    assert until(lambda: "b" in hub.boards)
    time.sleep(0.3)
    assert "a" not in hub.boards and not archive.sessions() and hub.refused == 0
    table = Table(broker, "a", tmp_path / "a")
    table.say(2)
    assert until(lambda: len(kept(archive, table)) == 2)
    assert not heard
    table.publisher.close()
    client.disconnect()
    client.loop_stop()
    hub.close()


@pytest.mark.parametrize("word", ["wrong", ""])
def test_nobody_comes_in_without_the_password(broker: Broker, word: str) -> None:
    from dataclasses import replace

    from pi_board.club.publisher import connect

    options = replace(broker.options("a"), password=word, password_file="")
    client = connect(options, "a", client_id="a", clean=True)
    said: list[bool] = []
    client.on_connect = lambda c, u, f, reason, p: said.append(reason.is_failure)
    client.connect("localhost", broker.port)
    client.loop_start()
    assert until(lambda: bool(said)) and said[0]
    client.loop_stop()


def test_a_match_that_was_won_becomes_a_result(broker: Broker, archive: Archive, tmp_path: Path) -> None:
    from pi_board.club.results import results
    from pi_board.club.service import Desk

    hub = Collector(broker.options("hub"), archive)
    desk = Desk(archive, hub)
    cup = desk.begin({"name": "Cup", "kind": "round_robin", "players": ["Ann", "Bob"], "length": 3})
    table = Table(broker, "a", tmp_path / "a")
    table.journal.append(
        [
            MatchStarted(rules="international", match_length=3, light_name="ann", dark_name="Bob"),
            GameStarted(game=1, position=STARTING_POSITION),
            MatchWon(side="light", score=(3, 1)),
        ]
    )
    table.say(1)
    assert until(lambda: len(results(archive)) == 1)
    desk.take_results()
    pair = desk.tournament(cup["number"]).played[0][0]
    assert pair.winner == "Ann" and pair.by == "board" and sorted(pair.score) == [1, 3]
    table.publisher.close()
    hub.close()


def test_old_sessions_are_left_behind_once_they_are_sent(
    broker: Broker, archive: Archive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a board of some years would send all of them anew with every start."""
    monkeypatch.setattr(publisher, "MARKED", 2)
    monkeypatch.setattr(publisher, "MARK_EVERY", 0.0)
    (tmp_path / "a").mkdir()
    for n in range(4):
        old = Journal.create(tmp_path / "a")
        old.append([DiceRolled(side="light", dice=(6, 3), time=float(n))])
        old.path.rename(old.path.with_name(f"session-2020010{n + 1}-200000.jsonl"))
    hub = Collector(broker.options("hub"), archive)
    # Another board that is heard proves that the hub listens. It cannot ask for what it missed of a session left behind.
    other = Table(broker, "b", tmp_path / "b")
    assert until(lambda: "b" in hub.boards)
    options = broker.options("a", home_assistant=False, history=True)
    board = ClubPublisher(options, tmp_path / "a")
    assert until(lambda: len(board._sent) == 2)
    assert until(lambda: all(len(archive.lines("a", f"session-2020010{n}-200000")) == 1 for n in range(1, 5)))
    board.close()
    mark = load_mark(tmp_path / "a", options.broker)
    assert mark is not None and mark.first == "session-20200103-200000"
    assert mark.sent == {"session-20200103-200000": 1, "session-20200104-200000": 1}
    other.publisher.close()
    hub.close()
