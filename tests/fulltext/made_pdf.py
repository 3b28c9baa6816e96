"""Writes PDFs by hand: pages of lines at known places, and files that are broken on purpose."""

from collections.abc import Sequence
from string import ascii_letters

PlacedLine = tuple[float, float, float, str]
"""Left edge, height of the baseline above the bottom of the page, font size [all in points], and text. A text that
begins with `UP` runs up the page, and one with `SLANTED` is in upright letters that are slanted.
"""
UP, SLANTED = "\u2191", "\u21d7"

BOLD, REGULAR = "F2", "F1"


def pdf(
    pages: Sequence[Sequence[PlacedLine]], bold: Sequence[str] = (), trailer: str = "", *, is_bitmap: bool = False
) -> bytes:
    """Return a PDF of pages of 600 by 800 points in Helvetica; the texts of `bold` are bold. If `is_bitmap`, the other
    texts are in a font of pictures, 50 dots wide and 70 high at 1 for a size of 100.
    """
    numbers = range(len(pages))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Count {len(pages)} /Kids [{' '.join(f'{5 + 2 * n} 0 R' for n in numbers)}] >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>",
    ]
    for number, page in enumerate(pages):
        drawing = "BT " + " ".join(_text(*line, line[3] in bold) for line in page) + " ET"
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents {6 + 2 * number} 0 R "
            "/Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> >>"
        )
        objects.append(f"<< /Length {len(drawing)} >>\nstream\n{drawing}\nendstream")
    if is_bitmap:
        names = ["space", *ascii_letters, "period"]
        codes = " ".join(
            f"{ord(name if len(name) == 1 else ' ' if name == 'space' else '.')} /{name}" for name in names
        )
        letters = " ".join(f"/{name} {len(objects) + 1} 0 R" for name in names)
        objects[2] = (
            "<< /Type /Font /Subtype /Type3 /FontBBox [0 0 50 70] /FontMatrix [1 0 0 1 0 0] "
            f"/FirstChar 32 /LastChar 122 /Widths [{' '.join(['50'] * 91)}] "
            f"/Encoding << /Type /Encoding /Differences [{codes}] >> "
            f"/CharProcs << {letters} >> >>"
        )
        letter = "50 0 0 0 50 70 d1 0 0 50 70 re f"
        objects.append(f"<< /Length {len(letter)} >>\nstream\n{letter}\nendstream")
    return _file(objects, trailer)


def _text(left: float, up: float, size: float, text: str, is_bold: bool) -> str:
    escaped_text = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
    matrix = {UP: "0 1 -1 0", SLANTED: "1 0 0.3 1"}.get(text[:1], "1 0 0 1")
    return f"/{BOLD if is_bold else REGULAR} {size} Tf {matrix} {left} {up} Tm ({escaped_text.lstrip(UP + SLANTED)}) Tj"


def _file(objects: Sequence[str], trailer: str) -> bytes:
    body = "%PDF-1.4\n"
    places = []
    for number, content in enumerate(objects, 1):
        places.append(len(body))
        body += f"{number} 0 obj\n{content}\nendobj\n"
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    size = len(objects) + 1
    end = f"trailer\n<< /Size {size} /Root 1 0 R {trailer} >>\nstartxref\n{len(body)}\n%%EOF\n"
    return (body + f"xref\n0 {size}\n0000000000 65535 f \n{table}{end}").encode("latin-1")
