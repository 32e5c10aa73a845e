"""What leaves the table: which of the referee's words players hear, by the way to referee that they agreed on.

The referee judges alike in every mode, and the journal has all of it. In "legal" everything is told. In "responsible" and "recorder"
a play is nobody's business until it can't be challenged any more: then it is told as played, lawful or not. So a lawful play must
look like an unlawful one to whoever watches lamps, page or display: neither green nor red, nor a board that moves on sooner.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from pi_board import events as ev
from pi_board.events import Dice, Event
from pi_board.referee.match_options import Mode
from pi_board.referee.state import State, dice_word
from pi_board.referee.table_view import saying, view_of
from pi_board.rules import Position, Side, opponent
from pi_board.table import Phase, TableView, VerdictColour

#: Words about the play in hand: kept back until the opponent has rolled or doubled, or the game is over.
ABOUT_THE_PLAY = (
    ev.PlayMade, ev.PlayTakenBack, ev.PlayIllegal, ev.PlayStands, ev.PlayCorrected, ev.TurnEnded, ev.TurnReopened,
    ev.CheckerMissing, ev.CheckerAdded, ev.Unclear, ev.Resolved, ev.Noticed, ev.TurnTimed, ev.Challenged,
)  # fmt: skip
#: Words after which the turns before them stand for good.
RELEASING = (
    ev.DiceRolled, ev.OpeningThrown, ev.CubeOffered, ev.CubePassed, ev.GameWon, ev.GameAbandoned, ev.GameStarted,
    ev.MatchStarted,
)  # fmt: skip
#: Phases in which a turn is in hand: rolled, and not finished.
TURN_IN_HAND = (Phase.PLAY, Phase.PLAYED, Phase.ILLEGAL)
#: Turns kept for the view.
RECENT = 8


def unreadable(event: ev.Unclear) -> bool:
    """Amber because dice can't be read, which says nothing about a play."""
    return event.code == "dice_unread" or event.doubts == "thing"


def _seen_otherwise(event: Event) -> bool:
    """The board that a turn left is put right, beside the opponent's roll: the turn stands, and nobody is told what was wrong with it."""
    return isinstance(event, ev.PositionCorrected) and event.by == "vision" and event.side is None


def as_played(before: Position, after: Position, side: Side) -> str:
    """What `side`'s checkers did, as far as two boards can say: "13/8 6/5". No word about the law."""
    a, b = before.seen_from(side), after.seen_from(side)
    mine = [max(0, n) for n in a[0]], [max(0, n) for n in b[0]]
    change = {i + 1: mine[1][i] - mine[0][i] for i in range(24)}
    change[25], change[0] = b[1][0] - a[1][0], b[2][0] - a[2][0]
    away = sorted((p for p, n in change.items() for _ in range(-n)), reverse=True)
    to = sorted((p for p, n in change.items() for _ in range(n)), reverse=True)
    names = {25: "bar", 0: "off"}
    return " ".join(f"{names.get(x, x)}/{names.get(y, y)}" for x, y in zip(away, to, strict=False))


class Announcer:
    """mode: as agreed. Feed `tell` the referee's events in order; `told` is how the table may be shown.

    over: the turn in hand has been finished by its player (dice lifted, clock pressed), whatever the referee makes of it.
    by_button: a turn is over when its player presses, not when the dice are lifted.
    open: a challenge was answered, so that this turn is judged aloud until the next roll.
    """

    def __init__(self, mode: Mode = "legal", *, by_button: bool = False) -> None:
        self.mode: Mode = mode
        self._by_button = by_button
        self.open = False
        self.over = False
        self.shown: Position | None = None
        self.dice: Dice | None = None
        self.side: Side | None = None
        self._unread = False
        self._held: list[Event] = []
        self._plays: tuple[tuple[str, str, str], ...] = ()
        self._last: tuple[tuple[Any, ...], TableView] | None = None

    @property
    def silent(self) -> bool:
        """Nothing about the play in hand may be told."""
        return self.mode != "legal" and not self.open

    def tell(self, events: Iterable[Event]) -> tuple[Event, ...]:
        """What of `events` may be told now, and what was kept back and may be told at last."""
        out: list[Event] = []
        for event in events:
            if self.mode == "legal":
                self._note(event)
                out.append(event)
            elif isinstance(event, ABOUT_THE_PLAY) and not (
                isinstance(event, ev.Unclear) and unreadable(event)
            ):
                self._held.append(event)
                if self.open:
                    out.append(event)
            elif isinstance(event, ev.DiceCorrected) and event.by != "person":
                self._held.append(event)
            else:
                if isinstance(event, RELEASING) or _seen_otherwise(event):
                    out += self._release()
                self._note(event)
                out.append(event)
        return tuple(out)

    def _release(self) -> list[Event]:
        """The finished turns that were kept back, as played."""
        ended: list[ev.TurnEnded] = []
        times: list[Event] = []
        for event in self._held:
            if isinstance(event, ev.TurnEnded):
                ended.append(event)
            elif isinstance(event, ev.TurnReopened) and ended:
                ended.pop()
            elif isinstance(event, ev.TurnTimed):
                times.append(event)
        told: list[Event] = []
        for event in ended:
            told.append(self._neutral(event))
            self._note(told[-1])
        was_open, self._held, self.open, self.over = self.open, [], False, False
        return times[-1:] if was_open else [*told, *times[-1:]]

    def _neutral(self, event: ev.TurnEnded) -> ev.TurnEnded:
        play = event.play
        if not event.legal and self.shown is not None:
            play = as_played(self.shown, event.position, event.side)
        return replace(event, legal=True, play=play, moves=() if not event.legal else event.moves)

    def _note(self, event: Event) -> None:
        """What players know."""
        if isinstance(event, ev.Unclear | ev.DiceRolled | ev.GameStarted):
            self._unread = isinstance(event, ev.Unclear)
        if isinstance(event, ev.GameStarted):
            self.shown, self.dice, self.side, self._plays = event.position, None, None, ()
            self.over = self.open = False
        elif isinstance(event, ev.DiceRolled | ev.DiceCorrected):
            self.dice, self.side = event.dice, event.side
        elif isinstance(event, ev.TurnEnded):
            self.shown, self.dice, self.side = event.position, None, opponent(event.side)
            self._plays = (*self._plays, (event.side, dice_word(event.dice), event.play))[-RECENT:]
        elif isinstance(event, ev.PositionCorrected):
            self.shown, self._held, self.over = event.position, [], False
            if event.side is not None:
                self.side, self.dice = event.side, None
        elif isinstance(event, ev.OpeningThrown) and event.side is not None:
            self.side = event.side

    def told(self, state: State) -> TableView:
        """The view of `state` that may leave the table."""
        # This is asked several times per picture and searches for legal plays. The answer cannot change while these inputs do not.
        key = (
            state,
            self.mode,
            self.open,
            self.over,
            self.shown,
            self.dice,
            self.side,
            self._plays,
            len(self._held),
        )
        if self._last is None or any(a is not b and a != b for a, b in zip(self._last[0], key, strict=True)):
            self._last = key, self._view(state)
        return self._last[1]

    def _view(self, state: State) -> TableView:
        if not self.silent:
            return replace(view_of(state), mode=self.mode)
        in_turn = state.phase in TURN_IN_HAND
        waiting = any(isinstance(e, ev.TurnEnded) for e in self._held)
        trouble = state.trouble
        if trouble is not None and not (self._unread and trouble.code in ("unclear_dice", "view_thing")):
            trouble = None
        neutral = replace(
            state, trouble=trouble, illegal=None, board=None, play="", moves=(),
            noticed=state.noticed if state.noticed is not None and state.noticed[3] else None,
            said=state.said if state.said == "resumed" else "", last_plays=self._plays,
        )  # fmt: skip
        if state.in_game and self.shown is not None:
            neutral = replace(neutral, position=self.shown)
        if in_turn or (waiting and state.phase is Phase.ROLL):
            side = self.side if self.side is not None else state.side
            ended = waiting and state.phase is Phase.ROLL and not self._by_button
            over = self.over or ended
            if over:
                mover = side if in_turn else opponent(state.side) if state.side else side
                neutral = replace(
                    neutral,
                    phase=Phase.ROLL,
                    side=opponent(mover) if mover else None,
                    dice=None,
                    second_dice=None,
                )
            else:
                neutral = replace(neutral, phase=Phase.PLAY, side=side, dice=self.dice or state.dice)
        view = view_of(neutral)
        if view.message_code == "no_play":
            # That nothing can be played is for the players to see.
            args = {"side": view.side, "dice": list(view.dice or ())}
            view = saying(view, "to_play", args)
        if self.mode == "recorder" and view.verdict is not VerdictColour.NONE:
            view = replace(view, verdict=VerdictColour.NONE)
        return replace(view, mode=self.mode)
