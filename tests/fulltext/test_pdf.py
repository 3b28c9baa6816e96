import json
import re
from pathlib import Path

import pytest

from pathfinder.errors import CorpusError
from pathfinder.fulltext.document import Box
from pathfinder.fulltext.formats import read_document
from pathfinder.fulltext.pdf.front import Heading, levels_of, with_appendices
from pathfinder.fulltext.pdf.layout.blocks import without_furniture
from pathfinder.fulltext.pdf.layout.columns import lines_of, with_accents
from pathfinder.fulltext.pdf.layout.glyphs import MOST_PAGES, Legibility, legibility
from pathfinder.fulltext.pdf.layout.page_model import Glyph, PdfPage, Run, Style, TextLine
from pathfinder.fulltext.pdf.words import flowing_text, keeps_hyphen
from pathfinder.types.full_texts import SectionKind
from tests.fulltext.made_pdf import pdf

PAPERS = Path(__file__).parent / "papers"
"""Papers that pdfTeX made from our own sentences, in two columns (ieee, mnras) and with numbered lines (lineno)."""

ENCRYPTION = (
    "/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O (" + "o" * 32 + ") /U (" + "u" * 32 + ") >> /ID [(abcd) (abcd)]"
)


def plain(text):
    return re.sub(r"\s+", " ", text.replace("\u2019", "'")).lower()


@pytest.fixture(scope="module", params=["ieee", "mnras", "lineno"])
def made_paper(request):
    truth = json.loads((PAPERS / f"{request.param}.json").read_text())
    return truth, read_document(PAPERS / f"{request.param}.pdf")


def test_every_sentence_of_a_made_paper_is_whole_and_in_its_place(made_paper):
    truth, document = made_paper
    body = plain("\n".join(paragraph.text for section in document.sections for paragraph in section.paragraphs))
    places = [body.find(plain(sentence)) for sentence in truth["sentences"]]
    assert [sentence for sentence, place in zip(truth["sentences"], places, strict=True) if place < 0] == []
    assert places == sorted(places)


def test_headings_have_their_levels_without_running_heads_or_line_numbers(made_paper):
    truth, document = made_paper
    levels = [(plain(section.title), section.level) for section in document.sections]
    headings = [(plain(title), level) for title, level in truth["headings"]]
    assert levels == [("abstract", 1), *headings, ("footnotes", 1)]


def test_title_captions_footnotes_and_references_stand_apart(made_paper):
    truth, document = made_paper
    assert document.title == truth["title"]
    assert [plain(figure.caption) for figure in document.figures] == [plain(text) for text in truth["captions"]]
    assert [note.text for note in document.sections[-1].paragraphs] == truth["footnotes"]
    assert [reference.text for reference in document.references] == truth["references"]


def test_paragraphs_know_their_page_and_place(made_paper):
    _, document = made_paper
    paragraphs = [paragraph for section in document.sections[:-1] for paragraph in section.paragraphs]
    pages = [paragraph.page for paragraph in paragraphs]
    assert pages == sorted(pages)
    assert pages[0] == 1
    assert all(0 <= each.box.left < each.box.right <= 612 and each.box.top < each.box.bottom for each in paragraphs)


def test_two_columns_are_read_one_after_the_other_and_a_paragraph_goes_on_over_the_gutter(tmp_path):
    left = [(50, 700 - 12 * n, 10, f"left column line number {n} goes all the way over") for n in range(8)]
    right = [(320, 700 - 12 * n, 10, f"right column line number {n} goes all the way too") for n in range(8)]
    rows = [line for pair in zip(left, right, strict=True) for line in pair]
    (tmp_path / "two.pdf").write_bytes(pdf([rows]))
    (section,) = read_document(tmp_path / "two.pdf").sections
    assert section.paragraphs[0].text == " ".join(text for *_, text in left + right)


def test_small_line_numbers_close_to_the_text_are_left_out(tmp_path):
    words = [(50, 700 - 12 * n, 10, "the sentence goes on from line to line") for n in range(8)]
    numbers = [(37.5, 700 - 12 * n, 5, f"{n + 101}") for n in range(8)]
    rows = [piece for pair in zip(numbers, words, strict=True) for piece in pair]
    (tmp_path / "numbered.pdf").write_bytes(pdf([rows]))
    (section,) = read_document(tmp_path / "numbered.pdf").sections
    assert section.paragraphs[0].text == " ".join(text for *_, text in words)


def test_a_line_number_that_is_drawn_in_the_midst_of_its_line_does_not_divide_it():
    style, small = Style(10.0), Style(5.0)
    line = [Glyph(sign, style, Box(50 + 5 * n, 90, 55 + 5 * n, 100), 100) for n, sign in enumerate("v=58km,fast")]
    number = [Glyph(sign, small, Box(35 + 3 * n, 95, 38 + 3 * n, 100), 100) for n, sign in enumerate("48")]
    assert [each.text for each in lines_of([*line[:6], *number, *line[6:]], 1)] == ["48", "v=58km,fast"]


def test_line_numbers_between_columns_are_left_out_below_an_abstract_across_both():
    def line(words: str, left: float, right: float, baseline: float) -> TextLine:
        return TextLine(1, (Run(words, Style(10.0)),), Box(left, baseline - 10, right, baseline), baseline)

    def page(number: int, n_wide: int) -> PdfPage:
        columns = [line("a column goes on", left, left + 240, 300 + 12 * n) for n in range(9) for left in (50, 320)]
        numbers = [line(f"{10 * number + n}", 296, 306, 300 + 12 * n) for n in range(9)]
        wide = [line("an abstract goes across both columns", 50, 560, 100 + 12 * n) for n in range(n_wide)]
        return PdfPage(number, 600, 800, (*wide, *columns, *numbers))

    pages = without_furniture([page(1, 0), page(2, 9), page(3, 0)])
    assert not any(each.text.isdecimal() for kept in pages for each in kept.lines)


def test_a_bold_numbered_line_is_a_heading_and_its_kind_follows_from_its_words(tmp_path):
    lines = [
        (50, 700, 10, "2 Observations"),
        *((50, 670 - 12 * n, 10, "We saw the same star again.") for n in range(6)),
    ]
    (tmp_path / "heading.pdf").write_bytes(pdf([lines], bold=["2 Observations"]))
    (section,) = read_document(tmp_path / "heading.pdf").sections
    assert (section.title, section.level, section.kind) == ("Observations", 1, SectionKind.DATA)


def test_a_page_without_text_is_named_in_a_warning(tmp_path):
    (tmp_path / "scan.pdf").write_bytes(pdf([[(50, 700, 10, "The first page has enough text to count.")], []]))
    assert read_document(tmp_path / "scan.pdf").provenance.warnings[0] == (
        "page 2 has no text, and was left out: to have it recognised from its image, run pip install 'pathfinder[ocr]'"
    )


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "is empty"),
        (b"%PDF-1.4\nno objects at all", "damaged, cut off"),
        (pdf([[(50, 700, 10, "text")]])[:200], "damaged, cut off"),
        (pdf([[(50, 700, 10, "text")]], trailer=ENCRYPTION), "encrypted"),
        (pdf([]), "without pages"),
        (pdf([[]] * (MOST_PAGES + 1)), f"the limit is {MOST_PAGES:,}"),
    ],
    ids=["empty", "junk", "truncated", "encrypted", "no-page", "too-many-pages"],
)
def test_a_file_that_cannot_be_read_is_refused_with_the_reason(tmp_path, content, reason):
    (tmp_path / "bad.pdf").write_bytes(content)
    with pytest.raises(CorpusError, match=reason):
        read_document(tmp_path / "bad.pdf")


@pytest.mark.parametrize(
    ("first", "second", "keeps"),
    [
        ("infor", "mation", False),  # in the lexicon as a whole
        ("star", "forming", True),  # both parts are words, the whole is none
        ("photo", "metric", False),  # a first part that is written together
        ("high", "redshift", True),  # the document has the compound elsewhere
        ("dust", "Lyman", True),  # a capital begins a name
    ],
)
def test_a_hyphen_at_the_end_of_a_line_is_kept_in_compounds_only(first, second, keeps):
    lexicon = {"information", "star", "forming", "metric", "dust", "photo"}
    assert keeps_hyphen(first, second, {"high-redshift": 2}, lexicon) is keeps


def test_accents_that_were_drawn_before_their_letters_join_them():
    assert with_accents("caf´e, M¨uller, na¨ıve and 5 ^ 2") == "café, Müller, naïve and 5 ^ 2"


def test_letters_tell_writing_from_what_a_font_without_a_map_gives():
    writing = "The infrared excess of the dust limits the effective temperature of a halo star. " * 12
    shifted_text = "".join(
        chr((ord(letter) - 94) % 26 + 97) if letter.isalpha() else letter for letter in writing.lower()
    )
    states = [legibility(text) for text in (writing, shifted_text, "\ufffd" * 300, "")]
    assert states == [Legibility.LEGIBLE, Legibility.GARBLED, Legibility.GARBLED, Legibility.EMPTY]


def test_capitals_within_words_give_garbage_away_even_if_a_common_word_comes_up_by_chance():
    writing = "the light of the stars and of the dust of the halo " * 20
    garbled_text = writing.translate(str.maketrans("ofhsar", "DuQCrK"))
    assert garbled_text.split()[2] == "Du"  # as in French
    assert legibility(garbled_text) is Legibility.GARBLED


def test_an_accent_that_a_file_draws_elsewhere_joins_the_letter_below_it():
    style = Style(10.0)
    letters = [Glyph(letter, style, Box(10 + 5 * n, 90, 15 + 5 * n, 100), 100) for n, letter in enumerate("Schafer")]
    accent = Glyph("¨", style, Box(26, 88, 29, 90), 99)  # above the fourth letter, from 25 to 30
    (line,) = lines_of([*letters, accent], 1)
    assert line.text == "Schäfer"


def test_letters_that_count_on_behind_numbers_are_appendices():
    look = (14.0, True, False, False)
    headings = [Heading(text, look) for text in ("1 Dust", "2 A cloud", "A Tests", "A.1 A closer look", "B Lists")]
    marked_headings = with_appendices(headings)
    assert [heading.begins_appendix for heading in marked_headings] == [False, False, True, False, True]
    assert [heading.title for heading in marked_headings] == ["Dust", "A cloud", "Tests", "A closer look", "Lists"]
    assert levels_of(marked_headings) == (1, 1, 1, 2, 1)
    plain_headings = [Heading("Dust", look), Heading("A cloud", look), Heading("A closer look", look)]
    assert with_appendices(plain_headings) == plain_headings


def test_raised_numbers_are_superscripts_with_the_space_that_the_page_has():
    def glyphs(text, left, size, baseline):
        return [
            Glyph(letter, Style(size), Box(left + 5 * place, 0, left + 5 * place + 5, 10), baseline)
            for place, letter in enumerate(text)
        ]

    # The raised number begins where the word ends; PDFium puts a space before it, and none behind.
    glyphs_on_line = (*glyphs("seen ", 0, 10.0, 100.0), *glyphs("5", 20, 7.0, 96.0), *glyphs("in", 28, 10.0, 100.0))
    (line,) = lines_of(glyphs_on_line, 1)
    assert flowing_text([line], {}, (), ()) == "seen⁵ in"
    assert flowing_text([line], {}, (), {"5"}) == "seen in"  # the mark of a footnote
