"""The cube: offered, taken, or not where it should be."""

from __future__ import annotations

from dataclasses import replace

from pi_board import events as ev
from pi_board.referee.dice.pair import Pair
from pi_board.referee.one_turn import is_of_one_turn
from pi_board.referee.seeing_part import SeeingPart, SeeingTableInterface
from pi_board.rules import SIDES, Side, opponent
from pi_board.sighting import CubeSeen
from pi_board.table import Phase

#: Looks for which the cube must lie the same way.
CUBE_LOOKS = 3
#: Least confidence (0..1) of a cube in one look; the same of a faint one that key frames show in a new place and steadily; and the one from
#: which its numeral is believed where it lies as before. Chosen by eye, not swept.
CUBE_SEEN, CUBE_FAINT, NUMERAL_READ = 0.5, 0.12, 0.8


class Doubling(SeeingPart):
    """What the cube on the board says, and how it was seen so far."""

    def __init__(self, table: SeeingTableInterface) -> None:
        super().__init__(table)
        #: (place, value) of the cube as last seen, and looks for which it has lain so.
        self.key: tuple[str, int | None] | None = None
        self.count = 0
        # What was asked about already.
        self._asked: object = None
        #: The cube has been seen in its place since somebody was at the board.
        self.rests = False
        # Looks in which it was seen at each place.
        self._places: dict[str, int] = {}
        # Looks in which it was seen where it belongs. What was never seen there and lies elsewhere may be the letter on a checker.
        self._at_home = 0
        # Looks in which it lay between the players since it was last seen in its place.
        self._between = 0

    def over_by_doubling(self) -> None:
        """A player who doubles treats the opponent's turn as finished, as if he had rolled: what lies there stands."""
        s = self.state
        if s.side is None or not s.match.may_double(opponent(s.side), on_roll=opponent(s.side)):
            return
        if s.phase in (Phase.PLAYED, Phase.ILLEGAL) and s.board is not None:
            self.going_on.gone_on(self.looks.turn(), s.board, None)
        elif s.phase is Phase.PLAY and self.looks.lay_there is not None and not self.looks.dice.in_sight:
            turn, found = self.looks.turn(), self.looks.lay_there
            if found.position is None or (found.kind == "before" and not turn.may_pass):
                return
            if found.kind in ("legal", "before"):
                self.turns.end_turn(turn, found.play or turn.play_to(found.position), found.position, None)
            elif found.kind in ("partial", "illegal") and is_of_one_turn(turn, found.position):
                self.faults.accuse(turn, found, found.position)
                self.faults.let_it_stand(turn, found.position, None)
            elif found.kind == "illegal":
                self.faults.let_it_stand(turn, found.position, None)
                self.looks.alternatives.may_be_set_right(found.nearest)

    def rolled_after_an_offer(self, pair: Pair) -> bool:
        """Dice lie there although nobody has seen the answer to a double: it was taken, and who rolls has offered it. True while
        that is being made sure of."""
        offerer = self.state.match.cube.offered_by
        half = pair.halves[0]
        if (
            offerer is None
            or pair.values is None
            or pair.cocked
            or set(pair.halves) != {half}
            or half == "outside"
        ):
            return False
        if pair.confidence < self.options.dice_doubt:
            return False
        self.looks.waiting = True
        # (A cube that was last seen at the other player's says the same, even if it was seen once between two hands.)
        taken = self.key is not None and self.key[0] == opponent(offerer)
        if pair.looks >= (1 if taken else 2) * self.options.agree_looks:
            who: Side = half if self.looks.custom and self._may_have_offered(half) else offerer
            self._double_was_taken(who)
        return True

    def _may_have_offered(self, side: Side) -> bool:
        """The double that lies there may be `side`'s, if it is `side`'s turn."""
        match = self.state.match
        return replace(match, cube=match.cube.withdrawn()).may_double(side, on_roll=side)

    def _double_was_taken(self, offerer: Side) -> None:
        """The double that lies there was `offerer`'s, and was taken. Where it was put down to the other side, a turn has gone by
        unseen (most likely a pass)."""
        cube = self.state.match.cube
        value = cube.next_value
        if cube.offered_by != offerer:
            self.say(ev.CubeOffered, side=offerer, value=value)
            self.looks.grounds.doubt("guessed_turn")
        self.say(ev.CubeTaken, side=opponent(offerer), value=value)

    @property
    def may_be_offered(self) -> bool:
        """The side to roll may double, and the cube has not been seen in its place since somebody was at the board."""
        s = self.state
        to_roll = s.phase is Phase.ROLL and s.side is not None and s.match.may_double(s.side, on_roll=s.side)
        return to_roll and not self.rests

    def watch_cube(self, cube: CubeSeen | None) -> None:
        """The cube on the board: offered, taken, or not where it should be."""
        s = self.state
        match = s.match
        if cube is None or cube.place == "none":
            return
        if match.rules.cube == "no" or (match.rules.cube == "several_games" and not match.several_games):
            return
        key = (cube.place, cube.value)
        if key != self.key:
            self.key, self.count = key, 0
        self.count += 1
        self._places[cube.place] = self._places.get(cube.place, 0) + 1
        # Believe a faint cube only if it was seen elsewhere before and has been steady since.
        moved = self._places[cube.place] == self.count and len(self._places) > 1
        faint = self.options.key_frames and moved and cube.place in SIDES and cube.confidence >= CUBE_FAINT
        if cube.confidence < CUBE_SEEN and not faint:
            return
        owner = match.cube.owner
        here = owner if owner is not None else "center"
        self.rests = cube.place == here
        self._at_home += self.rests
        known = self._at_home >= CUBE_LOOKS
        twice = match.cube.next_value
        self._between = 0 if self.rests else self._between + (cube.place == "offered")
        # (What lay between the players and shows twice the stake at one of them was offered and taken.)
        on_its_way = cube.place in SIDES and cube.value == twice and self._between >= CUBE_LOOKS - 1
        if cube.place == here and (
            cube.value in (None, match.cube.value, 64) or cube.confidence < NUMERAL_READ
        ):
            if self.count >= CUBE_LOOKS and s.question == "cube_differs":
                self.say(ev.Answered, code="cube_differs", yes=False)
            return
        if self.count < CUBE_LOOKS - on_its_way:
            self.looks.waiting = True
            return
        before_play = s.phase is Phase.ROLL or (
            s.phase is Phase.PLAY and s.board is None and s.side is not None
        )
        if cube.place == "offered":
            if not known:
                return
            self.unseen_turns.played_before_a_double()
            self.over_by_doubling()
            self.rolls.danced_before_a_double()
            s = self.state
            if s.phase is Phase.ROLL and s.side is not None and match.may_double(s.side, on_roll=s.side):
                self.say(ev.CubeOffered, side=s.side, value=twice)
            return
        # The cube's place is surer than its numeral, and a taken cube can only show twice the stake.
        believed = cube.value in (None, twice) or self.count >= 2 * CUBE_LOOKS
        if not known:
            believed = cube.value == twice and self.count >= 2 * CUBE_LOOKS
        if not believed and cube.place in SIDES and cube.place != owner:
            self.looks.waiting = True
        if cube.place in SIDES and cube.place != owner and believed:
            taker: Side = cube.place
            offerer = opponent(taker)
            if s.phase is Phase.DOUBLED and (
                match.cube.offered_by == offerer or self._may_have_offered(offerer)
            ):
                self._double_was_taken(offerer)
                return
            if before_play and s.side == offerer and match.may_double(offerer, on_roll=offerer):
                self.say(ev.CubeOffered, side=offerer, value=twice)
                self.say(ev.CubeTaken, side=taker, value=twice)
                return
        if self.count >= 4 * CUBE_LOOKS and self._asked != key and s.phase is Phase.ROLL and not s.question:
            self._asked = key
            self.say(
                ev.Asked,
                code="cube_differs",
                reason=f"The cube should be at {match.cube.value} ({here}), but lies at {cube.value or '?'} ({cube.place}).",
            )
