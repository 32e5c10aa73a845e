"""The strip's half of the line protocol, version 1 (see hardware/firmware/README.md). Plain Python and MicroPython.

Nothing here touches hardware: `Strip` is fed characters and asked for colours, so it is tested on a desktop.
"""

VERSION = 1
LONGEST = 240
#: Milliseconds without a valid line after which everything goes dark: the host is gone.
PATIENCE = 10000
#: Half periods of the patterns in milliseconds.
SLOW, FAST = 800, 150


def checksum(body):
    """CRC-16/CCITT-FALSE over the characters of `body`, as four capital hex digits."""
    crc = 0xFFFF
    for byte in body.encode():
        crc ^= byte << 8
        for _ in range(8):
            crc = ((crc << 1) ^ 0x1021 if crc & 0x8000 else crc << 1) & 0xFFFF
    return "%04X" % crc


def frame(body):
    return "$" + body + "*" + checksum(body) + "\n"


def unframe(line):
    """The body of a line, None when it is not one or its checksum is wrong."""
    line = line.strip()
    if len(line) < 6 or line[0] != "$" or line[-5] != "*":
        return None
    body = line[1:-5]
    return body if checksum(body) == line[-4:] else None


class Strip:
    """State of the lamps. name: of this device, one word. lights: lamps there are."""

    def __init__(self, name, lights):
        self.name, self.lights = name, lights
        self.greeted = False
        self.brightness = 0
        self.lamps = {}
        self.heard = 0
        self._line = ""

    def feed(self, text, now):
        """Characters from the host, `now` in milliseconds; returns the answer to send ("" = none)."""
        out = ""
        for c in text:
            if c == "\n":
                out += self._answer(self._line, now)
                self._line = ""
            elif c == "$":
                # A new line begins, whatever was lost before it.
                self._line = c
            elif len(self._line) < LONGEST:
                self._line += c
        return out

    def _answer(self, line, now):
        if not line.strip():
            return ""
        body = unframe(line)
        if body is None:
            return frame("ERR checksum")
        words = body.split(" ")
        if words[0] == "HELLO":
            self.greeted = len(words) == 2 and words[1] == str(VERSION)
            self.heard = now
            self.lamps = {}
            return frame("HELLO %d %s %d" % (VERSION, self.name, self.lights))
        if not self.greeted:
            return frame("ERR hello")
        self.heard = now
        if words[0] == "PING":
            return frame("OK")
        if words[0] == "OFF":
            self.lamps = {}
            return frame("OK")
        if words[0] == "SHOW":
            try:
                brightness, lamps = self._parse(words)
            except (ValueError, IndexError):
                return frame("ERR show")
            self.brightness, self.lamps = brightness, lamps
            return frame("OK")
        return frame("ERR command")

    def _parse(self, words):
        """SHOW brightness first-last:rrggbb:pattern …"""
        brightness = int(words[1])
        if not 0 <= brightness <= 255:
            raise ValueError("brightness")
        lamps = {}
        for word in words[2:]:
            where, colour, pattern = word.split(":")
            first, last = [int(n) for n in where.split("-")]
            if not 0 <= first <= last < self.lights or len(colour) != 6 or pattern not in ("on", "slow", "fast"):
                raise ValueError(word)
            rgb = (int(colour[0:2], 16), int(colour[2:4], 16), int(colour[4:6], 16))
            for i in range(first, last + 1):
                lamps[i] = (rgb, pattern)
        return brightness, lamps

    def colours(self, now):
        """(r, g, b) of every lamp at `now` milliseconds."""
        out = [(0, 0, 0)] * self.lights
        if now - self.heard > PATIENCE:
            return out
        for i, (rgb, pattern) in self.lamps.items():
            half = SLOW if pattern == "slow" else FAST
            if pattern == "on" or (now // half) % 2 == 0:
                out[i] = tuple([v * self.brightness // 255 for v in rgb])
        return out
