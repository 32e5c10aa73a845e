"""`pi-board collect`: what `[record] collect = true` has kept of one's own evenings, and an archive of it for giving away."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from pi_board.commands.settings_arguments import add_config
from pi_board.errors import InvalidError, InvalidFileError
from pi_board.record.samples import Sample, export, samples
from pi_board.setup.settings import load_settings
from pi_board.terminal.diagram import text_diagram

HELP = "labelled pictures of your own evenings: list, show, give away"
#: What a person can answer when asked for a licence; the line that goes into the archive.
LICENCES = {
    "cc0": "CC0 1.0: I give these pictures to everybody for any use. https://creativecommons.org/publicdomain/zero/1.0/",
    "cc-by": "CC BY 4.0: any use, naming where they come from. https://creativecommons.org/licenses/by/4.0/",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_config(parser)
    parser.add_argument(
        "--folder", type=Path, help="samples lie here (default: `collected` in [record] folder)"
    )
    does = parser.add_subparsers(dest="does", required=True, metavar="list|show|export")
    listing = does.add_parser("list", help="how many there are, by evening")
    listing.add_argument("--json", action="store_true", help="one JSON document")
    showing = does.add_parser("show", help="what is known of one of them")
    showing.add_argument("name", help="as `list` names it, or the number of one (1 = oldest)")
    showing.add_argument("--json", action="store_true", help="one JSON document")
    giving = does.add_parser("export", help="an archive for giving away")
    giving.add_argument("-o", "--output", type=Path, required=True, help="a new .zip file")
    giving.add_argument(
        "--licence", help=f"{', '.join(LICENCES)}, or a line of your own; asked for when it is not given"
    )


def folder_of(args: argparse.Namespace) -> Path:
    if args.folder is not None:
        folder = Path(args.folder)
        if not folder.is_dir():
            raise InvalidFileError(f"{folder}: no such folder")
        return folder
    return Path(load_settings(args.config).record.folder).expanduser() / "collected"


def run(args: argparse.Namespace) -> int:
    folder = folder_of(args)
    found = samples(folder)
    if args.does == "list":
        return _list(found, folder, as_json=args.json)
    if not found:
        print(
            f"no samples in {folder}; `[record] collect = true` in the settings keeps some", file=sys.stderr
        )
        return 1
    if args.does == "show":
        return _show(_named(found, args.name), as_json=args.json)
    licence = _licence(args.licence)
    try:
        export(found, args.output, licence)
    except OSError as error:
        raise InvalidFileError(f"{args.output}: cannot be written ({error.strerror})") from None
    print(f"{args.output}: {len(found)} samples, {args.output.stat().st_size / 1e6:.1f} MB")
    return 0


def _list(found: list[Sample], folder: Path, *, as_json: bool) -> int:
    evenings = Counter(_evening(s) for s in found)
    sizes: Counter[str] = Counter()
    for sample in found:
        sizes[_evening(sample)] += sample.size
    if as_json:
        document = {
            "folder": str(folder),
            "samples": len(found),
            "bytes": sum(sizes.values()),
            "evenings": [
                {"session": e, "samples": n, "bytes": sizes[e]} for e, n in sorted(evenings.items())
            ],
            "names": [s.path.stem for s in found],
        }
        print(json.dumps(document))
        return 0
    print(f"{'evening':<26} {'samples':>7} {'MB':>7}")
    for evening, count in sorted(evenings.items()):
        print(f"{evening:<26} {count:>7} {sizes[evening] / 1e6:>7.1f}")
    print(f"{folder}: {len(found)} samples, {sum(sizes.values()) / 1e6:.1f} MB")
    return 0


def _evening(sample: Sample) -> str:
    return sample.path.stem.rpartition("-")[0]


def _named(found: list[Sample], name: str) -> Sample:
    if name.isascii() and name.isdigit() and 1 <= int(name) <= len(found):
        return found[int(name) - 1]
    for sample in found:
        if sample.path.stem == name.removesuffix(".jpg").removesuffix(".json"):
            return sample
    raise InvalidError(f"{name}: expected 1 to {len(found)}, or a name like {found[-1].path.stem}")


def _show(sample: Sample, *, as_json: bool) -> int:
    if as_json:
        shown: dict[str, Any] = {"name": sample.path.stem, "picture": str(sample.path), **sample.document}
        print(json.dumps(shown))
        return 0
    facts = sample.document
    dice = " ".join(str(d["value"]) for d in facts["dice"]) or "none in view"
    print("\n".join(text_diagram(sample.position, near=facts["near"], home=facts["home"])))
    print(f"{sample.path}  {facts['size'][0]}×{facts['size'][1]}")
    print(
        f"{facts['date']}  {facts['profile']}, {facts['near']} near, home {facts['home']}, {facts['rules']}; dice {dice}"
    )
    return 0


def _licence(given: str | None) -> str:
    """The line for the archive; nobody's pictures are given away without one."""
    if given is None:
        if not sys.stdin.isatty():
            raise InvalidError(f"--licence: expected {', '.join(LICENCES)}, or a line of your own")
        for word, line in LICENCES.items():
            print(f"  {word:<6} {line}")
        given = input("Under which licence do you give these pictures away? ")
    line = LICENCES.get(given.strip().lower(), given.strip())
    if not line:
        raise InvalidError(f"--licence: expected {', '.join(LICENCES)}, or a line of your own, got nothing")
    return line
