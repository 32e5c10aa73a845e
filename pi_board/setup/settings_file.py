"""Changing single keys of a settings file: comments and order stay, the file is replaced whole or not at all."""

from __future__ import annotations

import contextlib
import json
import os
import re
import tempfile
from collections.abc import Mapping
from pathlib import Path

from pi_board.errors import DeviceError
from pi_board.setup.settings import SEARCH, Settings, parse_settings

Value = str | int | float | bool


def toml_value(value: Value) -> str:
    """`value` as TOML text."""
    # A TOML basic string has JSON's escapes, but knows no DEL.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def changed_text(text: str, changes: Mapping[str, Mapping[str, Value]]) -> str:
    """`text` (TOML) with the keys of `changes` ({section: {key: value}}) set; everything else as it was."""
    lines = text.splitlines()
    for section, keys in changes.items():
        start = next((i for i, line in enumerate(lines) if _header(line) == section), None)
        if start is None:
            if lines and lines[-1].strip():
                lines.append("")
            lines.append(f"[{section}]")
            start = len(lines) - 1
        for key, value in keys.items():
            end = next((i for i in range(start + 1, len(lines)) if _header(lines[i]) is not None), len(lines))
            entry = f"{key} = {toml_value(value)}"
            found = next(
                (i for i in range(start + 1, end) if re.match(rf"\s*{re.escape(key)}\s*=", lines[i])), None
            )
            if found is not None:
                comment = re.search(
                    r"""^\s*\w+\s*=\s*(?:"[^"\\]*"|'[^']*'|[^\s"'#]+)(\s*#.*)$""", lines[found]
                )
                lines[found] = entry + (comment.group(1) if comment else "")
                continue
            while end > start + 1 and not lines[end - 1].strip():
                end -= 1
            lines.insert(end, entry)
    return "\n".join(lines) + "\n"


def _header(line: str) -> str | None:
    match = re.match(r"\s*\[\s*([^\[\]]+?)\s*\]\s*(?:#.*)?$", line)
    return match.group(1) if match else None


def change_settings(path: Path | None, changes: Mapping[str, Mapping[str, Value]]) -> Settings:
    """Write `changes` into the settings file and return the settings as they are then.

    path: the file in use; None: the first of SEARCH is made. Raises InvalidSettingsError when a value cannot be
    (nothing is written then), DeviceError when the file cannot be written.
    """
    file = path or Path(SEARCH[0]).expanduser()
    # A link stays a link: what it points to is replaced.
    file = file.resolve()
    try:
        text = file.read_text(encoding="utf-8") if file.exists() else ""
        changed = changed_text(text, changes)
        settings = parse_settings(changed, file)
        file.parent.mkdir(parents=True, exist_ok=True)
        mode = file.stat().st_mode & 0o777 if file.exists() else 0o644
        fd, name = tempfile.mkstemp(prefix=f".{file.name}.", dir=file.parent)
        try:
            with os.fdopen(fd, "w", encoding="utf-8") as out:
                out.write(changed)
                out.flush()
                os.fsync(out.fileno())
            os.chmod(name, mode)
            os.replace(name, file)
        except BaseException:
            with contextlib.suppress(OSError):
                Path(name).unlink()
            raise
    except OSError as error:
        raise DeviceError(f"{file}: cannot be written ({error.strerror})") from None
    return settings
