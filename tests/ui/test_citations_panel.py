"""The citations of a paper within the corpus, on its card."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pathfinder.facade import Pathfinder
from pathfinder.types import Hit, Score
from pathfinder.ui.papers.paper_page import citation_lines
from pathfinder.ui.shared import resources
from tests.linked import with_references

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
