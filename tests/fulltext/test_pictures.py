import sys

import numpy as np
import pytest

from pathfinder.fulltext.child import read_apart
from pathfinder.fulltext.document import TextFormat
from pathfinder.fulltext.formats import read_document
from pathfinder.fulltext.pdf.page_reader import PicturesNeeded, WrittenLine, postpone
from pathfinder.fulltext.pdf.recognition import EXTRA, lines_of_picture, spread
from tests.fulltext.made_pdf import pdf

WORDS = "The dust of this cloud is colder than the gas around it, as a picture shows."
SCANNED_PAGE = [(50, 700, 10, "x")]
"""A page on which something is drawn, but no text that could be read."""


@pytest.fixture
def scanned_file(tmp_path):
    (tmp_path / "scan.pdf").write_bytes(pdf([SCANNED_PAGE, [], SCANNED_PAGE]))
    return tmp_path / "scan.pdf"


def read_picture(picture):
    assert picture.shape == (1667, 1250, 3)  # 800 by 600 points at 150 to the inch
    return [WrittenLine(WORDS, 100, 700 + 25 * n, 1100, 720 + 25 * n) for n in range(4)]


def test_pages_that_are_drawn_but_have_no_text_are_recognised_and_marked(scanned_file):
    document = read_document(scanned_file, read_picture)
    paragraphs = [paragraph for section in document.sections for paragraph in section.paragraphs]
    assert {paragraph.page for paragraph in paragraphs} <= {1, 3}
    assert all(paragraph.is_recognised for paragraph in paragraphs)
    assert " ".join(paragraph.text for paragraph in paragraphs) == " ".join([WORDS] * 8)
    assert document.provenance.road is TextFormat.OCR  # two of three pages
    assert document.provenance.warnings[:2] == (
        "pages recognised from their images, which may leave a few errors: 1, 3",
        (
            "page 2 has no text, and was left out: it is blank, or the limit of 60 recognised pages per file "
            "was reached first"
        ),
    )


def test_a_page_with_text_is_never_recognised(tmp_path):
    (tmp_path / "a.pdf").write_bytes(pdf([[(50, 700, 10, WORDS)], SCANNED_PAGE]))
    (section,) = read_document(tmp_path / "a.pdf", lambda _: []).sections
    (paragraph,) = section.paragraphs
    assert (paragraph.text, paragraph.is_recognised) == (WORDS, False)


def test_lines_of_a_picture_have_their_place_in_points_and_the_size_of_most_lines():
    written_lines = [
        WrittenLine("a line of writing", 100, 200, 500, 220),
        WrittenLine("a line that is higher", 100, 230, 500, 253),
    ]
    lines = lines_of_picture([*written_lines, WrittenLine("A long heading", 100, 100, 500, 140)], 1, 2.0)
    assert lines[0].box == (50, 100, 250, 110)
    # the median of 20, 23 and 40 is 23 pixels or 11.5 points; 0.8 of it is 9.2, to the next half 9.0; 0.8 of 20 is 16
    assert [line.size for line in lines] == [9.0, 9.0, 16.0]


def test_the_process_that_reads_a_file_is_given_more_time_for_its_pictures(scanned_file, tmp_path):
    with pytest.raises(PicturesNeeded) as error:
        read_document(scanned_file, postpone)
    assert error.value.count == 2  # the blank page has no picture
    program = (
        "import sys; from pathlib import Path; from pathfinder.fulltext.formats import read_document\n"
        "from pathfinder.fulltext.child import _DOCUMENT\n"
        "if '--pictures' not in sys.argv: sys.stderr.write('2'); sys.exit(4)\n"
        "sys.stdout.buffer.write(_DOCUMENT.dump_json(read_document(Path(sys.argv[1]))))"
    )
    document = read_apart(scanned_file, 60, (sys.executable, "-c", program))
    assert document == read_document(scanned_file)


def test_a_narrow_gutter_is_widened_where_no_line_crosses_it_and_places_stay():
    picture = np.full((400, 300, 3), 255, np.uint8)
    picture[20:30, 40:260] = 0  # a line over both columns
    for row in range(100, 380, 14):
        picture[row : row + 8, 20:145] = 0
        picture[row : row + 8, 155:280] = 0
    wide = spread(picture)
    assert 145 <= wide.gutter <= 155
    assert (wide.picture[20:30, 40:260] == 0).all()
    assert (wide.picture[100:108, 145 : 155 + EXTRA] == 255).all()
    assert wide.in_place(WrittenLine("right", 155 + EXTRA, 100, 280 + EXTRA, 108)) == ("right", 155, 100, 280, 108)
    assert wide.in_place(WrittenLine("left", 20, 100, 145, 108)).left == 20
    assert spread(picture[:90]).gutter is None


def test_numbers_of_lines_beside_the_text_of_a_picture_are_left_out():
    text = [WrittenLine("a line of writing", 100, 20 * n, 500, 20 * n + 15) for n in range(6)]
    numbers = [WrittenLine(str(n), 60, 20 * n, 75, 20 * n + 12) for n in range(6)]
    assert [line.text for line in lines_of_picture([*text, *numbers], 1, 2.0)] == ["a line of writing"] * 6
    assert len(lines_of_picture([*text, *numbers[:3]], 1, 2.0)) == 9  # three are too few to be sure
