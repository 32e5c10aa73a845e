"""The archive of a club: every journal line once, results, tournaments. SQLAlchemy on SQLite or PostgreSQL.

The schema is made and brought up to date by Alembic (`migrations/`); this file only uses it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pi_board.errors import DeviceError, InvalidFileError, InvalidSettingsError
from pi_board.record.journal import decode

try:
    import sqlalchemy as sql
    from sqlalchemy.dialects import postgresql, sqlite
except ImportError:
    raise DeviceError("club: SQLAlchemy is missing; install it with: pip install 'pi-board[club]'") from None

METADATA = sql.MetaData()
LINES = sql.Table(
    "lines",
    METADATA,
    sql.Column("board", sql.String(31), primary_key=True),
    sql.Column("session", sql.String(64), primary_key=True),
    sql.Column("seq", sql.Integer, primary_key=True),
    sql.Column("at", sql.String(32), nullable=False),
    sql.Column("kind", sql.String(8), nullable=False),
    sql.Column("type", sql.String(32), nullable=False),
    sql.Column("document", sql.Text, nullable=False),
)
TOURNAMENTS = sql.Table(
    "tournaments",
    METADATA,
    sql.Column("id", sql.Integer, primary_key=True),
    sql.Column("name", sql.String(80), nullable=False),
    sql.Column("begun", sql.String(32), nullable=False),
    sql.Column("document", sql.Text, nullable=False),
)


@dataclass(frozen=True, slots=True)
class Line:
    """One journal line. kind: event, note or gap; type: the event's; document: what the line holds of it, JSON text."""

    board: str
    session: str
    seq: int
    at: str
    kind: str
    type: str
    document: str

    @classmethod
    def read(cls, board: str, session: str, raw: bytes) -> Line:
        """A line as it stands on the board's disk, checksum and all. Raises InvalidFileError."""
        whole = decode(raw)
        kind = next((k for k in ("event", "note", "gap") if isinstance(whole.get(k), dict)), "")
        seq = whole.get("seq")
        if not kind or not isinstance(seq, int) or seq < 0 or len(session) > 64:
            raise InvalidFileError("journal line: expected an event, a note or a gap with its sequence")
        body = whole[kind]
        return cls(
            board,
            session,
            seq,
            str(whole.get("at", ""))[:32],
            kind,
            str(body.get("type", ""))[:32],
            json.dumps(body, separators=(",", ":"), ensure_ascii=False),
        )


class Archive:
    """One database. url: "sqlite:///file", "postgresql+psycopg://…" or a file's path. Any thread may call.

    Raises DeviceError when the database does not answer, InvalidSettingsError for an address that is none.
    """

    def __init__(self, url: str) -> None:
        address = url if "://" in url else f"sqlite:///{Path(url).expanduser()}"
        try:
            self.engine = sql.create_engine(address, pool_pre_ping=True)
        except (sql.exc.ArgumentError, ImportError) as error:
            raise InvalidSettingsError(
                f"archive: expected a file or a database's address, got {url!r} ({error})"
            ) from None
        if self.engine.dialect.name == "sqlite":
            sql.event.listen(self.engine, "connect", _durable)
        try:
            _migrate(self.engine)
        except sql.exc.OperationalError as error:
            raise DeviceError(
                f"archive: {url}: does not answer ({str(error.orig).splitlines()[0]})"
            ) from None

    def close(self) -> None:
        self.engine.dispose()

    # -- lines

    def add(self, lines: Sequence[Line]) -> int:
        """Keeps lines, each identity once; returns how many were new. They are on the disk when this returns.

        A line that came before with another content is replaced by the later one: the board lost it in a power cut before it
        was on the disk, and played on.
        """
        if not lines:
            return 0
        latest = {(line.board, line.session, line.seq): line for line in lines}
        rows = [
            {
                name: getattr(line, name)
                for name in ("board", "session", "seq", "at", "kind", "type", "document")
            }
            for line in latest.values()
        ]
        put: sqlite.Insert | postgresql.Insert
        put = (postgresql if self.engine.dialect.name == "postgresql" else sqlite).insert(LINES)
        with self.engine.begin() as link:
            before = self._count(link, latest)
            link.execute(
                put.on_conflict_do_update(
                    index_elements=["board", "session", "seq"],
                    set_={n: put.excluded[n] for n in ("at", "kind", "type", "document")},
                    where=LINES.c.at < put.excluded.at,
                ),
                rows,
            )
        return len(rows) - before

    @staticmethod
    def _count(link: sql.Connection, identities: Iterable[tuple[str, str, int]]) -> int:
        found = 0
        sessions: dict[tuple[str, str], list[int]] = {}
        for board, session, seq in identities:
            sessions.setdefault((board, session), []).append(seq)
        for (board, session), seqs in sessions.items():
            query = sql.select(sql.func.count()).where(
                LINES.c.board == board, LINES.c.session == session, LINES.c.seq.in_(seqs)
            )
            found += link.execute(query).scalar_one()
        return found

    def first_missing(self, board: str, session: str) -> int:
        """The sequence up to which the lines of a session are here without a gap."""
        query = sql.select(sql.func.count(), sql.func.max(LINES.c.seq)).where(
            LINES.c.board == board, LINES.c.session == session
        )
        with self.engine.connect() as link:
            count, last = link.execute(query).one()
            if last is None or count == last + 1:
                return int(count)
            seqs = link.execute(
                sql.select(LINES.c.seq)
                .where(LINES.c.board == board, LINES.c.session == session)
                .order_by(LINES.c.seq)
            ).scalars()
            return next((i for i, seq in enumerate(seqs) if seq != i), int(count))

    def lines(self, board: str, session: str) -> list[Line]:
        """The lines of one session in order."""
        query = (
            sql.select(LINES).where(LINES.c.board == board, LINES.c.session == session).order_by(LINES.c.seq)
        )
        with self.engine.connect() as link:
            return [Line(**row._mapping) for row in link.execute(query)]

    def sessions(self) -> list[tuple[str, str, int]]:
        """(board, session, lines) of everything that is here, oldest first."""
        query = (
            sql.select(LINES.c.board, LINES.c.session, sql.func.count())
            .group_by(LINES.c.board, LINES.c.session)
            .order_by(LINES.c.session, LINES.c.board)
        )
        with self.engine.connect() as link:
            return [(b, s, int(n)) for b, s, n in link.execute(query)]

    def of_type(self, *types: str) -> list[Line]:
        """All lines of these event types, in the order of sessions."""
        query = (
            sql.select(LINES)
            .where(LINES.c.type.in_(types))
            .order_by(LINES.c.session, LINES.c.board, LINES.c.seq)
        )
        with self.engine.connect() as link:
            return [Line(**row._mapping) for row in link.execute(query)]

    # -- tournaments

    def save_tournament(self, number: int | None, name: str, document: dict[str, Any]) -> int:
        """Keeps a tournament; returns its number."""
        text = json.dumps(document, ensure_ascii=False)
        with self.engine.begin() as link:
            if number is not None:
                link.execute(
                    sql.update(TOURNAMENTS).where(TOURNAMENTS.c.id == number).values(name=name, document=text)
                )
                return number
            begun = datetime.now(UTC).isoformat(timespec="seconds")
            made = link.execute(sql.insert(TOURNAMENTS).values(name=name, begun=begun, document=text))
            assert made.inserted_primary_key is not None
            return int(made.inserted_primary_key[0])

    def tournaments(self) -> list[tuple[int, str, str, dict[str, Any]]]:
        """(number, name, when it began, document), oldest first."""
        with self.engine.connect() as link:
            rows = link.execute(sql.select(TOURNAMENTS).order_by(TOURNAMENTS.c.id))
            return [(r.id, r.name, r.begun, json.loads(r.document)) for r in rows]


def _durable(connection: Any, _: Any) -> None:
    """What was acknowledged is on the disk; readers do not wait for the writer."""
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.execute("PRAGMA busy_timeout=10000")
    cursor.close()


def _migrate(engine: sql.Engine) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    with engine.begin() as link:
        config.attributes["connection"] = link
        command.upgrade(config, "head")
