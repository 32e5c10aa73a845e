"""The set-up: a rendered board is found, drawn, judged, compared with the starting position and kept."""

from __future__ import annotations

import os
import stat
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest

from pi_board.camera.simulated import SimulatedCamera
from pi_board.errors import AmbiguousError, DeviceError, InvalidError, InvalidSettingsError
from pi_board.session.finding_reader import FindingReader
from pi_board.setup.desk import SetupDesk
from pi_board.setup.picture_checks import blur_of, picture_checks
from pi_board.setup.settings import Settings, load_settings
from pi_board.setup.settings_file import change_settings, changed_text
from pi_board.simulator import SimulatorOptions
from pi_board.table import Phase, TableView
from pi_board.vision.profile import load_profile


@pytest.fixture(scope="module")
def picture() -> np.ndarray:
    """The starting position on the travel set."""
    frame = SimulatedCamera(SimulatorOptions(seed=5)).read()
    assert frame is not None
    return frame.image


class Program:
    """A running program as far as the desk knows it; what is submitted is done at once."""

    def __init__(self) -> None:
        reader = FindingReader(load_profile("jumbo-travel"))
        self.sitting: Any = SimpleNamespace(
            reader=reader,
            pipeline=SimpleNamespace(reader=reader),
            referee=SimpleNamespace(view=lambda: TableView()),
            match_play=SimpleNamespace(options=None, clock_options=None),
        )
        self.asked: list[Any] = []

    def submit(self, request: Any) -> bool:
        if callable(request):
            request()
        else:
            self.asked.append(request)
        return True


class Pictures:
    def __init__(self, image: Any) -> None:
        self.now, self.extra = image, {}

    def image(self) -> Any:
        return self.now


@pytest.fixture(scope="module")
def found(picture: np.ndarray) -> Any:
    """A desk that has found the board (the long part)."""
    desk = SetupDesk(Settings(), Program(), Pictures(picture))
    desk.act("find", {"profile": "jumbo-travel"})
    return desk


def desk_like(found: SetupDesk, picture: Any, settings: Settings | None = None) -> tuple[SetupDesk, Program]:
    program = Program()
    desk = SetupDesk(settings or Settings(), program, Pictures(picture))
    desk._draft = found._draft
    return desk, program


def test_the_fit_is_drawn_from_the_servers_geometry(found: SetupDesk) -> None:
    fit = found.document()["found"]
    assert len(fit["axes"]) == 24 and len(fit["numbers"]) == 24 and len(fit["rings"]) == 30
    corners = np.array(fit["corners"])
    for points in [*fit["axes"], [n["at"] for n in fit["numbers"]]]:
        x, y = np.array(points).T
        assert (x > corners[:, 0].min() - 40).all() and (x < corners[:, 0].max() + 40).all()
        assert (y > corners[:, 1].min() - 60).all() and (y < corners[:, 1].max() + 60).all()
    # The far right corner is 24 when light sits near and bears off to the right.
    at = {n["point"]: n["at"] for n in fit["numbers"]}
    assert at[24][0] > at[13][0] and at[24][1] < at[1][1] and at[1][0] > at[12][0]


def test_who_sits_where_is_seen_or_said(found: SetupDesk, picture: np.ndarray) -> None:
    desk, _ = desk_like(found, picture)
    seen = desk.act("find", {"profile": "jumbo-travel", "near": "dark", "home": "left"})["seating"]
    assert (seen["near"], seen["home"], seen["known"]) == ("light", "right", True)
    said = desk.act("find", {"profile": "jumbo-travel", "near": "dark", "home": "left", "seated": True})[
        "seating"
    ]
    assert (said["near"], said["home"], said["known"]) == ("dark", "left", True)


def test_rings_lie_on_checkers(found: SetupDesk, picture: np.ndarray) -> None:
    """Inside light's rings the picture is lighter than inside dark's: a wrong fit would be seen."""
    means: dict[str, list[float]] = {"light": [], "dark": []}
    gray = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    for ring in found.document()["found"]["rings"]:
        x, y = np.mean(ring["ring"], axis=0)
        means[ring["side"]].append(float(gray[int(y) - 3 : int(y) + 4, int(x) - 3 : int(x) + 4].mean()))
    assert min(means["light"]) > max(means["dark"]) + 30


def test_handles_move_the_fit(found: SetupDesk, picture: np.ndarray) -> None:
    desk, _ = desk_like(found, picture)
    fit = desk.document()["found"]
    corners = [[x + 4, y] for x, y in fit["corners"]]
    bar = [[x + 4, y] for x, y in fit["bar_edges"]]
    moved = desk.act("fit", {"corners": corners, "bar_edges": bar})["found"]
    assert (
        np.allclose(moved["corners"], corners)
        and np.allclose(moved["bar_edges"], bar)
        and moved["how"] == "corners"
    )
    for now, then in zip(moved["axes"], fit["axes"], strict=True):
        assert np.allclose(np.array(now[0]) - np.array(then[0]), [4, 0], atol=1.5)


def test_a_generic_board_takes_its_bar_from_the_handles(found: SetupDesk, picture: np.ndarray) -> None:
    desk, _ = desk_like(found, picture)
    fit = desk.document()["found"]
    left, right = np.array(fit["bar_edges"])[[0, 3]], np.array(fit["bar_edges"])[[1, 2]]
    wide = [[x - 15, y] for x, y in left], [[x + 15, y] for x, y in right]
    bar = [wide[0][0], wide[1][0], wide[1][1], wide[0][1]]
    desk.act("fit", {"profile": "generic", "corners": fit["corners"], "bar_edges": bar})
    share = desk._draft.profile.bar_width / desk._draft.profile.field_width  # type: ignore[union-attr]
    across = (wide[1][0][0] - wide[0][0][0]) / (fit["corners"][1][0] - fit["corners"][0][0])
    assert share == pytest.approx(across, rel=0.15)


def test_starting_position_ticks_and_colours(found: SetupDesk, picture: np.ndarray) -> None:
    desk, program = desk_like(found, picture)
    answer = desk.act("start", {})
    assert answer["good"] == 24 and len(answer["ticks"]) == 24 and not answer["learned"]
    assert program.sitting.pipeline.reader is program.sitting.reader
    from pi_board.frame import Frame

    for i in range(8):
        program.sitting.reader.look(Frame(picture, i / 5, i))
    assert desk.act("start", {})["learned"]


def test_a_missing_checker_has_no_tick(found: SetupDesk, picture: np.ndarray) -> None:
    desk, _ = desk_like(found, picture)
    ring = next(
        r for r in reversed(desk.document()["found"]["rings"]) if r["side"] == "light"
    )  # outermost on 24
    x, y = np.mean(ring["ring"], axis=0).astype(int)
    radius = int(np.ptp(np.array(ring["ring"])[:, 0]) / 2) + 6
    # The bare point of the same colour, two further on, is laid over the checker, its side and its shadow.
    geometry = found._draft.geometry()  # type: ignore[union-attr]
    columns = geometry.project(np.array([[geometry.column_x(c), 6.0, 0.0] for c in (9, 11)]))
    shift = round(float(columns[1][0] - columns[0][0]))
    changed = picture.copy()
    rows, across = slice(y - radius + 8, y + radius + 6), slice(x - radius, x + radius)
    changed[rows, across] = picture[rows, x - radius - shift : x + radius - shift]
    desk._pictures.now = changed  # type: ignore[attr-defined]
    wrong = [t["point"] for t in desk.act("start", {})["ticks"] if not t["good"]]
    assert wrong == [24]


def test_advice(found: SetupDesk, picture: np.ndarray) -> None:
    geometry = found._draft.geometry()  # type: ignore[union-attr]

    def bad(image: Any, geometry: Any = geometry) -> set[str]:
        return {c.name for c in picture_checks(image, geometry) if not c.good}

    assert bad(picture) == set()
    assert "light" in bad((picture * 0.25).astype(np.uint8))
    assert "light" in bad(np.clip(picture.astype(float) * 0.3 + 190, 0, 255).astype(np.uint8))
    assert "focus" in bad(cv2.GaussianBlur(picture, (0, 0), 5))
    glare = picture.copy()
    middle = geometry.corners.mean(axis=0)
    cv2.ellipse(glare, (int(middle[0]), int(middle[1])), (130, 70), 0, 0, 360, (255, 255, 255), -1)
    assert "reflections" in bad(glare)
    shade = np.linspace(0.0, 1.5, picture.shape[1])[None, :, None]
    assert "evenness" in bad(np.clip(picture * shade, 0, 255).astype(np.uint8))
    outside = geometry.corners - [geometry.corners[0, 0] + 30, 0]
    assert "view" in bad(picture, geometry.with_corners(outside))
    assert "size" in bad(picture, geometry.with_corners(middle + (geometry.corners - middle) * 0.3))


def test_blur_grows() -> None:
    rng = np.random.default_rng(1)
    image = (rng.random((200, 200)) * 255).astype(np.uint8)
    values = [blur_of(image)] + [blur_of(cv2.GaussianBlur(image, (0, 0), s)) for s in (1.0, 2.0, 4.0)]
    assert values == sorted(values) and values[0] < 0.3 < 0.5 < values[-1]


def test_dice_rest_the_game(found: SetupDesk, picture: np.ndarray, tmp_path: Path) -> None:
    desk, program = desk_like(found, picture, Settings(path=tmp_path / "s.toml"))
    desk.act("dice", {})
    desk.act("dice", {})
    assert [r.type for r in program.asked] == ["pause"]
    desk.act("save", {"rules": "international"})
    assert [r.type for r in program.asked] == ["pause", "continue"]


def test_a_dice_step_that_is_left_lets_the_game_go_on(
    found: SetupDesk, picture: np.ndarray, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk, program = desk_like(found, picture, Settings(path=tmp_path / "s.toml"))
    desk.act("dice", {})
    desk.act("leave", {})
    desk.act("leave", {})
    assert [r.type for r in program.asked] == ["pause", "continue"]
    # A phone that was put away says nothing.
    monkeypatch.setattr("pi_board.setup.desk.FORGOTTEN", 0.05)
    desk.act("dice", {})
    # None: on a busy machine it may be through by now.
    if (watcher := desk._watcher) is not None:
        watcher.join(60)
    assert [r.type for r in program.asked] == ["pause", "continue"] * 2


def test_a_pause_of_the_players_is_theirs_to_end(
    found: SetupDesk, picture: np.ndarray, tmp_path: Path
) -> None:
    desk, program = desk_like(found, picture, Settings(path=tmp_path / "s.toml"))
    program.sitting.referee.view = lambda: TableView(phase=Phase.PAUSED)
    desk.act("dice", {})
    desk.act("leave", {})
    assert program.asked == []


def test_what_the_referees_reader_finds_later_is_not_taken_back(
    found: SetupDesk, picture: np.ndarray
) -> None:
    """It looks for the board again while it does not see the start; each poll of the page would else begin anew."""
    desk, program = desk_like(found, picture)
    desk.act("start", {})
    reader = program.sitting.reader
    reader.registration, reader.near = replace(reader.registration, confidence=0.5), "dark"
    desk.act("start", {})
    assert program.sitting.reader is reader
    corners = desk.document()["found"]["corners"]
    desk.act("fit", {"profile": "jumbo-travel", "corners": corners, "near": "dark", "home": "left"})
    desk.act("start", {})
    assert program.sitting.reader is not reader, "what a person says counts"


def test_saved_and_kept_over_a_restart(found: SetupDesk, picture: np.ndarray, tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(
        '# my board\n[board]\nprofile = "generic"  # the set\n\n[camera]\nbackend = "opencv" # webcam\n'
    )
    desk, program = desk_like(found, picture, load_settings(file))
    game = {"rules": "schmidt", "match_length": 5, "light_name": 'Zoë "Z"', "dark_name": "Bo"}
    agreed = {"mode": "responsible", "clock": "delay"}
    answer = desk.act("save", {"profile": "jumbo-travel", "near": "dark", "home": "left", **game, **agreed})
    assert answer["new_match"] and [r.type for r in program.asked] == ["new_match"]
    again = load_settings(file)
    assert (again.board.profile, again.board.near, again.board.home, again.board.corners) == (
        "jumbo-travel",
        "dark",
        "left",
        "",
    )
    assert (again.game.rules, again.game.match_length, again.game.light_name) == ("schmidt", 5, 'Zoë "Z"')
    assert (again.match.mode, again.clock.kind) == ("responsible", "delay")
    assert program.sitting.match_play.options.mode == "responsible", "the next match is played so"
    assert program.sitting.match_play.clock_options.kind == "delay"
    text = file.read_text()
    assert (
        "# my board" in text
        and 'profile = "jumbo-travel"  # the set' in text
        and 'backend = "opencv" # webcam' in text
    )
    # By hand: the corners are kept as well.
    fit = desk.document()["found"]
    desk.act("fit", {"corners": fit["corners"], "bar_edges": fit["bar_edges"]})
    desk.act("save", {})
    from pi_board.setup.corners import parse_corners

    kept = load_settings(file).board
    assert np.allclose(parse_corners(kept.corners), fit["corners"]) and np.allclose(
        parse_corners(kept.bar_edges), fit["bar_edges"]
    )


WRONG: list[tuple[str, dict[str, Any]]] = [
    ("rm", {}),
    ("find", {"profile": "/etc/passwd"}),
    ("find", {"profile": "../../x.toml"}),
    ("find", {"profile": "jumbo-solitaire"}),
    ("find", {"profile": 3}),
    ("find", {"near": "green"}),
    ("fit", {}),
    ("fit", {"corners": [[0, 0]] * 3}),
    ("fit", {"corners": [[0, 0]] * 4}),
    ("fit", {"corners": [[0, 0], [1e9, 0], [1, 1], [0, 1]]}),
    ("fit", {"corners": "0,0 1,0 1,1 0,1"}),
    ("fit", {"corners": [[100, 100], [500, 100], [500, 400], [100, 400]], "bar_edges": [[True, 1]] * 4}),
    ("fit", {"corners": [[100, 100], [500, 100], [500, 400], [100, 400]], "bar_edges": [[0, 0]] * 4}),
    ("save", {"rules": "house"}),
    ("save", {"match_length": 65}),
    ("save", {"mode": "strict"}),
    ("save", {"clock": "sand"}),
    ("save", {"match_length": True}),
    ("save", {"match_length": "5"}),
    ("save", {"light_name": "a\nb"}),
    ("save", {"light_name": ""}),
    ("save", {"dark_name": "x" * 41}),
    ("save", {"light_name": ["x"]}),
]


@pytest.mark.parametrize(("step", "body"), WRONG)
def test_wrong_steps_change_nothing(
    found: SetupDesk, picture: np.ndarray, tmp_path: Path, step: str, body: dict
) -> None:
    file = tmp_path / "settings.toml"
    file.write_text("[board]\n")
    desk, program = desk_like(found, picture, load_settings(file))
    with pytest.raises(InvalidError):
        desk.act(step, body)
    assert file.read_text() == "[board]\n" and not program.asked and list(tmp_path.iterdir()) == [file]
    assert desk.document()["game"]["light_name"] == "Light", "the desk goes on"


def test_without_a_picture_or_board(picture: np.ndarray) -> None:
    desk = SetupDesk(Settings(), Program(), Pictures(None))
    assert "camera" in desk.act("find", {})["refusal"]
    for step in ("check", "start", "dice"):
        with pytest.raises(AmbiguousError):
            desk.act(step, {})
    desk = SetupDesk(Settings(), Program(), Pictures(np.full((240, 320, 3), 80, np.uint8)))
    answer = desk.act("find", {})
    assert answer["found"] is None and "board" in answer["refusal"]
    assert desk.document()["found"] is None and desk.document()["picture"] == [320, 240]


def test_one_step_at_a_time(found: SetupDesk, picture: np.ndarray) -> None:
    desk, _ = desk_like(found, picture)
    with desk._busy, pytest.raises(AmbiguousError, match="busy"):
        desk.act("check", {})
    assert desk.act("check", {})["checks"]


def test_a_second_phone_breaks_nothing(found: SetupDesk, picture: np.ndarray) -> None:
    desk, program = desk_like(found, picture)
    draft = desk._draft
    typed = {"light_name": "Anna", "match_length": 5}
    assert desk.act("hold", {"at": "Dice", "game": typed}, "a", "Chrome on Android")["mine"]
    desk.act("dice", {}, "a", "Chrome on Android")
    for step in ("find", "start", "dice", "save"):
        with pytest.raises(AmbiguousError, match="Chrome on Android has the set-up in hand"):
            desk.act(step, {}, "b", "Safari on iPhone")
    # Its leaving is no leaving of the first one's.
    desk.act("leave", {}, "b", "Safari on iPhone")
    desk.act("leave", {"gone": True}, "b", "Safari on iPhone")
    assert desk._draft is draft and [r.type for r in program.asked] == ["pause"]
    told = desk.act("hold", {"at": "Game"}, "b", "Safari on iPhone")
    assert (told["mine"], told["holder"], told["progress"]["at"]) == (False, "Chrome on Android", "Dice")
    # It takes over, or waits until the first one is left: and goes on where that one was.
    told = desk.act("hold", {"take": True}, "b", "Safari on iPhone")
    assert told["mine"] and told["progress"]["at"] == "Dice" and told["progress"]["game"] == typed
    desk.act("leave", {"gone": True}, "b", "Safari on iPhone")
    assert [r.type for r in program.asked] == ["pause", "continue"]
    assert desk.act("hold", {}, "a", "Chrome on Android")["mine"]


def test_it_goes_on_where_it_was(found: SetupDesk, picture: np.ndarray, tmp_path: Path) -> None:
    desk, _ = desk_like(found, picture, Settings(path=tmp_path / "s.toml"))
    desk.act("hold", {"at": "Start", "game": {"dark_name": "Bo"}})
    desk.act("check", {})
    desk.act("start", {})
    desk.act("leave", {"gone": True})
    progress = desk.document()["progress"]
    assert progress == {"at": "Start", "game": {"dark_name": "Bo"}, "light": True, "start": 24, "throws": []}
    desk.act("save", {"dark_name": "Bo"})
    assert desk.document()["progress"]["at"] == "Game", "the next set-up begins at its beginning"


@pytest.mark.parametrize(
    "body",
    [{"at": "Nowhere"}, {"at": 3}, {"game": {"light_name": "x" * 41}}, {"game": {"match_length": "5"}}],
)
def test_nonsense_is_not_kept(found: SetupDesk, picture: np.ndarray, body: dict[str, Any]) -> None:
    desk, _ = desk_like(found, picture)
    with pytest.raises(InvalidError):
        desk.act("hold", body)
    assert desk.document()["progress"]["at"] == "Game" and desk.document()["progress"]["game"] == {}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", '[game]\nlight_name = "A"\n'),
        ("[game]\n", '[game]\nlight_name = "A"\n'),
        ("[game]\nlight_name='old' # who\n[web]\nport = 1\n", '[game]\nlight_name="A" # who\n[web]\nport = 1\n'),
        ("[web]\nport = 1\n", '[web]\nport = 1\n\n[game]\nlight_name = "A"\n'),
        ('[web]\n[game] # g\nrules = "jumbo"\n\n[board]\n', '[web]\n[game] # g\nrules = "jumbo"\nlight_name = "A"\n\n[board]\n'),
        ('[board]\nlight_name_x = "# no"\n[game]\n', '[board]\nlight_name_x = "# no"\n[game]\nlight_name = "A"\n'),
        ('[web]\nfrom = [\n  "[game]",\n]\n', '[web]\nfrom = [\n  "[game]",\n]\n\n[game]\nlight_name = "A"\n'),
        ('[game]\nlight_name = "say \\"#\\"" # who\n', '[game]\nlight_name = "A" # who\n'),
        ("game.light_name = 'B'\n", 'game.light_name = "A"\n'),
    ],
)  # fmt: skip
def test_only_the_named_keys_change(before: str, after: str) -> None:
    assert changed_text(before, {"game": {"light_name": "A"}}) == after


@pytest.mark.parametrize("text", ["game = 3\n", "[game\n"])
def test_a_file_that_cannot_be_changed_is_named(text: str) -> None:
    with pytest.raises(InvalidSettingsError, match="settings"):
        changed_text(text, {"game": {"light_name": "A"}})


def test_settings_are_replaced_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "deep" / "settings.toml"
    assert change_settings(file, {"game": {"match_length": 3}}).game.match_length == 3
    before = file.read_bytes()
    with pytest.raises(InvalidSettingsError):
        change_settings(file, {"game": {"match_length": 99}})

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(DeviceError, match="No space left"):
        change_settings(file, {"game": {"match_length": 5}})
    assert file.read_bytes() == before and [p.name for p in file.parent.iterdir()] == ["settings.toml"]


def test_settings_keep_their_permissions_and_the_file_that_a_link_points_to(tmp_path: Path) -> None:
    file, link = tmp_path / "real.toml", tmp_path / "settings.toml"
    file.write_text("[game]\n", encoding="utf-8")
    file.chmod(0o660)
    link.symlink_to(file)
    assert change_settings(link, {"game": {"match_length": 3}}).game.match_length == 3
    assert (
        link.is_symlink()
        and stat.S_IMODE(file.stat().st_mode) == 0o660
        and "match_length" in file.read_text()
    )
