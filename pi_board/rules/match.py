"""`Match`: the state around the games: score, length, Crawford, cube legality, doubles, resignations.

An immutable value: every act returns the next state. It knows no board; positions are passed in where scoring needs one.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from pi_board.errors import IllegalError, InvalidError
from pi_board.rules.cube import Cube
from pi_board.rules.position import Position
from pi_board.rules.rule_set import RuleSet, rule_set
from pi_board.rules.scoring import Score, score_game, score_pass
from pi_board.rules.side import SIDES, Side


@dataclass(frozen=True, slots=True)
class Match:
    """A match of `length` points, or a session without end (`length` 0, money).

    rules: the law. score: (light, dark) before the game in hand. game: number of the game in hand, from 1.
    crawford_game: the game in hand is the Crawford game; crawford_played: it has been. cube: of the game in hand.
    several_games: a match or session is agreed (leaflet 004 uses its cube only then).
    """

    rules: RuleSet = field(default_factory=lambda: rule_set("international"))
    length: int = 0
    score: tuple[int, int] = (0, 0)
    game: int = 1
    crawford_game: bool = False
    crawford_played: bool = False
    cube: Cube = field(default_factory=Cube)
    several_games: bool = True

    def __post_init__(self) -> None:
        if type(self.length) is not int or self.length < 0:
            raise InvalidError(f"match length: expected 0 (money) or more points, got {self.length!r}")
        if len(self.score) != 2 or any(type(s) is not int or s < 0 for s in self.score):
            raise InvalidError(f"score: expected two numbers from 0, got {self.score!r}")
        if self.game < 1:
            raise InvalidError(f"game: expected a number from 1, got {self.game!r}")
        if self.crawford_game and not self.at_match_point:
            raise InvalidError(
                f"Crawford game: expected one player a single point from {self.length}, got the score {self.score[0]}-{self.score[1]}"
            )

    @classmethod
    def start(
        cls, rules: str | RuleSet = "international", length: int = 0, *, several_games: bool = True
    ) -> Match:
        """A new match or session. A match to one point has no Crawford game: its only game needs no cube."""
        return cls(rule_set(rules), length, several_games=several_games)

    # -- what holds now

    @property
    def at_match_point(self) -> bool:
        """One player is a single point away from winning the match."""
        return self.length > 0 and self.length - 1 in self.score and self.winner is None

    @property
    def post_crawford(self) -> bool:
        """The Crawford game has been played; doubling is free again."""
        return self.crawford_played and not self.crawford_game

    @property
    def winner(self) -> Side | None:
        """Who has won the match; None in a session or while it is on."""
        if self.length > 0:
            for i, side in enumerate(SIDES):
                if self.score[i] >= self.length:
                    return side
        return None

    @property
    def jacoby(self) -> bool:
        """Jacoby holds in money sessions only."""
        return self.rules.jacoby and self.length == 0

    def away(self, side: Side) -> int | None:
        """Points `side` still needs, None in a session."""
        return max(0, self.length - self.score[SIDES.index(side)]) if self.length else None

    def objection_to_double(
        self, side: Side, *, on_roll: Side | None, rolled: bool = False
    ) -> tuple[str, str] | None:
        """(code, sentence) why `side` may not double now; None when it may.

        on_roll: whose turn it is (None: nobody's, before the opening). rolled: the dice of this turn have been
        rolled. Codes: match_over, no_cube, single_game, already_offered, not_your_turn, already_rolled, crawford,
        not_owner, cube_limit.
        """
        if self.winner is not None:
            return "match_over", "The match is over."
        if self.rules.cube == "several_games" and not self.several_games:
            return "single_game", "The cube is used only when several games are played."
        if self.rules.cube == "no" or self.cube.offered_by is not None:
            return self.cube.objection(side, self.rules)
        if on_roll is None:
            return "not_your_turn", "Nobody may double before the opening roll has been played."
        if on_roll != side:
            return "not_your_turn", f"It is {on_roll}'s turn: only the player about to roll may double."
        if rolled:
            return "already_rolled", "Doubling is possible only before the roll."
        if self.crawford_game:
            return "crawford", "This is the Crawford game: nobody may double."
        return self.cube.objection(side, self.rules)

    def may_double(self, side: Side, *, on_roll: Side | None, rolled: bool = False) -> bool:
        return self.objection_to_double(side, on_roll=on_roll, rolled=rolled) is None

    # -- what is done

    def double(self, side: Side, *, on_roll: Side | None, rolled: bool = False) -> Match:
        """`side` offers a double. Raises IllegalError with the objection's sentence."""
        objection = self.objection_to_double(side, on_roll=on_roll, rolled=rolled)
        if objection:
            raise IllegalError(objection[1])
        return replace(self, cube=replace(self.cube, offered_by=side))

    def take(self) -> Match:
        """The double is accepted."""
        return replace(self, cube=self.cube.take())

    def pass_double(self) -> tuple[Match, Score]:
        """The double is refused: the offerer wins the value before the offer; next game."""
        if self.cube.offered_by is None:
            raise IllegalError("No double has been offered.")
        result = score_pass(self.cube.offered_by, self.rules, cube=self.cube.value)
        return self.record(result), result

    def finish(self, position: Position) -> tuple[Match, Score]:
        """The game is played to its end in `position`; next game. Raises IllegalError when it is not over."""
        result = score_game(position, self.rules, cube=self.cube.value, jacoby=self.jacoby)
        return self.record(result), result

    def record(self, result: Score) -> Match:
        """The match after a game that counted `result`, ready for the next game."""
        if self.winner is not None:
            raise IllegalError("The match is over.")
        light, dark = self.score
        score = (light + result.points, dark) if result.winner == "light" else (light, dark + result.points)
        after = replace(
            self,
            score=score,
            game=self.game + 1,
            cube=Cube(),
            crawford_game=False,
            crawford_played=self.crawford_played or self.crawford_game,
        )
        wants = self.rules.crawford and self.rules.cube != "no" and not after.crawford_played
        return replace(after, crawford_game=True) if wants and after.at_match_point else after
