"""Former name of `pi_board.session.sitting`."""

from pi_board.session.sitting import FindingReader as FindingReader
from pi_board.session.sitting import Sitting as Sitting
