"""The one error tree.

Three kinds are kept apart everywhere: *invalid* (malformed input: fix the input), *illegal* (well-formed but
against the rules of the game) and *ambiguous* (the evidence does not decide). A fourth, *device*, is the world
outside failing (camera, pins, disk). Errors also inherit the standard type a caller would expect.
"""

from __future__ import annotations


class PiBoardError(Exception):
    """Root of every error that pi_board raises on purpose; `str()` is one line for a person."""


class InvalidError(PiBoardError, ValueError):
    """Malformed or impossible input: says what, where and what was expected."""


class InvalidPositionError(InvalidError):
    """A position that cannot exist (16 checkers, both sides on a point, a wrong checksum length)."""


class InvalidDiceError(InvalidError):
    """Dice that are not two numbers from 1 to 6."""


class InvalidSettingsError(InvalidError):
    """A settings file or value that cannot be used; names file, key, value and what was expected."""


class InvalidFileError(InvalidError):
    """A picture, video, game file or folder that cannot be read as what it should be."""


class IllegalError(PiBoardError):
    """Well-formed, but against the rules of the game (a play, a double out of turn)."""


class AmbiguousError(PiBoardError):
    """The evidence does not decide between readings; a person must."""


class DeviceError(PiBoardError, OSError):
    """A camera, pin, display, serial port or disk does not work; the game goes on without it."""

    def __init__(self, message: str) -> None:
        # OSError's own __str__ wants (errno, text); ours is one line for a person.
        super().__init__(message)


class CameraError(DeviceError):
    """The camera is missing, hangs, or lacks what was asked of it."""
