"""The referee: from what is seen to what is said. Pure: no camera, no file, no clock."""

from pi_board.referee.engines import AnyReferee, engine_of
from pi_board.referee.messages import MESSAGES, sentence
from pi_board.referee.options import RefereeOptions
from pi_board.referee.referee import Referee

__all__ = ["MESSAGES", "AnyReferee", "Referee", "RefereeOptions", "engine_of", "sentence"]
