import pytest

from pathfinder.fulltext.citing import AuthorCitations, ListedWork, numbered_citations, raised_citations
from pathfinder.fulltext.document import InTextCitation
from pathfinder.fulltext.formats import read_document

ENTRY_LINES = """
Riess A. G., Casertano S., Yuan W., 2022, ApJL, 934, L7
Riess, A. G., Yuan, W., Macri, L. M., et al. 2021, ApJL, 908, L6
W. L. Freedman, B. F. Madore, ApJ 553, 2010 (2001)
Smith, J., & Jones, K. 2019a, AJ, 1, 2
Smith, J., & Jones, K. 2019b, AJ, 1, 3
Planck Collaboration, Aghanim N., et al., 2020, A&A, 641, A6
van der Wel A., Žibek B., 2014, ApJ, 788, 28
Lee, A. 2005, AJ, 1, 4
Lee, A., & Kim, B. 2005, AJ, 1, 5
O'Donnell, J. E. 1994, ApJ, 422, 158
ten Brink, A., & de la Cruz, B. 2013, AJ, 1, 6
Wu X (2015) A flare of 2011. J. Flares 12
""".strip().split("\n")
ENTRIES = [(entry.split()[0].strip(",") + entry[-2:], entry) for entry in ENTRY_LINES]


def keys_of(text):
    return [(text[each.start : each.end], each.keys) for each in AuthorCitations(ENTRIES).citations(f"{text} say.")]


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("Riess et al. (2022)", [("Riess et al. (2022)", ("RiessL7",))]),
        ("Riess, Casertano and Yuan (2022)", [("Riess, Casertano and Yuan (2022)", ("RiessL7",))]),
        ("In Freedman & Madore (2001)", [("Freedman & Madore (2001)", ("W.1)",))]),
        ("(Smith & Jones 2019a; Wu 2015)", [("Smith & Jones 2019a", ("Smith 2",)), ("Wu 2015", ("Wu12",))]),
        ("(e.g. Smith & Jones 2019a,b)", [("Smith & Jones 2019a,b", ("Smith 2", "Smith 3"))]),
        ("[Riess et al., 2021, 2022]", [("Riess et al., 2021, 2022", ("RiessL6", "RiessL7"))]),
        ("Planck Collaboration VI (2020)", [("Planck Collaboration VI (2020)", ("PlanckA6",))]),
        ("Van der Wel and Zibek (2014)", [("Van der Wel and Zibek (2014)", ("van28",))]),
        ("Lee (2005) and Lee & Kim (2005)", [("Lee (2005)", ("Lee 4",)), ("Lee & Kim (2005)", ("Lee 5",))]),
        ("see ten Brink & de la Cruz (2013)", [("ten Brink & de la Cruz (2013)", ("ten 6",))]),
        ("O’Donnell’s (1994) law", [("O’Donnell’s (1994)", ("O'Donnell58",))]),
    ],
)
def test_a_citation_by_author_and_year_is_resolved_to_its_entry(text, keys):
    assert keys_of(text) == keys


def test_a_citation_that_fits_no_entry_or_two_names_none():
    assert keys_of("Unknown et al. (2022)") == [("Unknown et al. (2022)", ())]
    assert keys_of("Smith & Jones (2019)") == []  # a or b
    assert keys_of("Freedman & Nobody (2001)") == []
    assert keys_of("In January 2019 we saw NGC 2022, Field 2005") == []


def test_the_year_of_an_entry_is_not_its_page_or_a_year_in_its_title():
    years = [ListedWork.of(*entry).year for entry in ENTRIES]
    assert years == "2022 2021 2001 2019 2019 2020 2014 2005 2005 1994 2013 2015".split()
    assert ListedWork.of("1", "A report without a year") is None


def test_numbers_in_brackets_cite_the_references_that_exist():
    (citation,) = numbered_citations("Seen before [2, 4-6].", {"2", "5", "6"})
    assert (citation.start, citation.end, citation.keys) == (12, 20, ("2", "5", "6"))


def test_citations_of_plain_text_are_resolved_and_an_interval_beside_them_is_none(tmp_path):
    (tmp_path / "a.txt").write_text(
        "Dust\n\nIt is (Lee 2005) cold (Wu 2015) [1, 2].\n\nReferences\n\nLee, A. 2005, AJ\nWu X (2015) J. 12\n"
    )
    document = read_document(tmp_path / "a.txt")
    assert [reference.text for reference in document.references] == ["Lee, A. 2005, AJ", "Wu X (2015) J. 12"]
    assert document.sections[0].paragraphs[0].citations == (
        InTextCitation(7, 15, ("1",)),  # behind "It is (" stand the 8 characters of "Lee 2005"
        InTextCitation(23, 30, ("2",)),
    )


def test_a_list_that_was_typed_without_an_environment_is_the_reference_list(tmp_path):
    (tmp_path / "a.tex").write_text(
        "\\documentclass{article}\\begin{document}\\section{Dust} See Lee (2005).\n"
        "\\section*{References}\nLee, A. 2005, AJ\n\nWu X., 2015, J.\n\\end{document}"
    )
    document = read_document(tmp_path / "a.tex")
    assert [section.title for section in document.sections] == ["Dust"]
    assert document.sections[0].paragraphs[0].citations == (InTextCitation(4, 14, ("1",)),)


def test_citations_typed_as_text_are_resolved_in_latex_and_jats_beside_marked_ones(tmp_path):
    (tmp_path / "a.tex").write_text(
        r"\documentclass{article}\begin{document}By hand: Wu et al. (2015). Marked: \citet{lee}."
        r"\begin{thebibliography}{9}\bibitem[Lee(2005)]{lee} Lee, A. 2005, AJ \bibitem{wu} Wu X., 2015, J."
        r"\end{thebibliography}\end{document}"
    )
    (tmp_path / "a.xml").write_text(
        '<article><body><p>Wu (<xref ref-type="bibr" rid="r2">2015</xref>) and Lee (2005).</p></body><back><ref-list>'
        '<ref id="r1"><mixed-citation>Lee, A. 2005</mixed-citation></ref>'
        '<ref id="r2"><mixed-citation>Wu X. 2015</mixed-citation></ref></ref-list></back></article>'
    )
    keys_by_text = []
    for name in ("a.tex", "a.xml"):
        (section,) = read_document(tmp_path / name).sections
        (paragraph,) = section.paragraphs
        keys_by_text.append([(paragraph.text[each.start : each.end], each.references) for each in paragraph.citations])
    assert keys_by_text == [
        [("Wu et al. (2015)", ("wu",)), ("Lee (2005)", ("lee",))],
        [("2015", ("r2",)), ("Lee (2005)", ("r1",))],
    ]


REFERENCES = frozenset(map(str, range(1, 13)))


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("Galaxies grow by mergers.⁴", [("⁴", ("4",))]),
        ("as was seen before ⁵ in this field", [("⁵", ("5",))]),
        ("as was seen before²,⁵⁻⁷ in this field", [("²,⁵⁻⁷", ("2", "5", "6", "7"))]),
        ("in three surveys¹;¹²", [("¹;¹²", ("1", "12"))]),
        ("a mass of 10⁶ suns, 4 s⁻¹ and 3 km² or kpc³", []),
        ("of 4πR²σT⁴", []),
        ("a reference that is not listed¹³", []),
    ],
)
def test_raised_numbers_cite_the_references_that_exist_and_exponents_do_not(text, keys):
    assert [(text[each.start : each.end], each.keys) for each in raised_citations(text, REFERENCES)] == keys


def test_raised_numbers_are_citations_only_where_they_cite_at_least_half_of_the_references(tmp_path):
    def citations(*sentences):
        reference_list = "\n\n".join(f"{n}. Author{n} A., 2001, Journal, {n}, 1. Title" for n in range(1, 5))
        (tmp_path / "paper.md").write_text(
            "# Title\n\n" + " ".join(sentences) + f"\n\n## References\n\n{reference_list}\n"
        )
        document = read_document(tmp_path / "paper.md")
        return [each.references for part in document.sections for text in part.paragraphs for each in text.citations]

    assert citations("Stars form.¹ Gas cools.³ It falls.⁴") == [("1",), ("3",), ("4",)]
    assert citations("The energy is that of an isothermal sphere⁴ alone.") == []
