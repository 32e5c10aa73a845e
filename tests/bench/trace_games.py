"""Path-traced games: one camera, one set, one room, a picture of every roll and every play; some plays are illegal and taken back.

    pip install mitsuba pyoidn
    python tests/bench/trace_games.py --games 6 --plays 12 --seed 1 --out DIR
    python tests/bench/trace_games.py --games 6 --plays 20 --seed 2 --cups --out DIR   # a dice cup is put on the board, and elsewhere
    python tests/bench/trace_games.py --check DIR

The truth beside each picture is that of the reference games. `--check` replays every game (`pi-board replay`) and prints what of it was
told at its picture, and what was accused without a cause. A picture takes 5 to 15 s on one core, a game of 12 plays five minutes.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import sys
from pathlib import Path
from typing import Any

import cv2
import mitsuba as mi
import numpy as np
from replayed import TOLD, agrees
from trace_rooms import SIDES, Place, Roll, Room, develop, draw_view, render, truth
from traced_moments import Moment, moments

from pi_board.cli import main as pi_board

#: A cup stands for so many plays (least, most), then for as many nowhere or elsewhere; it is so many times as wide as a checker.
_STANDS, _WIDE = (4, 9), (0.9, 1.5)
#: Places that are tried for it.
_TRIES = 40


def cups(rng: np.random.Generator, shown: list[Moment], room: Room) -> dict[int, Place]:
    """Where a cup stands, by frame: where no checker comes to lie while it does. It comes and goes beside a play. room: any of the game's."""
    field, radius = room.set.field, room.set.radius
    starts = [i for i, m in enumerate(shown) if m.event == "dice_thrown"]
    places: dict[int, Place] = {}
    at = int(rng.integers(2, 6))
    while at + 1 < len(starts):
        until = min(at + int(rng.integers(*_STANDS)), len(starts) - 1)
        r = radius * float(rng.uniform(*_WIDE))
        frames = range(starts[at], starts[until])
        lie = {
            (float(c["at"][0]), float(c["at"][1]))
            for f in frames
            for c in Room(room.seed, shown[f].position, room.near, roll=Roll((), 1, 0)).checkers
        }
        for _ in range(_TRIES):
            x = float(rng.uniform(-field.width / 2 + r, field.width / 2 - r))
            y = float(rng.uniform(-field.height / 2 + r, field.height / 2 - r))
            if all(np.hypot(x - a, y - b) > r + 1.1 * radius for a, b in lie):
                places |= dict.fromkeys(frames, (x, y, r))
                break
        at = until if rng.random() < 0.5 else until + int(rng.integers(1, 4))
    return places


def trace(seed: int, number: int, plays: int, samples: int, out: Path, *, with_cups: bool = False) -> None:
    """Writes one game; what is there already stays."""
    folder = out / f"game_{seed}_{number:02d}"
    folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng((seed, number))
    near = str(rng.choice(SIDES))
    halves = {side: 1 if side == near else -1 for side in SIDES}
    view, lying = None, {}
    shown = list(moments(np.random.default_rng((seed, number, 1)), plays))
    stand: dict[int, Place] = {}
    if with_cups:
        any_room = Room((seed, number), shown[0].position, near, roll=Roll((), 1, 0))
        stand = cups(np.random.default_rng((seed, number, 4)), shown, any_room)
    for frame, moment in enumerate(shown):
        roll = Roll(
            moment.dice if any(moment.dice) else (),
            halves.get(str(moment.side), 1),
            moment.number,
            lying.get(moment.number, ()),
        )
        name = f"{folder.name}_{frame:03d}"
        stands = [stand[frame]] if frame in stand else []
        room = Room((seed, number), moment.position, near, roll=roll, cups=stands)
        lying[moment.number] = tuple((float(d["at"][0]), float(d["at"][1])) for d in room.dice)
        if view is not None and (folder / f"{name}.json").is_file():
            continue
        view = view or draw_view(rng, room.outer, 33.0)
        light, scene = render(room, view, samples)
        # (The same development for all pictures; each has noise of its own.)
        image, post = develop(
            np.random.default_rng((seed, number, 2)), light, np.random.default_rng((seed, number, 3, frame))
        )
        told: dict[str, Any] = truth(room, view, scene, name, post)
        told |= {"event": moment.event, "dice_values": list(moment.dice), "play": moment.played, "near": near}
        told |= {"illegal_kind": moment.cheat} if moment.cheat else {}
        cv2.imwrite(str(folder / f"{name}.jpg"), image, [cv2.IMWRITE_JPEG_QUALITY, post["jpeg"]])
        (folder / f"{name}.json").write_text(json.dumps(told))
    print(folder, flush=True)


def check(folder: Path) -> tuple[dict[str, list[int]], list[str]]:
    """(event → [told, of so many], lines on what was missed or accused without a cause) of one game."""
    truths = [json.loads(path.read_text()) for path in sorted(folder.glob("*.json"))]
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        pi_board(["replay", str(folder), "--near", truths[0]["near"], "--json"])
    told: dict[str, list[dict[str, Any]]] = {}
    for event in json.loads(out.getvalue())["events"]:
        told.setdefault(event.get("frame", ""), []).append(event)
    figures: dict[str, list[int]] = {kind: [0, 0] for kind in TOLD} | {"FALSE": [0, 0]}
    lines = []
    for t in truths:
        here = told.get(t["image"]["file"], [])
        wanted = None if t["event"] == "play_done" and not t["play"] else TOLD.get(t["event"])
        if wanted:
            right = any(e["type"] in wanted and agrees(t, e) for e in here)
            figures[t["event"]][0] += right
            figures[t["event"]][1] += 1
            if not right:
                lines.append(
                    f"  missed {t['event']} {t['dice_values']} {t.get('illegal_kind', '')} at {t['id']}: "
                    f"{[e.get('code') or e['type'] for e in here]}"
                )
        figures["FALSE"][1] += 1
        if t["event"] != "play_done_illegal" and any(e["type"] == "illegal" for e in here):
            figures["FALSE"][0] += 1
            lines.append(f"  FALSE accusation at {t['id']} ({t['event']})")
    return figures, lines


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=4)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--plays", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--samples", type=int, default=12)
    parser.add_argument("--cups", action="store_true", help="a dice cup stands on the field at times")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--check", type=Path, metavar="DIR")
    args = parser.parse_args()
    if args.out:
        mi.set_variant("llvm_ad_rgb")
        for number in range(args.first, args.first + args.games):
            trace(args.seed, number, args.plays, args.samples, args.out, with_cups=args.cups)
    if args.check:
        total: dict[str, list[int]] = {}
        for folder in sorted(p for p in args.check.iterdir() if p.is_dir()):
            figures, lines = check(folder)
            print(folder.name, " ".join(f"{k} {a}/{b}" for k, (a, b) in figures.items()))
            print(*lines, sep="\n", end="\n" if lines else "")
            for k, (a, b) in figures.items():
                total[k] = [total.get(k, [0, 0])[0] + a, total.get(k, [0, 0])[1] + b]
        print("all", " ".join(f"{k} {a}/{b}" for k, (a, b) in total.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
