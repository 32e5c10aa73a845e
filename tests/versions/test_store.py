"""The folder of versions: what a kill leaves at any moment, trials, the way back, and what is kept."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pi_board.versions import store as store_module
from pi_board.versions.build import UpdateError
from pi_board.versions.coming_up import STEADY, ComingUp
from pi_board.versions.machine import Machine
from pi_board.versions.store import ATTEMPTS, SCRATCH, Busy, VersionStore
from pi_board.versions.update import rollback, update

GUARD = Path(store_module.__file__)


@pytest.fixture
def store(tmp_path: Path) -> VersionStore:
    (tmp_path / "state").mkdir()
    return VersionStore(tmp_path / "opt", tmp_path / "state")


def build(store: VersionStore, version: str) -> str:
    """A version whose program says its name."""
    name = store.free_name(version)
    program = store.folder(name) / "bin" / "pi-board"
    program.parent.mkdir(parents=True)
    program.write_text(f"#!/bin/sh\necho {name}\n", encoding="utf-8")
    program.chmod(0o755)
    store.finish(name, {"version": version, "source": "/somewhere"})
    return name


def updated(store: VersionStore, version: str, tmp_path: Path, **options: object) -> str:
    machine = Machine(tmp_path / "root")
    return update(store, lambda: build(store, version), machine=machine, say=lambda words: None, **options)  # type: ignore[arg-type]


def runs(store: VersionStore) -> str:
    """What the service would start, after its guard."""
    env = {"PI_BOARD_PREFIX": str(store.prefix), "PI_BOARD_STATE": str(store.state)}
    guard = subprocess.run(
        [sys.executable, "-I", str(GUARD), "before-start"],
        env=env,
        capture_output=True,
        text=True,
        umask=0o027,  # the unit's
    )
    assert guard.returncode == 0, guard.stderr
    done = subprocess.run([str(store.prefix / "current/bin/pi-board")], capture_output=True, text=True)
    assert done.returncode == 0
    return done.stdout.strip()


def test_update_rollback_and_what_is_kept(store: VersionStore, tmp_path: Path) -> None:
    for version in ("0.1.0", "0.2.0", "0.3.0"):
        updated(store, version, tmp_path)
        assert (store.current(), runs(store)) == (version, version)
        (store.state / "came-up").write_text(version, encoding="utf-8")
    assert store.complete() == ["0.2.0", "0.3.0"] and store.previous() == "0.2.0"
    assert rollback(store, machine=Machine(tmp_path / "root"), say=lambda words: None) == "0.2.0"
    assert (runs(store), store.previous(), store.trial()) == ("0.2.0", "0.3.0", {})
    # The same version again has a folder of its own.
    assert updated(store, "0.2.0", tmp_path) == "0.2.0-2"


def test_nothing_to_go_back_to(store: VersionStore, tmp_path: Path) -> None:
    updated(store, "0.1.0", tmp_path)
    assert not store.trial(), "the first version has nothing to be compared with"
    with pytest.raises(UpdateError, match="no earlier version"):
        rollback(store, machine=Machine(tmp_path / "root"))


def test_a_failed_build_leaves_what_runs(store: VersionStore, tmp_path: Path) -> None:
    updated(store, "0.1.0", tmp_path)

    def fails() -> str:
        (store.folder("0.2.0") / "bin").mkdir(parents=True)
        raise UpdateError("no room")

    with pytest.raises(UpdateError):
        update(store, fails, machine=Machine(tmp_path / "root"))
    assert runs(store) == "0.1.0" and store.complete() == ["0.1.0"]
    (store.prefix / f"{SCRATCH}killed").mkdir()
    updated(store, "0.2.0", tmp_path)
    assert sorted(p.name for p in store.versions.iterdir()) == ["0.1.0", "0.2.0"]
    assert not list(store.prefix.glob(f"{SCRATCH}*"))


def test_never_during_a_game(store: VersionStore, tmp_path: Path) -> None:
    updated(store, "0.1.0", tmp_path)
    with pytest.raises(UpdateError, match="a game is being played"):
        updated(store, "0.2.0", tmp_path, game=lambda: True)
    assert store.complete() == ["0.1.0"], "not even built: that would slow the game down"
    began = iter((False, True))
    with pytest.raises(UpdateError, match="built and checked"):
        updated(store, "0.2.0", tmp_path, game=lambda: next(began))
    assert runs(store) == "0.1.0"


def test_two_updates_at_once(store: VersionStore, tmp_path: Path) -> None:
    with store.locked(), pytest.raises(Busy):
        updated(store, "0.1.0", tmp_path)


def test_what_a_killed_update_had_begun_goes_on_and_is_waited_for(
    store: VersionStore, tmp_path: Path
) -> None:
    """The update alone is killed (by the memory's watchdog): its pip goes on writing into a folder that the next update would take."""
    script = (
        "import sys; from pathlib import Path\n"
        "from pi_board.versions.build import Builder; from pi_board.versions.store import VersionStore\n"
        "store = VersionStore(Path(sys.argv[1]), Path(sys.argv[2]))\n"
        "with store.locked():\n"
        "    Builder(store)._call(['sh', '-c', 'echo $$ > \"$0\"; exec sleep 60', sys.argv[3]], 60.0)\n"
    )
    begun = tmp_path / "begun"
    killed = subprocess.Popen(
        [sys.executable, "-c", script, str(store.prefix), str(store.state), str(begun)],
        cwd=Path(store_module.__file__).parents[2],
    )
    while not (begun.exists() and begun.read_text().strip()):
        assert killed.poll() is None
        time.sleep(0.01)
    killed.kill()
    killed.wait()
    pip = int(begun.read_text())
    with pytest.raises(Busy):
        updated(store, "0.1.0", tmp_path)
    os.kill(pip, signal.SIGKILL)
    for _ in range(1000):
        try:
            assert updated(store, "0.1.0", tmp_path) == "0.1.0"
            break
        except Busy:
            time.sleep(0.01)
    else:
        raise AssertionError("still locked")


# ------------------------------------------------------------------------------------------------- trial


def test_a_version_that_does_not_come_up_is_taken_back(store: VersionStore, tmp_path: Path) -> None:
    updated(store, "0.1.0", tmp_path)
    updated(store, "0.2.0", tmp_path)
    assert [runs(store) for _ in range(ATTEMPTS)] == ["0.2.0"] * ATTEMPTS
    assert runs(store) == "0.1.0"
    # Nothing leads to the broken one any more, and the display is told once.
    assert (store.previous(), store.trial(), store.complete()) == ("", {}, ["0.1.0"])
    program = ComingUp({"STATE_DIRECTORY": str(store.state)}, program=store.folder("0.1.0"))
    assert program.went_back() == "Version 0.2.0 did not come up; version 0.1.0 runs again"
    assert (store.state / "went-back.json").stat().st_mode & 0o004, "the service, which is not root, reads it"
    program.read()
    assert program.went_back() == ""
    assert updated(store, "0.2.0", tmp_path) == "0.2.0", "the next update may bring it again"


def test_two_versions_in_a_row_that_do_not_come_up(store: VersionStore, tmp_path: Path) -> None:
    """The second one, meant to mend the first, is installed before the first was taken back."""
    updated(store, "0.1.0", tmp_path)
    updated(store, "0.2.0", tmp_path)
    assert runs(store) == "0.2.0"
    updated(store, "0.3.0", tmp_path)
    assert [runs(store) for _ in range(ATTEMPTS)] == ["0.3.0"] * ATTEMPTS
    assert runs(store) == "0.1.0", "0.2.0 never came up either"


def test_a_version_that_came_up_stays(store: VersionStore, tmp_path: Path) -> None:
    updated(store, "0.1.0", tmp_path)
    updated(store, "0.2.0", tmp_path)
    runs(store)
    now = 0.0
    program = ComingUp(
        {"STATE_DIRECTORY": str(store.state)}, program=store.folder("0.2.0"), clock=lambda: now
    )
    while now <= STEADY:
        assert not (store.state / "came-up").exists()
        program.beat()
        now += 0.5
    assert [runs(store) for _ in range(ATTEMPTS + 2)] == ["0.2.0"] * (ATTEMPTS + 2)
    # It was up: what it does later is no reason to go back, and the next trial starts from nothing.
    updated(store, "0.3.0", tmp_path)
    assert not (store.state / "came-up").exists()


def test_a_start_ended_on_purpose_is_not_counted(store: VersionStore, tmp_path: Path) -> None:
    updated(store, "0.1.0", tmp_path)
    updated(store, "0.2.0", tmp_path)
    env = {"PI_BOARD_PREFIX": str(store.prefix), "PI_BOARD_STATE": str(store.state)}
    for _ in range(2 * ATTEMPTS):
        assert runs(store) == "0.2.0"
        subprocess.run(
            [sys.executable, "-I", str(GUARD), "after-stop"], env={**env, "SERVICE_RESULT": "success"}
        )
    for result, words in (("watchdog", "stood still"), ("exit-code", "ended by itself")):
        done = subprocess.run(
            [sys.executable, "-I", str(GUARD), "after-stop"],
            env={**env, "SERVICE_RESULT": result},
            capture_output=True,
            text=True,
        )
        assert words in done.stderr
    assert store.trial()["attempts"] == 0


def test_the_guard_needs_nothing_but_the_standard_library() -> None:
    """It decides about versions that may be broken, so it must not need them."""
    imported = re.findall(r"^(?:from|import) ([\w.]+)", GUARD.read_text(encoding="utf-8"), re.MULTILINE)
    assert {name.split(".")[0] for name in imported} <= {*sys.stdlib_module_names}


def test_a_trial_of_another_version_means_nothing(store: VersionStore, tmp_path: Path) -> None:
    """Killed between the note of the trial and the switch."""
    updated(store, "0.1.0", tmp_path)
    build(store, "0.2.0")
    trial = {"version": "0.2.0", "previous": "0.1.0", "attempts": ATTEMPTS}
    (store.prefix / "trial.json").write_text(json.dumps(trial), encoding="utf-8")
    assert runs(store) == "0.1.0" and not store.trial()


def test_program_outside_a_version_folder_says_nothing(tmp_path: Path) -> None:
    program = ComingUp({"STATE_DIRECTORY": str(tmp_path)}, program=tmp_path / "venv")
    program.beat()
    assert program.went_back() == "" and not list(tmp_path.iterdir())


# -------------------------------------------------------------------------------------------------- kills

UPDATES = """
import sys
sys.path.insert(0, {root!r})
from pathlib import Path
from tests.versions.test_store import build
from pi_board.versions.machine import Machine
from pi_board.versions.store import VersionStore
from pi_board.versions.update import update

store = VersionStore(Path({prefix!r}), Path({state!r}))
print("ready", flush=True)
while True:
    update(store, lambda: build(store, "1.0"), machine=Machine(Path({other!r})), say=lambda words: None)
"""


@pytest.mark.parametrize("kills", [8, pytest.param(30, marks=pytest.mark.slow)])
def test_killed_at_any_moment(store: VersionStore, tmp_path: Path, kills: int) -> None:
    """Updates one after the other, each killed somewhere: a version starts after every one of them."""
    updated(store, "0.1.0", tmp_path)
    root = str(Path(__file__).resolve().parent.parent.parent)
    code = UPDATES.format(
        root=root, prefix=str(store.prefix), state=str(store.state), other=str(tmp_path / "root")
    )
    chance = random.Random(1)
    started = []
    for _ in range(kills):
        process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
        assert process.stdout is not None and process.stdout.readline() == b"ready\n"
        time.sleep(chance.uniform(0.0, 0.05))
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdout.close()
        started.append(runs(store))
    assert len(started) == kills and all(started)
    assert len(set(started)) > 1, "no update ever came through: this test kills too early"
