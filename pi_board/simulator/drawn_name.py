"""Names of what nobody chose (a set, a camera's mount): `PREFIX` and the number that it is drawn from."""

from __future__ import annotations

PREFIX = "drawn-"


def drawn_number(name: str) -> int | None:
    """The number in `name`; None where it names nothing that is drawn."""
    number = name.removeprefix(PREFIX)
    return int(number) if name.startswith(PREFIX) and number.isascii() and number.isdigit() else None
