"""Draws hardware/wiring.svg from hardware/pins.toml: python hardware/wiring.py (a test says when it must be run again)."""

from __future__ import annotations

import sys
from pathlib import Path
from xml.sax.saxutils import escape

ROOT = Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT.parent))

from pi_board.panel.pins import PinMap, load_pins  # noqa: E402

#: The 40-pin header, odd pins left, even pins right: a BCM number, or what else the pin is.
HEADER: tuple[int | str, ...] = (
    "3V3", "5V", 2, "5V", 3, "GND", 4, 14, "GND", 15, 17, 18, 27, "GND", 22, 23, "3V3", 24, 10, "GND",
    9, 25, 11, 8, "GND", 7, 0, 1, 5, "GND", 6, 12, 13, "GND", 19, 16, 26, 20, "GND", 21,
)  # fmt: skip
#: What a part is, and what lies between its pin and ground.
PARTS = {
    "turn_light": ("lamp, light's turn", "330 Ω, yellow LED"),
    "turn_dark": ("lamp, dark's turn", "330 Ω, yellow LED"),
    "verdict_green": ("lamp, legal", "330 Ω, green LED"),
    "verdict_amber": ("lamp, look", "330 Ω, amber LED"),
    "verdict_red": ("lamp, illegal", "330 Ω, red LED"),
    "buzzer": ("passive buzzer", "100 Ω, buzzer"),
    "hint": ("button: hint", "button"),
    "stands": ("button: stands / yes", "button"),
    "take_back": ("button: take back / no", "button"),
    "next": ("button: next / switch off", "button"),
    "i2c_sda": ("OLED: SDA", ""),
    "i2c_scl": ("OLED: SCL", ""),
    "spi_mosi": ("colour display: SDA (MOSI)", ""),
    "spi_sclk": ("colour display: SCL (SCLK)", ""),
    "spi_ce0": ("colour display: CS", ""),
    "display_dc": ("colour display: DC", ""),
    "display_reset": ("colour display: RES", ""),
    "display_backlight": ("colour display: BLK", ""),
}
PITCH, TOP, LEFT, WIDTH = 26, 70, 470, 1100
COLOURS = {"leds": "#b58900", "buzzer": "#6c71c4", "buttons": "#268bd2", "reserved": "#586e75"}


def wiring(pins: PinMap) -> str:
    """The drawing as SVG text."""
    owner = {pin: name.split(".") for name, pin in pins.all().items()}
    height = TOP + 20 * PITCH + 110
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        'font-family="sans-serif" font-size="13">',
        "<title>pi_board: wiring of lights, buzzer, buttons and displays</title>",
        f'<rect width="{WIDTH}" height="{height}" fill="white"/>',
        f'<text x="{WIDTH / 2}" y="28" text-anchor="middle" font-size="18" font-weight="bold">'
        "pi_board: 40-pin header, seen from above, SD card slot at the top</text>",
        f'<text x="{WIDTH / 2}" y="48" text-anchor="middle" fill="#555">'
        "numbers in the middle are pin numbers, GPIO numbers are BCM; drawn from pins.toml by wiring.py</text>",
        f'<rect x="{LEFT}" y="{TOP - 4}" width="160" height="{20 * PITCH + 8}" rx="6" fill="#e8efe8" stroke="#444"/>',
    ]
    for i, kind in enumerate(HEADER):
        row, right = divmod(i, 2)
        y = TOP + row * PITCH + PITCH / 2
        x = LEFT + (100 if right else 60)
        fill = {"5V": "#d33", "3V3": "#e80", "GND": "#222"}.get(str(kind), "#fff")
        used = isinstance(kind, int) and kind in owner
        if used:
            fill = COLOURS[owner[kind][0]]  # type: ignore[index]
        out.append(f'<circle cx="{x}" cy="{y}" r="8" fill="{fill}" stroke="#444"/>')
        number = LEFT + (140 if right else 20)
        out.append(
            f'<text x="{number}" y="{y + 4}" text-anchor="middle" fill="#777" font-size="11">{i + 1}</text>'
        )
        label = kind if isinstance(kind, str) else f"GPIO{kind}"
        end = LEFT + (160 if right else 0)
        sign = 1 if right else -1
        anchor = "start" if right else "end"
        ink = "#000" if used or isinstance(kind, str) else "#aaa"
        out.append(
            f'<text x="{end + sign * 8}" y="{y + 4}" text-anchor="{anchor}" fill="{ink}" font-size="11">{label}</text>'
        )
        if not used:
            continue
        section, name = owner[kind]  # type: ignore[index]
        title, between = PARTS[name]
        far = end + sign * 68
        out.append(
            f'<line x1="{end + sign * 62}" y1="{y}" x2="{far + sign * 30}" y2="{y}" stroke="{COLOURS[section]}" stroke-width="2"/>'
        )
        words = f"{title}  →  {between}  →  GND" if between else title
        out.append(f'<text x="{far + sign * 36}" y="{y + 4}" text-anchor="{anchor}">{escape(words)}</text>')
    y = TOP + 20 * PITCH + 34
    notes = (
        "Every lamp: GPIO – resistor 330 Ω – long leg of the LED – short leg – GND. Buttons need no resistor: the Pi pulls them up, pressed = GND.",
        "OLED: VCC to 3V3 (pin 1), GND to GND. Colour display: VCC to 3V3 (pin 17), GND to GND. Only one of the two is needed.",
        "The light strip is not wired here: its own Pico feeds it (data on GP0), and hangs on a USB port of the Pi.",
    )
    for i, note in enumerate(notes):
        out.append(f'<text x="30" y="{y + 22 * i}" fill="#333">{escape(note)}</text>')
    out.append("</svg>")
    return "\n".join(out) + "\n"


if __name__ == "__main__":
    (ROOT / "wiring.svg").write_text(wiring(load_pins(ROOT / "pins.toml")), encoding="utf-8")
