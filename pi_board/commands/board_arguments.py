"""`--profile --corners --near --home`: which board lies where, the same for every command that looks at pictures."""

from __future__ import annotations

import argparse
import re

import numpy as np
import numpy.typing as npt

from pi_board.errors import InvalidError


def add_board_arguments(parser: argparse.ArgumentParser, *, profile: str | None = None) -> None:
    parser.add_argument(
        "--profile", default=profile, help="board profile: a name from calibration/boards or a TOML file"
    )
    parser.add_argument(
        "--corners",
        type=corners,
        help='field corners in pixels, "x,y x,y x,y x,y" = top left, top right, bottom right, bottom left',
    )
    parser.add_argument(
        "--near", choices=("light", "dark"), help="side at the bottom of the picture (default light)"
    )
    parser.add_argument("--home", choices=("right", "left"), help="where near bears off (default right)")


def parse_corners(text: str) -> npt.NDArray[np.float64]:
    """(4, 2) pixels from "x,y x,y x,y x,y". Raises InvalidError."""
    numbers = re.findall(r"[-+]?\d*\.?\d+(?:[eE][-+]?\d+)?", text)
    if len(numbers) != 8 or re.sub(r"[-+\d.,;eE\s]", "", text):
        raise InvalidError(
            f'corners: expected "x,y x,y x,y x,y" (top left, top right, bottom right, bottom left), got {text!r}'
        )
    return np.array([float(n) for n in numbers]).reshape(4, 2)


def corners(text: str) -> npt.NDArray[np.float64]:
    """`parse_corners` for argparse."""
    try:
        return parse_corners(text)
    except InvalidError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
