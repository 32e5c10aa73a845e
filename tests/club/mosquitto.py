"""A real Mosquitto with the configuration that `pi-board club up` writes, for the tests."""

from __future__ import annotations

import shutil
import socket
import subprocess
import time
from pathlib import Path

from pi_board.club.broker import BrokerFiles, set_up
from pi_board.club.options import ClubOptions

PATH = "/usr/sbin:/usr/local/sbin:/usr/bin:/bin"
PROGRAM = shutil.which("mosquitto", path=PATH)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Broker:
    """`start`, `kill` and `start` again; the files stay."""

    def __init__(self, folder: Path, boards: list[str], *, host: str = "localhost") -> None:
        self.port = free_port()
        self.files: BrokerFiles = set_up(folder, host, boards, port=self.port)
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        assert PROGRAM is not None
        self.process = subprocess.Popen(
            [PROGRAM, "-c", str(self.files.configuration)], stderr=subprocess.DEVNULL
        )
        for _ in range(200):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.02)
        raise AssertionError("mosquitto did not start")

    def kill(self) -> None:
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def options(self, user: str, **more: object) -> ClubOptions:
        return ClubOptions(
            broker=f"mqtts://localhost:{self.port}",
            board=user,
            password_file=str(self.files.password_file(user)),
            ca=str(self.files.authority),
            **more,  # type: ignore[arg-type]
        )
