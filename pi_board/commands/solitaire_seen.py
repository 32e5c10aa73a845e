"""The actions of `pi-board solitaire` that look at a board: read, watch and demo."""

from __future__ import annotations

import argparse
import dataclasses
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pi_board.commands.argument_types import probability, whole
from pi_board.commands.board_arguments import corners
from pi_board.errors import AmbiguousError
from pi_board.events import Event
from pi_board.record.journal import Journal
from pi_board.record.log_folder import require_log_folder
from pi_board.referee.solitaire import SolitaireReferee
from pi_board.solitaire import BOARD_37, PROBLEMS, vacancy
from pi_board.terminal.view import sentence
from pi_board.vision.profile import load_profile

#: The board that is meant when the settings name one for backgammon.
PROFILE = "jumbo-solitaire"
#: Confidence of the whole board below which a photo is refused.
LEAST_SURE = 0.02


def add_actions(action: Callable[[str, str], argparse.ArgumentParser]) -> None:
    """Adds the parsers of this module's actions."""
    read = action("read", "read a photo of the 37-hole board")
    read.add_argument("image", nargs="+", type=Path, metavar="IMAGE", help="a picture file")
    read.add_argument(
        "--corners",
        type=corners,
        help='corners of the board\'s field, "x,y x,y x,y x,y" (only looked at inside)',
    )

    watch = action("watch", "referee a game under the configured camera")
    watch.add_argument("--config", type=Path, help="settings file that names the camera")
    start = watch.add_mutually_exclusive_group()
    start.add_argument(
        "--problem",
        choices=["any", *sorted(k for k in PROBLEMS if k != "english")],
        help="what will be set up (default: [game] problem; any = whichever set-up is seen)",
    )
    start.add_argument("--vacancy", type=int, help="all holes filled but this one (1-37)")
    watch.add_argument(
        "--log-dir", type=Path, help="the journal goes into DIR/solitaire (default: [record] folder)"
    )
    watch.add_argument(
        "--new", action="store_true", help="begin anew instead of going on with an unfinished game"
    )
    watch.add_argument("--headless", action="store_true", help="no live view in the terminal")
    demo = action("demo", "a simulated player at a rendered board, refereed")
    demo.add_argument("--games", type=whole(1), default=1, help="games to play (default 1)")
    demo.add_argument("--seed", type=int, default=1, help="everything random follows from it (default 1)")
    demo.add_argument(
        "--mistakes", type=probability, default=0.2, help="chance per jump of a wrong one (default 0.2)"
    )
    demo.add_argument("--jumps", type=whole(1), default=15, help="jumps per game, at most (default 15)")
    demo.add_argument("--log-dir", type=Path, help="keep the journals here")


def run(args: argparse.Namespace) -> int:
    """One of this module's actions."""
    return {"read": _read, "watch": _watch, "demo": _demo}[args.action](args)


def _watch(args: argparse.Namespace) -> int:
    """`pi-board run` with the 37-hole board, whatever board the settings name."""
    from pi_board.commands.run import at_the_table
    from pi_board.setup.settings import load_settings

    settings = load_settings(args.config)
    problem = args.problem if args.vacancy is None else f"vacancy-{args.vacancy}"
    board, game = settings.board, settings.game
    if load_profile(board.profile).kind != "solitaire":
        # The settings' corners and profile belong to the backgammon side of the board.
        board = dataclasses.replace(board, profile=PROFILE, corners="", bar_edges="")
    game = dataclasses.replace(game, problem=problem or game.problem)
    settings = dataclasses.replace(settings, board=board, game=game)
    return at_the_table(
        settings,
        log_dir=args.log_dir,
        go_on=not args.new,
        headless=args.headless or args.json,
        event_lines=args.json,
    )


def _demo(args: argparse.Namespace) -> int:
    from pi_board.session.solitaire import SolitaireSitting
    from pi_board.simulator.solitaire import STYLES, SolitaireSimulatorOptions, SolitaireTable
    from pi_board.vision.solitaire.reader import HolesReader

    if args.log_dir:
        require_log_folder(args.log_dir)
    games = []
    starts = (19, 1, 3, 20)
    for number in range(args.games):
        seed = args.seed + number
        problem = PROBLEMS["classic"] if starts[seed % 4] == 19 else vacancy(starts[seed % 4])
        table = SolitaireTable(
            SolitaireSimulatorOptions(
                seed=seed,
                start=problem.start,
                mistakes=args.mistakes,
                jumps=args.jumps,
                style=sorted(STYLES)[seed % 3],
            )
        )

        journal = Journal.create(args.log_dir) if args.log_dir else None
        sitting = SolitaireSitting(HolesReader(), SolitaireReferee(problem), journal=journal)
        told: list[Event] = []
        try:
            for frame in iter(table.next_frame, None):
                for event in sitting.pipeline.feed(frame).events:
                    told.append(event)
                    if event.type == "jump_illegal":
                        table.tell("illegal")
                    if not args.json and (line := sentence(event)):
                        print(line, flush=True)
        finally:
            sitting.close()
        games.append(_score(table.truth, told, journal))
    if args.json:
        print(json.dumps({"games": games}))
    else:
        for game in games:
            print(
                f"{game['jumps']} jumps, {game['wrong_flagged']} of {game['wrong_shown']} wrong jumps flagged, "
                f"{game['false_alarms']} false alarms, transcript {'exact' if game['transcript_exact'] else 'NOT exact'}"
            )
    return 0


def _score(truth: Any, told: list[Event], journal: Journal | None) -> dict[str, Any]:
    """The finished run against what really happened: wrong jumps are matched by how many jumps came before."""
    made: list[str] = []
    accused: list[int] = []
    for event in told:
        document = event.to_document()
        if event.type == "jump_made":
            made += document["jumps"]
        elif event.type == "jump_illegal":
            accused.append(len(made))
    shown = [number for number, _ in truth.wrong]
    flagged = [n for n in accused if n in shown]
    return {
        "jumps": len(made),
        "wrong_shown": len(shown),
        "wrong_flagged": min(len(flagged), len(shown)),
        "false_alarms": len(accused) - len(flagged),
        "transcript_exact": made == [str(j) for j in truth.jumps],
        "journal": str(journal.path) if journal is not None else None,
    }


def _read(args: argparse.Namespace) -> int:
    from pi_board.commands.read import pictures
    from pi_board.vision.solitaire.occupancy import read_holes

    documents: list[dict[str, Any]] = []
    for path, image in pictures(args.image):
        document: dict[str, Any] = {"file": str(path), "holes": None, "pieces": None, "confidence": 0.0}
        documents.append(document)
        try:
            reading = read_holes(image, corners=args.corners)
        except AmbiguousError as error:
            document["refusal"] = str(error)
            continue
        document["refusal"] = None
        document["confidence"] = round(reading.confidence, 4)
        document["places"] = [[round(float(x), 1), round(float(y), 1)] for x, y in reading.places]
        if reading.hidden:
            document["refusal"] = f"something lies over {', '.join(map(str, reading.hidden))}"
        elif reading.confidence < LEAST_SURE:
            document["refusal"] = "the holes cannot be told apart well enough"
        else:
            document |= {"holes": list(reading.holes), "pieces": sum(reading.holes)}
    if args.json:
        print(json.dumps(documents[0] if len(documents) == 1 else documents))
        return 0
    for document in documents:
        print(
            f"{document['file']}:",
            document["refusal"] or f"{document['pieces']} pieces, confidence {document['confidence']}",
        )
        if document["holes"] is not None:
            print("\n".join(BOARD_37.text(BOARD_37.from_holes(document["holes"]))))
    return 0
