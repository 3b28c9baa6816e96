"""The choice of the sentences that a digest quotes."""

from dataclasses import replace

import numpy as np
import pytest

from pathfinder.answering.digest.lines import choose_lines
from pathfinder.answering.digest.quoted_papers import MOST_PAPERS, choose_papers, on_the_subject
from pathfinder.models.fake import HashEmbedder
from pathfinder.types import DigestForm, Hit, Paper, Score
from tests.answering.results import result
from tests.building.conftest import WordByWord

QUESTION = "What is the expansion rate of the universe?"
EMBEDDER = HashEmbedder(1024)

DUST = f"Dust is cold {'in one and all of our maps and ' * 9}in the sky."
"""A sentence of 78 words: with `HIGH`, it is too long for an excerpt."""
HIGH = (
    "The expansion rate of the universe is high in our maps, as the clusters, the quasars and the supernovae of the "
    "whole sky show once more together."
)
TAIL = f"as {'seen in the old and the new fields of the sky ' * 4}once"
"""The end of a sentence: two sentences that end like this are too long for an excerpt."""


def hits(*abstracts):
    papers = [Paper(f"p{i}", f"Title {i}", abstract) for i, abstract in enumerate(abstracts)]
    return [Hit(paper, row, Score(0.0)) for row, paper in enumerate(papers)]


def sentences(*abstracts, question=QUESTION, embedder=EMBEDDER):
    return [line.sentence for line in choose_lines(question, hits(*abstracts), embedder)]


def test_every_line_is_a_sentence_of_its_paper():
    lines = choose_lines(QUESTION, result().hits, EMBEDDER)
    assert lines
    assert all(line.paper.abstract[line.start : line.end] == line.sentence for line in lines)


def test_a_repeated_sentence_is_quoted_at_the_place_where_it_was_scored():
    same = "The expansion rate of the universe is high."
    (line, *_) = choose_lines(QUESTION, hits(f"{same} Dust is cold {'in our maps ' * 40}now. {same}"), EMBEDDER)
    assert line.sentence == same


def test_the_sentence_that_is_closest_to_the_question_stands_for_its_paper():
    assert sentences(f"{DUST} {HIGH}")[0] == HIGH


def test_a_topic_is_answered_by_the_first_sentence_of_a_summary_but_not_of_an_abstract():
    first = f"Five rings were found around Uranus in 1977 by three observers {TAIL}."
    closer = f"Rings of Uranus, all the rings of Uranus, were seen {TAIL}."
    (hit,) = hits(f"{first} {closer}")
    summary = replace(hit, paper=replace(hit.paper, is_summary=True))
    assert choose_lines("rings of Uranus", [hit], EMBEDDER)[0].sentence == closer
    assert choose_lines("rings of Uranus", [summary], EMBEDDER)[0].sentence == first
    assert choose_lines("Why are the rings of Uranus seen?", [summary], EMBEDDER)[0].sentence == closer


def test_what_something_is_stands_first_although_it_is_known_already():
    first = f"We find 40 globular clusters in the globular clusters of our survey {TAIL}."
    says = f"Globular clusters (GCs) are dense star clusters {TAIL}."
    told = f"Globular clusters are observed by us in all the clusters of the sky {TAIL}."
    assert sentences(f"{told} {first}", f"{first} {says}", question="What are globular clusters?")[0] == says
    assert sentences(f"{told} {first}", f"{first} {says}", question="Where are globular clusters?")[0] != says


def test_a_paper_that_says_what_something_is_takes_the_place_of_another():
    question = "What are globular clusters?"
    others = [f"We count {n} globular clusters." for n in range(9)]
    found = choose_papers(question, hits(*others, "Globular clusters are dense star clusters."))
    places = on_the_subject(question, found, np.ones(10), DigestForm.FACT)
    assert (places[0], len(places)) == (9, MOST_PAPERS[DigestForm.FACT])


def test_a_result_is_preferred_to_a_method_with_the_same_words():
    method = f"We use supernovae to study the expansion rate of the universe {TAIL}."
    result = f"We find from supernovae a high expansion rate of the universe {TAIL}."
    assert sentences(f"{method} {result}")[0] == result


def test_a_paper_without_a_sentence_of_whole_words_is_not_quoted():
    whole = "The expansion rate of the universe is high here."
    debris = "The expan- sion rate of the universe† is high."
    assert sentences(debris, whole) == [whole]
    assert sentences(debris) == []


def test_lines_keep_the_order_of_the_hits():
    first, second = "The rate of the universe is high here.", "The expansion rate of the universe is high here."
    assert sentences(first, second) == [first, second]


def test_a_line_far_from_the_question_is_left_out():
    far, close = "Dust is cold in all of our maps.", "The expansion rate of the universe is high."
    assert sentences(far, close) == [close]


def test_only_the_first_paper_may_have_two_lines():
    abstract = "The expansion rate of {} galaxies is high here. The expansion rate of {} clusters is high here."
    lines = choose_lines(QUESTION, hits(*(abstract.format(name, name) for name in ("old", "young", "dim"))), EMBEDDER)
    ids = [line.paper.paper_id for line in lines]
    assert ids in (["p0", "p0", "p1", "p2"], ["p0", "p1", "p2"])


def test_nothing_is_said_twice():
    same = "The expansion rate of the universe is high."
    assert sentences(same, same, "Wind blows over the red hills of Mars.").count(same) == 1


def test_a_hit_with_a_few_words_only_is_still_quoted():
    assert sentences("Withdrawn.") == ["Withdrawn."]


def test_a_heading_is_not_part_of_the_sentence():
    assert sentences("Results: The expansion rate of the universe is high.") == [
        "The expansion rate of the universe is high."
    ]


def test_a_hit_of_which_only_the_title_is_known_is_passed_over():
    assert sentences("", "The expansion rate of the universe is high.") == [
        "The expansion rate of the universe is high."
    ]
    assert sentences("") == []


def test_a_formula_is_never_cut_in_two():
    parts = sentences("The rate of all is $a. b and so on in the end. The rate is high in the end.")
    assert all(sentence.count("$") % 2 == 0 for sentence in parts)


def test_a_hit_that_matches_half_as_well_as_the_best_is_not_quoted():
    far = [
        replace(hit, score=replace(hit.score, fused=1.0 if place == 0 else 0.5))
        for place, hit in enumerate(result().hits)
    ]
    lines = choose_lines(QUESTION, far, EMBEDDER)
    assert {line.paper.paper_id for line in lines} == {far[0].paper.paper_id}


@pytest.mark.parametrize("question", ["?", "the of and", "Que es un exoplaneta?", "🌌"])
def test_a_question_without_a_known_word_still_finds_lines(question):
    assert choose_lines(question, result().hits, EMBEDDER)
    assert choose_lines(question, result().hits, WordByWord())


def test_an_abstract_of_20_000_characters_is_read_in_part():
    long = "The expansion rate of the universe is high. " * 450
    (line, *_) = choose_lines(QUESTION, hits(long), WordByWord())
    assert line.end <= 9_000


def test_tokens_tell_apart_what_is_close():
    assert sentences(f"{DUST} {HIGH}", embedder=WordByWord())[0] == HIGH


def test_papers_that_have_few_subjects_of_a_short_question_are_not_shown_beside_one_that_has_all():
    question = "How do magnetic fields shape spiral arms?"
    all_of_them = "Magnetic fields shape the spiral arms of galaxies and keep them thin."
    one_of_them = "Magnetic fields shape the tails of comets."
    assert sentences(all_of_them, one_of_them, question=question) == [all_of_them]
