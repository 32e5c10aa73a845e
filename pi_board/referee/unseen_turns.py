"""Turns of which something was not seen: dice lifted or thrown out of sight, plays beside dice that nobody could read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import numpy as np

from pi_board import events as ev
from pi_board.events import Dice
from pi_board.referee.dice.pair import Pair
from pi_board.referee.explanations import (
    ACCUSING_FIT,
    Evidence,
    Reconciled,
    Turn,
    shows,
    stack_looks_lower,
    turn_of,
)
from pi_board.referee.looks import POOR_FIT
from pi_board.referee.one_turn import (
    is_of_one_turn,
    moved_one_of_theirs,
    own_part,
    touched_nothing,
    with_theirs_on_the_bar,
)
from pi_board.referee.seeing_part import SeeingPart, SeeingTableInterface
from pi_board.rules import Position, Side, opponent, winner
from pi_board.table import Phase

#: Lawful plays looked at when the opponent has rolled already.
LIKELY_PLAYS = 8


class UnseenTurns(SeeingPart):
    """What the board tells about a roll, and about the turn before."""

    def __init__(self, table: SeeingTableInterface) -> None:
        super().__init__(table)
        # (What the turn before left, turn, what was found) beside the only die of the next roll that was seen.
        self._beside_one: tuple[Position, Turn, Reconciled] | None = None

    def played_a_rejected_throw(self, evidence: Evidence, pair: Pair) -> None:
        """The players took a roll that was to be repeated and play it: their agreement counts. If the play is wrong, perhaps they
        have agreed on another number than I read."""
        s = self.state
        if pair.values is None or s.position is None or s.side is None or not s.waits_for:
            return
        turn = turn_of(s.position, (max(pair.values), min(pair.values)), s.side, self.rules)
        found = self.looks.reconcile(evidence, turn)
        count, _ = self.looks.steady("rejected", found.key)
        theirs = (
            found.kind == "illegal" and found.position is not None and is_of_one_turn(turn, found.position)
        )
        if not (found.kind in ("legal", "partial") or theirs) or count < self.options.agree_looks:
            return
        self.rolls.thrown(pair, note="played although to be thrown again")
        self.looks.grounds.doubt("rejected_dice")
        if found.kind == "legal":
            self.turns.lawful_play(turn, found)

    def unread_but_played(self, evidence: Evidence, pair: Pair, sides: tuple[Side, ...]) -> None:
        """A die that can't be read, and a play: if exactly one number fits the play, that was the number. It is said. If several do, and
        the board is the same with each of them, the play is known all the same once the dice are lifted or it has won the game."""
        s = self.state
        if (
            s.position is None
            or pair.looks < self.options.agree_looks
            or shows(evidence, s.position, slack=self.options.slack)
        ):
            return
        lifted = self.looks.dice.absent > 0
        fits = self.looks.fitting(evidence, pair, s.position, sides, under_way=not lifted)
        count, _ = self.looks.steady("unread", frozenset((t.dice, t.side, f.position) for t, f in fits))
        self.looks.waiting = True
        ends = {found.position for _, found in fits}
        told = len(ends) == 1 and all(p is not None and (lifted or winner(p) is not None) for p in ends)
        if not (len(fits) == 1 or told) or count < self.options.agree_looks:
            return
        self.take_from_play(pair, *fits[0])

    def played_unseen(self, evidence: Evidence, pair: Pair | None) -> bool:
        """Dice that nobody could see were played, and the game has gone on (the next dice lie there, or the picture is
        known to show a finished play): the play tells the dice, if only one roll fits. True when it was so."""
        s = self.state
        went_on = self.options.key_frames or (pair is not None and pair.values is not None)
        if not went_on or s.position is None or s.side is None:
            return False
        # Borne-off checkers are seen only by their absence, which `shows` would forgive.
        if evidence.score(s.position) >= -self.options.slack:
            return False
        theirs = pair is not None and set(pair.halves) == {opponent(s.side)}
        if s.waits_for and not theirs:
            return False
        if (
            pair is not None
            and pair.values is not None
            and not theirs
            and (
                pair.before_the_play
                or self._too_soon(pair, s.side)
                or self.looks.may_be_play_of(pair.values, s.side, evidence)
            )
        ):
            return False
        fits = self._fits_unseen(evidence, s.position, s.side)
        if not fits and theirs and (left := self._left_otherwise_than(s.position)) is not None:
            fits = self._fits_unseen(left, s.position, s.side)
        count, _ = self.looks.steady("unseen", frozenset((t.dice, f.position) for t, f in fits))
        self.looks.waiting = True
        # Several rolls may lead there. If the next dice lie on the other player's side, it is his turn in any
        # case. (A roll of which a play only nearly lies there is not to be taken from it.)
        gone_on = bool(fits) and (theirs or len(fits) == 1) and fits[0][1].play is not None
        if theirs and fits and (glimpsed := self._seen_once_otherwise(s.side, fits)) is not None:
            # (He may have played it wrongly: that is the next thing to be asked.)
            if count >= self.options.agree_looks:
                self._roll_glimpsed(glimpsed, s.side, "seen once")
                self.looks.grounds.doubt("guessed_dice")
            return True
        if gone_on and count >= self.options.agree_looks:
            self.take_from_play(None, *fits[0])
        return gone_on

    def _seen_once_otherwise(self, side: Side, fits: list[tuple[Turn, Reconciled]]) -> Pair | None:
        """Dice that were seen in `side`'s half once, and lifted before a second look or the next dice, and that are hardly misread of one
        that fits."""
        pair = self.looks.glimpsed_by(side)
        if pair is None or not self.looks.custom:
            return None
        is_another = all(pair.may_be(turn.dice) <= 1 - self.options.dice_doubt for turn, _ in fits)
        return pair if is_another else None

    def _roll_glimpsed(self, pair: Pair, side: Side, note: str) -> None:
        assert pair.values is not None
        self.looks.remember_throw(pair)
        self.rolls.roll(side, (max(pair.values), min(pair.values)), pair.confidence, note)

    def played_before_a_double(self) -> None:
        """Somebody doubles, and the side to roll has moved with dice that were not read: that turn is finished, so the double is the
        opponent's. The play tells the dice, if only one roll fits that has the die that was seen."""
        s, evidence = self.state, self.looks.evidence
        if (
            s.phase is not Phase.ROLL
            or s.waits_for
            or s.side is None
            or s.position is None
            or evidence is None
        ):
            return
        doubles = opponent(s.side)
        if (
            not s.match.may_double(doubles, on_roll=doubles)
            or evidence.score(s.position) >= -self.options.slack
        ):
            return
        fits = self._fits_unseen(evidence, s.position, s.side)
        if len(fits) == 1 and fits[0][1].play is not None:
            self.take_from_play(None, *fits[0])

    def _fits_unseen(self, evidence: Evidence, before: Position, side: Side) -> list[tuple[Turn, Reconciled]]:
        """`looks.fitting` of a roll that nobody read, with the die that was seen if one was."""
        fits = self.looks.fitting(evidence, None, before, (side,))
        rejected = self.looks.rejected if self.state.waits_for else None
        if rejected is not None and rejected.values is not None:
            # (What was to be thrown again may have been played all the same.)
            likelier = (max(rejected.values), min(rejected.values))
            fits = [] if any(turn.dice == likelier for turn, _ in fits) else fits
        # One of them may have been seen, the other behind a cup.
        return [fit for fit in fits if self.looks.dice.lone in fit[0].dice] or fits

    def _left_otherwise_than(self, before: Position) -> Evidence | None:
        """What was seen before the next dice came (who rolled them may be playing already), unless it was `before`."""
        left = self.hindsight.left
        if left is None or left.score(before) >= -self.options.slack:
            return None
        return self.looks.witnesses.hear(left)

    def _too_soon(self, pair: Pair, side: Side) -> bool:
        """`pair` lies where `side` rolls, and the board lay as it was left until a moment ago: no other roll can have been played and
        these rolled since. They are `side`'s, however he has played them."""
        return set(pair.halves) == {side} and self.looks.no_turn_since_as_left(pair, side)

    def played_glimpsed(self, evidence: Evidence) -> bool:
        """Dice that were seen once, and well, and lifted before a second look, or that were to be thrown again and were not: the
        board shows a whole lawful play of them, so it was a roll. True when it was so."""
        s, glimpse = self.state, self.looks.dice.glimpse
        if s.side is None or s.position is None or self.looks.dice.coming:
            return False
        if evidence.score(s.position) >= -self.options.slack:
            return False
        # (What was seen while a roll was to be repeated is the next one only if the first had been lifted before.)
        counts = glimpse is not None and not glimpse.cocked and bool(not s.waits_for or glimpse.gap)
        if counts and self._lies_played(evidence, glimpse, s.side, s.position, "seen once, and played"):
            self.looks.dice.glimpse = None
            return True
        passing = self.looks.dice.in_passing.get(s.side)
        if not s.waits_for and self._lies_played(
            evidence, passing, s.side, s.position, "seen once, and played"
        ):
            return True
        rejected = self.looks.rejected if s.waits_for else None
        note = "played although to be thrown again"
        return self._lies_played(evidence, rejected, s.side, s.position, note)

    def _lies_played(
        self, evidence: Evidence, pair: Pair | None, side: Side, before: Position, note: str
    ) -> bool:
        """A whole lawful play of these dice, which lie there no more, lies on the board; after some looks it is taken. True when it
        has been."""
        if pair is None or (lies := self._whole_play(evidence, pair, side, before)) is None:
            return False
        self._take_glimpsed(pair, *lies, note)
        return True

    def _whole_play(
        self,
        evidence: Evidence,
        pair: Pair,
        side: Side,
        before: Position,
        name: Literal["glimpsed", "next_has_played"] = "glimpsed",
    ) -> tuple[Turn, Reconciled] | None:
        """The lawful play of these dice that lies there, once enough looks have shown one. name: under which they are counted."""
        if pair.values is None or pair.confidence < self.options.dice_doubt:
            return None
        if opponent(side) in pair.halves:
            return None
        turn = turn_of(before, (max(pair.values), min(pair.values)), side, self.rules)
        found = self.looks.reconcile(evidence, turn)
        if found.kind != "legal" or found.play is None or found.fit < POOR_FIT:
            return None
        count, _ = self.looks.steady(name, (turn.dice, found.position if name == "glimpsed" else None))
        self.looks.waiting = True
        return (turn, found) if count >= self.options.agree_looks else None

    def _take_glimpsed(self, pair: Pair, turn: Turn, found: Reconciled, note: str) -> None:
        self._roll_glimpsed(pair, turn.side, note)
        self.looks.grounds.doubt("rejected_dice", pair.cocked)
        self.turns.lawful_play(turn, found)

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
        lies = self._whole_play(evidence, glimpse, opponent(turn.side), s.board, "next_has_played")
        if lies is None:
            return False
        self.gone_on(turn, s.board, None)
        self._take_glimpsed(glimpse, *lies, "seen once, and played")
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
        self.goes_on_from(turn, left, None)
        self._take_glimpsed(glimpse, theirs, found, "seen once, and played")
        self.looks.dice.glimpse = None
        return True

    def played_unknown(self, evidence: Evidence, pair: Pair | None) -> bool:
        """The side to roll has moved, no roll that I know of explains how, and the other has rolled in his own half: who rolls
        while an amber question stands has answered it, and the game goes on from the board. True when it is so."""
        s = self.state
        if s.trouble is None or s.position is None or s.side is None or pair is None or pair.values is None:
            return False
        if pair.cocked or not self.looks.custom or set(pair.halves) != {opponent(s.side)}:
            return False
        turn = turn_of(s.position, (6, 6), s.side, self.rules)
        # (Who has rolled may be playing already.)
        seen = self._left_by(turn) or self.looks.read_board(evidence, s.position)[0]
        if seen is None or seen == s.position:
            return False
        if not (is_of_one_turn(turn, seen) or moved_one_of_theirs(turn, seen)):
            return False
        count, _ = self.looks.steady("played_unknown", seen)
        self.looks.waiting = True
        if count >= self.options.agree_looks and pair.looks >= self.options.agree_looks:
            self.say(ev.PositionCorrected, position=seen, side=opponent(s.side), by="vision")
            self.rolls.thrown(pair)
            self.looks.grounds.doubt("guessed_start")
        return True

    def take_from_play(self, pair: Pair | None, turn: Turn, found: Reconciled) -> None:
        if pair is not None:
            self.looks.used = pair.serial
        self.looks.sure = None
        self.rolls.roll(turn.side, turn.dice, 0.0, "taken from the play")
        self.looks.grounds.doubt("guessed_dice")
        words = f"The dice could not be read; {turn.dice[0]}-{turn.dice[1]} is taken from the play."
        self.say(ev.Noticed, code="notice_dice_from_play", reason=words, side=turn.side)
        self.turns.lawful_play(turn, found)

    def threw_again_and_plays(self, evidence: Evidence) -> bool:
        """The dice were lifted with nothing played, others lie where they had lain, and what lies on the board is of a play of
        these: the same player once more (he saw a die leaning that I took for flat). True when it is so."""
        s, pair = self.state, self.looks.fresh()
        if (
            not self.looks.unplayed
            or s.phase is not Phase.PLAY
            or s.side is None
            or s.position is None
            or pair is None
        ):
            return False
        if pair.values is None or self.looks.dice.crowded or not self.looks.in_the_same_half(pair, s.side):
            return False
        turn, dice = self.looks.turn(), (max(pair.values), min(pair.values))
        again = self.looks.reconcile(evidence, turn_of(s.position, dice, s.side, self.rules))
        if again.kind not in ("partial", "legal"):
            return False
        # Both rolls may lead to what lies there, as when the last checkers are borne off. Where everybody rolls into his own half, the
        # place of the dice tells whose they are.
        if self.looks.reconcile(evidence, turn).kind == "legal" and not self.looks.custom:
            return False
        count, _ = self.looks.steady("thrown_again", dice)
        self.looks.waiting = True
        if count >= self.options.agree_looks and pair.looks >= self.options.agree_looks:
            self.rolls.throw_again(s.side, pair, "anything was played")
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
        if not fits and again and (left := self._left_otherwise_than(s.board)) is not None:
            fits = self.looks.fitting(left, None, s.board, (opponent(turn.side),))
        count, _ = self.looks.steady("next_unread", frozenset((t.dice, f.position) for t, f in fits))
        self.looks.waiting = True
        told = len(fits) == 1 or (again and bool(fits) and fits[0][1].play is not None)
        if told and count >= self.options.agree_looks:
            known, theirs = self.looks.used, opponent(turn.side)
            seen_otherwise = None if unread else self._seen_once_otherwise(theirs, fits)
            self.gone_on(turn, s.board, None)
            if not unread:
                self.looks.used = known  # the dice that lie there are of the turn after that
            if seen_otherwise is not None:
                self._roll_glimpsed(seen_otherwise, theirs, "seen once")
                self.looks.grounds.doubt("guessed_dice")
            else:
                self.take_from_play(pair if unread else None, *fits[0])
            if not unread:
                self.turns.turn_may_end(pair)
        return told

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
        count, _ = self.looks.steady("beside_one", frozenset(ends))
        self.looks.waiting = True
        agreed = count >= self.options.agree_looks
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
        """A die was seen by itself, and `side` may have thrown it: not where everybody rolls into his own half and it lay in the other's."""
        dice = self.looks.dice
        return dice.lone is not None and not (self.looks.custom and dice.lone_half == opponent(side))

    def _goes_on_after(self, turn: Turn, next_one: tuple[Position, Turn, Reconciled] | None) -> bool:
        """`turn` is over, and `next_one` was played. The dice that lie there, if any do, are of the turn after that."""
        assert next_one is not None
        board, theirs, found = next_one
        known, self._beside_one = self.looks.used, None
        self.gone_on(turn, board, None)
        self.looks.used = known
        self.take_from_play(None, theirs, found)
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
        if not fits and (left := self._left_otherwise_than(s.position)) is not None:
            # (Who rolled the next dice may be playing them already.)
            fits = self._fits_of_both(left, turn)
        count, _ = self.looks.steady("both_unseen", tuple((p, t.dice, f.position) for p, t, f in fits[:1]))
        self.looks.waiting = True
        lay_so = self.looks.lay_there is not None and self.looks.lay_there.key == found.key
        if fits and (lay_so or count >= self.options.agree_looks):
            play, theirs, then = fits[0]
            known = self.looks.used
            self.goes_on_from(turn, play, None)
            self.looks.used = known  # the dice that lie there are of the turn after that
            self.take_from_play(None, theirs, then)
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
        # (Who repeats the opening numbers throws no dice: a whole play of his shows that it is his turn, whatever else he has moved.)
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
        count, _ = self.looks.steady(
            "next_has_played", (dice, found.key if found.kind == "illegal" else None)
        )
        self.looks.waiting = True
        if count >= self.options.agree_looks and seen >= self.options.agree_looks:
            # (While the dice of the first player lie there, a fault beside his play may still be his own work.)
            may_be_the_firsts = pair is None and found.kind == "illegal" and not self.looks.dice_lifted
            # (What the looks agreed on before his dice lay there may explain his play as well as what was announced.)
            left = self.seen_before(pair, evidence, turn) if pair is not None else None
            if left is None or left == board:
                self.gone_on(turn, board, pair)
            else:
                self.goes_on_from(turn, left, pair)
            if may_be_the_firsts:
                self.looks.grounds.doubt("guessed_turn")
        return True

    def _whole_beside_one_of_the_others(self, turn: Turn, seen: Position) -> bool:
        """`seen` is a whole lawful play of `turn` and one of the other's checkers moved along with it."""
        part = own_part(turn.before, seen, turn.side) if moved_one_of_theirs(turn, seen) else None
        return part is not None and part != turn.before and turn.play_to(part) is not None

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
        yield self._left_by(turn)

    def _left_by(self, turn: Turn) -> Position | None:
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
