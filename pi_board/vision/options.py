"""Options of the vision package: what a settings file may change, with plain defaults."""

from __future__ import annotations

from dataclasses import dataclass

from pi_board.errors import InvalidSettingsError


@dataclass(frozen=True, slots=True)
class VisionOptions:
    """In-play reading.

    motion: compare each frame with the one before and read only when nothing moves; off for a folder of
        pictures, where each stands for a settled look of its own.
    still_seconds: how long the scene must have been still before it is read.
    motion_level: share of the frame (in thousandths) that must change between two frames to count as motion.
    dark_level, bright_share, blur_ratio: a frame is too dark below this mean level (0-255), overexposed when more than this
        share of the board is saturated, blurred when its sharpness falls under this share of the reference's.
    hand_area: unexplained area on the board, in checker areas, from which something is in the way.
    relearn: refresh the learned appearance with every accepted position.
    careful: each picture is looked at once and there is time for it, so one that is not plain is looked at as carefully as a photo.
    """

    motion: bool = True
    still_seconds: float = 0.3
    motion_level: float = 2.0
    dark_level: float = 10.0
    bright_share: float = 0.45
    blur_ratio: float = 0.3
    hand_area: float = 1.2
    relearn: bool = True
    careful: bool = False

    def __post_init__(self) -> None:
        for key, low, high in (
            ("still_seconds", 0.0, 10.0),
            ("motion_level", 0.1, 500.0),
            ("dark_level", 0.0, 100.0),
            ("bright_share", 0.01, 1.0),
            ("blur_ratio", 0.0, 1.0),
            ("hand_area", 0.2, 50.0),
        ):
            value = getattr(self, key)
            if not low <= value <= high:
                raise InvalidSettingsError(f"{key}: expected {low:g} to {high:g}, got {value:g}")
