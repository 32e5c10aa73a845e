"""The recorded games: list, replay, evidence, statistics, downloads. Files are named by numbers only."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from pi_board.errors import InvalidError, PiBoardError
from pi_board.events import MatchAgreed
from pi_board.record.exhibits import FILES, Exhibit, exhibits
from pi_board.record.formats import LARGEST, WRITERS, parse
from pi_board.record.gamejson import match_document
from pi_board.record.journal import journals, read_journal
from pi_board.record.match import GameRecord, MatchRecord
from pi_board.record.sealed import finished_games, in_play
from pi_board.record.solitaire_games import SolitaireGame, solitaire_games
from pi_board.record.statistics import Statistics
from pi_board.record.statistics_plots import statistics_plots
from pi_board.record.turn_times import player_words, turn_times
from pi_board.web.answers import answer, clip_response, json_body

#: Light's chance of winning (0-1) at the start of a game and after each of its actions.
Curve = Callable[[GameRecord], list[float]]
#: What the coach says of each action of a game of a match, as a document; see `pi_board.session.look_back.LookBack`.
Coach = Callable[[GameRecord, MatchRecord], dict[str, Any]]
#: Sessions that are listed and counted, the newest.
MOST = 100
_NUMBER = re.compile(r"(\d{1,6})(?:\.(\d{1,3}))?", re.ASCII)


def date_of(stem: str) -> str:
    """ "2026-11-20 21:30" from a journal's name."""
    digits = stem.removeprefix("session-")
    if len(digits) < 15 or not (digits[:8] + digits[9:15]).isdigit():
        return stem
    return f"{digits[:4]}-{digits[4:6]}-{digits[6:8]} {digits[9:11]}:{digits[11:13]}"


class History:
    """Routes over a folder of journals.

    A number "7.1" means the second match of the eighth journal, counted from the oldest; "7" the journal's last match.
    live: where the journal that is being written lies, when it is not one of these.
    """

    def __init__(
        self,
        folder: Path,
        *,
        curve: Curve | None = None,
        coach: Coach | None = None,
        live: Path | None = None,
    ) -> None:
        self.folder, self.curve, self.coach, self.live = folder, curve, coach, live or folder

    def routes(self) -> list[Route]:
        return [
            Route("/api/games", self.games_list),
            Route("/api/statistics", self.statistics),
            Route("/api/games/{number}", self.game),
            Route("/api/games/{number}/evidence", self.evidence),
            Route("/api/games/{number}/evidence/{piece}/{file}", self.exhibit),
            Route("/api/games/{number}/coach", self.look_back, methods=["POST"]),
            Route("/api/games/{number}/{kind}", self.download),
        ]

    # ------------------------------------------------------------------------------- what is there

    def _journal(self, word: str) -> tuple[Path, int | None] | None:
        """(journal, which match) that a number means; the only way in which a client can name a file."""
        number = _NUMBER.fullmatch(word)
        if number is None:
            return None
        found = journals(self.folder)
        path = found[int(number[1])] if int(number[1]) < len(found) else None
        if path is None or not _readable(path):
            return None
        return path, None if number[2] is None else int(number[2])

    def _match(self, word: str) -> MatchRecord | None:
        if (named := self._journal(word)) is None:
            return None
        path, which = named
        with contextlib.suppress(OSError, PiBoardError):
            matches = parse(path.read_bytes()).matches
            # A journal has no match in its first seconds.
            if matches and (which is None or which < len(matches)):
                match = matches[-1 if which is None else which]
                return finished_games(match) if self._silent(path) and match is matches[-1] else match
        return None

    def _agreed(self, path: Path) -> MatchAgreed | None:
        """What was agreed for the match that is being played into this journal."""
        found = journals(self.live)
        if not found or found[-1] != path or not _readable(path):
            return None
        with contextlib.suppress(OSError, PiBoardError):
            return in_play(read_journal(path).events)
        return None

    def _silent(self, path: Path) -> bool:
        """Plays of the game in hand are not judged aloud: neither are they here."""
        agreed = self._agreed(path)
        return agreed is not None and agreed.mode != "legal"

    def _locked(self, word: str) -> bool:
        """The match is being played without hints: the coach is silent about it."""
        named = self._journal(word)
        agreed = None if named is None else self._agreed(named[0])
        return agreed is not None and not agreed.hints

    def newest_clip(self, seq: int) -> Path | None:
        """The clip of the illegal play of that sighting in the newest journal, if it has been written."""
        found = journals(self.live)
        if not found or not _readable(found[-1]):
            return None
        with contextlib.suppress(OSError, PiBoardError):
            for exhibit in reversed(exhibits(found[-1])):
                if exhibit.verdict is not None and exhibit.verdict["seq"] == seq:
                    return exhibit.file("clip.avi")
        return None

    # ---------------------------------------------------------------------------------- the routes

    async def games_list(self, request: Request) -> Response:
        def collect() -> dict[str, Any]:
            found: list[dict[str, Any]] = []
            for number, path in list(enumerate(journals(self.folder)))[-MOST:]:
                if not _readable(path):
                    continue
                with contextlib.suppress(OSError, PiBoardError):
                    matches = parse(path.read_bytes()).matches
                    found += _entries(number, path, matches) or _solitaire_entry(number, path)
            return {"sessions": found[::-1]}

        return await answer(collect)

    def _solitaire(self, word: str) -> list[SolitaireGame]:
        """Games of the other board in the journal of that number."""
        if (named := self._journal(word)) is None or named[1] is not None:
            return []
        with contextlib.suppress(OSError, PiBoardError):
            return solitaire_games(read_journal(named[0]).events)
        return []

    async def game(self, request: Request) -> Response:
        number = request.path_params["number"]
        match = await run_in_threadpool(self._match, number)
        nothing = match is None or not match.games
        if nothing and (problems := await run_in_threadpool(self._solitaire, number)):
            games = [g.to_document() for g in problems]
            return JSONResponse({"kind": "solitaire", "coach": False, "games": games})
        if match is None:
            return JSONResponse({"error": "no such session"}, 404)

        def document() -> dict[str, Any]:
            locked = self._locked(number)
            found = match_document(match)
            for game, entry in zip(match.games, found["games"], strict=True):
                for (_, _, after), action in zip(game.positions(), entry["actions"], strict=True):
                    action["position"] = after.to_document()
                times = zip(match.names, turn_times([game]).values(), strict=True)
                entry["times"] = [player_words(name, one) for name, one in times]
                if self.curve is not None and not locked:
                    entry["light_wins"], *rest = self.curve(game)
                    for action, chance in zip(entry["actions"], rest, strict=True):
                        action["light_wins"] = chance
            return {**found, "coach": self.coach is not None and not locked}

        # A journal may hold events that cannot be replayed; the page says so instead of failing.
        return await answer(document)

    async def look_back(self, request: Request) -> Response:
        """{"game": index}: what the coach says of it. A POST, because it takes the processor for a while."""
        try:
            index = (await json_body(request)).get("game", 0)
        except InvalidError as error:
            return JSONResponse({"error": str(error)}, 400)
        match = await run_in_threadpool(self._match, request.path_params["number"])
        if await run_in_threadpool(self._locked, request.path_params["number"]):
            return JSONResponse({"error": "the coach is locked while this match is played"}, 409)
        if match is None or self.coach is None:
            return JSONResponse(
                {"error": "no such session" if match is None else "there is no coach here"}, 404
            )
        if not isinstance(index, int) or isinstance(index, bool) or not 0 <= index < len(match.games):
            return JSONResponse({"error": f"game: expected 0 to {len(match.games) - 1}"}, 400)
        return await answer(self.coach, match.games[index], match)

    def _exhibits(self, word: str) -> list[Exhibit] | None:
        """Of a journal; those of one match when the number names it. Their places in the list are their numbers."""
        named = self._journal(word)
        if named is not None and self._silent(named[0]):
            return []
        return None if named is None else [e for e in exhibits(named[0]) if named[1] in (None, e.match)]

    async def evidence(self, request: Request) -> Response:
        """The illegal plays of a session of which pictures were kept, and the pictures that were asked for."""

        def document() -> dict[str, Any]:
            found = self._exhibits(request.path_params["number"])
            return {"evidence": [{"piece": i, **e.to_document()} for i, e in enumerate(found or [])]}

        return await answer(document)

    async def exhibit(self, request: Request) -> Response:
        """One picture, the clip as a file, or (clip) as moving pictures."""
        piece, name = request.path_params["piece"], request.path_params["file"]
        if not (piece.isascii() and piece.isdigit() and len(piece) < 7) or name not in (*FILES, "clip"):
            return PlainTextResponse("not found\n", 404)

        def find() -> Path | None:
            with contextlib.suppress(PiBoardError):
                found = self._exhibits(request.path_params["number"]) or []
                if int(piece) < len(found):
                    return found[int(piece)].file("clip.avi" if name == "clip" else name)
            return None

        path = await run_in_threadpool(find)
        if path is None:
            return PlainTextResponse("not kept any more\n", 404)
        if name == "clip":
            return clip_response(path)
        try:
            data = await run_in_threadpool(path.read_bytes)
        except OSError:
            return PlainTextResponse("not kept any more\n", 404)
        if name == "clip.avi":
            headers = {"content-disposition": f'attachment; filename="{path.parent.name}.avi"'}
            return Response(data, media_type="video/x-msvideo", headers=headers)
        return Response(data, media_type="image/jpeg")

    async def statistics(self, request: Request) -> Response:
        """Figures over the newest journals and their plots; see `Statistics`."""

        def collect() -> dict[str, Any]:
            figures = Statistics()
            for path in journals(self.folder)[-MOST:]:
                if _readable(path) and not self._silent(path):
                    with contextlib.suppress(OSError, PiBoardError):
                        figures.add(read_journal(path).events, path.stem)
            return {**figures.to_document(), "plots": statistics_plots(figures)}

        return await answer(collect)

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


def _readable(path: Path) -> bool:
    """A file of sensible size, really here: a link in the folder could lead anywhere."""
    with contextlib.suppress(OSError):
        return not path.is_symlink() and path.is_file() and path.stat().st_size <= LARGEST
    return False


def _solitaire_entry(number: int, path: Path) -> list[dict[str, Any]]:
    games = solitaire_games(read_journal(path).events)
    entry = {
        "number": str(number),
        "kind": "solitaire",
        "name": path.stem,
        "date": date_of(path.stem),
        "games": len(games),
        "won": sum(g.won is True for g in games),
    }
    return [entry] if games else []


def _entries(number: int, path: Path, matches: tuple[MatchRecord, ...]) -> list[dict[str, Any]]:
    return [
        {
            "number": f"{number}.{which}",
            "name": path.stem,
            "names": match.names,
            "length": match.length,
            "rules": match.rules,
            "date": date_of(path.stem),
            "games": len(match.games),
            "score": match.score,
        }
        for which, match in enumerate(matches)
        if match.games
    ]
