"""Ranking of noun phrases by TextRank."""

from pathfinder.text.language.tagged_text import tag_text
from pathfinder.text.language.textrank import rank_phrases


class ListTagger:
    """Tags words from a list; all other words are nouns."""

    name = "list"

    def tags(self, sentences):
        tags = {"faint": "JJ", "black": "JJ", "the": "DT", ".": "SYM", "eat": "VB", "orbit": "VB"}
        return [[tags.get(word, "NN") for word in sentence] for sentence in sentences]


def order(text: str) -> list[str]:
    parts = tag_text(text, ListTagger())
    return [parts.text_of(span) for span in rank_phrases(parts)]


def test_a_text_without_phrases_has_no_ranking():
    assert order("") == order("the . eat") == []


def test_the_most_central_phrase_comes_first():
    text = "quasars eat dust . quasars orbit holes . quasars eat gas ."
    assert order(text)[0] == "quasars"


def test_a_repeated_phrase_is_returned_once_at_its_first_occurrence():
    parts = tag_text("faint dust . the gas . faint dust .", ListTagger())
    assert sorted(rank_phrases(parts)) == [(0, 2), (4, 5)]


def test_the_ranking_is_reproducible():
    text = "black holes eat gas . faint dust . the stars orbit black holes ."
    assert order(text) == order(text)
