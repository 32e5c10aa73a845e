"""Random but lawful matches for the record's tests: plays, cubes, drops, resignations, illegal plays that stood."""

from __future__ import annotations

import random
from dataclasses import replace

from pi_board.record.match import Doubled, Dropped, GameRecord, MatchRecord, Rolled, Took, after_moves
from pi_board.rules import RULE_SETS, STARTING_POSITION, Position, legal_plays, opponent


def knocked(
    rng: random.Random, position: Position, side: str, dice: tuple[int, int], rules: str
) -> Position | None:
    """An illegal result: one of the mover's checkers moved by a number that was not thrown."""
    points, bar, off = position.seen_from(side)
    wrong = [n for n in range(1, 7) if n not in dice and n != sum(dice)]
    rng.shuffle(wrong)
    for pips in wrong:
        for start in range(24, pips, -1):
            try:
                after = after_moves(position, side, ((start, start - pips),))
            except ValueError:
                continue
            except Exception:
                continue
            if not bar[0] and not any(p.result == after for p in legal_plays(position, dice, side, rules)):
                return after
    return None


def kind_points(position: Position, winner: str) -> tuple[str, int]:
    points, bar, off = position.seen_from(opponent(winner))
    if off[0]:
        return "single", 1
    if bar[0] or any(n > 0 for n in points[18:]):
        return "backgammon", 3
    return "gammon", 2


def random_game(
    rng: random.Random, score: tuple[int, int], cube_live: bool, crawford: bool, rules: str, illegal: float
) -> GameRecord:
    position, actions = STARTING_POSITION, []
    cube, owner = 1, None
    while True:
        dice = (rng.randint(1, 6), rng.randint(1, 6))
        if dice[0] != dice[1]:
            break
    side = rng.choice(["light", "dark"])
    game = GameRecord(score=score, crawford=crawford)
    first = True
    while True:
        if not first:
            may = cube_live and not crawford and owner in (None, side) and cube < 64
            if may and rng.random() < 0.04:
                actions.append(Doubled(side, cube * 2))
                if rng.random() < 0.35:
                    actions.append(Dropped(opponent(side)))
                    return replace(game, actions=tuple(actions), winner=side, points=cube, kind="pass")
                actions.append(Took(opponent(side)))
                cube, owner = cube * 2, opponent(side)
            if rng.random() < 0.003:
                kind = rng.choice([1, 1, 2, 3])
                return replace(
                    game, actions=tuple(actions), winner=opponent(side), points=kind * cube, kind="resigned"
                )
            dice = (rng.randint(1, 6), rng.randint(1, 6))
        first = False
        stood = knocked(rng, position, side, dice, rules) if rng.random() < illegal else None
        if stood is not None:
            actions.append(Rolled(side, dice, (), stood))
            position = stood
        else:
            play = rng.choice(legal_plays(position, dice, side, rules))
            actions.append(Rolled(side, dice, tuple(play.moves)))
            position = play.result
        if position.off[0 if side == "light" else 1] == 15:
            kind, points = kind_points(position, side)
            return replace(game, actions=tuple(actions), winner=side, points=points * cube, kind=kind)
        side = opponent(side)


#: Whose games count 1, 2 or 3 times the cube.
RULES = [name for name, law in RULE_SETS.items() if law.scoring == "levels"]


def random_match(seed: int, *, rules: str | None = None, illegal: float = 0.02) -> MatchRecord:
    """rules: a preset's name (default: any). illegal: share of turns with an illegal play that stands."""
    rng = random.Random(seed)
    length = rng.choice([0, 1, 3, 5, 7])
    names = rng.choice(
        [("Alice", "Bob"), ("Anna-Lena", "O'Brien"), ("Zoë", "José"), ("A  B", "C:D"), ("Ж", "李")]
    )
    rules = rules or rng.choice(RULES)
    match = MatchRecord(names, length, date="2026-11-20", event="Random", rules=rules)
    score, games, crawford_done = (0, 0), [], False
    for _ in range(3 if not length else 30):
        crawford = bool(length > 1 and not crawford_done and length - 1 in score)
        game = random_game(rng, score, length != 1, crawford, rules, illegal)
        crawford_done |= crawford
        games.append(game)
        light, dark = score
        score = (light + game.points, dark) if game.winner == "light" else (light, dark + game.points)
        if length and max(score) >= length:
            break
    return replace(match, games=tuple(games))
