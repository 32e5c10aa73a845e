"""Former name of `pi_board.session.demo`."""

from pi_board.session.demo import run_demo as run_demo
from pi_board.session.demo import score_games as score_games
