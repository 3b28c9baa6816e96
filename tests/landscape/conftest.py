"""A small thesaurus of two topics, and surveys with it."""

from pathlib import Path

import pytest

from pathfinder.corpus.thesaurus import Concept, Thesaurus, open_thesaurus, write_thesaurus
from pathfinder.index.terms import KeywordIndex, build_keyword_index
from pathfinder.landscape.data.groups import papers_by_concept
from tests.landscape import planted

CONCEPTS = (
    Concept("1", "Planets", narrower=("3", "4")),
    Concept("2", "Galaxies", ("AGN", "Island worlds", "Nebulae"), narrower=("5",)),
    Concept("3", "Hot planets", ("Roasters",), broader=("1",)),
    Concept("4", "Moons", broader=("1",)),
    Concept("5", "Quasars", broader=("2",)),
    Concept("6", "A stray"),
)


@pytest.fixture
def thesaurus(tmp_path: Path) -> Thesaurus:
    write_thesaurus("Made-up Sky", CONCEPTS, tmp_path / "thesaurus")
    return open_thesaurus(tmp_path / "thesaurus")


@pytest.fixture
def indexed(tmp_path: Path, thesaurus: Thesaurus):
    """A survey of papers with the index of their keywords and, unless told otherwise, the thesaurus."""

    def make(papers, places, with_thesaurus=True, **fields):
        build_keyword_index(papers, tmp_path / "terms")
        terms = KeywordIndex.open(tmp_path / "terms")
        if with_thesaurus:
            fields |= {"thesaurus": thesaurus, "concepts": papers_by_concept(terms, thesaurus)}
        return planted.map_data(papers, places, terms=terms, **fields)

    return make
