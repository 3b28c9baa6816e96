import csv
import datetime
import io
from dataclasses import replace
from urllib.parse import unquote

import numpy as np
import pytest

from pathfinder.corpus.links import Link, paper_link, paper_links
from pathfinder.corpus.readers import read_papers
from pathfinder.operations.export.references import STYLES
from pathfinder.operations.export.shelves import FORMS
from pathfinder.operations.export.tables import HIT_COLUMNS, PAPER_COLUMNS, hits_csv, papers_csv, values_csv
from pathfinder.plugins import Registry
from pathfinder.profile.profile import Bibliography
from pathfinder.retrieval.factors import FACTORS, RankingFactor
from pathfinder.shelves.shelf import Shelf, ShelvedPaper
from pathfinder.types import (
    Candidates,
    CorpusName,
    Hit,
    Paper,
    Provenance,
    Score,
    SearchRequest,
    SearchResult,
    StatedValue,
)

NOTHING = np.zeros(0)


def table_of(*hits):
    candidates = Candidates((), *(NOTHING for _ in range(9)))
    result = SearchResult(SearchRequest("x"), CorpusName("c", "0" * 12, 1), candidates, hits, (), ())
    return list(csv.DictReader(io.StringIO(hits_csv(result))))


def test_a_hit_with_everything_known():
    paper = Paper(
        "2020A", r"The $\alpha$ effect", "We measure.", authors=("One, A.", "B. Two"), n_authors=40, year=2020,
        date=datetime.date(2020, 9, 2), journal="A&A", keywords=("dust", "gas"),
        citation_count=7, arxiv_id="2001.00001",
    )  # fmt: skip
    score = Score(final=-1.25, dense=0.5, sparse=0.0, fused=1.0, keyword=1 / 3)
    (row,) = table_of(Hit(paper, 3, score, outlier=True))
    assert tuple(row)[: len(HIT_COLUMNS)] == HIT_COLUMNS
    assert row["rank"] == "1"
    assert row["title"] == "The α effect"
    assert row["authors"] == "One, A.; B. Two"
    assert row["date"] == "2020-09-02"
    assert row["outlier"] == "yes"
    assert row["url"] == "https://arxiv.org/abs/2001.00001"
    assert [row[name] for name in ("final", "dense", "sparse", "fused", "keyword", "recency")] == [
        "-1.25", "0.5", "0", "1", "0.333333", "",
    ]  # fmt: skip


def test_each_ranking_factor_has_a_column_of_its_own_plug_ins_included(monkeypatch):
    brevity = RankingFactor("brevity", "brevity", "Favours short papers.", "")
    factors = Registry("no.such.group", RankingFactor, {**{f.name: f for f in FACTORS.all()}, "brevity": brevity}, "")
    monkeypatch.setattr("pathfinder.operations.export.tables.FACTORS", factors)
    (row,) = table_of(Hit(Paper("a", "t", "b"), 0, Score(final=0.5, keyword=0.25, extra=(("brevity", 0.75),))))
    assert tuple(row)[len(HIT_COLUMNS) :] == tuple(f"score_{name}" for name in factors.names())
    assert (row["keyword"], row["score_keyword"], row["score_brevity"]) == ("0.25", "0.25", "0.75")


def test_what_is_not_known_is_empty():
    (row,) = table_of(Hit(Paper("a", "t", "b"), 0, Score(final=0.5)))
    assert {name for name, cell in row.items() if cell} == {
        "rank",
        "id",
        "title",
        "final",
        "abstract",
        "is_summary",
    }


def test_a_negative_number_stays_a_number():
    (row,) = table_of(Hit(Paper("-5", "t", "b"), 0, Score(final=-0.5)))
    assert (row["id"], row["final"]) == ("-5", "-0.5")


def test_no_hits_are_a_header():
    assert table_of() == []


def test_papers_alone_have_the_same_cells_without_rank_and_score():
    papers = (Paper("a", "=1+1", "b", authors=("One, A.",), citation_count=3), Paper("b", "t", "c"))
    rows = list(csv.DictReader(io.StringIO(papers_csv(papers))))
    assert [tuple(row) for row in rows] == [PAPER_COLUMNS] * 2
    of_hits = table_of(*(Hit(paper, 0, Score(final=0.5)) for paper in papers))
    assert rows == [{name: row[name] for name in PAPER_COLUMNS} for row in of_hits]
    assert rows[0]["title"] == "'=1+1"


def test_no_papers_are_a_line_of_titles():
    assert papers_csv(()) == ",".join(PAPER_COLUMNS) + "\r\n"


def test_values_are_written_with_their_papers_and_sentences():
    paper = Paper("a", "On $H_0$", "We find 70 km/s/Mpc.", authors=("Doe, J.",), year=2001)
    value = StatedValue("a", "Hubble constant", 86.320481, 2.0, 1.0, "km/s/Mpc", None, None, 8, 20)
    (row,) = csv.DictReader(io.StringIO(values_csv([value], ["We find it."], [paper])))
    assert (row["first_author"], row["year"], row["value"], row["plus"], row["minus"]) == (
        "Doe, J.",
        "2001",
        "86.320481",
        "2",
        "1",
    )
    assert (row["unit"], row["limit"], row["sentence"]) == ("km/s/Mpc", "", "We find it.")


@pytest.mark.parametrize(
    ("sources", "is_whole", "terms"),
    [
        ((), True, ""),
        ((("file", None),), True, ""),
        ((("arxiv", "CC0-1.0"),), True, "arxiv: CC0-1.0"),
        ((("ads", None),), False, "abstract left out: ads states no licence for it"),
        (
            (("ads", None), ("semanticscholar", None)),
            False,
            "abstract left out: ads and semanticscholar state no licence for it",
        ),
        ((("semanticscholar", None), ("openalex", "CC0-1.0")), True, "openalex: CC0-1.0"),
    ],
)
def test_an_abstract_that_only_sources_without_a_licence_give_is_left_out_and_the_table_says_so(
    sources, is_whole, terms
):
    origins = tuple(Provenance(source, "1", licence=licence) for source, licence in sources)
    paper = Paper("p", "Dust", "An abstract of dust.", provenance=origins)
    (row,) = csv.DictReader(io.StringIO(papers_csv([paper])))
    assert row["abstract"] == ("An abstract of dust." if is_whole else "")
    assert row["terms"] == terms


def test_a_title_without_an_abstract_has_nothing_to_leave_out():
    (row,) = csv.DictReader(io.StringIO(papers_csv([Paper("p", "Dust", "", provenance=(Provenance("ads", "1"),))])))
    assert row["terms"] == ""


BARE = Paper("x", "Dust in spirals", "We measure dust.")


def search_of(**fields):
    link = paper_link(replace(BARE, **fields), Bibliography.ADS)
    assert link.label == "ADS search"
    return unquote(link.url.removeprefix("https://ui.adsabs.harvard.edu/search/q="))


def test_every_identifier_has_its_address_and_arxiv_comes_first():
    paper = replace(BARE, arxiv_id="astro-ph/9805201", doi="10.1086/300499", bibcode="1998AJ....116.1009R")
    assert paper_links(paper) == (
        Link("arXiv", "https://arxiv.org/abs/astro-ph/9805201"),
        Link("DOI", "https://doi.org/10.1086/300499"),
        Link("ADS", "https://ui.adsabs.harvard.edu/abs/1998AJ....116.1009R/abstract"),
    )
    assert paper_link(paper, Bibliography.ADS).label == "arXiv"


def test_an_ampersand_in_a_bibcode_is_quoted():
    (link,) = paper_links(replace(BARE, bibcode="2020A&A...641A...6P"))
    assert link.url == "https://ui.adsabs.harvard.edu/abs/2020A%26A...641A...6P/abstract"


def test_without_an_identifier_ads_is_searched_for_title_and_first_author():
    assert search_of(authors=("Adam G. Riess", "B. Two")) == 'title:"Dust in spirals" author:"^Riess, A"'
    assert search_of(authors=("Planck Collaboration",)) == 'title:"Dust in spirals" author:"^Planck Collaboration"'


def test_without_authors_the_title_is_enough():
    assert search_of() == 'title:"Dust in spirals"'


def test_latex_and_quotation_marks_do_not_break_the_phrase():
    assert search_of(title=r'A "new" $\alpha$ \ ray') == 'title:"A new α ray"'


def test_an_identifier_cannot_leave_its_site():
    (link,) = paper_links(replace(BARE, arxiv_id="javascript:alert(1)//?#<x>"))
    assert link.url == "https://arxiv.org/abs/javascript%3Aalert%281%29//%3F%23%3Cx%3E"


def test_in_a_field_without_a_bibliography_a_paper_is_searched_by_its_title():
    link = paper_link(replace(BARE, title="Dust & <i>gas</i>"), Bibliography.NONE)
    assert link.label == "Crossref search"
    assert link.url.startswith("https://search.crossref.org/search/works?q=Dust%20%26%20")


PUBMED = "https://pubmed.ncbi.nlm.nih.gov/8813041"
TRIAL = replace(BARE, paper_id="8813041", pmid="8813041", openalex_id="W2094", authors=("Roe, Jane",), year=1996)


def test_a_paper_with_a_pubmed_id_is_linked_to_pubmed_in_every_file_and_read_back_with_it(tmp_path):
    assert paper_links(TRIAL) == (Link("PubMed", PUBMED), Link("OpenAlex", "https://openalex.org/W2094"))
    shelf = Shelf("trials", (ShelvedPaper("8813041"),))
    for name, form in FORMS.items():
        written = form.write(shelf, {"8813041": TRIAL})
        if name not in ("json", "nbib", *STYLES):
            assert PUBMED in written, name
        assert "adsabs" not in written
        if name in ("bibtex", "ris", "csl", "nbib", "csv"):
            path = tmp_path / f"shelf.{form.suffix.removeprefix('csl.')}"
            path.write_text(written, encoding="utf-8")
            (paper,) = read_papers(path)
            assert paper.pmid == "8813041", name
    assert "TY  - JOUR" in FORMS["ris"].write(shelf, {"8813041": TRIAL})
    (row,) = csv.DictReader(io.StringIO(papers_csv([TRIAL])))
    assert (row["pmid"], row["openalex_id"], row["url"]) == ("8813041", "W2094", PUBMED)


@pytest.mark.parametrize("name", [name for name in FORMS if name != "json"])
def test_no_file_gives_a_search_as_the_address_of_a_paper(name):
    assert "http" not in FORMS[name].write(Shelf("all", (ShelvedPaper("x"),)), {"x": BARE})
