"""What the page can ask for. No path, file name or shell word is ever taken from the client: names are looked up."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlsplit

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from pi_board.errors import InvalidError
from pi_board.events import Command
from pi_board.record.board_picture import svg
from pi_board.rules import Position
from pi_board.web.access import Gatekeeper, keep_word
from pi_board.web.answers import MULTIPART, answer, clip_response, json_body, part
from pi_board.web.devices import device_name
from pi_board.web.history import Coach, Curve, History
from pi_board.web.hub import LiveHub, Which
from pi_board.web.pages import OVERLAY, PAGES, pages, static_files
from pi_board.web.visitors import Visitors

TYPES = {
    "html": "text/html",
    "css": "text/css",
    "js": "text/javascript",
    "svg": "image/svg+xml",
    "webmanifest": "application/manifest+json",
}
WAYS_IN = ("player", "spectator")
WORDS = ("hint", "stands", "take_back", "next", "evidence", "director")
#: Videos at a time for players, and as many for spectators.
MOST_VIEWERS = 8
#: Half seconds that a clip may take to be written.
WAIT_FOR_CLIP = 12


class PageDesk(Protocol):
    """What the page may do to the running program."""

    def submit(self, request: Any) -> bool: ...


class Setup(Protocol):
    """The steps of the set-up wizard, one at a time. `act` raises PiBoardErrors with one line for a person."""

    def document(self) -> dict[str, Any]: ...

    def act(self, step: str, body: dict[str, Any], who: str, name: str) -> dict[str, Any]: ...


class Site:
    """The routes, bound to one hub and one program."""

    def __init__(
        self,
        hub: LiveHub,
        desk: PageDesk,
        keeper: Gatekeeper,
        *,
        games: Path,
        addresses: Callable[[], tuple[str, str]],
        video_fps: float = 5.0,
        setup: Setup | None = None,
        curve: Curve | None = None,
        coach: Coach | None = None,
        live: Path | None = None,
        visitors: Visitors | None = None,
    ) -> None:
        self.setup = setup
        self.visitors = visitors or Visitors()
        self.history = History(games, curve=curve, coach=coach, live=live)
        self.hub, self.desk, self.keeper = hub, desk, keeper
        #: The addresses that let players and spectators in, as they are now.
        self.addresses = addresses
        self.video_fps = video_fps
        self.files = {**static_files(), **pages()}
        #: Videos that are being sent: to players, to spectators.
        self.video_clients = [0, 0]

    def routes(self) -> list[Route]:
        return [
            *(Route(f"/{page.path}", self._page(page.file)) for page in PAGES),
            Route(f"/{OVERLAY}", self._page(f"{OVERLAY}.html")),
            *(Route(f"/static/{name}", self._page(name)) for name in static_files()),
            Route("/enter", self.enter),
            Route("/api/state", self.state),
            Route("/api/events", self.events),
            Route("/api/video", self.video),
            Route("/api/clip", self.clip),
            Route("/api/frame.jpg", self._picture("now")),
            Route("/api/before.jpg", self._picture("before")),
            Route("/api/after.jpg", self._picture("after")),
            Route("/api/board.svg", self.board),
            Route("/api/command", self.command, methods=["POST"]),
            Route("/api/press", self.press, methods=["POST"]),
            Route("/api/devices", self.devices_list),
            Route("/api/devices/{whom}.svg", self.way_in),
            Route("/api/devices/forget", self.forget_device, methods=["POST"]),
            Route("/api/devices/renew", self.renew, methods=["POST"]),
            Route("/api/setup", self.setup_state),
            Route("/api/setup/{step}", self.setup_step, methods=["POST"]),
            *self.history.routes(),
        ]

    def _shut_out(self, request: Request) -> bool:
        """It was let in, and has been forgotten since."""
        return self.keeper.role(request) != request.state.role

    def _page(self, name: str) -> Callable[[Request], Any]:
        async def page(request: Request) -> Response:
            if name not in self.files:
                return PlainTextResponse("not found\n", 404)
            kind = TYPES.get(name.rpartition(".")[2], "application/octet-stream")
            response = Response(self.files[name], media_type=kind)
            return self._remember(request, response) if name.endswith(".html") else response

        return page

    def _remember(self, request: Request, response: Response) -> Response:
        """A visitor who came with the right word keeps one as a cookie, so that the address can be bare afterwards."""
        # Only a proven word earns a cookie. Being trusted as a local visitor does not: a wrong word stays wrong on this machine.
        if request.method == "GET" and (word := self.keeper.word_for(request)) is not None:
            keep_word(response, word)
        return response

    async def enter(self, request: Request) -> Response:
        """The address in the QR code: leaves a word as a cookie and goes to the page without the token."""
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
        watching = request.state.role != "player"
        if watching and self.visitors.watching >= self.visitors.places.watching:
            return PlainTextResponse(
                "too many spectators\n", 503, {"retry-after": "30", "connection": "close"}
            )

        async def stream() -> AsyncIterator[str]:
            self.visitors.watching += watching
            try:
                async for piece in said():
                    yield piece
            finally:
                self.visitors.watching -= watching

        async def said() -> AsyncIterator[str]:
            nonlocal number
            newest, view, items = self.hub.news_after(number)
            # A new page needs the state, not yesterday's news; after a restart the old numbers mean nothing.
            missed = items if 0 <= number <= newest else []
            number = newest
            yield f"retry: 1500\nid: {newest}\nevent: view\ndata: {view}\n\n"
            for text in missed:
                yield f"event: news\ndata: {text}\n\n"
            while not (self.hub.closed or self._shut_out(request) or await request.is_disconnected()):
                await self.hub.wait(number, 15.0)
                newest, view, items = self.hub.news_after(number)
                if newest == number:
                    yield ": still here\n\n"
                    continue
                number = newest
                for text in items:
                    yield f"event: news\ndata: {text}\n\n"
                yield f"id: {number}\nevent: view\ndata: {view}\n\n"
                # Pages redraw at most this often, however busy the table is.
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
        watching = request.state.role != "player"
        if self.video_clients[watching] >= MOST_VIEWERS:
            return PlainTextResponse("too many viewers\n", 503)
        if request.method == "HEAD":
            return Response(media_type=MULTIPART)

        async def stream() -> AsyncIterator[bytes]:
            self.video_clients[watching] += 1
            sent = -1
            try:
                while not (self.hub.closed or self._shut_out(request) or await request.is_disconnected()):
                    number, data = await run_in_threadpool(self.hub.jpeg)
                    if data and number != sent:
                        sent = number
                        yield part(data)
                    await asyncio.sleep(1 / self.video_fps)
            finally:
                self.video_clients[watching] -= 1

        return StreamingResponse(stream(), media_type=MULTIPART)

    async def clip(self, request: Request) -> Response:
        """The seconds before the verdict that the page shows, as soon as they are written."""
        if request.method == "HEAD":
            return Response(media_type=MULTIPART)
        for _ in range(WAIT_FOR_CLIP):
            number, seq = self.hub.illegal
            if number and (path := await run_in_threadpool(self.history.newest_clip, seq)) is not None:
                return clip_response(path)
            if not number or self.hub.closed or await request.is_disconnected():
                break
            await asyncio.sleep(0.5)
        return PlainTextResponse("no clip is kept of this\n", 404)

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

    async def command(self, request: Request) -> Response:
        """{"type": "set_dice", "dice": [3, 1], …}: the same commands as the buttons'."""
        try:
            command = Command.from_document(await json_body(request))
        except InvalidError as error:
            return JSONResponse({"error": str(error)}, 400)
        if not self.desk.submit(command):
            return JSONResponse({"error": "too many requests wait already"}, 503)
        return JSONResponse({"ok": True}, 202)

    async def press(self, request: Request) -> Response:
        """{"word": "hint"}: one of the panel's buttons."""
        try:
            word = (await json_body(request)).get("word")
        except InvalidError as error:
            return JSONResponse({"error": str(error)}, 400)
        if word not in WORDS:
            return JSONResponse({"error": f"word: expected one of {', '.join(WORDS)}"}, 400)
        if not self.desk.submit(word):
            return JSONResponse({"error": "too many requests wait already"}, 503)
        return JSONResponse({"ok": True}, 202)

    # --------------------------------------------------------------------------------- devices

    async def devices_list(self, request: Request) -> Response:
        """Who was let in, and the addresses that let in: for players only."""
        if request.state.role != "player":
            return JSONResponse({"error": "spectators can only watch"}, 403)
        here = self.keeper.device(request)

        def document() -> dict[str, Any]:
            player, spectator = self.addresses()
            listed = [
                {"number": d.number, "name": d.name, "created": d.created, "seen": d.seen, "this": d == here}
                for d in self.keeper.devices.all()
            ]
            host = urlsplit(player).hostname or ""
            ways = {
                "player": player,
                "spectator": spectator,
                "overlay": spectator.replace("/enter?", f"/{OVERLAY}?"),
            }
            return {"devices": listed, **ways, "reachable": host not in ("127.0.0.1", "localhost", "::1")}

        return await answer(document)

    async def way_in(self, request: Request) -> Response:
        """The QR code of an address: player.svg or spectator.svg. For players only."""
        if request.state.role != "player":
            return PlainTextResponse("spectators can only watch\n", 403)
        whom = request.path_params["whom"]
        if whom not in WAYS_IN:
            return PlainTextResponse("not found\n", 404)

        def drawn() -> bytes:
            import io

            import segno

            code = segno.make(self.addresses()[WAYS_IN.index(whom)], error="m", micro=False)
            # The code needs a white ground and margin: on a dark page, scanners would not find it.
            drawing = io.BytesIO()
            code.save(drawing, kind="svg", border=4, dark="#000", light="#fff", omitsize=True)
            return drawing.getvalue()

        return Response(await run_in_threadpool(drawn), media_type="image/svg+xml")

    async def forget_device(self, request: Request) -> Response:
        """{"number": "…"}: that device is a stranger from now on, and its streams end."""
        try:
            number = (await json_body(request)).get("number")
            if not isinstance(number, str) or not self.keeper.devices.forget(number):
                raise InvalidError("number: there is no such device")
        except InvalidError as error:
            return JSONResponse({"error": str(error)}, 400)
        self.hub.wake()
        return JSONResponse({"ok": True})

    async def renew(self, request: Request) -> Response:
        """{"sure": true}: new token; every device but the one that asks, and every spectator, needs the new way in."""
        try:
            if (await json_body(request)).get("sure") is not True:
                raise InvalidError("sure: expected true")
        except InvalidError as error:
            return JSONResponse({"error": str(error)}, 400)

        # A player who came with the token itself stays logged in, too.
        word = self.keeper.word_for(request)
        keep = self.keeper.devices.find(word) if word is not None else self.keeper.device(request)

        def renewed() -> dict[str, Any]:
            self.keeper.renew(keep)
            return {"ok": True}

        response = await answer(renewed)
        if word is not None and response.status_code == 200:
            keep_word(response, word)
        self.hub.wake()
        return response

    # ---------------------------------------------------------------------------------- set-up

    async def setup_state(self, request: Request) -> Response:
        if request.state.role != "player":
            return JSONResponse({"error": "spectators can only watch"}, 403)
        if self.setup is None:
            return JSONResponse({"error": "there is nothing to set up here"}, 404)
        return await answer(self.setup.document)

    async def setup_step(self, request: Request) -> Response:
        """One step of the wizard; see `SetupDesk`."""
        if self.setup is None:
            return JSONResponse({"error": "there is nothing to set up here"}, 404)
        try:
            body = await json_body(request)
        except InvalidError as error:
            return JSONResponse({"error": str(error)}, 400)
        device = self.keeper.device(request)
        # Pages send an id, so two pages of one device can be told apart; without an id, only devices are.
        who = body.pop("who", None)
        if not isinstance(who, str) or not 0 < len(who) <= 40:
            who = device.number if device is not None else (request.client.host if request.client else "")
        name = device.name if device is not None else device_name(request.headers.get("user-agent", ""))
        return await answer(self.setup.act, request.path_params["step"], body, who, name)
