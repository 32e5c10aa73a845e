"""An evening of a club against a real Mosquitto: boards, broker and hub are killed at random, then every journal line is counted.

    python tests/bench/bench_club.py [--boards 16] [--minutes 3] [--kills 40] [--every 1.0] [--processes 0] [--archive URL] [--network]

`--processes 0`: one process a board (each can be killed); N: the boards share N processes, for many of them. Prints lines,
lines a second, the delay from the board's disk to the hub's (p50, p99), memory, and what is missing or doubled: 0 is the aim.
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from pi_board.club.archive import Archive  # noqa: E402
from pi_board.club.results import results  # noqa: E402
from pi_board.record.journal import decode, journals  # noqa: E402
from tests.club.mosquitto import Broker  # noqa: E402

PART = Path(__file__).with_name("club_part.py")


class Network:
    """The boards in a network namespace of their own, with one cable to the hub's; needs root and iproute2."""

    def __init__(self) -> None:
        self.space, self.cable, far = "pi-board-club", "pb-club-a", "pb-club-b"
        self.hub = "10.231.7.1"
        self.inside = ("ip", "netns", "exec", self.space)
        self._ip("netns", "add", self.space)
        self._ip("link", "add", self.cable, "type", "veth", "peer", "name", far)
        self._ip("link", "set", far, "netns", self.space)
        self._ip("addr", "add", f"{self.hub}/24", "dev", self.cable)
        self._ip("link", "set", self.cable, "up")
        for words in (
            ("link", "set", "lo", "up"),
            ("addr", "add", "10.231.7.2/24", "dev", far),
            ("link", "set", far, "up"),
        ):
            self._ip("-n", self.space, *words)

    @staticmethod
    def _ip(*words: str) -> None:
        subprocess.run(["ip", *words], check=True)

    def cut(self) -> None:
        """Nothing arrives any more, and nobody is told."""
        self._ip("link", "set", self.cable, "down")

    def mend(self) -> None:
        self._ip("link", "set", self.cable, "up")

    def close(self) -> None:
        self._ip("link", "del", self.cable)
        self._ip("netns", "del", self.space)


class Evening:
    """Every process of the club, by name; each can be killed and is started again."""

    def __init__(self, args: argparse.Namespace, folder: Path) -> None:
        self.args, self.folder = args, folder
        self.names = [f"table-{i}" for i in range(1, args.boards + 1)]
        self.network = Network() if args.network else None
        self.host = self.network.hub if self.network else "localhost"
        self.broker = Broker(folder, self.names, host=self.host)
        self.parts: dict[str, subprocess.Popen[bytes]] = {}
        count = args.processes or args.boards
        self.groups = {f"boards-{i}": self.names[i::count] for i in range(count)}

    def start(self, part: str) -> None:
        if part == "network":
            assert self.network is not None
            self.network.mend()
            return
        if part == "broker":
            self.broker.start()
            return
        words = [
            sys.executable,
            str(PART),
            "hub" if part == "hub" else "boards",
            str(self.folder),
            str(self.broker.port),
        ]
        if part == "hub":
            words += ["--archive", self.args.archive]
        else:
            words += ["--host", self.host, "--every", str(self.args.every), "--names", *self.groups[part]]
            words = [*(self.network.inside if self.network else ()), *words]
        self.parts[part] = subprocess.Popen(words, cwd=ROOT)

    def kill(self, part: str) -> None:
        if part == "network":
            assert self.network is not None
            self.network.cut()
            return
        if part == "broker":
            self.broker.kill()
            return
        self.parts[part].kill()
        self.parts[part].wait()

    def end(self, part: str) -> None:
        self.parts[part].send_signal(signal.SIGTERM)
        self.parts[part].wait()

    def missing(self, archive: Archive) -> tuple[int, int, int]:
        """(lines on the boards' disks, missing in the archive or different there, too many there)."""
        total = wrong = many = 0
        for name in self.names:
            for path in journals(self.folder / "boards" / name):
                mine = {}
                for raw in path.read_bytes().split(b"\n")[:-1]:
                    line = decode(raw)
                    mine[line["seq"]] = next(line[k] for k in ("event", "note", "gap") if k in line)
                kept = {line.seq: json.loads(line.document) for line in archive.lines(name, path.stem)}
                total += len(mine)
                wrong += sum(kept.get(seq) != body for seq, body in mine.items())
                many += len(kept.keys() - mine.keys())
        return total, wrong, many


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", type=int, default=16)
    parser.add_argument("--minutes", type=float, default=3.0)
    parser.add_argument("--kills", type=int, default=40)
    parser.add_argument("--every", type=float, default=1.0, help="seconds between two events of a board")
    parser.add_argument("--processes", type=int, default=0)
    parser.add_argument("--archive", default="")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--network", action="store_true", help="boards behind a cable that is pulled too; needs root"
    )
    args = parser.parse_args()
    rng = random.Random(args.seed)
    with tempfile.TemporaryDirectory() as place:
        evening = Evening(args, Path(place))
        for part in ("broker", "hub", *evening.groups):
            evening.start(part)
        began = time.monotonic()
        kills: dict[str, int] = {}
        while (left := args.minutes * 60 - (time.monotonic() - began)) > 0:
            time.sleep(min(left, args.minutes * 60 / max(1, args.kills) * rng.uniform(0.5, 1.5)))
            if not args.kills:
                continue
            cable = ["network"] if args.network else []
            part = rng.choice(["broker", "hub", rng.choice(list(evening.groups)), *cable])
            kills[part.split("-")[0]] = kills.get(part.split("-")[0], 0) + 1
            evening.kill(part)
            # A cable is out longer than it takes to notice: 20 s without a sign of life.
            time.sleep(rng.uniform(5.0, 45.0) if part == "network" else rng.uniform(0.1, 6.0))
            evening.start(part)
        for part in evening.groups:
            evening.end(part)
        played = time.monotonic() - began
        archive = Archive(args.archive or str(Path(place) / "club.db"))
        # After the dust: everybody is there again and nobody plays.
        args.every = 1e6
        for part in evening.groups:
            evening.start(part)
        for _ in range(60):
            time.sleep(2)
            total, wrong, many = evening.missing(archive)
            if not wrong and not many:
                break
        for part in evening.groups:
            evening.end(part)
        time.sleep(3)
        total, wrong, many = evening.missing(archive)
        figures = json.loads((Path(place) / "hub.json").read_text())
        shows = [json.loads(line) for line in (Path(place) / "shows.jsonl").read_text().splitlines()]
        print(
            f"{'boards':>8}{'minutes':>9}{'lines':>9}{'a second':>10}{'missing':>9}{'doubled':>9}{'matches':>9}"
        )
        print(
            f"{args.boards:8}{played / 60:9.1f}{total:9}{total / played:10.1f}{wrong:9}{many:9}{len(results(archive)):9}"
        )
        print(f"kills: {kills}")
        print(
            f"since the hub's last start: delay p50 {figures['p50']:.3f} s, p99 {figures['p99']:.3f} s, "
            f"memory {figures['mb']:.0f} MB, CPU {figures['cpu']:.1f} s, refused {figures['refused']}"
        )
        worst = max(s["worst_ms"] for s in shows)
        p99 = max(s["p99_ms"] for s in shows)
        print(
            f"what the output costs the referee: p99 {p99:.2f} ms, worst {worst:.1f} ms of {sum(s['shows'] for s in shows)}"
        )
        for part in ("hub", "broker"):
            evening.kill(part)
        if evening.network:
            evening.network.close()
        archive.close()


if __name__ == "__main__":
    main()
