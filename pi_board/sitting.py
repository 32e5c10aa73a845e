"""Former name of `pi_board.session.sitting` and `pi_board.session.finding_reader`."""

from pi_board.session.finding_reader import FindingReader as FindingReader
from pi_board.session.sitting import Sitting as Sitting
