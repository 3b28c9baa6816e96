"""BibTeX as people have it: written by other tools, half broken, in any encoding."""

import datetime
from dataclasses import replace
from pathlib import Path

import bibtexparser
import pytest
from bibtexparser.model import Entry, Field

from pathfinder.corpus.links import paper_links
from pathfinder.corpus.readers import RejectedRow, read_papers
from pathfinder.operations.export.bibtex import bibtex
from pathfinder.operations.export.tables import papers_csv
from pathfinder.text.latex.display import readable
from pathfinder.types import Paper


def papers(folder: Path, content: str | bytes) -> list[Paper | RejectedRow]:
    path = folder / "library.bib"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return list(read_papers(path))


def entry(folder: Path, fields: str) -> Paper:
    (paper,) = papers(folder, f"@article{{key, title = {{T}}, {fields}}}")
    assert isinstance(paper, Paper)
    return paper


def test_an_entry_of_ads_becomes_a_paper(tmp_path):
    paper = entry(
        tmp_path,
        r"""author = {{Planck Collaboration} and {Aghanim}, N. and {G{\'o}rski}, K.~M.},
        journal = {\aap}, keywords = {cosmology: observations, cosmic background radiation,
        Astrophysics - Cosmology and Nongalactic Astrophysics, Quantum Physics,
        Computer Science - Distributed, Parallel, and Cluster Computing, Quantitative Finance - Risk},
        year = 2020, month = sep, doi = {10.1051/0004-6361/201833910}, archivePrefix = {arXiv}, eprint = {1807.06209},
        primaryClass = {astro-ph.CO}, adsurl = {https://ui.adsabs.harvard.edu/abs/2020A\%26A...641A...6P}""",
    )
    assert replace(paper, provenance=(), record_fields=()) == Paper(
        paper_id="1807.06209",
        title="T",
        abstract="",
        authors=("Planck Collaboration", "Aghanim, N.", "Górski, K. M."),
        year=2020,
        journal="Astronomy & Astrophysics",
        venue="Astronomy & Astrophysics",
        categories=("astro-ph.CO",),
        subjects=("cosmology: observations", "cosmic background radiation"),
        bibcode="2020A&A...641A...6P",
        arxiv_id="1807.06209",
        doi="10.1051/0004-6361/201833910",
    )
    assert paper.provenance[0].record_id == "key"


def test_our_own_export_comes_back_equal(tmp_path):
    exported_text = (
        Paper(
            "2018MNRAS.476.1234S",
            r"Gas at 100% in the Coma cluster \& $M_\odot$: Über β 5–6 σ",
            "We find 10% of $10^{5}$ $M_\\odot$ at z ~ 2 — “more” than [12] & others_too.",
            authors=("van der Marel, Roeland P.", "The LIGO Collaboration", "O'Neil, José, Jr."),
            year=2018,
            journal="Monthly Notices & Letters 476, 1234",
            venue="Monthly Notices & Letters",
            categories=("astro-ph.GA",),
            bibcode="2018MNRAS.476.1234S",
            arxiv_id="1801.00001",
            doi="10.1093/mnras/sty_1",
            date=datetime.date(2018, 3, 4),
            subjects=("galaxies: clusters", "gas"),
            pmid="31452104",
            status="retracted",
            status_from="publisher, retraction-watch",
        ),
        Paper("x", "A title, alone", ""),
    )
    back = papers(tmp_path, bibtex(exported_text, {"x": "openalex"}))
    for before, after in zip(exported_text, back, strict=True):
        assert readable(after.title) == readable(before.title)
        assert readable(after.abstract) == readable(before.abstract)
        not_exported = {"paper_id": "", "title": "", "abstract": "", "provenance": (), "record_fields": ()}
        assert replace(after, **not_exported) == replace(before, **not_exported)


def test_an_entry_that_ads_has_exported_keeps_ads_as_its_source(tmp_path):
    (paper,) = papers(
        tmp_path,
        "@ARTICLE{2022A&A...667A..62B, title={Dust}, abstract={We measure dust.}, "
        "adsurl={https://ui.adsabs.harvard.edu/abs/2022A&A...667A..62B}, "
        "adsnote={Provided by the SAO/NASA Astrophysics Data System}}",
    )
    assert [record.source for record in paper.provenance] == ["ads"]
    assert "We measure dust." not in papers_csv([paper])


def test_our_own_export_comes_back_through_pandoc(tmp_path):
    # As pandoc 3 writes the entry of our export for this paper, from BibTeX to BibLaTeX.
    (paper,) = papers(
        tmp_path,
        r"""@article{2018MNRAS.476.1234S,
  author = {van der Marel, Roeland P. and {The LIGO Collaboration}},
  title = {{{Gas} at 100\% in the {Coma} cluster: {{Ü}}ber \(M_\odot\)
    and \(\beta\)}},
  journal = {Monthly Notices \& Letters},
  date = {2018-03-04},
  url = {https://arxiv.org/abs/1801.00001},
  doi = {10.1093/mnras/sty_1},
  abstract = {We find 10\% of it \& more.}
}""",
    )
    assert (paper.title, paper.abstract) == (
        r"Gas at 100% in the Coma cluster: Über $M_\odot$ and $\beta$",
        "We find 10% of it & more.",
    )
    assert paper.authors == ("van der Marel, Roeland P.", "The LIGO Collaboration")
    assert (paper.journal, paper.date) == ("Monthly Notices & Letters", datetime.date(2018, 3, 4))
    assert (paper.arxiv_id, paper.doi, paper.bibcode) == ("1801.00001", "10.1093/mnras/sty_1", "2018MNRAS.476.1234S")


def test_a_file_written_by_bibtexparser_is_read(tmp_path):
    names = {"title": "{Dust} and gas", "author": "Smith, A. and {NANOGrav Collaboration}", "year": "1999"}
    library = bibtexparser.Library([Entry("article", "smith99", [Field(k, v) for k, v in names.items()])])
    (paper,) = papers(tmp_path, bibtexparser.write_string(library))
    assert (paper.title, paper.authors, paper.year) == ("Dust and gas", ("Smith, A.", "NANOGrav Collaboration"), 1999)


def test_the_name_of_a_group_stays_whole(tmp_path):
    paper = entry(tmp_path, r"author = {{The LIGO Scientific Collaboration} and Ludwig van Beethoven and others}")
    assert paper.authors == ("The LIGO Scientific Collaboration", "van Beethoven, Ludwig")


def test_latex_becomes_characters_and_mathematics_stays(tmp_path):
    (paper,) = papers(tmp_path, r"@misc{a, title = {{Caf{\'e}} at 90\% of {$H_0$} --- ``x''}}")
    assert paper.title == "Café at 90% of $H_0$ — “x”"


@pytest.mark.parametrize(
    ("content", "titles"),
    [
        ("@misc{a, title={A} year={2001}}", ["A"]),
        ('@misc{a, title="A", title="B"}', ["A"]),
        ("@misc{same, title={A}}\n@misc{same, title={B}}", ["A", "B"]),
        ("@misc(a, title={A})", ["A"]),
        ('@string{x = "A"}\n@misc{a, title = x # " and " # {B}}', ["A and B"]),
        ("@comment{jabref}\nwords\n@preamble{p}\n@misc{, title={A}}", ["A"]),
    ],
)
def test_a_half_broken_file_is_read_as_far_as_it_goes(tmp_path, content, titles):
    assert [paper.title for paper in papers(tmp_path, content)] == titles


def test_lines_of_two_encodings_in_one_file_are_both_read(tmp_path):
    content = "@misc{a, title={Über A}}\n".encode() + "@misc{b, title={Über B}}\n".encode("latin-1")
    assert [paper.title for paper in papers(tmp_path, content)] == ["Über A", "Über B"]


@pytest.mark.parametrize(
    "fields",
    [
        "journal = {arXiv preprint arXiv:2408.01556}",
        "eprint = {2408.01556v2}",
        "eprinttype = {arxiv}, eprint = {arXiv:2408.01556}",
        "doi = {10.48550/arXiv.2408.01556}",
        "url = {https://arxiv.org/abs/2408.01556v1}",
    ],
)
def test_the_arxiv_id_is_found_wherever_it_is_written(tmp_path, fields):
    paper = entry(tmp_path, fields)
    assert (paper.arxiv_id, paper.paper_id, paper.journal) == ("2408.01556", "2408.01556", None)


def test_a_number_that_is_no_arxiv_id_is_left_alone(tmp_path):
    paper = entry(tmp_path, "url = {https://example.org/2408.01556}, eprinttype = {hdl}, eprint = {2408.01556}")
    assert (paper.arxiv_id, paper.paper_id) == (None, "key")


def test_an_entry_takes_the_year_from_its_parent(tmp_path):
    child, parent = papers(
        tmp_path,
        "@inproceedings{a, title={A}, crossref={P}}\n@proceedings{p, title={Proceedings of X}, year=1999}",
    )
    assert (child.year, child.journal, parent.title) == (1999, "Proceedings of X", "Proceedings of X")


def test_a_name_may_go_on_in_the_next_line(tmp_path):
    paper = entry(tmp_path, "author = {Roe, Ann and J.\n\t Greenfield and Kim\n\tNoes and\n Doe, B.}, title = {T}")
    assert paper.authors == ("Roe, Ann", "Greenfield, J.", "Noes, Kim", "Doe, B.")


@pytest.mark.parametrize(
    ("written", "authors"),
    [
        (r"Nils D{\textquotesingle}Arvo and \IeC{\v S}irok, Eva", ("D'Arvo, Nils", "Širok, Eva")),
        ("Halme T.J. and Orr K.", ("Halme T.J.", "Orr K.")),
        ("Ida Holm III and Max Ekdahl Jr.", ("Ida Holm III", "Max Ekdahl Jr.")),
        ("Halme TJ and LI W and J LI and Kim S-Y", ("Halme TJ", "LI W", "LI, J", "Kim S-Y")),
        ("The Swan Collaboration and Ida {Holm Orr}", ("The Swan Collaboration", "Holm Orr, Ida")),
        ("[No author name available]", ()),
        ("No author listed", ()),
    ],
)
def test_names_without_their_comma_are_not_turned_round_and_placeholders_are_nobody(tmp_path, written, authors):
    assert entry(tmp_path, f"author = {{{written}}}").authors == authors


def test_names_in_the_extended_format_of_biblatex_are_names(tmp_path):
    names = (
        "family=Berg, given=Anna, prefix=van den, useprefix=true and Li, Wei and "
        "given=Rick, family={Roe Doe}, suffix=Jr. and family=Cold Dust Team"
    )
    (paper,) = papers(tmp_path, f"@article{{a, title = {{Dust}}, author = {{{names}}}}}")
    assert paper.authors[:3] == ("van den Berg, Anna", "Li, Wei", "Roe Doe, Rick, Jr.")
    assert paper.authors[3].replace("\N{NO-BREAK SPACE}", " ") == "Cold Dust Team"


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (
            r"$\less$i$\greater$In situ$\less$/i$\greater$ tests of C$\mathplus$ {\&}amp$\mathsemicolon$ dust",
            "In situ tests of C+ & dust",
        ),
        ("{$<$}p{$>$}Dust is cold at p {$<$} 0.05.{$<$}/p{$>$}", "Dust is cold at p < 0.05."),
    ],
)
def test_signs_that_crossref_or_better_bibtex_writes_as_mathematics_are_signs(tmp_path, written, read):
    assert entry(tmp_path, f"abstract = {{{written}}}").abstract == read


def test_mathematics_whose_signs_a_program_escaped_is_read(tmp_path):
    abstract = r"A radius of \$1.19\textbackslash pm 0.11\$ R\$\_\{{\textbackslash}oplus\}\$ at \$z {\textless} 2\$."
    (paper,) = papers(tmp_path, f"@article{{key, title = {{A planet}}, abstract = {{{abstract}}}}}")
    assert paper.abstract == r"A radius of $1.19\pm 0.11$ R$_{\oplus}$ at $z < 2$."


OWN = r"""@article{Dusty99, author = {Roe, Ana and Doe, Bo and others}, title = {Dust}, journal = {\mnras}, year = 1999,
  volume = 12, number = 3, pages = {34--56}, doi = {10.1234/d}}
@inproceedings{Roe_etal:01, author = {{Dust Bureau Lyon} and Roe, A.}, title = {Gas}, booktitle = {Proc. of Gas},
  year = 2001, volume = {7}, pages = {L8}, editor = {Poe, C.}, publisher = {Press \& Sons}}
@misc{site, author = {{CDS Lyon}}, title = {Tables of Dust}, howpublished = {\url{https://dust.example/~a_b?c=1}},
  note = {accessed 3 May 2001}}
@article{e1, author = {Roe, A. and et al.}, title = {Ice}, journal = {Ice}, year = 2003, volume = 616, eid = {A1}}
@phdthesis{Roe03, author = {Roe, Ana}, title = {Snow}, school = {Lyon}, year = 2003, url = {https://snow.example/x%20y}}
"""


def test_an_entry_comes_back_field_for_field(tmp_path):
    before = papers(tmp_path, OWN)
    text = bibtex(before)
    for line in (
        "@article{Dusty99,", "author = {{Roe}, Ana and {Doe}, Bo and others},", "volume = {12},", "number = {3},",
        "pages = {34--56},", "journal = {Monthly Notices of the Royal Astronomical Society},",
        "@inproceedings{Roe_etal:01,", "author = {{Dust Bureau Lyon} and {Roe}, A.},", "booktitle = {Proc. of Gas},",
        "pages = {L8},", "editor = {Poe, C.},", r"publisher = {Press \& Sons}",
        "@misc{site,", "author = {{CDS Lyon}},", r"howpublished = {\url{https://dust.example/~a_b?c=1}},",
        "note = {accessed 3 May 2001}", "@article{e1,", "author = {{Roe}, A. and others},", "eid = {A1}",
        "@phdthesis{Roe03,", "school = {Lyon}", "url = {https://snow.example/x%20y}",
    ):  # fmt: skip
        assert line in text
    assert [replace(paper, provenance=()) for paper in papers(tmp_path, text)] == [
        replace(paper, provenance=()) for paper in before
    ]
    assert [paper.n_all_authors for paper in before] == [None, 2, 1, None, 1]
    assert paper_links(before[2])[0].url == "https://dust.example/~a_b?c=1"


@pytest.mark.parametrize(
    "fields",
    [
        ["booktitle = {IAU Symposium 277}", "volume = {277}", "pages = {10--12}"],
        ["booktitle = {Proc. SPIE 7732}", "volume = {7732}", "pages = {77321A}"],
        ["booktitle = {Dust}", "volume = {96 B}", "pages = {1--5, 7--9}"],
        ["booktitle = {Dust}", "volume = {4}", "pages = {119--130 (in Russian)}"],
        [r"howpublished = {\url{https://a.example/x_y~z}, accessed 3 March}"],
        [r"howpublished = {Web page, \url{https://a.example/x}}"],
        ["url = {https://de.example.org/wiki/Größe}"],
        ["pages = {A7}", "eid = {A7}"],
        ["year = {2001}", "month = {mar}"],
        ["language = {german}", "urldate = {2001-03-04}", "annote = {Read it}", "translator = {Poe, C.}"],
    ],
)
def test_a_field_comes_back_as_it_was_written(tmp_path, fields):
    before = papers(tmp_path, f"@inproceedings{{o'neil99, title = {{Dust}}, {', '.join(fields)}}}")
    text = bibtex(before)
    assert text.startswith("@inproceedings{o'neil99,\n")
    assert [field for field in fields if field not in text] == []
    assert [replace(paper, provenance=()) for paper in papers(tmp_path, text)] == [
        replace(paper, provenance=()) for paper in before
    ]


def test_the_link_of_a_site_is_its_address_alone(tmp_path):
    paper = entry(tmp_path, r"howpublished = {\url{https://a.example/x}, accessed 3 March}")
    assert [link.url for link in paper_links(paper)] == ["https://a.example/x"]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (
            r"to \emph{R{$<$}i/{$>$}\textsubscript{500{$<$}sub/{$>$} at 10\textsuperscript{14{$<$}sup/{$>$}.}}}",
            "to R₅₀₀ at 10¹⁴.",
        ),
        (r"\emph{Y{$<$}i/{$>$}\textsubscript{500{$<$}sub/{$>-$}M, (\textbf{b{$<$}b/{$>$})}}}", "Y₅₀₀$-$M, (b)"),
        (r"[\emph{a, {$\beta<$}i/{$>$}]}", r"[a, $\beta$]"),
    ],
)
def test_tags_that_a_publisher_closes_with_a_slash_behind_close_their_group(
    tmp_path: Path, written: str, read: str
) -> None:
    """Better BibTeX takes `<sub/>` for text, and closes all groups at the end of the field."""
    assert entry(tmp_path, f"abstract = {{{written}}}").abstract == read
