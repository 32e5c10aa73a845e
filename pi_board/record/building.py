"""`MatchBuilder`: what the readers of all formats share. They understand the syntax, this keeps the game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pi_board.errors import IllegalError
from pi_board.record.match import (
    CHECKERS,
    SIDES,
    Action,
    Doubled,
    Dropped,
    Game,
    Hop,
    Match,
    Parsed,
    Problem,
    Rolled,
    Took,
    after_moves,
    hops,
    kind_of_win,
    played,
)
from pi_board.rules import STARTING_POSITION, Position, Side

#: A file with more problems than this is another kind of file.
MOST_PROBLEMS = 200


class MatchBuilder:
    """Takes actions in order and lists what does not fit with the line it stands on (`line`: set by the reader).

    A play that the dice do not allow but that the checkers there can make is kept as an illegal play that stood, so
    that what follows still fits; one that cannot have happened is left out.
    """

    def __init__(self) -> None:
        self.match = Match()
        self.line = 0
        self.problems: list[Problem] = []
        self.games: list[Game] = []
        self.game: Game | None = None
        self.actions: list[Action] = []
        self.position = STARTING_POSITION

    def trouble(self, text: str, line: int | None = None) -> None:
        if len(self.problems) < MOST_PROBLEMS:
            # One line each, whatever stands in the file.
            plain = text[:200]
            if not plain.isprintable():
                plain = " ".join("".join(c if c.isprintable() else " " for c in plain).split())
            self.problems.append(Problem(self.line if line is None else line, plain))

    def begin(self, game: Game) -> None:
        """The next game starts; `game` holds what its header says."""
        self.finish()
        self.game, self.position = game, game.start

    def set_up(self, position: Position) -> None:
        """The game starts at `position`."""
        if self.game is not None:
            self.game = replace(self.game, start=position)
        self.position = position

    def finish(self) -> None:
        """The game in hand is complete."""
        if self.game is not None:
            game = replace(self.game, actions=tuple(self.actions))
            if game.winner is not None and not game.kind:
                game = replace(game, kind=kind_of_win(game, self.position))
            self.games.append(game)
        self.game, self.actions, self.position = None, [], STARTING_POSITION

    def result(self, nothing: str) -> Parsed:
        """The match. nothing: what to say when there was no game at all."""
        self.finish()
        if not self.games:
            self.problems.append(Problem(0, nothing))
        return Parsed(replace(self.match, games=tuple(self.games)), tuple(self.problems))

    # ------------------------------------------------------------------------------------------ actions

    def play_words(self, side: Side, dice: tuple[int, int], words: str) -> None:
        """A play in notation ("" = no play)."""
        try:
            ways = hops(words)
        except IllegalError as error:
            self.trouble(f"{side}: {error}")
            return
        self.play(side, dice, ways)

    def play(self, side: Side, dice: tuple[int, int], ways: Sequence[Hop]) -> None:
        """A play as ways of checkers."""
        try:
            moves, self.position = played(self.position, side, dice, ways)
        except IllegalError as error:
            self._misplayed(side, dice, ways, error)
            return
        self.actions.append(Rolled(side, dice, moves))

    def _misplayed(self, side: Side, dice: tuple[int, int], ways: Sequence[Hop], error: IllegalError) -> None:
        try:
            if len(ways) > 4:
                raise IllegalError("more than four moves")
            after = after_moves(self.position, side, tuple((a, b) for a, b, _ in ways))
        except IllegalError:
            self.trouble(f"{side}: {error}")
            return
        self.trouble(f"{side}: {error}; kept as an illegal play that stood")
        self.stood(side, dice, after)

    def stood(self, side: Side, dice: tuple[int, int], position: Position) -> None:
        """An illegal play that stood."""
        self.actions.append(Rolled(side, dice, (), position))
        self.position = position

    def unplayed(self, side: Side, dice: tuple[int, int]) -> None:
        """A roll after which the game was resigned."""
        self.actions.append(Rolled(side, dice, None))

    def double(self, side: Side, value: int | None = None) -> None:
        """value None: twice what was offered last."""
        last = next((a.value for a in reversed(self.actions) if isinstance(a, Doubled)), 1)
        self.actions.append(Doubled(side, 2 * last if value is None else value))

    def answer(self, side: Side, took: bool) -> None:
        if not self.actions or not isinstance(self.actions[-1], Doubled):
            self.trouble(f"{side}: {'takes' if took else 'drops'} a double that was not offered")
        elif self.actions[-1].side == side:
            self.trouble(f"{side}: answers its own double")
        else:
            self.actions.append(Took(side) if took else Dropped(side))

    def wins(self, side: Side, points: int, kind: str = "") -> None:
        if self.game is None:
            self.trouble("a result before any game")
        elif self.game.winner is not None:
            self.trouble("a second result in the same game")
        else:
            self.game = replace(self.game, winner=side, points=points, kind=kind)
            last = self.actions[-1] if self.actions else None
            if isinstance(last, Dropped) and last.side == side:
                self.trouble(f"{side} wins after dropping")

    def whose_win_is_missing(self) -> Side | None:
        """Who has borne off all checkers in a game that has no result."""
        if self.game is None or self.game.winner is not None or not self.actions:
            return None
        return next((s for s, off in zip(SIDES, self.position.off, strict=True) if off == CHECKERS), None)
