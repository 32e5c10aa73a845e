"""Turns of the side to roll of which something was not seen: dice lifted or rolled out of sight, plays beside dice that nobody could read."""

from __future__ import annotations

from typing import Literal

from pi_board import events as ev
from pi_board.referee.dice.pair import Pair
from pi_board.referee.explanations import (
    Evidence,
    Reconciled,
    Turn,
    may_have_no_move,
    shows,
    turn_of,
)
from pi_board.referee.looks import POOR_FIT
from pi_board.referee.one_turn import (
    is_of_one_turn,
    moved_one_of_theirs,
)
from pi_board.referee.seeing_part import SeeingPart
from pi_board.rules import Position, Side, opponent, winner
from pi_board.table import Phase


class UnseenTurns(SeeingPart):
    """What the board tells about a roll that was played."""

    def played_a_rejected_roll(self, evidence: Evidence, pair: Pair) -> None:
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
        self.rolls.rolled(pair, note="played although to be thrown again")
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
        agreed = self.looks.agree_on("unread", frozenset((t.dice, t.side, f.position) for t, f in fits))
        ends = {found.position for _, found in fits}
        told = len(ends) == 1 and all(p is not None and (lifted or winner(p) is not None) for p in ends)
        if (len(fits) == 1 or told) and agreed:
            self.take_from_play(pair, *fits[0])

    def played_unseen(self, evidence: Evidence, pair: Pair | None) -> bool:
        """Dice that nobody could see were played, and the game has gone on (the next dice lie there, what looked like dice has been lifted, or
        the picture is known to show a finished play): the play tells the dice, if only one roll fits. True when it was so."""
        s = self.state
        lifted = pair is None and self.looks.dice.lifted_unread
        went_on = self.options.key_frames or lifted or (pair is not None and pair.values is not None)
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
        if not fits and theirs and (left := self.left_otherwise_than(s.position)) is not None:
            fits = self._fits_unseen(left, s.position, s.side)
        if (
            not fits
            and self.options.key_frames
            and pair is None
            and may_have_no_move(s.position, s.side, self.rules)
        ):
            # He has rolled, could not move, and the other has played.
            fits = self._fits_unseen(evidence, s.position, opponent(s.side))
        agreed = self.looks.agree_on("unseen", frozenset((t.dice, f.position) for t, f in fits))
        # Several rolls may lead there. If the next dice lie on the other player's side, it is his turn in any
        # case, and so it is where pictures show finished plays only. (A roll of which a play only nearly lies there is not to be taken from it.)
        read_one = lifted and self.looks.dice.lone is not None
        one_end = (self.options.key_frames or read_one) and len({found.position for _, found in fits}) == 1
        gone_on = bool(fits) and (theirs or len(fits) == 1 or one_end) and fits[0][1].play is not None
        if theirs and fits and (glimpsed := self.seen_once_otherwise(s.side, fits)) is not None:
            # (He may have played it wrongly: that is the next thing to be asked.)
            if agreed:
                self.roll_glimpsed(glimpsed, s.side, "seen once")
                self.looks.grounds.doubt("guessed_dice")
            return True
        if gone_on and agreed:
            self.take_from_play(None, *fits[0])
        return gone_on

    def seen_once_otherwise(self, side: Side, fits: list[tuple[Turn, Reconciled]]) -> Pair | None:
        """Dice that were seen in `side`'s half once, and lifted before a second look or the next dice, and that are hardly misread of one
        that fits."""
        pair = self.looks.glimpsed_by(side)
        if pair is None or not self.looks.custom:
            return None
        is_another = all(pair.may_be(turn.dice) <= 1 - self.options.dice_doubt for turn, _ in fits)
        return pair if is_another else None

    def roll_glimpsed(self, pair: Pair, side: Side, note: str) -> None:
        assert pair.values is not None
        self.looks.remember_roll(pair)
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
            # (What was to be rolled again may have been played all the same.)
            likelier = (max(rejected.values), min(rejected.values))
            fits = [] if any(turn.dice == likelier for turn, _ in fits) else fits
        # One of them may have been seen, the other behind a cup.
        return [fit for fit in fits if self.looks.dice.lone in fit[0].dice] or fits

    def left_otherwise_than(self, before: Position) -> Evidence | None:
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
        """Dice that were seen once, and well, and lifted before a second look, or that were to be rolled again and were not: the
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
        if pair is None or (lies := self.whole_play(evidence, pair, side, before)) is None:
            return False
        self.take_glimpsed(pair, *lies, note)
        return True

    def whole_play(
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
        agreed = self.looks.agree_on(name, (turn.dice, found.position if name == "glimpsed" else None))
        return (turn, found) if agreed else None

    def take_glimpsed(self, pair: Pair, turn: Turn, found: Reconciled, note: str) -> None:
        self.roll_glimpsed(pair, turn.side, note)
        self.looks.grounds.doubt("rejected_dice", pair.cocked)
        self.turns.lawful_play(turn, found)

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
        seen = self.going_on.left_by(turn) or self.looks.read_board(evidence, s.position)[0]
        if seen is None or seen == s.position:
            return False
        if not (is_of_one_turn(turn, seen) or moved_one_of_theirs(turn, seen)):
            return False
        if self.looks.agree_on("played_unknown", seen) and pair.looks >= self.options.agree_looks:
            self.say(ev.PositionCorrected, position=seen, side=opponent(s.side), by="vision")
            self.rolls.rolled(pair)
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

    def guess_taken_back(self, evidence: Evidence) -> bool:
        """The turn before was taken from its play, and the board lies as before it again: so it was another roll, played wrongly and
        put back, or it was none. Nothing is known of its dice any more, and they may still lie there. True when it is so."""
        s, last = self.state, self.state.last
        if last is None or s.position is None or not self.looks.grounds.doubts("guessed_dice"):
            return False
        if last.position == s.position or evidence.score(s.position) >= -self.options.slack:
            return False
        if not self.looks.clearly_shows(evidence, last.position):
            return False
        if self.looks.agree_on("guess_taken_back", last.position):
            self.say(ev.TurnReopened, side=last.side, dice=last.dice, position=last.position)
            self.forget_the_guess(last.side, last.position)
        return True

    def forget_the_guess(self, side: Side, before: Position) -> None:
        """`side` is to roll again, from `before`: the dice that were taken from a play cannot be those that he plays now."""
        self.say(ev.PositionCorrected, position=before, side=side, by="vision")
        self.looks.grounds.dispel("guessed_dice")
        self.looks.used = 0  # what lies there has told no roll

    def rolled_again_and_plays(self, evidence: Evidence) -> bool:
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
        if self.looks.agree_on("thrown_again", dice) and pair.looks >= self.options.agree_looks:
            self.rolls.roll_again(s.side, pair, "anything was played")
        return True
