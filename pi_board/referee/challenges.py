"""A challenge: the opponent asks, before rolling, whether what was played is legal."""

from __future__ import annotations

from dataclasses import replace

from pi_board import events as ev
from pi_board.events import Event
from pi_board.referee.announce import TURN_IN_HAND
from pi_board.referee.match_part import MatchInterface, MatchPart
from pi_board.referee.table_view import saying
from pi_board.rules import Side, opponent
from pi_board.table import Phase, TableView, VerdictColour


class Challenges(MatchPart):
    """challenger: whose challenge stands, until the next roll."""

    def __init__(self, match_play: MatchInterface) -> None:
        super().__init__(match_play)
        self.challenger: Side | None = None
        self._answered: ev.ChallengeAnswered | None = None

    def follow(self, event: Event) -> None:
        """What an event means for a challenge."""
        if isinstance(event, ev.MatchStarted | ev.DiceRolled | ev.GameWon | ev.GameAbandoned):
            self.challenger = self._answered = None

    def restore(self, event: Event) -> None:
        """One event of a journal."""
        self.follow(event)
        if isinstance(event, ev.Challenged):
            self.challenger, self._answered = event.side, None
        elif isinstance(event, ev.ChallengeAnswered):
            self._answered = event
            self.announcer.open = True

    @property
    def possible(self) -> bool:
        """Who lets a play stand asks whether it is legal: plays are not judged aloud, and there may be one."""
        state = self.state
        return (
            self.announcer.silent
            and not state.question
            and state.phase in (*TURN_IN_HAND, Phase.ROLL)
            and not (state.waits_for and state.phase is Phase.ROLL)
        )

    def challenge(self) -> None:
        """The opponent asks whether what was played is legal."""
        mover, early = self.announcer.side, self.state.phase in TURN_IN_HAND
        if self.announcer.mode == "recorder":
            self._refuse("refused_recorder", "Nobody is refereed in this match.")
        elif mover is not None and self.announcer.dice is not None and self._over:
            if self.challenger is None:
                self.challenger = opponent(mover)
                self.match_play.add(ev.Challenged(time=self.now, side=self.challenger))
                self.answer()
        elif early:
            self._refuse("refused_challenge_early", "The dice are not lifted yet.")
        else:
            self._refuse("refused_challenge_late", "There is no play to ask about.")

    def _refuse(self, code: str, reason: str) -> None:
        self.match_play.add(ev.Refused(time=self.now, code=code, reason=reason))

    @property
    def _over(self) -> bool:
        """The player of the turn in hand has finished it."""
        if self.by_button:
            return self.announcer.over
        return self.announcer.over or (self.state.phase is Phase.ROLL and self.announcer.dice is not None)

    def answer(self) -> None:
        """The verdict that was asked for, as soon as there is one."""
        if self.challenger is None or self._answered is not None:
            return
        state, announcer = self.state, self.announcer
        illegal = state.illegal if state.phase is Phase.ILLEGAL else None
        legal = state.phase is Phase.ROLL and announcer.dice is not None and state.trouble is None
        if illegal is None and not legal:
            if state.trouble is not None:
                # The referee can't tell either: what it would ask is asked now.
                announcer.open = True
            return
        announcer.open = True
        self._answered = ev.ChallengeAnswered(
            time=self.now, side=self.challenger, legal=illegal is None,
            code=illegal.code if illegal else "", reason=illegal.reason if illegal else "",
        )  # fmt: skip
        self.match_play.add(self._answered)
        if illegal is not None:
            self.match_play.add_told(illegal)
            announcer.over = False
            # The time since the press was not the challenger's: the play has to be put right on its player's clock.
            self.keeper.reopen(illegal.side, self.now, by_person=True)

    def shown(self, view: TableView) -> TableView | None:
        """`view` saying how the challenge stands; None where nothing is to be said of one."""
        answered = self._answered
        if self.challenger is not None and answered is None and not self.announcer.open:
            return saying(view, "challenge_wait", {"side": self.challenger})
        if answered is not None and answered.legal and view.phase in (Phase.PLAYED, Phase.ROLL):
            view = saying(view, "challenge_legal", {"side": view.side})
            return replace(view, verdict=VerdictColour.GREEN)
        return None
