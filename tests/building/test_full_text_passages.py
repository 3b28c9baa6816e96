import shutil

import numpy as np
import pytest

from pathfinder.building.full_texts import index_full_texts
from pathfinder.building.progress import Silent
from pathfinder.corpus.store import open_corpus
from pathfinder.errors import CorpusError
from pathfinder.fulltext.store import NewText, add, remove
from pathfinder.index.predicate import EVERY_PAPER, Predicate
from pathfinder.models.fake import HashEmbedder
from pathfinder.types.full_texts import SectionKind
from tests.building.conftest import CountingEmbedder
from tests.full_text_corpus import DISCS, NEEDLE, SURVEY, full_text_corpus

pytestmark = pytest.mark.build

QUESTION = "quokka hopped across the dome floor"


@pytest.fixture(scope="module")
def built_corpus(tmp_path_factory):
    return full_text_corpus(tmp_path_factory.mktemp("full_texts"))


@pytest.fixture
def corpus(built_corpus, tmp_path):
    return shutil.copytree(built_corpus, tmp_path / "corpus")


def passage_for(corpus, mask=None, question=QUESTION):
    """Return the passages found by meaning and by words, with their papers."""
    own_corpus = open_corpus(corpus)
    index = own_corpus.full_texts
    (vector,) = HashEmbedder(384).embed([question], "query")
    by_meaning, by_words = index.by_meaning(vector, 1, mask), index.by_words(question, 1, mask, own_corpus.sparse)
    places = np.concatenate([by_meaning.rows, by_words.rows])
    passages = index.passages(places, np.array([np.nan] * len(places)))
    return [(int(index.papers[place]), passage) for place, passage in zip(places, passages, strict=True)]


def test_a_passage_is_found_by_meaning_and_by_words_and_knows_its_place(built_corpus):
    (row, passage), again = passage_for(built_corpus)
    assert (row, passage) == again
    assert open_corpus(built_corpus).papers[row].paper_id == "survey"
    assert NEEDLE in passage.text
    assert (passage.kind, passage.heading, passage.section) == (SectionKind.METHOD, "2. Methods", 1)


def test_passages_are_found_in_chosen_sections_and_papers_alone(built_corpus):
    index = open_corpus(built_corpus).full_texts
    # The methods have 2 x 240 + 14 words: 494 // 110 = 4 passages. Introduction, results, caption, other paper: 1 each.
    assert len(index) == 8
    mask = index.mask(EVERY_PAPER, [SectionKind.CAPTION])
    assert [passage.text for _, passage in passage_for(built_corpus, mask, "wombats")] == [
        "Number of wombats by night."
    ] * 2
    within = index.mask(Predicate(year_from=2005))
    assert within.sum() == 0
    assert index.mask(EVERY_PAPER) is None
    assert list(np.flatnonzero(index.passage_counts)) == [0, 3]


def test_only_new_passages_are_embedded_and_a_removed_text_is_found_no_more(corpus):
    embedder = CountingEmbedder(384)
    assert index_full_texts(corpus, embedder, Silent()) == 8
    add(corpus, [NewText("dome", DISCS, "dome.txt")])
    found_before = np.flatnonzero(open_corpus(corpus).full_texts.passage_counts)
    assert list(found_before) == [0, 3]  # those before are found while others come
    before = open_corpus(corpus).manifest
    assert index_full_texts(corpus, embedder, Silent()) == 9
    assert embedder.n_texts == 1
    assert open_corpus(corpus).manifest != before
    remove(corpus, ["survey"])
    assert open_corpus(corpus).full_texts is None
    assert index_full_texts(corpus, embedder, Silent()) == 2
    assert NEEDLE not in [passage.text for _, passage in passage_for(corpus)]
    remove(corpus, ["dome", "bare"])
    assert (index_full_texts(corpus, embedder, Silent()), embedder.n_texts) == (0, 1)
    assert "fulltextpassages" not in open_corpus(corpus).manifest.parts


def test_what_was_embedded_before_a_stop_is_not_embedded_again(corpus, monkeypatch):
    add(corpus, [NewText("hop", SURVEY, "hop.txt")])
    embedder = CountingEmbedder(384)

    def stop(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("pathfinder.building.full_texts.place_part", stop)
        with pytest.raises(KeyboardInterrupt):
            index_full_texts(corpus, embedder, Silent())
    n_before = embedder.n_texts
    assert index_full_texts(corpus, embedder, Silent()) == 8 + 7
    assert (n_before, embedder.n_texts) == (7, 7)
    assert open_corpus(corpus).full_texts.passage_counts[[0, 2]].all()


def test_another_embedder_is_refused(corpus):
    with pytest.raises(CorpusError, match="was embedded with"):
        index_full_texts(corpus, HashEmbedder(8), Silent())
