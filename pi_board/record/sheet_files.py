"""A match sheet as one file: HTML that needs nothing else, or PDF by fpdf2."""

from __future__ import annotations

import base64
from html import escape
from io import BytesIO
from typing import TYPE_CHECKING

from pi_board.errors import DeviceError
from pi_board.record.sheet import Pictures, Sheet, Table

if TYPE_CHECKING:
    from fpdf import FPDF

STYLE = """
@page { size: A4; margin: 14mm; }
body { font: 13px/1.4 system-ui, sans-serif; color: #111; background: #fff; max-width: 190mm; margin: 1rem auto; padding: 0 .5rem; }
h1 { font-size: 1.6rem; margin: 0 0 .5rem; } h2 { font-size: 1.05rem; margin: 1.1rem 0 .3rem; break-after: avoid; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { border-bottom: 1px solid #bbb; padding: .15rem .4rem; text-align: left; } td { white-space: nowrap; } th { font-weight: 600; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem .8rem; margin: 0; } dt { color: #555; } dd { margin: 0; }
.note { color: #555; margin: .2rem 0 0; } .pictures { display: grid; grid-template-columns: repeat(3, 1fr); gap: .6rem; }
figure { margin: 0; break-inside: avoid; } figure img { width: 100%; } figcaption { font-size: .85em; }
.signatures { display: grid; grid-template-columns: repeat(3, 1fr); gap: 1.5rem; margin-top: 3.5rem; break-inside: avoid; }
.signatures p { border-top: 1px solid #111; margin: 0; padding-top: .2rem; }
"""


def sheet_html(sheet: Sheet) -> str:
    """One page with its pictures in it."""
    parts = [f"<h1>{escape(sheet.title)}</h1><dl>"]
    parts += [f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in sheet.facts]
    parts.append("</dl>")
    for block in sheet.blocks:
        parts.append(f"<h2>{escape(block.heading)}</h2>")
        parts.append(_html_table(block) if isinstance(block, Table) else _html_pictures(block))
        if block.note:
            parts.append(f'<p class="note">{escape(block.note)}</p>')
    lines = "".join(f"<p>{escape(name)}</p>" for name in sheet.signatures)
    parts.append(f'<div class="signatures">{lines}</div>')
    return (
        f'<!doctype html><html lang="{sheet.language}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(sheet.title)}</title><style>{STYLE}</style></head><body>{''.join(parts)}</body></html>\n"
    )


def _html_table(table: Table) -> str:
    head = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in table.head)
    rows = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in table.rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _html_pictures(block: Pictures) -> str:
    out = []
    for caption, data in block.pictures:
        kind = "png" if data.startswith(b"\x89PNG") else "jpeg"
        source = f"data:image/{kind};base64,{base64.b64encode(data).decode()}"
        words = escape(caption)
        out.append(f'<figure><img src="{source}" alt="{words}"><figcaption>{words}</figcaption></figure>')
    return f'<div class="pictures">{"".join(out)}</div>'


#: Millimetres: the page's edges, a line of text, the space before a heading, the width of a picture.
EDGE, LINE, SPACE, PICTURE = 14.0, 5.2, 4.0, 58.0


def sheet_pdf(sheet: Sheet) -> bytes:
    """A4 pages. Raises DeviceError when fpdf2 is not installed."""
    try:
        from fpdf import FPDF
    except ImportError:
        raise DeviceError(
            "a PDF needs fpdf2, which is not installed: pip install 'pi-board[sheet]' (or write a .html file)"
        ) from None
    pdf = FPDF(format="A4")
    pdf.set_auto_page_break(True, EDGE)
    pdf.set_margins(EDGE, EDGE)
    pdf.set_title(_latin(sheet.title))
    pdf.add_page()
    pdf.set_font("helvetica", "B", 18)
    pdf.multi_cell(0, 9, _latin(sheet.title), new_x="LMARGIN", new_y="NEXT")
    for name, value in sheet.facts:
        pdf.set_font("helvetica", "", 9.5)
        pdf.set_text_color(90)
        pdf.cell(24, LINE, _latin(name))
        pdf.set_text_color(0)
        pdf.multi_cell(0, LINE, _latin(value), new_x="LMARGIN", new_y="NEXT")
    for block in sheet.blocks:
        # Keep a table on one page if it fits there.
        lines = 1 + len(block.rows) if isinstance(block, Table) else 8
        if pdf.will_page_break(SPACE + 7 + min(lines, 20) * LINE):
            pdf.add_page()
        pdf.ln(SPACE)
        pdf.set_font("helvetica", "B", 11.5)
        pdf.cell(0, 7, _latin(block.heading), new_x="LMARGIN", new_y="NEXT")
        if isinstance(block, Table):
            _pdf_table(pdf, block)
        else:
            _pdf_pictures(pdf, block)
        if block.note:
            pdf.set_font("helvetica", "", 8.5)
            pdf.set_text_color(90)
            pdf.multi_cell(0, 4.4, _latin(block.note), new_x="LMARGIN", new_y="NEXT")
            pdf.set_text_color(0)
    _pdf_signatures(pdf, sheet.signatures)
    return bytes(pdf.output())


def _pdf_table(pdf: FPDF, table: Table) -> None:
    """Columns as wide as their words, the room that is left shared out; letters smaller where it is too little."""
    for size in (9.5, 8.5, 7.5, 6.5):
        pdf.set_font("helvetica", "B", size)
        columns = list(zip(table.head, *table.rows, strict=True))
        widths = [max(pdf.get_string_width(_latin(cell)) for cell in column) + 3 for column in columns]
        if sum(widths) <= pdf.epw:
            break
    spare = max(0.0, pdf.epw - sum(widths)) / len(widths)
    pdf.set_draw_color(187)
    for row, style in [(table.head, "B"), *((row, "") for row in table.rows)]:
        pdf.set_font("helvetica", style, size)
        for cell, width in zip(row, widths, strict=True):
            pdf.cell(width + spare, LINE, _latin(cell), border="B")
        pdf.ln(LINE)
    pdf.set_draw_color(0)


def _pdf_pictures(pdf: FPDF, block: Pictures) -> None:
    from PIL import Image

    gap = (pdf.epw - 3 * PICTURE) / 2
    for start in range(0, len(block.pictures), 3):
        row = block.pictures[start : start + 3]
        heights = []
        for _, data in row:
            with Image.open(BytesIO(data)) as image:
                heights.append(PICTURE * image.height / image.width)
        if pdf.will_page_break(max(heights) + 18):
            pdf.add_page()
        top, bottom = pdf.get_y(), pdf.get_y()
        for i, (caption, data) in enumerate(row):
            x = EDGE + i * (PICTURE + gap)
            pdf.image(BytesIO(data), x=x, y=top, w=PICTURE)
            pdf.set_xy(x, top + heights[i] + 0.5)
            pdf.set_font("helvetica", "", 8)
            pdf.multi_cell(PICTURE, 3.8, _latin(caption), align="L")
            bottom = max(bottom, pdf.get_y())
        pdf.set_xy(EDGE, bottom + 3)


def _pdf_signatures(pdf: FPDF, names: tuple[str, ...]) -> None:
    if pdf.will_page_break(32):
        pdf.add_page()
    y = pdf.get_y() + 24
    gap = 10.0
    width = (pdf.epw - gap * (len(names) - 1)) / len(names)
    pdf.set_font("helvetica", "", 9.5)
    for i, name in enumerate(names):
        x = EDGE + i * (width + gap)
        pdf.line(x, y, x + width, y)
        pdf.set_xy(x, y + 1)
        pdf.cell(width, LINE, _latin(name))


#: Characters that the standard PDF fonts lack, and what is printed instead.
_PLAIN = str.maketrans({"–": "-", "—": "-", "χ": "chi", "“": '"', "”": '"', "’": "'", "…": "..."})


def _latin(text: str) -> str:
    """`text` in Latin-1; letters of other alphabets become question marks (the HTML has them all)."""
    return text.translate(_PLAIN).encode("latin-1", "replace").decode("latin-1")
