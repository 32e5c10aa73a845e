"""The machine's time zone by name."""

from __future__ import annotations

import os
from pathlib import Path


def time_zone(root: Path = Path("/")) -> str:
    """The IANA name ("Europe/Berlin") of the zone that is set, "" when none is."""
    named = os.environ.get("TZ", "").lstrip(":")
    if "/" in named and not named.startswith("/"):
        return named
    try:
        text = (root / "etc/timezone").read_text(encoding="ascii").strip()
        if text:
            return text
    except (OSError, UnicodeDecodeError):
        # Newer systems keep a link only.
        text = ""
    try:
        return str((root / "etc/localtime").readlink()).partition("zoneinfo/")[2]
    except OSError:
        return text
