from pathfinder.types import Hit, Paper, Score
from pathfinder.ui.papers.paper_lines import excerpt, marked_abstract

ABSTRACT = "Dust is cold. Gas is warm. Stars [1] are hot."


def hit(abstract: str = ABSTRACT) -> Hit:
    return Hit(Paper("a", "Dust", abstract), 0, Score(0.0))


def test_a_card_has_the_words_around_what_matched_and_marks_them():
    assert excerpt(hit(), "How hot are stars?") == r"… **Stars** \[1\] are **hot**\."
    assert excerpt(hit(), "galaxies") == r"Dust is cold\. Gas is warm\. Stars \[1\] are hot\."
    assert excerpt(hit(abstract=""), "stars") is None


def test_a_summary_is_called_one():
    summary = Hit(Paper("a", "Dust", ABSTRACT, is_summary=True), 0, Score(0.0))
    assert excerpt(summary, "stars").startswith(":gray[Summary:] … **Stars**")


def test_a_long_sentence_is_cut_at_words_around_the_first_that_matches():
    lines = excerpt(hit(abstract="word " * 60 + "star " + "word " * 90 + "end."), "stars")
    assert lines.startswith("… word ")
    assert "**star**" in lines[:80]
    assert lines.endswith("word …")
    assert len(lines) < 350


def test_no_markup_or_formula_of_an_abstract_takes_effect_on_a_card():
    lines = excerpt(hit(abstract=r"Stars of $M_\odot$ in <b>bold</b> and *more*."), "stars")
    assert lines == r"**Stars** of M☉ in \<b\>bold\<\/b\> and \*more\*\."


def test_the_sentence_of_the_card_is_marked_where_it_stands_and_no_other_is():
    marked = r"Dust is cold\. Gas is warm\. :blue-background[Stars \[1\] are hot\.]"
    assert marked_abstract(hit(), "How hot are stars?") == marked
    assert "background" not in marked_abstract(hit(abstract="Stars are hot."), "stars")
