"""The list that Raspberry Pi Imager reads, for one image: python systemd/image/imager_entry.py pi-board.img.xz --address URL > os_list.json"""

from __future__ import annotations

import argparse
import hashlib
import json
import lzma
import sys
import time
from pathlib import Path

DEVICES = ("pi5-64bit", "pi4-64bit", "pi3-64bit")


def entry(image: Path, address: str) -> dict[str, object]:
    """image: .img.xz. address: where Imager will fetch it."""
    packed = hashlib.sha256(image.read_bytes()).hexdigest()
    plain, size = hashlib.sha256(), 0
    with lzma.open(image) as file:
        while piece := file.read(1 << 20):
            plain.update(piece)
            size += len(piece)
    return {
        "name": "pi_board",
        "description": "Raspberry Pi OS Lite with the referee above a real backgammon board",
        "url": address,
        "icon": "",
        "extract_size": size,
        "extract_sha256": plain.hexdigest(),
        "image_download_size": image.stat().st_size,
        "image_download_sha256": packed,
        "release_date": time.strftime("%Y-%m-%d", time.gmtime(image.stat().st_mtime)),
        # Wi-Fi, user and ssh are set by Imager as in the official image: cloud-init since Trixie.
        "init_format": "cloudinit-rpi",
        "devices": list(DEVICES),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("image", type=Path)
    parser.add_argument("--address", required=True)
    parser.add_argument(
        "--init", choices=("cloudinit-rpi", "systemd"), default="cloudinit-rpi", help="systemd: Bookworm"
    )
    args = parser.parse_args()
    if not args.image.name.endswith(".img.xz") or not args.image.is_file():
        print(f"imager_entry.py: {args.image}: expected an .img.xz", file=sys.stderr)
        return 2
    document = {**entry(args.image, args.address), "init_format": args.init}
    json.dump({"os_list": [document]}, sys.stdout, indent=2)
    print()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
