from pathlib import Path

import numpy as np
import pytest

from pathfinder.index.terms import KeywordIndex, build_keyword_index
from pathfinder.landscape.statistics.keywords import count_phrases, phrases_of_parts, scores
from pathfinder.types import Paper
from tests.landscape.planted import table


def corpus(tmp_path: Path, keywords):
    papers = table([Paper(str(i), "A paper", "Of something.", keywords=tuple(own)) for i, own in enumerate(keywords)])
    build_keyword_index(papers, tmp_path / "terms")
    return KeywordIndex.open(tmp_path / "terms"), papers


STARS, WAVES = ["neutron stars", "results"], ["gravitational waves", "results"]


def test_a_part_is_called_by_what_is_frequent_there_and_rare_elsewhere(tmp_path):
    index, papers = corpus(tmp_path, [STARS] * 6 + [WAVES] * 6)
    part_of = np.array([0] * 6 + [1] * 6)
    (stars,), (waves,) = phrases_of_parts(index, papers, part_of, 2)
    assert (stars.text, stars.lemmas) == ("neutron stars", ("neutron", "star"))
    assert waves.text == "gravitational waves"
    # In every paper there, and in half of all.
    assert stars.lift == 2.0


def test_what_is_frequent_everywhere_names_nothing(tmp_path):
    index, papers = corpus(tmp_path, [["results"]] * 12)
    assert phrases_of_parts(index, papers, np.array([0, 1] * 6), 2) == [(), ()]


def test_two_papers_are_a_coincidence(tmp_path):
    index, papers = corpus(tmp_path, [["dark flow"]] * 2 + [["dust"]] * 8)
    assert phrases_of_parts(index, papers, np.array([0] * 2 + [1] * 8), 2)[0] == ()


def test_papers_of_no_part_count_as_elsewhere(tmp_path):
    index, papers = corpus(tmp_path, [STARS] * 4 + [WAVES] * 8)
    (stars,) = phrases_of_parts(index, papers, np.array([0] * 4 + [-1] * 8), 1)
    assert [(phrase.text, phrase.lift) for phrase in stars] == [("neutron stars", 3.0)]


def test_a_phrase_is_written_as_most_papers_write_it(tmp_path):
    index, papers = corpus(tmp_path, [["Black Holes"], ["black hole"], ["black hole"]] * 2 + [WAVES] * 6)
    (holes,), _ = phrases_of_parts(index, papers, np.array([0] * 6 + [1] * 6), 2)
    assert holes.text == "black hole"


def test_a_part_of_a_phrase_is_no_name(tmp_path):
    index, papers = corpus(tmp_path, [["magnetic fields"]] * 6 + [WAVES] * 6)
    phrases, _ = phrases_of_parts(index, papers, np.array([0] * 6 + [1] * 6), 2, n_phrases=3)
    assert [phrase.text for phrase in phrases] == ["magnetic fields"]


@pytest.mark.parametrize("keyword", ["methods: numerical", "one two three four", "x" * 40, "ab"])
def test_what_does_not_fit_on_a_map_is_no_name(tmp_path, keyword):
    index, papers = corpus(tmp_path, [[keyword]] * 6 + [WAVES] * 6)
    assert phrases_of_parts(index, papers, np.array([0] * 6 + [1] * 6), 2)[0] == ()


def test_names_of_one_part_do_not_repeat_each_other(tmp_path):
    keywords = ["neutron stars", "binary neutron stars", "cold matter"]
    index, papers = corpus(tmp_path, [keywords] * 6 + [WAVES] * 6)
    phrases, _ = phrases_of_parts(index, papers, np.array([0] * 6 + [1] * 6), 2, n_phrases=3)
    assert len(phrases) == 2


def test_scores_are_class_based_tf_idf(tmp_path):
    index, _ = corpus(tmp_path, [["dust"]] * 3 + [["gas"]] * 3)
    counts = count_phrases(index, np.array([0] * 3 + [1] * 3), 2)
    assert [index.terms[int(term)].as_py() for term in counts.terms] == ["dust", "gas"]
    assert (counts.parts.tolist(), counts.papers.tolist()) == ([0, 1], [3, 3])
    # Of each part's 3 phrases all are that one; a part has 3 on average, and each is counted 3 times anywhere.
    assert scores(counts, len(index.terms), 2) == pytest.approx([1 * np.log(1 + 3 / 3)] * 2)
