"""A sitting of the 37-hole game: reader, referee, journal and the question whether it can still be won.

`SolitaireSitting` is to `App` what `Sitting` is for backgammon, so that camera, lights, display, page, evidence and
buttons are the same for both games.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

import numpy.typing as npt

from pi_board.events import Command, Event, HolesCorrected, JumpMade, JumpTakenBack, SolitaireStarted
from pi_board.frame import Frame
from pi_board.output import Moment, SolitaireView
from pi_board.record.evidence import EvidencePictures
from pi_board.record.journal import Journal, resume
from pi_board.record.options import RecordOptions
from pi_board.referee.solitaire import SolitaireOptions, SolitaireReferee, undo_words
from pi_board.session.recorded import Recorded
from pi_board.session.spared_looks import SparedLooks
from pi_board.sighting import Gate, Sighting
from pi_board.solitaire import BOARD_37, Problem, Solution, solver
from pi_board.solitaire.solver import PATIENCE_IN_PLAY
from pi_board.table import Phase, TableView, VerdictColour
from pi_board.vision.solitaire.reader import HolesReader

#: After these events the last look shows the accepted position, so the reader may learn from it.
LESSONS = (SolitaireStarted, JumpMade, JumpTakenBack, HolesCorrected)
#: After so many seconds without a readable look, the player is told that the board cannot be seen.
UNSEEN = 20.0
#: The longer search stops after so many positions: more would not fit into a small Pi's memory beside the camera.
PATIENCE = 10 * PATIENCE_IN_PLAY


class Adviser(Protocol):
    """What `App` asks for hints."""

    def ask_hint(self, view: Any, rules: Any) -> None: ...


# ------------------------------------------------------------------------------------------------ the view


def view_after(view: SolitaireView, event: Event) -> SolitaireView:
    """The view after an event of the solitaire referee, without its `words` and the answers of the solver."""
    document: dict[str, Any] = event.to_document()
    if event.type == "solitaire_abandoned":
        return SolitaireView()
    if "holes" not in document:
        return view
    holes = tuple(document["holes"])
    known = view.winnable if holes == view.holes else None
    if event.type == "solitaire_started":
        return SolitaireView("play", holes, winnable=known)
    if event.type == "jump_made":
        last = document["jumps"][0] + "".join("-" + j.split("-")[1] for j in document["jumps"][1:])
        made = view.jumps + len(document["jumps"])
        return replace(view, **_fresh(holes, known), last=last, jumps=made, line=(*view.line, last))
    if event.type == "jump_illegal":
        return replace(
            view,
            state="wrong",
            seen=tuple(document["seen"]),
            code=document["code"],
            reason=document["reason"],
        )
    if event.type == "jump_taken_back":
        # Every jump removes one piece, so the pieces that came back count the jumps that were undone.
        back = sum(holes) - sum(view.holes)
        return replace(
            view,
            **_fresh(holes, known),
            last="" if document["undone"] else view.last,
            jumps=max(0, view.jumps - max(0, back)),
            line=view.line[: max(0, len(view.line) - document["undone"])],
        )
    if event.type == "holes_corrected":
        return replace(view, **_fresh(holes, known), last="")
    return replace(view, state="won" if document["won"] else "over", holes=holes, hint="", progress="")


def _fresh(holes: tuple[int, ...], winnable: bool | None) -> dict[str, Any]:
    return {
        "state": "play", "holes": holes, "seen": (), "code": "", "reason": "", "winnable": winnable,
        "progress": "", "hint": "", "best": 0,
    }  # fmt: skip


def words_for(view: SolitaireView) -> str:
    """The sentence for page and terminal (the panel has its own, shorter ones in the player's language)."""
    if view.state == "set_up":
        return "Set up the pieces."
    if view.state == "wrong":
        holes, seen = BOARD_37.from_holes(view.holes), BOARD_37.from_holes(view.seen)
        return f"{view.reason} {undo_words(BOARD_37, holes, seen, view.code)}"
    if view.state == "won":
        return "Solved!"
    if view.state == "over":
        return f"No jump is left: {view.pieces} pieces."
    if view.winnable is None:
        return f"Not known yet whether this can be won{': ' + view.progress if view.progress else ''}."
    return "This can be won." if view.winnable else "This can't be won any more."


def table_view(view: SolitaireView, blocked: str = "") -> TableView:
    """The lamps: the player's own while it is to jump, green when solved, red for a wrong jump, amber when it is lost.

    blocked: why the board cannot be seen, "" = it can be.
    """
    more: dict[str, Any] = {"message": view.words or words_for(view)}
    if blocked:
        return TableView(
            phase=Phase.PAUSED, verdict=VerdictColour.AMBER, view_blocked=blocked, message_code="view_blocked",
            message=f"I can't see the board: {blocked}.",
        )  # fmt: skip
    if view.state == "wrong":
        return TableView(phase=Phase.ILLEGAL, side="light", verdict=VerdictColour.RED, **more)
    if view.state == "won":
        return TableView(phase=Phase.OVER, verdict=VerdictColour.GREEN, **more)
    if view.state == "over" or view.winnable is False:
        return TableView(phase=Phase.ROLL, side="light", verdict=VerdictColour.AMBER, **more)
    return TableView(phase=Phase.ROLL if view.state == "play" else Phase.WAITING, side="light", **more)


# ---------------------------------------------------------------------------------------------- the question


class _Stale(Exception):
    """The position that was asked about is gone."""


@dataclass
class Question:
    """ "Can it still be won, and what next?", worked out in a thread so that no frame waits for it.

    A quick answer first; where there is none, the search goes on with `progress` in words until the board changes.
    """

    _worker: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "solitaire"))
    _asked: Future[Solution] | None = None
    _turn: int = 0
    progress: str = ""

    def ask(self, position: int, finish: tuple[int, ...] | None, *, remainder: bool) -> None:
        """remainder: when it cannot be won, look for the way to as few pieces as possible."""
        self._turn += 1
        self.progress = ""
        if self._asked is not None:
            self._asked.cancel()
        self._asked = self._worker.submit(self._answer, position, finish, remainder, self._turn)

    def answer(self) -> Solution | None:
        """The answer, once, as soon as it is there."""
        if self._asked is None or not self._asked.done():
            return None
        asked, self._asked = self._asked, None
        return None if asked.cancelled() or isinstance(asked.exception(), _Stale) else asked.result()

    def forget(self) -> None:
        self._turn += 1
        self._asked = None

    def close(self) -> None:
        self._turn += 1
        self._worker.shutdown(wait=False, cancel_futures=True)

    def _answer(self, position: int, finish: tuple[int, ...] | None, remainder: bool, turn: int) -> Solution:
        def progress(text: str) -> None:
            if turn != self._turn:
                raise _Stale
            self.progress = text

        found = solver(BOARD_37, finish).solve(
            position, patience=PATIENCE_IN_PLAY, remainder=remainder, progress=progress
        )
        if found.solvable is None:
            found = solver(BOARD_37, finish).solve(
                position, patience=PATIENCE, remainder=remainder, progress=progress
            )
        return found


# ----------------------------------------------------------------------------------------------- the sitting


class SolitairePipeline:
    """Frames in, moments out, as `pipeline.Pipeline`. past: events of a game that goes on, known to `referee` already."""

    def __init__(
        self,
        reader: HolesReader,
        referee: SolitaireReferee,
        *,
        announce: Callable[[list[Event]], None] | None = None,
        past: Iterable[Event] = (),
    ) -> None:
        self.reader, self.referee, self._announce = reader, referee, announce
        self.solitaire = functools.reduce(view_after, past, SolitaireView())
        self.question = Question()
        #: As `Pipeline.spared`.
        self.spared = SparedLooks()
        self._seen_at: float | None = None
        self._blocked = ""
        self._hint_wanted = False
        self._after_news()

    def feed(self, frame: Frame) -> Moment:
        """One frame through vision and referee."""
        return self.judge(self.spared.look(self.reader, frame), frame)

    def judge(self, sighting: Sighting, frame: Frame | None = None) -> Moment:
        """A sighting through the referee (also for one made without a frame: no camera)."""
        now = sighting.time
        events = [
            replace(e, seq=sighting.seq, frame=sighting.name)
            for e in self.referee.observe(sighting.holes, now)
        ]
        self._heard(events)
        if sighting.holes is not None and any(isinstance(e, LESSONS) for e in events):
            self.reader.learn(sighting.holes)
        self._look_out(sighting)
        self._listen()
        return replace(self.moment(now), events=tuple(events), frame=frame, sighting=sighting)

    def command(self, command: Command, now: float) -> Moment:
        """What a person asked for by button or page."""
        events = self.referee.command(command, now)
        self._heard(events)
        return replace(self.moment(now), events=tuple(events))

    def ask_hint(self) -> None:
        """The next jump, and to how few pieces it leads when it cannot be won."""
        if self.solitaire.state in ("play", "wrong"):
            self._hint_wanted = True
            self._ask()

    def moment(self, now: float) -> Moment:
        """How things stand, without news."""
        return Moment(now, table_view(self.solitaire, self._blocked), solitaire=self.solitaire)

    # ------------------------------------------------------------------------------------------ inside

    def _heard(self, events: list[Event]) -> None:
        if not events:
            return
        if self._announce is not None:
            self._announce(events)
        before = self.solitaire.holes
        for event in events:
            self.solitaire = view_after(self.solitaire, event)
        if self.solitaire.holes != before:
            self._hint_wanted = False
        self._after_news()

    def _after_news(self) -> None:
        game = self.referee.game
        self.solitaire = replace(self.solitaire, name=game.names["en"] if game is not None else "")
        if self.solitaire.state == "play" and self.solitaire.winnable is None:
            self._ask()
        elif self.solitaire.state != "play" and not self._hint_wanted:
            self.question.forget()
        self._say()

    def _ask(self) -> None:
        game = self.referee.game
        finish = None if game is None or game.finish is None else (game.finish,)
        position = BOARD_37.from_holes(self.solitaire.holes)
        self.question.ask(position, finish, remainder=self._hint_wanted)

    def _listen(self) -> None:
        """Takes the solver's answer when it has come."""
        if (found := self.question.answer()) is not None:
            self.solitaire = replace(self.solitaire, winnable=found.solvable, progress="")
            if self._hint_wanted:
                hint = str(found.jumps[0]) if found.jumps else ""
                self.solitaire = replace(self.solitaire, hint=hint, best=found.best_remaining)
                self._hint_wanted = False
        elif self.solitaire.winnable is None and self.question.progress != self.solitaire.progress:
            self.solitaire = replace(self.solitaire, progress=self.question.progress)
        self._say()

    def _say(self) -> None:
        self.solitaire = replace(self.solitaire, words="")
        self.solitaire = replace(self.solitaire, words=words_for(self.solitaire))

    def _look_out(self, sighting: Sighting) -> None:
        """Whether the board has been out of sight for long."""
        if sighting.settled or sighting.gate is Gate.MOVING or self._seen_at is None:
            self._seen_at = sighting.time
        unseen = sighting.note == "no_camera" or sighting.time - self._seen_at > UNSEEN
        self._blocked = (sighting.note.replace("_", " ") or "something is in the way") if unseen else ""


class SolitaireSitting(Recorded):
    """Reader, referee, pipeline and journal of a solitaire game."""

    def __init__(
        self,
        reader: HolesReader,
        referee: SolitaireReferee,
        *,
        journal: Journal | None = None,
        notices: tuple[str, ...] = (),
        past: Iterable[Event] = (),
    ) -> None:
        super().__init__(journal, notices=notices)
        self.reader, self.referee = reader, referee
        self.pipeline = SolitairePipeline(reader, referee, announce=self._keep, past=past)

    @classmethod
    def at_the_table(
        cls,
        problem: Problem | None,
        folder: Path,
        *,
        corners: npt.ArrayLike | None = None,
        go_on: bool = True,
    ) -> SolitaireSitting:
        """For a live board: goes on with an unfinished game of the newest journal in `folder` when `go_on`."""
        events: Iterable[Event]
        if go_on:
            found = resume(folder)
            journal, events, notices = found.journal, found.events, found.notices
        else:
            journal, events, notices = Journal.create(folder), (), ()
        referee = SolitaireReferee.from_events(problem, events)
        return cls(HolesReader(corners=corners), referee, journal=journal, notices=notices, past=events)

    @classmethod
    def for_recording(
        cls,
        *,
        corners: npt.ArrayLike | None = None,
        key_frames: bool = False,
        start: Problem | None = None,
        log_dir: Path | None = None,
    ) -> SolitaireSitting:
        """For a video or folder whose first readable picture shows the set-up (`start`, or whatever lies there)."""
        options = SolitaireOptions(any_start=start is None)
        if key_frames:
            # In a folder each picture shows a finished moment, so no jump is in progress.
            options = replace(options, halfway_seconds=0.9)
        journal = Journal.create(log_dir) if log_dir else None
        reader = HolesReader(corners=corners, motion=not key_frames)
        return cls(reader, SolitaireReferee(start, options), journal=journal)

    def moment(self, now: float) -> Moment:
        """How things stand, without news."""
        return self.pipeline.moment(now)

    def ask_hint(self, advice: Adviser, now: float = 0.0) -> None:
        """The solver answers here, not the backgammon engine."""
        self.pipeline.ask_hint()

    def evidence(self, options: RecordOptions) -> EvidencePictures | None:
        """The output that keeps pictures of wrong jumps beside the journal and names them in it."""
        if self.journal is None or not options.evidence:
            return None
        path = self.journal.path
        return EvidencePictures(path.parent / "evidence", path.stem, options, note=self.journal.note)

    def close(self) -> None:
        """Safe to call more than once."""
        self.pipeline.question.close()
        super().close()
