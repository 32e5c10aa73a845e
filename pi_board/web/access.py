"""Who may do what: token, cookie, Host and Origin checks, security headers, rate limits, body size.

Two kinds of visitors: a *player* may do everything, a *spectator* (the spectators' link) may look. The token only lets
a device in; what it keeps is a word of its own. Nothing else gets past the door. Being on this machine is no proof of being a player: a proxy here
passes on requests of strangers.
"""

from __future__ import annotations

import asyncio
import base64
import functools
import hashlib
import hmac
import ipaddress
import logging
import re
import secrets
import socket
import time
from collections import OrderedDict
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pi_board.errors import DeviceError
from pi_board.record.whole_file import write_whole
from pi_board.web.devices import Device, Devices
from pi_board.web.visitors import Visitors

Role = Literal["player", "spectator", "none"]
COOKIE = "pi_board"
#: Before the short word in the path of the player's short address.
SHORT = "/P/"
LARGEST_BODY = 64 * 1024
#: Seconds that one piece of an answer may wait for its reader.
LONGEST_SEND = 20.0
#: Seconds that one piece of a request's body may take to come.
LONGEST_WAIT = 10.0
#: Headers by which a proxy says that it asks for somebody else.
PROXY_HEADERS = (
    "forwarded",
    "via",
    "x-forwarded-for",
    "x-forwarded-host",
    "x-forwarded-proto",
    "x-forwarded-server",
    "x-real-ip",
    "x-client-ip",
    "x-cluster-client-ip",
    "true-client-ip",
    "cf-connecting-ip",
    "forwarded-for",
    "x-original-forwarded-for",
)
#: A Host header: a name, an IPv4 address or an IPv6 address in brackets, and perhaps a port (RFC 9110, 7.2). No user.
_HOST = re.compile(r"(?P<name>[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?", re.ASCII)
CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "media-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)


def load_token(path: Path) -> str:
    """The first-run token: made once, readable by its owner only. Raises DeviceError when it cannot be kept."""
    path = path.expanduser()
    try:
        if path.is_file():
            token = path.read_text(encoding="ascii").strip()
            if len(token) >= 16:
                return token
        return new_token(path)
    except (OSError, UnicodeDecodeError) as error:
        raise DeviceError(f"{path}: the page's token cannot be kept there ({error})") from None


def new_token(path: Path) -> str:
    """Another token in place of the one in that file. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    token = secrets.token_urlsafe(18)
    write_whole(path, f"{token}\n".encode(), mode=0o600)
    return token


def keep_word(response: Response, word: str) -> None:
    """Leaves `word` as a cookie for half a year, so that the address can be bare afterwards."""
    response.set_cookie(COOKIE, word, max_age=180 * 86400, httponly=True, samesite="strict", path="/")


class Gatekeeper:
    """Decides the role of a request. token: the secret; the spectators' word is derived from it and cannot be turned back.

    open_to_this_machine: requests from this machine that went through no proxy need no token. devices: those that were
    let in. token_file: where a renewed token is kept; None keeps it in memory.
    """

    def __init__(
        self,
        token: str,
        hosts: tuple[str, ...],
        *,
        open_to_this_machine: bool = False,
        devices: Devices | None = None,
        token_file: Path | None = None,
    ) -> None:
        self.hosts = frozenset(h.lower() for h in hosts)
        self.open_to_this_machine = open_to_this_machine
        self.devices, self._file = devices or Devices(), token_file
        self._take(token)

    def _take(self, token: str) -> None:
        self.token = token
        self.spectator_word = hmac.new(token.encode(), b"spectator", hashlib.sha256).hexdigest()[:24]
        # 80 bits in capitals and digits: a QR code that a display of 64 rows can show, and no trouble to type.
        self.short_word = base64.b32encode(
            hmac.new(token.encode(), b"short", hashlib.sha256).digest()[:10]
        ).decode()

    def renew(self, keep: Device | None) -> None:
        """Every address and code that was given away is void, and every device is forgotten except `keep`.

        Raises DeviceError when the new token cannot be kept; then nothing has changed.
        """
        try:
            token = new_token(self._file) if self._file is not None else secrets.token_urlsafe(18)
        except OSError as error:
            raise DeviceError(f"{self._file}: the new token cannot be kept there ({error})") from None
        self._take(token)
        self.devices.forget_others(keep)

    def device(self, request: Request) -> Device | None:
        """The device that asks, None when it keeps no word of its own."""
        word = request.cookies.get(COOKIE, "")
        return self.devices.find(word) if word else None

    def word_for(self, request: Request) -> str | None:
        """What a visitor who came with a right word is to keep; None: what it has is good, or it proved nothing.

        The token itself is kept by nobody: who still has it as a cookie, from before, is given a word too.
        """
        role = self.proved(request)
        if role == "player" and self.device(request) is None:
            return self.devices.admit(request.headers.get("user-agent", ""))
        return self.spectator_word if role == "spectator" and request.query_params.get("watch") else None

    def host_allowed(self, host: str) -> bool:
        """The Host header names this machine (a DNS rebinding attack names another)."""
        name = _hostname(host)
        if not name:
            return False
        if name in self.hosts or name == "localhost":
            return True
        try:
            return ipaddress.ip_address(name).is_private or ipaddress.ip_address(name).is_loopback
        except ValueError:
            return False

    def origin_allowed(self, headers: Headers) -> bool:
        """A request that changes something comes from our own page."""
        origin = headers.get("origin")
        if origin is None:
            # Browsers always send Origin with POST; a tool on this machine without one is no browser.
            return headers.get("sec-fetch-site", "same-origin") in ("same-origin", "none")
        try:
            return urlsplit(origin).netloc.lower() == headers.get("host", "").lower()
        except ValueError:
            return False

    @property
    def short_path(self) -> str:
        """Path of the player's short address: it leaves a word as a cookie and leads to the page."""
        return SHORT + self.short_word

    def knows(self, path: str) -> bool:
        """`path` is the short address, in whatever case it was typed."""
        return hmac.compare_digest(path.upper().encode("utf-8", "replace"), self.short_path.encode())

    def role(self, request: Request) -> Role:
        return self.proved(request) or self._trusted(request)

    def proved(self, request: Request) -> Role | None:
        """The role that a word of this request proves, None without one that fits."""
        if self.device(request) is not None:
            return "player"
        for word in (request.cookies.get(COOKIE, ""), request.query_params.get("token", "")):
            if word and hmac.compare_digest(word.encode(), self.token.encode()):
                return "player"
        # The players' address outranks a spectator's cookie: somebody who watched before becomes a player.
        if self.knows(request.url.path):
            return "player"
        for word in (request.cookies.get(COOKIE, ""), request.query_params.get("watch", "")):
            if word and hmac.compare_digest(word.encode(), self.spectator_word.encode()):
                return "spectator"
        return None

    def _trusted(self, request: Request) -> Role:
        client = request.client.host if request.client else ""
        here = self.open_to_this_machine and _is_loopback(client)
        return "player" if here and not any(name in request.headers for name in PROXY_HEADERS) else "none"


def _hostname(host: str) -> str:
    """The name in a Host header without its port and brackets, in small letters; "" when it is none."""
    found = _HOST.fullmatch(host)
    return found["name"].strip("[]").lower() if found else ""


def _is_loopback(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return address == "testclient"


def own_names() -> tuple[str, ...]:
    """Names under which this machine is known on its network."""
    name = socket.gethostname().lower()
    return (name, f"{name}.local")


class Limiter:
    """A leaky bucket per client: `rate` a second on average, `burst` at once."""

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.rate, self.burst, self._clock = rate, burst, clock
        self._seen: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allows(self, client: str) -> bool:
        now = self._clock()
        level, at = self._seen.pop(client, (0.0, now))
        level = max(0.0, level - (now - at) * self.rate)
        good = level + 1 <= self.burst
        self._seen[client] = (level + 1 if good else level, now)
        while len(self._seen) > 1000:
            self._seen.popitem(last=False)
        return good


class Door:
    """ASGI middleware: everything that is refused is refused here, before a route sees it."""

    def __init__(
        self,
        app: ASGIApp,
        keeper: Gatekeeper,
        *,
        limiter: Limiter | None = None,
        visitors: Visitors | None = None,
    ) -> None:
        self.app, self.keeper, self.visitors = app, keeper, visitors or Visitors()
        self.reads = limiter or Limiter(60.0, 240.0)
        self.writes = Limiter(5.0, 20.0)
        self.wrong_tokens = Limiter(0.2, 10.0)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "websocket":
                await send({"type": "websocket.close", "code": 1008})
                return
            await self.app(scope, receive, send)
            return
        request = Request(scope)
        refusal = self._refusal(request)
        if refusal is not None:
            code, text = refusal
            # A refused visitor's connection is closed, so that it holds no place.
            answer: Response = PlainTextResponse(text + "\n", code, {"connection": "close"})
            if code == 401 and request.method == "GET" and "text/html" in request.headers.get("accept", ""):
                answer = _for_strangers()
            await answer(scope, receive, self._dressed(send, request))
            return
        if self.keeper.knows(request.url.path):
            self.visitors.known(scope, "player")
            answer = RedirectResponse("/", 303)
            if request.method == "GET" and (word := self.keeper.word_for(request)) is not None:
                keep_word(answer, word)
            await answer(scope, receive, self._dressed(send, request))
            return
        role = self.keeper.role(request)
        self.visitors.known(scope, role)
        scope.setdefault("state", {})["role"] = role
        received, whole, begun = 0, False, False

        async def limited() -> Message:
            nonlocal received, whole
            try:
                # After the body the server only waits for the visitor to disconnect, which may take all evening.
                message = await asyncio.wait_for(receive(), None if whole else LONGEST_WAIT)
            except TimeoutError:
                raise SlowBody from None
            received += len(message.get("body", b""))
            whole = not message.get("more_body", False)
            if received > LARGEST_BODY:
                raise BodyTooLarge
            return message

        async def counted(message: Message) -> None:
            nonlocal begun
            begun = True
            await dressed(message)

        dressed = self._dressed(send, request)
        refused: tuple[str, int] | None = None
        try:
            await self.app(scope, limited, counted)
        except BodyTooLarge:
            refused = "too large", 413
        except SlowBody:
            refused = "the request did not come to its end", 408
        except (ClientDisconnect, StuckClient):
            # The visitor has disconnected, so there is nobody to answer; the server closes the connection.
            return
        except Exception:
            # Said here and not by the framework's outermost layer, which would leave out the security headers.
            logging.getLogger(__name__).exception("%s %s", request.method, request.url.path)
            refused = "this did not work", 500
        if refused is not None and not begun:
            answer = PlainTextResponse(refused[0] + "\n", refused[1], {"connection": "close"})
            await answer(scope, receive, dressed)

    def _refusal(self, request: Request) -> tuple[int, str] | None:
        client = request.client.host if request.client else "?"
        if not self.keeper.host_allowed(request.headers.get("host", "")):
            return 421, "this machine does not answer to that name"
        changing = request.method not in ("GET", "HEAD", "OPTIONS")
        if not (self.writes if changing else self.reads).allows(client):
            return 429, "too many requests, slow down"
        length = request.headers.get("content-length", "0")
        if not (length.isascii() and length.isdigit() and len(length) < 10) or int(length) > LARGEST_BODY:
            return 413, "too large"
        if changing and not self.keeper.origin_allowed(request.headers):
            return 403, "this request does not come from the page"
        offered = (
            request.query_params.get("token")
            or request.query_params.get("watch")
            or request.url.path.upper().startswith(SHORT)
        )
        role = self.keeper.role(request)
        if role == "none":
            if offered and not self.wrong_tokens.allows(client):
                return 429, "too many wrong tokens"
            return 401, "open the page with the address (or QR code) that the board's display shows"
        if changing and role != "player":
            return 403, "spectators can only watch"
        return None

    def _dressed(self, send: Send, request: Request) -> Send:
        # Browsers ignore this header, with a warning in the console, where they do not trust the address.
        name = _hostname(request.headers.get("host", ""))
        trusted = request.url.scheme == "https" or name == "localhost" or _is_loopback(name)

        async def dressed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.setdefault("content-security-policy", CSP)
                headers.setdefault("x-content-type-options", "nosniff")
                headers.setdefault("referrer-policy", "no-referrer")
                headers.setdefault("cross-origin-resource-policy", "same-origin")
                if trusted:
                    headers.setdefault("cross-origin-opener-policy", "same-origin")
                headers.setdefault("permissions-policy", "camera=(), microphone=(), geolocation=()")
                headers.setdefault("cache-control", "no-store")
            try:
                await asyncio.wait_for(send(message), LONGEST_SEND)
            except TimeoutError:
                raise StuckClient from None

        return dressed


@functools.cache
def _stranger_page() -> tuple[str, str]:
    """(the page for whoever may not see any other, the policy that allows its one style and nothing else)."""
    page = (resources.files("pi_board.web") / "page_parts" / "stranger.html").read_text(encoding="utf-8")
    style = page.partition("<style>")[2].partition("</style>")[0]
    known = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return (
        page,
        f"default-src 'none'; style-src 'sha256-{known}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    )


def _for_strangers() -> Response:
    page, policy = _stranger_page()
    return HTMLResponse(page, 401, {"connection": "close", "content-security-policy": policy})


class StuckClient(Exception):
    """A client that took nothing for `LONGEST_SEND` seconds; its place is for others."""


class SlowBody(Exception):
    """A body of which nothing came for `LONGEST_WAIT` seconds."""


class BodyTooLarge(Exception):
    """A body without a Content-Length grew past the limit."""
