from dataclasses import replace
from urllib.parse import unquote

from pathfinder.export.links import Link, paper_link, paper_links
from pathfinder.profile.profile import Bibliography
from pathfinder.types import Paper

BARE = Paper("x", "Dust in spirals", "We measure dust.")


def search_of(**fields):
    link = paper_link(replace(BARE, **fields))
    assert link.label == "ADS search"
    return unquote(link.url.removeprefix("https://ui.adsabs.harvard.edu/search/q="))


def test_every_identifier_has_its_address_and_arxiv_comes_first():
    paper = replace(BARE, arxiv_id="astro-ph/9805201", doi="10.1086/300499", bibcode="1998AJ....116.1009R")
    assert paper_links(paper) == (
        Link("arXiv", "https://arxiv.org/abs/astro-ph/9805201"),
        Link("DOI", "https://doi.org/10.1086/300499"),
        Link("ADS", "https://ui.adsabs.harvard.edu/abs/1998AJ....116.1009R/abstract"),
    )
    assert paper_link(paper).label == "arXiv"


def test_an_ampersand_in_a_bibcode_is_quoted():
    link = paper_link(replace(BARE, bibcode="2020A&A...641A...6P"))
    assert link.url == "https://ui.adsabs.harvard.edu/abs/2020A%26A...641A...6P/abstract"


def test_without_an_identifier_ads_is_searched_for_title_and_first_author():
    assert search_of(authors=("Adam G. Riess", "B. Two")) == 'title:"Dust in spirals" author:"^Riess, A"'
    assert search_of(authors=("Planck Collaboration",)) == 'title:"Dust in spirals" author:"^Planck Collaboration"'


def test_without_authors_the_title_is_enough():
    assert search_of() == 'title:"Dust in spirals"'


def test_latex_and_quotation_marks_do_not_break_the_phrase():
    assert search_of(title=r'A "new" $\alpha$ \ ray') == 'title:"A new α ray"'


def test_an_identifier_cannot_leave_its_site():
    link = paper_link(replace(BARE, arxiv_id="javascript:alert(1)//?#<x>"))
    assert link.url == "https://arxiv.org/abs/javascript%3Aalert%281%29//%3F%23%3Cx%3E"


def test_in_a_field_without_a_bibliography_a_paper_is_searched_by_its_title():
    link = paper_link(replace(BARE, title="Dust & <i>gas</i>"), Bibliography.NONE)
    assert link.label == "Crossref search"
    assert link.url.startswith("https://search.crossref.org/search/works?q=Dust%20%26%20")
