import math

import numpy as np
import pytest

from pathfinder.errors import CorpusError
from pathfinder.index.predicate import Predicate
from pathfinder.index.sparse import SparseIndex, write_sparse
from tests.numbered import ids, numbered

TEXTS = [
    "The Hubble constant from Cepheids. We measure the expansion of the universe.",
    "Starbursts in dwarf galaxies. The galaxies form stars in bursts.",
    "Dark matter in dwarf galaxies. The haloes of the galaxies are dark.",
    "A survey of quasars. We find the quasars by their colours.",
]


@pytest.fixture
def index(tmp_path):
    write_sparse(TEXTS, tmp_path / "sparse")
    return SparseIndex.open(tmp_path / "sparse", numbered(len(TEXTS)))


def test_bm25_is_the_published_formula(index):
    # Lucene's form: idf * tf / (tf + k1 * (1 - b + b * length / mean length)).
    ranking = index.search("quasars", 10)
    idf = math.log(1 + (4 - 1 + 0.5) / (1 + 0.5))
    # Words left without "the", "of", "in", "a", "are", "by", "their": 8, 7, 7 and 6.
    mean_length = (8 + 7 + 7 + 6) / 4
    tf = 2
    expected = idf * tf / (tf + 1.2 * (1 - 0.75 + 0.75 * 6 / mean_length))
    assert ranking.rows.tolist() == [3]
    assert ranking.scores[0] == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize(
    ("words", "rows"),
    [
        *(("dark galaxies", [1, 2]), ("galaxy", [1, 2]), ("burst", [1])),
        *(("lax", []), ("kriging", []), ("What is the of and?", [])),  # no substrings, no stop words
    ],
)
def test_papers_with_a_word_of_the_question_are_hits_by_its_stem(index, words, rows):
    assert sorted(index.search(words, 10).rows) == rows


def test_a_filter_is_applied_during_the_search(index):
    assert index.search("dwarf galaxies", 10, Predicate(ids=ids(0, 2, 3))).rows.tolist() == [2]


def test_unknown_words_have_no_frequency_and_stop_words_no_content(index):
    assert index.content_words("What is the of and?") == ()
    assert index.document_frequencies(["krige", "galaxi", "quasar"]).tolist() == [0, 2, 1]


NAMES = ("AU Mic flares", "El Gordo cluster", "de Sitter universe", "La Silla survey", "van der Waals form and find")


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("Que es un exoplaneta?", "French or Spanish"),
        ("¿Cuál es la masa de la galaxia más grande?", "Spanish"),
        ("Wie groß ist die Masse der Galaxie?", "German"),
        *((question, None) for question in ("What is an exoplanet?", "JWST", "O VI", *NAMES)),
    ],
)
def test_a_foreign_language_is_told_and_a_name_is_not_taken_for_one(index, question, language):
    assert index.language == "English"
    assert index.foreign_language(question) == language


def test_a_corpus_without_words_finds_nothing(tmp_path):
    write_sparse([], tmp_path / "empty")
    empty = SparseIndex.open(tmp_path / "empty")
    assert (len(empty), empty.language) == (0, None)
    assert len(empty.search("galaxies", 10).rows) == 0


def test_the_same_texts_give_the_same_files(tmp_path):
    for name in ("one", "two"):
        write_sparse(TEXTS, tmp_path / name)
    first, two = ({p.name: p.read_bytes() for p in (tmp_path / name).iterdir()} for name in ("one", "two"))
    assert first == two


def test_a_damaged_index_is_refused(tmp_path):
    write_sparse(TEXTS, tmp_path / "sparse")
    (tmp_path / "sparse" / "words.json").write_text("{")
    with pytest.raises(CorpusError, match=r"words\.json"):
        SparseIndex.open(tmp_path / "sparse")


def test_an_index_of_fewer_papers_than_it_says_is_refused(tmp_path):
    write_sparse(TEXTS, tmp_path / "sparse")
    lengths = tmp_path / "sparse" / "lengths.npy"
    np.save(lengths, np.load(lengths)[:1])
    with pytest.raises(ValueError, match="lengths"):
        SparseIndex.open(tmp_path / "sparse")


KEYWORDS = ("Hubble's law; Cepheids", "", "", "AGN")


def test_keywords_are_a_field_of_their_own(tmp_path):
    write_sparse(TEXTS, tmp_path / "sparse", KEYWORDS)
    index = SparseIndex.open(tmp_path / "sparse", numbered(len(TEXTS)))
    # "law" stands in the keywords of one paper alone: idf * 0.4 * tf / (tf + saturation), where the two papers with
    # keywords have 3 and 1 of them ("Hubble", "law", "Cepheids"; "AGN").
    idf, saturation = math.log(1 + (4 - 1 + 0.5) / (1 + 0.5)), 1.2 * (1 - 0.75 + 0.75 * 3 / 2)
    law = index.search("law", 10)
    assert law.rows.tolist() == [0]
    assert law.scores[0] == pytest.approx(idf * 0.4 / (1 + saturation), rel=1e-5)
    # "Cepheids" stands in the text of the same paper too, and the two scores are added.
    text = idf / (1 + 1.2 * (1 - 0.75 + 0.75 * 8 / 7))
    assert index.search("cepheids", 10).scores[0] == pytest.approx(text + law.scores[0], rel=1e-5)
    assert index.document_frequencies(["law", "agn", "quasar"]).tolist() == [1, 1, 1]
    assert index.share_of_words(["agn", "dark"], np.array([2, 3])).tolist() == [0.5, 0.5]


def test_keywords_stay_searched_in_a_part_of_the_corpus(tmp_path):
    write_sparse(TEXTS, tmp_path / "sparse", KEYWORDS)
    rows = np.array([1, 3])
    index = SparseIndex.open(tmp_path / "sparse").only(rows, [TEXTS[row] for row in rows], numbered(2))
    assert index.search("AGN", 10).rows.tolist() == [1]
    assert len(index.search("law", 10).rows) == 0


def test_texts_without_keywords_have_the_index_of_texts_alone(tmp_path):
    write_sparse(TEXTS, tmp_path / "sparse", [""] * len(TEXTS))
    assert not SparseIndex.open(tmp_path / "sparse").has_keywords
