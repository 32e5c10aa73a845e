"""Whose time runs: from what the pictures show, by the pictures' own times.

Lifting the dice is pressing the clock. The referee is sure of it a few looks later; the turn then ends when the dice were gone, not
when that was understood. So a turn is kept as the intervals in which it ran, and a press cuts them where it really happened.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from pi_board import events as ev
from pi_board.events import Event
from pi_board.referee.dice.pair import Pair
from pi_board.referee.dice.watch import DiceWatch
from pi_board.rules import Side, opponent
from pi_board.rules.clock import Clock, Reading
from pi_board.sighting import Gate, Sighting
from pi_board.table import ClockView

#: Seconds for which vision wants a scene to be still before it is read (`VisionOptions.still_seconds`): the scene came to rest so
#: much before the first settled look.
STILL = 0.3
#: A hand that lay still over the board for so long, and was gone so soon after, has played nothing since it lay still, seconds. (A hand
#: leaves in .2 to .5 s, see `dice.model.PairModel`; who puts down a checker takes longer. How long: chosen by eye, not swept.)
HAND_RESTS, HAND_LEAVES = 1.0, 0.5
#: Times of sightings kept, to find the picture in which the scene came to rest.
KEPT = 64
#: Turns that may be opened again.
TURNS_KEPT = 6
#: A time for `Timekeeper.press`: when the dice were lifted of which the clock's file says so, before the power failed.
BEFORE_THE_CUT = float("-inf")

Interval = tuple[float, float | None]


class DiceTimes:
    """When dice came to rest and when they were gone, by the times of the pictures.

    rested: when what the last settled look shows came to rest. gone: since when no dice lie there (None: some do).
    rolled: when the dice that lie there (or lay there last) came to rest. lifted: when dice were gone last. absent: settled
    looks without dice. played: when the checkers came to lie as that look shows them: as `rested`, or when a hand came to rest over them that
    has played nothing since. bare: when the board last came to rest with no dice on it; bare_before: the time before that. older_gone: in
    this look, the dice of the turn before were gone that had still lain there beside new ones.
    """

    def __init__(self, still: float = STILL, *, agree_looks: int = 2, lift_looks: int = 4) -> None:
        self._still, self._lift_looks = still, lift_looks
        self._watch = DiceWatch(agree_looks)
        self._times: deque[float] = deque(maxlen=KEPT)
        self._serial = 0
        self._pair: Pair | None = None
        self._older: Pair | None = None
        self._settled_before = False
        self.older_gone: float | None = None
        self.rested = self.thrown = self.lifted = 0.0
        self.played = self._played_before = 0.0
        #: Since when a hand has lain still, and until when one did.
        self._hand: tuple[float, float] | None = None
        self.bare = self.bare_before = float("-inf")
        self.gone: float | None = None

    @property
    def absent(self) -> int:
        return self._watch.absent

    def observe(self, sighting: Sighting, *, opening: bool = False) -> None:
        """One picture, whatever its gate says. opening: one die each is rolled."""
        watch = self._watch
        self.older_gone = None
        if not self._times or sighting.time > self._times[-1]:
            self._times.append(sighting.time)
        if sighting.gate is Gate.BOARD_MOVED:
            watch.board_moved()
        if not (sighting.settled and sighting.registered):
            if sighting.gate in (Gate.MOVING, Gate.HAND):
                self._settled_before = False
                watch.touched()
                self._watch_the_hand(sighting)
            return
        if not self._settled_before:
            latest = sighting.time - self._still + 1e-6
            self.rested = max((t for t in self._times if t <= latest), default=sighting.time)
            self._played_before, self.played = self.played, self._played_by()
            self._settled_before = True
        if sighting.dice_hidden and not sighting.dice:
            return
        watch.one_by_one = opening
        watch.observe(sighting.dice)
        if watch.pair is not None and watch.pair.serial != self._serial:
            self._serial, self.thrown = watch.pair.serial, self.rested
            self._older = self._pair if self._pair is not None and _lies(self._pair, sighting) else None
        elif self._older is not None and not _lies(self._older, sighting):
            self._older, self.older_gone = None, self.rested
        self._pair = watch.pair
        if watch.absent and self.rested != self.bare:
            self.bare_before, self.bare = self.bare, self.rested
        if not watch.absent:
            self.gone = None
        elif self.gone is None:
            if watch.pair is not None:
                self.lifted = self.rested
            # What came and went since was not a roll (a single die that fell off the board, say), so the dice were lifted before it.
            self.gone = self.lifted or self.rested
        if watch.absent >= self._lift_looks:
            watch.gone()

    def _watch_the_hand(self, sighting: Sighting) -> None:
        """One picture with somebody in it."""
        if sighting.gate is Gate.HAND:
            since = self._hand[0] if self._hand is not None else sighting.time
            self._hand = since, sighting.time
        elif self._hand is not None and sighting.time - self._hand[1] > HAND_LEAVES:
            self._hand = None

    def _played_by(self) -> float:
        """`played` of the look with which the board has come to rest."""
        hand, self._hand = self._hand, None
        if hand is None or hand[1] - hand[0] < HAND_RESTS or self.rested - hand[1] > HAND_LEAVES:
            return self.rested
        # The gate calls it a hand, and not a movement, once it has been still for as long as any scene must be.
        return max(hand[0] - self._still, self._played_before)

    @property
    def played_with(self) -> float:
        """`played` of the checkers that lie there, where the next dice may have come to rest beside them since."""
        thrown = self._watch.coming or self.thrown == self.rested
        return self._played_before if thrown and self._played_before else self.played


def _lies(pair: Pair, sighting: Sighting) -> bool:
    """One of its dice is still seen where it lay."""
    return any(die.is_at(seen) for die in pair.dice for seen in sighting.dice)


@dataclass
class ClockedTurn:
    """side's turn: the banks at its beginning, seconds brought over from before a power cut, and when it ran since.

    lifted: of the seconds brought over, those after which its dice were gone; None = they lay there, or nobody knows.
    """

    clock: Clock
    began: float
    brought: float = 0.0
    lifted: float | None = None
    ran: list[Interval] = field(default_factory=list)

    @property
    def side(self) -> Side | None:
        return self.clock.side

    def spent(self, now: float) -> float:
        return self.brought + sum(max(0.0, (now if b is None else min(b, now)) - a) for a, b in self.ran)

    def at(self, now: float) -> Clock:
        return replace(self.clock, spent=self.spent(now))

    def take_over(self, later: ClockedTurn) -> None:
        """What `later` has used was used in this turn."""
        self.ran += later.ran
        self.brought += later.brought
        if self.began == float("-inf"):
            # It began before the power failed, on a clock that counts from elsewhere.
            self.began = later.began
        later.ran, later.brought = [], 0.0

    def cut(self, at: float) -> list[Interval]:
        """Takes what ran after `at` away from this turn, and returns it."""
        later = [(max(a, at), b) for a, b in self.ran if b is None or b > at]
        self.ran = [(a, at if b is None or b > at else b) for a, b in self.ran if a < at]
        return later


class Timekeeper:
    """Feed `observe` every picture and tell what happened; `take` returns the events that came of it.

    clock: kind and banks before the first turn. Where no clock is used the turns are timed all the same.
    """

    def __init__(self, clock: Clock | None = None, *, seen: DiceTimes | None = None) -> None:
        self.seen = seen or DiceTimes()
        self._out: list[Event] = []
        self.stops: set[str] = set()
        self.turn: ClockedTurn | None = None
        self._past: deque[ClockedTurn] = deque(maxlen=TURNS_KEPT)
        self.clock = clock or Clock()
        self.running = False

    # ---------------------------------------------------------------------------------- what happened

    def take(self) -> list[Event]:
        """The events since the last call."""
        out, self._out = self._out, []
        return out

    def set(self, clock: Clock, now: float) -> None:
        """A match begins with these banks."""
        self.clock, self.turn, self.running = clock, None, False
        self._past.clear()
        self._out.append(
            ev.ClockSet(time=now, kind=clock.kind, delay=clock.delay, light=clock.light, dark=clock.dark)
        )

    def begin(self, side: Side, at: float, now: float, why: str = "opening") -> None:
        """`side`'s turn began at `at`; nobody's was on."""
        if self.turn is not None and self.turn.side == side:
            return
        self.turn = ClockedTurn(self.clock.for_turn_of(side), at, ran=[] if self.stops else [(at, None)])
        self._changed(at, now, why)

    def press(self, at: float, now: float, why: str = "pressed", side: Side | None = None) -> None:
        """The turn in hand ended at `at` (not before it began); `side`, by default the other player, goes on from there."""
        turn = self.turn
        if turn is None or turn.side is None:
            return
        since = 0.0
        if at == BEFORE_THE_CUT and turn.lifted is not None:
            since, turn.brought = max(0.0, turn.brought - turn.lifted), min(turn.lifted, turn.brought)
        at = min(max(at, turn.began), now)
        rest = turn.cut(at)
        self._past.append(turn)
        next_clock = turn.at(at).press(side or opponent(turn.side))
        self.turn = ClockedTurn(next_clock, at, brought=since, ran=rest)
        self._changed(at, now, why, ended=turn.spent(at))

    def pressed_later(self, at: float, now: float) -> None:
        """The turn before this one ended at `at`, later than was thought: who rolls early waits for the other."""
        if not self._past or self.turn is None or at <= self.turn.began:
            return
        last, turn = self._past[-1], self.turn
        if last.side is None or turn.side is None:
            return
        kept = list(turn.ran)
        turn.ran = [(a, at if b is None or b > at else b) for a, b in kept if a < at]
        last.take_over(turn)
        turn.ran = [(max(a, at), b) for a, b in kept if b is None or b > at]
        turn.began, turn.clock = at, last.at(at).press(turn.side)
        self._changed(at, now, "pressed", ended=last.spent(at))

    def timed(self, side: Side, now: float) -> None:
        """`side`'s turn is over for the record: what it took."""
        turn = next((t for t in reversed(self._past) if t.side == side), None)
        if turn is not None and self.turn is not None:
            # A turn from before a power cut has no time on this clock: what it took is known.
            ended = self.turn.began if self.turn.began != float("-inf") else now
            seconds = turn.spent(ended)
            began = turn.began if turn.began != float("-inf") else ended - seconds
            self._out.append(
                ev.TurnTimed(
                    time=now,
                    side=side,
                    seconds=round(seconds, 3),
                    began=round(began, 3),
                    ended=round(ended, 3),
                )
            )

    def reopen(self, side: Side, now: float, *, by_person: bool) -> None:
        """The turn of `side` that was over goes on. What has passed since is given back to the other player.

        A person who asks for a correction costs nobody anything; a turn that was only taken for over went on all the while.
        """
        while self._past and self.turn is not None:
            later, self.turn = self.turn, self._past.pop()
            if by_person:
                later.ran, later.brought = [], 0.0
            self.turn.take_over(later)
            if self.turn.side == side:
                if by_person and not self.stops:
                    self.turn.ran.append((now, None))
                self._changed(now, now, "given_back" if by_person else "reopened")
                return
        if self.turn is not None:
            # It is too long ago to charge: the banks already include it.
            self.turn = ClockedTurn(
                self.clock.for_turn_of(side), now, ran=[] if self.stops else [(now, None)]
            )
            self._changed(now, now, "given_back")

    def over(self, at: float, now: float) -> None:
        """The game is over: nobody's time runs until the next opening roll."""
        turn = self.turn
        if turn is None:
            return
        turn.cut(min(max(at, turn.began), now))
        self.clock = turn.at(now).press(None)
        self.turn = None
        self._past.clear()
        self._changed(at, now, "over")

    def stop(self, why: str, at: float, now: float) -> None:
        """Both clocks stand since `at`, for one reason more."""
        if why in self.stops:
            return
        stood = bool(self.stops)
        self.stops.add(why)
        if self.turn is None:
            return
        self.turn.cut(max(at, self.turn.began))
        if not stood:
            self._changed(max(at, self.turn.began), now, "stopped")

    def go_on(self, why: str, at: float, now: float) -> None:
        """One reason less to stand, since `at`."""
        if why not in self.stops:
            return
        self.stops.remove(why)
        if self.turn is None or self.stops:
            return
        if self.turn.began == float("-inf"):
            self.turn.began = at
        at = max(at, self.turn.began)
        self.turn.ran.append((at, None))
        self._changed(at, now, "started")

    def give(self, side: Side, seconds: float, now: float) -> None:
        """`seconds` more for `side`."""
        if self.turn is not None:
            self.turn.clock = self.turn.clock.give(side, seconds)
        self.clock = self.clock.give(side, seconds)
        self._changed(now, now, "given")

    # ---------------------------------------------------------------------------------- after a power cut

    def restore(self, events: Iterable[Event]) -> None:
        """Takes over what a journal says; the clock stands until the table is seen again (`go_on("cut")`)."""
        for event in events:
            if isinstance(event, ev.ClockSet):
                self.clock = Clock(event.kind, event.delay, event.light, event.dark)
                self.turn = None
                self._past.clear()
            elif isinstance(event, ev.ClockChanged):
                self._restore_past(event)
                # It was written down at `time`, and had run since `since`.
                ran = max(0.0, event.time - event.since) if event.running else 0.0
                self.resume(event.side, event.light, event.dark, event.spent + ran)
        self.stops = {"cut"} if self.turn is not None else set()

    def _restore_past(self, event: ev.ClockChanged) -> None:
        """The turns that may still be opened again, as `press`, `pressed_later`, `reopen` and `over` kept them."""
        if event.why in ("reopened", "given_back"):
            while self._past and self._past.pop().side != event.side:
                pass
        elif event.why in ("pressed", "cube") and event.ended is not None:
            if self.turn is not None and self.turn.side != event.side:
                self._past.append(self.turn)
            if self._past:
                self._past[-1].brought = event.ended
        elif event.why in ("pressed", "cube", "over"):
            self._past.clear()

    def resume(
        self, side: Side | None, light: float, dark: float, spent: float, lifted: float | None = None
    ) -> None:
        """The clock as it was read last."""
        self.clock = replace(self.clock, light=light, dark=dark, side=None, spent=0.0)
        self.turn = None
        if side is not None:
            began = float("-inf")
            self.turn = ClockedTurn(self.clock.for_turn_of(side), began, brought=spent, lifted=lifted)

    def reading(self, now: float) -> Reading:
        """What `resume` needs."""
        turn, seen = self.turn, self.seen
        if turn is None:
            return None, self.clock.light, self.clock.dark, 0.0, None
        lifted = turn.lifted
        if seen.gone is not None and seen.gone > turn.began and seen.thrown >= turn.began:
            lifted = turn.spent(seen.gone)
        return turn.side, turn.clock.light, turn.clock.dark, turn.spent(now), lifted

    # ---------------------------------------------------------------------------------- what is to be seen

    def at(self, now: float) -> Clock:
        """Both clocks as they stand at `now`."""
        return self.clock if self.turn is None else self.turn.at(now)

    def view(self, now: float) -> ClockView | None:
        """None where no clock is used."""
        clock = self.at(now)
        if clock.kind == "off":
            return None
        # A clock shows the second that is running; 0:00 means that no time is left.
        light, dark = (_seconds(clock.left(side)) for side in ("light", "dark"))
        stopped = "over" if self.turn is None else min(self.stops, key=_order) if self.stops else ""
        return ClockView(
            clock.kind, light, dark, clock.side, not stopped, _seconds(clock.delay_left), stopped
        )

    def _changed(self, since: float, now: float, why: str, *, ended: float | None = None) -> None:
        clock = self.clock if self.turn is None else self.turn.clock
        spent = 0.0 if self.turn is None else self.turn.spent(since)
        self.running = self.turn is not None and not self.stops
        self._out.append(
            ev.ClockChanged(
                time=now, side=clock.side, running=self.running, light=round(clock.light, 3), dark=round(clock.dark, 3),
                spent=round(spent, 3), since=round(since, 3), why=why, stopped_by=",".join(sorted(self.stops)),
                ended=None if ended is None else round(ended, 3),
            )
        )  # fmt: skip


#: The most telling reason first.
ORDER = ("paused", "cut", "question", "amber", "throw")


def _order(why: str) -> int:
    return ORDER.index(why) if why in ORDER else len(ORDER)


def _seconds(value: float) -> int:
    """Whole seconds up: 0.2 s left is not yet nothing."""
    return int(-(-round(value, 3) // 1))
