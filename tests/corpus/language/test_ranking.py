"""Which phrases of a text come first."""

from pathfinder.corpus.language.ranking import ranked
from pathfinder.corpus.language.tagged import tagged


class Known:
    """Tags from a list; what is not on it is a noun."""

    name = "known"

    def tags(self, sentences):
        tags = {"faint": "JJ", "black": "JJ", "the": "DT", ".": "SYM", "eat": "VB", "orbit": "VB"}
        return [[tags.get(word, "NN") for word in sentence] for sentence in sentences]


def order(text: str) -> list[str]:
    parts = tagged(text, Known())
    return [parts.text_of(span) for span in ranked(parts)]


def test_a_text_without_phrases_has_no_order():
    assert order("") == order("the . eat") == []


def test_the_phrase_that_the_others_lead_to_comes_first():
    text = "quasars eat dust . quasars orbit holes . quasars eat gas ."
    assert order(text)[0] == "quasars"


def test_a_phrase_that_comes_twice_is_given_once_where_it_stands_first():
    parts = tagged("faint dust . the gas . faint dust .", Known())
    assert sorted(ranked(parts)) == [(0, 2), (4, 5)]


def test_the_order_is_the_same_each_time():
    text = "black holes eat gas . faint dust . the stars orbit black holes ."
    assert order(text) == order(text)
