"""The looks of a campaign that were kept, refereed once more: what a change of the referee does to whole games, in a second each.

    pi-board bench campaign --games 300 --seed 755000 --keep DIR --looks       # once: half a minute a game
    python tests/bench/bench_looks.py DIR --out before.json                    # as it is
    python tests/bench/bench_looks.py DIR --out after.json --against before.json   # which games have changed, and how
    python tests/bench/bench_looks.py DIR/755012 --from 130 --to 160           # every word of half a minute, beside the truth
    python tests/bench/bench_looks.py DIR --worse 7                            # with noise, hands, missed and misread dice, drawn for each game

The players heard another referee, so what they did after its words is not what they would do after these. Looks are
pickles: only for folders of one's own.
"""

from __future__ import annotations

import argparse
import functools
import json
import multiprocessing
import tempfile
import traceback
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
from worse_looks import WorseLooks

from pi_board.campaign.looks import LookRecord, load_looks
from pi_board.campaign.play import GameScore, score_of
from pi_board.campaign.rooms import Room, draw_room
from pi_board.campaign.table import lines
from pi_board.events import Event
from pi_board.frame import Frame
from pi_board.output import Moment
from pi_board.referee import RefereeOptions
from pi_board.rules import Position
from pi_board.session.demo import DemoRun, run_demo
from pi_board.session.finding_reader import FindingReader
from pi_board.session.sitting import Sitting
from pi_board.sighting import Sighting
from pi_board.simulator.truth import CubeTruth, GameTruth, IllegalShown, TurnTruth
from pi_board.vision.profile import load_profile

_NOTHING = np.zeros((1, 1, 3), np.uint8)


class KeptCamera:
    """The times of a record's looks, and the buttons that were pressed then; deaf to what players hear."""

    next_time = float("-inf")
    description = "looks that were kept"

    def __init__(self, looks: LookRecord) -> None:
        self._frames: Iterator[Frame] = (Frame(_NOTHING, s.time, i) for i, s in enumerate(looks.sightings))
        self._pressed, self._read = looks.pressed, -1

    def read(self) -> Frame | None:
        self._read += 1
        return next(self._frames, None)

    def pressed(self) -> tuple[str, ...]:
        return tuple(button for look, button in self._pressed if look == self._read)

    def tell(self, word: str) -> None:
        """Nothing."""


class KeptReader(FindingReader):
    """Says what vision said then."""

    def __init__(self, looks: LookRecord, worse: WorseLooks | None = None) -> None:
        super().__init__(load_profile("generic"))
        self._looks, self._worse = looks.sightings, worse
        self._wide: tuple[Any, Any] = (None, None)

    def look(self, frame: Frame) -> Sighting:
        sighting = self._looks[frame.seq]
        table = sighting.log_likelihood
        if table is not None:
            if self._wide[0] is not table:
                self._wide = table, np.asarray(table, np.float64)
            sighting = replace(sighting, log_likelihood=self._wide[1])
        return sighting if self._worse is None else self._worse.of(sighting, table)


def load_truths(path: Path) -> list[GameTruth]:
    """`truth.json` of a kept game."""
    out = []
    for game in json.loads(path.read_text(encoding="utf-8")):
        turns = []
        for turn in game["turns"]:
            position, points_bar_off = None, turn["position"]
            if points_bar_off is not None:
                position = Position(*(tuple(points_bar_off[of]) for of in ("points", "bar", "off")))
            turn |= {
                "dice": tuple(turn["dice"]),
                "moves": tuple(map(tuple, turn["moves"])),
                "illegal": [IllegalShown(**shown) for shown in turn["illegal"]],
                "position": position,
            }
            turns.append(TurnTruth(**turn))
        game |= {"turns": turns, "cube": [CubeTruth(**c) for c in game["cube"]]}
        out.append(GameTruth(**game))
    return out


def referee_again(
    folder: Path,
    words: tuple[float, float] | None = None,
    room: Room | None = None,
    worse: WorseLooks | None = None,
) -> tuple[GameScore, list[tuple[float, Event]]]:
    """The score of one kept game, and the events with the time of their look; `words`: prints those of that time, with the truth.
    room: where it was played, if not in the campaign's room of that number. worse: its looks were made so."""
    seed = int(folder.name)
    room = room or draw_room(seed)
    looks, truths = load_looks(folder / "looks.gz"), load_truths(folder / "truth.json")
    with tempfile.TemporaryDirectory(prefix="pi-board-looks-") as kept:
        sitting = Sitting.at_the_table(
            KeptReader(looks, worse),
            rules=room.rules,
            options=RefereeOptions(),
            match_length=room.table.match_length,
            names=("Light", "Dark"),
            folder=Path(kept),
            go_on=False,
            event="campaign",
        )
        run = DemoRun()
        outputs = () if words is None else (_Printer(looks, *words),)
        run_demo(KeptCamera(looks), sitting, outputs, run=run)  # type: ignore[arg-type]
        sitting.close()
        score = score_of(seed, room, truths, run, sitting, 0)
    return score, run.lit


def print_event(time: float, event: Event) -> None:
    """A line of what was said, without boards."""
    skipped = ("type", "time", "position", "seen", "expected")
    kept = {k: v for k, v in asdict(event).items() if k not in skipped and v not in (None, "", ())}
    print(f"{time:7.1f} * {event.type} {kept}")


class _Printer:
    """An output that prints what is said, what is seen where it is not what lies there, and the dice."""

    def __init__(self, looks: LookRecord, begin: float, end: float) -> None:
        self.looks, self.begin, self.end = looks, begin, end
        self._last = ""

    def show(self, moment: Moment) -> None:
        if moment.frame is None or not self.begin <= moment.time <= self.end:
            return
        truth, seen = self.looks.truths[moment.frame.seq], moment.sighting
        state = [str(seen.gate.name if seen is not None else "-")]
        if seen is not None and seen.log_likelihood is not None:
            read = seen.log_likelihood.argmax(1) - seen.log_likelihood.shape[1] // 2
            wrong = [
                f"{i + 1}:{got:+d}({was:+d})"
                for i, (got, was) in enumerate(zip(read[:24], truth.points, strict=True))
                if got != was
            ]
            bar = tuple(int(r) for r in read[24:26])
            state += wrong + ([f"bar {bar} off {truth.off}"] if tuple(map(abs, bar)) != truth.bar else [])
        if seen is not None:
            state += [f"die {d.value}@{d.confidence:.2f}" for d in seen.dice]
        state += [f"[{v}{owner[0]} {lies}]" for v, owner, lies in truth.dice]
        if truth.hands or truth.held or truth.clutter:
            state.append(f"hands {truth.hands} held {truth.held} things {truth.clutter}")
        line = " ".join(state)
        if line != self._last:
            print(f"{moment.time:7.1f}   {line}")
            self._last = line
        for event in moment.events:
            print_event(moment.time, event)

    def close(self) -> None:
        """Nothing is open."""


def _one(folder: Path, worse: int | None) -> dict[str, Any]:
    if worse is None:
        return referee_again(folder)[0].to_document()
    looks = WorseLooks((worse, int(folder.name)))
    try:
        score = referee_again(folder, worse=looks)[0]
    except Exception as error:
        traceback.print_exc()
        score = GameScore(int(folder.name), 1, why=[f"broke off: {error!r}"])
    return score.to_document() | {"room": str(looks)}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "folders", nargs="+", type=Path, help="of one game, or of a campaign: then all its games"
    )
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--out", type=Path, help="write the scores, to be compared with later ones")
    parser.add_argument("--against", type=Path, help="scores of an earlier run: print what differs")
    parser.add_argument("--from", dest="begin", type=float, help="print every word from this second on …")
    parser.add_argument("--to", dest="end", type=float, default=float("inf"), help="… to this one")
    parser.add_argument(
        "--worse", type=int, metavar="SEED", help="the looks made worse at random; each seed in another way"
    )
    args = parser.parse_args()
    folders = sorted(
        {p for f in args.folders for p in ([f] if (f / "looks.gz").exists() else _games_of(f))},
        key=lambda p: p.name,
    )
    if args.begin is not None:
        for folder in folders:
            print_words(folder, args.begin, args.end)
        return
    with multiprocessing.get_context("spawn").Pool(args.workers) as pool:
        documents = pool.map(functools.partial(_one, worse=args.worse), folders, chunksize=1)
    if args.out is not None:
        args.out.write_text(json.dumps(documents), encoding="utf-8")
    before = {d["seed"]: d for d in json.loads(args.against.read_text())} if args.against else None
    for d in documents:
        if before is None:
            print(f"{d['seed']} {d['room']}")
            print("".join(f"    {why}\n" for why in d["why"]), end="")
        elif d["seed"] in before:
            old, new = before[d["seed"]]["why"], d["why"]
            lost, come = [w for w in old if w not in new], [w for w in new if w not in old]
            if lost or come or before[d["seed"]]["questions"] != d["questions"]:
                print(f"{d['seed']}: questions {before[d['seed']]['questions']} -> {d['questions']}")
                print("".join(f"    - {w}\n" for w in lost) + "".join(f"    + {w}\n" for w in come), end="")
    print()
    if before is not None:
        print("before:")
        of = {d["seed"] for d in documents}
        print("\n".join(lines([_loaded(d) for s, d in before.items() if s in of])))
        print("after:")
    print("\n".join(lines([_loaded(d) for d in documents])))


def _games_of(folder: Path) -> list[Path]:
    return sorted(p.parent for p in folder.rglob("looks.gz"))


def _loaded(document: dict[str, Any]) -> GameScore:
    return GameScore(**document)


def print_words(folder: Path, begin: float, end: float, room: Room | None = None) -> None:
    """Every word of a kept game from `begin` to `end` (seconds), beside the truth. room: as in `referee_again`."""
    room = room or draw_room(int(folder.name))
    print(folder.name, room.describe())
    for truth in load_truths(folder / "truth.json"):
        for n, turn in enumerate(truth.turns):
            if turn.ended < 0 or begin - 20 <= turn.ended <= end + 20:
                shown = [
                    f"{i.kind} ({i.code}) {i.begun:.1f}-{i.claimed:.1f}-{i.gone:.1f} {i.outcome}"
                    for i in turn.illegal
                ]
                print(
                    f"  turn {n} {turn.side} {turn.dice} {turn.play} thrown {turn.thrown:.1f} claimed {turn.claimed:.1f}"
                    f" ended {turn.ended:.1f} {shown or ''} {turn.thrown_again or ''} {turn.quirks or ''}"
                )
        for a, b, name in truth.mishaps:
            print(f"  mishap {name} {a:.1f}-{b:.1f}")
        print("  cube", truth.cube)
    score, _ = referee_again(folder, (begin, end), room)
    print("\n".join(score.why))


if __name__ == "__main__":
    main()
