"""`pi-board club`: a broker and a hub for many boards, and what a board needs to join."""

from __future__ import annotations

import argparse
import json
import os
import pwd
import shutil
import signal
import socket
import sys
from pathlib import Path

from pi_board.errors import DeviceError

HELP = "many boards: broker, hub and what a board needs to join"
FOLDER = Path("~/pi-board-club")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    commands = parser.add_subparsers(dest="what", required=True, metavar="up|serve")
    up = commands.add_parser(
        "up",
        help="write the broker's configuration, certificate, users and a systemd unit; again: add boards",
    )
    up.add_argument("boards", nargs="*", metavar="BOARD", help="names of boards (a-z, 0-9, -), e.g. table-1")
    up.add_argument(
        "--folder", type=Path, default=FOLDER, help=f"where all of it is kept (default: {FOLDER})"
    )
    up.add_argument(
        "--host", default="", help="name or address of this machine as boards know it (default: NAME.local)"
    )
    up.add_argument("--port", type=int, default=8883, help="of the broker (default: 8883)")
    up.add_argument(
        "--remove", action="append", default=[], metavar="BOARD", help="this board comes in no more"
    )
    up.add_argument("--json", action="store_true", help="print one JSON document")
    serve = commands.add_parser("serve", help="run broker, hub and the club's page until stopped")
    serve.add_argument("--folder", type=Path, default=FOLDER, help=f"of `club up` (default: {FOLDER})")
    serve.add_argument(
        "--archive",
        default="",
        metavar="DATABASE",
        help="a file, or postgresql+psycopg://… (default: club.db there)",
    )
    serve.add_argument("--broker", default="", metavar="URL", help="another broker than the folder's own")
    serve.add_argument(
        "--listen", default="0.0.0.0", metavar="ADDRESS", help="of the page (default: 0.0.0.0)"
    )
    serve.add_argument(
        "--page-port", type=int, default=8065, metavar="PORT", help="of the page (default: 8065)"
    )


def run(args: argparse.Namespace) -> int:
    return _up(args) if args.what == "up" else _serve(args)


def _up(args: argparse.Namespace) -> int:
    from pi_board.club.broker import remove_user, service_unit, set_up

    host = args.host or f"{socket.gethostname().split('.')[0]}.local"
    files = set_up(args.folder, host, args.boards, port=args.port)
    for board in args.remove:
        remove_user(files, board)
    program = shutil.which("pi-board") or f"{sys.executable} -m pi_board"
    unit = files.folder / "pi-board-club.service"
    unit.write_text(service_unit(files, pwd.getpwuid(os.getuid()).pw_name, program))
    broker = f"mqtts://{host}:{args.port}"
    boards = sorted(p.stem for p in files.folder.glob("*.password") if p.stem not in ("hub", "home"))
    if args.json:
        print(
            json.dumps({"folder": str(files.folder), "broker": broker, "boards": boards, "unit": str(unit)})
        )
        return 0
    print(
        f"The club's files are in {files.folder}; start it with: pi-board club serve --folder {files.folder}"
    )
    print(f"As a service: sudo systemctl enable --now {unit}")
    for board in boards:
        secret = files.password_file(board).read_text().strip()
        print(
            f"\nOn the board {board}: copy {files.authority} there and add to its settings:\n[club]\n"
            f'broker = "{broker}"\nboard = "{board}"\npassword = "{secret}"\nca = "/etc/pi-board/club.crt"'
        )
    if not boards:
        print("Name the boards to let them in: pi-board club up table-1 table-2")
    return 0


def _serve(args: argparse.Namespace) -> int:
    try:
        from pi_board.club.hub import Hub
    except ImportError as error:
        raise DeviceError(
            f"club: {error.name} is missing; install it with: pip install 'pi-board[club]'"
        ) from None
    from pi_board.web.server import local_address

    hub = Hub(args.folder, archive=args.archive, broker=args.broker, host=args.listen, port=args.page_port)
    where = f"http://{local_address()}:{args.page_port}"
    print(f"The director's page: {where}{hub.keeper.short_path}")
    print(f"For everybody:       {where}/enter?watch={hub.keeper.spectator_word}", flush=True)
    # Uvicorn ends on both signals by itself; only the exit must be an ordinary one.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    hub.run()
    return 0
