"""What the table may see, derived from the state alone (so a resumed referee says the same)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pi_board.errors import InvalidError
from pi_board.referee.messages import MESSAGES, changes, sentence
from pi_board.referee.state import State
from pi_board.rules import Position, legal_plays, opponent
from pi_board.rules.notation import parse_notation
from pi_board.table import Phase, TableView, VerdictColour


def view_of(state: State) -> TableView:
    """The view of `state`."""
    verdict, code, args = _message(state)
    phase = Phase.PAUSED if state.paused else state.phase
    cube = state.match.cube
    shown = state.on_board
    return TableView(
        phase=phase,
        position=shown,
        side=_to_act(state),
        dice=state.dice,
        pips=(shown.pips("light"), shown.pips("dark")) if shown is not None else None,
        cube=cube.value,
        cube_owner=cube.owner,
        score=state.match.score,
        names=state.names,
        match_length=state.match.length,
        game=state.match.game,
        crawford_game=state.match.crawford_game,
        rules=state.match.rules.name,
        verdict=verdict,
        message_code=code,
        message_args=args,
        message=sentence(code, args, state.names),
        expected=_expected(state),
        seen=_seen(state),
        play=state.play,
        question=sentence(state.question, {"reason": state.question_reason}, state.names)
        if state.question
        else "",
        view_blocked=state.view_blocked,
        last_plays=state.last_plays,
    )


def saying(view: TableView, code: str, args: dict[str, Any]) -> TableView:
    """`view` with the message `code` in place of its own."""
    return replace(view, message_code=code, message_args=args, message=sentence(code, args, view.names))


def _to_act(s: State) -> Any:
    if s.phase is Phase.DOUBLED and s.match.cube.offered_by is not None:
        return opponent(s.match.cube.offered_by)
    if s.phase is Phase.RESIGNED and s.resignation is not None:
        return opponent(s.resignation[0])
    return s.side


def _expected(s: State) -> Position | None:
    if s.trouble is not None:
        return s.trouble.expected
    if s.phase is Phase.ILLEGAL:
        return s.position
    return None


def _seen(s: State) -> Position | None:
    if s.trouble is not None:
        return s.trouble.seen
    return s.illegal.seen if s.phase is Phase.ILLEGAL and s.illegal is not None else None


def _message(s: State) -> tuple[VerdictColour, str, dict[str, Any]]:
    """(verdict, message code, arguments): the most urgent thing first."""
    if s.paused:
        return VerdictColour.NONE, "paused", {}
    if s.board_moved:
        return VerdictColour.AMBER, "board_moved", {}
    if s.view_blocked:
        code = f"view_{s.view_blocked}"
        hides: dict[str, Any] = {"points": s.view_points} if s.view_points else {}
        return VerdictColour.AMBER, code if code in MESSAGES else "view_blocked", hides
    if s.question:
        return VerdictColour.AMBER, s.question, {"reason": s.question_reason}
    if s.noticed is not None and s.noticed[3]:
        code, reason, side, _ = s.noticed
        return _calm(s), code, {"reason": reason, "side": side}
    if s.trouble is not None:
        t = s.trouble
        if t.points:
            return VerdictColour.AMBER, t.code, {"points": t.points}
        todo = changes(t.seen, t.expected)
        args: dict[str, Any] = {
            "reason": t.reason, "side": t.side, "count": t.count, "changes": todo[:6], "dice": list(s.dice or ()),
        }  # fmt: skip
        code = "put_back" if t.code == "unclear_position" and 0 < len(todo) <= 6 else t.code
        return VerdictColour.AMBER, code, args
    if s.waits_for:
        return VerdictColour.AMBER, f"dice_{s.waits_for}", {"side": s.side}
    if s.noticed is not None:
        code, reason, side, _ = s.noticed
        return _calm(s), code, {"reason": reason, "side": side, "dice": list(s.dice or ())}
    return _of_phase(s)


def _ways(play: str) -> list[list[int]]:
    """From and to of every checker of `play`, in the mover's numbering (25 = bar, 0 = off), stops on the way left out."""
    try:
        return [[chain[0][0], chain[-1][0]] for chain in parse_notation(play)]
    except InvalidError:
        return []


def _calm(s: State) -> VerdictColour:
    return {Phase.PLAYED: VerdictColour.GREEN, Phase.ILLEGAL: VerdictColour.RED}.get(
        s.phase, VerdictColour.NONE
    )


def _of_phase(s: State) -> tuple[VerdictColour, str, dict[str, Any]]:
    dice = list(s.dice or ())
    args: dict[str, Any]
    match s.phase:
        case Phase.WAITING:
            return VerdictColour.NONE, "waiting", {}
        case Phase.OPENING:
            if s.tie is not None:
                return VerdictColour.NONE, "opening_tie", {"light": s.tie[0], "dark": s.tie[1]}
            return VerdictColour.NONE, "opening", {}
        case Phase.ROLL:
            code = {"stands": "stands", "resumed": "resumed"}.get(s.said, "to_roll")
            return VerdictColour.NONE, code, {"side": s.side}
        case Phase.PLAY:
            if s.side is None:
                return VerdictColour.NONE, "to_play_unknown", {"dice": dice}
            if s.said == "taken_back":
                return VerdictColour.NONE, "taken_back", {"side": s.side, "dice": dice}
            if s.position is not None and s.dice is not None:
                plays = legal_plays(s.position, s.dice, s.side, s.match.rules)
                if not any(p.moves for p in plays):
                    return VerdictColour.NONE, "no_play", {"side": s.side, "dice": dice}
            return VerdictColour.NONE, "to_play", {"side": s.side, "dice": dice}
        case Phase.PLAYED:
            code = "corrected" if s.said == "corrected" else "played"
            return VerdictColour.GREEN, code, {"side": s.side, "dice": dice, "play": s.play}
        case Phase.ILLEGAL:
            e = s.illegal
            reason, code = (e.reason, e.code) if e is not None else ("", "")
            nearest = list(e.nearest) if e is not None else []
            args = {"side": s.side, "dice": dice, "reason": reason, "code": code, "nearest": nearest}
            args["example"] = _ways(nearest[0]) if nearest else []
            return VerdictColour.RED, "illegal", args
        case Phase.DOUBLED:
            offerer = s.match.cube.offered_by or "light"
            args = {"side": opponent(offerer), "other": offerer, "value": s.match.cube.next_value}
            return VerdictColour.NONE, "doubled", args
        case Phase.RESIGNED:
            loser, kind = s.resignation or ("light", 1)
            word = ("single", "gammon", "backgammon")[kind - 1]
            return VerdictColour.NONE, "resigned", {"side": opponent(loser), "other": loser, "kind": word}
        case Phase.OVER:
            if s.match_won is not None:
                light, dark = s.match.score
                return VerdictColour.NONE, "match_won", {"side": s.match_won, "light": light, "dark": dark}
            if s.won is not None:
                args = {"side": s.won.side, "points": s.won.points, "kind": s.won.kind}
                return VerdictColour.NONE, "game_won", args
            return VerdictColour.NONE, "waiting", {}
    return VerdictColour.NONE, "waiting", {}
