"""`pi-board hint`: the best plays of a roll, or what to do with the cube."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping
from typing import Any

from pi_board.commands.position_argument import HELP as POSITION_HELP
from pi_board.commands.position_argument import add_roll_arguments, read_dice, read_text
from pi_board.commands.progress_line import progress_line
from pi_board.errors import InvalidDiceError, InvalidError, InvalidPositionError
from pi_board.hints.backend import Backend
from pi_board.hints.coach import percent
from pi_board.hints.cube_advice import CubeAdvice
from pi_board.hints.options import HintsOptions
from pi_board.hints.ranking import RankedPlay
from pi_board.hints.stakes import MatchScore
from pi_board.rules import RULE_SETS, GameState, Position, Side, from_id, is_id, opponent

HELP = "best plays or cube action for a position"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument(
        "--position", metavar="POS", help=f"{POSITION_HELP}; also what pi-board read --json prints"
    )
    where.add_argument(
        "--xgid",
        metavar="XGID",
        help="position, cube, score, dice and turn as an XGID or a GNU Backgammon ID",
    )
    add_roll_arguments(parser)
    parser.add_argument("--cube", action="store_true", help="cube action before the roll instead of plays")
    parser.add_argument(
        "--cube-value", type=int, metavar="N", help="value of the cube (default: the XGID's, else 1)"
    )
    parser.add_argument(
        "--cube-owner", choices=("light", "dark", "centre"), help="who has the cube (default: the middle)"
    )
    parser.add_argument(
        "--match",
        type=int,
        metavar="POINTS",
        help="a match to so many points (default: the XGID's, else money)",
    )
    parser.add_argument("--score", metavar="L-D", help="match score, light's first: 3-1")
    parser.add_argument("--crawford", action="store_true", help="this is the Crawford game")
    parser.add_argument("--post-crawford", action="store_true", help="the Crawford game has been played")
    parser.add_argument(
        "--jacoby", action="store_true", help="gammons count only once the cube was turned (money)"
    )
    parser.add_argument(
        "--level",
        choices=("fast", "normal", "deep"),
        default="normal",
        help="how far to look ahead (default: normal)",
    )
    parser.add_argument(
        "--backend",
        choices=("own", "gnubg", "auto"),
        default="own",
        help="engine; auto: GNU Backgammon where installed (default: own)",
    )
    parser.add_argument(
        "--count", type=int, default=5, metavar="N", help="plays to list (default 5; --json: all)"
    )


def run(args: argparse.Namespace) -> int:
    argument, name = (args.xgid, "--xgid") if args.xgid is not None else (args.position, "--position")
    state = read_state(argument, name)
    side: Side = args.side or state.turn
    if args.count < 1:
        raise InvalidError(f"--count: expected 1 or more, got {args.count}")
    for who, off in zip(("light", "dark"), state.position.off, strict=True):
        if off == 15:
            raise InvalidPositionError(f"{name}: the game is over, {who} has borne off all checkers")
    terms = {
        "cube": _cube(args, state, side),
        "rules": args.rules,
        "match": _match(args, state),
        "jacoby": True if args.jacoby or state.jacoby else None,
        "progress": progress_line("looking ahead"),
    }
    for_cube = args.cube or (args.dice is None and state.dice is None and args.xgid is not None)
    options = HintsOptions(level=args.level, backend=args.backend)
    with Backend(options, lambda text: print(f"pi-board hint: {text}", file=sys.stderr)) as engine:
        if for_cube:
            advice = engine.cube_action(state.position, side, **terms)
            if args.json:
                print(json.dumps({"plays": [], "cube": cube_document(advice), "engine": engine.name}))
            else:
                print("\n".join(cube_lines(advice, side)))
            return 0
        dice = _dice(args, state)
        plays = engine.rank_plays(state.position, dice, side, listed=args.count, **terms)
        if args.json:
            print(json.dumps({"plays": [document(p) for p in plays], "cube": None, "engine": engine.name}))
        else:
            print("\n".join(play_lines(plays[: args.count], side, dice, engine.name)))
    return 0


# ---------------------------------------------------------------------------------------------------- input


def read_state(argument: str, where: str) -> GameState:
    """An XGID, a position document or a reading (`pi-board read --json`), written out, `@FILE`, `@-` or `-` (stdin)."""
    text = read_text("@-" if argument == "-" else argument, where).strip()
    if (where == "--xgid" and text[:1] not in ("{", "[")) or is_id(text) or text.find(":") == 26:
        try:
            return from_id(text)
        except InvalidPositionError as error:
            raise InvalidPositionError(f"{where}: {error}") from None
    try:
        found = json.loads(text)
    except (json.JSONDecodeError, RecursionError):
        short = " ".join(text.split())[:40]
        raise InvalidPositionError(f"{where}: expected a JSON document or an XGID, got {short!r}") from None
    if isinstance(found, list) and len(found) == 1:
        found = found[0]
    elif isinstance(found, list) and found and isinstance(found[0], Mapping):
        raise InvalidPositionError(f"{where}: expected one reading, got {len(found)}")
    if not isinstance(found, Mapping):
        raise InvalidPositionError(f"{where}: expected a JSON object with points, bar and off")
    if "points" in found or "position" not in found:
        return _with_where(where, lambda: GameState(Position.from_document(found)))
    return _with_where(where, lambda: _reading(found))


def _with_where(where: str, make: Callable[[], GameState]) -> GameState:
    try:
        return make()
    except InvalidPositionError as error:
        raise InvalidPositionError(f"{where}: {error}") from None


def _reading(found: Mapping[str, Any]) -> GameState:
    """What a camera saw: position, dice that lie flat, cube and its place."""
    if found["position"] is None:
        raise InvalidPositionError(f"the picture was not read: {found.get('refusal') or 'no position'}")
    if not isinstance(found["position"], Mapping):
        raise InvalidPositionError("position: expected an object with points, bar and off")
    dice: list[int] = []
    for die in found.get("dice") or []:
        value = die.get("value") if isinstance(die, Mapping) else die
        if value in (1, 2, 3, 4, 5, 6) and not (isinstance(die, Mapping) and die.get("cocked")):
            dice.append(value)
    cube = found.get("cube") or {}
    place, value = cube.get("place"), cube.get("value")
    owner = place if place in ("light", "dark") else None
    return GameState(
        Position.from_document(found["position"]),
        # A cube on a side has been turned, whatever could be read of it; a lone 64 in the middle means 1.
        cube=_stake(value, owner),
        owner=owner,
        dice=(dice[0], dice[1]) if len(dice) == 2 else None,
    )


def _stake(value: Any, owner: str | None) -> int:
    if owner is None:
        return value if value in (2, 4, 8, 16, 32) else 1
    return value if value in (2, 4, 8, 16, 32, 64) else 2


def _dice(args: argparse.Namespace, state: GameState) -> tuple[int, int]:
    if args.dice is not None:
        return read_dice(args.dice)
    if state.dice is None:
        raise InvalidDiceError(
            "--dice: expected two numbers from 1 to 6 (or --cube for advice before the roll)"
        )
    return state.dice


def _cube(args: argparse.Namespace, state: GameState, side: Side) -> tuple[int, Side | None]:
    owner: Side | None = state.owner
    if args.cube_owner is not None:
        owner = None if args.cube_owner == "centre" else args.cube_owner
    value = state.cube if args.cube_value is None else args.cube_value
    if value < 1 or value & (value - 1):
        raise InvalidError(f"--cube-value: expected a power of two from 1, got {value}")
    return value, owner


def _match(args: argparse.Namespace, state: GameState) -> MatchScore | None:
    length = state.length if args.match is None else args.match
    if not length:
        if args.score or args.crawford or args.post_crawford:
            raise InvalidError("--score, --crawford, --post-crawford: expected --match POINTS with them")
        return None
    score = state.score
    if args.score is not None:
        parts = args.score.replace(":", "-").split("-")
        if len(parts) != 2 or not all(p.isascii() and p.isdigit() for p in parts):
            raise InvalidError(f"--score: expected two numbers such as 3-1, got {args.score!r}")
        score = (int(parts[0]), int(parts[1]))
    crawford = args.crawford or state.crawford
    # An XGID marks the Crawford game; a player at match point without the mark means it has been played.
    played = args.post_crawford or (not crawford and length > 1 and length - 1 in score)
    return MatchScore(length, score, crawford, played)


# --------------------------------------------------------------------------------------------------- output


def document(ranked: RankedPlay) -> dict[str, Any]:
    """One play as the contract has it, with what it costs and leads to."""
    win, gammon, backgammon, lose_gammon, lose_backgammon = (round(x, 5) for x in ranked.probabilities)
    return {
        "notation": str(ranked.play),
        "equity": round(ranked.equity, 5),
        "win": win,
        "gammon": gammon,
        "backgammon": backgammon,
        "lose_gammon": lose_gammon,
        "lose_backgammon": lose_backgammon,
        "loss": round(ranked.loss, 5),
        "cubeless": round(ranked.cubeless, 5),
        "plies": ranked.plies,
        "moves": [list(move) for move in ranked.play.moves],
        "position": ranked.play.result.to_document(),
    }


def cube_document(advice: CubeAdvice) -> dict[str, Any]:
    win, gammon, backgammon, lose_gammon, lose_backgammon = (round(x, 5) for x in advice.probabilities)
    return {
        "action": advice.action,
        "response": "take" if advice.take else "pass",
        "may_double": advice.may_double,
        "equities": {
            "no_double": round(advice.equities.no_double, 5),
            "double_take": round(advice.equities.double_take, 5),
            "double_pass": round(advice.equities.double_pass, 5),
        },
        "win": win,
        "gammon": gammon,
        "backgammon": backgammon,
        "lose_gammon": lose_gammon,
        "lose_backgammon": lose_backgammon,
        "cubeless": round(advice.cubeless, 5),
    }


def _chances(p: tuple[float, ...]) -> str:
    return (
        f"wins {percent(p[0])} (gammon {percent(p[1])}, backgammon {percent(p[2])}), "
        f"loses gammon {percent(p[3])}, backgammon {percent(p[4])}"
    )


def play_lines(plays: list[RankedPlay], side: Side, dice: tuple[int, int], engine: str) -> list[str]:
    """A header and a line a play, within 80 columns."""
    depths = sorted({p.plies for p in plays})
    depth = " or ".join(str(d) for d in depths) + (" ply" if depths == [1] else " plies")
    width = max(4, *(len(str(p.play)) for p in plays))
    who = "GNU Backgammon" if engine == "gnubg" else "own engine"
    lines = [
        f"{side} to play {dice[0]}-{dice[1]} ({who}, {depth} ahead)",
        f"    {'play':<{width}}  equity    loss   win%      g      b  lose g      b",
    ]
    for i, p in enumerate(plays):
        loss = f"{-p.loss:+.3f}" if i else ""
        win, gammon, backgammon, lose_gammon, lose_backgammon = (100 * x for x in p.probabilities)
        lines.append(
            f"{i + 1:2}. {p.play!s:<{width}} {p.equity:+7.3f} {loss:>7} {win:6.1f} {gammon:6.1f} {backgammon:6.1f}"
            f" {lose_gammon:7.1f} {lose_backgammon:6.1f}"
        )
    return [*lines, "g, b: of all games, by a gammon or more, by a backgammon"]


def cube_lines(advice: CubeAdvice, side: Side) -> list[str]:
    other = opponent(side)
    e = advice.equities
    if not advice.may_double:
        headline = f"{side} may not double now"
    else:
        headline = {
            "no_double": f"{side}: no double; {other} would {'take' if advice.take else 'pass'}",
            "double_take": f"{side}: double; {other}: take",
            "double_pass": f"{side}: double; {other}: pass",
            "too_good": f"{side}: too good to double, play on for the gammon; {other} would pass",
        }[advice.action]
    lines = [headline]
    if advice.may_double:
        lines += [
            f"  no double    {e.no_double:+.3f}",
            f"  double/take  {e.double_take:+.3f}",
            f"  double/pass  {e.double_pass:+.3f}",
        ]
    return [*lines, f"  {_chances(advice.probabilities)}"]


__all__ = ["HELP", "RULE_SETS", "add_arguments", "run"]
