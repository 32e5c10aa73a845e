"""Whether a log folder can take a game, asked before the first picture."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from pi_board.errors import InvalidFileError
from pi_board.record.whole_file import sync_folder

#: Bytes that must be free. A long game's journal with its `.mat` files is about 100 KiB (1 KiB a play); evidence is more.
ROOM = 256 * 1024


def require_log_folder(folder: str | Path) -> None:
    """Makes `folder` and writes a block in it. Raises InvalidFileError: no folder, not writable, or no room for a game."""
    path = Path(folder).expanduser()
    try:
        path.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(prefix=".writable-", dir=path) as probe:
            # Write real blocks to prove that there is room: even a full disk lets us create an empty file.
            probe.write(b"\0" * 4096)
            probe.flush()
            os.fsync(probe.fileno())
        sync_folder(path)
        disk = os.statvfs(path)
    except FileExistsError:
        raise InvalidFileError(f"log folder {path}: is a file, expected a folder") from None
    except NotADirectoryError:
        raise InvalidFileError(
            f"log folder {path}: a part of this path is a file, expected a folder"
        ) from None
    except OSError as error:
        raise InvalidFileError(f"log folder {path}: cannot be written ({error.strerror})") from None
    free = disk.f_bavail * disk.f_frsize
    # Some network disks do not report their size.
    if disk.f_blocks and free < ROOM:
        raise InvalidFileError(
            f"log folder {path}: its disk has {free // 1024} KiB free, expected {ROOM // 1024} KiB for a game"
        )
