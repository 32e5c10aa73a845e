"""The page's server: uvicorn in a thread of its own beside the referee."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
from collections.abc import AsyncIterator
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from pi_board.errors import DeviceError
from pi_board.web.access import Door, Gatekeeper, load_token, own_names
from pi_board.web.devices import Devices
from pi_board.web.history import Coach, Curve
from pi_board.web.hub import LiveHub
from pi_board.web.options import WebOptions
from pi_board.web.routes import PageDesk, Setup, Site
from pi_board.web.visitors import Visitors, protocol_of


async def _failed(request: Request, error: Exception) -> Response:
    return PlainTextResponse("this did not work\n", 500)


def make_app(site: Site, keeper: Gatekeeper, visitors: Visitors | None = None) -> Starlette:
    """The ASGI application, door first."""

    @contextlib.asynccontextmanager
    async def life(_: Starlette) -> AsyncIterator[None]:
        site.hub.attach(asyncio.get_running_loop())
        yield

    return Starlette(
        routes=list(site.routes()),
        middleware=[Middleware(Door, keeper=keeper, visitors=visitors)],
        exception_handlers={Exception: _failed},
        lifespan=life,
    )


def local_address() -> str:
    """This machine's address on its network, "127.0.0.1" when it has none. Sends nothing."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))
        return str(probe.getsockname()[0])
    return "127.0.0.1"


def _addresses(options: WebOptions, keeper: Gatekeeper) -> tuple[str, str]:
    host = "127.0.0.1" if options.local_only else local_address()
    base = f"http://{host}:{options.port}"
    player = base + ("/" if keeper.open_to_this_machine and options.local_only else keeper.short_path)
    return player, f"{base}/enter?watch={keeper.spectator_word}"


def page_addresses(options: WebOptions) -> tuple[str, str]:
    """(for players, for spectators), as a server with these options would say. Raises DeviceError without a token."""
    return _addresses(options, _keeper(options))


def _keeper(options: WebOptions) -> Gatekeeper:
    file = Path(options.token_file).expanduser()
    return Gatekeeper(
        load_token(file),
        (*options.hosts, *own_names()),
        open_to_this_machine=options.trust_this_machine,
        devices=Devices(file.with_name(f"{file.name}-devices.json")),
        token_file=file,
    )


class PageServer:
    """`start` returns when the page answers. player_url, spectator_url: what display and QR code show."""

    def __init__(
        self,
        options: WebOptions,
        hub: LiveHub,
        desk: PageDesk,
        *,
        games: Path,
        setup: Setup | None = None,
        curve: Curve | None = None,
        coach: Coach | None = None,
        live: Path | None = None,
    ) -> None:
        self.options = options
        self.keeper = keeper = _keeper(options)
        visitors = Visitors()
        self.site = Site(
            hub,
            desk,
            keeper,
            games=games,
            addresses=lambda: _addresses(options, keeper),
            video_fps=options.video_fps,
            setup=setup,
            curve=curve,
            coach=coach,
            live=live,
            visitors=visitors,
        )
        config = uvicorn.Config(
            make_app(self.site, keeper, visitors),
            host=options.host,
            port=options.port,
            log_level="error",
            access_log=False,
            server_header=False,
            # Not limit_concurrency: it would answer players with 503 as soon as strangers fill the places.
            http=protocol_of(visitors),
            timeout_keep_alive=10,
            timeout_graceful_shutdown=2,
            proxy_headers=False,
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._run, name="page", daemon=True)
        self._fault = ""

    @property
    def player_url(self) -> str:
        """Changes when the token is renewed."""
        return _addresses(self.options, self.keeper)[0]

    @property
    def spectator_url(self) -> str:
        return _addresses(self.options, self.keeper)[1]

    def _run(self) -> None:
        try:
            self._server.run()
        except (OSError, SystemExit) as error:
            self._fault = str(error)

    def start(self, seconds: float = 10.0) -> None:
        """Raises DeviceError when the address cannot be listened on."""
        with contextlib.closing(
            socket.socket(socket.AF_INET6 if ":" in self.options.host else socket.AF_INET)
        ) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((self.options.host, self.options.port))
            except OSError as error:
                raise DeviceError(
                    f"page: {self.options.host}:{self.options.port} cannot be listened on ({error.strerror})"
                ) from None
        self._thread.start()
        waited = threading.Event()
        for _ in range(int(seconds * 20)):
            if self._server.started:
                return
            if not self._thread.is_alive():
                break
            waited.wait(0.05)
        raise DeviceError(f"page: the server did not start ({self._fault or 'no answer'})")

    def close(self) -> None:
        self._server.should_exit = True
        if self._thread.is_alive():
            self._thread.join(timeout=4)
