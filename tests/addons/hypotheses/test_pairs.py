"""Concepts, their associations, and the pairs that are never keywords of the same paper."""

import math

import numpy as np
import pytest
from scipy.stats import hypergeom

from pathfinder.addons.hypotheses.concepts import choose_concepts
from pathfinder.addons.hypotheses.find import associations_of, rank_pairs, unlinked_pairs
from pathfinder.index.terms import keyword_index_of
from pathfinder.types import Paper
from tests.addons.hypotheses.planted_concepts import N_OTHERS, OIL, PLATELETS, RAYNAUD, VISCOSITY, corpus
from tests.landscape.planted import table

N_PAPERS = 12 + N_OTHERS


@pytest.fixture(scope="module")
def planted_concepts():
    papers, index = corpus()
    concepts = choose_concepts(index, papers)
    return concepts, associations_of(concepts, len(papers))


def test_concepts_are_terms_of_several_words_in_four_papers_or_more(planted_concepts) -> None:
    concepts, _ = planted_concepts
    assert set(concepts.names[:4]) == {OIL, RAYNAUD, VISCOSITY, PLATELETS}
    assert concepts.n_papers[:4].tolist() == [6, 6, 6, 6]
    assert concepts.n_papers[4:].tolist() == [4] * 15


def test_a_part_of_longer_keywords_is_no_concept_and_neither_is_a_frequent_term() -> None:
    long = [Paper(f"l{n}", "T", "", keywords=("massive binary star",)) for n in range(4)]
    frequent = [Paper(f"f{n}", "T", "", keywords=("deep survey",)) for n in range(20)]
    papers = [*long, *frequent, *(Paper(f"p{n}", "T", "") for n in range(40))]
    concepts = choose_concepts(keyword_index_of(papers), table(papers))
    assert concepts.names == ("massive binary star",)  # "deep survey": 20 of 64 papers


def test_only_the_selected_papers_are_known() -> None:
    papers, index = corpus()
    is_in = np.arange(len(papers)) >= 12
    assert not {OIL, RAYNAUD} & set(choose_concepts(index, papers, is_in).names)


def test_concepts_that_occur_together_more_than_by_chance_are_associated(planted_concepts) -> None:
    concepts, associations = planted_concepts
    oil, raynaud, viscosity = map(concepts.names.index, (OIL, RAYNAUD, VISCOSITY))
    assert associations.is_associated[oil, viscosity]
    assert associations.is_associated[viscosity, oil]
    assert not associations.is_associated[oil, raynaud]
    assert associations.degrees[oil] == 2
    assert not associations.is_associated[4:].any()


def test_a_pair_shares_concepts_and_has_the_q_of_the_exact_test(planted_concepts) -> None:
    concepts, associations = planted_concepts
    pairs = unlinked_pairs(associations)
    by_names = {
        frozenset((concepts.names[first], concepts.names[second])): place
        for place, (first, second) in enumerate(zip(pairs.first, pairs.second, strict=True))
    }
    # The two linking concepts share both sides, too, and no paper has them together.
    assert set(by_names) == {frozenset((OIL, RAYNAUD)), frozenset((VISCOSITY, PLATELETS))}
    place = by_names[frozenset((OIL, RAYNAUD))]
    assert pairs.n_shared[place] == 2
    p = hypergeom.sf(1, len(concepts), 2, 2)
    assert pairs.q[place] == pytest.approx(p)  # both pairs have the same p
    # Both shared concepts are associated with two others, and both of the pair have six papers.
    assert pairs.scores[place] == pytest.approx(2 / math.log(2) * math.log(6 * 6), rel=1e-5)


def test_concepts_that_share_a_word_are_no_pair() -> None:
    papers = [
        Paper(f"{name}-{link}-{n}", "T", "", keywords=(f"{name} oil", link))
        for name in ("fish", "olive")
        for link in (VISCOSITY, PLATELETS)
        for n in range(3)
    ] + [Paper(f"p{n}", "T", "") for n in range(N_OTHERS)]
    concepts = choose_concepts(keyword_index_of(papers), table(papers))
    pairs = unlinked_pairs(associations_of(concepts, len(papers)))
    assert {concepts.names[place] for place in (*pairs.first, *pairs.second)} == {VISCOSITY, PLATELETS}


def test_a_concept_occurs_in_a_limited_number_of_pairs(planted_concepts) -> None:
    pairs = unlinked_pairs(planted_concepts[1])
    assert sorted(rank_pairs(pairs, pairs.scores, 3)) == [0, 1]
    assert list(rank_pairs(pairs, pairs.scores, 0)) == []
