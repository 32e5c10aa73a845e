"""A tournament (pure): who plays whom next, and who leads. Round robin, Swiss, single elimination with consolation.

A Swiss round is a matching of greatest weight over everybody who may still meet (networkx), so that no pairing is repeated
as long as that is possible at all.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from pi_board.errors import InvalidError

Kind = Literal["round_robin", "swiss", "elimination"]
KINDS: tuple[Kind, ...] = ("round_robin", "swiss", "elimination")
#: Nobody: a free round for the other.
BYE = ""
#: Players of one tournament, and characters of a name.
MOST, LONGEST = 512, 40


@dataclass(frozen=True, slots=True)
class Pairing:
    """One match. table: from 1 on, 0 for a free round. score (first, second); winner: a name, "" while it is played.

    draw: "main" or "consolation". by: "board" (its journal said so) or "person" (the director's word, which stands).
    """

    first: str
    second: str
    table: int = 0
    score: tuple[int, int] = (0, 0)
    winner: str = ""
    draw: Literal["main", "consolation"] = "main"
    by: str = ""

    @property
    def bye(self) -> bool:
        return BYE in (self.first, self.second)


@dataclass(frozen=True, slots=True)
class Standing:
    """played without free rounds. buchholz: the wins of everybody met, who has met the stronger ones goes before."""

    name: str
    won: int
    played: int
    points_for: int
    points_against: int
    buchholz: int
    out: bool = False


@dataclass(frozen=True, slots=True)
class Tournament:
    """length: of a match, points. rounds: of a Swiss tournament (others follow from the players). seed: of the draw."""

    name: str
    kind: Kind
    players: tuple[str, ...]
    length: int = 5
    rounds: int = 0
    seed: int = 0
    played: tuple[tuple[Pairing, ...], ...] = field(default=())

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise InvalidError(f"kind: expected one of {', '.join(KINDS)}, got {self.kind!r}")
        if not 2 <= len(self.players) <= MOST:
            raise InvalidError(f"players: expected 2 to {MOST}, got {len(self.players)}")
        for name in self.players:
            if not 1 <= len(name) <= LONGEST or not name.isprintable() or name != name.strip():
                raise InvalidError(f"players: expected names of 1 to {LONGEST} characters, got {name[:60]!r}")
        if len({n.casefold() for n in self.players}) < len(self.players):
            raise InvalidError("players: every name once")
        if not 1 <= self.length <= 64:
            raise InvalidError(f"length: expected 1 to 64 points, got {self.length}")

    # -- what is to be played

    @property
    def all_rounds(self) -> int:
        """How many rounds there are in all."""
        n = len(self.players)
        if self.kind == "round_robin":
            return n - 1 + n % 2
        doubling = (n - 1).bit_length()
        return (self.rounds or doubling) if self.kind == "swiss" else doubling

    @property
    def open(self) -> tuple[Pairing, ...]:
        """Matches of the present round without a result."""
        return tuple(p for p in self.played[-1] if not p.winner) if self.played else ()

    @property
    def over(self) -> bool:
        return len(self.played) >= self.all_rounds and not self.open

    def next_round(self) -> Tournament:
        """With the next round drawn. Raises InvalidError while matches are open, or when all rounds are played."""
        if self.open:
            pair = self.open[0]
            raise InvalidError(
                f"round {len(self.played)} is not over: {pair.first} - {pair.second} has no result"
            )
        if self.over:
            raise InvalidError("all rounds are played")
        if self.kind == "round_robin":
            pairs = [Pairing(a, b) for a, b in self._circle(len(self.played))]
        elif self.kind == "swiss":
            pairs = [Pairing(a, b) for a, b in self._swiss()]
        else:
            pairs = self._elimination()
        return replace(self, played=(*self.played, tuple(_seated(pairs))))

    def _drawn(self) -> list[str]:
        players = list(self.players)
        random.Random(self.seed).shuffle(players)
        return players

    def _circle(self, number: int) -> list[tuple[str, str]]:
        """Round `number` (from 0) by the circle method: the first sits still, the others go round."""
        players = self._drawn()
        if len(players) % 2:
            players.append(BYE)
        head, rest = players[0], players[1:]
        k = number % len(rest)
        rest = rest[k:] + rest[:k]
        row = [head, *rest]
        pairs = [(row[i], row[-1 - i]) for i in range(len(row) // 2)]
        return [(b, a) if number % 2 and i == 0 else (a, b) for i, (a, b) in enumerate(pairs)]

    def _swiss(self) -> list[tuple[str, str]]:
        import networkx

        order = {s.name: i for i, s in enumerate(self.standings())} if self.played else {}
        players = sorted(self.players, key=lambda n: order[n]) if order else self._drawn()
        wins = {s.name: s.won for s in self.standings()}
        met = {frozenset((p.first, p.second)) for r in self.played for p in r}
        if len(players) % 2:
            players.append(BYE)
        graph = networkx.Graph()
        n = len(players)
        for i, a in enumerate(players):
            for j in range(i + 1, n):
                b = players[j]
                # In this order: no pairing twice, equal wins, close in the standings. The last player gets the free round.
                gap = abs(wins.get(a, 0) - wins.get(b, 0)) if BYE not in (a, b) else wins.get(a, 0)
                near = abs(j - i - (n // 2 if not self.played else 1))
                again = frozenset((a, b)) in met
                graph.add_edge(a, b, weight=-(again * 10**9 + gap**2 * 10**5 + near))
        matching = networkx.max_weight_matching(graph, maxcardinality=True)
        place = {name: i for i, name in enumerate(players)}
        pairs = [(a, b) if place[a] < place[b] else (b, a) for a, b in matching]
        return sorted(pairs, key=lambda pair: place[pair[0]])

    def _elimination(self) -> list[Pairing]:
        """Winners go on; who loses his first match of the main draw goes on in the consolation."""
        if not self.played:
            players, size = self._drawn(), 1 << self.all_rounds
            free = size - len(players)
            # Free rounds are spread: one in each pair, never two.
            pairs = [Pairing(player, BYE) for player in players[:free]]
            rest = players[free:]
            pairs += [Pairing(a, b) for a, b in zip(rest[::2], rest[1::2], strict=True)]
            random.Random(self.seed + 1).shuffle(pairs)
            return pairs
        last = self.played[-1]
        through = [p.winner for p in last if p.draw == "main"]
        pairs = [Pairing(a, b) for a, b in zip(through[::2], through[1::2], strict=True)]
        waiting = [p.winner for p in last if p.draw == "consolation"]
        waiting += [
            _loser(p) for p in last if p.draw == "main" and not p.bye and self._first_match(_loser(p))
        ]
        if len(waiting) > 1:
            if len(waiting) % 2:
                waiting.append(BYE)
            half = len(waiting) // 2
            met = list(zip(waiting[:half], waiting[half:], strict=True))
            pairs += [Pairing(a, b, draw="consolation") for a, b in met]
        return pairs

    def _first_match(self, name: str) -> bool:
        return sum(name in (p.first, p.second) and not p.bye for r in self.played for p in r) == 1

    # -- results

    def with_result(
        self, first: str, second: str, score: tuple[int, int], *, by: str = "person"
    ) -> Tournament:
        """With the result of a match of the present round, or of an earlier one that is corrected.

        A board's word never changes a person's. Raises InvalidError when they do not play each other, or nobody has won.
        """
        for number in range(len(self.played) - 1, -1, -1):
            for index, pair in enumerate(self.played[number]):
                if {pair.first, pair.second} != {first, second}:
                    continue
                if by == "board" and pair.by == "person":
                    return self
                if number < len(self.played) - 1 and self.kind == "elimination":
                    raise InvalidError("the next round stands on this result already")
                one, two = score if pair.first == first else score[::-1]
                if one == two or min(one, two) < 0 or max(one, two) > 200:
                    raise InvalidError(f"score: expected two numbers with one the larger, got {one}:{two}")
                winner = pair.first if one > two else pair.second
                rounds = [list(r) for r in self.played]
                rounds[number][index] = replace(pair, score=(one, two), winner=winner, by=by)
                return replace(self, played=tuple(tuple(r) for r in rounds))
        raise InvalidError(f"{first} and {second} do not play each other")

    def standings(self) -> list[Standing]:
        """Best first: wins, then the wins of those met, then points, then the name."""
        won = dict.fromkeys(self.players, 0)
        played = dict.fromkeys(self.players, 0)
        plus = dict.fromkeys(self.players, 0)
        minus = dict.fromkeys(self.players, 0)
        met: dict[str, list[str]] = {name: [] for name in self.players}
        out: set[str] = set()
        for pair in (p for r in self.played for p in r if p.winner):
            won[pair.winner] += 1
            if pair.bye:
                continue
            for name, other, own, theirs in (
                (pair.first, pair.second, *pair.score),
                (pair.second, pair.first, *pair.score[::-1]),
            ):
                played[name] += 1
                plus[name] += own
                minus[name] += theirs
                met[name].append(other)
            if self.kind == "elimination" and pair.draw == "main":
                out.add(_loser(pair))
        lines = [
            Standing(n, won[n], played[n], plus[n], minus[n], sum(won[o] for o in met[n]), n in out)
            for n in self.players
        ]
        return sorted(
            lines,
            key=lambda s: (s.out, -s.won, -s.buchholz, s.points_against - s.points_for, s.name.casefold()),
        )

    # -- to and from the archive

    def to_document(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "kind": self.kind,
            "players": list(self.players),
            "length": self.length,
            "rounds": self.rounds,
            "seed": self.seed,
            "played": [
                [
                    {
                        "first": p.first,
                        "second": p.second,
                        "table": p.table,
                        "score": list(p.score),
                        "winner": p.winner,
                        "draw": p.draw,
                        "by": p.by,
                    }
                    for p in r
                ]
                for r in self.played
            ],
        }

    @classmethod
    def from_document(cls, document: dict[str, Any]) -> Tournament:
        """Raises InvalidError."""
        try:
            rounds = tuple(
                tuple(Pairing(**{**p, "score": (int(p["score"][0]), int(p["score"][1]))}) for p in r)
                for r in document.get("played", ())
            )
            return cls(
                str(document["name"]),
                document["kind"],
                tuple(str(n) for n in document["players"]),
                int(document.get("length", 5)),
                int(document.get("rounds", 0)),
                int(document.get("seed", 0)),
                rounds,
            )
        except (KeyError, TypeError, ValueError, IndexError) as error:
            raise InvalidError(f"tournament: expected name, kind and players ({error})") from None


def _loser(pair: Pairing) -> str:
    return pair.second if pair.winner == pair.first else pair.first


def _seated(pairs: Sequence[Pairing]) -> list[Pairing]:
    """Tables from 1 on; a free round is won at once."""
    found, table = [], 0
    for pair in pairs:
        if pair.bye:
            found.append(replace(pair, winner=pair.first or pair.second, by="bye"))
        else:
            table += 1
            found.append(replace(pair, table=table))
    return found
