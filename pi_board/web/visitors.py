"""Connections and their places: a stranger has seconds to ask for something, and players' places are kept for them.

Without this, anybody in the network could lock everybody out by opening connections and saying nothing.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any

import h11
from starlette.types import Scope
from uvicorn.protocols.http.h11_impl import H11Protocol

Address = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Places:
    """Who may hold how many connections.

    asking: seconds in which a request must have come whole, from the moment of connecting or from its first byte
        (a phone on bad Wi-Fi needs one or two). strangers: connections, 1 or more, of all who are not known as players;
        of_address: the same from one address (a browser opens six). watching: event streams and videos of spectators.
    Chosen so that a Pi with 512 MB holds them all (tests/bench/bench_page.py: some 40 KB a connection).
    """

    asking: float = 5.0
    strangers: int = 96
    of_address: int = 40
    watching: int = 48


@dataclass
class Visitor:
    """One connection. role: "" until its first request was judged by the door."""

    protocol: H11Protocol
    client: Address
    number: int
    role: str = ""
    deadline: asyncio.TimerHandle | None = field(default=None, repr=False)

    @property
    def idle(self) -> bool:
        """Nothing is being answered."""
        cycle = self.protocol.cycle
        return cycle is None or bool(cycle.response_complete)


class Visitors:
    """All connections there are. Only the server's own loop calls it."""

    def __init__(self, places: Places | None = None) -> None:
        self.places = places or Places()
        self._here: dict[Address, Visitor] = {}
        self._count = 0
        self.watching = 0

    def come(self, protocol: H11Protocol, client: Address) -> None:
        """A new connection. When the places are taken, somebody who asks for nothing goes; if nobody does, it is this one."""
        self._count += 1
        self._here[client] = Visitor(protocol, client, self._count)
        strangers = [v for v in self._here.values() if v.role != "player"]
        of_address = [v for v in strangers if v.client[0] == client[0]]
        for crowd, most in ((of_address, self.places.of_address), (strangers, self.places.strangers)):
            if len(crowd) > most:
                # Close the oldest connection that has sent nothing, else the oldest idle one, else the newcomer's.
                others = [v for v in crowd if v.idle and v.client != client]
                self._let_go(min(others, key=lambda v: (bool(v.role), v.number), default=self._here[client]))
                return

    def gone(self, client: Address) -> None:
        visitor = self._here.pop(client, None)
        if visitor is not None and visitor.deadline is not None:
            visitor.deadline.cancel()

    def known(self, scope: Scope, role: str) -> None:
        """The door has judged a request of this connection. Once a player, always a player."""
        visitor = self._here.get(_client(scope))
        if visitor is not None and visitor.role != "player":
            visitor.role = role

    def listening(self, client: Address, *, waits: bool, loop: asyncio.AbstractEventLoop) -> None:
        """waits: this connection owes a whole request; the clock runs until it has come."""
        visitor = self._here.get(client)
        if visitor is None:
            return
        if not waits and visitor.deadline is not None:
            visitor.deadline.cancel()
            visitor.deadline = None
        elif waits and visitor.deadline is None:
            visitor.deadline = loop.call_later(self.places.asking, self._let_go, visitor)

    def _let_go(self, visitor: Visitor) -> None:
        self.gone(visitor.client)
        visitor.protocol.transport.abort()


def _client(scope: Scope) -> Address:
    host, port = scope.get("client") or ("", 0)
    return host, port


class PatientProtocol(H11Protocol):
    """uvicorn's protocol, except that it does not wait for ever for a request. visitors: set by `protocol_of`."""

    visitors: Visitors

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)  # type: ignore[arg-type]
        if self.client is not None:
            self.visitors.come(self, self.client)
            self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        if self.client is not None:
            self.visitors.gone(self.client)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        # If the next request has already begun to arrive, watch it; otherwise the server's own timeout for idle connections applies.
        if self.conn.trailing_data[0]:
            self._watch()

    def _watch(self) -> None:
        if self.client is not None:
            waits = self.conn.their_state is h11.IDLE and self.conn.our_state is h11.IDLE
            self.visitors.listening(self.client, waits=waits, loop=self.loop)


def protocol_of(visitors: Visitors) -> type[Any]:
    """The protocol class for a server with these visitors (uvicorn makes its instances itself)."""
    return type("Protocol", (PatientProtocol,), {"visitors": visitors})
