"""Layouts of PDFs as publishers, arXiv and archives make them, on pages of our own."""

import random

import pytest

from pathfinder.fulltext.adding import FileOutcome, PaperMatch
from pathfinder.fulltext.document import TextFormat
from pathfinder.fulltext.formats import read_document
from pathfinder.operations.full_texts import add
from tests.fulltext.made_pdf import SLANTED, UP, pdf

WORDS = (
    "the dust of cold clouds shines in far infrared light while young stars heat their discs and winds carry gas away "
    "from dense cores into open space where it cools"
).split()
ABSTRACT = (
    "We map the dust of forty cold clouds in far infrared light and find that it shines where young stars are near. "
)
TITLE = "Dust and light in forty cold clouds"


def sentences(seed, count):
    draw = random.Random(seed)
    return [f"Case {n} shows {' '.join(draw.choices(WORDS, k=draw.randint(8, 22)))}." for n in range(count)]


def wrapped(text, width=50):
    lines = [""]
    for word in text.split():
        if len(lines[-1]) + len(word) + 1 > width:
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def float_at(kind, top):
    """Return a wide figure or table, and how far down it goes."""
    if kind is None:
        return [], top
    if kind == "figure":
        marks = [(90, top - 50 * n, 8, f"{n}.5") for n in range(4)]
        marks += [(100 + 130 * n, top - 170, 8, f"{n}0") for n in range(4)]
        return [*marks, (50, top - 190, 9, f"Figure 1. {ABSTRACT}"[:100])], top - 220
    rows = [
        (60 + 120 * cell, top - 20 - 11 * row, 9, f"{row}.{cell}" if cell else f"Cloud {row}")
        for row in range(6)
        for cell in range(5)
    ]
    return [(50, top, 9, f"Table 1. {ABSTRACT}"[:100]), *rows], top - 100


def two_columns(lines, top, counts, is_drawn_by_row):
    left, right = (
        [(x, top - 12 * n, 10, line) for n, line in enumerate(part)]
        for x, part in (
            (50, lines[: counts[0]]),
            (315, lines[counts[0] : sum(counts)]),
        )
    )
    if not is_drawn_by_row:
        return left + right
    return sorted(left + right, key=lambda line: -line[1])


@pytest.mark.parametrize("counts", [(3, 3), (7, 4)])
@pytest.mark.parametrize("above", [None, "figure", "table"])
@pytest.mark.parametrize("below", [None, "figure", "table"])
def test_short_columns_are_read_one_after_the_other_around_wide_floats(tmp_path, counts, above, below):
    wanted = sentences(sum(counts), 60)
    lines = wrapped(" ".join(wanted))
    drawing, top = float_at(above, 740)
    page = drawing + two_columns(lines[100:], top, counts, is_drawn_by_row=below is None)
    page += float_at(below, top - 12 * max(counts) - 20)[0]
    (tmp_path / "a.pdf").write_bytes(pdf([two_columns(lines, 740, (50, 50), is_drawn_by_row=False), page]))
    document = read_document(tmp_path / "a.pdf")
    text = " ".join(paragraph.text for section in document.sections for paragraph in section.paragraphs)
    shown = " ".join(lines[: 100 + sum(counts)])
    assert [sentence for sentence in wanted if sentence in shown and sentence not in text] == []


@pytest.mark.parametrize(
    "drawing",
    [
        [(150, 735, 10, "North"), (400, 735, 10, "South field"), (180, 630, 9, "Fig. 1. The dust of cold clouds.")],
        [(100, 735, 10, "FIELD"), (400, 640, 9, "(b) FIELD"), (50, 615, 10, f"Figure 1: {ABSTRACT}"[:100])],
        [
            (50, 740, 10, "Table 1. Names of the fields."),
            *((x, 720 - 12 * row, 10, "FIELD of dust") for row in range(4) for x in (60, 200, 400)),
        ],
        [
            (250, 740, 9, "TABLE I"),
            *((60 + 100 * cell, 720 - 11 * row, 9, f"{row}.{cell}") for row in range(4) for cell in range(5)),
            (50, 665, 8, f"Note. FIELD names are old. {ABSTRACT}"[:120]),
            (50, 655, 8, ABSTRACT[:110]),
        ],
    ],
)
def test_nothing_of_a_wide_float_at_the_top_of_a_page_breaks_the_sentence_that_runs_past_it(tmp_path, drawing):
    wanted = sentences(11, 90)
    lines = wrapped(" ".join(wanted))
    pages = [two_columns(lines, 740, (50, 50), False), [*drawing, *two_columns(lines[100:], 600, (20, 20), False)]]
    (tmp_path / "a.pdf").write_bytes(pdf(pages))
    text = " ".join(part.text for section in read_document(tmp_path / "a.pdf").sections for part in section.paragraphs)
    assert text == " ".join(lines[:140])


@pytest.mark.parametrize("above", [None, "figure"])
def test_a_single_page_of_short_columns_is_divided(tmp_path, above):
    wanted = sentences(5, 3)
    lines = wrapped(" ".join(wanted))
    drawing, top = float_at(above, 740)
    page = drawing + two_columns(lines, top, (-(-len(lines) // 2), len(lines) // 2), is_drawn_by_row=True)
    (tmp_path / "a.pdf").write_bytes(pdf([page]))
    (section,) = read_document(tmp_path / "a.pdf").sections
    assert section.paragraphs[0].text == " ".join(wanted)


def first_page(*lines):
    body = [(70, 560 - 12 * n, 10, line) for n, line in enumerate(wrapped(ABSTRACT * 4, 95))]
    return [*lines, (70, 620, 10, "A. Maker"), (70, 590, 10, "Abstract"), *body]


@pytest.mark.parametrize(
    ("stamp", "identifiers"),
    [
        ("arXiv:2605.19850v1 [astro-ph.GA] 19 May 2026", ("arxiv:2605.19850",)),
        ("arXiv:0704.1234v1 3 Apr 2007", ("arxiv:0704.1234",)),
        ("arXiv:astro-ph/9901001v2 5 Jan 1999", ("arxiv:astro-ph/9901001",)),
        ("astro-ph/9901001", ("arxiv:astro-ph/9901001",)),
        ("Downloaded from an archive of papers on 3 April 2007", ()),
    ],
)
def test_a_stamp_in_the_margin_gives_the_id_and_never_the_title(tmp_path, stamp, identifiers):
    page = first_page((30, 250, 20, UP + stamp), (70, 660, 16, TITLE))
    (tmp_path / "a.pdf").write_bytes(pdf([page], bold=["Abstract"]))
    document = read_document(tmp_path / "a.pdf")
    assert (document.title, document.identifiers) == (TITLE, identifiers)
    assert document.sections[0].paragraphs[0].text.startswith(ABSTRACT)


@pytest.mark.parametrize(
    "around",
    [
        "Draft version April 2, 2015",
        "Submitted for publication in ApJ",
        "Preprint typeset using LaTeX style emulateapj v. 12/16/11",
        "The Journal of Cold Clouds",
        "CLOUD-PH/2015-075",
        "Research Article",
        "EUROPEAN ORGANIZATION FOR CLOUD RESEARCH",
        "21 May, 2012",
        "Highlights",
    ],
)
@pytest.mark.parametrize("size", [10, 16])
def test_what_stands_above_a_title_is_not_the_title(tmp_path, around, size):
    page = first_page((70, 730, 18 if size > 10 else 10, around), (200, 660, size, TITLE))
    (tmp_path / "a.pdf").write_bytes(pdf([page], bold=["Abstract", TITLE]))
    assert read_document(tmp_path / "a.pdf").title == TITLE


@pytest.mark.parametrize(
    "around",
    [
        (300, 775, 6, "DR AFT VERS ION OF A PAPER"),
        (300, 560, 30, "Cloud Search"),
        (200, 635, 14, "III. Forty more of them"),
    ],
)
def test_a_title_is_no_small_print_stands_above_the_addresses_and_may_number_its_series(tmp_path, around):
    page = first_page((200, 660, 16, TITLE), (200, 600, 12, "a.maker@clouds.example, b.maker@clouds.example"), around)
    (tmp_path / "a.pdf").write_bytes(pdf([page], bold=["Abstract", TITLE, "Cloud Search"]))
    assert read_document(tmp_path / "a.pdf").title == f"{TITLE} {around[3] if around[2] == 14 else ''}".strip()


@pytest.mark.parametrize(
    ("lines", "title"),
    [
        ([(70, 730, 18, TITLE), (70, 712, 14, "A Second Look"), (70, 670, 12, "A. Maker")], f"{TITLE} A Second Look"),
        ([(70, 730, 18, TITLE), (70, 712, 14, "A. Maker"), (70, 697, 12, "Institute of Clouds")], TITLE),
        ([(70, 730, 10, TITLE), (70, 690, 10, "B. Tester and C. Maker")], TITLE),
        ([(70, 730, 10, "Early Dust Studies (1956-1959)"), (70, 690, 9, "C. Maker")], "Early Dust Studies (1956-1959)"),
    ],
)
def test_a_subtitle_stands_nearer_to_the_title_than_to_the_authors(tmp_path, lines, title):
    (tmp_path / "a.pdf").write_bytes(pdf([first_page(*lines)], bold=["Abstract", *(line[3] for line in lines[:2])]))
    assert read_document(tmp_path / "a.pdf").title == title


@pytest.mark.parametrize(
    "lines",
    [
        [(70, 730, 16, "9 Dust and Light in Forty Cold Clouds")],  # A chapter.
        [(70, 730, 16, "Unheard Quixotic Musings:"), (70, 706, 16, TITLE)],  # The text has few words of its first line.
    ],
)
def test_a_title_may_have_a_number_or_a_first_line_that_the_text_does_not_repeat(tmp_path, lines):
    (tmp_path / "a.pdf").write_bytes(pdf([first_page(*lines)], bold=["Abstract"]))
    assert read_document(tmp_path / "a.pdf").title.casefold() == " ".join(line[3] for line in lines).casefold()


def test_words_of_a_title_that_stand_far_apart_are_read_row_by_row(tmp_path):
    rows = [
        (70, 730, 18, "Cold Dust"),
        (320, 730, 18, "in Forty"),
        (70, 708, 18, "Small Clouds"),
        (320, 708, 18, "of Gas"),
    ]
    (tmp_path / "a.pdf").write_bytes(pdf([first_page(*rows)], bold=["Abstract"]))
    assert read_document(tmp_path / "a.pdf").title == "Cold Dust in Forty Small Clouds of Gas"


def test_a_title_may_stand_in_the_middle_of_a_page_of_its_own(tmp_path):
    title_page = [(200, 400, 18, TITLE), (250, 360, 12, "A. Maker"), (250, 330, 12, "May 2015")]
    (tmp_path / "a.pdf").write_bytes(pdf([title_page, first_page((70, 730, 10, "Clouds"))], bold=["Abstract"]))
    assert read_document(tmp_path / "a.pdf").title == TITLE


THESIS = ["A dissertation submitted to the committee", "of the University of Clouds", "for the degree of doctor"]


@pytest.mark.parametrize(
    "lines",
    [
        [(70, 740, 22, "University of Clouds"), (70, 500, 14, TITLE), (70, 400, 10, "A. Maker")],
        [(70, 740, 30, "Diplomarbeit"), (70, 500, 14, TITLE), (70, 300, 10, "A. Maker")],
        [(70, 700, 14, TITLE), *((70, 500 - 20 * n, 14, line) for n, line in enumerate(THESIS))],
    ],
)
def test_the_title_of_a_thesis_is_what_its_first_pages_of_text_are_about(tmp_path, lines):
    thanks = [(70, 700, 10, "To my parents")]
    pages = [lines, thanks, thanks, thanks, first_page((70, 730, 10, "Clouds"))]
    (tmp_path / "a.pdf").write_bytes(pdf(pages, bold=["Abstract"]))
    assert read_document(tmp_path / "a.pdf").title == TITLE


def test_authors_side_by_side_do_not_break_the_text_of_the_columns_below_them(tmp_path):
    wanted = sentences(34, 40)
    lines = wrapped(" ".join(wanted))[:60]
    authors = [
        (x, 700 - 12 * n, 10, f"{word} {x}")
        for n, word in enumerate(("Maker", "Institute", "Road"))
        for x in (120, 400)
    ]
    page = [(120, 740, 18, TITLE), *authors, *two_columns(lines, 620, (30, 30), is_drawn_by_row=False)]
    (tmp_path / "a.pdf").write_bytes(pdf([page]))
    document = read_document(tmp_path / "a.pdf")
    assert document.sections[0].paragraphs[0].text == " ".join(lines)
    assert document.front.split("\n") == [
        TITLE,
        *(line[3] for line in authors[::2]),
        *(line[3] for line in authors[1::2]),
    ]


def test_a_title_is_read_as_whole_lines_whatever_stands_beside_it(tmp_path):
    beside = [(400, 745 - 11 * n, 7, f"Cloud Letters {n}") for n in range(5)]
    title = [(70, 740, 18, "Dust and light in"), (70, 718, 18, "forty cold clouds")]
    (tmp_path / "a.pdf").write_bytes(pdf([first_page(*beside, *title)]))
    assert read_document(tmp_path / "a.pdf").title == TITLE


def test_russian_in_a_font_of_tex_without_a_map_is_read(tmp_path):
    russian = "Пыль и свет в сорока холодных облаках межзвездной среды"
    lines = [(70, 730, 18, russian), *((70, 600 - 12 * n, 10, f"{russian} видны") for n in range(20))]
    as_latin = [(*place, text.encode("cp1251").decode("latin-1")) for *place, text in lines]
    (tmp_path / "a.pdf").write_bytes(pdf([as_latin]))
    document = read_document(tmp_path / "a.pdf")
    assert (document.title, document.sections[0].paragraphs[0].text.split()[0]) == (russian, "Пыль")


@pytest.mark.parametrize(
    ("pages", "bold"),
    [
        ([[(250, 740, 22, "Cloud Studies"), (70, 660, 16, TITLE)]], ()),  # The name of a journal may be larger.
        ([[(250, 740, 22, "Technical Notes and Correspondence"), (70, 660, 10, TITLE)]], (TITLE,)),
        ([[(70, 730, 16, "Dust and light in"), (220, 730, 16, f"{SLANTED}forty cold clouds")]], ()),
        ([[(70, 730, 10, "Draft version July 10, 2023")], [(200, 660, 16, TITLE)]], ()),
        ([[(70, 712, 18, TITLE)], [(70, 740, 12, "Clouds in far light")]], ()),
    ],
)
def test_a_title_is_what_the_text_is_about_and_stands_apart_from_it(tmp_path, pages, bold):
    (tmp_path / "a.pdf").write_bytes(pdf([*pages[:-1], first_page(*pages[-1])], bold=["Abstract", *bold]))
    assert read_document(tmp_path / "a.pdf").title.casefold() == TITLE.casefold()


def test_a_font_of_pictures_is_as_large_as_its_letters(tmp_path):
    lines = [(50, 700, 0.16, TITLE), *((50, 600 - 12 * n, 0.1, line) for n, line in enumerate(wrapped(ABSTRACT * 3)))]
    (tmp_path / "a.pdf").write_bytes(pdf([lines], is_bitmap=True))
    document = read_document(tmp_path / "a.pdf")
    assert document.title == TITLE
    assert ABSTRACT.strip() in document.sections[0].paragraphs[0].text


@pytest.mark.parametrize(
    "words",
    [
        "This is the author's version of a work that was accepted for publication.",
        "To cite this version: A. Maker. Another title. HAL Id: hal-01234567",
        "See discussions, stats, and author profiles for this publication at an address",
        "Your use of the JSTOR archive indicates your acceptance of its terms",
        "This content has been downloaded from IOPscience. Please scroll down.",
        "This is a repository copy of Another title.",
    ],
)
def test_a_cover_page_is_named_and_gives_no_title(tmp_path, words):
    cover = [(70, 700, 20, "Another title"), (70, 600, 10, words), (70, 500, 10, "https://doi.org/10.1234/dust.5")]
    (tmp_path / "a.pdf").write_bytes(pdf([cover, first_page((70, 660, 16, TITLE))], bold=["Abstract"]))
    document = read_document(tmp_path / "a.pdf")
    assert (document.title, document.identifiers) == (TITLE, ("doi:10.1234/dust.5",))
    assert document.provenance.warnings[0].startswith("page 1 is the cover page")
    assert document.sections[0].paragraphs[0].page == 2


def test_a_page_on_its_side_is_read_and_a_table_on_its_side_is_named(tmp_path):
    lines = wrapped(ABSTRACT * 8, 90)
    turned = [(60 + 12 * n, 60, 10, UP + line) for n, line in enumerate(lines)]
    upright = [(50, 700 - 12 * n, 10, line) for n, line in enumerate(lines)]
    table = [(450 + 12 * n, 60, 8, UP + "A cell of a wide table, another cell of it, and a third") for n in range(9)]
    (tmp_path / "a.pdf").write_bytes(pdf([upright, turned, upright[:40] + table]))
    document = read_document(tmp_path / "a.pdf")
    paragraphs = [paragraph for section in document.sections for paragraph in section.paragraphs]
    (paragraph,) = (each for each in paragraphs if each.page == 2)
    assert (paragraph.text, paragraph.box) == ((ABSTRACT * 8).strip(), None)
    assert [warning[:6] for warning in document.provenance.warnings if "sideways" in warning] == ["page 3"]


def test_a_list_of_authors_is_no_abstract(tmp_path):
    authors = ", ".join(f"A. B. Maker{n}, Christina van Maker{n}" for n in range(20))
    page = [(70, 700, 16, TITLE), *((70, 670 - 12 * n, 10, line) for n, line in enumerate(wrapped(authors, 90)))]
    page += [(70, 500 - 12 * n, 10, line) for n, line in enumerate(wrapped(ABSTRACT * 4, 90))]
    (tmp_path / "a.pdf").write_bytes(pdf([page]))
    (section,) = read_document(tmp_path / "a.pdf").sections
    assert section.paragraphs[0].text == (ABSTRACT * 4).strip()


def works(count):
    return [
        [
            f"Maker, A., Builder, B. C., & Writer{n}, D. 20{10 + n}, Journal of",
            f"Cold Clouds, {n}, 1{n}, doi:10.1234/{n}",
        ]
        for n in range(count)
    ]


@pytest.mark.parametrize("heading", ["References", "REFERENCES", "Bibliography"])
@pytest.mark.parametrize("size", [7, 10])
def test_a_list_in_two_columns_over_two_pages_is_split_by_its_hanging_indents(tmp_path, heading, size):
    def listed(entries, left, top):
        rows = [row for entry in entries for row in zip((left, left + 10), entry, strict=True)]
        return [(x, top - 12 * n, size, text) for n, (x, text) in enumerate(rows)]

    entries = works(24)
    text = [(50, 760 - 12 * n, 10, line) for n, line in enumerate(wrapped(ABSTRACT * 12, 90))]
    first = [*text, (50, 480, size, heading), *listed(entries[:8], 50, 460), *listed(entries[8:16], 315, 460)]
    second = [*listed(entries[16:20], 50, 740), *listed(entries[20:], 315, 740)]
    (tmp_path / "a.pdf").write_bytes(pdf([first, second]))
    assert [each.text for each in read_document(tmp_path / "a.pdf").references] == [" ".join(each) for each in entries]


def test_a_list_goes_on_past_a_table_and_ends_before_pictures_whose_legends_are_no_heading_of_it(tmp_path):
    entries = [f"[{n}] {' '.join(entry)}" for n, entry in enumerate(works(6), 1)]
    cells = [(60 + 100 * cell, 740 - 12 * row, 10, f"{row}.{cell}") for row in range(4) for cell in range(4)]
    points = [(60 + 90 * cell, 740 - 12 * row, 6, "* *") for row in range(30) for cell in range(6)]
    legends = [(90, 760, 6, "Reference"), (300, 760, 6, "Reference")]
    text = [(50, 740 - 12 * n, 10, line) for n, line in enumerate(wrapped(ABSTRACT * 12, 90))]
    first = [*text, (50, 300, 10, "References"), *((50, 270 - 14 * n, 10, line) for n, line in enumerate(entries[:4]))]
    second = [*cells, *((50, 660 - 14 * n, 10, line) for n, line in enumerate(entries[4:]))]
    (tmp_path / "a.pdf").write_bytes(
        pdf([text, [*points, *legends, (60, 300, 8, "Figure 1. Dust.")], first, second, points], bold=["References"])
    )
    document = read_document(tmp_path / "a.pdf")
    assert [each.text for each in document.references] == [" ".join(entry) for entry in works(6)]


def test_labels_of_names_and_years_begin_references(tmp_path):
    names = [f"[Maker, Builder, and Roe 20{n:02}] {first}" for n, (first, _) in enumerate(works(9))]
    lines = [line for name, (_, second) in zip(names, works(9), strict=True) for line in (name, second)]
    text = [(50, 740 - 12 * n, 10, line) for n, line in enumerate(wrapped(ABSTRACT * 8, 90))]
    rows = [(50, 580 - 12 * n, 10, line) for n, line in enumerate(("References", *lines))]
    (tmp_path / "a.pdf").write_bytes(pdf([[*text, *rows]], bold=["References"]))
    assert [each.text[:7] for each in read_document(tmp_path / "a.pdf").references] == ["[Maker,"] * 9


def test_a_list_without_a_heading_ends_at_the_next_known_heading(tmp_path):
    entries = [f"[{n}] {' '.join(entry)}" for n, entry in enumerate(works(6), 1)]
    lines = [*wrapped(ABSTRACT * 8, 90), *entries, "", "Acknowledgements", "", *wrapped(ABSTRACT * 2, 90)]
    page = [(50, 740 - 12 * n, 10, line) for n, line in enumerate(lines) if line]
    (tmp_path / "a.pdf").write_bytes(pdf([page], bold=["Acknowledgements"]))
    document = read_document(tmp_path / "a.pdf")
    assert [each.text for each in document.references] == [" ".join(each) for each in works(6)]
    assert document.sections[-1].title == "Acknowledgements"


def test_headings_stand_below_each_other_and_statements_and_addresses_are_none(tmp_path):
    body = wrapped(ABSTRACT, 90)
    bold = ["3 Results of clouds", "3.1 Dust in cold", "4 circDust in clouds", "Lemma 1.", "dark places"]
    lines = [
        (70, 700, 16, TITLE),
        (70, 676, 10, "A. Maker"),
        (70, 659, 6, "2"),
        (74, 656, 10, "Institute of Dust, London"),
    ]
    lines += [(50, 620 - 12 * n, 10, line) for n, line in enumerate(body * 3)]
    lines += [(50, 520, 12, bold[0]), (50, 505, 12, bold[1]), (74, 490, 12, bold[4])]
    lines += [(50, 470 - 12 * n, 10, line) for n, line in enumerate(body * 2)]
    lines += [(50, 420, 12, bold[2]), *((50, 400 - 12 * n, 10, line) for n, line in enumerate(body * 2))]
    lines += [(50, 340, 10, bold[3]), (96, 340, 10, "Dust is cold where it shines in far infrared light.")]
    lines += [
        (50, 310, 10, "4.1.1 Cold clouds. Dust is cold where it shines in far infrared light, and winds carry it.")
    ]
    (tmp_path / "a.pdf").write_bytes(pdf([lines], bold=bold))
    document = read_document(tmp_path / "a.pdf")
    titles = [section.title for section in document.sections if section.title != "Abstract"]
    assert titles == ["Results of clouds", "Dust in cold dark places", "circDust in clouds", "Cold clouds"]


def test_type_in_pictures_is_not_that_of_the_text(tmp_path):
    points = [(60 + 20 * cell, 740 - 8 * row, 4, "0.5") for row in range(80) for cell in range(25)]
    text = [(50, 740 - 12 * n, 10, line) for n, line in enumerate(wrapped(ABSTRACT * 4, 90))]
    shown = [
        (50, 600, 10, "Dust"),
        (50, 570, 10, "Cold dust of clouds"),
        *((x, up - 210, 10, line) for x, up, _, line in text),
    ]
    (tmp_path / "a.pdf").write_bytes(pdf([[*text, *shown], points, points], bold=["Dust"]))
    assert [section.title for section in read_document(tmp_path / "a.pdf").sections if section.title] == ["Dust"]


def test_a_list_without_a_heading_begins_at_its_first_number_even_within_a_block(tmp_path):
    lines = [*wrapped(ABSTRACT * 8, 90), *(f"[{n}] {' '.join(entry)}" for n, entry in enumerate(works(6), 1))]
    (tmp_path / "a.pdf").write_bytes(pdf([[(50, 740 - 12 * n, 10, line) for n, line in enumerate(lines)]]))
    document = read_document(tmp_path / "a.pdf")
    assert [each.text for each in document.references] == [" ".join(each) for each in works(6)]
    assert "[1]" not in " ".join(each.text for section in document.sections for each in section.paragraphs)


@pytest.mark.parametrize(("n_entries", "n_pages", "is_doubtful"), [(2, 6, True), (3, 6, False), (2, 5, False)])
def test_a_list_too_short_for_its_paper_is_said(tmp_path, n_entries, n_pages, is_doubtful):
    page = [(50, 740 - 12 * n, 10, line) for n, line in enumerate(wrapped(ABSTRACT * 8, 90))]
    entries = [f"[{n}] {' '.join(entry)}" for n, entry in enumerate(works(n_entries), 1)]
    last = [(50, 740 - 20 * n, 10, line) for n, line in enumerate(("References", *entries))]
    (tmp_path / "a.pdf").write_bytes(pdf([*[page] * (n_pages - 1), last], bold=["References"]))
    document = read_document(tmp_path / "a.pdf")
    assert len(document.references) == n_entries
    assert any("reference list" in warning for warning in document.provenance.warnings) is is_doubtful


@pytest.mark.parametrize(("n_empty", "named"), [(1, "page 2 has"), (3, "pages 2, 3, 4 have")])
def test_what_could_not_be_read_is_said_once_when_a_text_is_added(tmp_path, n_empty, named):
    pages = [first_page((70, 660, 16, TITLE)), *([] for _ in range(n_empty))]
    (tmp_path / "a.pdf").write_bytes(pdf(pages, bold=["Abstract"]))
    warnings = read_document(tmp_path / "a.pdf").provenance.warnings
    assert len(warnings) == 2
    assert warnings[0].startswith(f"{named} no text, and w")
    outcome = FileOutcome("a.pdf", PaperMatch("a", "title"), TextFormat.PDF, warnings=warnings)
    assert add.write((outcome,))["added"][0]["warnings"] == list(warnings)
