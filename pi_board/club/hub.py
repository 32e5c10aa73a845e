"""Broker, collector, archive and page of a club in one process tree: what `pi-board club serve` runs."""

from __future__ import annotations

import contextlib
import subprocess
import threading
import time
from pathlib import Path

import uvicorn

from pi_board.club.archive import Archive
from pi_board.club.broker import BrokerFiles, mosquitto
from pi_board.club.collector import Collector
from pi_board.club.options import ClubOptions
from pi_board.club.service import Desk, Service, make_app
from pi_board.errors import DeviceError
from pi_board.web.access import Gatekeeper, load_token, own_names
from pi_board.web.devices import Devices
from pi_board.web.visitors import Visitors, protocol_of

#: Seconds between two looks for results that the tournament waits for; after which a broker that ended is started again.
RESULTS_EVERY, BROKER_AGAIN = 2.0, 2.0


class Hub:
    """archive: a file or a database's address, "" = club.db in the folder. broker: "" = the folder's own Mosquitto, started here.

    Raises DeviceError when Mosquitto is missing, the database does not answer or the address cannot be listened on.
    """

    def __init__(
        self, folder: Path, *, archive: str = "", broker: str = "", host: str = "0.0.0.0", port: int = 8065
    ) -> None:
        files = BrokerFiles(folder.expanduser().resolve())
        if not files.password_file("hub").exists():
            raise DeviceError(f"{files.folder}: no club there; begin with: pi-board club up")
        self._files = files
        self._process: subprocess.Popen[bytes] | None = None
        self._stop = threading.Event()
        own = not broker
        if own:
            listening = next(
                line.split()[1]
                for line in files.configuration.read_text().splitlines()
                if line.startswith("listener ")
            )
            broker = f"mqtts://localhost:{listening}"
            self._mosquitto = mosquitto()
        self.archive = Archive(archive or str(files.folder / "club.db"))
        options = ClubOptions(
            broker=broker,
            board="hub",
            password_file=str(files.password_file("hub")),
            ca=str(files.authority) if broker.startswith("mqtts") else "",
        )
        if own:
            threading.Thread(target=self._keep_broker, name="broker", daemon=True).start()
        token = files.folder / "token"
        self.keeper = Gatekeeper(
            load_token(token),
            own_names(),
            devices=Devices(files.folder / "token-devices.json"),
            token_file=token,
        )
        self.collector = Collector(options, self.archive, changed=lambda: self.service.changed())
        self.desk = Desk(self.archive, self.collector)
        self.service = Service(self.desk)
        visitors = Visitors()
        self._server = uvicorn.Server(
            uvicorn.Config(
                make_app(self.service, self.keeper, visitors),
                host=host,
                port=port,
                log_level="error",
                access_log=False,
                server_header=False,
                http=protocol_of(visitors),
                timeout_graceful_shutdown=2,
                proxy_headers=False,
            )
        )
        threading.Thread(target=self._follow, name="results", daemon=True).start()

    def run(self) -> None:
        """Until the process is asked to end."""
        try:
            self._server.run()
        except SystemExit:
            raise DeviceError(
                f"club: {self._server.config.host}:{self._server.config.port} cannot be listened on"
            ) from None
        finally:
            self.close()

    def close(self) -> None:
        self._stop.set()
        self._server.should_exit = True
        self.collector.close()
        if self._process is not None:
            self._process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(5)
        self.archive.close()

    def _keep_broker(self) -> None:
        """A broker that ends is started again: the boards wait for it with all they have to say."""
        while not self._stop.is_set():
            self._process = subprocess.Popen([self._mosquitto, "-c", str(self._files.configuration)])
            self._process.wait()
            self._stop.wait(BROKER_AGAIN)

    def _follow(self) -> None:
        number = -1
        while not self._stop.is_set():
            seen = sum(b.lines for b in list(self.collector.boards.values()))
            if seen != number:
                number = seen
                # If a result cannot be entered now, the next line that arrives tries again.
                with contextlib.suppress(Exception):
                    self.desk.take_results()
            time.sleep(RESULTS_EVERY)
