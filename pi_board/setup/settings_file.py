"""Changing single keys of a settings file: comments and order stay, the file is replaced whole or not at all."""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from pathlib import Path

from pi_board.errors import DeviceError, InvalidSettingsError
from pi_board.record.whole_file import write_whole
from pi_board.setup.settings import SEARCH, Settings, parse_settings

Value = str | int | float | bool


def changed_text(text: str, changes: Mapping[str, Mapping[str, Value]]) -> str:
    """`text` (TOML) with the keys of `changes` ({section: {key: value}}) set; everything else as it was.

    Raises InvalidSettingsError when `text` is no TOML.
    """
    # Only saving needs this import. It takes a good part of a second on a Pi, so the start does not pay for it.
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    try:
        document = tomlkit.parse(text)
        for section, keys in changes.items():
            if section not in document:
                if document.as_string().strip():
                    document.add(tomlkit.nl())
                document.add(section, tomlkit.table())
            table = document[section]
            if not isinstance(table, MutableMapping):
                raise InvalidSettingsError(f"settings: {section}: expected a section, got {table!r}")
            for key, value in keys.items():
                table[key] = value
        return document.as_string()
    except TOMLKitError as error:
        raise InvalidSettingsError(f"settings: not valid TOML: {error}") from None


def change_settings(path: Path | None, changes: Mapping[str, Mapping[str, Value]]) -> Settings:
    """Write `changes` into the settings file and return the settings as they are then.

    path: the file in use; None: the first of SEARCH is made. Raises InvalidSettingsError when a value cannot be
    (nothing is written then), DeviceError when the file cannot be written.
    """
    file = path or Path(SEARCH[0]).expanduser()
    # A symbolic link is kept; the file that it points to is replaced.
    file = file.resolve()
    try:
        text = file.read_text(encoding="utf-8") if file.exists() else ""
        changed = changed_text(text, changes)
        settings = parse_settings(changed, file)
        file.parent.mkdir(parents=True, exist_ok=True)
        # What the owner has set stays; a new file can be read by everybody, whatever the umask is.
        mode = file.stat().st_mode & 0o777 if file.exists() else 0o644
        write_whole(file, changed.encode(), mode=mode)
    except OSError as error:
        raise DeviceError(f"{file}: cannot be written ({error.strerror})") from None
    return settings
