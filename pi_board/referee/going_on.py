"""From which board the game goes on, when the opponent has rolled or played before all of a turn was seen."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pi_board.events import Dice
from pi_board.referee.dice.pair import Pair
from pi_board.referee.explanations import (
    ACCUSING_FIT,
    Evidence,
    Reconciled,
    Turn,
    stack_looks_lower,
    turn_of,
)
from pi_board.referee.one_turn import (
    is_of_one_turn,
    moved_one_of_theirs,
    with_theirs_on_the_bar,
)
from pi_board.referee.seeing_part import SeeingPart
from pi_board.rules import Position, opponent, winner
from pi_board.table import Phase

#: Lawful plays looked at when the opponent has rolled already.
LIKELY_PLAYS = 8


class GoingOn(SeeingPart):
    """What this turn has left, by what the opponent does with it."""

    def gone_on(self, turn: Turn, board: Position, fresh: Pair | None) -> None:
        """The opponent has rolled and played from `board`: the turn before is over, however it was."""
        if self.state.phase is Phase.ILLEGAL:
            self.faults.let_it_stand(turn, board, fresh)
        else:
            self.turns.end_turn(turn, turn.play_to(board), board, fresh)
        self.looks.witnesses.played_already()

    def seen_before(self, fresh: Pair, evidence: Evidence, turn: Turn) -> Position | None:
        """The board that was asked about, that the looks agreed on, or that was announced, before the opponent's dice lay there, if what
        lies there now is his work from it, rightly played or not; None = it is not."""
        if fresh.values is None:
            return None
        roll, side = (max(fresh.values), min(fresh.values)), opponent(turn.side)
        for board in self._may_have_been_left(turn):
            if board is None or winner(board) is not None:
                continue
            theirs = turn_of(board, roll, side, self.rules)
            found = self.looks.reconcile(evidence, theirs)
            if found.kind in ("partial", "legal"):
                return board
            # (He has moved nothing yet: it lies there plainly, or as plainly as a full stack shows the checker that came to it.)
            untouched = found.kind == "before" and self.looks.clearly_shows(evidence, board)
            if untouched or (found.kind in ("before", "unclear") and stack_looks_lower(evidence, board)):
                return board
            if found.kind != "illegal":
                continue
            at = found.position
            on_made_point = at is None and found.blocked is not None
            if on_made_point or (
                at is not None and (is_of_one_turn(theirs, at) or moved_one_of_theirs(theirs, at))
            ):
                return board
        return None

    def _may_have_been_left(self, turn: Turn) -> Iterator[Position | None]:
        """What was asked about, what the looks agreed on, what was announced, and what all looks before the next dice say."""
        lay, s = self.looks.lay_there, self.state
        yield s.trouble.seen if s.trouble is not None else None
        yield from lay.boards if lay is not None else ()
        yield s.board if s.phase in (Phase.PLAYED, Phase.ILLEGAL) else None
        yield self.left_by(turn)

    def left_by(self, turn: Turn) -> Position | None:
        """What all looks before the next dice show together; None when nobody looked or it cannot be read. (A board that is nearly shown is
        taken for the work of this turn only.)"""
        left = self.hindsight.left
        if left is None:
            return None
        heard = self.looks.witnesses.hear(left)
        seen, _ = self.looks.read_board(heard, turn.before)
        if seen is not None:
            return seen
        nearly, _ = self.looks.read_nearly(heard, turn.before)
        return nearly if nearly is not None and is_of_one_turn(turn, nearly) else None

    def goes_on_from(self, turn: Turn, position: Position, fresh: Pair | None) -> None:
        """The opponent has rolled although nobody could tell well what was played: `position` is what it most likely was."""
        evidence = self.looks.evidence
        # (What lies there plainly when he rolls is no guess, however it came about.)
        if evidence is None or not self.looks.clearly_shows(evidence, position):
            self.looks.grounds.doubt("guessed_start")
        position = with_theirs_on_the_bar(turn, position)
        play = turn.play_to(position)
        if play is None or self.state.side is None:
            self.faults.let_it_stand(turn, position, fresh)
            return
        self.turns.end_played(turn, play, fresh)

    def played_before(
        self, evidence: Evidence, turn: Turn, fresh: Pair, rival: float | None = None
    ) -> Position | None:
        """The lawful play of `turn` after which the opponent, who has rolled `fresh`, may be playing already: together they
        explain the board. None when no such play does, or when it fits much worse than something else (rival: its fit)."""
        if fresh.values is None:
            return None
        roll = (max(fresh.values), min(fresh.values))
        return self._played_with(evidence, turn, roll, ("before", "partial", "legal"), rival)

    def repeated_unseen(self, evidence: Evidence, turn: Turn, found: Reconciled, held: float) -> bool:
        """Between two looks the opening numbers were played, and the second player has begun to repeat them: lawful plays of both
        explain the board nearly as well as `found`. True when it was so, then his turn is the one in hand, or while it may be so.
        held: seconds that it has lain so.

        Half a play of his may also be a checker that the first player moved along with his own. The dice tell: who lifts them from
        beside it has finished his own turn. If nobody lifts them, the second player is thinking."""
        if not (self.state.opening and self.turns.repeats(turn.dice)):
            return False
        between = self._played_with(evidence, turn, turn.dice, ("legal",), found.fit)
        if between is None:
            between = self._played_with(evidence, turn, turn.dice, ("partial",), found.fit)
            lay = self.looks.lay_with_dice
            lying = self.looks.dice_lay and not self.looks.dice_lifted
            if between is not None and lying and held < self.options.claim_patience:
                self.looks.waiting = True
                return True
            if self.looks.claimed_by_lifting and lay is not None and lay.key == found.key:
                return False
        play = None if between is None else turn.play_to(between)
        if play is None or between is None:
            return False
        self.looks.grounds.doubt("guessed_start")
        self.turns.end_played(turn, play, None)
        return True

    def _played_with(
        self, evidence: Evidence, turn: Turn, roll: Dice, kinds: tuple[str, ...], rival: float | None
    ) -> Position | None:
        """The lawful play of `turn` after which the opponent's `roll` explains the board best, as one of `kinds`."""
        least = ACCUSING_FIT if rival is None else max(ACCUSING_FIT, rival - self.options.red_margin)
        best: tuple[float, Position | None] = (least, None)
        for i in np.argsort(-evidence.scores(turn.legal_counts))[:LIKELY_PLAYS]:
            result = turn.legal[int(i)].result
            then = self.looks.reconcile(evidence, turn_of(result, roll, opponent(turn.side), self.rules))
            if then.kind in kinds and not then.in_hand and then.fit > best[0]:
                best = then.fit, result
        return best[1]
