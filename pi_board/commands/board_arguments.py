"""`--profile --corners --near --home`: which board lies where, the same for every command that looks at pictures."""

from __future__ import annotations

import argparse

import numpy as np
import numpy.typing as npt

from pi_board.errors import InvalidError
from pi_board.setup.corners import parse_corners


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


def corners(text: str) -> npt.NDArray[np.float64]:
    """`parse_corners` for argparse."""
    try:
        return parse_corners(text)
    except InvalidError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
