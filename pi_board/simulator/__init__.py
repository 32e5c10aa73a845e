"""A simulated table that a camera could see: renderer, players (honest, careless, cheating), faults."""

from pi_board.simulator.game import GameScript, make_table
from pi_board.simulator.options import FAULTS, HABITS, PACES, Habits, Pace, SimulatorOptions
from pi_board.simulator.renderer import Effects, Renderer
from pi_board.simulator.scene import Scene
from pi_board.simulator.still import render_still
from pi_board.simulator.style import STYLES, BoardStyle
from pi_board.simulator.table import SimulatedTable, play_game
from pi_board.simulator.truth import CubeTruth, GameTruth, IllegalShown, Truth, TurnTruth

__all__ = [
    "FAULTS",
    "HABITS",
    "PACES",
    "STYLES",
    "BoardStyle",
    "CubeTruth",
    "Effects",
    "GameScript",
    "GameTruth",
    "Habits",
    "IllegalShown",
    "Pace",
    "Renderer",
    "Scene",
    "SimulatedTable",
    "SimulatorOptions",
    "Truth",
    "TurnTruth",
    "make_table",
    "play_game",
    "render_still",
]
