"""`pi-board solitaire new|check|hint|solve|read|demo`: the 37-hole game on the back of the travel set."""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Callable
from typing import Any

from pi_board.errors import InvalidError
from pi_board.solitaire import (
    BOARD_37,
    PROBLEMS,
    Problem,
    Solution,
    explain_jump,
    fewest_sweeps,
    single_finishes,
    solver,
    sweeps,
    vacancy,
)

HELP = "the 37-hole game on the back of the travel set"
HOLES_HELP = "37 times 0 or 1 in order of the holes (as a JSON list, or as 0/1 digits), or the numbers of the occupied holes after 'only:'"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")

    def action(name: str, text: str) -> argparse.ArgumentParser:
        sub = actions.add_parser(name, help=text, description=text)
        sub.add_argument(
            "--json", action="store_true", help="print one JSON document (watch: every event as one a line)"
        )
        return sub

    def position(sub: argparse.ArgumentParser) -> None:
        source = sub.add_mutually_exclusive_group()
        source.add_argument(
            "--problem",
            choices=sorted(k for k in PROBLEMS if k != "english"),
            help="a problem of the leaflet",
        )
        source.add_argument("--vacancy", type=int, help="all holes filled but this one (1-37)")
        source.add_argument("--holes", help=HOLES_HELP)
        sub.add_argument(
            "--after", nargs="+", default=[], metavar="JUMP", help="jumps made since, e.g. 17-19 5-18-20"
        )

    new = action("new", "show the set-up of a problem and whether it can be won")
    position(new)
    check = action("check", "say whether what was done is a lawful jump")
    check.add_argument("--before", required=True, help=HOLES_HELP)
    check.add_argument("--after", required=True, help=HOLES_HELP)
    hint = action("hint", "still winnable? next jump?")
    position(hint)
    solve = action("solve", "solve a position, or say why it cannot be won")
    position(solve)
    from pi_board.commands import solitaire_seen

    solitaire_seen.add_actions(action)


def parse_holes(text: str) -> int:
    """A position from 37 digits, a JSON list of 0/1, or `only: 19 20`. Raises InvalidError."""
    text = text.strip()
    if text.lower().startswith("only:"):
        words = re.split(r"[\s,]+", text[5:].strip())
        if not all(w.isascii() and w.isdigit() for w in words):
            raise InvalidError(f"holes: expected hole numbers after 'only:', got {text[:60]!r}")
        return BOARD_37.from_numbers(int(w) for w in words)
    if text.startswith(("[", "{")):
        try:
            document = json.loads(text)
        except (json.JSONDecodeError, RecursionError):
            raise InvalidError(f"holes: not JSON: {text[:60]!r}") from None
        if isinstance(document, dict):
            document = document.get("holes")
        if not isinstance(document, list):
            raise InvalidError("holes: expected a list of 37 times 0 or 1")
        return BOARD_37.from_holes(document)
    digits = re.sub(r"[\s,]+", "", text)
    if not re.fullmatch(r"[01]+", digits):
        raise InvalidError(f"holes: expected 37 times 0 or 1, got {text[:60]!r}")
    return BOARD_37.from_holes([int(c) for c in digits])


def the_position(args: argparse.Namespace) -> tuple[Problem | None, int]:
    """(the problem, if one was named; the position after the jumps made since)."""
    problem: Problem | None = None
    if args.holes is not None:
        start = parse_holes(args.holes)
    elif args.vacancy is not None:
        if not 1 <= args.vacancy <= BOARD_37.holes:
            raise InvalidError(f"--vacancy: expected a hole from 1 to {BOARD_37.holes}, got {args.vacancy}")
        problem = vacancy(args.vacancy)
        start = problem.start
    else:
        problem = PROBLEMS[args.problem or "classic"]
        start = problem.start
    position = start
    for jump in BOARD_37.parse_jumps(start, args.after):
        position = BOARD_37.after(position, jump)
    if not position:
        raise InvalidError("holes: expected at least one piece on the board")
    return problem, position


def _progress() -> Callable[[str], None] | None:
    if not sys.stderr.isatty():
        return None
    return lambda text: print(f"\r{text:<60}", end="", file=sys.stderr, flush=True)


def _solve(problem: Problem | None, position: int) -> Solution:
    finish = None if problem is None or problem.finish is None else (problem.finish,)
    return solver(BOARD_37, finish).solve(position, progress=_progress())


def _words(found: Solution) -> str:
    if found.solvable:
        return "This can be won."
    if found.solvable is False and found.proof == "class":
        return "This cannot be won: no single piece can ever be reached (position class)."
    if found.solvable is False and found.proof == "count":
        return "This cannot be won any more: the pieces that are left cannot bring one home (resource count)."
    if found.solvable is False:
        return "This cannot be won any more: every way was tried."
    return "Not known yet: no way was found, but not every way was tried."


def solution_document(position: int, found: Solution) -> dict[str, Any]:
    jumps = fewest_sweeps(BOARD_37, position, found.jumps)
    return {
        "solvable": found.solvable,
        "proof": found.proof,
        "best_remaining": found.best_remaining,
        "best_proven": found.best_proven,
        "jumps": [str(j) for j in jumps],
        "sweeps": sweeps(jumps),
    }


def run(args: argparse.Namespace) -> int:
    actions: dict[str, Callable[[argparse.Namespace], int]] = {
        "new": _new,
        "check": _check,
        "hint": _hint,
        "solve": _solve_command,
    }
    if args.action in actions:
        return actions[args.action](args)
    from pi_board.commands import solitaire_seen

    return solitaire_seen.run(args)


def _print(args: argparse.Namespace, document: dict[str, Any], lines: list[str]) -> int:
    if args.json:
        json.dump(document, sys.stdout, ensure_ascii=False)
        print()
    else:
        print("\n".join(lines))
    return 0


def _new(args: argparse.Namespace) -> int:
    problem, position = the_position(args)
    finishes = single_finishes(BOARD_37, position)
    document = {
        "holes": BOARD_37.to_holes(position),
        "pieces": position.bit_count(),
        "name": problem.names["en"] if problem else "",
        "source": problem.source if problem else "",
        "finish": BOARD_37.to_holes(problem.finish) if problem and problem.finish else None,
        "single_finishes": finishes,
    }
    lines = [problem.names["en"] if problem else "Position", *BOARD_37.text(position)]
    if problem and problem.finish:
        lines += ["to become", *BOARD_37.text(problem.finish)]
    elif finishes:
        lines.append(f"A last piece could stand on {', '.join(map(str, finishes))}.")
    else:
        lines.append("No single piece can ever remain (position class): two are the best possible.")
    if problem:
        lines.append(problem.source)
    return _print(args, document, lines)


def _check(args: argparse.Namespace) -> int:
    before, after = parse_holes(args.before), parse_holes(args.after)
    verdict = explain_jump(BOARD_37, before, after)
    document = {
        "legal": verdict.legal,
        "jumps": [str(j) for j in verdict.jumps],
        "code": verdict.code or None,
        "reason": verdict.reason or None,
    }
    lines = [" ".join(sweeps(verdict.jumps)) + ": legal." if verdict.jumps else verdict.reason]
    return _print(args, document, lines)


def _hint(args: argparse.Namespace) -> int:
    problem, position = the_position(args)
    found = _solve(problem, position)
    document = {
        "winnable": found.solvable,
        "proof": found.proof,
        "best_remaining": found.best_remaining,
        "best_proven": found.best_proven,
        "jump": str(found.jumps[0]) if found.jumps else None,
    }
    lines = [_words(found)]
    if found.jumps:
        goal = "" if found.solvable else f" (down to {found.best_remaining} pieces)"
        lines.append(f"Next jump: {found.jumps[0]}{goal}")
    elif not BOARD_37.legal(position):
        lines.append("No jump is possible.")
    return _print(args, document, lines)


def _solve_command(args: argparse.Namespace) -> int:
    problem, position = the_position(args)
    found = _solve(problem, position)
    document = solution_document(position, found)
    lines = [_words(found)]
    if document["jumps"]:
        lines.append(
            f"Down to {found.best_remaining} in {len(found.jumps)} jumps, {len(document['sweeps'])} sweeps:"
        )
        lines.append(" ".join(document["sweeps"]))
    return _print(args, document, lines)
