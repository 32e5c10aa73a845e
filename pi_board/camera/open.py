"""`open_camera`: settings in, camera out."""

from __future__ import annotations

from pi_board.camera.backend import open_backend
from pi_board.camera.base import Camera
from pi_board.camera.lens import load_lens
from pi_board.camera.options import BACKENDS, CameraOptions, is_live
from pi_board.camera.supervised import SupervisedCamera
from pi_board.errors import InvalidSettingsError


def open_camera(options: CameraOptions) -> Camera:
    """The camera that `options` describe, opened; supervised where it drives a device and `options.supervise` is set.

    Raises InvalidSettingsError for an unknown backend, InvalidFileError for a folder or video that
    cannot be read, CameraError for a device that does not work.
    """
    if options.backend not in BACKENDS:
        raise InvalidSettingsError(f"backend: expected one of {', '.join(BACKENDS)}, got {options.backend!r}")
    if options.lens:
        # Report a wrong file once, here. A restarted camera process would report it again and again.
        load_lens(options.lens)
    if options.supervise and _drives_device(options):
        return SupervisedCamera(options)
    return open_backend(options)


def _drives_device(options: CameraOptions) -> bool:
    if options.backend == "picamera2":
        return True
    return options.backend == "opencv" and is_live(options.source)
