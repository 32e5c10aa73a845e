"""What a board says of itself to Home Assistant (pure): MQTT discovery, one document per sensor, picture and button.

The form is that of Home Assistant's documentation of MQTT discovery; nothing else is needed for the board to appear there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pi_board.club.topics import GONE, ONLINE, PRESSES, BoardTopics

#: What is shown of the state: key, name, template over the state document, icon.
SENSORS = (
    ("turn", "Turn", "{{ value_json.view.side or 'nobody' }}", "mdi:account-arrow-right"),
    ("verdict", "Verdict", "{{ value_json.view.verdict }}", "mdi:traffic-light"),
    ("dice", "Dice", "{{ (value_json.view.dice or []) | join('-') }}", "mdi:dice-multiple"),
    ("score", "Score", "{{ value_json.view.score | join(' : ') }}", "mdi:scoreboard"),
    ("director", "Director", "{{ value_json.director or 'not called' }}", "mdi:hand-back-left"),
    ("message", "Message", "{{ value_json.view.message[:250] }}", "mdi:message-text"),
)
BUTTONS = {"hint": "Hint", "stands": "It stands", "take_back": "Take back", "next": "Next page"}


def documents(board: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """(topic, document), all to be retained."""
    topics = BoardTopics(board)
    device = {"identifiers": [f"pi-board-{board}"], "name": f"Backgammon {board}", "model": "pi_board"}
    common = {
        "device": device,
        "availability_topic": topics.status,
        "payload_available": ONLINE,
        "payload_not_available": GONE,
    }
    for key, name, template, icon in SENSORS:
        yield (
            f"homeassistant/sensor/{board}/{key}/config",
            {
                **common,
                "name": name,
                "unique_id": f"pi-board-{board}-{key}",
                "state_topic": topics.state,
                "value_template": template,
                "icon": icon,
            },
        )
    yield (
        f"homeassistant/camera/{board}/picture/config",
        {**common, "name": "Board", "unique_id": f"pi-board-{board}-picture", "topic": topics.picture},
    )
    for word in PRESSES:
        yield (
            f"homeassistant/button/{board}/{word}/config",
            {
                **common,
                "name": BUTTONS[word],
                "unique_id": f"pi-board-{board}-{word}",
                "command_topic": topics.press,
                "payload_press": word,
            },
        )
