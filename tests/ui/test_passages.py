from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pathfinder.facade import Pathfinder
from pathfinder.fulltext.passages import cut_full_text, surroundings
from pathfinder.operations.search import result_lines
from pathfinder.types import Hit, Paper, QueryExpansion, Score, SearchRequest
from pathfinder.types.alternatives import NO_RERANKER
from pathfinder.types.full_texts import FullTextPassage, SectionKind
from pathfinder.ui.papers.full_text import captions_of, in_place, on_captions
from pathfinder.ui.papers.paper_lines import excerpt, marked_abstract
from pathfinder.ui.papers.paper_page import citation_lines
from pathfinder.ui.shared import resources
from tests.answering.results import result
from tests.answering.test_full_texts import with_passage
from tests.full_text_corpus import NEEDLE, SURVEY
from tests.linked import with_references

ABSTRACT = "Dust is cold. Gas is warm. Stars [1] are hot."


def hit(abstract: str = ABSTRACT) -> Hit:
    return Hit(Paper("a", "Dust", abstract), 0, Score(0.0))


def test_a_card_has_the_words_around_what_matched_and_marks_them():
    assert excerpt(hit(), "How hot are stars?") == (
        ("", "… "),
        ("mark", "Stars"),
        ("", " [1] are "),
        ("mark", "hot"),
        ("", "."),
    )
    assert excerpt(hit(), "galaxies") == (("", ABSTRACT),)
    assert excerpt(hit(abstract=""), "stars") == ()


def test_a_summary_is_called_one():
    summary = Hit(Paper("a", "Dust", ABSTRACT, is_summary=True), 0, Score(0.0))
    assert excerpt(summary, "stars")[:3] == (("soft", "Summary: "), ("", "… "), ("mark", "Stars"))


def test_a_long_sentence_is_cut_at_words_around_the_first_that_matches():
    before, star, behind = excerpt(hit(abstract="word " * 60 + "star " + "word " * 90 + "end."), "stars")
    lines = f"{before[1]}{star[1]}{behind[1]}"
    assert lines.startswith("… word ")
    assert star == ("mark", "star")
    assert len(before[1]) < 80
    assert lines.endswith("word …")
    assert len(lines) < 350


def test_no_markup_or_formula_of_an_abstract_takes_effect_on_a_card():
    lines = excerpt(hit(abstract=r"Stars of $M_\odot$ in <b>bold</b> and *more*."), "stars")
    assert lines == (("mark", "Stars"), ("", " of M☉ in <b>bold</b> and *more*."))


def test_the_sentence_of_the_card_is_marked_where_it_stands_and_no_other_is():
    marked = r"Dust is cold\. Gas is warm\. :blue-background[Stars \[1\] are hot\.]"
    assert marked_abstract(hit(), "How hot are stars?") == marked
    assert "background" not in marked_abstract(hit(abstract="Stars are hot."), "stars")


class FoundCaptions:
    """A hit with passages of these kinds, each named by its text."""

    def __init__(self, *passages: tuple[str, SectionKind]) -> None:
        self.full_text = tuple(FullTextPassage(text, "", kind, 1, 0, 0, 0, 0, len(text)) for text, kind in passages)


def test_captions_are_looked_for_with_the_filters_of_the_question_and_at_no_cost() -> None:
    own = SearchRequest("dust", year_from=2010, authors=("Draine",), imagine=QueryExpansion.HYDE, full_texts=False)
    request = on_captions(own)
    assert (request.query, request.year_from, request.authors) == ("dust", 2010, ("Draine",))
    assert request.sections == (SectionKind.CAPTION, SectionKind.TABLE)
    assert (request.imagine, request.reranker, request.live) == (QueryExpansion.OFF, NO_RERANKER, ())
    assert request.full_texts


class Words:
    """Word statistics of a corpus in which every word counts."""

    def content_words(self, text: str) -> tuple[str, ...]:
        return tuple(text.lower().split())


def test_each_paper_shows_its_best_caption_before_any_shows_a_second() -> None:
    caption, table, method = SectionKind.CAPTION, SectionKind.TABLE, SectionKind.METHOD
    hits = (
        FoundCaptions(("dust a1", caption), ("dust text", method), ("dust a2", table)),
        FoundCaptions(("gas", caption), ("| Cloud dust | Mass 1.", table), ("Dust b2", table)),
        FoundCaptions(("dust c", method)),
    )
    assert [passage.text for _, passage in captions_of(hits, "dust", Words())] == ["dust a1", "Dust b2", "dust a2"]


QUESTION = "How fast did the quokka hop across the dome floor?"


def test_an_opened_passage_highlights_its_sentence_between_the_neighbours():
    (passage,) = (each for each in cut_full_text(SURVEY) if NEEDLE in each.text)
    lines = list(in_place(surroundings(SURVEY, passage), QUESTION, passage))
    highlighted = [line for line in lines if ":blue-background[" in line]
    assert len(highlighted) == 1
    assert NEEDLE.split(".")[0] in highlighted[0]
    assert [line.startswith(":gray[") for line in lines].count(True) == len(lines) - (1 + passage.last - passage.first)


def test_the_command_line_quotes_the_sentence_with_its_section_and_page():
    search_result = with_passage(result(query="What is the quokka dome made of?"))
    (line,) = (line for line in result_lines(search_result) if "full text" in line)
    assert line.startswith('    full text, 2. Methods, page 4: "The quokka dome of the universe is made of copper')


TWELVE_CITE_ROW_0 = dict.fromkeys(range(1, 13), (0,))


def panel(hit, corpus):
    from pathfinder.ui.papers.paper_page import citations_panel as drawn

    drawn(hit, corpus)


def labels(pf: Pathfinder, row: int, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The labels of the panels on the card of the paper at `row`."""
    monkeypatch.setattr(resources, "pathfinder", lambda: pf)
    hit = Hit(pf.corpus.papers[row], row, Score(0.0))
    page = AppTest.from_function(panel, args=(hit, pf.corpus.name)).run()
    assert not page.exception
    return [expander.label for expander in page.expander]


def test_a_card_says_how_many_papers_of_the_corpus_it_cites_and_how_many_cite_it(
    pf: Pathfinder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    linked = with_references(pf, tmp_path / "network")
    assert labels(linked, 1, monkeypatch) == ["In this library: cites 1, cited by 2"]
    assert labels(linked, 30, monkeypatch) == []
    assert labels(pf, 1, monkeypatch) == []


def test_references_and_citing_papers_are_listed_with_links(pf: Pathfinder, tmp_path: Path) -> None:
    linked = with_references(pf, tmp_path / "network")
    lines = list(citation_lines(linked.citations_of(linked.corpus.papers.paper_ids()[5])))
    assert [line.strip() for line in lines if line.startswith("\n")] == [
        "**Cites**",
        "This paper also cites 1 other work not in the library.",
    ]
    assert sum(line.startswith("- [") for line in lines) == 2


def test_a_long_list_is_cut_and_says_where_the_rest_is(pf: Pathfinder, tmp_path: Path) -> None:
    linked = with_references(pf, tmp_path / "network", TWELVE_CITE_ROW_0)
    lines = list(citation_lines(linked.citations_of(linked.corpus.papers.paper_ids()[0])))
    assert sum(line.startswith("- [") for line in lines) == 10
    assert lines[-1] == "- and 2 more; `pathfinder cites` lists them all"
