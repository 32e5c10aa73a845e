"""What the page can ask for. No path, file name or shell word is ever taken from the client: names are looked up."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable
from importlib import resources
from pathlib import Path
from typing import Any, Protocol

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from pi_board.errors import InvalidError, PiBoardError
from pi_board.events import Command
from pi_board.record.board_picture import svg
from pi_board.record.formats import LARGEST, WRITERS, parse
from pi_board.record.gamejson import match_document
from pi_board.record.journal import journals, read_journal
from pi_board.record.match import Game, Match
from pi_board.record.statistics import Statistics
from pi_board.rules import Position
from pi_board.web.access import COOKIE, Gatekeeper
from pi_board.web.hub import LiveHub, Which

#: Every file of the page, by the name it is asked for.
PAGES = {"": "index.html", "setup": "setup.html", "history": "history.html"}
TYPES = {
    "html": "text/html",
    "css": "text/css",
    "js": "text/javascript",
    "svg": "image/svg+xml",
    "webmanifest": "application/manifest+json",
}
WORDS = ("hint", "stands", "take_back", "next", "evidence")
MOST_VIEWERS = 8


class Desk(Protocol):
    """What the page may do to the running program."""

    def submit(self, request: Any) -> bool: ...


#: Light's chance of winning (0-1) at the start of a game and after each of its actions.
Curve = Callable[[Game], list[float]]


class Setup(Protocol):
    """The steps of the set-up wizard, one at a time. `act` raises PiBoardErrors with one line for a person."""

    def document(self) -> dict[str, Any]: ...

    def act(self, step: str, body: dict[str, Any]) -> dict[str, Any]: ...


def _date(stem: str) -> str:
    """"2026-11-20 21:30" from a journal's name."""
    digits = stem.removeprefix("session-")
    if len(digits) < 15 or not (digits[:8] + digits[9:15]).isdigit():
        return stem
    return f"{digits[:4]}-{digits[4:6]}-{digits[6:8]} {digits[9:11]}:{digits[11:13]}"


def static_files() -> dict[str, bytes]:
    """Name -> content of everything in static/, read once at start."""
    folder = resources.files("pi_board.web") / "static"
    return {f.name: f.read_bytes() for f in folder.iterdir() if f.is_file()}


class Site:
    """The routes, bound to one hub and one program."""

    def __init__(
        self,
        hub: LiveHub,
        desk: Desk,
        keeper: Gatekeeper,
        *,
        games: Path,
        video_fps: float = 5.0,
        setup: Setup | None = None,
        curve: Curve | None = None,
    ) -> None:
        self.setup, self.curve = setup, curve
        self.hub, self.desk, self.keeper, self.games = hub, desk, keeper, games
        self.video_fps = video_fps
        self.files = static_files()
        self.video_clients = 0

    def routes(self) -> list[Route]:
        pages = [Route(f"/{name}", self._page(file)) for name, file in PAGES.items()]
        static = [Route(f"/static/{name}", self._page(name)) for name in self.files]
        return [
            *pages,
            *static,
            Route("/enter", self.enter),
            Route("/api/state", self.state),
            Route("/api/events", self.events),
            Route("/api/video", self.video),
            Route("/api/frame.jpg", self._picture("now")),
            Route("/api/before.jpg", self._picture("before")),
            Route("/api/after.jpg", self._picture("after")),
            Route("/api/board.svg", self.board),
            Route("/api/command", self.command, methods=["POST"]),
            Route("/api/press", self.press, methods=["POST"]),
            Route("/api/setup", self.setup_state),
            Route("/api/setup/{step}", self.setup_step, methods=["POST"]),
            Route("/api/games", self.games_list),
            Route("/api/statistics", self.statistics),
            Route("/api/games/{number}", self.game),
            Route("/api/games/{number}/{kind}", self.download),
        ]

    def _page(self, name: str) -> Callable[[Request], Any]:
        async def page(request: Request) -> Response:
            if name not in self.files:
                return PlainTextResponse("not found\n", 404)
            kind = TYPES.get(name.rpartition(".")[2], "application/octet-stream")
            return self._remember(request, Response(self.files[name], media_type=kind))

        return page

    def _remember(self, request: Request, response: Response) -> Response:
        """A visitor who came with the right word keeps it as a cookie, so that the address can be bare afterwards."""
        role = request.state.role
        word = self.keeper.token if role == "player" else self.keeper.spectator_word
        offered = request.query_params.get("token") or request.query_params.get("watch")
        if offered and role != "none":
            response.set_cookie(COOKIE, word, max_age=180 * 86400, httponly=True, samesite="strict", path="/")
        return response

    async def enter(self, request: Request) -> Response:
        """The address in the QR code: keeps the token as a cookie and goes to the page without it."""
        return self._remember(request, RedirectResponse("/", 303))

    # ------------------------------------------------------------------------------------ live

    async def state(self, request: Request) -> Response:
        role = request.state.role
        more = {"spectator": f"/enter?watch={self.keeper.spectator_word}"} if role == "player" else {}
        return JSONResponse({**self.hub.state(), "role": role, **more})

    async def events(self, request: Request) -> Response:
        """Server-sent events: `view` (the whole view, whenever it changed) and `news` (events, hints, coach)."""
        last = request.headers.get("last-event-id", "")
        number = int(last) if last.isascii() and last.isdigit() and len(last) < 12 else -1
        if request.method == "HEAD":
            return Response(media_type="text/event-stream")

        async def stream() -> AsyncIterator[str]:
            nonlocal number
            newest, view, items = self.hub.news_after(number)
            # A new page needs the state, not yesterday's news; after a restart the old numbers mean nothing.
            missed = items if 0 <= number <= newest else []
            number = newest
            yield f"retry: 1500\nid: {newest}\nevent: view\ndata: {view}\n\n"
            for text in missed:
                yield f"event: news\ndata: {text}\n\n"
            while not (self.hub.closed or await request.is_disconnected()):
                await self.hub.wait(number, 15.0)
                newest, view, items = self.hub.news_after(number)
                if newest == number:
                    yield ": still here\n\n"
                    continue
                number = newest
                for text in items:
                    yield f"event: news\ndata: {text}\n\n"
                yield f"id: {number}\nevent: view\ndata: {view}\n\n"
                # A page need not redraw more often than this, whatever the table does.
                await asyncio.sleep(0.05)

        return StreamingResponse(
            stream(), media_type="text/event-stream", headers={"x-accel-buffering": "no"}
        )

    def _picture(self, which: Which) -> Callable[[Request], Any]:
        async def picture(request: Request) -> Response:
            _, data = await run_in_threadpool(self.hub.jpeg, which)
            if not data:
                return PlainTextResponse("no picture yet\n", 503 if which == "now" else 404)
            return Response(data, media_type="image/jpeg")

        return picture

    async def video(self, request: Request) -> Response:
        """Motion JPEG, as every browser shows it in an <img>."""
        kind = "multipart/x-mixed-replace; boundary=frame"
        if self.video_clients >= MOST_VIEWERS:
            return PlainTextResponse("too many viewers\n", 503)
        if request.method == "HEAD":
            return Response(media_type=kind)

        async def stream() -> AsyncIterator[bytes]:
            self.video_clients += 1
            sent = -1
            try:
                while not (self.hub.closed or await request.is_disconnected()):
                    number, data = await run_in_threadpool(self.hub.jpeg)
                    if data and number != sent:
                        sent = number
                        head = b"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n" % len(data)
                        yield head + data + b"\r\n"
                    await asyncio.sleep(1 / self.video_fps)
            finally:
                self.video_clients -= 1

        return StreamingResponse(stream(), media_type=kind)

    async def board(self, request: Request) -> Response:
        view = self.hub.state()["view"]
        if not view or not view.get("position"):
            return PlainTextResponse("no position yet\n", 404)
        text = svg(
            Position.from_document(view["position"]),
            dice=tuple(view["dice"]) if view.get("dice") else None,
            side=view.get("side"),
            cube=view.get("cube", 1),
            cube_owner=view.get("cube_owner"),
            near=self.hub.extra.get("near", "light"),
            home=self.hub.extra.get("home", "right"),
        )
        return Response(text, media_type="image/svg+xml")

    # --------------------------------------------------------------------------------- actions

    async def _body(self, request: Request) -> dict[str, Any]:
        if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            raise InvalidError("expected application/json")
        try:
            document = json.loads(await request.body())
        except (ValueError, RecursionError):
            raise InvalidError("expected a JSON object") from None
        if not isinstance(document, dict):
            raise InvalidError("expected a JSON object")
        return document

    async def command(self, request: Request) -> Response:
        """{"type": "set_dice", "dice": [3, 1], …}: the same commands as the buttons'."""
        try:
            command = Command.from_document(await self._body(request))
        except InvalidError as error:
            return JSONResponse({"error": str(error)}, 400)
        if not self.desk.submit(command):
            return JSONResponse({"error": "too many requests wait already"}, 503)
        return JSONResponse({"ok": True}, 202)

    async def press(self, request: Request) -> Response:
        """{"word": "hint"}: one of the panel's buttons."""
        try:
            word = (await self._body(request)).get("word")
        except InvalidError as error:
            return JSONResponse({"error": str(error)}, 400)
        if word not in WORDS:
            return JSONResponse({"error": f"word: expected one of {', '.join(WORDS)}"}, 400)
        if not self.desk.submit(word):
            return JSONResponse({"error": "too many requests wait already"}, 503)
        return JSONResponse({"ok": True}, 202)

    # ---------------------------------------------------------------------------------- set-up

    async def setup_state(self, request: Request) -> Response:
        if request.state.role != "player":
            return JSONResponse({"error": "spectators can only watch"}, 403)
        if self.setup is None:
            return JSONResponse({"error": "there is nothing to set up here"}, 404)
        return await self._answer(self.setup.document)

    async def setup_step(self, request: Request) -> Response:
        """One step of the wizard; see `SetupDesk`."""
        if self.setup is None:
            return JSONResponse({"error": "there is nothing to set up here"}, 404)
        try:
            body = await self._body(request)
        except InvalidError as error:
            return JSONResponse({"error": str(error)}, 400)
        return await self._answer(self.setup.act, request.path_params["step"], body)

    @staticmethod
    async def _answer(ask: Callable[..., dict[str, Any]], *args: Any) -> Response:
        try:
            return JSONResponse(await run_in_threadpool(ask, *args))
        except InvalidError as error:
            return JSONResponse({"error": str(error)}, 400)
        except PiBoardError as error:
            return JSONResponse({"error": str(error)}, 409)

    # --------------------------------------------------------------------------------- history

    def _journal(self, word: str) -> Path | None:
        """The n-th journal, counted from the oldest; the only way in which a client can name a file."""
        if not (word.isascii() and word.isdigit() and len(word) < 7):
            return None
        found = journals(self.games)
        return found[int(word)] if int(word) < len(found) else None

    def _match(self, word: str) -> Match | None:
        path = self._journal(word)
        # A link in the folder could lead anywhere.
        if path is None or path.is_symlink() or not path.is_file():
            return None
        with contextlib.suppress(OSError, PiBoardError):
            if path.stat().st_size <= LARGEST:
                return parse(path.read_bytes()).match
        return None

    async def games_list(self, request: Request) -> Response:
        def collect() -> list[dict[str, Any]]:
            found = []
            for number, path in list(enumerate(journals(self.games)))[-100:]:
                match = self._match(str(number))
                if match is None or not match.games:
                    continue
                found.append(
                    {
                        "number": number,
                        "name": path.stem,
                        "names": match.names,
                        "length": match.length,
                        "rules": match.rules,
                        "date": _date(path.stem),
                        "games": len(match.games),
                        "score": match.score,
                    }
                )
            return found[::-1]

        return JSONResponse({"sessions": await run_in_threadpool(collect)})

    async def game(self, request: Request) -> Response:
        match = await run_in_threadpool(self._match, request.path_params["number"])
        if match is None:
            return JSONResponse({"error": "no such session"}, 404)

        def document() -> dict[str, Any]:
            found = match_document(match)
            for game, entry in zip(match.games, found["games"], strict=True):
                for (_, _, after), action in zip(game.positions(), entry["actions"], strict=True):
                    action["position"] = after.to_document()
                if self.curve is not None:
                    entry["light_wins"], *rest = self.curve(game)
                    for action, chance in zip(entry["actions"], rest, strict=True):
                        action["light_wins"] = chance
            return found

        # A journal may hold what cannot be replayed; that is said, not a crash.
        return await self._answer(document)

    async def statistics(self, request: Request) -> Response:
        """Figures over the newest journals; see `Statistics`."""

        def collect() -> dict[str, Any]:
            figures = Statistics()
            for path in journals(self.games)[-100:]:
                if path.is_symlink() or not path.is_file():
                    continue
                with contextlib.suppress(OSError, PiBoardError):
                    if path.stat().st_size <= LARGEST:
                        figures.add(read_journal(path).events, path.stem)
            return figures.to_document()

        return JSONResponse(await run_in_threadpool(collect))

    async def download(self, request: Request) -> Response:
        kind = request.path_params["kind"]
        if kind not in WRITERS:
            return PlainTextResponse("not found\n", 404)
        number = request.path_params["number"]
        match = await run_in_threadpool(self._match, number)
        if match is None:
            return PlainTextResponse("no such session\n", 404)
        try:
            text = await run_in_threadpool(WRITERS[kind], match)
        except PiBoardError as error:
            return PlainTextResponse(f"{error}\n", 409)
        headers = {"content-disposition": f'attachment; filename="pi-board-{number}.{kind}"'}
        return Response(text, media_type="text/plain; charset=utf-8", headers=headers)
