"""Whole rendered games with cups that stand on the board, are put down, moved and lifted, beside the same games without.

    python tests/bench/bench_cups.py [--seeds 1 2 3] [--cups 1] [--cheat 0.1] [--keep DIR]
    python tests/bench/bench_cups.py --again DIR [--from 130 --to 160]

Each seed plays one game (style, light, tilt and seating follow from the seed). The first cup is put down before turn 2, the second one
before turn 4; every six turns one is moved, and before turn 15 one is lifted and put down again. Prints per game what was not right,
and the table of a campaign. --keep: the looks of every game. --again: refereed once more from these, as in `bench_looks.py`;
--from, --to: every word of that time (seconds), beside the truth.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from bench_looks import print_words, referee_again

from pi_board.campaign.play import GameScore, play_room
from pi_board.campaign.rooms import PROFILES, Room
from pi_board.campaign.table import lines
from pi_board.simulator import SimulatorOptions

STYLES = ("travel", "wood", "felt")
LIGHTS = ("mixed", "desk_lamp", "window", "warm")


def faults(cups: int) -> tuple[tuple[int, str], ...]:
    """(turn, what happens) of one game."""
    if cups == 0:
        return ()
    out = [(2, "cup")]
    if cups > 1:
        out.append((4, "cup"))
    out += [(n, "cup_moved") for n in (7, 13, 19, 25, 31)]
    out += [(15, "cup_lifted"), (16, "cup")]
    return tuple(sorted(out))


def room_of(seed: int, cups: int, cheat: float) -> Room:
    """The table of `seed`, with so many cups (0-2)."""
    table = SimulatorOptions(
        seed=seed, style=STYLES[seed % 3], near=("light", "dark")[seed // 3 % 2], light=LIGHTS[seed // 2 % len(LIGHTS)],
        tilt=(4.0, 10.0, 16.0)[seed // 3 % 3], cheat=cheat, players=("honest", "careless")[seed // 2 % 2], pace="sparse",
        width=960, height=540, faults=faults(cups),
    )  # fmt: skip
    return Room(table, PROFILES[table.style], table.near, table.home)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seeds", type=int, nargs="*", default=[1, 2, 3])
    parser.add_argument("--cups", type=int, default=1)
    parser.add_argument("--cheat", type=float, default=0.1)
    parser.add_argument("--keep", type=Path, help="the folder for looks, truths and journals")
    parser.add_argument("--again", type=Path, help="a folder of --keep: nothing is rendered")
    parser.add_argument(
        "--from", dest="begin", type=float, help="with --again: print every word from this second on …"
    )
    parser.add_argument("--to", dest="end", type=float, default=float("inf"), help="… to this one")
    args = parser.parse_args()
    kept = {int(f.parent.name): f.parent for f in args.again.rglob("looks.gz")} if args.again else {}
    scores: list[GameScore] = []
    for seed in sorted(kept) or args.seeds:
        room = room_of(seed, args.cups, args.cheat)
        if args.begin is not None:
            print_words(kept[seed], args.begin, args.end, room)
            continue
        score = (
            referee_again(kept[seed], room=room)[0]
            if kept
            else play_room(seed, room, keep=args.keep, looks=args.keep is not None)
        )
        scores.append(score)
        told = f"{score.turns:>3} turns  {'exact' if score.exact == score.games else 'NOT exact':<9}  flagged {score.flagged}/{score.shown}"
        print(f"{seed} {told}  {score.false} false  {room.describe()}", flush=True)
        print("".join(f"    {why}\n" for why in score.why), end="", flush=True)
    if scores:
        print("\n".join(lines(scores)))


if __name__ == "__main__":
    main()
