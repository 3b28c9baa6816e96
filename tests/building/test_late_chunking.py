import numpy as np
import pytest

from pathfinder.building.passage_maker import content_tokens, read_on
from pathfinder.models.minilm import MiniLM
from pathfinder.types import Paper
from tests.building.conftest import WordByWord


def words_of(paper, n_words):
    embedder = WordByWord(n_words)
    (read_paper,) = read_on([paper], embedder.embed_tokens([paper.text]), embedder)
    title = [paper.text[start:end] for start, end in read_paper.title.spans]
    return title, [paper.abstract[start:end] for start, end in read_paper.abstract.spans], read_paper.was_cut


@pytest.mark.parametrize("n_words", [4, 5, 6, 8, 12, 19, 30])
def test_every_word_has_one_token_however_small_the_window(n_words):
    paper = Paper("p", "Young galaxies", "One two. Three four five six seven eight nine. Ten. Eleven twelve.")
    title, abstract, was_cut = words_of(paper, n_words)
    assert title == ["Young", "galaxies", "."]
    assert abstract == "One two . Three four five six seven eight nine . Ten . Eleven twelve .".split()
    assert was_cut == (n_words < 19)


def test_a_window_begins_with_the_title_and_the_sentence_that_was_cut():
    embedded_texts = []

    class RecordingEmbedder(WordByWord):
        def embed_tokens(self, texts):
            embedded_texts.extend(texts)
            return super().embed_tokens(texts)

    embedder = RecordingEmbedder(7)
    paper = Paper("p", "Discs.", "One two. Three four five. Six.")
    read_on([paper], embedder.embed_tokens([paper.text]), embedder)
    # Seven words and signs at a time: the first window ends after "four", the second after "Six".
    assert embedded_texts == ["Discs. One two. Three four five. Six.", "Discs. Three four five. Six.", "Discs. Six."]


def test_a_title_that_fills_the_window_leaves_room_for_the_abstract():
    paper = Paper("p", "word " * 300, "One two three.")
    _, abstract, was_cut = words_of(paper, 60)
    assert (abstract, was_cut) == (["One", "two", "three", "."], True)


@pytest.mark.parametrize("abstract", ["", " ", "\x00", "One \x00\x00"])
def test_what_has_no_token_does_not_hold_up_the_reading(abstract):
    minilm = MiniLM()
    paper = Paper("p", "Title", abstract)
    (read_paper,) = read_on([paper], minilm.embed_tokens([paper.text]), minilm)
    assert len(read_paper.abstract.ids) == abstract.startswith("One")


def test_a_long_abstract_is_read_to_its_last_word_by_the_local_model():
    minilm = MiniLM()
    paper = Paper("p", "Young galaxies", "We count the faint stars of a disc. " * 60 + "At last a quokka.")
    (read_paper,) = read_on([paper], minilm.embed_tokens([paper.text]), minilm)
    starts = read_paper.abstract.spans[:, 0]
    assert (np.diff(starts) > 0).all()
    assert paper.abstract[read_paper.abstract.spans[-1, 0] :] == "."
    covered_text = "".join(paper.abstract[start:end] for start, end in read_paper.abstract.spans)
    assert covered_text == paper.abstract.replace(" ", "")


def test_signs_and_stop_words_say_nothing_and_parts_of_words_do():
    text = "The thesis, in σ - on tothe."
    spans = [(0, 3), (4, 7), (7, 10), (10, 11), (12, 14), (15, 16), (17, 18), (19, 21), (22, 24), (24, 27), (27, 28)]
    tokens = WordByWord().embed_tokens([""])[0]
    tokens = type(tokens)(np.zeros((11, 2), np.float32), np.arange(11, dtype=np.int32), np.array(spans, np.int32))
    words = [text[start:end] for start, end in content_tokens(text, tokens).spans]
    assert words == ["the", "sis", "σ", "to", "the"]
