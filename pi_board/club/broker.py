"""The club's broker: Mosquitto's configuration with a certificate of its own, users and access lists, and the systemd unit.

Mosquitto and OpenSSL do the work; this file writes what they read. Nothing here starts anything.
"""

from __future__ import annotations

import ipaddress
import os
import pwd
import secrets
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pi_board.club.options import NAME
from pi_board.club.topics import access_list
from pi_board.errors import DeviceError, InvalidError

#: Days that the club's own certificates hold: a club's Pi is set up once.
DAYS = 3650
#: Users that are no boards.
RESERVED = ("hub", "home")


@dataclass(frozen=True, slots=True)
class BrokerFiles:
    """Everything of one club in one folder, readable by its owner only."""

    folder: Path

    @property
    def configuration(self) -> Path:
        return self.folder / "mosquitto.conf"

    @property
    def authority(self) -> Path:
        """The club's certificate: the one file that every board gets."""
        return self.folder / "ca.crt"

    @property
    def passwords(self) -> Path:
        return self.folder / "passwords"

    def password_file(self, user: str) -> Path:
        return self.folder / f"{user}.password"


def _run(*command: str, given: str = "") -> None:
    if shutil.which(command[0]) is None:
        package = "mosquitto" if command[0].startswith("mosquitto") else command[0]
        raise DeviceError(f"club: {command[0]} is missing; install it with: sudo apt install {package}")
    done = subprocess.run(command, input=given, capture_output=True, text=True, check=False)
    if done.returncode:
        said = (done.stderr or done.stdout).strip().splitlines()
        raise DeviceError(f"club: {command[0]} failed ({said[-1] if said else done.returncode})")


def mosquitto() -> str:
    """The broker's program, which Debian keeps where users have no path to. Raises DeviceError when it is missing."""
    program = shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin:/usr/bin")
    if program is None:
        raise DeviceError("club: mosquitto is missing; install it with: sudo apt install mosquitto")
    return program


def set_up(
    folder: Path, host: str, boards: Sequence[str], *, port: int = 8883, log: str = "stderr"
) -> BrokerFiles:
    """Writes or completes the broker's files; what is there is kept, so that boards keep their passwords.

    host: the name or address under which boards reach this machine. Raises InvalidError for a name that cannot be one,
    DeviceError when Mosquitto or OpenSSL is missing.
    """
    for board in boards:
        if not NAME.fullmatch(board) or board in RESERVED:
            raise InvalidError(
                f"board: expected 1 to 31 of a-z, 0-9 and -, not {' or '.join(RESERVED)}, got {board!r}"
            )
    files = BrokerFiles(folder.expanduser().resolve())
    try:
        files.folder.mkdir(parents=True, exist_ok=True)
        files.folder.chmod(0o700)
        (files.folder / "data").mkdir(exist_ok=True)
        _certificates(files, host)
        for user in ("hub", "home", *boards):
            add_user(files, user)
        (files.folder / "access").write_text(access_list())
        (files.folder / "access").chmod(0o600)
        files.configuration.write_text(_configuration(files, port, log))
    except OSError as error:
        if isinstance(error, DeviceError):
            raise
        raise DeviceError(f"{files.folder}: cannot be written ({error.strerror})") from None
    return files


def add_user(files: BrokerFiles, user: str) -> None:
    """A user with a password of its own, kept for who sets up that board; one who is there keeps his."""
    secret = files.password_file(user)
    if secret.exists():
        return
    word = secrets.token_urlsafe(18)
    if not files.passwords.exists():
        files.passwords.touch(mode=0o600)
    _run("mosquitto_passwd", "-b", str(files.passwords), user, word)
    with os.fdopen(os.open(secret, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(word + "\n")


def remove_user(files: BrokerFiles, user: str) -> None:
    """That board comes in no more, once the broker has read its files again."""
    _run("mosquitto_passwd", "-D", str(files.passwords), user)
    files.password_file(user).unlink(missing_ok=True)


def _certificates(files: BrokerFiles, host: str) -> None:
    """An authority for this club, and the broker's certificate for `host` signed by it."""
    ca_key, ca = files.folder / "ca.key", files.authority
    key, request, signed = (files.folder / f"broker.{kind}" for kind in ("key", "csr", "crt"))
    curve = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
    if not ca.exists():
        usage = ("-addext", "keyUsage=critical,keyCertSign,cRLSign")
        subject = ("-subj", "/CN=pi_board club")
        _run(
            "openssl", "req", "-x509", *curve, "-days", str(DAYS), *usage, *subject,
            "-keyout", str(ca_key), "-out", str(ca),
        )  # fmt: skip
    try:
        name = f"IP:{ipaddress.ip_address(host)}"
    except ValueError:
        name = f"DNS:{host}"
    names = f"subjectAltName={','.join(dict.fromkeys((name, 'DNS:localhost', 'IP:127.0.0.1')))}"
    made_for = files.folder / "broker.names"
    if not signed.exists() or not made_for.exists() or made_for.read_text() != names:
        _run(
            "openssl", "req", "-new", *curve, "-subj", f"/CN={host[:60]}", "-addext", names,
            "-keyout", str(key), "-out", str(request),
        )  # fmt: skip
        extensions = files.folder / "broker.ext"
        extensions.write_text(names + "\n")
        _run(
            "openssl", "x509", "-req", "-in", str(request), "-CA", str(ca), "-CAkey", str(ca_key), "-CAcreateserial",
            "-days", str(DAYS), "-extfile", str(extensions), "-out", str(signed),
        )  # fmt: skip
        made_for.write_text(names)
    for secret in (ca_key, key):
        secret.chmod(0o600)


def _configuration(files: BrokerFiles, port: int, log: str) -> str:
    f = files.folder
    return f"""# Written by `pi-board club up`; changes here are overwritten by the next one.
per_listener_settings false
# Where root starts it: Mosquitto lays down root's rights, and these files are nobody else's to read.
user {pwd.getpwuid(os.getuid()).pw_name}
allow_anonymous false
password_file {files.passwords}
acl_file {f}/access
# The hub's messages survive the broker: on disk, and as many as a busy evening has.
persistence true
persistence_location {f}/data/
autosave_interval 60
max_queued_messages 200000
max_queued_bytes 200000000
max_inflight_messages 200
max_packet_size 4000000
log_dest {log}
log_type error
log_type warning

listener {port}
certfile {f}/broker.crt
keyfile {f}/broker.key
tls_version tlsv1.2
# A board's connection is its own: nobody takes it over by calling himself so.
use_username_as_clientid true
"""


def service_unit(files: BrokerFiles, user: str, program: str) -> str:
    """A systemd unit that runs broker and hub, closed in as the board's own is."""
    return f"""# Written by `pi-board club up`.
[Unit]
Description=pi_board club: broker and hub
After=network-online.target
Wants=network-online.target

[Service]
ExecStart={program} club serve --folder {files.folder}
User={user}
Restart=always
RestartSec=5
UMask=0077
ReadWritePaths={files.folder}
NoNewPrivileges=yes
CapabilityBoundingSet=
ProtectSystem=strict
ProtectHome=read-only
PrivateTmp=yes
PrivateDevices=yes
ProtectClock=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6

[Install]
WantedBy=multi-user.target
"""
