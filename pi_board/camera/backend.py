"""`open_backend`: the camera in this process, unsupervised."""

from __future__ import annotations

from pi_board.camera.base import Camera
from pi_board.camera.lens import StraightCamera, load_lens
from pi_board.camera.options import CameraOptions


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
