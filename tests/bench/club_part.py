"""One process of `bench_club`: a hub, or some boards whose referees play recorded events. Killed at any moment and started again."""

from __future__ import annotations

import argparse
import json
import random
import resource
import signal
import sys
import threading
import time
from datetime import UTC, datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from pi_board.club.options import ClubOptions
from pi_board.events import DiceRolled, Event, GameStarted, MatchStarted, MatchWon, TurnEnded
from pi_board.output import Moment
from pi_board.record.journal import Journal, resume
from pi_board.rules import STARTING_POSITION, Side, legal_plays, opponent
from pi_board.table import Phase, TableView


def options(folder: Path, user: str, port: int, host: str = "localhost") -> ClubOptions:
    return ClubOptions(
        broker=f"mqtts://{host}:{port}",
        board=user,
        password_file=str(folder / f"{user}.password"),
        ca=str(folder / "ca.crt"),
    )


def games(rng: random.Random, names: tuple[str, str]):  # type: ignore[no-untyped-def]
    """Endless matches to three points, event by event, with the view after each."""
    while True:
        score = [0, 0]
        yield (
            MatchStarted(rules="international", match_length=3, light_name=names[0], dark_name=names[1]),
            Phase.WAITING,
        )
        game = 0
        while max(score) < 3:
            game += 1
            position = STARTING_POSITION
            yield GameStarted(game=game, position=position, score=(score[0], score[1])), Phase.OPENING
            side: Side = rng.choice(("light", "dark"))
            for _ in range(rng.randint(20, 40)):
                dice = rng.randint(1, 6), rng.randint(1, 6)
                yield DiceRolled(side=side, dice=dice), Phase.PLAY
                play = rng.choice(legal_plays(position, dice, side))
                position = play.result
                yield (
                    TurnEnded(
                        side=side, position=position, dice=dice, play=str(play), moves=tuple(play.moves)
                    ),
                    Phase.ROLL,
                )
                side = opponent(side)
            score[rng.random() < 0.5] += 1
        yield (
            MatchWon(side="light" if score[0] > score[1] else "dark", score=(score[0], score[1])),
            Phase.OVER,
        )


def board(
    folder: Path, name: str, host: str, port: int, every: float, stop: threading.Event, slowest: list[float]
) -> None:
    """One board: `every` seconds an event, on the disk first, then to the output; what `show` costs is noted."""
    from pi_board.club.publisher import ClubPublisher

    logs = folder / "boards" / name
    logs.mkdir(parents=True, exist_ok=True)
    resumed = resume(logs)
    journal: Journal = resumed.journal
    publisher = ClubPublisher(options(folder, name, port, host), logs)
    rng = random.Random(f"{name}{time.time()}")
    for event, phase in games(rng, (f"{name}-light", f"{name}-dark")):
        if stop.wait(every * rng.uniform(0.5, 1.5)):
            break
        journal.append([event])
        began = time.perf_counter()
        publisher.show(Moment(began, _view(event, phase), (event,)))
        slowest.append(time.perf_counter() - began)
    publisher.close()
    journal.close()


def _view(event: Event, phase: Phase) -> TableView:
    return TableView(
        phase=phase, position=getattr(event, "position", None), side=getattr(event, "side", None)
    )


def hub(folder: Path, port: int, archive_url: str, stop: threading.Event) -> None:
    from pi_board.club.archive import Archive, Line
    from pi_board.club.collector import Collector

    class Timed(Archive):
        delays: list[float] = []  # noqa: RUF012

        def add(self, lines):  # type: ignore[no-untyped-def]
            found = super().add(lines)
            now = datetime.now(UTC)
            self.delays += [_seconds(now, line) for line in lines]
            return found

    def _seconds(now: datetime, line: Line) -> float:
        return (now - datetime.fromisoformat(line.at.replace("Z", "+00:00"))).total_seconds()

    archive = Timed(archive_url)
    collector = Collector(options(folder, "hub", port), archive)
    while not stop.wait(1.0):
        delays = sorted(archive.delays[-5000:])
        figures = {
            "lines": len(archive.delays),
            "p50": delays[len(delays) // 2] if delays else 0,
            "p99": delays[int(len(delays) * 0.99)] if delays else 0,
            "mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
            "refused": collector.refused,
            "cpu": time.process_time(),
        }
        (folder / "hub.json").write_text(json.dumps(figures))
    collector.close()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=("hub", "boards"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("port", type=int)
    parser.add_argument("--names", nargs="*", default=[])
    parser.add_argument("--host", default="localhost")
    parser.add_argument("--every", type=float, default=1.0)
    parser.add_argument("--archive", default="")
    args = parser.parse_args()
    stop = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    if args.what == "hub":
        hub(args.folder, args.port, args.archive or str(args.folder / "club.db"), stop)
        return
    slowest: list[float] = []
    threads = [
        threading.Thread(target=board, args=(args.folder, n, args.host, args.port, args.every, stop, slowest))
        for n in args.names
    ]
    for thread in threads:
        thread.start()
    while not stop.wait(0.5):
        pass
    for thread in threads:
        thread.join()
    if not slowest:
        return
    slowest.sort()
    with (args.folder / "shows.jsonl").open("a") as file:
        part = {
            "shows": len(slowest),
            "p99_ms": 1000 * slowest[int(len(slowest) * 0.99)],
            "worst_ms": 1000 * slowest[-1],
        }
        file.write(json.dumps(part) + "\n")


if __name__ == "__main__":
    main()
