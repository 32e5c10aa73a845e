"""Which GPIO chip has the header: told by its name, never by its number."""

from __future__ import annotations

from pathlib import Path

import pytest

from pi_board.errors import DeviceError
from pi_board.panel.panel import header_chip


class Lgpio:
    """Chips by number: their label, or None for one that may not be opened."""

    class error(Exception):
        pass

    def __init__(self, chips: dict[int, str | None]) -> None:
        self.chips = chips
        self.open: set[int] = set()

    def gpiochip_open(self, number: int) -> int:
        if self.chips[number] is None:
            raise self.error("'can not open gpiochip'")
        self.open.add(number)
        return 100 + number

    def gpio_get_chip_info(self, handle: int) -> list[object]:
        return [0, 54, f"gpiochip{handle - 100}", self.chips[handle - 100]]

    def gpiochip_close(self, handle: int) -> None:
        self.open.remove(handle - 100)


@pytest.mark.parametrize(
    ("chips", "number"),
    [
        ({0: "pinctrl-bcm2835", 1: "brcmvirt-gpio"}, 0),  # Zero 2 W
        ({0: "pinctrl-bcm2711", 1: "raspberrypi-exp-gpio"}, 0),  # Pi 4
        # Pi 5 with the kernels of Bookworm's first year, and with those since
        ({0: "gpio-brcmstb@107d508500", 4: "pinctrl-rp1", 10: "gpio-brcmstb@107d508520"}, 4),
        ({0: "pinctrl-rp1", 10: "gpio-brcmstb@107d508500"}, 0),
        ({0: None, 4: "pinctrl-rp1"}, 4),
    ],
)
def test_the_chip_with_the_header(tmp_path: Path, chips: dict[int, str | None], number: int) -> None:
    for n in chips:
        (tmp_path / f"gpiochip{n}").touch()
    library = Lgpio(chips)
    assert header_chip(library, tmp_path) == number
    assert not library.open


def test_no_chip_with_a_header(tmp_path: Path) -> None:
    with pytest.raises(DeviceError, match="no GPIO on this machine"):
        header_chip(Lgpio({}), tmp_path)
    (tmp_path / "gpiochip0").touch()
    with pytest.raises(DeviceError, match=r"none of the GPIO chips .*gpiochip0: INT34C6"):
        header_chip(Lgpio({0: "INT34C6"}), tmp_path)
