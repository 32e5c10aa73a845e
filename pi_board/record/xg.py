"""Matches saved by eXtreme Gammon (`.xg`), read after the description that its author published (extremegammon.com/xgformat).

A file is a header of Microsoft's rich saved games (`RGMH`) with a thumbnail, and behind it an archive whose index stands
at the end. Its member `temp.xg` holds records of 2,560 bytes: the match, then of each game a header, cube decisions,
plays and a footer. All numbers are little-endian. Player 1 is light here; positions are always seen by player 1: [0] is
player 2's bar (negative), [1] to [24] the points (player 1 positive), [25] player 1's bar.

A play is taken from the positions before and after it, not from the list of its moves: both are in the record, and a
position leaves no doubt.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta

from pi_board.errors import InvalidFileError, PiBoardError
from pi_board.record.building import MatchBuilder
from pi_board.record.match import GameRecord, MatchRecord, Parsed, Rolled
from pi_board.rules import STARTING_POSITION, Play, Position, Side, legal_plays, opponent

MAGIC = b"RGMH"
#: The end of an archive: CRC, members, version, bytes of the index, bytes of the members, whether the index is compressed.
_ARCHIVE = struct.Struct("<IiiiiI12x")
#: A member in the index: name and folder (a length and 255 characters each), size, size stored, place, CRC, whether stored as it is.
_MEMBER = struct.Struct("<256s256siiiIBB2x")
_RECORD = 2560
#: A match of thousands of games is smaller; what unpacks to more was made to fill the memory.
LARGEST = 256 * 2**20

_MATCH, _GAME, _CUBE, _MOVE, _GAME_END = range(5)
#: The match length that XG writes for an unlimited session.
_UNLIMITED = 99_999
#: The first version whose names are in Unicode.
_UNICODE_FROM = 24
#: Day 0 of Delphi's calendar.
_DAY_0 = date(1899, 12, 30)


def read_xg(data: bytes) -> Parsed:
    """Everything that can be understood of a `.xg` file, and a list of what could not (its "lines" are records)."""
    reader = _Reader()
    try:
        for reader.line, record in enumerate(_records(_game_file(data)), 1):
            reader.one(record)
    except (InvalidFileError, struct.error, zlib.error) as error:
        reader.trouble(f"eXtreme Gammon file: {error}")
    return reader.result("no game in it: not a match saved by eXtreme Gammon")


def _game_file(data: bytes) -> bytes:
    """The member `temp.xg`. Raises InvalidFileError, struct.error, zlib.error."""
    if len(data) < _ARCHIVE.size:
        raise InvalidFileError("cut off")
    _, count, _, index_size, archive_size, compressed = _ARCHIVE.unpack_from(data, len(data) - _ARCHIVE.size)
    index_at = len(data) - _ARCHIVE.size - index_size
    begin = index_at - archive_size
    if min(index_size, archive_size, begin) < 0 or not 0 < count < 1000:
        raise InvalidFileError("its archive has no index: cut off or damaged")
    index = data[index_at : index_at + index_size]
    if compressed:
        index = _unpacked(index)
    for number in range(count):
        name, _, _, stored, start, crc, plain, _ = _MEMBER.unpack_from(index, number * _MEMBER.size)
        if _short(name).lower() != "temp.xg":
            continue
        if start < 0 or stored < 0:
            raise InvalidFileError("a member of its archive lies outside of it")
        content = data[begin + start : begin + start + stored]
        content = content if plain else _unpacked(content)
        if zlib.crc32(content) != crc:
            raise InvalidFileError("its checksum differs: damaged")
        return content
    raise InvalidFileError("no temp.xg in its archive")


def _unpacked(data: bytes) -> bytes:
    unpacker = zlib.decompressobj()
    found = unpacker.decompress(data, LARGEST)
    if unpacker.unconsumed_tail:
        raise InvalidFileError(f"unpacks to more than {LARGEST // 2**20} MB")
    return found


def _records(content: bytes) -> Iterator[bytes]:
    for at in range(0, len(content) - _RECORD + 1, _RECORD):
        yield content[at : at + _RECORD]


def _short(field: bytes) -> str:
    """A Pascal string: its length, then characters of the Windows code page."""
    return field[1 : 1 + field[0]].decode("cp1252", "replace")


def _wide(field: bytes) -> str:
    """UTF-16 up to the first zero."""
    return field.decode("utf-16-le", "replace").partition("\0")[0]


def _position(places: tuple[int, ...]) -> Position:
    """Raises an invalid error for counts that no board has."""
    light = sum(n for n in places if n > 0)
    dark = -sum(n for n in places if n < 0)
    return Position(tuple(places[1:25]), (places[25], -places[0]), (15 - light, 15 - dark))


def _turned(position: Position) -> Position:
    """The same checkers with the sides exchanged."""
    points, bar, off = position.seen_from("dark")
    return Position(tuple(points), (bar[0], bar[1]), (off[0], off[1]))


def _side(player: int) -> Side:
    return "light" if player == 1 else "dark"


class _Reader(MatchBuilder):
    """A record after the other."""

    def one(self, record: bytes) -> None:
        kind = record[8]
        if kind == _MATCH:
            self.heading(record)
        elif kind == _GAME:
            self.game_begins(record)
        elif self.game is None:
            return
        elif kind == _CUBE:
            self.cube(record)
        elif kind == _MOVE:
            self.turn(record)
        elif kind == _GAME_END:
            self.game_ends(record)

    def heading(self, record: bytes) -> None:
        (length,) = struct.unpack_from("<i", record, 92)
        crawford, jacoby = record[100], record[101]
        (day,) = struct.unpack_from("<d", record, 128)
        (version,) = struct.unpack_from("<i", record, 552)
        names, event, site = (
            (_short(record[9:50]), _short(record[50:91])),
            _short(record[136:265]),
            _short(record[283:412]),
        )
        if version >= _UNICODE_FROM:
            # Later versions keep the old fields for older programs.
            unicode = [_wide(record[at : at + 258]) for at in range(622, 622 + 4 * 258, 258)]
            event, site = unicode[0] or event, unicode[3] or site
            names = (unicode[1] or names[0], unicode[2] or names[1])
        money = length >= _UNLIMITED or length < 0
        self.match = MatchRecord(
            names,
            0 if money else length,
            date=f"{_DAY_0 + timedelta(days=int(day))}" if 0 < day < 100_000 else "",
            event=event,
            site=site,
            crawford=bool(crawford),
            jacoby=bool(jacoby) and money,
        )

    def game_begins(self, record: bytes) -> None:
        score = struct.unpack_from("<2i", record, 12)
        game = GameRecord(score=(max(0, score[0]), max(0, score[1])), crawford=bool(record[20]))
        try:
            start = _position(struct.unpack_from("<26b", record, 21))
        except PiBoardError:
            start = STARTING_POSITION
        self.begin(replace(game, start=start if any(start.points) else STARTING_POSITION))

    def cube(self, record: bytes) -> None:
        """A record stands before every roll; most say that nothing was offered."""
        player, double, take, beaver, raccoon = struct.unpack_from("<5i", record, 12)
        if double != 1:
            return
        side = _side(player)
        other = opponent(side)
        self.double(side)
        if take < 2:
            self.answer(other, took=take == 1)
            return
        # Beavers and raccoons are redoubles without a roll between.
        self.double(other)
        if beaver < 2:
            self.answer(side, took=beaver == 1)
            return
        self.double(side)
        self.answer(other, took=raccoon == 1)

    def turn(self, record: bytes) -> None:
        if self.lost:
            return
        places = struct.unpack_from("<52b", record, 9)
        (player,) = struct.unpack_from("<i", record, 64)
        moves = struct.unpack_from("<8i", record, 68)
        first, second = struct.unpack_from("<2i", record, 100)
        if not (1 <= first <= 6 and 1 <= second <= 6):
            return
        side, dice = _side(player), (first, second)
        try:
            before, after = _position(places[:26]), _position(places[26:])
        except PiBoardError as error:
            self.lose(side, dice, str(error))
            return
        if before != self.position and _turned(before) == self.position:
            # Seen by the mover: the description leaves it open.
            before, after = _turned(before), _turned(after)
        self.lies(before)
        plays = legal_plays(before, dice, side)
        play = next((p for p in plays if p.result in (after, _turned(after))), None)
        if play is None and after == before:
            self.unplayed(side, dice)
        elif play is None and (play := _by_moves(plays, moves)) is None:
            self.stood(side, dice, after)
            self.trouble(f"{self._turn(side, dice)}: not a legal play; kept as an illegal play that stood")
        else:
            self.actions.append(Rolled(side, dice, tuple(play.moves)))
            self.position = play.result

    def lies(self, position: Position) -> None:
        """What lies there before a play: another position than the one left there was set up by hand."""
        if position == self.position:
            return
        last = self.actions[-1] if self.actions else None
        if isinstance(last, Rolled):
            self.trouble("the position was changed by hand")
            self.actions[-1] = replace(last, moves=(), stood=position)
        elif last is None:
            self.set_up(position)
        self.position = position

    def game_ends(self, record: bytes) -> None:
        assert self.game is not None
        after = struct.unpack_from("<2i", record, 12)
        winner, points, how = struct.unpack_from("<3i", record, 24)
        gained = (after[0] - self.game.score[0], after[1] - self.game.score[1])
        # The scores say who won, whatever the sign of the winner.
        if max(gained) > 0 >= min(gained):
            side: Side = "light" if gained[0] > 0 else "dark"
            self.wins(side, max(gained), "resigned" if how >= 100 else "")
        elif winner in (1, -1) and 0 < points < 10_000_000:
            self.wins(_side(winner), points, "resigned" if how >= 100 else "")
        self.finish()


def _by_moves(plays: list[Play], moves: tuple[int, ...]) -> Play | None:
    """The legal play that the list of moves tells: pairs (from, to) counted from 0, 24 = bar, below 0 = off."""
    pairs = []
    for start, end in zip(moves[::2], moves[1::2], strict=True):
        if not 0 <= start <= 24:
            break
        pairs.append((start + 1, max(0, end + 1)))
    wanted = sorted(pairs)
    return next((p for p in plays if wanted and sorted(p.moves) == wanted), None)
