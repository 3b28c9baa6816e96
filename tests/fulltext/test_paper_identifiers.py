import pytest

from pathfinder.fulltext.document import checked_identifier, paper_identifiers
from pathfinder.fulltext.formats import read_document
from tests.fulltext.made_pdf import pdf

STAMP = "arXiv:2605.19850v1 [astro-ph.GA] 19 May 2026"


@pytest.mark.parametrize(
    ("lines", "identifiers"),
    [
        (["MNRAS 493, 2215 (2020)", "doi:10.1093/mnras/staa123"], ("doi:10.1093/mnras/staa123",)),
        (["https://doi.org/10.3847/1538-4357/ab1234.", STAMP], ("doi:10.3847/1538-4357/ab1234", "arxiv:2605.19850")),
        (["ArXiv ePrint: 1907.10121"], ("arxiv:1907.10121",)),
        (["arXiv:astro-ph/9805201v1 [astro-ph] 15 May 1998"], ("arxiv:astro-ph/9805201",)),
        (["2020MNRAS.493.2215A"], ("bibcode:2020MNRAS.493.2215A",)),
        (["arXiv:1907.10121, a companion", STAMP], ("arxiv:2605.19850",)),  # the stamp says which is meant
        (["doi:10.1093/mnras/staa123", "doi:10.1093/mnras/staa124"], ()),  # two papers: neither
        (["Data: https://doi.org/10.5281/zenodo.123456"], ()),
        (["2605.19850"], ()),
    ],
)
def test_the_first_page_names_its_paper_by_what_stands_outside_the_text(lines, identifiers):
    assert paper_identifiers(lines) == identifiers


def test_a_field_of_a_file_counts_if_it_holds_what_it_says():
    assert checked_identifier("arxiv", "arXiv:2408.01556v2") == "arxiv:2408.01556"
    assert checked_identifier("doi", "https://doi.org/10.1/x") is None
    assert checked_identifier("doi", "10.1234/x") == "doi:10.1234/x"
    assert checked_identifier("pmid", "1234567") == "pmid:1234567"


def test_a_pdf_is_named_by_its_head_and_never_by_its_text_or_its_references(tmp_path):
    words = "We see the dust in doi:10.1093/mnras/staa999 and more of it goes on over the line"
    page = [
        (50, 770, 8, "The Journal of Dust 12, 34 https://doi.org/10.3847/1538-4357/ab1234"),
        (50, 720, 18, "Dust in a cold cloud"),
        (50, 660, 10, "1 Introduction"),
        *((50, 640 - 12 * n, 10, words) for n in range(8)),
        (50, 500, 10, "References"),
        (50, 480, 10, "[1] Lee, A. 2005, AJ, doi:10.1088/0004-6256/1/2"),
    ]
    (tmp_path / "a.pdf").write_bytes(pdf([page], bold=["1 Introduction", "References"]))
    assert read_document(tmp_path / "a.pdf").identifiers == ("doi:10.3847/1538-4357/ab1234",)


def test_latex_and_text_are_named_by_what_stands_before_the_abstract(tmp_path):
    (tmp_path / "a.tex").write_text(
        "\\documentclass{article}\n\\arxivnumber{2605.19850}\\begin{document}\\title{Dust}\\doi{10.1234/dust}\n"
        "\\begin{abstract}See doi:10.1234/other.\\end{abstract}\\section{Dust} Cold.\n\\end{document}"
    )
    (tmp_path / "a.txt").write_text(
        f"Dust\n\nA. Maker\n\n{STAMP}\n\n1 Introduction\n\nSee doi:10.1234/other.\n\nReferences\n\nLee, doi:10.1234/y\n"
    )
    identifiers = [read_document(tmp_path / name).identifiers for name in ("a.tex", "a.txt")]
    assert identifiers == [("doi:10.1234/dust", "arxiv:2605.19850"), ("arxiv:2605.19850",)]
