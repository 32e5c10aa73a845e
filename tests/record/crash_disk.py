"""A disk that remembers every operation in order, so that a power cut can be put after each of them.

`OperationLog` stands in for the `os` module of the code under test: the real files are written, and beside it every
write, truncation, fsync, mkdir, creation, rename and removal is noted. `states` then gives every disk that a power cut
at one point may leave: what was fsynced is there; of the rest any prefix, the last write torn at any byte (the missing
part absent or zeros), a truncation perhaps not done; names likewise, and a name may come to disk before the bytes.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass
class Inode:
    """durable: bytes on disk. pending: ("write", offset, bytes) or ("size", n), not yet fsynced."""

    durable: bytes = b""
    pending: list[tuple[str, int, bytes]] = field(default_factory=list)

    def states(self, step: int) -> Iterator[bytes]:
        """Every content that may be found after a power cut; torn at every `step`-th byte of a write."""
        yield self.durable
        for n in range(1, len(self.pending) + 1):
            done, (kind, at, data) = self.pending[: n - 1], self.pending[n - 1]
            # A truncation may come to disk after a later write, or never.
            for before in {
                _apply(self.durable, done),
                _apply(self.durable, [p for p in done if p[0] == "write"]),
            }:
                if kind == "size":
                    yield _apply(before, [(kind, at, data)])
                    continue
                cuts = {*range(0, len(data), step), 1, len(data) - 1, len(data)}
                for cut in sorted(c for c in cuts if 0 <= c <= len(data)):
                    torn = _apply(before, [("write", at, data[:cut])])
                    yield torn
                    if cut < len(data) and len(torn) < at + len(data):
                        yield torn + bytes(at + len(data) - len(torn))


def _apply(content: bytes, operations: list[tuple[str, int, bytes]]) -> bytes:
    out = bytearray(content)
    for kind, at, data in operations:
        if kind == "size":
            del out[at:]
            out += bytes(at - len(out))
        else:
            out += bytes(max(0, at - len(out)))
            out[at : at + len(data)] = data
    return bytes(out)


class OperationLog:
    """Use as `monkeypatch.setattr(module, "os", log)`. Only what lies under `root` is noted.

    log: ("create"|"mkdir"|"unlink", path), ("rename", from, to), ("write", inode, offset, data), ("size", inode, n),
    ("fsync", inode), ("fsync_folder", path), and ("announced", n) from `announced`.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.log: list[tuple[Any, ...]] = []
        self._inode: dict[int, int] = {}  # fd -> inode
        self._folder: dict[int, str] = {}  # fd -> folder
        self._at: dict[int, int] = {}
        self._names: dict[str, int] = {}
        self._ids = itertools.count(1)
        self._base: dict[str, tuple[int, bytes]] = {}
        self._folders = {str(root), *(str(p) for p in root.rglob("*") if p.is_dir())}
        #: Called with the bytes of a write: gives those that fit, or raises OSError.
        self.fault: Callable[[bytes], bytes] | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(os, name)

    def announced(self, n: int) -> None:
        self.log.append(("announced", n))

    def knows(self, path: Path) -> None:
        """A file that is there already, wholly on disk."""
        inode = self._names[str(path)] = next(self._ids)
        self._base[str(path)] = (inode, path.read_bytes())

    def open(self, path: Any, flags: int, mode: int = 0o777) -> int:
        name = str(path)
        new = not Path(name).exists()
        fd = os.open(path, flags, mode)
        if Path(name).is_dir():
            self._folder[fd] = name
            return fd
        if new:
            self._names[name] = next(self._ids)
            self.log.append(("create", name, self._names[name]))
        self._inode[fd], self._at[fd] = self._names[name], 0
        return fd

    def write(self, fd: int, data: Any) -> int:
        if self.fault is not None:
            data = self.fault(bytes(data))
        n = os.write(fd, data)
        self.log.append(("write", self._inode[fd], self._at[fd], bytes(data)[:n]))
        self._at[fd] += n
        return n

    def lseek(self, fd: int, at: int, how: int) -> int:
        self._at[fd] = os.lseek(fd, at, how)
        return self._at[fd]

    def ftruncate(self, fd: int, size: int) -> None:
        os.ftruncate(fd, size)
        self.log.append(("size", self._inode[fd], size))

    def fsync(self, fd: int) -> None:
        os.fsync(fd)
        self.log.append(
            ("fsync_folder", self._folder[fd]) if fd in self._folder else ("fsync", self._inode[fd])
        )

    def close(self, fd: int) -> None:
        os.close(fd)
        self._folder.pop(fd, None)

    def mkdir(self, path: Any, mode: int = 0o777) -> None:
        Path(path).mkdir(mode)
        self.log.append(("mkdir", str(path)))

    def replace(self, a: Any, b: Any) -> None:
        os.replace(a, b)
        self._names[str(b)] = self._names.pop(str(a))
        self.log.append(("rename", str(a), str(b)))

    # ------------------------------------------------------------------------------------ after the cut

    def crashes(self, *, step: int = 1) -> Iterator[tuple[int, int, dict[str, bytes]]]:
        """(operations done, events announced, files by name) for every disk that a power cut may leave."""
        inodes = {inode: Inode(content) for inode, content in self._base.values()}
        names = {name: inode for name, (inode, _) in self._base.items()}
        folders = set(self._folders)
        pending: list[tuple[Any, ...]] = []  # name operations not yet fsynced
        announced = 0
        seen: set[tuple[int, tuple[tuple[str, bytes], ...]]] = set()
        for done in range(len(self.log) + 1):
            for names_now, folders_now in _name_states(names, folders, pending):
                files = {n: i for n, i in names_now.items() if _reachable(n, folders_now, str(self.root))}
                free = [n for n, i in files.items() if inodes[i].pending]
                choices = [[(n, c) for c in dict.fromkeys(inodes[files[n]].states(step))] for n in free]
                fixed = {n: inodes[i].durable for n, i in files.items() if n not in free}
                for choice in itertools.product(*choices):
                    disk = {**fixed, **dict(choice)}
                    key = (announced, tuple(sorted(disk.items())))
                    if key not in seen:
                        seen.add(key)
                        yield done, announced, disk
            if done == len(self.log):
                break
            kind, *rest = self.log[done]
            if kind == "announced":
                announced = rest[0]
            elif kind == "create":
                inodes[rest[1]] = Inode()
                pending.append((kind, *rest))
            elif kind in ("mkdir", "rename"):
                pending.append((kind, *rest))
            elif kind in ("write", "size"):
                inode, at, data = (*rest, b"")[:3]
                inodes[inode].pending.append((kind, at, data))
            elif kind == "fsync":
                inode_ = inodes[rest[0]]
                inode_.durable, inode_.pending = _apply(inode_.durable, inode_.pending), []
            elif kind == "fsync_folder":
                mine = [p for p in pending if str(Path(p[1]).parent) == rest[0]]
                pending = [p for p in pending if p not in mine]
                _do_names(names, folders, mine)


def _do_names(names: dict[str, int], folders: set[str], operations: list[tuple[Any, ...]]) -> None:
    for kind, *rest in operations:
        if kind == "create":
            names[rest[0]] = rest[1]
        elif kind == "mkdir":
            folders.add(rest[0])
        elif rest[0] in names:
            names[rest[1]] = names.pop(rest[0])


def _name_states(
    names: dict[str, int], folders: set[str], pending: list[tuple[Any, ...]]
) -> Iterator[tuple[dict[str, int], set[str]]]:
    """Names come to disk in their order (one journalled file system), as many of them as you like."""
    for n in range(len(pending) + 1):
        some, there = dict(names), set(folders)
        _do_names(some, there, pending[:n])
        yield some, there


def _reachable(name: str, folders: set[str], root: str) -> bool:
    folder = str(Path(name).parent)
    while folder != root:
        if folder not in folders:
            return False
        folder = str(Path(folder).parent)
    return True
