"""The 37-hole game on the back of the travel set: board, problems, solver, verdicts. Pure."""

from pi_board.solitaire.board import BOARD_33, BOARD_37, Board, Jump, bit, count, sweeps
from pi_board.solitaire.classes import position_class, single_finishes
from pi_board.solitaire.problems import PROBLEMS, Problem, vacancy
from pi_board.solitaire.solver import Solution, Solver, fewest_sweeps, solver
from pi_board.solitaire.verdict import JumpVerdict, explain_jump

__all__ = [
    "BOARD_33",
    "BOARD_37",
    "PROBLEMS",
    "Board",
    "Jump",
    "JumpVerdict",
    "Problem",
    "Solution",
    "Solver",
    "bit",
    "count",
    "explain_jump",
    "fewest_sweeps",
    "position_class",
    "single_finishes",
    "solver",
    "sweeps",
    "vacancy",
]
