"""Light strip around the board: MicroPython on a Raspberry Pi Pico (or Pico W, Pico 2), WS2812 strip on GP0.

Copy this file and strip_protocol.py to the Pico (Thonny, or: mpremote cp strip_protocol.py main.py :).
"""

import select
import sys
import time

from machine import Pin
from neopixel import NeoPixel
from strip_protocol import Strip

LIGHTS = 48
DATA_PIN = 0

pixels = NeoPixel(Pin(DATA_PIN, Pin.OUT), LIGHTS)
strip = Strip("pico", LIGHTS)
host = select.poll()
host.register(sys.stdin, select.POLLIN)
shown = None

while True:
    while host.poll(0):
        answer = strip.feed(sys.stdin.read(1), time.ticks_ms())
        if answer:
            sys.stdout.write(answer)
    colours = strip.colours(time.ticks_ms())
    if colours != shown:
        for i in range(LIGHTS):
            pixels[i] = colours[i]
        pixels.write()
        shown = colours
    time.sleep_ms(5)
