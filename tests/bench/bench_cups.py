"""Whole rendered games with cups that stand on the board, are put down, moved and lifted, beside the same games without.

    python tests/bench/bench_cups.py [--seeds 1 2 3] [--cups 1] [--without] [--plays 20] [--keep FOLDER]

Each seed plays one game (style, light, tilt and seating follow from the seed). The first cup is put down before turn 2, the second one
before turn 4; every six turns one is moved, and before turn 15 one is lifted and put down again. Prints per game what the demo's
scoring says, and how many pictures could not be read.
"""

from __future__ import annotations

import argparse
import collections
import sys
import tempfile
from pathlib import Path

from pi_board.camera.simulated import SimulatedCamera
from pi_board.referee import RefereeOptions
from pi_board.rules import RULE_SETS
from pi_board.session.demo import run_demo, score_games
from pi_board.session.sitting import FindingReader, Sitting
from pi_board.simulator import SimulatorOptions
from pi_board.vision.profile import load_profile

STYLES = ("travel", "wood", "felt")
PROFILES = {"travel": "jumbo-travel", "wood": "classic-wood", "felt": "club-felt"}
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


def options(seed: int, cups: int, cheat: float) -> SimulatorOptions:
    return SimulatorOptions(
        seed=seed, style=STYLES[seed % 3], near=("light", "dark")[seed // 3 % 2], light=LIGHTS[seed // 2 % len(LIGHTS)],
        tilt=(4.0, 10.0, 16.0)[seed // 3 % 3], cheat=cheat, players=("honest", "careless")[seed // 2 % 2], pace="sparse",
        width=960, height=540, faults=faults(cups),
    )  # fmt: skip


def play(seed: int, cups: int, cheat: float, folder: Path) -> tuple[dict, dict[str, int], list[str]]:
    simulated = options(seed, cups, cheat)
    camera = SimulatedCamera(simulated)
    reader = FindingReader(load_profile(PROFILES[simulated.style]), near=simulated.near, home=simulated.home)
    sitting = Sitting.at_the_table(
        reader, rules=RULE_SETS[simulated.rules], options=RefereeOptions(), match_length=0, names=("Light", "Dark"),
        folder=folder, go_on=False,
    )  # fmt: skip
    gates: dict[str, int] = collections.Counter()
    said: list[str] = []

    def watch(run, moment) -> None:
        gates[moment.sighting.gate.value if moment.sighting is not None else "none"] += 1
        if moment.sighting is not None and moment.sighting.hidden:
            gates["with hidden points"] += 1
        for event in moment.events:
            if event.type in (
                "play_illegal",
                "unclear",
                "checker_missing",
                "checker_added",
                "view_blocked",
                "dice_corrected",
            ):
                said.append(f"{moment.time:.1f} s {event.type}: {getattr(event, 'reason', '')}".strip())

    run = run_demo(camera, sitting, progress=watch)
    sitting.close()
    (entry,) = score_games(camera.truth.games, run, sitting)[:1]
    entry["seconds"] = round(run.seconds, 1)
    entry["frames"] = run.frames
    return entry, gates, said


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seeds", type=int, nargs="*", default=[1, 2, 3])
    parser.add_argument("--cups", type=int, default=1)
    parser.add_argument("--cheat", type=float, default=0.1)
    parser.add_argument("--words", action="store_true", help="print what the referee was unsure of")
    args = parser.parse_args()
    total: dict[str, int] = collections.Counter()
    for seed in args.seeds:
        with tempfile.TemporaryDirectory() as folder:
            entry, gates, said = play(seed, args.cups, args.cheat, Path(folder))
        print(
            f"seed {seed} {options(seed, args.cups, args.cheat).style:<7}{'exact' if entry['transcript_exact'] else 'NOT EXACT':<10}"
            f"plays {entry['plays']:>3}  illegal {entry['illegal_flagged']} of {entry['illegal_shown']}  false {entry['false_alarms']}  "
            f"{entry['frames']} frames in {entry['seconds']} s  "
            + ", ".join(f"{k} {v}" for k, v in sorted(gates.items())),
            flush=True,
        )
        if args.words:
            print("\n".join(f"    {line}" for line in said), flush=True)
        for key in ("transcript_exact", "illegal_flagged", "illegal_shown", "false_alarms"):
            total[key] += int(entry[key])
    print(
        f"{len(args.seeds)} games: {total['transcript_exact']} exact, illegal plays seen {total['illegal_flagged']} of {total['illegal_shown']}, false accusations {total['false_alarms']}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
