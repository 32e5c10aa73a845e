"""What a board needs for its club: settings, topics, discovery, and the files of `club up`."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from pi_board.cli import main
from pi_board.club.discovery import documents
from pi_board.club.journal_tail import (
    JOINED_FILE,
    MARK_FILE,
    JournalTail,
    Mark,
    beginning,
    load_mark,
    save_mark,
    session_files,
)
from pi_board.club.options import ClubOptions, broker_address
from pi_board.club.topics import BoardTopics, access_list, parse
from pi_board.errors import InvalidSettingsError
from pi_board.events import Paused
from pi_board.record.journal import Journal
from tests.club.mosquitto import PROGRAM


@pytest.mark.parametrize(
    ("broker", "found"),
    [
        ("mqtt://club.local", ("club.local", 1883, False)),
        ("mqtts://club.local", ("club.local", 8883, True)),
        ("mqtts://10.0.0.7:9999", ("10.0.0.7", 9999, True)),
    ],
)
def test_brokers(broker: str, found: tuple[str, int, bool]) -> None:
    assert broker_address(broker) == found


@pytest.mark.parametrize(
    "wrong",
    [
        {"broker": "club.local"},
        {"broker": "https://club.local"},
        {"broker": "mqtt://u:p@club.local"},
        {"broker": "mqtt://club.local:port"},
        {"board": "Table 1"},
        {"board": "a/b"},
        {"board": "+"},
        {"password": "x", "password_file": "y"},
        {"certificate": "x"},
    ],
)
def test_settings_that_are_none(wrong: dict[str, str]) -> None:
    with pytest.raises(InvalidSettingsError):
        ClubOptions(**wrong)  # type: ignore[arg-type]


def test_topics_come_back_as_they_went() -> None:
    topics = BoardTopics("table-1")
    assert parse(topics.journal("session-1")) == ("table-1", "journal", ("session-1",))
    assert parse(topics.state) == ("table-1", "state", ())
    for none in ("pi-board/all/notice", "pi-board/x", "other/table-1/state", ""):
        assert parse(none) == ("", "", ())
    # Every topic that a board writes is granted to its own name only.
    assert all("%u" in line for line in access_list().splitlines() if line.startswith("pattern write"))


def test_home_assistant_finds_the_board() -> None:
    found = dict(documents("table-1"))
    assert len({d["unique_id"] for d in found.values()}) == len(found) == 11
    for topic, document in found.items():
        assert topic.split("/")[2] == "table-1" and topic.endswith("/config")
        assert document["availability_topic"] == BoardTopics("table-1").status
        assert any(key in document for key in ("state_topic", "command_topic", "topic"))
        assert len(json.dumps(document)) < 2000


def test_a_tail_reads_each_line_once_and_goes_back(tmp_path: Path) -> None:
    journal = Journal.create(tmp_path)
    journal.append([Paused(time=float(i)) for i in range(5)])
    tail = JournalTail(journal.path)
    assert [seq for seq, _ in tail.read(3)] == [0, 1, 2] and [seq for seq, _ in tail.read(9)] == [3, 4]
    with journal.path.open("ab") as file:
        file.write(b'{"torn":')
    assert tail.read(9) == [] and tail.next == 5
    tail.rewind(2)
    assert [seq for seq, _ in tail.read(9)] == [2, 3, 4]
    tail.rewind(99)
    assert tail.read(9) == []


def test_the_mark_is_of_one_broker(tmp_path: Path) -> None:
    assert load_mark(tmp_path, "mqtt://a") is None
    save_mark(tmp_path, Mark("mqtt://a", "session-1", {"session-1": 7}))
    assert load_mark(tmp_path, "mqtt://a") == Mark("mqtt://a", "session-1", {"session-1": 7})
    assert load_mark(tmp_path, "mqtt://b") is None
    (tmp_path / "club-sent.json").write_text("{")
    assert load_mark(tmp_path, "mqtt://a") is None


LOST = {
    "nothing": ((), {"b": 2}, "b"),
    "the mark": ((MARK_FILE,), {}, "b"),
    "the note of joining": ((JOINED_FILE,), {"b": 2}, "b"),
    "both": ((MARK_FILE, JOINED_FILE), {}, "d"),
}


@pytest.mark.parametrize("what", LOST)
def test_where_sending_goes_on_when_the_mark_is_lost(tmp_path: Path, what: str) -> None:
    """Sessions a to d; the club was joined in b, and two of its lines are acknowledged."""
    for name in "ab":
        (tmp_path / f"session-{name}.jsonl").touch()
    assert beginning(tmp_path, "mqtt://x", history=False) == Mark("mqtt://x", "session-b", {})
    save_mark(tmp_path, Mark("mqtt://x", "session-b", {"session-b": 2}))
    for name in "cd":
        (tmp_path / f"session-{name}.jsonl").touch()
    files, sent, first = LOST[what]
    for file in files:
        (tmp_path / file).unlink()
    found = beginning(tmp_path, "mqtt://x", history=False)
    assert found == Mark("mqtt://x", f"session-{first}", {f"session-{k}": n for k, n in sent.items()})


@pytest.mark.parametrize("file", [MARK_FILE, JOINED_FILE])
@pytest.mark.parametrize("damage", ["", "{", "[]", '{"broker": 1}', '{"broker": "mqtt://x"}'])
def test_a_damaged_file_costs_no_line(tmp_path: Path, file: str, damage: str) -> None:
    """Nobody knows since when the board was in the club: everything is sent, and the hub keeps each line once."""
    for name in "ab":
        (tmp_path / f"session-{name}.jsonl").touch()
    (tmp_path / file).write_text(damage)
    assert beginning(tmp_path, "mqtt://x", history=False) == Mark("mqtt://x", "", {})


def test_another_club_is_joined_anew(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / f"session-{name}.jsonl").touch()
    save_mark(tmp_path, Mark("mqtt://x", "session-a", {"session-a": 2}))
    assert beginning(tmp_path, "mqtt://y", history=False) == Mark("mqtt://y", "session-b", {})
    assert beginning(tmp_path, "mqtt://z", history=True) == Mark("mqtt://z", "", {})


def test_sessions_in_the_order_played(tmp_path: Path) -> None:
    names = [
        "session-20300101-200000",
        "session-20300101-200000-2",
        "session-20300101-200000-10",
        "session-20300102-1",
    ]
    for name in names:
        (tmp_path / f"{name}.jsonl").touch()
    assert [p.stem for p in session_files(tmp_path)] == names
    assert [p.stem for p in session_files(tmp_path, names[1])] == names[1:]


@pytest.mark.skipif(PROGRAM is None, reason="mosquitto is not installed")
def test_club_up_twice_keeps_what_the_boards_have(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "club"
    assert main(["club", "up", "table-1", "--folder", str(folder), "--host", "10.1.2.3", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["broker"] == "mqtts://10.1.2.3:8883"
    before = {p.name: p.read_bytes() for p in folder.iterdir() if p.suffix in (".password", ".crt", ".key")}
    assert main(["club", "up", "table-2", "--folder", str(folder), "--host", "10.1.2.3"]) == 0
    out = capsys.readouterr().out
    assert out.count("[club]") == 2 and 'board = "table-2"' in out
    assert before.items() <= {p.name: p.read_bytes() for p in folder.iterdir() if p.is_file()}.items()
    for path in folder.iterdir():
        assert path.suffix in (".crt", ".csr", ".names", ".ext", ".service", ".conf", ".srl") or not (
            stat.S_IMODE(path.stat().st_mode) & 0o077 and path.is_file()
        ), path
    assert (
        main(["club", "up", "--folder", str(folder), "--host", "10.1.2.3", "--remove", "table-1", "--json"])
        == 0
    )
    assert json.loads(capsys.readouterr().out)["boards"] == ["table-2"]


@pytest.mark.parametrize("name", ["hub", "Table 1", "../x", "a" * 40])
def test_club_up_refuses_a_name(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["club", "up", name, "--folder", str(tmp_path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_serve_without_a_club(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["club", "serve", "--folder", str(tmp_path)]) == 2
    assert "club up" in capsys.readouterr().err
