"""Formatted references: what each style writes, what is left out, and what is no style."""

import re
from dataclasses import replace

import pytest

from pathfinder.errors import UsageError
from pathfinder.operations.export.references import STYLES, csl_item, incomplete_note, references, references_text
from pathfinder.text.identifiers import volume_and_page
from pathfinder.text.journal_places import place_of
from pathfinder.types import Paper

RIESS = Paper(
    "riess-2021",
    "Cosmic distances with $H_0$ & <b>more</b>",
    "",
    authors=("Riess, Adam G.", "Casertano, Stefano", "SH0ES Collaboration"),
    year=2021,
    journal="ApJL",
    bibcode="2021ApJ...908L...6R",
    doi="10.3847/2041-8213/abdbaf",
)
HUBBLE = Paper("hubble-1929", "A relation", "", authors=("Hubble, E.",), year=1929, journal="PNAS")
PREPRINT = Paper("iyer-2024", "Pathfinder", "", authors=("Iyer, Kartheik G.",), year=2024, arxiv_id="2408.01556")


def test_references_to_journals_without_volume_pages_or_doi_are_counted():
    note = incomplete_note([RIESS, HUBBLE, replace(RIESS, doi=None), PREPRINT])
    assert note is not None
    assert note.startswith("2 references ")
    assert incomplete_note([RIESS, PREPRINT]) is None


def test_short_gives_authors_year_journal_volume_page_and_doi_by_author():
    assert references([RIESS, HUBBLE, PREPRINT], "short") == [
        "Hubble, E. 1929, PNAS",
        "Iyer, K. G. 2024, arXiv:2408.01556",
        "Riess, A. G., Casertano, S., & SH0ES Collaboration 2021, ApJL, 908, L6, doi:10.3847/2041-8213/abdbaf",
    ]


def test_titles_gives_titles_and_addresses_and_no_address_of_a_search():
    assert references([RIESS, HUBBLE], "titles") == [
        "Hubble, E. 1929. “A relation”. PNAS.",
        (
            "Riess, Adam G., Stefano Casertano, and SH0ES Collaboration. 2021. "
            "“Cosmic distances with H₀ & <b>more</b>”. ApJL 908: L6. https://doi.org/10.3847/2041-8213/abdbaf."
        ),
    ]


def test_numbered_keeps_the_order():
    assert references([PREPRINT, HUBBLE], "numbered") == [
        "[1] K. G. Iyer, “Pathfinder”, (2024), arXiv:2408.01556.",
        "[2] E. Hubble, “A relation”, PNAS, (1929).",
    ]


@pytest.mark.parametrize(
    ("n_listed", "n_authors", "expected"),
    [
        (1, 15, "Name0, A., et al. 2000"),
        (2, 3, "Name0, A., Name1, A., et al. 2000"),
        (5, 5, "Name0, A., Name1, A., Name2, A., Name3, A., & Name4, A. 2000"),
        (6, 6, "Name0, A., Name1, A., Name2, A., et al. 2000"),
        (9, 3000, "Name0, A., Name1, A., Name2, A., et al. 2000"),
    ],
)
def test_authors_whom_the_source_or_the_style_leaves_out_are_others(n_listed, n_authors, expected):
    authors = tuple(f"Name{number}, A." for number in range(n_listed))
    assert references([Paper("a", "T", "", authors=authors, n_authors=n_authors, year=2000)]) == [expected]


@pytest.mark.parametrize("style", STYLES)
def test_a_paper_of_which_only_the_title_is_known_is_not_lost(style):
    (line,) = references([Paper("x", "The Sun", "")], style)
    assert "The Sun" in line


@pytest.mark.parametrize("style", STYLES)
def test_two_papers_are_two_lines_even_if_their_ids_differ_in_case_alone(style):
    twins = [replace(HUBBLE, paper_id="a"), replace(HUBBLE, paper_id="A")]
    assert references_text(twins, style).count("Hubble") == 2


@pytest.mark.parametrize(
    ("bibcode", "parts"),
    [
        ("2021ApJ...908L...6R", ("908", "L6")),
        ("2020A&A...641A...6P", ("641", "A6")),
        ("2016PhRvL.116f1102A", ("116", "061102")),  # f is the sixth letter
        ("1998AJ....116.1009R", ("116", "1009")),
        ("2024arXiv240801556I", None),
        ("1905AnP...322..891E", ("322", "891")),
        ("not a bibcode", None),
    ],
)
def test_volume_and_page_are_those_that_the_journal_prints(bibcode, parts):
    assert volume_and_page(bibcode) == parts


def test_what_is_unknown_is_left_out_of_csl():
    assert csl_item(PREPRINT).keys() == {"id", "type", "title", "author", "issued", "number", "URL"}


def test_any_file_in_csl_is_a_style(tmp_path):
    path = tmp_path / "short.csl"
    path.write_text(
        '<style xmlns="http://purl.org/net/xbiblio/csl" class="in-text" version="1.0" default-locale="en-US"><info/>'
        '<citation><layout><text variable="title"/></layout></citation>'
        '<bibliography><layout><text variable="title" suffix="!"/></layout></bibliography></style>'
    )
    assert references([HUBBLE], str(path)) == ["A relation!"]


def test_what_is_no_style_is_refused(tmp_path):
    with pytest.raises(UsageError, match=r"'mla'.*short, titles, numbered"):
        references([HUBBLE], "mla")
    for text in ("no XML", "<html/>"):
        path = tmp_path / "style.csl"
        path.write_text(text)
        with pytest.raises(UsageError, match=re.escape(f"{path} is not a citation style in CSL 1.0")):
            references([HUBBLE], str(path))


@pytest.mark.parametrize(
    ("journal", "venue", "bibcode", "place"),
    [
        ("MNRAS 322, 231-246", "MNRAS", None, ("MNRAS", "322", "231-246")),
        ("Proceedings of Dust, L7", "Proceedings of Dust", None, ("Proceedings of Dust", None, "L7")),
        ("Nature 419 904-906", "Nature", None, ("Nature", "419", "904-906")),
        ("Icarus 4", "Icarus", None, ("Icarus", "4", None)),
        ("Astrophys.J. 142 (1965) 419-421", None, None, ("Astrophys.J.", "142", "419-421")),
        ("Phys. Rev. Lett. 116, 061102 (2016)", None, None, ("Phys. Rev. Lett.", "116", "061102")),
        ("Phys. Rev. D23 (1981) 347-356", None, None, ("Phys. Rev.", "D23", "347-356")),
        ("Mon.Not.Roy.Astron.Soc.322:231-246,2001", None, None, ("Mon.Not.Roy.Astron.Soc.", "322", "231-246")),
        ("Astrophys.J.Lett. 934 (2022) 1, L7", None, None, ("Astrophys.J.Lett.", "934", "L7")),
        ("A&A", "A&A", "2020A&A...641A...6P", ("A&A", "641", "A6")),
        ("ApJ 142 (1965) 419-421", None, "1965ApJ...142..419P", ("ApJ", "142", "419-421")),
        ("Proc. 7th Dust Meeting, Lyon", None, None, ("Proc. 7th Dust Meeting, Lyon", None, None)),
        ("Astron. J. 2001, 122, 2749", None, None, ("Astron. J. 2001, 122, 2749", None, None)),
        (None, None, "1965ApJ...142..419P", (None, None, None)),
        ("Dust 96 B, 12-14", "Dust", None, ("Dust", "96 B", "12-14")),
        ("Dust 12, 1-5, 7-9", "Dust", None, ("Dust", "12", "1-5, 7-9")),
        ("Dust 12, 119-130 (in Russian)", "Dust", None, ("Dust", "12", "119-130 (in Russian)")),
        ("Dust XIV, 7", "Dust", None, ("Dust", "XIV", "7")),
        ("Icarus 12, 45 (2001)", "Icarus", None, ("Icarus", "12", "45")),
        ("Icarus, 12, 45 (2001)", "Icarus", None, ("Icarus", "12", "45")),
        (
            "The Astrophysical Journal Letters",
            "The Astrophysical Journal",
            None,
            ("The Astrophysical Journal", None, None),
        ),
        ("Nature Astronomy 2", "Nature", None, ("Nature", None, None)),
        ("Physical Review D", "Physical Review", None, ("Physical Review", None, None)),
        ("Physical Review C", "Physical Review", None, ("Physical Review", None, None)),
    ],
)
def test_the_place_in_a_journal_is_read_from_the_record_the_bibcode_or_one_text(journal, venue, bibcode, place):
    found = place_of(Paper("p", "T", "", year=2001, journal=journal, venue=venue, bibcode=bibcode))
    assert (found.journal, found.volume, found.pages) == place
