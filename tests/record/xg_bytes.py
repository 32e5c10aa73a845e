"""A match as the bytes of a `.xg` file, made after the published description of the format (no file of eXtreme Gammon's
own was at hand): what the reader of `pi_board.record.xg` is tested with."""

from __future__ import annotations

import struct
import zlib

from pi_board.record.match import Doubled, Dropped, MatchRecord, Rolled, Took
from pi_board.rules import Position


def xg_bytes(
    match: MatchRecord,
    *,
    version: int = 30,
    compressed: bool = True,
    thumbnail: bytes = b"\xff\xd8 a picture",
) -> bytes:
    """version: of the records (names are in Unicode from 24 on). compressed: the members of the archive and its index."""
    members = {
        "temp.xgi": b"".join(_records(match, version)[:1]),
        "temp.xg": b"".join(_records(match, version)),
        "temp.xgr": b"",
        "temp.xgc": b"",
    }
    body, index = b"", b""
    for name, content in members.items():
        stored = zlib.compress(content) if compressed else content
        index += struct.pack(
            "<256s256siiiIBB2x",
            _short(name),
            b"",
            len(content),
            len(stored),
            len(body),
            zlib.crc32(content),
            not compressed,
            6,
        )
        body += stored
    packed = zlib.compress(index) if compressed else index
    archive = struct.pack(
        "<IiiiiI12x", zlib.crc32(body + packed), len(members), 1, len(packed), len(body), compressed
    )
    head = struct.pack("<4siiqi16s", b"RGMH", 1, 8232, 0, len(thumbnail), bytes(16)).ljust(8232, b"\0")
    return head + thumbnail + body + packed + archive


def _short(text: str) -> bytes:
    data = text.encode("cp1252", "replace")
    return bytes([len(data)]) + data


def _record(kind: int, *fields: tuple[int, str, tuple[object, ...]]) -> bytes:
    record = bytearray(2560)
    record[8] = kind
    for at, layout, values in fields:
        struct.pack_into("<" + layout, record, at, *values)
    return bytes(record)


def _places(position: Position) -> tuple[int, ...]:
    return (-position.bar[1], *position.points, position.bar[0])


def _records(match: MatchRecord, version: int) -> list[bytes]:
    fields: list[tuple[int, str, tuple[object, ...]]] = [
        (9, "41s41s", (_short(match.names[0][:40]), _short(match.names[1][:40]))),
        (92, "ii", (match.length or 99_999, 0)),
        (100, "BBBB", (match.crawford, match.jacoby, 0, 0)),
        (128, "d", (45_000.75,)),
        (136, "129s", (_short(match.event[:120]),)),
        (283, "129s", (_short(match.site[:120]),)),
        (552, "i4s", (version, b"DMLI")),
    ]
    if version >= 24:
        texts = (match.event, *match.names, match.site)
        fields += [(622 + 258 * i, "258s", (text.encode("utf-16-le"),)) for i, text in enumerate(texts)]
    records = [_record(0, *fields)]
    for number, game in enumerate(match.games, 1):
        records.append(
            _record(
                1,
                (12, "ii", game.score),
                (20, "B", (game.crawford,)),
                (21, "26b", _places(game.start)),
                (48, "i", (number,)),
            )
        )
        actions = list(game.positions())
        for i, (action, before, after) in enumerate(actions):
            player = 1 if action.side == "light" else -1
            if isinstance(action, Doubled):
                answer = actions[i + 1][0] if i + 1 < len(actions) else None
                records.append(_cube(player, 1, int(isinstance(answer, Took)), before))
            elif isinstance(action, Rolled):
                if i and not isinstance(actions[i - 1][0], Took):
                    records.append(_cube(player, 0, 0, before))
                records.append(_move(player, action, before, after))
        if game.winner is not None:
            light = game.winner == "light"
            score = (game.score[0] + game.points * light, game.score[1] + game.points * (not light))
            how = {"pass": 0, "single": 1, "gammon": 2, "backgammon": 3, "resigned": 101}[game.kind]
            if isinstance(game.actions[-1] if game.actions else None, Dropped):
                how = 0
            records.append(_record(4, (12, "ii", score), (24, "iii", (1 if light else -1, game.points, how))))
    records.append(_record(5, (12, "iii", (*match.score, 0))))
    return records


def _cube(player: int, double: int, take: int, before: Position) -> bytes:
    return _record(2, (12, "6i", (player, double, take, 0, 0, 0)), (36, "26b", _places(before)))


def _move(player: int, action: Rolled, before: Position, after: Position) -> bytes:
    pairs = [n for a, b in action.moves or () for n in (a - 1, b - 1)]
    moves = [*pairs, *[-1] * 8][:8]
    return _record(
        3,
        (9, "26b26b", (*_places(before), *_places(after))),
        (64, "i8i2i", (player, *moves, *action.dice)),
        (2308, "B", (1,)),
    )
