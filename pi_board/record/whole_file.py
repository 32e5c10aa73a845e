"""A file that is there whole and on disk, or as it was before."""

from __future__ import annotations

import os
import secrets
import stat
from pathlib import Path


def write_whole(path: Path, data: bytes, *, mode: int | None = None) -> None:
    """`data` under `path`'s name by a temporary file renamed over it; the folder must be there.

    mode: the file's permission bits, set before it holds a byte; None: what the process gives its new files.
    Raises OSError; then the old file is still there, unless only the folder could not be brought to disk.
    """
    # Random and exclusive: two threads never share the temporary file, and a secret never lands in one that others may read.
    whole = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
    fd = os.open(whole, flags, 0o644 if mode is None else mode)
    try:
        try:
            # The umask takes bits away. Some file systems cannot change them, and need not where they are right.
            if mode is not None and stat.S_IMODE(os.fstat(fd).st_mode) != mode:
                os.fchmod(fd, mode)
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


def sync_folder(folder: Path) -> None:
    """The names in `folder` on disk. Raises OSError."""
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
