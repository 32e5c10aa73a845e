"""What is said where between boards and hub (pure): the topics, and which of them whom they belong to.

pi-board/BOARD/status              "online" or "gone" (the last will), retained
pi-board/BOARD/state               the table as everybody may see it, retained
pi-board/BOARD/journal/SESSION     one journal line as it stands on the board's disk; its identity is (BOARD, SESSION, seq)
pi-board/BOARD/evidence/FOLDER/FILE  a picture that was asked for
pi-board/BOARD/picture             the table after the last turn, JPEG, retained
pi-board/BOARD/ask                 to the board: {"resend": {"session", "from"}}, {"evidence": FOLDER}, {"match": {…}},
                                   {"director": "coming"}
pi-board/BOARD/press               to the board: a button's word
pi-board/all/notice                to every board: words for its display, retained; empty: none any more
"""

from __future__ import annotations

from dataclasses import dataclass

ROOT = "pi-board"
NOTICE = f"{ROOT}/all/notice"
ONLINE, GONE = "online", "gone"
#: Buttons that may be pressed from afar. Switching off is not among them.
PRESSES = ("hint", "stands", "take_back", "next")


@dataclass(frozen=True, slots=True)
class BoardTopics:
    """The topics of one board."""

    board: str

    @property
    def status(self) -> str:
        return f"{ROOT}/{self.board}/status"

    @property
    def state(self) -> str:
        return f"{ROOT}/{self.board}/state"

    @property
    def picture(self) -> str:
        return f"{ROOT}/{self.board}/picture"

    @property
    def ask(self) -> str:
        return f"{ROOT}/{self.board}/ask"

    @property
    def press(self) -> str:
        return f"{ROOT}/{self.board}/press"

    def journal(self, session: str) -> str:
        return f"{ROOT}/{self.board}/journal/{session}"

    def evidence(self, folder: str, file: str) -> str:
        return f"{ROOT}/{self.board}/evidence/{folder}/{file}"


def parse(topic: str) -> tuple[str, str, tuple[str, ...]]:
    """(board, what, the rest) of a board's topic; ("", "", ()) when it is none."""
    root, *rest = topic.split("/")
    if root != ROOT or len(rest) < 2 or rest[0] == "all":
        return "", "", ()
    return rest[0], rest[1], tuple(rest[2:])


def access_list() -> str:
    """Mosquitto's: a board writes its own topics and reads what is meant for it; hub and home are users of those names.

    The broker takes the user's name for the client's, so nobody can take another's connection either.
    """
    return f"""user hub
topic read {ROOT}/#
topic write {ROOT}/+/ask
topic write {ROOT}/+/press
topic write {NOTICE}

user home
topic read {ROOT}/+/status
topic read {ROOT}/+/state
topic read {ROOT}/+/picture
topic read homeassistant/#
topic write homeassistant/status
topic write {ROOT}/+/press

pattern write {ROOT}/%u/status
pattern write {ROOT}/%u/state
pattern write {ROOT}/%u/picture
pattern write {ROOT}/%u/journal/+
pattern write {ROOT}/%u/evidence/+/+
pattern write homeassistant/+/%u/+/config
pattern read {ROOT}/%u/ask
pattern read {ROOT}/%u/press
pattern read {NOTICE}
"""
