"""Meanings in addition to words: what is embedded, what that changes, and the note if there is no embedder."""

from collections import Counter
from functools import cache

import numpy as np
import pytest

from pathfinder.answering.assessment.evidence.claim_check import SentenceVectors, nearest
from pathfinder.answering.assessment.evidence.ledger import TOO_MANY_MEANINGS, WORDS_ALONE, check_text
from pathfinder.answering.assessment.evidence.parsed_sentences import (
    ParsedSentence,
    ParsedSource,
    lacks,
    names,
    siblings,
)
from pathfinder.models.minilm import MiniLM
from pathfinder.types import CheckedSentence, Source, Verdict
from tests.answering.assessment.evidence.pairs import Pair, read_pairs

SOURCE = Source("1", "", "Stars form in cold clouds. Dust cools the gas of clouds. Comets lose water. Planets migrate.")
CLAIM = ParsedSentence("Suns are born where clouds are frigid.")


class Placed:
    """An embedder that puts texts with one of `words` in one direction, and all others at right angles to it."""

    name, dimension, max_tokens = "fake:placed", 2, 256

    def __init__(self, *words):
        self.words = words
        self.batches = []

    def is_cut(self, text):
        return False

    def embed(self, texts, kind):
        self.batches.append(list(texts))
        vectors = [[1.0, 0.0] if any(word in text for word in self.words) else [0.0, 1.0] for text in texts]
        return np.array(vectors, dtype=np.float32)


def test_only_the_two_sentences_that_hold_most_of_a_claim_are_embedded():
    embedder = Placed("clouds")
    SentenceVectors(embedder).are_close(CLAIM, nearest(CLAIM, [ParsedSource(SOURCE)]), 0.5)
    assert embedder.batches == [[CLAIM.text, "Stars form in cold clouds.", "Dust cools the gas of clouds."]]


@pytest.mark.parametrize(("words", "least", "are_close"), [(("born", "Dust"), 0.9, True), (("born",), 0.1, False)])
def test_the_largest_cosine_decides(words, least, are_close):
    near = nearest(CLAIM, [ParsedSource(SOURCE)])
    assert SentenceVectors(Placed(*words)).are_close(CLAIM, near, least) is are_close


def test_without_a_source_the_cosine_counts_as_nothing():
    assert SentenceVectors(Placed("born")).are_close(CLAIM, [], 0.0)
    assert not SentenceVectors(Placed("born")).are_close(CLAIM, [], 0.1)


def many_sources(n):
    return [Source(str(n), "", f"Clouds of number {n} are cold. Comets lose water {n} times.") for n in range(n)]


def test_nothing_more_is_embedded_once_a_sentence_is_close_enough():
    embedder, sources = Placed("Suns", "Clouds"), many_sources(60)
    vectors = SentenceVectors(embedder)
    assert vectors.are_close(CLAIM, nearest(CLAIM, [ParsedSource(source) for source in sources]), 0.5)
    assert len(embedder.batches) == 1


def test_beyond_the_limit_words_decide_and_a_note_says_so():
    text, sources = f"{CLAIM.text} Moons of ice have clouds and oceans.", many_sources(60)
    whole, part = (check_text(text, sources, Placed("Suns", "Moons"), most) for most in (None, 30))
    assert [sentence.verdict for sentence in whole.sentences] == [Verdict.NOT_FOUND, Verdict.NOT_FOUND]
    words_alone = check_text(text, sources)
    assert [sentence.verdict for sentence in part.sentences] == [sentence.verdict for sentence in words_alone.sentences]
    assert whole.notes == ()
    assert part.notes[0].startswith(TOO_MANY_MEANINGS)


def test_every_sentence_is_embedded_once():
    embedder = Placed("clouds")
    check_text("Suns are born in clouds [1]. Frigid clouds make suns [1].", [SOURCE], embedder)
    texts = [text for batch in embedder.batches for text in batch]
    assert len(texts) == len(set(texts)) == 4  # two claims, and the two sentences of the source about clouds


def test_a_sentence_with_the_words_of_its_source_is_found_without_embedding_it():
    embedder = Placed()
    (sentence,) = check_text("Stars form in cold clouds [1].", [SOURCE], embedder).sentences
    assert sentence.verdict is Verdict.SUPPORTED
    assert embedder.batches == []


def test_an_empty_text_embeds_nothing():
    embedder = Placed("clouds")
    assert check_text("", [SOURCE], embedder).sentences == ()
    assert embedder.batches == []


def test_words_that_are_near_in_meaning_are_found_and_words_that_are_far_are_not():
    # One word of five, "cloud", is in the source: a support of 0.2, which is enough if only words are compared.
    text = f"{CLAIM.text[:-1]} [1]."
    (near,) = check_text(text, [SOURCE], Placed("clouds")).sentences
    (far,) = check_text(text, [SOURCE], Placed("Suns")).sentences
    assert near.verdict is Verdict.PARTLY
    assert far.verdict is Verdict.NOT_FOUND


def test_a_ledger_of_words_alone_says_so_and_another_does_not():
    assert check_text("Stars form [1].", [SOURCE]).notes == (WORDS_ALONE,)
    assert check_text("Stars form [1].", [SOURCE], Placed("Stars")).notes == ()


def test_a_number_that_is_wrong_stays_wrong_however_near_the_meaning():
    source = Source("1", "", "Cepheids give an expansion rate of 73.0 km/s/Mpc.")
    (sentence,) = check_text(
        "Cepheids give an expansion rate of 76.0 km/s/Mpc [1].", [source], Placed("Ceph")
    ).sentences
    assert sentence.verdict is Verdict.CONTRADICTED


PAIRS = read_pairs()
KINDS = tuple(dict.fromkeys(pair.kind for pair in PAIRS))


@cache
def check_claim(text: str, pair: Pair) -> CheckedSentence:
    sources = [Source(str(n), "", text) for n, text in enumerate(pair.sources, start=1)]
    (sentence,) = check_text(text, sources).sentences
    return sentence


@pytest.mark.parametrize("kind", KINDS)
def test_the_two_sides_of_every_pair_get_different_verdicts(kind: str):
    same = [
        p.wrong for p in PAIRS if p.kind == kind and check_claim(p.right, p).verdict is check_claim(p.wrong, p).verdict
    ]
    assert same == []


@pytest.mark.parametrize("kind", KINDS)
def test_no_right_side_is_marked(kind: str):
    verdicts = {check_claim(pair.right, pair).verdict for pair in PAIRS if pair.kind == kind}
    assert verdicts <= {Verdict.SUPPORTED, Verdict.PARTLY}


@pytest.mark.parametrize("kind", KINDS)
def test_no_wrong_side_is_supported(kind: str):
    verdicts = {check_claim(pair.wrong, pair).verdict for pair in PAIRS if pair.kind == kind}
    assert Verdict.SUPPORTED not in verdicts


@pytest.mark.parametrize("kind", ["number", "unit", "negation", "direction"])
def test_another_number_unit_denial_or_direction_contradicts_the_source(kind: str):
    assert {check_claim(pair.wrong, pair).verdict for pair in PAIRS if pair.kind == kind} == {Verdict.CONTRADICTED}


def test_a_reason_names_both_numbers():
    pair = next(pair for pair in PAIRS if "73.0 km/s/Mpc" in pair.right)
    assert check_claim(pair.wrong, pair).reasons == ("67.4 km/s/Mpc in the text, 73.0 km/s/Mpc in the source",)


def name_texts(text: str) -> list[str]:
    return [name.text for name in names(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("The gas is hot.", []),
        ("We use the galaxy NGC 1068.", ["NGC 1068"]),
        ("the planet TOI-1231 b is small", ["TOI-1231 b"]),
        ("seen with JWST and in the Milky Way", ["JWST", "Milky Way"]),
        ("a Jupiter-like planet", ["Jupiter"]),
        ("an energy of 3 GeV", []),
        ("by Smith et al.", ["Smith"]),
        ("Riess, et al. say", ["Riess"]),
        ("Riess et\nal. say", ["Riess"]),
    ],
)
def test_names_are_found(text: str, expected: list[str]):
    assert name_texts(text) == expected


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("NGC 1068", "the galaxy ngc1068 is"),
        ("WASP-39b", "in wasp-39 b we"),
        ("JWST", "the james webb space telescope"),
        ("Milky Way", "our milky way"),
        ("Cepheid", "from Cepheids".lower()),
    ],
)
def test_spaces_hyphens_and_initials_make_no_difference(name: str, text: str):
    (name_,) = names(f"we see {name}")
    assert not lacks(name_, text)


@pytest.mark.parametrize(("name", "text"), [("NGC 1068", "ngc 10681"), ("S2", "s29"), ("ALMA", "with noema")])
def test_another_name_is_not_the_same(name: str, text: str):
    (name_,) = names(f"we see {name}")
    assert lacks(name_, text)


def test_a_sibling_has_the_same_letters_and_another_number_or_one_other_sign():
    (name,) = names("we see NGC 1068")
    assert [sibling.text for sibling in siblings(name, names("near NGC 1275, IC 10 and NGC 1068"))] == ["NGC 1275"]


PAIR_KINDS = ("number", "unit", "negation", "direction", "name", "citation")


def test_there_are_twenty_pairs_of_each_kind():
    assert Counter(pair.kind for pair in PAIRS) == dict.fromkeys(PAIR_KINDS, 20)


def test_a_pair_of_citations_has_two_sources_and_every_other_has_one():
    assert {(pair.kind == "citation", len(pair.sources)) for pair in PAIRS} == {(True, 2), (False, 1)}


def test_no_pair_is_there_twice_and_none_has_two_equal_sides():
    assert len({pair.right for pair in PAIRS}) == len(PAIRS)
    assert [pair for pair in PAIRS if pair.right == pair.wrong] == []


@pytest.fixture(scope="module")
def cosines() -> dict[Pair, float]:
    embedder = MiniLM()
    right = embedder.embed([pair.right for pair in PAIRS], "document")
    wrong = embedder.embed([pair.wrong for pair in PAIRS], "document")
    return dict(zip(PAIRS, (right * wrong).sum(axis=1).tolist(), strict=True))


@pytest.mark.parametrize("kind", PAIR_KINDS)
def test_the_two_sides_of_a_pair_are_nearly_the_same_to_the_embedder(kind: str, cosines: dict[Pair, float]):
    assert [pair.wrong for pair in PAIRS if pair.kind == kind and cosines[pair] <= 0.95] == []
