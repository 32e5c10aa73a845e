"""Runs inside GNU Backgammon's own Python (`gnubg -t -q -p gnubg_side.py`): labels batches of positions.

Reads from file descriptor $PI_BOARD_IN: int32 header (n, plies) and n × 50 bytes (opponent's 25 slots, mover's 25
slots, as gnubg holds them); writes n × 5 float32 to $PI_BOARD_OUT. Ends on n = 0 or end of file.
"""

import os
import struct

import gnubg


def serve() -> None:
    source = os.fdopen(int(os.environ["PI_BOARD_IN"]), "rb")
    sink = os.fdopen(int(os.environ["PI_BOARD_OUT"]), "wb")
    cube = gnubg.cubeinfo(1, -1, 0, 0, (0, 0), 0, 0)
    cube["jacoby"] = 0
    while True:
        head = source.read(8)
        if len(head) < 8:
            return
        n, plies = struct.unpack("ii", head)
        if n == 0:
            return
        context = {"cubeful": 0, "plies": plies, "deterministic": 1, "prune": 1 if plies else 0, "noise": 0.0}
        data = source.read(50 * n)
        evaluate = gnubg.evaluate
        pack = struct.Struct("5f").pack
        out = []
        for i in range(0, 50 * n, 50):
            board = (tuple(data[i : i + 25]), tuple(data[i + 25 : i + 50]))
            out.append(pack(*evaluate(board, cube, context)[:5]))
        sink.write(b"".join(out))
        sink.flush()


serve()
os._exit(0)
