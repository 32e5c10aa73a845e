"""`BoardProfile`: what is known of a board before it is seen. TOML files in `calibration/boards`."""

from __future__ import annotations

import difflib
import tomllib
from dataclasses import MISSING, dataclass, fields, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

from pi_board.errors import InvalidSettingsError

Trays = Literal["none", "left", "right", "both"]


#: The largest checker that is believed, point widths; a larger one is taken for a typing error. Chosen by eye.
WIDEST_CHECKER = 1.15


@dataclass(frozen=True, slots=True)
class BoardProfile:
    """Sizes of a board and its checkers, in centimetres.

    field_width, field_height: the rectangle of the 24 points, bar included, trays excluded.
    bar_width: the strip in the middle that carries no points.
    point_length: length of one point (triangle) from the field's edge to its tip.
    checker_diameter, checker_height, die_size, cube_size: the checkers.
    rim_width, rim_height: the frame around the field; its height is above the field's surface.
    trays: at which ends of the field a compartment for checkers borne off lies inside the frame; tray_width its width.
    board_thickness: field surface above the table (markers lie on the table).
    near, home: as in `Orientation`, used where the command line and settings say nothing.
    light_name, dark_name: colour names for messages only; the picture decides which is which.
    measured: True when sizes were measured on this board; False for typical guesses, which are refined from
        the picture (`generic`).
    shaker: (x0, y0, x1, y1) in the board frame, an area beside the board where dice also count; empty = none.
    kind: "backgammon", or "solitaire" for the 37-hole board (field_width and field_height are then the
        distances between the outermost rows of holes plus one pitch; hole_pitch the distance of two holes).
    """

    name: str
    title: str = ""
    kind: Literal["backgammon", "solitaire"] = "backgammon"
    field_width: float = 38.0
    field_height: float = 31.0
    bar_width: float = 3.5
    point_length: float = 12.5
    checker_diameter: float = 2.7
    checker_height: float = 0.8
    die_size: float = 1.4
    cube_size: float = 1.8
    rim_width: float = 1.2
    rim_height: float = 0.8
    trays: Trays = "none"
    tray_width: float = 0.0
    board_thickness: float = 2.5
    hole_pitch: float = 0.0
    near: Literal["light", "dark"] = "light"
    home: Literal["right", "left"] = "right"
    light_name: str = "light"
    dark_name: str = "dark"
    measured: bool = True
    shaker: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        for key in (
            "field_width",
            "field_height",
            "checker_diameter",
            "checker_height",
            "die_size",
            "cube_size",
        ):
            _within(key, getattr(self, key), 0.1, 200.0)
        _within("bar_width", self.bar_width, 0.0, 0.4 * self.field_width)
        _within("point_length", self.point_length, 0.1 * self.field_height, 0.5 * self.field_height)
        for key in ("rim_width", "rim_height", "tray_width", "board_thickness", "hole_pitch"):
            _within(key, getattr(self, key), 0.0, 60.0)
        if self.kind == "backgammon" and self.checker_diameter > WIDEST_CHECKER * self.point_width:
            raise InvalidSettingsError(
                f"checker_diameter: expected at most {WIDEST_CHECKER * self.point_width:.2f} cm (a point is "
                f"{self.point_width:.2f} cm wide), got {self.checker_diameter}"
            )
        if self.kind == "solitaire" and self.hole_pitch <= 0:
            raise InvalidSettingsError(
                f"hole_pitch: expected above 0 for a solitaire board, got {self.hole_pitch}"
            )
        if len(self.shaker) not in (0, 4):
            raise InvalidSettingsError(
                f"shaker: expected four numbers x0, y0, x1, y1, got {len(self.shaker)}"
            )

    @property
    def point_width(self) -> float:
        """Width of one point's base, cm."""
        return (self.field_width - self.bar_width) / 12.0

    def with_sizes(self, **sizes: float) -> BoardProfile:
        """A copy with other sizes (refined from a picture). Raises InvalidSettingsError when they cannot be."""
        return replace(self, **sizes)  # type: ignore[arg-type]

    def scaled(self, field_width: float) -> BoardProfile:
        """The same proportions at another field width, cm."""
        factor = field_width / self.field_width
        return replace(
            self,
            **{key: getattr(self, key) * factor for key in _LENGTHS},
            shaker=tuple(v * factor for v in self.shaker),
        )


_LENGTHS = (
    "field_width",
    "field_height",
    "bar_width",
    "point_length",
    "checker_diameter",
    "checker_height",
    "die_size",
    "cube_size",
    "rim_width",
    "rim_height",
    "tray_width",
    "board_thickness",
    "hole_pitch",
)


def _within(key: str, value: float, low: float, high: float) -> None:
    if not low <= value <= high:
        raise InvalidSettingsError(f"{key}: expected {low:g} to {high:g} cm, got {value:g}")


def boards_folder() -> Path:
    """Where the shipped profiles lie: inside an installed package, else `calibration/boards` of the checkout."""
    package = Path(__file__).resolve().parent.parent
    installed = package / "_data" / "boards"
    return installed if installed.is_dir() else package.parent / "calibration" / "boards"


def profile_names() -> list[str]:
    """Names of the shipped profiles, sorted."""
    return sorted(path.stem for path in boards_folder().glob("*.toml"))


def load_profile(name_or_path: str | Path) -> BoardProfile:
    """A shipped profile by name, or any TOML file by path.

    Raises InvalidSettingsError with the file, the key and what was expected.
    """
    text = str(name_or_path)
    path = Path(text).expanduser()
    if path.suffix != ".toml" and "/" not in text and "\\" not in text:
        path = boards_folder() / f"{text}.toml"
        if not path.is_file():
            known = profile_names()
            close = difflib.get_close_matches(text, known, 1)
            hint = (
                f"did you mean {close[0]}?"
                if close
                else f"known: {', '.join(known)}, or the path of a .toml file"
            )
            raise InvalidSettingsError(f"profile: no board is named {text!r}; {hint}")
    return _load(path, path.stat().st_mtime_ns if path.is_file() else 0)


@lru_cache(maxsize=32)
def _load(path: Path, _changed: int) -> BoardProfile:
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InvalidSettingsError(f"{path}: no such board profile") from None
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidSettingsError(f"{path}: cannot be read as UTF-8 text ({error})") from None
    except tomllib.TOMLDecodeError as error:
        raise InvalidSettingsError(f"{path}: not valid TOML: {error}") from None
    return profile_from_document({"name": path.stem, **document}, str(path))


def profile_from_document(document: dict[str, Any], where: str = "profile") -> BoardProfile:
    """A profile from a parsed TOML table. Raises InvalidSettingsError naming `where`, key, value, expectation."""
    hints = get_type_hints(BoardProfile)
    known = {f.name: f for f in fields(BoardProfile)}
    values: dict[str, Any] = {}
    for key, value in document.items():
        if key not in known:
            close = difflib.get_close_matches(key, known, 1)
            hint = f"did you mean {close[0]}?" if close else f"known: {', '.join(known)}"
            raise InvalidSettingsError(f"{where}: {key}: no such key; {hint}")
        values[key] = _checked(value, hints[key], f"{where}: {key}")
    missing = [n for n, f in known.items() if f.default is MISSING and n not in values]
    if missing:
        raise InvalidSettingsError(f"{where}: {missing[0]}: expected a value, found none")
    try:
        return BoardProfile(**values)
    except InvalidSettingsError as error:
        raise InvalidSettingsError(f"{where}: {error}") from None


def _checked(value: Any, kind: Any, where: str) -> Any:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if kind is float:
        if number:
            return float(value)
        expected = "a number of centimetres"
    elif kind is bool:
        if isinstance(value, bool):
            return value
        expected = "true or false"
    elif get_origin(kind) is Literal:
        if value in get_args(kind):
            return value
        expected = "one of " + ", ".join(get_args(kind))
    elif get_origin(kind) is tuple:
        if isinstance(value, list) and all(
            isinstance(v, int | float) and not isinstance(v, bool) for v in value
        ):
            return tuple(float(v) for v in value)
        expected = "a list of numbers"
    else:
        if isinstance(value, str):
            return value
        expected = "text"
    raise InvalidSettingsError(f"{where}: expected {expected}, got {value!r}")
