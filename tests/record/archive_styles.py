"""Match files as the programs and sites of public archives write them: one match, many spellings.

A style is a set of habits; `archived` writes a match by them. None of it is the product's writer.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, replace

from pi_board.record.match import Doubled, Dropped, GameRecord, MatchRecord, Rolled, Took
from pi_board.rules import Position, Side, legal_plays, opponent


@dataclass(frozen=True)
class Style:
    """stars: all, last (none on the way of a checker), none. joined: how a checker's moves are written: apart (24/18
    18/14), chain (24/18/14), end (24/14). counted: 6/4(2). order: as the play lists them, or shuffled. dice: high first,
    low first, or any. names: width of the left column of names. left: width of the left column of plays."""

    stars: str = "all"
    joined: str = "apart"
    counted: bool = False
    order: str = "play"
    dice: str = "any"
    bar: str = "bar"
    off: str = "off"
    none: str = ""
    resigned: str = ""
    names: int = 31
    left: int = 33
    between: str = ""
    space: str = ""
    ends: str = "\n"
    encoding: str = "utf-8"
    head: str = " {length} point match\n\n"
    number: str = "{n:3d}) "
    double: str = " Doubles => {value}"
    take: str = " Takes"
    drop: str = " Drops"
    wins: str = "Wins {points} point{s}"
    wins_at: int = 34


#: By the habits that people can meet. The names say whose habits they resemble.
STYLES = {
    "gnubg": Style(off="0", bar="25", space=" ", wins_at=34),
    "gnubg stars": Style(off="off", bar="bar"),
    "jellyfish": Style(stars="none", off="0", bar="25"),
    "snowie": Style(counted=True, bar="bar", off="off", joined="chain", head="; [Site \"Snowie\"]\n; [Round \"3\"]\n\n {length} point match\n\n"),
    "xg": Style(
        counted=True, bar="bar", off="off", joined="chain", none="Cannot Move", resigned="????", ends="\r\n",
        encoding="utf-8-sig", names=33, left=34,
        head='; [Site "XG"]\n; [Match ID "1"]\n; [Player 1 "A"]\n; [Player 2 "B"]\n; [Player 1 Elo "1600.00/0"]\n; [EventDate "2014.05.02"]\n; [Variation "Backgammon"]\n; [Unrated "Off"]\n; [Crawford "On"]\n; [CubeLimit "1024"]\n\n{length} point match\n\n',
    ),
    "galaxy": Style(joined="apart", counted=False, bar="bar", off="off", dice="high", ends="\r\n", names=24, left=31,
        head='; [Site "BackgammonGalaxy"]\n; [EventTime "02.44"]\n; [CubeLimit "1024"]\n\n{length} point match\n\n', none="", double=" Doubles => {value}"),
    "galaxysite": Style(stars="none", joined="end", dice="high", order="shuffled", off="Off", bar="Bar", names=20, left=30),
    "fibs": Style(joined="apart", stars="all", bar="bar", off="off", names=40, left=40, space="  "),
    "gridgammon": Style(stars="last", joined="end", counted=True, order="shuffled", dice="low", bar="bar", off="off", resigned="???"),
    "bgblitz": Style(stars="last", joined="end", counted=True, dice="high", off="off", head="# made by hand\n\n {length} Point Match\n\n", none="Cannot Move"),
    "heroes": Style(stars="none", joined="end", counted=True, dice="any", off="0", bar="25", order="shuffled", none="Cannot Move", resigned="????"),
    "wide": Style(names=60, left=50, wins_at=60, number="{n:4d}) "),
    "latin-1": Style(encoding="latin-1", ends="\r\n", joined="chain"),
    "tabs": Style(joined="end", stars="last", between="\t", number="{n:3d})\t", names=30, left=0, wins_at=34),
    "loose": Style(joined="end", stars="all", counted=True, order="shuffled", space="   ", number=" {n}) ", names=26, left=27),
}  # fmt: skip


def archived(match: MatchRecord, style: Style, rng: random.Random) -> bytes:
    text = style.head.format(length=match.length)
    for number, game in enumerate(match.games, 1):
        text += f" Game {number}\n"
        left = f" {match.names[0]} : {game.score[0]}"
        text += f"{left:<{style.names}} {match.names[1]} : {game.score[1]}{style.space}\n"
        text += "\n".join(_rows(game, style, rng)) + "\n\n"
    return text.replace("\n", style.ends).encode(style.encoding, "replace")


def _rows(game: GameRecord, style: Style, rng: random.Random) -> list[str]:
    rows: list[list[str]] = []
    for action, before, _ in game.positions():
        if action.side == "light" or not rows or rows[-1][1]:
            rows.append(["", ""])
        rows[-1][action.side == "dark"] = _cell(action, before, style, rng)
    lines = []
    for n, (left, right) in enumerate(rows, 1):
        start = style.number.format(n=n) + left
        line = start if not right else f"{start:<{style.left}}{style.between or ' '}{right}"
        lines.append(line + style.space)
    if game.winner is not None:
        result = style.wins.format(points=game.points, s="" if game.points == 1 else "s")
        if isinstance(game.actions[-1] if game.actions else None, Dropped) and game.winner == "dark":
            lines[-1] = f"{lines[-1]:<{style.wins_at}}  {result}"
        else:
            lines.append((" " * style.wins_at if game.winner == "dark" else "      ") + result)
    return lines


def _cell(action: object, before: Position, style: Style, rng: random.Random) -> str:
    if isinstance(action, Doubled):
        return style.double.format(value=action.value)
    if isinstance(action, Took):
        return style.take
    if isinstance(action, Dropped):
        return style.drop
    assert isinstance(action, Rolled)
    high, low = max(action.dice), min(action.dice)
    dice = {"high": (high, low), "low": (low, high)}.get(style.dice) or rng.choice([(high, low), (low, high)])
    words = style.resigned if action.moves is None else spelled(action, before, style, rng) or style.none
    return f"{dice[0]}{dice[1]}: {words}"


def spelled(action: Rolled, before: Position, style: Style, rng: random.Random) -> str:
    """The moves of a play in the style's notation."""
    points = list(before.seen_from(action.side)[0])
    chains: list[list[tuple[int, bool]]] = []
    for start, end in action.moves or ():
        hit = end > 0 and points[end - 1] == -1
        if hit:
            points[end - 1] = 0
        joins = [c for c in chains if c[-1][0] == start] if style.joined != "apart" else []
        if joins:
            joins[0].append((end, hit))
        else:
            chains.append([(start, False), (end, hit)])
    words = [_chain(chain, style) for chain in chains]
    if style.counted:
        words = [w if n == 1 else f"{w}({n})" for w, n in Counter(words).items()]
    if style.order == "shuffled":
        rng.shuffle(words)
    return " ".join(words)


def _chain(chain: list[tuple[int, bool]], style: Style) -> str:
    stops = [chain[0], chain[-1]] if style.joined == "end" else chain
    if style.joined == "end" and style.stars == "all":
        # A hit on the way is the only stop worth writing.
        stops = [chain[0], *(s for s in chain[1:-1] if s[1]), chain[-1]]
    names = []
    for n, (point, hit) in enumerate(stops):
        name = style.bar if point == 25 else style.off if point == 0 else str(point)
        starred = hit and (style.stars == "all" or (style.stars == "last" and n == len(stops) - 1))
        names.append(name + ("*" if starred else ""))
    return "/".join(names)


def open_ways(match: MatchRecord) -> MatchRecord:
    """The match cut off, game by game, where a checker hit on its way with two dice and then went on: the one thing that
    a notation without stops cannot tell."""
    return replace(match, games=tuple(_until_hit_in_passing(game) for game in match.games))


def _until_hit_in_passing(game: GameRecord) -> GameRecord:
    for index, (action, before, _) in enumerate(game.positions()):
        if (
            isinstance(action, Rolled)
            and action.moves
            and len(action.moves) == 2
            and action.dice[0] != action.dice[1]
        ):
            (a, b), (c, d) = action.moves
            if b == c and before.seen_from(action.side)[0][b - 1] == -1:
                return replace(game, actions=game.actions[:index], winner=None, points=0, kind="")
    return game


def resigned_after_roll(match: MatchRecord, rng: random.Random) -> MatchRecord:
    """Every game ends a few turns earlier: somebody rolls, has a choice, and resigns."""
    games = []
    for game in match.games:
        turns = [i for i, a in enumerate(game.actions) if isinstance(a, Rolled) and a.stood is None and i > 4]
        rng.shuffle(turns)
        steps = list(game.positions())
        for i in turns:
            action, before, _ = steps[i]
            assert isinstance(action, Rolled)
            if len(legal_plays(before, action.dice, action.side, match.rules)) > 1:
                cut = replace(game, actions=(*game.actions[:i], replace(action, moves=None)))
                winner: Side = opponent(action.side)
                games.append(replace(cut, winner=winner, points=cut.cube(), kind="resigned"))
                break
        else:
            games.append(game)
    return rescored(replace(match, games=tuple(games)))


def rescored(match: MatchRecord) -> MatchRecord:
    """Scores as the results make them; nothing after the match is won."""
    games: list[GameRecord] = []
    for game in match.games:
        score = replace(match, games=tuple(games)).score
        if match.length and max(score) >= match.length:
            break
        games.append(replace(game, score=score))
    return replace(match, games=tuple(games))
