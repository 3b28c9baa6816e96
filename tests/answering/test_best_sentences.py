from dataclasses import replace

import pytest

from pathfinder.answering.digest.best_sentences import MOST, MOST_OF_A_PAPER, best_sentences
from pathfinder.answering.digest.quotation import quote
from pathfinder.models.fake import HashEmbedder
from pathfinder.types import Hit, Paper, Score
from tests.answering.results import PAPERS, result

QUESTION = "What is the expansion rate of the universe?"
EMBEDDER = HashEmbedder(1024)


def hits(*abstracts):
    papers = [Paper(f"p{i}", f"Title {i}", abstract) for i, abstract in enumerate(abstracts)]
    return [Hit(paper, row, Score(0.0)) for row, paper in enumerate(papers)]


def test_every_sentence_stands_in_the_paper_that_it_cites():
    quotation = quote(QUESTION, result().hits, EMBEDDER)
    text, claims = quotation.text, quotation.claims
    abstracts = {paper.paper_id: paper.abstract for paper in PAPERS}
    ranks = {paper.paper_id: rank for rank, paper in enumerate(PAPERS, start=1)}
    assert len(claims) == 2
    for claim in claims:
        (paper_id,) = claim.citations
        assert claim.text in abstracts[paper_id]
    assert text == " ".join(f"{claim.text} [{ranks[claim.citations[0]]}]" for claim in claims)


def test_the_sentence_with_the_words_of_the_question_comes_first():
    found = best_sentences(
        QUESTION, hits("Dust is cold in all of our maps.", "The expansion rate of the universe is high."), EMBEDDER
    )
    assert found[0].text == "The expansion rate of the universe is high."


def test_a_sentence_that_leans_on_another_gives_way():
    found = best_sentences(
        QUESTION,
        hits("This expansion rate of the universe is high. One expansion rate of the universe is high."),
        EMBEDDER,
    )
    assert found[0].text.startswith("One")


def test_a_figure_is_preferred_where_one_is_asked_for():
    (found, *_) = best_sentences(
        "What is the value of the expansion rate?",
        hits("The value of the expansion rate is debated at length. The value of the expansion rate is 73 km/s here."),
        EMBEDDER,
    )
    assert "73 km/s" in found.text


def test_nothing_is_said_twice():
    same = "The expansion rate of the universe is high."
    other = "Dust in dwarf galaxies is cold in maps."
    found = best_sentences(QUESTION, hits(same, same, other, "Wind blows over the red hills of Mars."), EMBEDDER)
    assert [s.text for s in found].count(same) == 1


def test_an_answer_is_short_and_no_paper_fills_it():
    long = " ".join(f"The expansion rate of universe number {i} is high." for i in range(20))
    found = best_sentences(QUESTION, hits(*[long] * 10), EMBEDDER)
    assert len(found) <= MOST
    assert all(sum(s.rank == rank for s in found) <= MOST_OF_A_PAPER for rank in range(1, 11))


def test_a_hit_with_nothing_but_a_heading_still_answers():
    assert [s.text for s in best_sentences(QUESTION, hits("Withdrawn."), EMBEDDER)] == ["Withdrawn."]


@pytest.mark.parametrize("question", ["?", "the of and", "Que es un exoplaneta?", "🌌"])
def test_a_question_without_a_known_word_is_answered_by_meaning(question):
    assert best_sentences(question, result().hits, EMBEDDER)


def test_mathematics_is_never_cut_in_two():
    found = best_sentences(
        QUESTION, hits("The rate of all is $a. b and so on in the end. The rate is high in the end."), EMBEDDER
    )
    assert all(s.text.count("$") % 2 == 0 for s in found)


def test_a_hit_that_matches_half_as_well_as_the_best_is_not_quoted():
    hits = result().hits
    far = tuple(
        replace(hit, score=replace(hit.score, fused=1.0 if place == 0 else 0.5)) for place, hit in enumerate(hits)
    )
    claims = quote(QUESTION, far, EMBEDDER).claims
    assert {paper_id for claim in claims for paper_id in claim.citations} == {hits[0].paper.paper_id}
