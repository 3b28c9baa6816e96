"""Draws the page of a stored PDF on which a paragraph begins, with a frame around the paragraph. A separate process
draws the page, because the file may be hostile.
"""

import io
import sys
from contextlib import closing
from pathlib import Path

from PIL import Image, ImageDraw

from pathfinder.errors import CorpusError
from pathfinder.fulltext.child import limit_memory, run_apart
from pathfinder.fulltext.document import Box
from pathfinder.fulltext.pdf.layout.glyphs import open_pdf, page_picture

MAX_SECONDS = 20.0
"""Limit on the time for drawing a page [seconds]."""
PROGRAM = (sys.executable, "-P", "-m", "pathfinder.fulltext.page_pictures")
_MARGIN, _LINE = 3, 3
"""Distance of the frame from the paragraph [points], and width of the frame [pixels]."""
_FRAME = (210, 90, 0)


def picture_of_page(path: Path, page: int, box: Box | None) -> bytes:
    """Return page `page` of a PDF (counted from 1) as a PNG, with a frame around `box` if there is one.

    Raises `CorpusError` if the page cannot be drawn within the limits on time and memory.
    """
    edges = [str(edge) for edge in box] if box else []
    status, picture, complaint = run_apart((*PROGRAM, str(path.resolve()), str(page), *edges), MAX_SECONDS, path.name)
    if status or not picture:
        lines = complaint.decode("utf-8", "replace").strip().splitlines()
        reason = lines[-1] if lines else f"its reader ended with status {status}"
        raise CorpusError(f"page {page} cannot be drawn ({reason}): open the file itself")
    return picture


def draw_page(path: Path, page: int, box: Box | None) -> bytes:
    """Draw a page, in this process."""
    with closing(open_pdf(path)) as document:
        if not 1 <= page <= len(document):
            raise CorpusError(f"{path.name} has {len(document)} pages, so no page {page}")
        pixels, scale = page_picture(document, page - 1)
    picture = Image.fromarray(pixels)
    if box is not None:
        frame = [
            scale * edge for edge in (box.left - _MARGIN, box.top - _MARGIN, box.right + _MARGIN, box.bottom + _MARGIN)
        ]
        ImageDraw.Draw(picture).rectangle(frame, outline=_FRAME, width=_LINE)
    stream = io.BytesIO()
    picture.save(stream, "PNG", optimize=True)
    return stream.getvalue()


def main() -> None:
    """Draw the page named in the arguments, and write it as a PNG."""
    limit_memory()
    path, page, *edges = sys.argv[1:]
    try:
        picture = draw_page(Path(path), int(page), Box(*map(float, edges)) if edges else None)
    except (CorpusError, OSError, MemoryError) as error:
        sys.exit(str(error) or type(error).__name__)
    sys.stdout.buffer.write(picture)


if __name__ == "__main__":
    main()
