"""Names of what nobody chose (a set, a camera's mount, its arm): `PREFIX` and the number that it is drawn from."""

from __future__ import annotations

from pi_board.errors import InvalidSettingsError

PREFIX = "drawn-"


def drawn_number(name: str) -> int | None:
    """The number in `name`; None where it names nothing that is drawn."""
    number = name.removeprefix(PREFIX)
    return int(number) if name.startswith(PREFIX) and number.isascii() and number.isdigit() else None


def number_or_plain(what: str, name: str, plain: str) -> int | None:
    """The number that the `what` of that name is drawn from, None for the plain one. Raises InvalidSettingsError naming what there is."""
    if name == plain:
        return None
    number = drawn_number(name)
    if number is None:
        raise InvalidSettingsError(f"{what}: expected {plain} or {PREFIX}N, got {name!r}")
    return number
