"""Every message in every language on every display: nothing is cut, nothing lies on anything else, nothing runs off the edge."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace

import pytest
from PIL import Image

from pi_board.output import CoachNote, Hint, HintLine
from pi_board.panel.canvas import DisplayCanvas
from pi_board.panel.display import SIZES
from pi_board.panel.language import LANGUAGES, Language, load_language
from pi_board.panel.screens import PAGES, Showing, advice, faces, lay_out, verdict
from pi_board.panel.strip import text_pages
from pi_board.referee.messages import sentence
from pi_board.rules import RULE_SETS, STARTING_POSITION
from pi_board.rules.verdict import CODES
from pi_board.table import Phase, TableView, VerdictColour
from tests.panel.scenes import ILLEGAL, PUT_BACK, SCENES, VIEW

#: Names as people have them, the longest that are shown whole, and longer ones.
NAMES = (
    ("Light", "Dark"),
    ("Wilhelmina", "Bartholomew"),
    ("Maximiliane-Wilhelmine", "Bartholomew Featherstone"),
)
#: The widest things that a game can have.
FULL = replace(VIEW, pips=(167, 167), score=(24, 23), match_length=25, cube=64, cube_owner="dark", game=47)
ARGS = {
    "side": "dark", "other": "light", "dice": [6, 6], "light": 24, "dark": 23, "points": 64, "kind": "backgammon",
    "play": "bar/18* 24/18(2) 13/7*", "value": 64, "count": 2, "code": "",
    "changes": [{"side": "dark", "from": 19, "to": 24}],
}  # fmt: skip
ONE_CHANGE = {
    "checker_missing": [{"side": "dark", "from": None, "to": 17}],
    "checker_added": [{"side": "dark", "from": 17, "to": None}],
}
#: Longer reasons than the referee gives for a doubt; only English shows them.
REASONS = {
    "unclear_dice": "5-5 may be 5-6.",
    "unclear_side": "I can't tell who rolled.",
    "unclear_cube": "The cube can't be read.",
    "cube_differs": "The cube should be at 2 (center), but lies at 4 (dark).",
    "refused_cube": "Dark does not own the cube.",
}


def said(code: str, names: tuple[str, str]) -> TableView:
    """The view in which the referee says `code`."""
    amber = code.startswith(
        (
            "dice_",
            "unclear_",
            "doubt_",
            "view_",
            "put_back",
            "checker_",
            "board_moved",
            "abandon",
            "cube_differs",
        )
    )
    phase = {
        "waiting": Phase.WAITING, "opening": Phase.OPENING, "opening_tie": Phase.OPENING, "to_roll": Phase.ROLL, "stands": Phase.ROLL,
        "resumed": Phase.ROLL, "played": Phase.PLAYED, "corrected": Phase.PLAYED, "doubled": Phase.DOUBLED, "resigned": Phase.RESIGNED,
        "notice_not_start": Phase.WAITING, "notice_seating": Phase.WAITING, "set_up_wrong": Phase.OVER, "notice_crawford": Phase.OPENING,
        "notice_post_crawford": Phase.OPENING, "challenge_wait": Phase.ROLL, "challenge_legal": Phase.ROLL,
        "notice_joined": Phase.ROLL, "notice_dice_unread": Phase.OPENING, "game_won": Phase.OVER, "match_won": Phase.OVER, "paused": Phase.PAUSED,
    }.get(code, Phase.PLAY)  # fmt: skip
    args = ARGS | {"reason": REASONS.get(code, "")}
    if code in ONE_CHANGE:
        args["changes"] = ONE_CHANGE[code]
    elif code == "set_up_wrong":
        args["changes"] = ARGS["changes"]
    elif code != "put_back":
        args.pop("count")
        args["changes"] = []
    view = replace(
        FULL, phase=phase, names=names, message_code=code, message_args=args, message=sentence(code, args, names),
        verdict=VerdictColour.AMBER if amber else VerdictColour.GREEN if phase is Phase.PLAYED else VerdictColour.NONE,
        question=code if code in ("abandon_game", "cube_differs") or code.startswith(("ask_", "out_of_time")) else "",
        view_blocked=code[5:] if code.startswith("view_") else "",
        dice=(6, 6) if phase in (Phase.PLAY, Phase.PLAYED) else None,
        side=None if code in ("to_play_unknown", "waiting", "opening", "opening_tie", "paused") else "dark",
        play=ARGS["play"] if phase is Phase.PLAYED else "",
    )  # fmt: skip
    if code in ("put_back", "checker_missing", "checker_added", "unclear_position"):
        view = replace(view, expected=STARTING_POSITION, seen=PUT_BACK.seen if code == "put_back" else None)
    return view


def wrong(code: str, names: tuple[str, str], play: str) -> TableView:
    args = ILLEGAL.message_args | {"code": code, "nearest": [play]}
    return replace(ILLEGAL, names=names, message_args=args, score=(24, 23), match_length=25)


def showings(language: Language, names: tuple[str, str]) -> Iterator[tuple[str, Showing]]:
    """Everything that can be on the display; with other names only what shows them."""
    for code in language.messages:
        if code != "illegal":
            yield code, Showing(said(code, names))
    full = replace(FULL, names=names)
    for page in (1, 2):
        yield f"page {PAGES[page]}", Showing(full, page=page, page_until=9.0)
    if names != NAMES[0]:
        return
    for name, scene in SCENES.items():
        yield f"scene {name}", scene
    for code, play in itertools.product(CODES, ("8/5 6/5", "bar/18* 24/18(2) 13/7*")):
        yield f"illegal {code} {play}", Showing(wrong(code, names, play))
    for side, fault in itertools.product(("light", "dark"), ("", "camera", "record", "other")):
        yield f"turn {side} {fault}", Showing(replace(full, side=side, dice=(6, 6)), fault=fault)
        yield f"set up {fault}", Showing(said("waiting", names), fault=fault)
        yield f"no camera {fault}", Showing(said("view_no_camera", names), fault=fault)
        yield f"won {fault}", Showing(said("game_won", names), fault=fault)
    for rules in RULE_SETS:
        yield f"rules {rules}", Showing(replace(said("opening", names), rules=rules, crawford_game=True))
    for cube in ("no double", "double, take", "double, pass", "too good"):
        yield f"cube {cube}", Showing(full, hint=Hint("dark", None, (), cube), hint_until=9.0)
    lines = tuple(
        HintLine(p, -1.234, 0.499, moves=((25, 18), (24, 18)))
        for p in ("bar/18* 24/18(2) 13/7*", "13/7*(2) 8/2(2)", "24/12")
    )
    hint = Hint("dark", (6, 6), lines)
    yield "hint", Showing(full, hint=hint, hint_on=STARTING_POSITION, hint_until=9.0)
    for grade in ("doubtful", "error", "blunder"):
        note = CoachNote("dark", "bar/18* 24/18(2) 13/7*", "bar/18* 13/7*(2) 8/2", 1.234, grade)
        yield f"coach {grade}", Showing(full, coach=note, coach_until=9.0)
    for page, length in itertools.product(range(1, len(PAGES)), (0, 25)):
        shown = replace(full, match_length=length, crawford_game=bool(length))
        yield (
            f"page {PAGES[page]} {length}",
            Showing(
                shown, page=page, page_until=9.0, address="http://192.168.178.142:8064/P/MFRGGZDFMZTWQ2LK"
            ),
        )
    yield "no page", Showing(full, page=3, page_until=9.0)


def faults_of(c: DisplayCanvas) -> list[str]:
    found = [f"cut: {p.what}" for p in c.placed if p.cut]
    for p in c.placed:
        left, top, right, bottom = p.box
        if left < 0 or top < 0 or right > c.width + 1 or bottom > c.height + 1:
            found.append(f"off the edge: {p.what} {p.box} of {c.width}×{c.height}")
    for a, b in itertools.combinations((p for p in c.placed if not p.over), 2):
        if max(a.box[0], b.box[0]) < min(a.box[2], b.box[2]) and max(a.box[1], b.box[1]) < min(
            a.box[3], b.box[3]
        ):
            found.append(f"overlap: {a.what} {a.box}, {b.what} {b.box}")
    return found


@pytest.fixture
def no_boards(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is on a drawn board is not asked here, only the room that it takes."""
    for screen in (advice, verdict):
        monkeypatch.setattr(
            screen,
            "draw_board",
            lambda position, ways, size, seat, **more: Image.new("RGB", (size.width, size.height)),
        )


@pytest.mark.usefixtures("no_boards")
@pytest.mark.parametrize("size", sorted(set(SIZES.values())))
@pytest.mark.parametrize("code", LANGUAGES)
def test_everything_has_its_place(code: str, size: tuple[int, int]) -> None:
    language, found = load_language(code), []
    for names in NAMES:
        for what, showing in showings(language, names):
            for turned in range(len(faces(showing, roomy=size[1] > 100))):
                c = lay_out(replace(showing, turned=turned), language, size, colour=size[1] > 100)
                found += [f"{what}/{turned} {names[1]}: {fault}" for fault in faults_of(c)]
    assert found == []


def test_it_would_be_noticed() -> None:
    """A text that is too long, one that lies on another and one beyond the edge."""
    c = DisplayCanvas((128, 64), colour=False)
    c.text(0, 0, "A line of more than twenty-one letters")
    c.text(3, 4, "on it")
    c.text(0, 60, "below")
    assert [f.split(":")[0] for f in faults_of(c)] == ["cut", "off the edge", "overlap"]
    c = DisplayCanvas((240, 240), colour=True)
    c.paragraph(0, "word " * 200)
    c.paragraph(200, "Donaudampfschifffahrtsgesellschaftskapitän")
    assert {f.split(":")[0] for f in faults_of(c)} >= {"cut"}


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize(("columns", "rows"), [(20, 4), (16, 2), (16, 1), (40, 8), (8, 1)])
def test_the_text_display_says_all_of_it(code: str, columns: int, rows: int) -> None:
    language = load_language(code)
    for what, showing in showings(language, NAMES[0]):
        pages = text_pages(showing, language, columns, rows)
        assert all(len(page) <= rows and len(line) <= columns for page in pages for line in page), what
        if showing.hint is None and showing.solitaire is None and columns >= 16:
            # A word longer than a line is broken there.
            words = "".join(line for page in pages for line in page).replace(" ", "")
            assert words.startswith(language.sentence(showing.view).replace(" ", "")), what
