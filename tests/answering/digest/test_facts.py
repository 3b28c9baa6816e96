"""Questions that ask who, when or where; the subjects of a question; and sentences that the next one takes back."""

from dataclasses import replace

import numpy as np
import pytest

from pathfinder.answering.digest.digest import make_digest
from pathfinder.answering.digest.lines import choose_lines, facts_in, tells_the_fact
from pathfinder.answering.digest.scoring import coverage
from pathfinder.models.fake import HashEmbedder
from pathfinder.profile import astronomy
from pathfinder.profile.profile import Names
from pathfinder.types import DigestForm, Hit, Paper, Score

EMBEDDER = HashEmbedder(1024)


def hit(paper_id, abstract, **fields):
    return Hit(Paper(paper_id, f"On {paper_id}", abstract, **fields), 0, Score(0.0))


def first_line(question, abstract, **fields):
    return make_digest(question, [hit("a", abstract, **fields)], EMBEDDER).findings[0].sentence


@pytest.mark.parametrize(
    ("question", "sentence", "n"),
    [
        ("Who found it?", "Mayor and Queloz followed 142 stars.", 1),
        ("Who found it?", "Its spectrum shows lines of iron in Cygnus and Lyra without a pause.", 0),
        ("When was it seen?", "It struck about ten billion years ago.", 1),
        ("When was it seen?", "On 14 September 2015 it rose to 250 hertz.", 1),
        ("When was it seen?", "Since the 1960s the codes had always crashed.", 0),
        ("Where was it seen?", "It shines in Sagittarius B2, in the Orion Nebula and in W49.", 3),
        ("Where was it seen?", "It comes from everywhere in April.", 0),
        ("When was it seen?", "A supernova such as SN 1987A is rare.", 0),
        ("Why does it shine?", "It burns.", 1),
    ],
)
def test_persons_dates_and_places_are_counted_where_they_are_asked_for(question, sentence, n):
    assert facts_in(question, Paper("p", "Title", sentence), sentence) == n


def test_what_else_dates_a_thing_depends_on_the_field():
    paper = Paper("p", "Title", "The first of them formed before redshift 6; the older layer is Jurassic.")
    geology = replace(astronomy(), names=Names(dates=("(?:Jur|Tri)assic",)))
    assert facts_in("When did it form?", paper, "It formed before redshift 6.") == 1
    assert facts_in("When did it form?", paper, "It formed before redshift 6.", geology) == 0
    assert facts_in("When did it form?", paper, "The older layer is Jurassic.", geology) == 1


def test_an_author_who_is_named_alone_counts_as_a_person():
    sentence = "Zwicky applied the virial theorem to the cluster."
    assert facts_in("Who?", Paper("p", "Title", sentence, authors=("Zwicky, F.",)), sentence) == 1


def test_the_sentence_with_the_date_stands_first():
    vague = f"The merger of two black holes was observed with {'great joy and by many of us ' * 11}together."
    dated_sentence = (
        f"On 14 September 2015 the two black holes were heard by {'all of the old detectors and ' * 4}by us."
    )
    assert first_line("When was the merger of two black holes observed?", f"{vague} {dated_sentence}") == dated_sentence


def test_who_when_and_where_are_answered_by_two_papers():
    hits = [hit(f"p{i}", f"In {1990 + i} the black hole number {i} was observed in a merger.") for i in range(6)]
    digest = make_digest("When was the merger of black holes observed?", hits, EMBEDDER)
    assert digest.form is DigestForm.FACT
    assert len({finding.paper_id for finding in digest.findings}) == len(digest.findings) == 2


def test_a_question_about_who_is_not_answered_where_nobody_is_named():
    assert make_digest("Who studied the pulsars?", [hit("a", "The pulsars are clocks in the sky.")], EMBEDDER).is_weak


@pytest.mark.parametrize(
    ("question", "sentence", "tells"),
    [
        ("Who discovered Pluto?", "Tombaugh and Slipher discovered Pluto on two plates.", True),
        ("Who discovered Pluto?", "Stern and Young saw the plains of Pluto.", False),
        ("Who discovered Pluto?", "Jewitt and Luu discovered a body beyond Neptune.", False),
        ("Who discovered Pluto?", "Jewitt and Luu discovered a body with the Pluto Camera.", False),
        ("Who found Pluto?", "Stern and Young mapped the plains of Pluto.", False),
        ("Who mapped Pluto?", "Stern and Young saw the plains of Pluto.", True),
        ("Who first measured the distance to a star?", "Schutz and Ray timed two neutron stars first.", False),
        ("Who first measured the distance to a star?", "Bessel and Ray measured the distance of a star first.", True),
        ("In what year was Pluto discovered?", "A probe passed Pluto on 14 July 2015.", False),
        ("In what year was Pluto discovered?", "Pluto was first seen in 1930.", True),
    ],
)
def test_a_person_or_a_date_answers_beside_the_subject_and_for_a_discovery_where_it_is_spoken_of(
    question, sentence, tells
):
    assert tells_the_fact(question, Paper("p", "Title", sentence), sentence) is tells


def test_a_date_of_something_else_is_not_quoted():
    question = "When was alphapril approved?"
    other = hit("other", "In July 2018, betapril was approved in two countries.")
    digest = make_digest(question, [other, hit("own", "Alphapril lowers the pressure of the blood.")], EMBEDDER)
    assert (digest.is_weak, digest.findings) == (True, ())
    right = hit("right", "In July 1990, alphapril was approved in two countries.")
    assert [finding.paper_id for finding in make_digest(question, [right, other], EMBEDDER).findings] == ["right"]


def test_a_question_that_fits_most_papers_alike_is_not_answered_by_a_name_and_the_earliest_stands_first():
    hits = [
        hit(f"p{year}", f"Smith and Jones observed pulsars with a clock in {year}.", year=year)
        for year in (1999, 1975, 1982, 2004)
    ]
    digest = make_digest("Who discovered pulsars?", hits, EMBEDDER)
    assert digest.is_weak
    assert [finding.paper_id for finding in digest.findings] == ["p1975", "p1982"]


def test_a_sentence_is_quoted_with_the_next_that_takes_it_back():
    claim, turn = "We find that a planet causes the ripple of the star.", "But the ripple came back with every lens."
    (line, *_) = choose_lines("What causes the ripple of the star?", [hit("a", f"{claim} {turn}")], EMBEDDER)
    assert line.sentence == f"{claim} {turn}"


def test_a_sentence_is_quoted_alone_if_the_next_continues():
    claim, more = "We find that a planet causes the ripple of the star.", f"Dust is {'cold in our maps ' * 25}."
    (line, *_) = choose_lines("What causes the ripple of the star?", [hit("a", f"{claim} {more}")], EMBEDDER)
    assert line.sentence == claim


def test_coverage_weighs_the_subjects_of_a_question_by_rarity():
    shares = coverage("How do quasars influence soup?", ["quasars", "quasars shine", "dust"])
    quasars, soup = np.log1p(3 / 2.5), np.log1p(3 / 0.5)
    assert shares == pytest.approx([quasars / (quasars + soup), quasars / (quasars + soup), 0.0])


def test_a_subject_in_another_language_counts_if_it_begins_alike():
    assert coverage("Que es un exoplaneta?", ["An exoplanet orbits a star."]) == pytest.approx([1.0])


def test_a_question_whose_subject_no_paper_contains_is_not_answered():
    rate = hit("a", "The quasars in this survey are bright and far away.")
    assert make_digest("How does tomato soup change the quasars in this survey?", [rate], EMBEDDER).is_weak


def test_a_designation_is_one_word_whether_or_not_its_letters_stand_apart():
    assert coverage("When was SN 1987A seen?", ["SN1987A, from afar", "SN 2011fe"]).tolist() == [1.0, 0.0]


def test_the_earliest_paper_stands_first_if_the_question_asks_who_was_first():
    early = hit("a", "Zwicky and Ray measured the dark matter of clusters.", year=1933)
    late = hit("b", "Tyson and Lee first found the dark matter of clusters.", year=1990)
    assert make_digest("Who first found dark matter in clusters?", [late, early], EMBEDDER).findings[0].paper_id == "a"
