"""How often a scene that does not change is looked at."""

from __future__ import annotations

from pi_board.frame import Frame
from pi_board.vision.in_play.part import ReaderPart

#: A scene that has come to rest gets so many full looks.
FULL_LOOKS = 3
#: Seconds between looks at a scene that has had its full looks; the pause grows from the first value to the second.
REST_SECONDS, LONGEST_REST = 1.0, 4.0
#: Seconds between looks while something at rest may turn out to be a thing.
WAITING_SECONDS = 0.3


class LookingPace(ReaderPart):
    """Whether the next look at a scene at rest is due."""

    def nothing_new(self, frame: Frame) -> bool:
        """Whether this unchanged scene has been read often enough. A full look now and then still checks it,
        which keeps the Pi cool.
        """
        rested = self.state.pace.looks - self.reader.budget.full_looks(FULL_LOOKS) + 1
        return (
            self.options.motion
            and self.state.pace.last is not None
            and not self.state.lessons.is_put_off
            and rested > 0
            and frame.time - self.state.pace.read_at
            < (
                WAITING_SECONDS
                if self.state.way.things.waiting or self.state.lying.alone_since is not None
                else self.reader.budget.pause(min(rested * REST_SECONDS, LONGEST_REST))
            )
        )
