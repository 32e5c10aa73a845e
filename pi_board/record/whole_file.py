"""A file that is there whole and on disk, or as it was before."""

from __future__ import annotations

import os
from pathlib import Path

from pi_board.record.journal import sync_folder


def write_whole(path: Path, data: bytes) -> None:
    """`data` under `path`'s name by a temporary file renamed over it; the folder must be there. Raises OSError."""
    whole = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        fd = os.open(whole, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o644)
        try:
            left = memoryview(data)
            while left:
                left = left[os.write(fd, left) :]
            os.fsync(fd)
        finally:
            os.close(fd)
        os.replace(whole, path)
    except BaseException:
        whole.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)
