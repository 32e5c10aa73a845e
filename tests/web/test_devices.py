"""Devices: each is let in with a word of its own, can be forgotten alone or all at once, and ends with its word."""

from __future__ import annotations

import json
import stat
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from pi_board.errors import DeviceError
from pi_board.web.access import COOKIE, Gatekeeper, load_token
from pi_board.web.devices import MOST, WORTH_WRITING, Devices, device_name
from tests.web.site import TOKEN, Bench

IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1"
ANDROID = "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36"


@pytest.mark.parametrize(
    ("agent", "name"),
    [
        (IPHONE, "Safari on iPhone"),
        (ANDROID, "Chrome on Android"),
        ("Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/130.0 Safari/537.36 Edg/130.0", "Edge on Windows"),
        ("Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0", "Firefox on Linux"),
        ("curl/8.5", "curl"),
        ("\x1b[2J<script>" * 900, "A browser"),
        ("", "A browser"),
    ],
)  # fmt: skip
def test_names_are_words_of_ours(agent: str, name: str) -> None:
    assert device_name(agent) == name


class Clock:
    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


def test_the_file_holds_no_word_and_is_its_owner_s_alone(tmp_path: Path) -> None:
    file, clock = tmp_path / "deep" / "token-devices.json", Clock()
    devices = Devices(file, clock)
    word = devices.admit(IPHONE)
    assert word not in file.read_text() and stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [p.name for p in file.parent.iterdir()] == [file.name]
    again = Devices(file, clock)
    found = again.find(word)
    assert found is not None and (found.name, found.created) == ("Safari on iPhone", clock.now)
    assert again.find(word + "x") is None and again.find("") is None and again.find(found.known) is None


def test_last_seen_is_kept_but_the_card_is_spared(tmp_path: Path) -> None:
    file, clock = tmp_path / "d.json", Clock()
    devices = Devices(file, clock)
    word = devices.admit()
    before = file.stat().st_mtime_ns, file.read_text()
    clock.now += 600
    devices.find(word)
    assert devices.all()[0].seen == clock.now and (file.stat().st_mtime_ns, file.read_text()) == before
    clock.now += WORTH_WRITING
    devices.find(word)
    assert Devices(file).all()[0].seen == clock.now


def test_a_device_forgotten_by_another_program_is_forgotten_here(tmp_path: Path) -> None:
    here, there = Devices(tmp_path / "d.json"), Devices(tmp_path / "d.json")
    word = here.admit()
    device = there.find(word)
    assert device is not None and there.forget(device.number)
    assert here.find(word) is None and here.all() == ()


def test_the_longest_away_makes_room() -> None:
    clock = Clock()
    devices = Devices(clock=clock)
    words = []
    for _ in range(MOST + 1):
        clock.now += 100
        words.append(devices.admit())
    assert (
        devices.find(words[0]) is None and devices.find(words[1]) is not None and len(devices.all()) == MOST
    )


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "null", '{"devices": 3}', '{"devices": [3, {}, {"known": 7, "name": 1, "created": "x", "seen": 1}]}', "[" * 50_000, "\xff", '{"devices": [{"known": "", "name": "a", "created": 1, "seen": 1}]}']
)  # fmt: skip
def test_a_broken_file_lets_nobody_in(tmp_path: Path, text: str) -> None:
    file = tmp_path / "d.json"
    file.write_text(text, encoding="latin-1")
    devices = Devices(file)
    assert devices.all() == () and devices.find("") is None
    word = devices.admit()
    assert Devices(file).find(word) is not None


def test_a_file_that_cannot_be_written_keeps_nobody_out(tmp_path: Path) -> None:
    (tmp_path / "no-folder").write_text("")
    devices = Devices(tmp_path / "no-folder" / "d.json")
    assert devices.find(devices.admit()) is not None


def enter(bench: Bench, agent: str = ANDROID, way: str = "") -> Any:
    """A device that came in through the players' address; its client keeps the cookie."""
    client = bench.client()
    client.headers["user-agent"] = agent
    assert client.get(way or bench.keeper.short_path, follow_redirects=False).status_code == 303
    return client


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


@pytest.mark.parametrize("way", ["", f"/enter?token={TOKEN}"])
def test_the_token_only_lets_in(bench: Bench, way: str) -> None:
    one, two = enter(bench, IPHONE, way), enter(bench, way=way)
    words = {c.cookies[COOKIE] for c in (one, two)}
    assert len(words) == 2 and not words & {TOKEN, bench.keeper.short_word, bench.keeper.spectator_word}
    assert one.get("/api/state").json()["role"] == "player"
    # Coming in once more is no further device.
    one.get(bench.keeper.short_path, follow_redirects=False)
    one.get(f"/?token={TOKEN}")
    found = one.get("/api/devices").json()
    assert [d["name"] for d in found["devices"]] == ["Chrome on Android", "Safari on iPhone"]
    assert [d["this"] for d in found["devices"]] == [False, True]
    assert not any(word in json.dumps(found) for word in words)


def test_a_token_kept_from_before_is_exchanged_at_the_next_page(bench: Bench) -> None:
    client = bench.client(cookie=TOKEN)
    assert "set-cookie" not in client.get("/static/page.js").headers
    assert not bench.keeper.devices.all()
    answer = client.get("/")
    assert TOKEN not in answer.headers["set-cookie"] and "httponly" in answer.headers["set-cookie"].lower()
    assert len(bench.keeper.devices.all()) == 1


def test_one_is_forgotten_the_other_stays(bench: Bench) -> None:
    one, two = enter(bench, IPHONE), enter(bench)
    number = next(d["number"] for d in one.get("/api/devices").json()["devices"] if not d["this"])
    for wrong in ({}, {"number": ""}, {"number": 3}, {"number": number[:-1]}, {"number": "*"}):
        assert one.post("/api/devices/forget", json=wrong).status_code == 400, wrong
    assert one.post("/api/devices/forget", json={"number": number}).status_code == 200
    assert (
        two.get("/api/state").status_code == 401
        and two.post("/api/press", json={"word": "hint"}).status_code == 401
    )
    assert one.get("/api/state").json()["role"] == "player"


def test_a_new_way_in_for_everybody_but_who_asked(bench: Bench) -> None:
    one, two = enter(bench, IPHONE), enter(bench)
    old = dict(bench.keeper.__dict__)
    assert (
        one.post("/api/devices/renew", json={}).status_code == 400
        and two.get("/api/state").status_code == 200
    )
    assert one.post("/api/devices/renew", json={"sure": True}).status_code == 200
    assert one.get("/api/state").json()["role"] == "player" and two.get("/api/state").status_code == 401
    stranger = bench.client()
    for path in (f"/enter?token={TOKEN}", "/P/" + old["short_word"], f"/enter?watch={old['spectator_word']}"):
        assert stranger.get(path, follow_redirects=False).status_code == 401, path
    assert bench.client(cookie=TOKEN).get("/api/state").status_code == 401
    assert bench.client(cookie=old["spectator_word"]).get("/api/state").status_code == 401
    assert enter(bench).get("/api/state").json()["role"] == "player"


def test_who_renews_with_the_token_itself_stays_in(bench: Bench) -> None:
    client = bench.client(cookie=TOKEN)
    answer = client.post("/api/devices/renew", json={"sure": True})
    word = answer.headers["set-cookie"].partition(f"{COOKIE}=")[2].partition(";")[0]
    assert word not in answer.text
    assert bench.client(cookie=word).get("/api/state").json()["role"] == "player"


def test_the_renewed_token_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "token"
    keeper = Gatekeeper(load_token(file), (), token_file=file)
    old = keeper.token
    keeper.renew(None)
    assert keeper.token == load_token(file) != old and stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [p.name for p in tmp_path.iterdir()] == ["token"]


def test_a_token_that_cannot_be_kept_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "no-folder").write_text("")
    keeper = Gatekeeper(TOKEN, (), token_file=tmp_path / "no-folder" / "token")
    word = keeper.devices.admit()
    with pytest.raises(DeviceError):
        keeper.renew(None)
    assert keeper.token == TOKEN and keeper.devices.find(word) is not None


def test_the_addresses_and_their_codes(bench: Bench) -> None:
    client = enter(bench)
    found = client.get("/api/devices").json()
    assert found["player"].startswith("http://192.168.1.9:8064/P/") and found["reachable"]
    assert found["overlay"] == f"http://192.168.1.9:8064/overlay?watch={bench.keeper.spectator_word}"
    for whom in ("player", "spectator"):
        answer = client.get(f"/api/devices/{whom}.svg")
        assert answer.headers["content-type"].startswith("image/svg+xml")
        assert ET.fromstring(answer.text).tag == "{http://www.w3.org/2000/svg}svg"
        assert "style=" not in answer.text
    assert client.get("/api/devices/token.svg").status_code == 404


def test_a_stream_ends_with_its_device(bench: Bench) -> None:
    """What it hears after that is the next person's at the table."""
    client = enter(bench)
    scope = {"type": "http", "method": "GET", "path": "/", "query_string": b"", "headers": [(b"cookie", f"{COOKIE}={client.cookies[COOKIE]}".encode())], "client": ("192.168.1.50", 1), "server": ("x", 80), "scheme": "http", "state": {"role": "player"}}  # fmt: skip
    from starlette.requests import Request

    request = Request(scope)
    assert not bench.site._shut_out(request)
    bench.keeper.devices.forget(bench.keeper.devices.all()[0].number)
    assert bench.site._shut_out(request)
