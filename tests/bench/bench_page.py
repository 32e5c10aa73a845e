"""The page under load: what stuck, slow and watching clients cost the referee, and how fast the page answers meanwhile;
then how soon and how heavy the first view is in a real Chromium (where there is one).

    python tests/bench/bench_page.py [--seconds 10] [--only-first-view]
"""

from __future__ import annotations

import argparse
import http.client
import socket
import sys
import tempfile
import threading
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
from _pytest.outcomes import Skipped

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from pi_board.web.hub import LiveHub
from pi_board.web.options import WebOptions
from pi_board.web.server import PageServer
from tests.web.browser import DESKTOP, open_browser, wait_for
from tests.web.site import Desk, a_moment, write_session


def rss() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / 1e6


def measure(hub: LiveHub, port: int, seconds: float, fps: float) -> tuple[float, float, float, float, float]:
    """(ms p50 and p95 of `show`, ms p50 and p95 of a request, share of a core) with the clients there are."""
    rng = np.random.default_rng(1)
    images = [rng.integers(0, 255, (720, 1280, 3), dtype=np.uint8) // 8 + 90 for _ in range(4)]
    shows: list[float] = []
    asks: list[float] = []
    end = time.monotonic() + seconds
    stop = threading.Event()

    def visitor() -> None:
        while not stop.is_set():
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
            begin = time.perf_counter()
            connection.request("GET", "/api/state")
            connection.getresponse().read()
            asks.append(1000 * (time.perf_counter() - begin))
            connection.close()
            time.sleep(0.1)

    thread = threading.Thread(target=visitor)
    thread.start()
    cpu = time.process_time()
    i = 0
    while time.monotonic() < end:
        moment = a_moment(i / fps, image=images[i % 4])
        moment = replace(moment, view=replace(moment.view, message=f"moment {i}"))
        begin = time.perf_counter()
        hub.show(moment)
        shows.append(1000 * (time.perf_counter() - begin))
        i += 1
        time.sleep(1 / fps)
    cpu = (time.process_time() - cpu) / seconds
    stop.set()
    thread.join()
    return (*np.percentile(shows, [50, 95]), *np.percentile(asks, [50, 95]), cpu)  # type: ignore[return-value]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--only-first-view", action="store_true")
    args = parser.parse_args()
    seconds = args.seconds
    folder = Path(tempfile.mkdtemp())
    write_session(folder)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    hub = LiveHub()
    server = PageServer(
        WebOptions(port=port, trust_this_machine=True, token_file=str(folder / "token"), video_fps=15),
        hub,
        Desk(),
        games=folder,
    )
    server.start()
    if args.only_first_view:
        first_view(hub, server.player_url)
        hub.close()
        server.close()
        return
    print(
        f"{'clients':<34} {'show p50':>9} {'p95 ms':>8} {'page p50':>9} {'p95 ms':>8} {'core %':>7} {'MB':>7} {'+ MB':>6}"
    )
    # What the first request brings in (JPEG encoder, threads) is no client's doing.
    measure(hub, port, 1.0, 15)
    begin = rss()

    def row(name: str) -> None:
        figures = measure(hub, port, seconds, 15)
        print(
            f"{name:<34} {figures[0]:9.3f} {figures[1]:8.3f} {figures[2]:9.1f} {figures[3]:8.1f} {100 * figures[4]:7.1f} {rss():7.1f} {rss() - begin:6.1f}",
            flush=True,
        )

    row("nobody")
    stuck = []
    for _ in range(50):
        s = socket.create_connection(("127.0.0.1", port))
        s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        s.sendall(b"GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        stuck.append(s)
    row("50 that never read")
    for s in stuck:
        s.close()
    stop = threading.Event()

    def sip() -> None:
        """A phone at the edge of the network: a few bytes a second of events and pictures by turns."""
        slow = []
        for i in range(50):
            s = socket.create_connection(("127.0.0.1", port))
            s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            s.setblocking(False)
            path = b"/api/frame.jpg" if i % 2 else b"/api/events"
            s.sendall(b"GET " + path + b" HTTP/1.1\r\nHost: localhost\r\n\r\n")
            slow.append(s)
        while not stop.wait(0.5):
            for s in slow:
                try:
                    s.recv(64)
                except OSError:
                    continue
        for s in slow:
            s.close()

    sipper = threading.Thread(target=sip)
    sipper.start()
    row("50 that read 128 bytes/s")
    stop.set()
    sipper.join()
    stop.clear()

    def watch() -> None:
        s = socket.create_connection(("127.0.0.1", port))
        s.sendall(b"GET /api/video HTTP/1.1\r\nHost: localhost\r\n\r\n")
        s.settimeout(1)
        while not stop.is_set():
            try:
                if not s.recv(1 << 20):
                    break
            except TimeoutError:
                continue
        s.close()

    watchers = [threading.Thread(target=watch) for _ in range(4)]
    for w in watchers:
        w.start()
    row("4 that watch video at 15/s")
    stop.set()
    for w in watchers:
        w.join()
    time.sleep(1)
    row("nobody any more")
    first_view(hub, server.player_url)
    hub.close()
    server.close()


def first_view(hub: LiveHub, url: str, times: int = 10, slower: int = 4) -> None:
    """Loads with an empty cache; usable = board, verdict and score are drawn (the page's own mark). slower: how many
    times less than this machine's processor the page gets in the second series, as a cheap phone has."""
    try:
        browser = open_browser(DESKTOP)
    except Skipped as reason:
        print(f"first view: not measured ({reason})")
        return
    hub.show(a_moment(message="Light to roll."))
    usable: dict[int, list[float]] = {1: [], slower: []}
    weights = []
    mark = "const m = performance.getEntriesByName('usable')[0]; return m ? m.startTime : 0"
    for path in ("", "setup", "history"):
        for rate in usable if not path else (1,):
            browser.execute_cdp_cmd("Emulation.setCPUThrottlingRate", {"rate": rate})
            for _ in range(times if not path else 1):
                browser.execute_cdp_cmd("Network.clearBrowserCache", {})
                browser.get(url.rstrip("/") + "/" + path)
                wait_for(lambda: browser.execute_script("return document.readyState === 'complete'"), 20)
                if not path:
                    usable[rate].append(wait_for(lambda: browser.execute_script(mark), 20, "the mark"))
        size = (
            "return [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]"
            ".filter(e => !e.name.includes('/api/')).reduce((a, e) => a + e.transferSize, 0)"
        )
        weights.append(f"{path or 'live'} {browser.execute_script(size) / 1000:.0f} KB")
    browser.quit()
    for rate, took in usable.items():
        took.sort()
        print(
            f"first view at 1/{rate} of the processor: usable after {took[len(took) // 2]:.0f} ms (median of {times}), "
            f"{took[-1]:.0f} ms at the most"
        )
    print(f"weight with head lines: {', '.join(weights)}")


if __name__ == "__main__":
    main()
