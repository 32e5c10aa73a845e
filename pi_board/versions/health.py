"""What a version must do before it may be switched to: see one second of the simulated camera, and find and read the board in it.

Run by the updating version with the *new* version's Python, so it uses only names that every version keeps. Prints one line; exit
code 0 when all is well.
"""

from __future__ import annotations

import sys

#: Frames a second, and seconds, of the simulated table.
FPS = 5.0
SECONDS = 1.0
#: The board is looked for again a second after it was not found.
AT_MOST = 3.0


def main() -> int:
    import cv2  # noqa: F401
    import numpy  # noqa: F401
    import PIL  # noqa: F401
    import rich  # noqa: F401
    import serial  # noqa: F401
    import starlette  # noqa: F401

    import pi_board
    from pi_board.camera.simulated import SimulatedCamera
    from pi_board.session.finding_reader import FindingReader
    from pi_board.simulator import SimulatorOptions
    from pi_board.vision.profile import load_profile

    camera = SimulatedCamera(SimulatorOptions(seed=1, games=1, fps=FPS))
    reader = FindingReader(load_profile("jumbo-travel"))
    read = looks = 0
    while True:
        frame = camera.read()
        if frame is None or frame.time > AT_MOST:
            break
        looks += 1
        read += reader.look(frame).registered
        if frame.time >= SECONDS and read:
            break
    camera.close()
    if not read:
        print(f"pi-board {pi_board.__version__} did not find the simulated board in {looks} pictures")
        return 1
    print(f"pi-board {pi_board.__version__}: {read} of {looks} simulated pictures read")
    return 0


if __name__ == "__main__":
    sys.exit(main())
