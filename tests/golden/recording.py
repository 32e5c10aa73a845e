"""Records what referee and vision say, and names the first difference between two recordings.

    python -m tests.golden.recording record before.jsonl.gz          # on the commit before
    python -m tests.golden.recording record after.jsonl.gz           # on the commit after
    python -m tests.golden.recording compare before.jsonl.gz after.jsonl.gz [--tolerance 1e-4]

A change that should alter nothing (moved code, new names, faster arithmetic) is proved so. Recorded are the events of
synthetic games at five levels of noise, of the recorded folders of pictures and of rendered games, and the sightings of
single pictures with every array to the bit. `--tolerance` (nats, pixels) allows for arithmetic in another order.
"""

from __future__ import annotations

import argparse
import dataclasses
import gzip
import itertools
import json
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
SCENES = ROOT.parent / "shared" / "data" / "scenes"
#: Recorded games.
RECORDED = ("game_dev", "game_wood")
#: Rendered games: (style, near, home, light, tilt in degrees, leaflet), one game each.
ROOMS = [
    ("travel", "light", "right", "mixed", 8, "international"),
    ("wood", "dark", "right", "window", 15, "jumbo"),
    ("felt", "light", "left", "sun", 4, "schmidt"),
    ("travel", "dark", "left", "warm", 20, "classique"),
    ("wood", "light", "right", "mixed", 0, "orange-white"),
    ("felt", "dark", "right", "mixed", 12, "international"),
    ("travel", "light", "left", "sun", 12, "orange-white"),
    ("wood", "dark", "left", "warm", 4, "schmidt"),
    ("felt", "light", "right", "window", 20, "international"),
    ("travel", "dark", "right", "window", 15, "classique"),
    ("wood", "light", "left", "sun", 8, "jumbo"),
    ("felt", "dark", "left", "warm", 0, "international"),
]

Line = dict[str, Any]


def plain(value: Any) -> Any:
    """`value` as JSON can hold it without loss: arrays become {"dtype", "shape", "values"} (repr of floats is exact)."""
    if isinstance(value, np.ndarray):
        return {"dtype": str(value.dtype), "shape": list(value.shape), "values": value.ravel().tolist()}
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, Enum):
        return value.value
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, dict):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [plain(v) for v in value]
    return value


def synthetic_games(games: int, first: int = 70_000, max_turns: int = 120) -> Iterator[Line]:
    """Events of `games` games without pictures, noise levels in turns, every second one with cheats."""
    from tests.referee.people import PlayedGame
    from tests.referee.synthetic import Noise

    noises = [Noise(), Noise(sharp=6.0, sigma=0.8), Noise(wrong=0.01, sigma=0.8), Noise(sharp=4.0, sigma=1.0, wrong=0.01),
              Noise(trays=False)]  # fmt: skip
    for i in range(games):
        game = PlayedGame(first + i, cheat=0.3 * (i % 2), noise=noises[i % len(noises)], max_turns=max_turns)
        game.run()
        for n, event in enumerate(game.events):
            yield {"of": f"synthetic game {first + i}", "n": n, "says": plain(event.to_document())}


def recorded_folders(names: Sequence[str] = RECORDED) -> Iterator[Line]:
    """Events of the shared recorded games, as `replay` sees them."""
    import contextlib
    import io

    from pi_board.cli import main

    for name in names:
        folder = SCENES / name
        if not folder.is_dir():
            continue
        truth = json.loads(min(folder.glob("*.json")).read_text(encoding="utf-8"))
        corners = " ".join(f"{x},{y}" for x, y in truth["corners_px"])
        out = io.StringIO()
        with contextlib.redirect_stdout(out), tempfile.TemporaryDirectory() as logs:
            main(
                [
                    "replay",
                    str(folder),
                    "--corners",
                    corners,
                    "--near",
                    truth["near_color"],
                    "--log-dir",
                    logs,
                    "--json",
                ]
            )
        for n, event in enumerate(json.loads(out.getvalue())["events"]):
            yield {"of": f"replay {name}", "n": n, "says": event}


def rendered_games(
    rooms: Sequence[tuple[str, str, str, str, float, str]], first: int = 71_000
) -> Iterator[Line]:
    """Events of whole rendered games, camera to referee."""
    from pi_board.camera.simulated import SimulatedCamera
    from pi_board.referee import RefereeOptions
    from pi_board.rules import RULE_SETS
    from pi_board.session.demo import run_demo
    from pi_board.session.finding_reader import FindingReader
    from pi_board.session.sitting import Sitting
    from pi_board.simulator import SimulatorOptions
    from pi_board.vision.profile import load_profile

    for i, (style, near, home, light, tilt, leaflet) in enumerate(rooms):
        options = SimulatorOptions(
            seed=first + i, games=1, cheat=0.15, style=style, players="careless", pace="sparse",
            near=near, home=home, light=light, tilt=tilt, rules=leaflet,
        )  # fmt: skip
        with SimulatedCamera(options) as camera, tempfile.TemporaryDirectory() as folder:
            sitting = Sitting.at_the_table(
                FindingReader(load_profile("generic"), near=near, home=home),
                rules=RULE_SETS[leaflet], options=RefereeOptions(), match_length=0, names=("Light", "Dark"),
                folder=Path(folder), go_on=False,
            )  # fmt: skip
            run = run_demo(camera, sitting)
            sitting.close()
        for n, event in enumerate(itertools.chain.from_iterable(run.games)):
            yield {
                "of": f"rendered game {first + i} ({style}, {light})",
                "n": n,
                "says": plain(event.to_document()),
            }


def single_pictures(boards: int, stills: int) -> Iterator[Line]:
    """Sightings of rendered boards in play, and readings of the shared stills."""
    from pi_board.vision import read_image
    from tests.vision.simulated_board import SimulatedBoard, random_positions

    import cv2  # isort: skip

    for b in range(boards):
        style = ("travel", "wood", "felt")[b % 3]
        board = SimulatedBoard(style, near=("light", "dark")[b % 2])
        reader = board.reader()
        for n, position in enumerate(random_positions(6, seed=90 + b, plies=2)):
            board.scene.set_position(position)
            sighting = reader.look(board.frame())
            yield {"of": f"look at board {b} ({style})", "n": n, "says": plain(sighting)}
            if sighting.settled:
                reader.learn(position)
    paths = [*sorted((SCENES / "stills").glob("*.jpg")), *sorted((SCENES / "rooms").glob("*.jpg"))]
    for path in paths[:: max(1, len(paths) // stills)] if stills else []:
        truth = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
        reading = read_image(
            cv2.imread(str(path)), corners=np.array(truth["corners_px"]), near=truth["near_color"]
        )
        yield {"of": f"still {path.stem}", "n": 0, "says": plain(reading)}


def difference(a: Any, b: Any, tolerance: float = 0.0, where: str = "") -> str | None:
    """The first place in which two values differ by more than `tolerance`, in words; None when they don't."""
    if isinstance(a, dict) and isinstance(b, dict):
        for key in [*a, *(k for k in b if k not in a)]:
            if key not in a or key not in b:
                return f"{where}.{key}: only {'before' if key in a else 'after'}"
            found = difference(a[key], b[key], tolerance, f"{where}.{key}")
            if found:
                return found
        return None
    if isinstance(a, list) and isinstance(b, list):
        for i, (x, y) in enumerate(zip(a, b, strict=False)):
            found = difference(x, y, tolerance, f"{where}[{i}]")
            if found:
                return found
        return None if len(a) == len(b) else f"{where}: {len(a)} entries before, {len(b)} after"
    numbers = (
        isinstance(a, int | float)
        and isinstance(b, int | float)
        and not isinstance(a, bool)
        and not isinstance(b, bool)
    )
    if numbers and abs(a - b) <= tolerance:
        return None
    return None if a == b and type(a) is type(b) else f"{where}: {a!r} before, {b!r} after"


def compare(before: Iterable[Line], after: Iterable[Line], tolerance: float = 0.0) -> list[str]:
    """One sentence for each recorded thing that differs: its first difference."""
    found: dict[str, str] = {}
    # Kept apart by thing, so that one event more in one game does not shift the games after it.
    sides = ({}, {})  # type: tuple[dict[str, list[Any]], dict[str, list[Any]]]
    for lines, side in zip((before, after), sides, strict=True):
        for line in lines:
            side.setdefault(line["of"], []).append(line["says"])
    for name in [*sides[0], *(n for n in sides[1] if n not in sides[0])]:
        if name not in sides[0] or name not in sides[1]:
            found[name] = f"only {'before' if name in sides[0] else 'after'}"
        else:
            words = difference(sides[0][name], sides[1][name], tolerance)
            if words:
                found[name] = words
    return [f"{name}: {words}" for name, words in found.items()]


def read(path: Path) -> Iterator[Line]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    does = parser.add_subparsers(dest="does", required=True)
    recording = does.add_parser("record")
    recording.add_argument("file", type=Path)
    recording.add_argument("--games", type=int, default=300, help="synthetic games (default 300)")
    recording.add_argument("--folders", type=int, default=len(RECORDED), help="recorded games")
    recording.add_argument("--rendered", type=int, default=len(ROOMS), help="rendered games")
    recording.add_argument("--boards", type=int, default=12, help="rendered boards, six looks each")
    recording.add_argument("--stills", type=int, default=24, help="shared stills, spread evenly")
    comparing = does.add_parser("compare")
    comparing.add_argument("before", type=Path)
    comparing.add_argument("after", type=Path)
    comparing.add_argument("--tolerance", type=float, default=0.0)
    args = parser.parse_args(arguments)
    if args.does == "record":
        count = 0
        with gzip.open(args.file, "wt", encoding="utf-8") as file:
            for line in itertools.chain(
                synthetic_games(args.games), recorded_folders(RECORDED[: args.folders]), rendered_games(ROOMS[: args.rendered]),
                single_pictures(args.boards, args.stills),
            ):  # fmt: skip
                file.write(json.dumps(line) + "\n")
                count += 1
        print(f"{count} events, looks and readings")
        return 0
    found = compare(read(args.before), read(args.after), args.tolerance)
    print("\n".join(found) or "no difference")
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
