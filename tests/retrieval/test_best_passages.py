"""The passages shown with a paper: their order within the paper, and how far each of them reaches."""

import numpy as np
import pytest

from pathfinder.fulltext.document import Document, Paragraph, Section, TextFormat, TextProvenance
from pathfinder.fulltext.passages import cut_full_text, surroundings
from pathfinder.index.full_texts import FullTextIndex, OwnedPassage, write_full_text_index
from pathfinder.retrieval.best_passages import MAX_WORDS, best_passages
from pathfinder.types.full_texts import SectionKind


def sentences(about, n):
    return " ".join(f"Sentence {number} on the {about} says nothing new at all." for number in range(n))


DOCUMENT = Document(
    "On quokkas",
    (
        Section(
            "1. Quokkas", 1, SectionKind.OTHER, tuple(Paragraph(sentences("quokka", 9), page) for page in (1, 1, 2, 2))
        ),
        Section("2. Domes", 1, SectionKind.OTHER, (Paragraph(f"{sentences('quokka', 30)} A quoll slept there.", 3),)),
        Section("3. Quolls", 1, SectionKind.RESULT, (Paragraph("Nothing is known of them.", 4),)),
    ),
    (),
    (),
    TextProvenance(TextFormat.TEXT, "quokkas.txt", "0" * 64),
)


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    folder = tmp_path_factory.mktemp("index")
    passages = [OwnedPassage("a", passage) for passage in cut_full_text(DOCUMENT)]
    vectors = np.eye(len(passages), 8, dtype=np.float32)
    write_full_text_index(passages, [vectors], 8, folder, "list")
    return FullTextIndex.open(folder, lambda ids: np.zeros(len(ids), dtype=np.int64), 1)


def best(index, question, vector=None):
    return best_passages(question, DOCUMENT.title, index.places_of(0), index, vector)


def test_a_passage_is_extended_by_whole_sentences_and_is_found_again_in_the_paper(index):
    for passage in best(index, "quolls in domes, and each quokka").passages:
        n_words = len(passage.text.split())
        longest_sentence = 11
        is_whole_section = n_words < MAX_WORDS - longest_sentence
        assert n_words <= MAX_WORDS
        assert not is_whole_section or passage.heading != "1. Quokkas"
        assert surroundings(DOCUMENT, passage).paragraphs
        own = DOCUMENT.sections[passage.section].paragraphs
        assert passage.text.split("\n")[0] in own[passage.first].text
        assert own[passage.last].text[: passage.end].endswith(passage.text.split("\n")[-1])


def test_no_shown_passage_contains_another_and_none_goes_beyond_its_section(index):
    shown = best(index, "each quokka").passages
    spans = [(each.section, each.first, each.start) for each in shown]
    assert len(set(spans)) == len(shown) == 3
    assert all("quoll" not in each.text for each in shown if each.section == 0)


def test_a_rare_word_and_a_heading_outweigh_a_word_of_the_title(index):
    shown = best(index, "Which quokka or quoll?").passages
    assert [each.heading for each in shown[:2]] == ["2. Domes", "3. Quolls"]
    assert "A quoll slept there." in shown[0].text


def test_words_that_a_paper_never_uses_are_named(index):
    question = "Which wombats and quokkas sleep in domes?"
    assert best(index, question).absent_words == ("wombat", "sleep")
    places = index.places_of(0)
    in_quolls = index.kinds[places] == SectionKind.RESULT
    chosen = best_passages(question, DOCUMENT.title, places, index, np.ones(8, dtype=np.float32), in_quolls)
    assert [each.heading for each in chosen.passages] == ["3. Quolls"]
    assert chosen.absent_words == ("wombat", "sleep")  # of the whole paper, not of the section


def test_without_a_vector_only_passages_with_a_word_of_the_question_count(index):
    assert best(index, "wombats").passages == ()
    third = np.zeros(8, dtype=np.float32)
    third[2] = 1.0
    assert best(index, "wombats", third).passages[0].score == 1.0
