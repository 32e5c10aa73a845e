"""Limits: how fast one client may ask, and how slow it may be."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pi_board.errors import DeviceError, InvalidSettingsError
from pi_board.web import access
from pi_board.web.access import Limiter
from pi_board.web.hub import LiveHub
from pi_board.web.options import WebOptions
from pi_board.web.server import PageServer
from tests.web.site import TOKEN, Bench, a_moment


def test_limiter_is_a_leaky_bucket() -> None:
    now = [0.0]
    limiter = Limiter(1.0, 3.0, clock=lambda: now[0])
    assert [limiter.allows("a") for _ in range(5)] == [True, True, True, False, False]
    assert limiter.allows("b")
    now[0] = 2.0
    assert [limiter.allows("a") for _ in range(3)] == [True, True, False]


def test_actions_and_guesses_are_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # However long the requests take on a busy machine, they come in the same second.
    monkeypatch.setattr(Limiter.__init__, "__defaults__", (lambda: 0.0,))
    bench = Bench(tmp_path)
    client = bench.client(cookie=TOKEN)
    codes = [client.post("/api/press", json={"word": "next"}).status_code for _ in range(40)]
    assert codes[:5] == [202] * 5 and codes[-1] == 429
    stranger = bench.client(("192.168.1.66", 1))
    codes = [stranger.get(f"/?token=guess{i}").status_code for i in range(20)]
    assert codes[0] == 401 and codes[-1] == 429
    assert client.get("/api/state").status_code == 200, "others are not punished"


class Connection:
    """An ASGI client that reads at most `bites` pieces of the answer and then does nothing any more."""

    def __init__(self, app: Any, path: str, bites: int) -> None:
        self.app, self.path, self.bites = app, path, bites
        self.pieces: list[bytes] = []
        self.gone = asyncio.Event()

    async def run(self) -> None:
        headers = [(b"host", b"board.local"), (b"cookie", f"pi_board={TOKEN}".encode())]
        scope = {
            "type": "http", "asgi": {"version": "3.0", "spec_version": "2.3"}, "http_version": "1.1", "method": "GET", "scheme": "http",
            "path": self.path, "raw_path": self.path.encode(), "query_string": b"", "headers": headers, "client": ("192.168.1.50", 1), "server": ("x", 80),
        }  # fmt: skip

        async def receive() -> dict[str, Any]:
            await self.gone.wait()
            return {"type": "http.disconnect"}

        async def send(message: dict[str, Any]) -> None:
            if len(self.pieces) >= self.bites:
                await self.gone.wait()
            if message["type"] == "http.response.body":
                self.pieces.append(message.get("body", b""))

        await self.app(scope, receive, send)


async def with_life(bench: Bench, body: Any) -> None:
    bench.hub.attach(asyncio.get_running_loop())
    await body()


def test_stuck_clients_do_not_hold_up_the_table(tmp_path: Path) -> None:
    """Fifty stuck pages: `show` never waits for them, a page that reads still gets everything, memory stays small."""
    bench = Bench(tmp_path)

    async def body() -> None:
        stuck = [Connection(bench.app, "/api/events", bites=1) for _ in range(50)]
        reader = Connection(bench.app, "/api/events", bites=10_000)
        tasks = [asyncio.create_task(c.run()) for c in (*stuck, reader)]
        await asyncio.sleep(0.3)
        tracemalloc.start()
        done = threading.Event()

        def table() -> None:
            for i in range(400):
                bench.hub.show(a_moment(i / 10, message=f"message {i}"))
            done.set()

        threading.Thread(target=table).start()
        for _ in range(600):
            await asyncio.sleep(0.05)
            if done.is_set() and any(b"message 399" in p for p in reader.pieces):
                break
        grown = tracemalloc.get_traced_memory()[0]
        tracemalloc.stop()
        assert done.is_set()
        assert any(b"message 399" in p for p in reader.pieces)
        assert grown < 20_000_000
        for c in (*stuck, reader):
            c.gone.set()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(with_life(bench, body))


def test_a_stuck_client_is_let_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(access, "LONGEST_SEND", 0.2)
    bench = Bench(tmp_path)

    async def body() -> None:
        client = Connection(bench.app, "/api/video", bites=1)
        task = asyncio.create_task(client.run())
        for i in range(200):
            bench.hub.show(a_moment(float(i)))
            await asyncio.sleep(0.1)
            if task.done():
                break
        assert task.done(), "the stuck client still holds its place"
        await task

    asyncio.run(with_life(bench, body))
    assert bench.site.video_clients == [0, 0]


def test_a_picture_is_encoded_once() -> None:
    hub = LiveHub()
    assert hub.jpeg() == (0, b"")
    hub.show(a_moment())
    first = hub.jpeg()
    assert first[1][:2] == b"\xff\xd8" and hub.jpeg() is first
    hub.show(a_moment(1.0, image=np.full((1200, 1600, 3), 200, np.uint8)))
    assert hub.jpeg()[0] == first[0] + 1


def test_show_survives_a_closed_server() -> None:
    hub = LiveHub()

    async def once() -> None:
        hub.attach(asyncio.get_running_loop())

    asyncio.run(once())
    hub.show(a_moment(message="nobody listens"))
    assert json.loads(hub.news_after(0)[1])["message"] == "nobody listens"


def test_pages_that_wait_are_let_go_at_the_end(tmp_path: Path) -> None:
    """No stream keeps the program from ending."""
    bench = Bench(tmp_path)

    async def body() -> None:
        clients = [Connection(bench.app, path, bites=100) for path in ("/api/events", "/api/video")]
        tasks = [asyncio.create_task(c.run()) for c in clients]
        await asyncio.sleep(0.3)
        assert not any(t.done() for t in tasks)
        bench.hub.close()
        await asyncio.wait_for(asyncio.gather(*tasks), 20)

    asyncio.run(with_life(bench, body))


def test_a_taken_port_is_one_line(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        options = WebOptions(port=taken.getsockname()[1], token_file=str(tmp_path / "token"))
        with pytest.raises(DeviceError, match="cannot be listened on"):
            PageServer(options, LiveHub(), Bench(tmp_path / "g").desk, games=tmp_path).start()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"port": 0}, "port"),
        ({"port": 70000}, "port"),
        ({"host": " "}, "host"),
        ({"video_fps": 0.0}, "video_fps"),
    ],
)
def test_wrong_options(options: dict[str, Any], words: str) -> None:
    with pytest.raises(InvalidSettingsError, match=words):
        WebOptions(**options)
