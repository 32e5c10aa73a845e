"""The hub's ear: everything that boards say, into the archive, each journal line once; what is missing is asked for.

A message is acknowledged to the broker when it is on the hub's disk. Broker and hub may both die: boards state how long their
journals are, and the hub asks for what it has not.
"""

from __future__ import annotations

import contextlib
import json
import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pi_board.club.archive import Archive, Line
from pi_board.club.options import NAME, ClubOptions, broker_address
from pi_board.club.publisher import connect
from pi_board.club.topics import NOTICE, ONLINE, ROOT, BoardTopics, parse
from pi_board.errors import InvalidFileError

if TYPE_CHECKING:
    import paho.mqtt.client as mqtt

#: Lines in one transaction, and seconds that the first of them waits for company.
BATCH, GATHER = 500, 0.05
#: Seconds without a new line of a session before what it lacks is asked for, and between two such questions.
QUIET, ASK_EVERY = 3.0, 5.0
#: Boards and pictures that are kept in memory; more than that is no club but an attack.
MOST_BOARDS, MOST_PICTURES, LARGEST_STATE = 2000, 500, 65536


@dataclass(slots=True)
class BoardNow:
    """What is known of one board at this moment.

    heard, since, called: monotonic seconds of its last message, of its verdict, of its call for the director. number: grows with
    every change.
    """

    name: str
    online: bool = False
    state: dict[str, Any] = field(default_factory=dict)
    picture: bytes = b""
    heard: float = 0.0
    since: float = 0.0
    called: float = 0.0
    number: int = 0
    lines: int = 0


class Collector:
    """Listens until `close`. changed: called in its threads when something is to be seen anew."""

    def __init__(
        self,
        options: ClubOptions,
        archive: Archive,
        *,
        changed: Callable[[], None] = lambda: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.archive, self._changed, self._clock = archive, changed, clock
        self.boards: dict[str, BoardNow] = {}
        self.evidence: dict[tuple[str, str, str], bytes] = {}
        self.refused = 0
        self.fault = ""
        #: Sessions by identity: lines stated by the board; when one of its lines came last; when we asked.
        self._stated: dict[tuple[str, str], int] = {}
        self._heard: dict[tuple[str, str], float] = {}
        self._asked: dict[tuple[str, str], float] = {}
        self._whole: dict[tuple[str, str], int] = {}
        self._number = 0
        self._lock = threading.Lock()
        self._lines: queue.Queue[tuple[mqtt.MQTTMessage, Line | None] | None] = queue.Queue(maxsize=20_000)
        self.client = connect(options, "hub", client_id="hub", clean=False, manual_ack=True)
        self.client.on_connect = self._on_connect
        self.client.on_message = self._on_message
        host, port, _ = broker_address(options.broker)
        self._writer = threading.Thread(target=self._write, name="archive", daemon=True)
        self._writer.start()
        self.client.connect_async(host, port, keepalive=20)
        self.client.loop_start()

    def close(self) -> None:
        self._lines.put(None)
        self._writer.join(timeout=10)
        self.client.disconnect()
        self.client.loop_stop()

    @property
    def connected(self) -> bool:
        return bool(self.client.is_connected())

    @property
    def number(self) -> int:
        """Grows whenever a board's state changes."""
        return self._number

    # -- to the boards

    def ask(self, board: str, request: dict[str, Any]) -> None:
        """{"evidence": folder}, {"match": …}, {"director": "coming"} or {"resend": …} to one board."""
        self.client.publish(BoardTopics(board).ask, json.dumps(request), qos=1)

    def announce(self, words: str) -> None:
        """Words for every board's display; "" takes them away."""
        self.client.publish(NOTICE, words[:200], qos=1, retain=True)

    # -- paho's thread

    def _on_connect(
        self, client: mqtt.Client, userdata: Any, flags: Any, reason: Any, properties: Any
    ) -> None:
        if not reason.is_failure:
            client.subscribe(f"{ROOT}/#", qos=1)

    def _on_message(self, client: mqtt.Client, userdata: Any, message: mqtt.MQTTMessage) -> None:
        board, what, rest = parse(message.topic)
        line: Line | None = None
        if NAME.fullmatch(board):
            try:
                if what == "journal" and len(rest) == 1:
                    line = Line.read(board, rest[0], bytes(message.payload))
                elif what in ("state", "status", "picture", "evidence"):
                    self._note(board, what, rest, bytes(message.payload))
            except (InvalidFileError, ValueError):
                self.refused += 1
        if message.qos:
            # In one queue, so that acknowledgements keep their order.
            self._lines.put((message, line))

    def _note(self, board: str, what: str, rest: tuple[str, ...], payload: bytes) -> None:
        now = self._clock()
        with self._lock:
            known = self.boards.get(board)
            if known is None:
                if len(self.boards) >= MOST_BOARDS:
                    return
                known = self.boards[board] = BoardNow(board)
            known.heard = now
            if what == "status":
                known.online = payload == ONLINE.encode()
            elif what == "picture":
                known.picture = payload
            elif what == "evidence" and len(rest) == 2:
                self.evidence[board, rest[0], rest[1]] = payload
                while len(self.evidence) > MOST_PICTURES:
                    del self.evidence[next(iter(self.evidence))]
            elif what == "state" and len(payload) <= LARGEST_STATE:
                self._new_state(known, json.loads(payload), now)
            self._number += 1
            known.number = self._number
        self._changed()

    def _new_state(self, known: BoardNow, document: Any, now: float) -> None:
        if not isinstance(document, dict):
            raise ValueError("state: expected an object")
        view, old = document.get("view") or {}, known.state.get("view") or {}
        if view.get("verdict") != old.get("verdict"):
            known.since = now
        if document.get("director") == "called" and known.state.get("director") != "called":
            known.called = now
        known.state = document
        sessions = document.get("sessions")
        if isinstance(sessions, dict):
            for session, lines in sessions.items():
                if isinstance(session, str) and isinstance(lines, int):
                    self._stated[known.name, session[:64]] = lines

    # -- the writer's thread

    def _write(self) -> None:
        while True:
            batch: list[tuple[mqtt.MQTTMessage, Line | None]] = []
            ends = False
            with contextlib.suppress(queue.Empty):
                item = self._lines.get(timeout=0.5)
                until = self._clock() + GATHER
                while item is not None:
                    batch.append(item)
                    if len(batch) >= BATCH:
                        break
                    item = self._lines.get(timeout=max(0.0, until - self._clock()))
                ends = item is None
            if batch:
                self._keep(batch)
            self._ask()
            if ends:
                return

    def _keep(self, batch: list[tuple[mqtt.MQTTMessage, Line | None]]) -> None:
        lines = [line for _, line in batch if line is not None]
        while True:
            try:
                self.archive.add(lines)
                self.fault = ""
                break
            except Exception as error:
                # Lines are acknowledged only once they are stored, so a full disk loses nothing: broker and boards keep them.
                self.fault = f"the archive cannot be written ({str(error).splitlines()[0][:200]})"
                self._changed()
                time.sleep(1.0)
        for message, _ in batch:
            self.client.ack(message.mid, message.qos)
        now = self._clock()
        with self._lock:
            for line in lines:
                self._heard[line.board, line.session] = now
                if (known := self.boards.get(line.board)) is not None:
                    known.lines += 1
        if lines:
            self._changed()

    def _ask(self) -> None:
        """For every session whose board states more lines than are here: once more from the first that lacks."""
        now = self._clock()
        with self._lock:
            stated = list(self._stated.items())
        for (board, session), lines in stated:
            key = (board, session)
            known = self.boards.get(board)
            if known is None or not known.online or self._whole.get(key, 0) >= lines:
                continue
            if now - self._heard.get(key, 0.0) < QUIET or now - self._asked.get(key, -ASK_EVERY) < ASK_EVERY:
                continue
            try:
                here = self.archive.first_missing(board, session)
            except Exception:
                return
            self._whole[key] = here
            if here < lines:
                self._asked[key] = now
                request = {"resend": {"session": session, "from": here}}
                self.ask(board, request)
