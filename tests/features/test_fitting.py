"""Features that were planted are found, named by their keyword and tested on the other half of the papers."""

import numpy as np
import pytest

from pathfinder.building.steering_features import (
    auc,
    fit_atoms,
    fit_features,
    in_naming_half,
    n_active_of,
    n_features_of,
    name_features,
)
from pathfinder.corpus.features import open_features, write_features
from pathfinder.errors import CorpusDamaged
from tests.features.planted import TOPICS, index, papers, table, vectors


def planted_numbers(n):
    return (np.arange(n) % 3).astype(np.int16)[:, None]


def test_a_corpus_has_a_feature_for_25_papers_and_at_most_200():
    assert [n_features_of(n) for n in (250, 675, 16_659)] == [10, 27, 200]
    assert [n_active_of(n) for n in (10, 27, 200)] == [1, 2, 4]


def test_atoms_point_to_the_directions_in_which_papers_lie():
    atoms = fit_atoms(vectors(300), 3, seed=1)
    numbers, strengths = atoms.encode(vectors(300))
    assert [len({*numbers[topic::3, 0].tolist()}) for topic in range(3)] == [1, 1, 1]
    assert len({*numbers[:3, 0].tolist()}) == 3
    assert strengths.min() > 0.8
    assert strengths.max() == 1


def test_the_same_vectors_give_the_same_bytes():
    first, second = (fit_atoms(vectors(300), 5) for _ in range(2))
    assert first.directions.tobytes() == second.directions.tobytes()
    assert first.full.tobytes() == second.full.tobytes()


def test_a_paper_at_the_centre_has_no_feature():
    atoms = fit_atoms(vectors(300), 3)
    numbers, strengths = atoms.encode(atoms.centre[None])
    assert numbers.tolist() == [[-1]]
    assert strengths.tolist() == [[0.0]]


def test_a_name_is_the_keyword_of_the_papers_with_the_feature():
    paper_list = papers()
    features = name_features(index(paper_list), table(paper_list), planted_numbers(300), 3)
    assert [(each.name, each.auc, each.n_papers) for each in features] == [(topic, 1.0, 100) for topic in TOPICS]


def test_a_name_is_tested_on_papers_on_which_it_was_not_chosen():
    paper_list = papers()
    is_naming = in_naming_half([paper.paper_id for paper in paper_list])
    spoilt = [
        paper if is_naming[i] or i % 3 else type(paper)(paper.paper_id, paper.title, "", keywords=("field work",))
        for i, paper in enumerate(paper_list)
    ]
    bees, *_ = name_features(index(spoilt), table(spoilt), planted_numbers(300), 3)
    assert bees.phrases == ("honey bees",)
    assert bees.auc == 0.5  # no paper of the testing half has the phrase: every pair is a tie
    assert bees.name is None


def test_of_two_features_with_the_same_phrases_only_the_better_has_the_name():
    paper_list = papers()
    numbers = planted_numbers(300)
    numbers[::6] = 3  # every second paper on bees
    names = [each.name for each in name_features(index(paper_list), table(paper_list), numbers, 4)]
    assert names.count("honey bees") <= 1


def test_the_auc_counts_ties_half():
    counts = np.array([2] * 5 + [1] * 5 + [1] * 10 + [0] * 10)
    is_active = np.arange(30) < 10
    # Against 10 papers with 1 and 10 with 0: 2 beats all 20, and 1 ties with 10 and beats 10.
    assert auc(counts, is_active) == (5 * 20 + 5 * (10 / 2 + 10)) / (10 * 20)


def test_fewer_than_ten_papers_are_no_test():
    assert auc(np.ones(30, dtype=np.int64), np.arange(30) < 9) is None


def test_an_update_keeps_atoms_and_names_until_the_corpus_has_doubled():
    paper_list = papers()
    first = fit_features(vectors(300), table(paper_list), index(paper_list))
    larger_list = papers(150)
    second = fit_features(vectors(450), table(larger_list), index(larger_list), first)
    assert second.atoms.directions is first.atoms.directions
    assert {each.phrases for each in first.named_features} <= {each.phrases for each in second.features}
    assert (second.n_fitted, len(second)) == (300, 450)
    twice_as_many = papers(200)
    assert fit_features(vectors(600), table(twice_as_many), index(twice_as_many), first).n_fitted == 600


def test_what_is_written_is_read_back(tmp_path):
    paper_list = papers()
    dictionary_before = fit_features(vectors(300), table(paper_list), index(paper_list))
    write_features(dictionary_before, tmp_path / "features")
    dictionary = open_features(tmp_path / "features")
    assert dictionary.features == dictionary_before.features
    assert (dictionary.n_fitted, len(dictionary), dictionary.dimension) == (300, 300, 8)
    rows = np.arange(300)
    activations, codes = dictionary.activations(rows, vectors(300)), dictionary.atoms.encode(vectors(300))
    assert np.array_equal(activations.numbers, codes[0])
    assert np.allclose(activations.strengths, codes[1], atol=1e-3)


def test_papers_beyond_the_corpus_get_their_activations_from_their_vectors():
    paper_list = papers()
    dictionary = fit_features(vectors(300), table(paper_list), index(paper_list))
    beyond = dictionary.activations(np.array([0, 300, 301]), vectors(302)[[0, 0, 1]])
    assert beyond.numbers[0].tolist() == beyond.numbers[1].tolist()
    assert beyond.numbers[1].tolist() != beyond.numbers[2].tolist()


@pytest.mark.parametrize("change", ["shape", "number", "json"])
def test_files_that_do_not_fit_each_other_are_damage(tmp_path, change):
    folder, paper_list = tmp_path / "features", papers()
    write_features(fit_features(vectors(300), table(paper_list), index(paper_list)), folder)
    numbers = np.load(folder / "numbers.npy")
    if change == "json":
        (folder / "features.json").write_text('{"n_fitted": "many", "features": []}')
    else:
        np.save(folder / "numbers.npy", numbers[1:] if change == "shape" else numbers + np.int16(100))
    with pytest.raises((ValueError, CorpusDamaged)):
        open_features(folder)
