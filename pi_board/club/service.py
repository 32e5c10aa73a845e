"""The hub's page: all boards at a glance, the director's tournament, what the archive holds.

The door is the board's own (`web.access`): everybody with the spectators' word may look, the director's word may change things.
"""

from __future__ import annotations

import asyncio
import contextlib
import csv
import html
import io
import json
import re
import time
from collections.abc import AsyncIterator, Callable
from importlib import resources
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from pi_board.club.archive import Archive
from pi_board.club.collector import Collector
from pi_board.club.ratings import ratings
from pi_board.club.results import Result, results, zipped
from pi_board.club.tournament import Tournament
from pi_board.errors import InvalidError
from pi_board.web.access import Door, Gatekeeper
from pi_board.web.answers import answer, json_body
from pi_board.web.pages import static_files
from pi_board.web.visitors import Visitors

#: Seconds after which an illegal or unclear board calls for the director; between two updates of a page at the fastest.
CALLS_AFTER, UPDATE_EVERY = 20.0, 0.5
TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}


class Desk:
    """The director's desk: tournaments in the archive, results of the boards taken over as they come."""

    def __init__(
        self, archive: Archive, collector: Collector, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.archive, self.collector, self._clock = archive, collector, clock
        self.notice = ""

    # -- looking

    def boards(self) -> dict[str, Any]:
        """Every board, those that need somebody first."""
        now = self._clock()
        found: list[dict[str, Any]] = []
        for board in list(self.collector.boards.values()):
            view = board.state.get("view") or {}
            verdict = view.get("verdict", "none")
            waiting = now - board.since if verdict in ("red", "amber") and board.online else 0.0
            director = str(board.state.get("director", "")) if board.online else ""
            if called := director == "called":
                waiting = now - board.called
            found.append(
                {
                    "name": board.name,
                    "online": board.online,
                    "director": director,
                    "calls": called or waiting >= CALLS_AFTER,
                    "waiting": round(waiting),
                    "picture": bool(board.picture),
                    "view": view,
                    "banner": str(board.state.get("banner", "")),
                }
            )
        order = {"red": 0, "amber": 1}
        found.sort(
            key=lambda b: (
                not b["online"],
                b["director"] != "called",
                not b["calls"],
                order.get(b["view"].get("verdict"), 2),
                _natural(b["name"]),
            )
        )
        return {
            "boards": found,
            "connected": self.collector.connected,
            "fault": self.collector.fault,
            "notice": self.notice,
        }

    def tournaments(self) -> dict[str, Any]:
        return {"tournaments": [self._shown(n, Tournament.from_document(d)) for n, _, _, d in self._all()]}

    def results(self) -> dict[str, Any]:
        """The last matches and everybody's rating over all of them."""
        played = results(self.archive)
        rated = ratings((r.winner, r.loser, r.length) for r in played if r.length)
        return {
            "results": [
                {
                    "at": r.at,
                    "board": r.board,
                    "session": r.session,
                    "light": r.light,
                    "dark": r.dark,
                    "length": r.length,
                    "score": r.score,
                }
                for r in played[-200:]
            ],
            "ratings": [
                {"name": name, "rating": round(r.rating, 1), "experience": r.experience}
                for name, r in sorted(rated.items(), key=lambda item: -item[1].rating)
            ],
        }

    def _all(self) -> list[tuple[int, str, str, dict[str, Any]]]:
        return self.archive.tournaments()

    def _shown(self, number: int, cup: Tournament) -> dict[str, Any]:
        names = sorted((b.name for b in self.collector.boards.values() if b.online), key=_natural)
        return {
            "number": number,
            **cup.to_document(),
            "all_rounds": cup.all_rounds,
            "over": cup.over,
            "open": len(cup.open),
            "tables": {str(i): name for i, name in enumerate(names, 1)},
            "standings": [
                {
                    "name": s.name,
                    "won": s.won,
                    "played": s.played,
                    "for": s.points_for,
                    "against": s.points_against,
                    "buchholz": s.buchholz,
                    "out": s.out,
                }
                for s in cup.standings()
            ],
        }

    # -- changing

    def begin(self, document: dict[str, Any]) -> dict[str, Any]:
        """A tournament from a list of names, its first round drawn."""
        cup = Tournament.from_document({**document, "played": []}).next_round()
        if not 1 <= len(cup.name) <= 80 or not cup.name.isprintable():
            raise InvalidError(f"name: expected 1 to 80 characters, got {cup.name[:60]!r}")
        return self._shown(self.archive.save_tournament(None, cup.name, cup.to_document()), cup)

    def tournament(self, number: int) -> Tournament:
        for found, _, _, document in self._all():
            if found == number:
                return Tournament.from_document(document)
        raise InvalidError(f"tournament: expected one of those that were begun, got {number}")

    def next_round(self, number: int) -> dict[str, Any]:
        return self._keep(number, self.tournament(number).next_round())

    def result(self, number: int, document: dict[str, Any]) -> dict[str, Any]:
        """A person's word on a match: it stands against every board's."""
        try:
            first, second = str(document["first"]), str(document["second"])
            score = int(document["score"][0]), int(document["score"][1])
        except (KeyError, TypeError, ValueError, IndexError):
            raise InvalidError('result: expected {"first", "second", "score": [n, m]}') from None
        return self._keep(number, self.tournament(number).with_result(first, second, score))

    def _keep(self, number: int, cup: Tournament) -> dict[str, Any]:
        self.archive.save_tournament(number, cup.name, cup.to_document())
        return self._shown(number, cup)

    def send_to_tables(self, number: int) -> dict[str, Any]:
        """Every open match of the round to its board: names and length, where no game is being played."""
        cup = self.tournament(number)
        tables = self._shown(number, cup)["tables"]
        sent = 0
        for pair in cup.open:
            board = tables.get(str(pair.table))
            if board:
                match = {"light_name": pair.first, "dark_name": pair.second, "match_length": cup.length}
                self.collector.ask(board, {"match": match})
                sent += 1
        return {"sent": sent, "open": len(cup.open)}

    def announce(self, document: dict[str, Any]) -> dict[str, Any]:
        words = document.get("words")
        if not isinstance(words, str) or len(words) > 200 or not (words.isprintable() or not words):
            raise InvalidError("words: expected up to 200 printable characters")
        self.notice = words
        self.collector.announce(words)
        return {"notice": words}

    def come(self, document: dict[str, Any]) -> dict[str, Any]:
        """The director answers a board's call: its players see that he is on the way."""
        name = document.get("board")
        if not isinstance(name, str) or name not in self.collector.boards:
            raise InvalidError("board: expected the name of a board that is here")
        self.collector.ask(name, {"director": "coming"})
        return {"board": name}

    def take_results(self) -> None:
        """What the boards say of matches that are open in a tournament."""
        known = [(n, begun, Tournament.from_document(d)) for n, _, begun, d in self._all()]
        playing = [(n, begun, cup) for n, begun, cup in known if cup.open]
        if not playing:
            return
        played = results(self.archive)
        for number, begun, cup in playing:
            after = cup
            for result in played:
                if result.at[:19] >= begun[:19] and result.length in (0, cup.length):
                    after = _with_board(after, result)
            if after != cup:
                self.archive.save_tournament(number, after.name, after.to_document())


def _natural(name: str) -> list[tuple[int, str]]:
    """table-2 before table-10."""
    return [(int(part), "") if part.isdigit() else (0, part) for part in re.split(r"(\d+)", name)]


def _with_board(cup: Tournament, result: Result) -> Tournament:
    """The open match between these two has this result; names as they are written, capitals aside."""
    names = {result.light.casefold(): result.score[0], result.dark.casefold(): result.score[1]}
    for pair in cup.open:
        if {pair.first.casefold(), pair.second.casefold()} == set(names):
            score = names[pair.first.casefold()], names[pair.second.casefold()]
            with contextlib.suppress(InvalidError):
                return cup.with_result(pair.first, pair.second, score, by="board")
    return cup


def standings_csv(cup: Tournament) -> str:
    text = io.StringIO()
    table = csv.writer(text)
    table.writerow(["place", "player", "won", "played", "points for", "points against", "opponents' wins"])
    for place, s in enumerate(cup.standings(), 1):
        # A leading = + - @ would be a formula in a spreadsheet.
        name = f"'{s.name}" if s.name[0] in "=+-@" else s.name
        table.writerow([place, name, s.won, s.played, s.points_for, s.points_against, s.buchholz])
    return text.getvalue()


def standings_html(cup: Tournament) -> str:
    """One page to print: standings and every round."""
    e = html.escape
    rows = "".join(
        f"<tr><td>{i}<td>{e(s.name)}<td>{s.won}<td>{s.played}<td>{s.points_for}:{s.points_against}<td>{s.buchholz}"
        for i, s in enumerate(cup.standings(), 1)
    )
    rounds = "".join(
        f"<h2>Round {n}</h2><table><tr><th>Table<th>Match<th>Score"
        + "".join(
            f"<tr><td>{p.table or '-'}<td>{e(p.first or 'free')} - {e(p.second or 'free')}"
            f"<td>{f'{p.score[0]}:{p.score[1]}' if p.winner and not p.bye else '-'}"
            for p in r
        )
        + "</table>"
        for n, r in enumerate(cup.played, 1)
    )
    return (
        f"<!doctype html><html lang=en><meta charset=utf-8><title>{e(cup.name)}</title><h1>{e(cup.name)}</h1>"
        f"<table><tr><th>Place<th>Player<th>Won<th>Played<th>Points<th>Opponents' wins{rows}</table>{rounds}"
    )


class Service:
    """The routes. changed: to be set from any thread when a board said something."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self._loop: asyncio.AbstractEventLoop | None = None
        self._news: asyncio.Event | None = None
        self._number = 0
        self._static = static_files()
        folder = resources.files("pi_board.club") / "page"
        self._page = (folder / "club.html").read_bytes()
        self._static |= {f.name: f.read_bytes() for f in folder.iterdir() if f.name != "club.html"}

    def changed(self) -> None:
        """Any thread: pages that wait look again."""
        self._number += 1
        if self._loop is not None and self._news is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._news.set)

    @contextlib.asynccontextmanager
    async def life(self, _: Starlette) -> AsyncIterator[None]:
        self._loop, self._news = asyncio.get_running_loop(), asyncio.Event()
        yield

    def routes(self) -> list[Route]:
        desk = self.desk

        def ask(path: str, what: Callable[[], dict[str, Any]]) -> Route:
            async def route(_: Request) -> Response:
                return await answer(what)

            return Route(path, route)

        def told(path: str, what: Callable[..., dict[str, Any]], *, body: bool = True) -> Route:
            async def route(request: Request) -> Response:
                given: list[Any] = [int(v) for v in request.path_params.values()]
                if body:
                    try:
                        given.append(await json_body(request))
                    except InvalidError as error:
                        return JSONResponse({"error": str(error)}, 400)
                response = await answer(what, *given)
                self.changed()
                return response

            return Route(path, route, methods=["POST"])

        return [
            Route("/", self._index),
            Route("/enter", self._index),
            Route("/static/{name}", self._file),
            ask("/api/boards", desk.boards),
            ask("/api/tournaments", desk.tournaments),
            ask("/api/results", desk.results),
            Route("/api/me", self._me),
            Route("/api/events", self._events),
            Route("/api/boards/{board}/picture", self._picture),
            Route("/api/matches.zip", self._zip),
            Route("/api/tournaments/{number:int}/standings.{kind}", self._export),
            told("/api/tournaments", desk.begin),
            told("/api/tournaments/{number:int}/round", desk.next_round, body=False),
            told("/api/tournaments/{number:int}/tables", desk.send_to_tables, body=False),
            told("/api/tournaments/{number:int}/result", desk.result),
            told("/api/notice", desk.announce),
            told("/api/come", desk.come),
        ]

    async def _index(self, request: Request) -> Response:
        response = HTMLResponse(self._page)
        keeper: Gatekeeper = request.app.state.keeper
        if (word := keeper.word_for(request)) is not None:
            from pi_board.web.access import keep_word

            keep_word(response, word)
        return response

    async def _file(self, request: Request) -> Response:
        name = request.path_params["name"]
        data = self._static.get(name)
        kind = TYPES.get("." + name.rpartition(".")[2])
        if data is None or kind is None:
            return JSONResponse({"error": "no such file"}, 404)
        return Response(data, media_type=kind)

    async def _me(self, request: Request) -> Response:
        return JSONResponse({"role": request.state.role})

    async def _picture(self, request: Request) -> Response:
        board = self.desk.collector.boards.get(request.path_params["board"])
        if board is None or not board.picture:
            return JSONResponse({"error": "no picture of that board"}, 404)
        return Response(board.picture, media_type="image/jpeg")

    async def _zip(self, _: Request) -> Response:
        from starlette.concurrency import run_in_threadpool

        data = await run_in_threadpool(zipped, self.desk.archive)
        head = {"content-disposition": 'attachment; filename="matches.zip"'}
        return Response(data, media_type="application/zip", headers=head)

    async def _export(self, request: Request) -> Response:
        kind = request.path_params["kind"]
        try:
            cup = self.desk.tournament(request.path_params["number"])
        except InvalidError as error:
            return JSONResponse({"error": str(error)}, 404)
        if kind == "csv":
            head = {"content-disposition": 'attachment; filename="standings.csv"'}
            return Response(standings_csv(cup), media_type="text/csv", headers=head)
        if kind == "html":
            return HTMLResponse(standings_html(cup))
        return JSONResponse({"error": "expected standings.csv or standings.html"}, 404)

    async def _events(self, request: Request) -> Response:
        """Server-sent events: the boards whenever one of them has said something."""

        async def stream() -> AsyncIterator[str]:
            last = ""
            while True:
                assert self._news is not None
                self._news.clear()
                text = json.dumps(self.desk.boards())
                if text != last:
                    last = text
                    yield f"data: {text}\n\n"
                else:
                    yield ": \n\n"
                await asyncio.sleep(UPDATE_EVERY)
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._news.wait(), 5.0)

        return StreamingResponse(stream(), media_type="text/event-stream")


def make_app(service: Service, keeper: Gatekeeper, visitors: Visitors | None = None) -> Starlette:
    """The ASGI application, door first."""
    app = Starlette(
        routes=service.routes(),
        middleware=[Middleware(Door, keeper=keeper, visitors=visitors)],
        lifespan=service.life,
    )
    app.state.keeper = keeper
    return app
