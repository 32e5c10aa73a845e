"""Turns of the opponent that have gone by, or begun, before anybody saw that the one in hand was over."""

from __future__ import annotations

import numpy as np

from pi_board.referee.dice.pair import Pair
from pi_board.referee.explanations import (
    ACCUSING_FIT,
    Evidence,
    Reconciled,
    Turn,
    turn_of,
)
from pi_board.referee.going_on import LIKELY_PLAYS
from pi_board.referee.one_turn import (
    is_of_one_turn,
    moved_one_of_theirs,
    own_part,
    touched_nothing,
)
from pi_board.referee.seeing_part import SeeingPart, SeeingTableInterface
from pi_board.rules import Position, Side, opponent, winner
from pi_board.table import Phase


class NextTurns(SeeingPart):
    """What the board tells of the turn after this one, as far as the opponent's dice were seen."""

    def __init__(self, table: SeeingTableInterface) -> None:
        super().__init__(table)
        # (What the turn before left, turn, what was found) beside the only die of the next roll that was seen.
        self._beside_one: tuple[Position, Turn, Reconciled] | None = None

    def next_played_glimpsed(self, evidence: Evidence) -> bool:
        """The opponent's dice were seen beside his hand or once at rest, before a look had shown that this turn was over, and a whole lawful
        play of them lies there. True when it was so."""
        s, glimpse = self.state, self.looks.dice.glimpse
        if not self.looks.is_claimed or s.board is None or s.side is None or winner(s.board) is not None:
            return False
        if glimpse is None or glimpse.cocked or self.looks.dice.coming or not self.looks.claimed_by_lifting:
            return False
        turn = self.looks.turn()
        if self.looks.reconcile(evidence, turn).kind in ("legal", "before", "partial"):
            return False
        # (What was seen of the play while the dice lay there counts.)
        lies = self.unseen_turns.whole_play(
            evidence, glimpse, opponent(turn.side), s.board, "next_has_played"
        )
        if lies is None:
            return False
        self.going_on.gone_on(turn, s.board, None)
        self.unseen_turns.take_glimpsed(glimpse, *lies, "seen once, and played")
        self.looks.dice.glimpse = None
        return True

    def both_played_glimpsed(self, evidence: Evidence) -> bool:
        """The roll was played out of sight, and the opponent's dice were seen once or beside his hand, in his own half, and lifted: lawful plays
        of both explain the board, as no play of this roll does. True when it was so. (At the end of a game no other dice follow.)"""
        s, glimpse = self.state, self.looks.dice.glimpse
        if s.phase is not Phase.PLAY or s.side is None or glimpse is None or glimpse.values is None:
            return False
        if glimpse.cocked or glimpse.confidence < self.options.dice_doubt or self.looks.dice.coming:
            return False
        turn = self.looks.turn()
        theirs_by_place = self.looks.custom and set(glimpse.halves) == {opponent(turn.side)}
        if not theirs_by_place or not self.looks.claimed_by_lifting:
            return False
        if self.looks.reconcile(evidence, turn).kind in ("legal", "before", "partial"):
            return False
        fits = self._fits_of_both(evidence, turn, glimpse)
        count, _ = self.looks.steady("both_glimpsed", tuple((p, f.position) for p, _, f in fits[:1]))
        self.looks.waiting |= bool(fits)
        if not fits or count < self.options.agree_looks:
            return bool(fits)
        left, theirs, found = fits[0]
        self.going_on.goes_on_from(turn, left, None)
        self.unseen_turns.take_glimpsed(glimpse, theirs, found, "seen once, and played")
        self.looks.dice.glimpse = None
        return True

    def next_played_unread(self, evidence: Evidence) -> bool:
        """The opponent has rolled dice that can't be read, or were never seen (the next ones lie in the first player's
        half again), and has played them: this turn is over. True when it was so."""
        s, pair = self.state, self.looks.fresh()
        if not self.looks.is_claimed or pair is None or s.board is None:
            return False
        turn = self.looks.turn()
        unread = pair.values is None
        again = not unread and self.looks.in_the_same_half(pair, turn.side)
        if not unread and not (again and self.looks.rolled_after_lifting(pair)):
            return False
        found = self.looks.reconcile(evidence, turn)
        if found.kind in ("legal", "before", "partial"):
            return False
        fits = self.looks.fitting(evidence, pair if unread else None, s.board, (opponent(turn.side),))
        if not fits and again and (left := self.unseen_turns.left_otherwise_than(s.board)) is not None:
            fits = self.looks.fitting(left, None, s.board, (opponent(turn.side),))
        agreed = self.looks.agree_on("next_unread", frozenset((t.dice, f.position) for t, f in fits))
        told = len(fits) == 1 or (again and bool(fits) and fits[0][1].play is not None)
        if told and agreed:
            known, theirs = self.looks.used, opponent(turn.side)
            seen_otherwise = None if unread else self.unseen_turns.seen_once_otherwise(theirs, fits)
            self.going_on.gone_on(turn, s.board, None)
            if not unread:
                self.looks.used = known  # the dice that lie there are of the turn after that
            if seen_otherwise is not None:
                self.unseen_turns.roll_glimpsed(seen_otherwise, theirs, "seen once")
                self.looks.grounds.doubt("guessed_dice")
            else:
                self.unseen_turns.take_from_play(pair if unread else None, *fits[0])
            if not unread:
                self.turns.turn_may_end(pair)
        return told

    def next_played_without_dice(self, evidence: Evidence) -> bool:
        """In pictures of finished moments nobody could see the opponent's dice, and a lawful play of his lies there, as no play of this roll
        does: this turn is over. True while it is so. (88_00: of dice that are six pixels wide no roll was read, and every play was.)"""
        s = self.state
        if not self.options.key_frames or s.side is None or self.looks.fresh() is not None:
            return False
        board = self._left_in_a_finished_moment()
        if board is None or winner(board) is not None:
            return False
        turn = self.looks.turn()
        if self.looks.reconcile(evidence, turn).kind in ("legal", "before", "partial"):
            return False
        fits = self.looks.fitting(evidence, None, board, (opponent(turn.side),))
        ends = {found.position for _, found in fits}
        if len(ends) != 1 or fits[0][1].play is None or fits[0][1].fit < ACCUSING_FIT:
            return False
        if self.looks.agree_on("next_without_dice", frozenset(ends)):
            if s.phase is Phase.PLAYED:
                self.going_on.gone_on(turn, board, None)
            else:
                self.faults.went_on_with_other_dice(turn, board)
            self.unseen_turns.take_from_play(None, *fits[0])
        return True

    def _left_in_a_finished_moment(self) -> Position | None:
        """What this turn has left: what was announced, or asked about because its dice were read otherwise."""
        s = self.state
        if s.phase is Phase.PLAYED:
            return s.board
        asked = s.trouble if s.phase is Phase.PLAY else None
        return asked.seen if asked is not None and asked.doubts == "dice" else None

    def next_played_beside_one(self, evidence: Evidence) -> bool:
        """The opponent has rolled, one of his dice lies out of sight (behind a cup), and he has played: rolls with the number of the
        other lead to this board, and to no other. While that die lies there he may be half done; once it has gone, this turn is over. True while it is so."""
        s, dice, pair = self.state, self.looks.dice, self.looks.fresh()
        if not self.looks.is_claimed or s.board is None:
            return False
        turn, lay = self.looks.turn(), self._beside_one
        if not self._lone_may_be_of(opponent(turn.side)):
            return False
        lay = lay if lay is not None and lay[0] == s.board else None
        if pair is not None:
            # The first player has rolled again, and may be playing already.
            gone_on = lay is not None and self.looks.in_the_same_half(pair, turn.side)
            return gone_on and self._goes_on_after(turn, lay)
        found = self.looks.reconcile(evidence, turn)
        if found.kind in ("legal", "before", "partial"):
            return False
        fits = self.looks.fitting(evidence, None, s.board, (opponent(turn.side),))
        fits = [(t, f) for t, f in fits if dice.lone in t.dice and f.play is not None]
        ends = {f.position for _, f in fits}
        if len(ends) != 1:
            busy = dice.lone_lies and found.position is not None and self.next_has_begun(turn, found.position)
            self.looks.waiting |= busy
            return busy
        agreed = self.looks.agree_on("beside_one", frozenset(ends))
        if dice.lone_lies:
            self._beside_one = (s.board, *fits[0]) if agreed else lay
            return True
        same = lay is not None and {lay[2].position} == ends
        return not (same or agreed) or self._goes_on_after(turn, (s.board, *fits[0]))

    def next_has_begun(self, turn: Turn, seen: Position) -> bool:
        """A die was seen by itself since `turn`'s were lifted, and what was moved since then is the opponent's work."""
        board, lone = self.state.board, self._lone_may_be_of(opponent(turn.side))
        if not self.looks.is_claimed or not lone or board is None or seen == board:
            return False
        # (With which roll nobody knows: as many as with doubles.)
        return is_of_one_turn(turn_of(board, (6, 6), opponent(turn.side), self.rules), seen)

    def _lone_may_be_of(self, side: Side) -> bool:
        """A die was seen by itself, and `side` may have rolled it: not where everybody rolls into his own half and it lay in the other's."""
        dice = self.looks.dice
        return dice.lone is not None and not (self.looks.custom and dice.lone_half == opponent(side))

    def _goes_on_after(self, turn: Turn, next_one: tuple[Position, Turn, Reconciled] | None) -> bool:
        """`turn` is over, and `next_one` was played. The dice that lie there, if any do, are of the turn after that."""
        assert next_one is not None
        board, theirs, found = next_one
        known, self._beside_one = self.looks.used, None
        self.going_on.gone_on(turn, board, None)
        self.looks.used = known
        self.unseen_turns.take_from_play(None, theirs, found)
        return True

    def both_played_unseen(self, evidence: Evidence) -> bool:
        """The roll was played out of sight and so was the opponent's, which nobody has seen: the next dice lie in the first player's
        half again, and lawful plays of both explain the board, as no play of this roll does. True when it was so."""
        s, pair = self.state, self.looks.fresh()
        if s.phase not in (Phase.PLAY, Phase.ILLEGAL) or pair is None or pair.values is None:
            return False
        if s.side is None or s.position is None:
            return False
        if s.opening and self.turns.repeats(self.looks.turn().dice):
            return False
        if not self.looks.in_the_same_half(pair, s.side) or not self.looks.custom:
            return False
        turn = self.looks.turn()
        found = self.looks.reconcile(evidence, turn)
        if not turn.can_move:
            if evidence.score(turn.before) >= -self.options.slack:
                return False
        elif found.kind != "illegal" or found.position is None or is_of_one_turn(turn, found.position):
            return False
        fits = self._fits_of_both(evidence, turn)
        if not fits and (left := self.unseen_turns.left_otherwise_than(s.position)) is not None:
            # (Who rolled the next dice may be playing them already.)
            fits = self._fits_of_both(left, turn)
        agreed = self.looks.agree_on("both_unseen", tuple((p, t.dice, f.position) for p, t, f in fits[:1]))
        lay_so = self.looks.lay_there is not None and self.looks.lay_there.key == found.key
        if fits and (lay_so or agreed):
            play, theirs, then = fits[0]
            known = self.looks.used
            self.going_on.goes_on_from(turn, play, None)
            self.looks.used = known  # the dice that lie there are of the turn after that
            self.unseen_turns.take_from_play(None, theirs, then)
            self.turns.turn_may_end(pair)
        return bool(fits)

    def _fits_of_both(
        self, evidence: Evidence, turn: Turn, pair: Pair | None = None
    ) -> list[tuple[Position, Turn, Reconciled]]:
        """(Result of a lawful play of `turn`, the opponent's turn after it, his play), likeliest first. pair: the dice of the latter, as far as
        they could be read."""
        results = [turn.before]
        if turn.can_move:
            scores = evidence.scores(turn.legal_counts)
            least = scores.max() - self.options.red_margin
            results = [
                turn.legal[int(i)].result for i in np.argsort(-scores)[:LIKELY_PLAYS] if scores[i] >= least
            ]
        fits: list[tuple[Position, Turn, Reconciled]] = []
        for result in results:
            if winner(result) is not None:
                continue
            fits += [
                (result, *fit)
                for fit in self.looks.fitting(evidence, pair, result, (opponent(turn.side),))
                if fit[1].play is not None and fit[1].fit >= ACCUSING_FIT
            ]
        return sorted(fits, key=lambda fit: -fit[2].fit)

    def next_has_played(self, evidence: Evidence) -> bool:
        """The opponent has rolled and already moved before his dice had been looked at twice. True when it was so."""
        s, pair = self.state, self.looks.fresh()
        board = s.board
        if not self.looks.is_claimed or board is None:
            return False
        turn = self.looks.turn()
        if pair is None and s.opening and self.turns.repeats(turn.dice):
            # The opening dice may stay on the board for the second player.
            dice, seen = turn.dice, self.options.agree_looks
        elif pair is not None and pair.values is not None:
            dice, seen = (max(pair.values), min(pair.values)), pair.seen
        else:
            return False
        if self.looks.reconcile(evidence, turn).kind in ("legal", "before", "partial"):
            return False
        theirs = turn_of(board, dice, opponent(turn.side), self.rules)
        found = self.looks.reconcile(evidence, theirs)
        # A player who was told of a fault may be putting his play right. If only the other's checkers moved,
        # the other has played.
        played = (
            found.position is not None
            and is_of_one_turn(theirs, found.position)
            and not touched_nothing(board, found.position, theirs.side)
        )
        # (Who repeats the opening numbers rolls no dice: a whole play of his shows that it is his turn, whatever else he has moved.)
        if pair is None and found.position is not None:
            played |= self._whole_beside_one_of_the_others(theirs, found.position)
        # (What was asked about before his dice lay there is not his work.)
        lay_so = s.trouble is not None and s.trouble.seen is not None and found.position == s.trouble.seen
        wrongly = (
            found.kind == "illegal"
            and not lay_so
            and (played or (pair is not None and s.phase is Phase.PLAYED))
        )
        if found.kind not in ("legal", "partial") and not wrongly:
            return False
        agreed = self.looks.lay_there
        if pair is not None and agreed is not None and agreed.position == found.position != board:
            # It lay so before his dice did.
            return False
        # (A play in progress changes from look to look; a wrong play stays as it is.)
        still = self.looks.agree_on("next_has_played", (dice, found.key if found.kind == "illegal" else None))
        if still and seen >= self.options.agree_looks:
            # (While the dice of the first player lie there, a fault beside his play may still be his own work.)
            may_be_the_firsts = pair is None and found.kind == "illegal" and not self.looks.dice_lifted
            # (What the looks agreed on before his dice lay there may explain his play as well as what was announced.)
            left = self.going_on.seen_before(pair, evidence, turn) if pair is not None else None
            if left is None or left == board:
                self.going_on.gone_on(turn, board, pair)
            else:
                self.going_on.goes_on_from(turn, left, pair)
            if may_be_the_firsts:
                self.looks.grounds.doubt("guessed_turn")
        return True

    def _whole_beside_one_of_the_others(self, turn: Turn, seen: Position) -> bool:
        """`seen` is a whole lawful play of `turn` and one of the other's checkers moved along with it."""
        part = own_part(turn.before, seen, turn.side) if moved_one_of_theirs(turn, seen) else None
        return part is not None and part != turn.before and turn.play_to(part) is not None
