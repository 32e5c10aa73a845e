"""Settings of the record: [record] in the settings file."""

from __future__ import annotations

from dataclasses import dataclass

from pi_board.errors import InvalidSettingsError


@dataclass(frozen=True, slots=True)
class RecordOptions:
    """folder: where journals and game files go. event, site: headers of the game files.

    evidence: keep pictures of illegal verdicts. evidence_seconds: length of the ring before a verdict.
    evidence_megabytes, evidence_count: bounds; the oldest go first.
    collect: keep pictures of undisputed turns with what lay there, of the board only, to learn from (`pi-board collect`).
    collect_megabytes, collect_count: bounds; the oldest go first.
    """

    folder: str = "~/pi-board/games"
    event: str = ""
    site: str = ""
    evidence: bool = True
    evidence_seconds: float = 6.0
    evidence_megabytes: int = 500
    evidence_count: int = 200
    collect: bool = False
    collect_megabytes: int = 300
    collect_count: int = 2000

    def __post_init__(self) -> None:
        if not self.folder.strip():
            raise InvalidSettingsError("folder: expected a folder, got an empty text")
        if not 0 < self.evidence_seconds <= 60:
            raise InvalidSettingsError(f"evidence_seconds: expected 0 to 60, got {self.evidence_seconds}")
        if self.evidence_megabytes < 1:
            raise InvalidSettingsError(
                f"evidence_megabytes: expected 1 or more, got {self.evidence_megabytes}"
            )
        if self.evidence_count < 1:
            raise InvalidSettingsError(f"evidence_count: expected 1 or more, got {self.evidence_count}")
        for name in ("collect_megabytes", "collect_count"):
            if getattr(self, name) < 1:
                raise InvalidSettingsError(f"{name}: expected 1 or more, got {getattr(self, name)}")
