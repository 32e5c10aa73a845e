"""A Motion-JPEG AVI, which every player opens: JPEGs one after the other, and an index.

OpenCV's writer takes its FFmpeg for it, of which 7 MB stay in memory after the first clip; its own one makes files twice as large.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO

#: An AVI's flags: it has an index; a picture that stands by itself.
_INDEXED, _KEY_FRAME = 0x10, 0x10
#: Bytes before the first picture: of the file's head, and of what `_head` makes.
_HEAD = 12 + 12 + 8 + 56 + 12 + 8 + 56 + 8 + 40 + 12


def write_motion_jpeg(path: Path, size: tuple[int, int], fps: float, jpegs: Iterable[bytes]) -> None:
    """size: (width, height) px of all pictures. fps: of the clip, above 0. Pictures are taken one by one. Raises OSError."""
    with path.open("wb") as file:
        # The head counts what follows it, so it is written again at the end.
        file.write(_head(size, fps, []))
        lengths = []
        for jpeg in jpegs:
            lengths.append(len(jpeg))
            _chunk(file, b"00dc", jpeg)
        index, place = [], 4
        for length in lengths:
            index.append(struct.pack("<4s3I", b"00dc", _KEY_FRAME, place, length))
            place += 8 + length + length % 2
        _chunk(file, b"idx1", b"".join(index))
        file.seek(0)
        file.write(_head(size, fps, lengths))


def _chunk(file: BinaryIO, name: bytes, data: bytes) -> None:
    file.write(struct.pack("<4sI", name, len(data)) + data + b"\0" * (len(data) % 2))


def _head(size: tuple[int, int], fps: float, lengths: list[int]) -> bytes:
    """All before the first picture of a file with pictures of these lengths."""
    wide, high = size
    number, most = len(lengths), max(lengths, default=0)
    movi = 4 + sum(8 + n + n % 2 for n in lengths)
    whole = _HEAD - 12 + movi + 8 + 16 * number
    avih = struct.pack(
        "<14I",
        round(1e6 / fps), round(most * fps), 0, _INDEXED, number, 0, 1, most, wide, high, 0, 0, 0, 0,
    )  # fmt: skip
    strh = struct.pack(
        "<4s4sIHHIIIIIIiI4h",
        b"vids", b"MJPG", 0, 0, 0, 0, 1000, round(1000 * fps), 0, number, most, -1, 0, 0, 0, wide, high,
    )  # fmt: skip
    strf = struct.pack("<IiiHH4sIiiII", 40, wide, high, 1, 24, b"MJPG", 3 * wide * high, 0, 0, 0, 0)
    stream = b"strl" + b"strh" + struct.pack("<I", len(strh)) + strh + b"strf" + struct.pack("<I", 40) + strf
    main = (
        b"hdrl" + b"avih" + struct.pack("<I", 56) + avih + b"LIST" + struct.pack("<I", len(stream)) + stream
    )
    return (
        struct.pack("<4sI4s", b"RIFF", whole, b"AVI ")
        + struct.pack("<4sI", b"LIST", len(main))
        + main
        + struct.pack("<4sI4s", b"LIST", movi, b"movi")
    )
