"""What happens on the board means for whose time runs: when each turn began and ended, and when both clocks stand."""

from __future__ import annotations

from collections.abc import Iterable

from pi_board import events as ev
from pi_board.events import Event
from pi_board.referee.announce import TURN_IN_HAND
from pi_board.referee.match_part import MatchInterface, MatchPart
from pi_board.referee.state import State
from pi_board.referee.timekeeper import BEFORE_THE_CUT
from pi_board.rules import Side, opponent, winner
from pi_board.sighting import Sighting
from pi_board.table import Phase, TableView, VerdictColour

#: Notes of a roll whose dice were not read where they lay: that dice were lifted says nothing of these.
UNREAD = ("taken from the play", "played although to be thrown again", "seen once")
#: Settled looks after which dice that lie there again were never lifted.
BACK_AGAIN = 3


class MatchClock(MatchPart):
    """Tells the match's timekeeper what to write down. Each look goes to `see`, what came of it to `follow`, then `watch_the_dice`."""

    def __init__(self, match_play: MatchInterface) -> None:
        super().__init__(match_play)
        #: Whose turn is over on the board, while its player is still to press the button.
        self._unpressed: Side | None = None
        #: When the play in hand was last put right.
        self._corrected_at = float("-inf")
        #: When the dice came to rest that are to be rolled again.
        self._rejected_at = float("-inf")
        #: The dice of the turn in hand were never read.
        self._unread = False
        #: Nobody knows yet whose the dice are that were rolled last: when the turn before them was over if they are not of its player.
        self._passed_at: float | None = None
        #: A turn was in hand when the power failed, and its dice have not been seen since; since when the board was bare then.
        self._cut_in_hand = False
        self._bare_since_cut: float | None = None
        #: Settled looks at dice that lie there again after they were taken for lifted.
        self._back = 0

    def restore(self, events: Iterable[Event]) -> None:
        """Takes over a journal, once the announcer has been told of it."""
        keeper, announcer, state = self.keeper, self.announcer, self.state
        keeper.restore(events)
        keeper.take()
        turn = keeper.turn
        if state.phase in TURN_IN_HAND and turn is not None:
            if turn.side == state.side:
                self._cut_in_hand = True
            elif announcer.silent:
                # The dice had been lifted before the cut; the referee was still to say so.
                announcer.over = True
                keeper.seen.gone = float("-inf")
        if self.by_button and state.phase is Phase.ROLL and turn is not None and turn.side != state.side:
            # The turn was over, and its player was still to press.
            self._unpressed = turn.side

    # ------------------------------------------------------------------------------------ what the pictures show

    def see(self, sighting: Sighting) -> None:
        """One look, before anybody knows what it means."""
        keeper, now = self.keeper, self.now
        keeper.seen.observe(sighting, opening=self.state.phase is Phase.OPENING)
        self._look_for_dice_after_a_cut()
        if "cut" in keeper.stops and sighting.settled and sighting.registered:
            keeper.go_on("cut", now, now)

    def _look_for_dice_after_a_cut(self) -> None:
        """Whether the dice of the turn in which the power failed still lie there."""
        if not self._cut_in_hand:
            return
        seen = self.keeper.seen
        if seen.gone is not None:
            self._bare_since_cut = seen.gone
        elif seen.thrown and self._bare_since_cut is None:
            self._cut_in_hand = False

    def watch_the_dice(self) -> None:
        """Where plays are not judged aloud, a turn is over when its dice are gone, whatever was played."""
        keeper, announcer, state = self.keeper, self.announcer, self.state
        seen, turn = keeper.seen, keeper.turn
        if seen.older_gone is not None and turn is not None and turn.side is not None:
            keeper.pressed_later(seen.older_gone, self.now)
            keeper.timed(opponent(turn.side), self.now)
        if not announcer.silent or state.phase not in TURN_IN_HAND or state.paused or self.by_button:
            return
        if turn is not None and not announcer.over and turn.side == state.side:
            lay = seen.thrown >= turn.began - 1.0 and seen.lifted > turn.began
            # Without power nobody saw them being lifted. They are not while nothing has been played.
            lay = lay or (self._cut_in_hand and not seen.thrown and state.phase is not Phase.PLAY)
            if seen.absent >= self.match_play.referee.options.lift_looks and lay:
                announcer.over = True
                keeper.press(self._lifted_at(), self.now)
                self._back = 0
        elif announcer.over and seen.gone is None and turn is not None and state.side is not None:
            self._back += 1
            if self._back >= BACK_AGAIN and not self.match_play.challenged and turn.side != state.side:
                self._not_over(state.side, by_person=False)

    # ------------------------------------------------------------------------------------ what it means

    def follow(self, event: Event, *, by_person: bool = False) -> None:
        """What one event means for whose time runs."""
        keeper, seen, now = self.keeper, self.keeper.seen, self.now
        at = now if by_person else min(now, seen.rested)
        played = now if by_person else min(now, seen.played_with)
        match event:
            case ev.MatchStarted():
                self._unpressed = None
                keeper.set(self.clock_options.clock(event.match_length), now)
            case ev.GameStarted():
                keeper.over(at, now)
                self._corrected_at = float("-inf")
            case ev.OpeningThrown(side=side) if side is not None:
                keeper.begin(side, min(now, seen.thrown), now)
            case ev.DiceRolled(side=side, note=note):
                if note == "thrown again":
                    self._lifted_to_roll_again()
                self._rolled(side)
                self._passed_at = self._last_at_rest_bare(seen.thrown) if side is None else None
                self._cut_in_hand, self._bare_since_cut = False, None
                self._unread = note in UNREAD
            case ev.PlayMade(side=side) | ev.PlayIllegal(side=side):
                self._whose_roll_it_was(side)
                if self._cut_in_hand and isinstance(event, ev.PlayMade):
                    # Dice that are not found again may lie there all the same: the turn was not over before its play lay there.
                    self._corrected_at = played
            case ev.PlayCorrected(side=side) | ev.PlayTakenBack(side=side):
                self._corrected_at = played
                if keeper.turn is not None and keeper.turn.side != side and not by_person:
                    # A player who is still moving checkers has not finished.
                    self._not_over(side, by_person=False)
            case ev.TurnEnded(side=side):
                self._whose_roll_it_was(side)
                self._turn_ended(side, by_person)
            case ev.TurnReopened(side=side):
                self._unpressed = None
                self._corrected_at = now if by_person else self._corrected_at
                keeper.reopen(side, now, by_person=by_person)
            case ev.CubeOffered(side=side) | ev.CubeTaken(side=side):
                if keeper.turn is not None and keeper.turn.side == side:
                    keeper.press(at, now, "cube")
            case ev.DiceCorrected(side=side) | ev.PositionCorrected(side=side) if side is not None:
                if keeper.turn is None:
                    keeper.begin(side, at, now)
                elif keeper.turn.side != side and by_person:
                    keeper.press(at, now, side=side)
            case ev.GameWon() | ev.GameAbandoned():
                ended = keeper.turn.began if keeper.turn is not None and _won_by_play(event) else at
                keeper.over(ended, now)

    def _not_over(self, side: Side, *, by_person: bool) -> None:
        """`side`'s turn was taken for over, and is not."""
        if self.announcer.over:
            self.announcer.over = False
            self.keeper.reopen(side, self.now, by_person=by_person)

    def _lifted_to_roll_again(self) -> None:
        """Where lifting the dice presses the clock: dice that were lifted and rolled again before anything was played did not press it."""
        mover, turn = self.announcer.side, self.keeper.turn
        if (
            self.clock_options.press == "lift"
            and mover is not None
            and turn is not None
            and turn.side != mover
        ):
            self._not_over(mover, by_person=False)

    def _rolled(self, side: Side | None) -> None:
        keeper, now = self.keeper, self.now
        self._back = 0
        self._corrected_at = float("-inf")
        if self._unpressed is not None:
            # Nobody pressed, and the other player has rolled: that is when the turn was over.
            self._press(min(now, keeper.seen.thrown), self._unpressed)
        at = min(now, keeper.seen.thrown)
        if side is not None and keeper.turn is None:
            keeper.begin(side, at, now)
        elif side is not None and keeper.turn is not None and keeper.turn.side != side:
            keeper.press(at, now, side=side)

    def _whose_roll_it_was(self, side: Side) -> None:
        """The dice that lie there are `side`'s. Where the clock runs for the other player, he has rolled too, could move nothing, and
        lifted his dice before anybody had a look at them."""
        at, self._passed_at = self._passed_at, None
        turn = self.keeper.turn
        if at is not None and turn is not None and turn.side not in (None, side):
            # No turn of his is in the record, so its time is not said either.
            self.keeper.press(at, self.now, side=side)

    def _turn_ended(self, side: Side, by_person: bool) -> None:
        keeper, now = self.keeper, self.now
        if keeper.turn is None or keeper.turn.side != side:
            # The clock was pressed before the referee had decided.
            keeper.timed(side, now)
            return
        over = winner(self.state.position) is not None if self.state.position is not None else False
        if self.by_button and not by_person and not over:
            self._unpressed = side
            return
        # After bearing off the last checker a player need not lift the dice.
        at = now if by_person else min(now, keeper.seen.rested) if over else self._lifted_at()
        keeper.press(at, now)
        keeper.timed(side, now)

    def _lifted_at(self) -> float:
        """When the turn in hand was finished: its dice lifted, or (nobody saw that) the next ones rolled."""
        seen = self.keeper.seen
        turn = self.keeper.turn
        began = turn.began if turn is not None else float("-inf")
        if self._cut_in_hand and turn is not None and turn.lifted is not None:
            if self._corrected_at == float("-inf"):
                return BEFORE_THE_CUT
            turn.lifted = None
        if seen.thrown < began - 1.0:
            # These dice were never read: the turn was over when the scene came to rest.
            return min(self.now, seen.rested)
        if self._unread and seen.bare > began <= seen.bare_before:
            # Nor were these, and the next ones lie there already: between their roll and the next one the board came to rest bare.
            return self._last_at_rest_bare(seen.bare)
        if seen.gone is not None:
            return max(seen.gone, self._corrected_at)
        if self._bare_since_cut is not None and seen.lifted <= began:
            # The next ones lie there: its own were lifted before the power came back.
            return min(self.now, max(self._bare_since_cut, self._corrected_at))
        lifted = seen.lifted if seen.lifted > began else seen.thrown
        return min(self.now, max(min(lifted, seen.thrown), self._corrected_at))

    def _last_at_rest_bare(self, otherwise: float) -> float:
        """When the board came to rest without dice for the second time in this turn, or `otherwise`."""
        seen, turn = self.keeper.seen, self.keeper.turn
        began = turn.began if turn is not None else float("-inf")
        return min(self.now, seen.bare if seen.bare > began <= seen.bare_before else otherwise)

    # ------------------------------------------------------------------------------------ what a person asks for

    def press_by_hand(self) -> bool:
        """The turn button; True when it only pressed the clock."""
        if self._unpressed is not None:
            self._press(self.now, self._unpressed)
            self.announcer.over = self.announcer.silent
            return True
        if self.announcer.silent and self.state.phase in TURN_IN_HAND and not self.announcer.over:
            # Whatever was played: a lawful play must not end its turn sooner than another.
            self.announcer.over = True
            self.keeper.press(self.now, self.now)
            return True
        return False

    def _press(self, at: float, side: Side) -> None:
        """`side`, whose turn was over on the board, ended it at `at`."""
        self.keeper.press(at, self.now)
        self.keeper.timed(side, self.now)
        self._unpressed = None

    def taken_back(self, before: State) -> None:
        """A person has taken back the play of a turn that was in hand in `before`."""
        if before.phase in TURN_IN_HAND and before.side is not None:
            self._not_over(before.side, by_person=True)

    # ------------------------------------------------------------------------------------ when both clocks stand

    def watch_the_stops(self, view: TableView, events: Iterable[Event]) -> None:
        """Both clocks stand while the table is asked something, can't be seen, rolls again, or rests.

        view: as the table may be shown. events: of this look or command.
        """
        keeper, now, state = self.keeper, self.now, self.state
        amber = self.announcer.told(state).verdict is VerdictColour.AMBER or self._muted_amber()
        thrown = min(now, keeper.seen.thrown)
        wanted = {
            "paused": state.paused,
            "question": bool(view.question),
            "throw": bool(state.waits_for) and amber,
            "amber": amber and not state.waits_for,
        }
        for why, on in wanted.items():
            if on and why not in keeper.stops:
                if why == "throw":
                    self._rejected_at = thrown
                keeper.stop(why, thrown if why == "throw" else now, now)
            elif not on and why in keeper.stops:
                # Where the dice that were to be rolled again are played after all, the clock has stood until now.
                rolled = thrown > self._rejected_at and any(isinstance(e, ev.DiceRolled) for e in events)
                keeper.go_on(why, thrown if rolled and why == "throw" else now, now)

    def _muted_amber(self) -> bool:
        """A recorder is amber without saying so: its clocks stand all the same."""
        if self.announcer.mode != "recorder":
            return False
        state = self.state
        return bool(state.view_blocked or state.board_moved or state.question or state.waits_for)


def _won_by_play(event: Event) -> bool:
    """The last turn ended with the game: the next player's never began."""
    return isinstance(event, ev.GameWon) and event.kind in ("single", "gammon", "backgammon")
