"""What a board tells its club. The table never waits: `show` stores a reference, a thread of its own does the rest."""

from __future__ import annotations

import contextlib
import json
import queue
import re
import ssl
import threading
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pi_board.club.discovery import documents
from pi_board.club.journal_tail import STATED, JournalTail, Mark, beginning, save_mark, session_files
from pi_board.club.options import ClubOptions, broker_address
from pi_board.club.topics import GONE, NOTICE, ONLINE, PRESSES, BoardTopics
from pi_board.errors import DeviceError, InvalidError, InvalidSettingsError
from pi_board.events import Command, NewMatch
from pi_board.output import Moment
from pi_board.record.jpeg import smaller_jpeg
from pi_board.table import Phase

if TYPE_CHECKING:
    import paho.mqtt.client as mqtt

#: Journal lines that may be on their way unacknowledged: enough for a winter in minutes, little enough for a Zero's memory.
WINDOW = 200
#: Seconds between two looks at the folder when nothing happens, between two states, between two marks on the disk.
POLL, STATE_EVERY, MARK_EVERY = 1.0, 0.3, 2.0
#: Sessions that the mark names: more than a hub that was away asks for.
MARKED = 4 * STATED
#: Paho's MQTT_ERR_SUCCESS and MQTT_ERR_NO_CONN; paho itself is imported when a broker is set.
SENT, NOT_CONNECTED = 0, 4
#: Bytes of one evidence picture at the most; after what a picture of the table is sent; what a folder of evidence is called.
LARGEST = 2_000_000
PICTURED = frozenset({"game_started", "turn_ended", "position_corrected", "jump_made"})
#: Phases in which nobody is in the middle of a game.
FREE = (Phase.WAITING, Phase.OPENING, Phase.OVER)
EVIDENCE = re.compile(r"session-[0-9-]{1,40}-[a-z_]{1,40}")
#: Width of the table's picture, pixels, and its quality: to be looked at beside fifteen others.
PICTURE_WIDTH, PICTURE_QUALITY = 640, 70


def connect(
    options: ClubOptions, user: str, *, client_id: str, clean: bool, manual_ack: bool = False
) -> mqtt.Client:
    """A client that is not yet connected. Raises DeviceError without the library, InvalidSettingsError for bad files."""
    try:
        import paho.mqtt.client as mqtt
    except ImportError:
        raise DeviceError(
            "club: paho-mqtt is missing; install it with: pip install 'pi-board[club]'"
        ) from None
    client = mqtt.Client(
        mqtt.CallbackAPIVersion.VERSION2, client_id=client_id, clean_session=clean, manual_ack=manual_ack
    )
    password = options.password
    if options.password_file:
        try:
            password = Path(options.password_file).expanduser().read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise InvalidSettingsError(f"club: password_file: {options.password_file}: {error}") from None
    client.username_pw_set(user, password or None)
    _, _, tls = broker_address(options.broker)
    if tls:
        try:
            client.tls_set(
                ca_certs=str(Path(options.ca).expanduser()) if options.ca else None,
                certfile=str(Path(options.certificate).expanduser()) if options.certificate else None,
                keyfile=str(Path(options.key).expanduser()) if options.key else None,
            )
        except (OSError, ssl.SSLError, ValueError) as error:
            raise InvalidSettingsError(f"club: ca, certificate or key cannot be used ({error})") from None
    client.reconnect_delay_set(1, 30)
    return client


class ClubPublisher:
    """An `Output`. folder: of the journals; evidence: of the pictures. press: a button's word was sent from afar; new_match: the director sends two players here.
    announce: words for this board's display, "" = none any more. director_comes: the director has seen that he is called. Raises DeviceError, InvalidSettingsError.
    """

    def __init__(
        self,
        options: ClubOptions,
        folder: Path,
        *,
        press: Callable[[str], object] = lambda word: None,
        announce: Callable[[str], object] = lambda words: None,
        new_match: Callable[[NewMatch], object] = lambda match: None,
        director_comes: Callable[[], object] = lambda: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.options, self.folder = options, folder.expanduser()
        self.board = options.name
        self.topics = BoardTopics(self.board)
        self._press, self._announce, self._new_match, self._clock = press, announce, new_match, clock
        self._director_comes = director_comes
        self._moment: Moment | None = None
        self._image: Any = None
        self._picture_due = True
        self._wake = threading.Event()
        self._stop = threading.Event()
        self._tails: dict[str, JournalTail] = {}
        #: By session: lines on their way, oldest first; and how many lines from the beginning are acknowledged.
        self._flying: dict[str, deque[tuple[int, mqtt.MQTTMessageInfo]]] = {}
        self._sent: dict[str, int] = {}
        self._asked: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self._connected = False
        self._stated = ("", 0.0)
        #: What is marked on the disk, and when that was.
        self._marked: tuple[dict[str, int], float] = ({}, 0.0)
        self._first = ""
        self._begin()
        self.client = connect(options, self.board, client_id=self.board, clean=True)
        self.client.will_set(self.topics.status, GONE, qos=1, retain=True)
        self.client.max_inflight_messages_set(WINDOW)
        self.client.on_connect = self._on_connect
        self.client.on_disconnect = self._on_disconnect
        self.client.on_publish = self._on_publish
        self.client.on_message = self._on_message
        self._thread = threading.Thread(target=self._run, name="club", daemon=True)
        self._thread.start()

    # -- the table's side

    def show(self, moment: Moment) -> None:
        self._moment = moment
        if moment.frame is not None:
            self._image = moment.frame.image
        if moment.events:
            self._picture_due |= any(event.type in PICTURED for event in moment.events)
            self._wake.set()

    def close(self) -> None:
        """Sends for a moment what is left; what does not get through is sent the next time."""
        self._stop.set()
        self._wake.set()
        self._thread.join(timeout=4)

    # -- how far it is

    def _begin(self) -> None:
        mark = beginning(self.folder, self.options.broker, history=self.options.history)
        self._first, self._sent = mark.first, dict(mark.sent)
        self._marked = (dict(mark.sent), 0.0)

    def _mark(self, now: float) -> None:
        if self._sent == self._marked[0] or now - self._marked[1] < MARK_EVERY:
            return
        self._leave_behind()
        sent = dict(self._sent)
        self._marked = (sent, now)
        with contextlib.suppress(OSError):
            save_mark(self.folder, Mark(self.options.broker, self._first, sent))

    def _leave_behind(self) -> None:
        """What is sent begins later once the oldest sessions are whole at the broker: years of them would all be polled and noted."""
        if len(self._sent) <= MARKED:
            return
        paths = list(session_files(self.folder, self._first))
        while len(paths) > MARKED and self._whole(paths[0]):
            paths.pop(0)
        if not paths:
            return
        self._first = paths[0].stem
        there = {path.stem for path in paths}
        self._sent = {name: sent for name, sent in self._sent.items() if name in there}
        self._tails = {name: tail for name, tail in self._tails.items() if name in there}

    def _whole(self, path: Path) -> bool:
        """True when the broker has acknowledged every line of the file."""
        tail = self._tails.get(path.stem)
        if tail is None or self._flying.get(path.stem) or tail.offset < path.stat().st_size:
            return False
        return self._sent.get(path.stem, 0) >= tail.next

    # -- the thread

    def _run(self) -> None:
        host, port, _ = broker_address(self.options.broker)
        self.client.connect_async(host, port, keepalive=20)
        self.client.loop_start()
        while not self._stop.is_set():
            self._wake.wait(POLL)
            self._wake.clear()
            self._step()
        ends = self._clock() + 2.0
        while self._connected and self._clock() < ends and (self._step() or self._on_the_way()):
            time.sleep(0.02)
        self._marked = (self._marked[0], -MARK_EVERY)
        self._mark(self._clock())
        if self._connected:
            self.client.publish(self.topics.status, GONE, qos=1, retain=True).wait_for_publish(1.0)
        self.client.disconnect()
        self.client.loop_stop()

    def _step(self) -> bool:
        """One round; True when lines were sent."""
        now = self._clock()
        if not self._connected:
            return False
        self._settle()
        sent = self._send_lines()
        self._send_state(now)
        self._send_picture()
        self._answer()
        self._mark(now)
        if sent:
            self._wake.set()
        return sent

    def _on_the_way(self) -> int:
        return sum(map(len, self._flying.values()))

    def _settle(self) -> None:
        """Lines that the broker has, from the oldest on without a gap."""
        for session, flying in self._flying.items():
            while flying and flying[0][1].is_published():
                self._sent[session] = flying.popleft()[0] + 1

    def _send_lines(self) -> bool:
        sent = False
        for path in session_files(self.folder, self._first):
            tail = self._tails.get(path.stem)
            if tail is None:
                tail = self._tails[path.stem] = JournalTail(path)
                if done := self._sent.get(path.stem, 0):
                    tail.rewind(done)
            room = WINDOW - self._on_the_way()
            if room <= 0:
                break
            for seq, line in tail.read(room):
                sent = True
                info = self.client.publish(self.topics.journal(tail.session), line, qos=1)
                if info.rc == NOT_CONNECTED:
                    # Paho keeps the message and sends it later. With the error left in, `info` could not tell when that has happened.
                    info.rc = type(info.rc)(SENT)
                self._flying.setdefault(tail.session, deque()).append((seq, info))
        return sent

    def _send_state(self, now: float) -> None:
        if now - self._stated[1] < STATE_EVERY:
            return
        moment = self._moment
        sessions = {name: tail.next for name, tail in list(self._tails.items())[-STATED:]}
        document: dict[str, Any] = {"board": self.board, "sessions": sessions}
        if moment is not None:
            document["view"] = moment.view.to_document()
            document["banner"] = moment.banner
            document["solitaire"] = moment.solitaire is not None
            document["director"] = moment.director or ""
        text = json.dumps(document)
        if text == self._stated[0]:
            return
        self._stated = (text, now)
        self.client.publish(self.topics.state, text, qos=1, retain=True)

    def _send_picture(self) -> None:
        """The table after each turn. Made here, not in the referee's thread."""
        image = self._image
        if not self._picture_due or image is None or not self.options.pictures:
            return
        self._picture_due = False
        data = smaller_jpeg(image, PICTURE_WIDTH, PICTURE_QUALITY)
        self.client.publish(self.topics.picture, data, qos=0, retain=True)

    def _answer(self) -> None:
        """What the hub asked for: lines once more, or pictures."""
        while not self._asked.empty():
            request = self._asked.get()
            resend, evidence = request.get("resend"), request.get("evidence")
            if isinstance(resend, dict):
                tail = self._tails.get(str(resend.get("session")))
                start = resend.get("from")
                if tail is not None and isinstance(start, int) and not self._flying.get(tail.session):
                    tail.rewind(max(0, start))
                    self._wake.set()
            if isinstance(evidence, str):
                self._send_evidence(evidence)
            if request.get("director") == "coming":
                self._director_comes()
            if isinstance(match := request.get("match"), dict):
                self._begin_match(match)

    def _begin_match(self, document: dict[str, Any]) -> None:
        """The director sends two players to this board. Not while somebody plays here."""
        moment = self._moment
        if moment is None or moment.view.phase not in FREE:
            return
        with contextlib.suppress(InvalidError):
            wanted = {"rules": moment.view.rules, **document, "type": "new_match"}
            self._new_match(Command.from_document(wanted))

    def _send_evidence(self, name: str) -> None:
        # The name comes from the network: it may name a folder of evidence and nothing else.
        if not EVIDENCE.fullmatch(name):
            return
        found = self.folder / "evidence" / name
        for file in ("before.jpg", "after.jpg"):
            with contextlib.suppress(OSError):
                data = (found / file).read_bytes()
                if len(data) <= LARGEST:
                    self.client.publish(self.topics.evidence(name, file), data, qos=1)

    # -- paho's thread

    def _on_connect(
        self, client: mqtt.Client, userdata: Any, flags: Any, reason: Any, properties: Any
    ) -> None:
        if reason.is_failure:
            return
        client.subscribe([(self.topics.ask, 1), (self.topics.press, 1), (NOTICE, 1)])
        client.publish(self.topics.status, ONLINE, qos=1, retain=True)
        if self.options.home_assistant:
            for topic, document in documents(self.board):
                client.publish(topic, json.dumps(document), qos=1, retain=True)
        self._stated = ("", 0.0)
        self._connected = True
        self._wake.set()

    def _on_disconnect(self, *_: Any) -> None:
        # Lines in flight stay with paho, which sends them again when the broker is back.
        self._connected = False

    def _on_publish(self, *_: Any) -> None:
        # Take no lock here: paho's thread runs this and holds paho's own lock.
        if self._on_the_way() <= WINDOW // 2:
            self._wake.set()

    def _on_message(self, client: mqtt.Client, userdata: Any, message: mqtt.MQTTMessage) -> None:
        try:
            text = message.payload.decode("utf-8")
            if message.topic == NOTICE:
                self._announce(text[:200] if text.isprintable() else "")
            elif message.topic == self.topics.press:
                # Ignore a button press that waited at the broker: the player who meant it has moved on.
                if text in PRESSES and not message.retain:
                    self._press(text)
            elif message.topic == self.topics.ask and isinstance(document := json.loads(text), dict):
                self._asked.put(document)
                self._wake.set()
        except (UnicodeDecodeError, ValueError):
            return
