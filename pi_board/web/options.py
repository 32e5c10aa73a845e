"""Settings of the page: [web] in the settings file."""

from __future__ import annotations

from dataclasses import dataclass

from pi_board.errors import InvalidSettingsError


@dataclass(frozen=True, slots=True)
class WebOptions:
    """enabled: serve the page. host: address to listen on; 0.0.0.0 = the whole network. port.

    hosts: further names under which the page may be asked for (Host header), besides this machine's own.
    token_file: where the first-run token is kept. video_fps: pictures per second of the live view, at most.
    trust_this_machine: a browser on this machine needs no token. Not where a proxy here passes on other people's requests.
    """

    enabled: bool = True
    host: str = "127.0.0.1"
    port: int = 8064
    hosts: tuple[str, ...] = ()
    token_file: str = "~/.config/pi-board/token"
    video_fps: float = 5.0
    trust_this_machine: bool = False

    def __post_init__(self) -> None:
        if not self.host.strip():
            raise InvalidSettingsError("host: expected an address like 127.0.0.1 or 0.0.0.0, got nothing")
        if not 1 <= self.port <= 65535:
            raise InvalidSettingsError(f"port: expected 1 to 65535, got {self.port}")
        if not 0 < self.video_fps <= 30:
            raise InvalidSettingsError(f"video_fps: expected above 0 to 30, got {self.video_fps}")

    @property
    def local_only(self) -> bool:
        return self.host in ("127.0.0.1", "::1", "localhost")
