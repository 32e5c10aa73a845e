"""One module per command of `pi-board`: `add_arguments(parser)` and `run(args) -> exit code`."""

#: Command -> one line for `pi-board --help`. The module of the same name holds `add_arguments` and `run`.
COMMANDS = {
    "demo": "watch two simulated players being refereed (no hardware needed)",
    "run": "referee the board under the configured camera",
    "replay": "referee a video file or a folder of pictures",
    "read": "read a photo of a board",
    "plays": "list the legal plays of a roll",
    "check": "say whether a play was legal, and why not",
    "hint": "best plays or cube action for a position",
    "convert": "turn a game log into another format",
    "show": "draw a position as SVG, PNG or text",
    "stats": "results, dice and errors over recorded games",
    "sheet": "the sheet of a match, to print and sign",
    "club": "many boards: broker, hub and what a board needs to join",
    "collect": "labelled pictures of your own evenings: list, show, give away",
    "solitaire": "the 37-hole game on the back of the travel set",
    "calibrate": "set up camera and board without a screen",
    "doctor": "health report: camera, pins, display, disk, service",
    "update": "install another version beside this one, checked, with a way back",
    "rollback": "go back to the version before the last update",
    "serve": "the web page: live view, set-up, history",
    "bench": "run the benchmarks",
    "completion": "a script that lets your shell complete all this",
}
