"""`pi-board sheet`: the sheet of a match, to print and sign."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from pi_board.commands.argument_types import whole
from pi_board.commands.progress_line import progress_line
from pi_board.errors import InvalidError
from pi_board.panel.language import LANGUAGES, Language, load_language
from pi_board.record.board_picture import save_picture
from pi_board.record.sheet import CoachRating, Played, SheetWords, match_sheet, played
from pi_board.record.sheet_files import sheet_html, sheet_pdf
from pi_board.setup.settings import load_settings

if TYPE_CHECKING:
    from pi_board.rules import Side

HELP = "the sheet of a match, to print and sign"
KINDS = (".pdf", ".html", ".htm")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("session", type=Path, metavar="SESSION", help="journal (session-….jsonl)")
    parser.add_argument(
        "-o", "--output", type=Path, required=True, metavar="FILE", help="a .pdf or .html file"
    )
    parser.add_argument(
        "--match",
        type=whole(1, 1000),
        default=0,
        metavar="N",
        help="which match of the session (default: the last)",
    )
    parser.add_argument(
        "--language", choices=LANGUAGES, help="of the sheet (default: the panel's in the settings)"
    )
    parser.add_argument("--config", type=Path, help="settings file (default: as for run)")
    parser.add_argument("--coach", action="store_true", help="add both PRs (takes a second or two a game)")
    parser.add_argument(
        "--workers", type=whole(1, 256), default=1, metavar="N", help="processes for the coach (default: 1)"
    )


def run(args: argparse.Namespace) -> int:
    kind = args.output.suffix.lower()
    if kind not in KINDS:
        raise InvalidError(f"{args.output}: expected a file that ends in .pdf or .html")
    found = played(args.session, args.match)
    ratings = _ratings(found, args.workers) if args.coach else None
    language = load_language(args.language or load_settings(args.config).panel.language)
    sheet = match_sheet(found, sheet_words(language), ratings, session=args.session.name)
    save_picture(args.output, sheet_pdf(sheet) if kind == ".pdf" else sheet_html(sheet))
    print(args.output)
    return 0


def sheet_words(language: Language) -> SheetWords:
    """English has the referee's own reasons, which name points and numbers."""
    reasons = {} if language.code == "en" else language.reasons
    return SheetWords(language.code, language.sheet, language.words, reasons)


def _ratings(of: Played, workers: int) -> dict[Side, CoachRating]:
    """The coach's figures of both players over the whole match."""
    from pi_board.record.match import SIDES
    from pi_board.record.statistics import Review
    from pi_board.session.farm import judgments

    progress = progress_line("looking over the games")
    said = judgments([(game, of.match) for game in of.match.games], workers=workers, progress=progress)
    if progress:
        progress(1.0)
    out: dict[Side, CoachRating] = {}
    for side in SIDES:
        review = Review()
        for judgment in (j for game in said for j in game if j.side == side):
            review.add(Review(int(judgment.counts), judgment.loss, judgment.luck))
        out[side] = CoachRating(review.decisions, review.error_rate, review.luck)
    return out
