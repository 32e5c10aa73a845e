"""Setting up a board: find it, show the fit, judge light and focus, compare with the starting position, save.

`SetupDesk` does the page's steps on the running program. Geometry is worked out in `fit`; the page draws what it is given.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Literal, Protocol

import numpy as np
import numpy.typing as npt

from pi_board.errors import AmbiguousError, InvalidError, PiBoardError
from pi_board.events import Continue, NewMatch, Pause
from pi_board.rules import RULE_SETS, Side
from pi_board.session.finding_reader import FindingReader
from pi_board.session.sitting import Sitting
from pi_board.setup.fit import drawing, registration_by_hand
from pi_board.setup.page_input import plain_value, quad, text_of_points
from pi_board.setup.picture_checks import dice_in, picture_checks, start_ticks
from pi_board.setup.progress import STEPS, Holder, Progress
from pi_board.setup.settings import Settings
from pi_board.setup.settings_file import Value, change_settings
from pi_board.table import Phase
from pi_board.vision.board.geometry import BoardGeometry
from pi_board.vision.board.orientation import Orientation
from pi_board.vision.board.registration import Registration
from pi_board.vision.board.seating import find_seating
from pi_board.vision.finding.find_board import find_board
from pi_board.vision.profile import BoardProfile, load_profile, profile_names
from pi_board.vision.reader import BoardReader

Image = npt.NDArray[np.uint8]
Home = Literal["right", "left"]


class Program(Protocol):
    """What the desk needs of the running program (`App`)."""

    sitting: Sitting

    def submit(self, request: Any) -> bool: ...


class PictureSource(Protocol):
    """Where the desk gets its pictures from, and where pages learn about the seating (`LiveHub`)."""

    extra: dict[str, Any]

    def image(self) -> Image | None: ...


Body = Mapping[str, Any]
GAME_KEYS = ("rules", "match_length", "light_name", "dark_name")
#: What a match is agreed on, by the page's word: (section, key) of the settings.
MATCH_KEYS = {"mode": ("match", "mode"), "clock": ("clock", "kind")}

#: Seconds after which a dice step that asks no more (it asks every 1.5 s) has been left.
FORGOTTEN = 20.0


class SetupDesk:
    """The steps of the set-up wizard. Everything from the client is checked; files are only ever the settings file.

    Thread-safe: one step at a time, a second one meanwhile is refused, and only the page that has the set-up in hand
    takes steps. The referee takes over a new registration in its own thread.
    """

    def __init__(self, settings: Settings, app: Program, pictures: PictureSource) -> None:
        self.settings, self._app, self._pictures = settings, app, pictures
        self._busy = threading.Lock()
        self._draft: Registration | None = None
        #: The last reader that the referee was given from here, and what it was told.
        self._handed: tuple[FindingReader, Registration, Orientation] | None = None
        self._by_hand = self._paused = False
        self._watcher: threading.Timer | None = None
        self.progress, self.holder = Progress(), Holder()
        board = settings.board
        self._profile = board.profile
        self._orientation = Orientation(board.near, board.home)
        self.steps: dict[str, Callable[[Body], dict[str, Any]]] = {
            "find": self.find,
            "fit": self.fit,
            "check": self.check,
            "start": self.start,
            "dice": self.dice,
            "leave": self.leave,
            "save": self.save,
        }

    def document(self) -> dict[str, Any]:
        """Choices and what is set now."""
        board, game = self.settings.board, self.settings.game
        profiles = []
        for name in profile_names():
            profile = load_profile(name)
            if profile.kind == "backgammon":
                profiles.append({"name": name, "title": profile.title or name})
        if board.profile not in [p["name"] for p in profiles]:
            profiles.append(
                {"name": board.profile, "title": load_profile(board.profile).title or board.profile}
            )
        image = self._pictures.image()
        return {
            "profiles": profiles,
            "rules": [{"name": r.name, "title": r.title} for r in RULE_SETS.values()],
            "board": {
                "profile": self._profile,
                "near": self._orientation.near,
                "home": self._orientation.home,
            },
            "game": {
                "rules": game.rules,
                "match_length": game.match_length,
                "light_name": game.light_name,
                "dark_name": game.dark_name,
            },
            "match": {"mode": self.settings.match.mode, "clock": self.settings.clock.kind},
            "picture": None if image is None else [image.shape[1], image.shape[0]],
            "found": self._found(),
            "progress": self.progress.to_document(),
            "holder": self.holder.name,
        }

    def act(self, step: str, body: Body, who: str = "", name: str = "") -> dict[str, Any]:
        """One step by its name. who: the page that asks; name: of its device, for the others to read.

        Raises InvalidError (also for an unknown step) and other PiBoardErrors, one line each.
        """
        if step == "hold":
            # This step does not queue behind the others, so a page that is waiting for the board search keeps its hold on the set-up.
            return self.hold(body, who, name)
        action = self.steps.get(step)
        if action is None:
            raise InvalidError(f"step: expected one of {', '.join((*self.steps, 'hold'))}")
        if step == "leave" and body.get("gone"):
            if not self.holder.let_go(who):
                return {"ok": True}
        elif not self.holder.hold(who, name):
            if step == "leave":
                return {"ok": True}
            raise AmbiguousError(f"{self.holder.name} has the set-up in hand at the moment")
        if step == "leave":
            # A closing page sends this once and cannot repeat it, so it waits for the step before.
            with self._busy:
                return action(body)
        if not self._busy.acquire(blocking=False):
            raise AmbiguousError("the set-up is still busy with the step before; try again")
        try:
            return action(body)
        finally:
            self._busy.release()

    def hold(self, body: Body, who: str, name: str) -> dict[str, Any]:
        """{"at", "game", "take"}: this page goes on with the set-up. at: its step now; game: what is typed into the first
        one; take: even if another device has it. The answer says whether it may ("mine"), and where things stand."""
        at, game = body.get("at"), body.get("game")
        if at is not None and at not in STEPS:
            raise InvalidError(f"at: expected one of {', '.join(STEPS)}")
        typed: dict[str, Value] = {}
        if isinstance(game, dict):
            typed = {key: plain_value(key, game[key]) for key in GAME_KEYS if key in game}
        mine = self.holder.hold(who, name, take=body.get("take") is True)
        if mine and at is not None:
            self.progress.at = at
        if mine and typed:
            self.progress.game = typed
        return {"mine": mine, "holder": self.holder.name, "progress": self.progress.to_document()}

    # -- finding -----------------------------------------------------------------------------------------

    def _found(self) -> dict[str, Any] | None:
        draft = self._draft or self._app.sitting.reader.registration
        return None if draft is None else drawing(draft, self._orientation)

    def find(self, body: Body) -> dict[str, Any]:
        """{"profile", "near", "home", "seated"}: looks for the board in the picture of now, and who sits where unless `seated` says that
        near and home are a person's word."""
        profile = self._choices(body)
        try:
            found = find_board(self._image(), profile)
        except AmbiguousError as error:
            return {"found": None, "refusal": str(error)}
        self._draft, self._by_hand = found, False
        self.progress.board_moved()
        # A person's answer is final. Without one, the starting position tells, if it is on the board.
        seating = None if body.get("seated") else find_seating(self._image(), found.geometry())
        if seating is not None and seating.sure:
            self._orientation = seating.orientation
        o = self._orientation
        known = bool(body.get("seated")) or (seating is not None and seating.sure)
        return {
            "found": self._found(),
            "seating": {"near": o.near, "home": o.home, "known": known, "words": seat(o.near, o.home)},
        }

    def fit(self, body: Body) -> dict[str, Any]:
        """{"corners": 4 × [x, y], "bar_edges": 4 × [x, y] or null}: the handles as a person put them."""
        profile = self._choices(body)
        corners = quad(body.get("corners"), "corners")
        bar = None if body.get("bar_edges") is None else quad(body["bar_edges"], "bar_edges")
        self._draft, self._by_hand = registration_by_hand(self._image(), corners, bar, profile), True
        self.progress.board_moved()
        return {"found": self._found()}

    def _choices(self, body: Body) -> BoardProfile:
        name = body.get("profile", self._profile)
        known = {*profile_names(), self.settings.board.profile}
        if not isinstance(name, str) or name not in known:
            # Never a path from the client: only names that are offered.
            raise InvalidError(f"profile: expected one of {', '.join(sorted(known))}")
        near, home = body.get("near", self._orientation.near), body.get("home", self._orientation.home)
        if near not in ("light", "dark") or home not in ("right", "left"):
            raise InvalidError("near, home: expected light or dark, right or left")
        profile = load_profile(name)
        if profile.kind != "backgammon":
            raise InvalidError(f"profile: {name} is no backgammon board")
        self._profile, self._orientation = name, Orientation(near, home)
        return profile

    def _image(self) -> Image:
        image = self._pictures.image()
        if image is None:
            raise AmbiguousError("there is no picture yet: is the camera connected?")
        return image

    def _geometry(self) -> BoardGeometry:
        draft = self._draft or self._app.sitting.reader.registration
        if draft is None:
            raise AmbiguousError("find the board first")
        height, width = self._image().shape[:2]
        if (width, height) != tuple(draft.image_size):
            raise AmbiguousError("the camera's picture has another size now; find the board again")
        return draft.geometry()

    # -- looking -----------------------------------------------------------------------------------------

    def check(self, body: Body) -> dict[str, Any]:
        """Light, focus, size and view."""
        checks = picture_checks(self._image(), self._geometry())
        self.progress.light = all(c.good for c in checks)
        return {"checks": [c.to_document() for c in checks]}

    def start(self, body: Body) -> dict[str, Any]:
        """A tick per point of the starting position; learned: the referee's eyes know the colours from it."""
        self._hand_over()
        ticks = start_ticks(self._image(), self._geometry(), self._orientation)
        reader = self._app.sitting.reader.reader
        good = sum(t["good"] for t in ticks)
        self.progress.start = max(self.progress.start, good)
        return {
            "ticks": ticks,
            "good": good,
            "learned": bool(reader is not None and reader.appearance is not None),
        }

    def dice(self, body: Body) -> dict[str, Any]:
        """The numbers on the dice now. The game is paused meanwhile, so these rolls do not count."""
        # If the players paused the game themselves, leave it to them to end the pause.
        if not self._paused and self._app.sitting.referee.view().phase is not Phase.PAUSED:
            self._paused = self._app.submit(Pause())
        self._watch()
        found = dice_in(self._image(), self._geometry(), self._orientation)
        self.progress.dice_seen(found)
        return {
            "dice": [
                {"value": d.value, "cocked": d.cocked, "x": round(d.x, 1), "y": round(d.y, 1)} for d in found
            ],
            "throws": self.progress.to_document()["throws"],
        }

    def leave(self, body: Body) -> dict[str, Any]:
        """{"gone": whether the page is left too}: nobody looks at the dice step any more; the game goes on where it was."""
        if self._watcher is not None:
            self._watcher.cancel()
            self._watcher = None
        if self._paused:
            self._paused = not self._app.submit(Continue())
        return {"ok": True}

    def _watch(self) -> None:
        # A phone that was put away sends nothing; the game must not wait for it all evening.
        if self._watcher is not None:
            self._watcher.cancel()
        self._watcher = threading.Timer(FORGOTTEN, self._forgotten)
        self._watcher.daemon = True
        self._watcher.start()

    def _forgotten(self) -> None:
        with self._busy:
            self.leave({})

    # -- keeping -----------------------------------------------------------------------------------------

    def _hand_over(self) -> None:
        """The referee reads the board where the draft has it, from its next frame on."""
        draft = self._draft
        if draft is None:
            return
        sitting, near, home = self._app.sitting, self._orientation.near, self._orientation.home
        old = sitting.reader
        # The reader may have looked again since and found the board elsewhere or turned: handing over anew would undo that, and
        # with it what was learned.
        handed = self._handed
        if handed is not None and handed[0] is old and handed[1] is draft and handed[2] == self._orientation:
            return
        new = FindingReader(
            load_profile(self._profile), near=near, home=home, options=old.options, seated=True
        )
        new.registration = draft
        self._handed = new, draft, self._orientation
        new.reader = BoardReader(new.profile, near=near, home=home, registration=draft, options=old.options)

        def exchange() -> None:
            sitting.reader = new
            sitting.pipeline.reader = new

        if not self._app.submit(exchange):
            raise AmbiguousError("too many requests wait already; try again")
        self._pictures.extra.update(near=near, home=home)

    def save(self, body: Body) -> dict[str, Any]:
        """{"profile", "near", "home", "rules", "match_length", "light_name", "dark_name", "mode", "clock"}: into the settings file.

        A board that was found by itself is looked for again at every start; one set by hand stays where it was put.
        """
        self._choices(body)
        game: dict[str, Value] = {}
        for key in GAME_KEYS:
            if key in body:
                game[key] = plain_value(key, body[key])
        board: dict[str, Value] = {
            "profile": self._profile,
            "near": self._orientation.near,
            "home": self._orientation.home,
        }
        if self._draft is not None:
            board["corners"] = text_of_points(self._draft.corners) if self._by_hand else ""
            edges = self._draft.bar_edges
            board["bar_edges"] = text_of_points(edges) if self._by_hand and edges is not None else ""
        before = self.settings.game, self.settings.match, self.settings.clock
        changes: dict[str, dict[str, Value]] = {"board": board, "game": game}
        for word, (section, key) in MATCH_KEYS.items():
            if word in body:
                changes.setdefault(section, {})[key] = plain_value(word, body[word])
        try:
            self.settings = replace(change_settings(self.settings.path, changes), web=self.settings.web)
        except PiBoardError as error:
            raise InvalidError(f"not saved: {error}") from None
        self._hand_over()
        self.leave({})
        self.progress = Progress()
        now = self.settings.game
        view = self._app.sitting.referee.view()
        match_play = self._app.sitting.match_play
        if match_play is not None:
            # Settings that take effect with the next match.
            match_play.options, match_play.clock_options = self.settings.match, self.settings.clock
        other = (now, self.settings.match, self.settings.clock) != before or (view.names, view.match_length, view.rules) != (
            (now.light_name, now.dark_name), now.match_length, now.rules,
        )  # fmt: skip
        if other:
            self._app.submit(
                NewMatch(
                    rules=now.rules,
                    match_length=now.match_length,
                    light_name=now.light_name,
                    dark_name=now.dark_name,
                )
            )
        return {"saved": str(self.settings.path), "new_match": other}


def seat(near: Side, home: Home) -> str:
    """The seating in words."""
    return f"{near} sits at the bottom of the picture and bears off to the {home}"
