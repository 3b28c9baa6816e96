"""A digest: its lines, their order, and the notes on it."""

from dataclasses import replace

import pytest

from pathfinder.answering.digest.digest import NOT_ANSWERED, NOTHING_TO_QUOTE, as_quotation, make_digest, quote
from pathfinder.models.fake import HashEmbedder
from pathfinder.types import DigestForm, Finding, FullTextPassage, Hit, Paper, Score, SectionKind

EMBEDDER = HashEmbedder(1024)
RATE = "The expansion rate of the universe is {}."


def hit(paper_id, abstract, **fields):
    return Hit(Paper(paper_id, f"On {paper_id}", abstract, **fields), 0, Score(0.0))


OLD = hit("old", RATE.format("high in this survey of Cepheids"), year=1990)
NEW = hit("new", RATE.format("low in the microwave background"), year=2020)


def digest(question, *hits, **fields):
    return make_digest(question, hits, EMBEDDER, **fields)


def ids(digest):
    return [finding.paper_id for finding in digest.findings]


@pytest.mark.parametrize("form", DigestForm)
def test_every_line_stands_at_its_place_in_the_abstract(form):
    digest_ = digest("How high is the expansion rate of the universe?", OLD, NEW, requested_form=form)
    abstracts = {h.paper.paper_id: h.paper.abstract for h in (OLD, NEW)}
    assert digest_.form is form
    assert digest_.findings
    assert all(abstracts[f.paper_id][f.start : f.end] == f.sentence for f in digest_.findings)


def test_papers_keep_their_rank_unless_the_question_asks_for_today():
    assert ids(digest("Is the expansion rate of the universe high?", OLD, NEW)) == ["old", "new"]
    assert ids(digest("Is the expansion rate of the universe high today?", OLD, NEW)) == ["new", "old"]


def test_a_question_of_many_words_is_answered_by_a_sentence_rather_than_a_list_of_values():
    value = hit("value", "The mass of the Milky Way is 1.2e12 solar masses in total here.", year=2000)
    assert digest("What is the mass of the Milky Way?", value).values
    narrow = (
        "What is the total mass of the Milky Way that follows from streams of stars, globular clusters and fast dwarf "
        "galaxies with Gaia?"
    )
    assert digest(narrow, value).values == ()
    assert digest(narrow, value).form is DigestForm.VALUES


def test_the_notes_say_what_is_quoted_and_what_is_left_out():
    digest_ = digest("Is the expansion rate of the universe high?", OLD, hit("bare", ""), NEW)
    assert digest_.notes == (
        "Quotes 2 of the 3 papers found, published from 1990 to 2020, half of them by 1990.",
        "Leaves out 1 paper: 1 of which only the title is available.",
    )


def test_a_question_in_another_language_learns_in_which_the_papers_are_quoted():
    question = "¿Cuál es la tasa de expansion del universo?"
    assert "The quotations are in English, the language of the papers. The question seems to be in Spanish." in (
        digest(question, OLD, NEW).notes
    )


def test_lines_far_from_the_question_are_shown_as_the_nearest():
    digest_ = digest("Do mites harm bees?", OLD)
    assert digest_.is_weak
    assert quote("Do mites harm bees?", [OLD], EMBEDDER).text.startswith(f"{NOT_ANSWERED}\n\nThe expansion")
    assert not digest("Is the expansion rate of the universe high in this survey of Cepheids?", OLD).is_weak


def test_a_line_much_older_than_the_newest_hit_is_dated_if_it_may_be_superseded():
    older = hit("older", RATE.format("low"), year=1950)
    assert "[1950:] The expansion" in quote("Do mites harm bees?", [older, NEW], EMBEDDER).text
    assert "[1950:]" not in quote("Do mites harm bees?", [older], EMBEDDER).text
    assert "[1950:]" not in quote("Is the expansion rate of the universe low?", [older, NEW], EMBEDDER).text


def test_the_text_has_one_line_for_each_sentence_completed_and_numbered():
    we = hit("we", "We find a high expansion rate of the universe.", authors=("Riess, Adam", "Yuan, W.", "Macri, L."))
    quotation = quote("Is the expansion rate of the universe high?", [OLD, we], EMBEDDER)
    assert quotation.text.splitlines() == [
        f"{OLD.paper.abstract} [1]",
        "We [Riess and others] find a high expansion rate of the universe. [2]",
    ]
    assert [claim.text for claim in quotation.claims] == [OLD.paper.abstract, we.paper.abstract]


def test_titles_alone_leave_nothing_to_quote():
    quotation = quote("Is the rate high?", [hit("bare", "")], EMBEDDER)
    assert (quotation.text, quotation.claims) == (NOTHING_TO_QUOTE, ())


@pytest.mark.parametrize(
    "abstract",
    [
        "$$$ \\frac{ { \\unknown$ \\left( The rate of $\\alpha is high.",
        "Le taux d'expansion de l'univers est élevé dans notre échantillon de galaxies.",
        "[click](javascript:alert(1)) <script>alert(1)</script> ![x](http://x.y/z.png) The rate is high.",
        "The rate is high. " * 1200,
        "rate",
        "🌌 " * 40,
    ],
)
@pytest.mark.parametrize("form", DigestForm)
def test_odd_abstracts_are_quoted_as_they_are(abstract, form):
    quotation = quote("What is the expansion rate of the universe?", [hit("odd", abstract)], EMBEDDER, form)
    assert all(claim.text in abstract for claim in quotation.claims)


def test_sentences_that_stand_in_for_a_list_or_values_say_so():
    digest_ = digest("Which codes are used for the expansion of the universe?", OLD, NEW)
    assert digest_.form is DigestForm.LIST
    assert digest_.named == ()
    assert digest_.findings
    assert digest_.notes[0] == "Fewer than two names that fit the question were found, so sentences are quoted instead."


def test_a_question_for_one_thing_misses_no_list():
    digest_ = digest("Which survey measured the expansion of the universe?", OLD, NEW)
    assert digest_.form is DigestForm.LIST
    assert digest_.findings
    assert not any(note.startswith("Fewer than") for note in digest_.notes)


def test_an_answer_without_most_subjects_of_the_question_is_called_the_nearest():
    question = "How much does dust change the colours of distant quasars?"
    weak = make_digest(question, [hit("a", "Dust changes the light of the stars that we see.")], EMBEDDER)
    full = make_digest(question, [hit("a", "Dust changes the colours of distant quasars by a tenth.")], EMBEDDER)
    assert (weak.is_weak, full.is_weak) == (True, False)


def test_a_line_answers_with_most_of_the_subjects_and_not_with_one_of_them():
    question = "How much does dust change the colours of distant quasars?"
    most, one = hit("most", "Dust changes the colours of quasars."), hit("one", "The colours of the stars are old.")
    assert (digest(question, most).is_weak, digest(question, one).is_weak) == (False, True)


def test_a_paper_that_the_question_names_answers():
    one = hit("one", "The colours of the stars are old.")
    assert digest("the dust of quasars", one).is_weak
    assert not digest("the dust of quasars", replace(one, known_as="title")).is_weak


def test_the_papers_own_citations_by_number_stand_in_quotation_marks():
    passage = FullTextPassage("We follow Hubble [3]. It is so.", "2", SectionKind.METHOD, 4, 1, 0, 0, 0, 31)
    own = Finding("old", "We follow Hubble [3].", 0, 21, passage=passage)
    assert as_quotation(own) == "“We follow Hubble [3].”"
    assert as_quotation(replace(own, sentence="It is so.")) == "It is so."
    assert as_quotation(replace(own, sentence="Between [1, 3] it is so.", passage=None)) == "Between [1, 3] it is so."


def test_a_term_that_a_paper_only_mentions_is_not_what_it_is_about():
    aside = hit("aside", "Dust reddens galaxies. Zodiacal light was removed from the maps.")
    about = hit("about", "Zodiacal light is sunlight on dust. It was mapped.")
    assert digest("zodiacal light", aside).is_weak
    assert not digest("zodiacal light", about).is_weak
