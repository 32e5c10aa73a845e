"""The pages and the files they load, read once at start. Head and navigation are written once, in page_parts/frame.html."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import resources
from string import Template


@dataclass(frozen=True, slots=True)
class Page:
    """path: as asked for, without the leading slash. title: also its name in the navigation. target, skip: of the link
    that jumps over the head. players: only they are shown the way there. beside: right of the navigation. style: has a
    style sheet of its own besides the common one."""

    path: str
    title: str
    target: str
    skip: str
    players: bool = False
    beside: str = ""
    style: bool = False

    @property
    def file(self) -> str:
        return f"{self.path or 'live'}.html"


PAGES = (
    Page(
        "",
        "Live",
        "verdict",
        "Skip to the verdict",
        beside='<button id="full" type="button">Full screen</button>',
    ),
    Page("setup", "Set-up", "steps", "Skip to the steps", players=True, style=True),
    Page("history", "History", "sessions", "Skip to the sessions", style=True),
    Page("devices", "Devices", "devices", "Skip to the devices", players=True),
)
#: A page of its own make: transparent, laid over a stream.
OVERLAY = "overlay"


def _link(page: Page, here: Page) -> str:
    current = ' aria-current="page"' if page == here else ""
    # Hidden until the page knows that a player looks at it.
    players = ' class="actions" hidden' if page.players and page != here else ""
    return f'<a href="/{page.path}"{current}{players}>{page.title}</a>'


def pages() -> dict[str, bytes]:
    """File name -> whole page."""
    folder = resources.files("pi_board.web") / "page_parts"
    frame = Template((folder / "frame.html").read_text(encoding="utf-8"))
    found = {
        page.file: frame.substitute(
            title=page.title.lower(),
            style=f'<link rel="stylesheet" href="/static/{page.path}.css">\n' if page.style else "",
            script=page.file.replace(".html", ".js"),
            target=page.target,
            skip=page.skip,
            nav="".join(_link(other, page) for other in PAGES),
            beside=page.beside,
            content=(folder / page.file).read_text(encoding="utf-8"),
        ).encode()
        for page in PAGES
    }
    overlay = f"{OVERLAY}.html"
    return {**found, overlay: (folder / overlay).read_bytes()}


def static_files() -> dict[str, bytes]:
    """Name -> content of everything in static/."""
    folder = resources.files("pi_board.web") / "static"
    return {f.name: f.read_bytes() for f in folder.iterdir() if f.is_file()}
