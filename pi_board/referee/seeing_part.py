"""A part of the referee that decides by what the looks show; `Looks` itself decides nothing."""

from __future__ import annotations

from typing import Protocol

from pi_board.referee.interfaces import TableInterface
from pi_board.referee.looks import Looks
from pi_board.referee.part import Part


class SeeingTableInterface(TableInterface, Protocol):
    """The referee with its looks."""

    @property
    def looks(self) -> Looks: ...


class SeeingPart(Part):
    """table: the referee that it is a part of."""

    table: SeeingTableInterface

    def __init__(self, table: SeeingTableInterface) -> None:
        super().__init__(table)

    @property
    def looks(self) -> Looks:
        return self.table.looks
