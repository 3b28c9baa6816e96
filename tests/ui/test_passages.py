from pathfinder.types import Hit, Paper, Passage, Score
from pathfinder.ui.papers.papers import excerpt, marked_abstract

ABSTRACT = "Dust is cold. Gas is warm. Stars [1] are hot."


def hit(*spans: tuple[int, int], abstract: str = ABSTRACT) -> Hit:
    passages = tuple(Passage(start, end, 0.5) for start, end in spans)
    return Hit(Paper("a", "Dust", abstract), 0, Score(0.0), passages=passages)


def test_without_passages_the_abstract_is_bare():
    assert excerpt(hit()) is None
    assert marked_abstract(hit()) == r"Dust is cold\. Gas is warm\. Stars \[1\] are hot\."


def test_a_passage_that_is_the_whole_abstract_is_not_marked():
    assert excerpt(hit((0, len(ABSTRACT)))) is None
    assert "background" not in marked_abstract(hit((0, len(ABSTRACT))))


def test_the_best_passage_is_quoted_and_marked_where_it_stands_and_no_other_is():
    hit_ = hit((27, 45), (0, 26))
    assert excerpt(hit_) == r"“Stars \[1\] are hot\.”"
    assert marked_abstract(hit_) == r"Dust is cold\. Gas is warm\. :blue-background[Stars \[1\] are hot\.]"


def test_a_long_passage_is_cut_at_a_word():
    long = "word " * 200
    hit_ = hit((0, 600), abstract=long + "End.")
    assert excerpt(hit_).endswith("word …”")
    assert len(excerpt(hit_)) < 300


def test_a_long_passage_is_not_cut_within_a_formula():
    long = "word " * 54 + r"at $10^8 \lesssim M \lesssim 10^9$ and more. "  # the formula begins at character 273
    hit_ = hit((0, len(long)), abstract=long + "End.")
    assert excerpt(hit_).endswith("word at …”")
