"""Settings of the club: [club] in the settings file."""

from __future__ import annotations

import re
import socket
from dataclasses import dataclass
from urllib.parse import urlsplit

from pi_board.errors import InvalidSettingsError

#: A board's name is one level of a topic, its user at the broker, and part of an address, so no character that any of the
#: three interprets is allowed.
NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,30}")
PORTS = {"mqtt": 1883, "mqtts": 8883}


@dataclass(frozen=True, slots=True)
class ClubOptions:
    """broker: "mqtts://host[:port]" or "mqtt://host[:port]", empty = this board belongs to no club. board: its name at
    the club (a-z, 0-9, -), empty = the machine's name. password, password_file: of that name at the broker.
    ca: the certificate that signed the broker's, empty = the system's. certificate, key: the board's own instead of
    a password. history: journals from before the board joined are sent too. pictures: the hub gets
    a picture of the table after each turn. home_assistant: the board introduces itself
    there.
    """

    broker: str = ""
    board: str = ""
    password: str = ""
    password_file: str = ""
    ca: str = ""
    certificate: str = ""
    key: str = ""
    history: bool = False
    pictures: bool = True
    home_assistant: bool = True

    def __post_init__(self) -> None:
        if self.broker:
            broker_address(self.broker)
        if self.board and not NAME.fullmatch(self.board):
            raise InvalidSettingsError(f"board: expected 1 to 31 of a-z, 0-9 and -, got {self.board[:60]!r}")
        if self.password and self.password_file:
            raise InvalidSettingsError("password: give it here or in password_file, not both")
        if bool(self.certificate) != bool(self.key):
            raise InvalidSettingsError("certificate: needs its key, and the key its certificate")

    @property
    def name(self) -> str:
        """The board's name: the given one, or what the machine is called."""
        if self.board:
            return self.board
        words = re.sub(r"[^a-z0-9-]+", "-", socket.gethostname().split(".")[0].lower()).strip("-")
        return words[:31] or "board"


def broker_address(broker: str) -> tuple[str, int, bool]:
    """(host, port, whether it is TLS) of "mqtts://host:port". Raises InvalidSettingsError."""
    try:
        parts = urlsplit(broker)
        port = parts.port
    except ValueError:
        parts, port = urlsplit(""), None
    if parts.scheme not in PORTS or not parts.hostname or parts.path not in ("", "/") or parts.username:
        raise InvalidSettingsError(f"broker: expected mqtt://HOST[:PORT] or mqtts://…, got {broker[:80]!r}")
    return parts.hostname, port or PORTS[parts.scheme], parts.scheme == "mqtts"
