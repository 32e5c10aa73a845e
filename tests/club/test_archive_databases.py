"""The archive on both databases: the same lines in, the same answers out; an old archive is brought up to date."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sql

from pi_board.club.archive import Archive, Line
from pi_board.errors import DeviceError, InvalidSettingsError
from pi_board.record.journal import encode
from tests.club.mosquitto import free_port

SERVERS = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))


@pytest.fixture(scope="module")
def postgresql() -> Iterator[str]:
    """A server of its own, as the user that Debian's package makes: it never runs as root."""
    setpriv = shutil.which("setpriv")
    if not SERVERS or setpriv is None or subprocess.run(["id", "postgres"], capture_output=True).returncode:
        pytest.skip("postgresql is not installed")
    folder, port = Path(f"/tmp/pi-board-postgresql-{free_port()}"), free_port()
    folder.mkdir()
    shutil.chown(folder, "postgres")
    as_user = [setpriv, "--reuid=postgres", "--regid=postgres", "--clear-groups"]
    programs = SERVERS[-1].parent
    done = subprocess.run(
        [*as_user, str(programs / "initdb"), "-D", str(folder / "db"), "-A", "trust", "-U", "club"],
        capture_output=True,
    )
    if done.returncode:
        shutil.rmtree(folder, ignore_errors=True)
        pytest.skip("a PostgreSQL of our own needs root here")
    control = [*as_user, str(programs / "pg_ctl"), "-D", str(folder / "db"), "-w"]
    options = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1 -c fsync=off"
    subprocess.run(
        [*control, "-o", options, "-l", str(folder / "log"), "start"], check=True, capture_output=True
    )
    yield f"postgresql+psycopg://club@127.0.0.1:{port}/postgres"
    subprocess.run([*control, "-m", "immediate", "stop"], capture_output=True)
    shutil.rmtree(folder, ignore_errors=True)


def line(board: str, seq: int, event: str = "paused") -> Line:
    return Line.read(
        board, "session-1", encode(seq, "2030-01-01", {"event": {"type": event, "name": "Zoë"}})[:-1]
    )


def check(archive: Archive) -> None:
    assert archive.add([line("a", i) for i in (0, 1, 3)] + [line("b", 0)]) == 4
    assert archive.first_missing("a", "session-1") == 2 and archive.first_missing("c", "session-1") == 0
    assert archive.add([line("a", i) for i in range(5)]) == 2
    assert archive.first_missing("a", "session-1") == 5
    assert archive.sessions() == [("a", "session-1", 5), ("b", "session-1", 1)]
    assert "Zoë" in archive.lines("a", "session-1")[4].document
    number = archive.save_tournament(None, "Cup", {"x": 1})
    archive.save_tournament(number, "Cup 2", {"x": 2})
    assert [(n, name, d) for n, name, _, d in archive.tournaments()] == [(number, "Cup 2", {"x": 2})]


def test_sqlite(tmp_path: Path) -> None:
    archive = Archive(str(tmp_path / "club.db"))
    check(archive)
    archive.close()
    again = Archive(str(tmp_path / "club.db"))
    assert len(again.sessions()) == 2
    again.close()


def test_postgresql(postgresql: str) -> None:
    pytest.importorskip("psycopg")
    archive = Archive(postgresql)
    check(archive)
    archive.close()


def test_an_archive_of_the_first_schema_is_brought_up_to_date(tmp_path: Path) -> None:
    from alembic import command
    from alembic.config import Config

    import pi_board.club

    config = Config()
    config.set_main_option("script_location", str(Path(pi_board.club.__file__).with_name("migrations")))
    engine = sql.create_engine(f"sqlite:///{tmp_path / 'club.db'}")
    with engine.begin() as link:
        config.attributes["connection"] = link
        command.upgrade(config, "0001")
    assert sql.inspect(engine).get_table_names() == ["alembic_version", "lines"]
    engine.dispose()
    archive = Archive(str(tmp_path / "club.db"))
    assert archive.tournaments() == []
    archive.close()


@pytest.mark.parametrize(
    ("url", "error"), [("nonsense://x", InvalidSettingsError), ("/no/such/place/club.db", DeviceError)]
)
def test_what_is_no_archive(url: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        Archive(url)
