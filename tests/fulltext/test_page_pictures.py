import io
from pathlib import Path

import pytest
from PIL import Image

from pathfinder.errors import CorpusDamaged, CorpusError
from pathfinder.fulltext.adding import add_files
from pathfinder.fulltext.document import Box
from pathfinder.fulltext.page_pictures import picture_of_page
from pathfinder.fulltext.store import FullTexts, remove
from pathfinder.ui.papers.full_text import may_see_pages
from tests.tiny_corpus import tiny_corpus

PAPER = Path(__file__).parent / "papers" / "mnras.pdf"
FRAME = (210, 90, 0)


def frame_in(picture: bytes) -> tuple[int, int, int, int] | None:
    """The smallest rectangle with everything that has the colour of the frame: left, top, right, bottom."""
    image = Image.open(io.BytesIO(picture)).convert("RGB")
    places = [divmod(n, image.width) for n, colour in enumerate(image.get_flattened_data()) if colour == FRAME]
    rows, columns = [row for row, _ in places], [column for _, column in places]
    return (min(columns), min(rows), max(columns), max(rows)) if places else None


def test_a_frame_is_drawn_around_the_paragraph():
    plain = picture_of_page(PAPER, 1, None)
    assert frame_in(plain) is None
    framed_picture = frame_in(picture_of_page(PAPER, 1, Box(100.0, 200.0, 300.0, 250.0)))
    assert framed_picture is not None
    left, top, right, bottom = framed_picture
    # The box is 200 by 50 points, and the frame stands 3 points from it on each side: 206 by 56.
    assert (right - left) / (bottom - top) == pytest.approx(206 / 56, rel=0.02)
    assert left / top == pytest.approx(97 / 197, rel=0.02)


def test_a_page_that_cannot_be_drawn_is_named_with_the_reason(tmp_path):
    with pytest.raises(CorpusError, match=r"999.*mnras\.pdf"):
        picture_of_page(PAPER, 999, None)
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.7\n" + b"\0" * 100)
    with pytest.raises(CorpusError, match=r"1.*broken.pdf"):
        picture_of_page(tmp_path / "broken.pdf", 1, None)


def test_the_pdf_of_a_text_is_stored_with_it_and_goes_with_it(tmp_path):
    corpus = tiny_corpus(tmp_path, "one", "two")
    list(add_files(corpus, [PAPER], paper_id="one"))
    texts = FullTexts.open(corpus)
    pdf = texts.pdf("one")
    assert pdf is not None
    assert pdf.read_bytes() == PAPER.read_bytes()
    assert texts.pdf("two") is None

    pdf.write_bytes(b"%PDF-another")
    with pytest.raises(CorpusDamaged, match=r"(was|has been) altered"):
        texts.pdf("one")
    remove(corpus, ["one"])
    assert not pdf.exists()


@pytest.mark.parametrize("licence", ["CC-BY-4.0", "cc-by-nc-nd", "CC0-1.0", "public-domain"])
def test_pages_under_an_open_licence_are_shown_to_everybody(licence):
    assert may_see_pages(licence, is_here=False)


@pytest.mark.parametrize("licence", [None, "", "arXiv-1.0", "publisher-specific-oa"])
def test_other_pages_are_shown_only_where_the_file_is(licence):
    assert not may_see_pages(licence, is_here=False)
    assert may_see_pages(licence, is_here=True)
