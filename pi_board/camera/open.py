"""`open_camera`: settings in, camera out."""

from __future__ import annotations

from pi_board.camera.base import Camera
from pi_board.camera.lens import StraightCamera, load_lens
from pi_board.camera.options import BACKENDS, CameraOptions, is_live
from pi_board.errors import InvalidSettingsError


def open_camera(options: CameraOptions) -> Camera:
    """The camera that `options` describe, opened; supervised where it drives a device and `options.supervise` is set.

    Raises InvalidSettingsError for an unknown backend, InvalidFileError for a folder or video that
    cannot be read, CameraError for a device that does not work.
    """
    if options.backend not in BACKENDS:
        raise InvalidSettingsError(f"backend: expected one of {', '.join(BACKENDS)}, got {options.backend!r}")
    if options.lens:
        # A wrong file is said here and now, not again and again by a camera that is being restarted.
        load_lens(options.lens)
    if options.supervise and _drives_device(options):
        from pi_board.camera.supervised import SupervisedCamera

        return SupervisedCamera(options)
    return open_backend(options)


def _drives_device(options: CameraOptions) -> bool:
    if options.backend == "picamera2":
        return True
    return options.backend == "opencv" and is_live(options.source)


def open_backend(options: CameraOptions) -> Camera:
    """The camera in this process, its lens taken out of its pictures where one was measured."""
    if not options.lens or options.backend == "simulated":
        return _backend(options)
    lens = load_lens(options.lens)
    return StraightCamera(_backend(options), lens)


def _backend(options: CameraOptions) -> Camera:
    """The bare backend. Its library is imported only here."""
    if options.backend == "folder":
        from pi_board.camera.folder import FolderCamera

        return FolderCamera(
            options.source,
            fps=options.fps,
            repeat=options.repeat,
            realtime=options.realtime,
            rotate=options.rotate,
        )
    if options.backend == "opencv":
        from pi_board.camera.opencv import OpenCVCamera

        return OpenCVCamera(
            options.source,
            size=(options.width, options.height),
            fps=options.fps,
            timeout=options.timeout,
            start_timeout=options.start_timeout,
            realtime=options.realtime,
            rotate=options.rotate,
        )
    if options.backend == "simulated":
        from pi_board.camera.simulated import SimulatedCamera
        from pi_board.simulator import SimulatorOptions

        return SimulatedCamera(
            SimulatorOptions(
                seed=options.seed,
                style=options.style,
                cheat=options.cheat,
                pace=options.pace,
                fps=options.fps,
                width=options.width,
                height=options.height,
                games=0,
            ),
            realtime=options.realtime,
        )
    from pi_board.camera.picamera2_camera import PicameraCamera

    return PicameraCamera(options)
