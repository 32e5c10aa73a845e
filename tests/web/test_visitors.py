"""A real server, real sockets: who says nothing, or only watches, keeps no player out."""

from __future__ import annotations

import contextlib
import http.client
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from pi_board.web import server as server_module
from pi_board.web.hub import LiveHub
from pi_board.web.options import WebOptions
from pi_board.web.server import PageServer
from pi_board.web.visitors import Places, Visitors
from tests.web.site import Desk, a_moment, write_session

PLACES = Places(asking=0.6, strangers=30, of_address=20, watching=8)


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[PageServer]:
    """A page on loopback with small limits, so that a few dozen connections show what hundreds would."""
    monkeypatch.setattr(server_module, "Visitors", lambda: Visitors(PLACES))
    # How fast one address may ask has tests of its own.
    monkeypatch.setattr("pi_board.web.access.Limiter.allows", lambda self, client: True)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    write_session(tmp_path)
    hub = LiveHub()
    hub.show(a_moment())
    server = PageServer(
        WebOptions(port=port, token_file=str(tmp_path / "token")), hub, Desk(), games=tmp_path
    )
    server.start()
    yield server
    hub.close()
    server.close()


def connect(server: PageServer) -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.options.port), timeout=5)


def closed_within(s: socket.socket, seconds: float) -> bool:
    """The other end has hung up."""
    s.settimeout(seconds)
    with contextlib.suppress(ConnectionError):
        try:
            while s.recv(4096):
                pass
        except TimeoutError:
            return False
    return True


def asks(server: PageServer, word: str) -> int:
    """Status of a fresh connection's request for the state."""
    connection = http.client.HTTPConnection("127.0.0.1", server.options.port, timeout=4)
    try:
        connection.request("GET", "/api/state", headers={"cookie": f"pi_board={word}"})
        answer = connection.getresponse()
        answer.read()
        return answer.status
    finally:
        connection.close()


@pytest.mark.slow
def test_crowds_at_full_size_lock_nobody_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """130 that say nothing and 200 that stream, from two dozen addresses, with the places that the program really has:
    a player's page is answered within 2 s throughout. Measured: the slowest answer is printed."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    write_session(tmp_path)
    hub = LiveHub()
    hub.show(a_moment())
    server = PageServer(
        WebOptions(port=port, token_file=str(tmp_path / "token")), hub, Desk(), games=tmp_path
    )
    server.start()
    crowd: list[socket.socket] = []
    player = f"/?token={server.keeper.token}"
    stream = f"GET /api/events HTTP/1.1\r\nHost: localhost\r\nCookie: pi_board={server.keeper.spectator_word}\r\n\r\n".encode()
    slowest = {"silent": 0.0, "streaming": 0.0, "both": 0.0}

    def come(nth: int, says: bytes) -> None:
        s = socket.create_connection(
            ("127.0.0.1", port), timeout=5, source_address=(f"127.0.1.{1 + nth % 24}", 0)
        )
        s.sendall(says)
        crowd.append(s)

    def page(kind: str) -> None:
        begun = time.monotonic()
        for path in (player, "/static/live.js", "/api/state"):
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
            connection.request("GET", path, headers={"cookie": f"pi_board={server.keeper.token}"})
            answer = connection.getresponse()
            answer.read()
            connection.close()
            assert answer.status == 200, (kind, path, answer.status)
        slowest[kind] = max(slowest[kind], time.monotonic() - begun)

    try:
        for n in range(130):
            come(n, b"")
            if n % 10 == 9:
                page("silent")
        for n in range(200):
            come(n, stream)
            if n % 10 == 9:
                page("streaming")
        # The silent ones come again as soon as they are let go, while the table goes on.
        for n in range(130):
            come(n, b"")
            hub.show(a_moment(float(n), message=f"moment {n}"))
            if n % 10 == 9:
                page("both")
        assert max(slowest.values()) < 2.0
        with capsys.disabled():
            print(f"\nslowest page of a player, ms: { ({k: round(1000 * v) for k, v in slowest.items()}) }")
    finally:
        for s in crowd:
            s.close()
        hub.close()
        server.close()


HEAD = b"GET /api/state HTTP/1.1\r\nHost: localhost\r\n"


@pytest.mark.parametrize("said", [b"", b"G", HEAD], ids=["nothing", "one letter", "half a request"])
def test_who_does_not_finish_asking_is_let_go(served: PageServer, said: bytes) -> None:
    with connect(served) as s:
        s.sendall(said)
        assert closed_within(s, 4.0)


def test_dribbling_does_not_keep_a_place(served: PageServer) -> None:
    with connect(served) as s:
        gone = False
        for letter in HEAD:
            try:
                s.sendall(bytes([letter]))
            except OSError:
                gone = True
                break
            time.sleep(0.1)
        assert gone


def test_a_second_request_is_owed_in_time_too(served: PageServer) -> None:
    with connect(served) as s:
        s.sendall(HEAD + f"Cookie: pi_board={served.keeper.token}\r\n\r\n".encode() + b"GET /api")
        assert closed_within(s, 4.0)


def test_who_is_refused_keeps_no_line_open(served: PageServer) -> None:
    with connect(served) as s:
        s.sendall(HEAD + b"\r\n")
        assert closed_within(s, 3.0)


def test_silent_strangers_lock_nobody_out(served: PageServer) -> None:
    """Four times as many as there are places, and they come again and again."""
    crowd: list[socket.socket] = []
    try:
        for _ in range(4):
            crowd += [connect(served) for _ in range(PLACES.strangers)]
            begin = time.monotonic()
            assert asks(served, served.keeper.token) == 200
            assert time.monotonic() - begin < 2.0
    finally:
        for s in crowd:
            s.close()


def test_watching_strangers_lock_nobody_out(served: PageServer) -> None:
    """Streams of spectators are few; players come in beside them and are answered, spectators are told to come later."""
    crowd: list[socket.socket] = []
    watch = served.keeper.spectator_word
    head = f"GET /api/events HTTP/1.1\r\nHost: localhost\r\nCookie: pi_board={watch}\r\n\r\n".encode()
    try:
        first = []
        for i in range(3 * PLACES.watching):
            s = connect(served)
            s.sendall(head)
            s.settimeout(5)
            answer = s.recv(64)
            first.append(answer.split()[1])
            crowd.append(s)
            if i % 4 == 0:
                assert asks(served, served.keeper.token) == 200
        assert first[: PLACES.watching] == [b"200"] * PLACES.watching
        assert set(first[PLACES.watching :]) == {b"503"}
    finally:
        for s in crowd:
            s.close()
