"""Bodies in, answers out: what several routes share."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse

from pi_board.errors import InvalidError, PiBoardError

#: Motion JPEG, as every browser shows it in an <img>.
MULTIPART = "multipart/x-mixed-replace; boundary=frame"


async def json_body(request: Request) -> dict[str, Any]:
    """The JSON object that was sent. Raises InvalidError for anything else."""
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise InvalidError("expected application/json")
    try:
        document = json.loads(await request.body())
    except (ValueError, RecursionError):
        raise InvalidError("expected a JSON object") from None
    if not isinstance(document, dict):
        raise InvalidError("expected a JSON object")
    return document


async def answer(ask: Callable[..., dict[str, Any]], *args: Any) -> Response:
    """What `ask` gives, worked out in another thread; its PiBoardErrors become one line for a person."""
    try:
        return JSONResponse(await run_in_threadpool(ask, *args))
    except InvalidError as error:
        return JSONResponse({"error": str(error)}, 400)
    except PiBoardError as error:
        return JSONResponse({"error": str(error)}, 409)


def part(jpeg: bytes) -> bytes:
    """One picture of a MULTIPART answer."""
    return b"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n" % len(jpeg) + jpeg + b"\r\n"


def clip_response(path: Path) -> Response:
    """A clip as moving pictures at its own speed: browsers play Motion JPEG in an <img>, but no AVI."""
    import cv2

    async def stream() -> AsyncIterator[bytes]:
        clip = cv2.VideoCapture(str(path))
        try:
            seconds = 1 / min(30.0, max(1.0, clip.get(cv2.CAP_PROP_FPS) or 5.0))
            data = b""
            while True:
                good, image = await run_in_threadpool(clip.read)
                if not good:
                    break
                data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 80])[1].tobytes()
                yield part(data)
                await asyncio.sleep(seconds)
            # Browsers show a picture when the next one begins.
            yield part(data)
        finally:
            clip.release()

    return StreamingResponse(stream(), media_type=MULTIPART)
