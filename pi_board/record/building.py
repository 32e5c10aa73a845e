"""`MatchBuilder`: what the readers of all formats share. They understand the syntax, this keeps the game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pi_board.errors import IllegalError
from pi_board.record.match import (
    SIDES,
    Action,
    Doubled,
    Dropped,
    FileProblem,
    GameRecord,
    Hop,
    MatchRecord,
    Moves,
    Parsed,
    Reading,
    Rolled,
    Took,
    after_moves,
    as_written,
    hops,
    kind_of_win,
    readings,
)
from pi_board.rules import RULE_SETS, STARTING_POSITION, Play, Position, Side, legal_plays

#: A file with more problems than this is another kind of file.
MOST_PROBLEMS = 200
#: So many ways to understand a game are kept at once; two are the rule where there is more than one at all.
MOST_HISTORIES = 8

#: What happened in a game, and the position that it led to.
History = tuple[list[Action], Position]


class MatchBuilder:
    """Takes actions in order and lists what does not fit with the line it stands on (`line`: set by the reader).

    A play that the dice do not allow but that the checkers there can make is kept as it is written, so that what follows
    still fits. From a play that cannot have happened on, nothing of the game is sure: the rest of it is left out
    (`lost`), and only its result is still taken.

    Where a play can be understood in two ways, later plays tell which it was: a checker that was hit must enter. Until
    then both are kept. others: what else may have happened, less likely than `actions` and `position`.
    """

    def __init__(self) -> None:
        self.match = MatchRecord()
        self.line = 0
        self.problems: list[FileProblem] = []
        self.games: list[GameRecord] = []
        self.game: GameRecord | None = None
        self.actions: list[Action] = []
        self.position = STARTING_POSITION
        self.others: list[History] = []
        self.lost = False

    def trouble(self, text: str, line: int | None = None, *, lost: bool = False) -> None:
        if len(self.problems) < MOST_PROBLEMS or (lost and not any(p.lost for p in self.problems)):
            # Keep each name on one line, whatever the file contains.
            plain = text[:200]
            if not plain.isprintable():
                plain = " ".join("".join(c if c.isprintable() else " " for c in plain).split())
            self.problems.append(FileProblem(self.line if line is None else line, plain, lost))

    def begin(self, game: GameRecord) -> None:
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
            if game.winner is not None and not game.kind and not self.lost:
                game = replace(game, kind=kind_of_win(game, self.position))
            self.games.append(game)
        self.game, self.actions, self.position = None, [], STARTING_POSITION
        self.others, self.lost = [], False

    def result(self, nothing: str) -> Parsed:
        """The match. nothing: what to say when there was no game at all."""
        self.finish()
        if not self.games:
            self.problems.append(FileProblem(0, nothing))
        return Parsed(replace(self.match, games=tuple(self.games)), tuple(self.problems))

    # ------------------------------------------------------------------------------------------ actions

    def play_words(self, side: Side, dice: tuple[int, int], words: str) -> None:
        """A play in notation ("" = no play)."""
        try:
            ways = hops(words)
        except IllegalError as error:
            self.lose(side, dice, str(error))
            return
        self.play(side, dice, ways)

    def play(self, side: Side, dice: tuple[int, int], ways: Sequence[Hop]) -> None:
        """A play as ways of checkers."""
        if self.lost:
            return
        self._went_on()
        followed: list[History] = []
        error: IllegalError | None = None
        histories = [(self.actions, self.position), *self.others]
        for actions, position in histories:
            try:
                found = readings(position, side, dice, ways)
            except IllegalError as problem:
                error = error or problem
                continue
            if len(histories) == 1 or _bar_first(position, side, found[0][0]):
                if len(ways) == 1 and not ways[0].hit:
                    found += self._without_the_hit(position, side, ways, found[0])
                followed += self._after(
                    actions, [(Rolled(side, dice, moves), after) for moves, after in found]
                )
        if followed:
            self._take_up(followed)
        elif error is not None:
            self._misplayed(side, dice, ways, error)
        else:
            # The player left checkers on the bar, and the notation says so.
            self.others = []
            self.play(side, dice, ways)

    def _after(self, actions: list[Action], found: Sequence[tuple[Action, Position]]) -> list[History]:
        """A history gone on with; the list itself is lengthened where nothing else needs it (games can be long)."""
        if not self.others and len(found) == 1:
            actions.append(found[0][0])
            return [(actions, found[0][1])]
        return [([*actions, action], after) for action, after in found]

    def _take_up(self, histories: Sequence[History]) -> None:
        """The likeliest becomes the record; of those that led to the same position only the first is kept."""
        different = list(
            {position: (actions, position) for actions, position in reversed(histories)}.values()
        )
        (self.actions, self.position), *self.others = different[::-1][:MOST_HISTORIES]

    def _happened(self, action: Action) -> None:
        """Something that every history has in common."""
        self.actions.append(action)
        for actions, _ in self.others:
            actions.append(action)

    def _without_the_hit(
        self, position: Position, side: Side, ways: Sequence[Hop], first: Reading
    ) -> list[Reading]:
        """A checker that can only have hit on its way, though no star says so: if later plays tell that nothing was
        hit, the board is what was written, as GNU Backgammon has it."""
        other = 1 if side == "light" else 0
        if len(first[0]) != 2 or first[1].bar[other] == position.bar[other]:
            return []
        try:
            return [as_written(position, side, ways)]
        except IllegalError:
            return []

    def _misplayed(self, side: Side, dice: tuple[int, int], ways: Sequence[Hop], error: IllegalError) -> None:
        if any(way.end > way.start for way in ways):
            self._backwards(side, dice, ways, error)
            return
        try:
            moves, after = as_written(self.position, side, ways)
        except IllegalError:
            self.lose(side, dice, str(error))
            return
        self.trouble(f"{self._turn(side, dice)}: {error}; kept as it is written")
        self.actions.append(Rolled(side, dice, moves))
        self.position, self.others = after, []

    def _backwards(self, side: Side, dice: tuple[int, int], ways: Sequence[Hop], error: IllegalError) -> None:
        """No notation of a play, but it tells what lay there afterwards."""
        try:
            after = after_moves(self.position, side, tuple((way.start, way.end) for way in ways[:4]))
        except IllegalError:
            self.lose(side, dice, str(error))
            return
        self.trouble(f"{self._turn(side, dice)}: {error}; kept as an illegal play that stood")
        self.stood(side, dice, after)

    def lose(self, side: Side, dice: tuple[int, int], why: str) -> None:
        """A play that cannot have happened: the game cannot be followed any further."""
        if not self.lost:
            self.trouble(f"{self._turn(side, dice)}: {why}; the rest of this game is left out", lost=True)
            self.lost, self.others = True, []

    def _turn(self, side: Side, dice: tuple[int, int]) -> str:
        turn = 1 + sum(isinstance(action, Rolled) for action in self.actions)
        return f"game {len(self.games) + 1}, turn {turn}: {side} {dice[0]}{dice[1]}"

    def stood(self, side: Side, dice: tuple[int, int], position: Position) -> None:
        """An illegal play that stood."""
        if self.lost:
            return
        self.actions.append(Rolled(side, dice, (), position))
        self.position, self.others = position, []

    def unplayed(self, side: Side, dice: tuple[int, int]) -> None:
        """A roll after which the game was resigned."""
        if not self.lost:
            self._happened(Rolled(side, dice, None))

    def took(self, seconds: float | None, left: float | None = None) -> None:
        """What the turn that was just written took, and what its player's bank held afterwards (seconds; None: not known)."""
        if self.lost or (seconds is None and left is None):
            return
        for actions in [self.actions, *(actions for actions, _ in self.others)]:
            if actions and isinstance(last := actions[-1], Rolled):
                actions[-1] = replace(last, seconds=seconds, left=left)

    def no_words(self, side: Side, dice: tuple[int, int]) -> None:
        """A roll beside which nothing is written: no legal play, or the only one, or (with a choice) not played at all."""
        if self.lost:
            return
        self._went_on()
        followed: list[History] = []
        for actions, position in [(self.actions, self.position), *self.others]:
            plays = self._plays(position, side, dice)
            rolled, after = Rolled(side, dice, None), position
            if len(plays) == 1:
                rolled, after = Rolled(side, dice, tuple(plays[0].moves)), plays[0].result
            followed += self._after(actions, [(rolled, after)])
        self._take_up(followed)

    def _went_on(self) -> None:
        """The game goes on after a roll: histories in which that roll was not played are the least likely ones."""
        if self.others:

            def unplayed(history: History) -> bool:
                last = next((a for a in reversed(history[0]) if isinstance(a, Rolled)), None)
                return last is not None and last.moves is None

            self._take_up(sorted([(self.actions, self.position), *self.others], key=unplayed))

    def _plays(self, position: Position, side: Side, dice: tuple[int, int]) -> Sequence[Play]:
        rules = self.match.rules if self.match.rules in RULE_SETS else "international"
        return legal_plays(position, dice, side, rules)

    def double(self, side: Side, value: int | None = None) -> None:
        """value None: twice what was offered last."""
        if self.lost:
            return
        last = next((a.value for a in reversed(self.actions) if isinstance(a, Doubled)), 1)
        self._happened(Doubled(side, 2 * last if value is None else value))

    def answer(self, side: Side, took: bool) -> None:
        if self.lost:
            return
        if not self.actions or not isinstance(self.actions[-1], Doubled):
            self.trouble(f"{side}: {'takes' if took else 'drops'} a double that was not offered")
        elif self.actions[-1].side == side:
            self.trouble(f"{side}: answers its own double")
        else:
            self._happened(Took(side) if took else Dropped(side))

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


def _bar_first(position: Position, side: Side, moves: Moves) -> bool:
    """Whether no checker was left waiting on the bar while another moved."""
    waiting = position.bar[SIDES.index(side)]
    return sum(start == 25 for start, _ in moves) >= min(waiting, len(moves))
