"""Cameras: picamera2, OpenCV (webcam, video, stream), folder of pictures, simulated; one interface."""

from pi_board.camera.base import Camera
from pi_board.camera.open import open_camera
from pi_board.camera.options import BACKENDS, CameraOptions

__all__ = ["BACKENDS", "Camera", "CameraOptions", "open_camera"]
