"""Dice that may have been read wrongly: what else they may show, and when the play tells it."""

from __future__ import annotations

from pi_board import events as ev
from pi_board.events import Dice
from pi_board.referee.dice.pair import Pair
from pi_board.referee.explanations import Evidence, Reconciled, Turn, turn_of
from pi_board.referee.seeing_part import SeeingPart
from pi_board.rules import Position


class OtherDice(SeeingPart):
    """The rolls that a turn's dice may be instead; a lawful play of one of them may be taken for it."""

    def that_fit(self, turn: Turn, seen: Position | None) -> list[Dice]:
        """The rolls of which `seen` is a legal play, if the dice were not surely read; a sure die keeps its number."""
        if seen is None:
            return []
        return [
            dice
            for dice in self._may_be(turn)
            if turn_of(turn.before, dice, turn.side, self.rules).play_to(seen) is not None
        ]

    def _may_be(self, turn: Turn) -> list[Dice]:
        """The rolls that `turn`'s dice may be instead, with one number other than read."""
        if (likely := self._by_chance(turn)) is not None:
            return likely
        if self.state.dice_confidence >= self.options.dice_red and not self._read_otherwise(turn):
            return []
        sure = self.looks.sure if self.looks.sure and self.looks.sure in turn.dice else None
        return [
            (a, b)
            for a in range(1, 7)
            for b in range(1, a + 1)
            if ((a in turn.dice or b in turn.dice) if sure is None else sure in (a, b))
            and (a, b) != tuple(turn.dice)
        ]

    def _by_chance(self, turn: Turn) -> list[Dice] | None:
        """`_may_be` where what was seen tells how likely each number is; None where it does not."""
        pair = self.looks.rolled
        if pair is None or pair.chosen or self._read_otherwise(turn) or not pair.shows(turn.dice):
            return None
        assert pair.values is not None
        (a, b), (for_a, for_b) = pair.values, (d.may_show(self.options.dice_other) for d in pair.dice)
        if for_a is None or for_b is None:
            return None
        likely = {(n, b) for n in for_a} | {(a, n) for n in for_b}
        return sorted({(max(dice), min(dice)) for dice in likely})

    def may_be_misread(self, turn: Turn) -> bool:
        """Whether `turn`'s dice were read so badly that a play rather tells what they were."""
        return self.state.dice_confidence < self.options.dice_misread or self._read_otherwise(turn)

    def _read_otherwise(self, turn: Turn) -> bool:
        """`turn`'s dice were read otherwise at first, or are now, or were when they were lifted."""
        pair = self.looks.pair_of_turn or self.looks.rolled
        read = pair.values if pair is not None else None
        return self.looks.read_first is not None or (read is not None and sorted(read) != sorted(turn.dice))

    def on_first_reading(self, turn: Turn, seen: Position) -> bool:
        """`seen` is a lawful play, or on the way to one, of what the dice were first taken for."""
        first = self.looks.read_first
        return first is not None and turn_of(turn.before, first, turn.side, self.rules).may_lead_to(seen)

    def first_reading_fits(
        self, evidence: Evidence, found: Reconciled, turn: Turn, fresh: Pair | None
    ) -> bool:
        """The dice were read otherwise at first, are gone now, and of that reading a whole lawful play lies there, as none does of the
        later one: the first was right. True when it was so."""
        first = self.looks.read_first
        if first is None or turn.side != self.state.side or not (self.looks.dice_lifted or fresh):
            return False
        if found.kind in ("legal", "before"):
            return False
        other = self.looks.reconcile(evidence, turn_of(turn.before, first, turn.side, self.rules))
        count, _ = self.looks.steady("read_first", (first, other.key))
        if other.kind != "legal" or count < self.options.agree_looks:
            return False
        return self.take(evidence, turn, first, fresh)

    def take(self, evidence: Evidence, turn: Turn, dice: Dice, fresh: Pair | None) -> bool:
        """The doubtful die is given the number that was played, and it is said; False if the board then fits no better."""
        other = turn_of(turn.before, dice, turn.side, self.rules)
        found = self.looks.reconcile(evidence, other)
        if found.kind != "legal" or found.play is None:
            return False
        self._say_so(other)
        self.turns.lawful_play(other, found)
        self.turns.turn_may_end(fresh)
        return True

    def lets_stand_as_lawful(self, turn: Turn, position: Position, fresh: Pair) -> bool:
        """A die was read doubtfully, only one other reading makes a lawful play of what lies there, and the opponent has gone on from it: so it
        was that one (few plays are illegal, and few of those lawful with one die read otherwise). It is said."""
        unsure = self.state.dice_confidence < self.options.dice_red and self._by_chance(turn) is not None
        return (unsure or self.may_be_misread(turn)) and self.were_played(turn, position, fresh)

    def were_played(self, turn: Turn, position: Position, fresh: Pair | None) -> bool:
        """Only one other reading of the dice makes a lawful play of `position`: that was played. It is said. False where none does, or
        several do."""
        fits = self.that_fit(turn, position)
        if len(fits) != 1:
            return False
        other = turn_of(turn.before, fits[0], turn.side, self.rules)
        play = other.play_to(position)
        if play is None:
            return False
        self._say_so(other)
        self.turns.end_played(other, play, fresh)
        return True

    def _say_so(self, turn: Turn) -> None:
        """`turn`'s dice are taken from the play."""
        a, b = turn.dice
        self.say(ev.DiceCorrected, side=turn.side, dice=turn.dice, by="play")
        self.looks.grounds.doubt("guessed_dice")
        words = f"The dice could not be read well; {a}-{b} is taken from the play."
        self.say(ev.Noticed, code="notice_dice_from_play", reason=words, side=turn.side)
