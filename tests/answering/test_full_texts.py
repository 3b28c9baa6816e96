"""Answers read the full-text passages of the hits, and say where in a paper a line stands."""

from dataclasses import replace

from pathfinder.answering.grounding.readings import Readings
from pathfinder.answering.grounding.sources import CitationRegistry, as_sources
from pathfinder.models.fake import HashEmbedder
from pathfinder.types import AnswerRequest, FullTextPassage, ModeName, SectionKind
from tests.answering.results import PAPERS, answer, context, result

TEXT = "The calibration drifts slowly. The quokka dome of the universe is made of copper plates and of polished glass"
PASSAGE = FullTextPassage(TEXT, "2. Methods", SectionKind.METHOD, 4, 1, 0, 0, 0, len(TEXT), 0.8)


def with_passage(search_result):
    return replace(search_result, hits=(replace(search_result.hits[0], full_text=(PASSAGE,)), *search_result.hits[1:]))


def test_a_paper_is_read_with_its_passages_and_every_span_goes_back_to_its_place():
    readings = Readings().with_hits(with_passage(result()).hits).with_hits(with_passage(result()).hits)
    paper = PAPERS[0]
    text = readings.read(paper).abstract
    assert text == f"{paper.abstract}\n\f\n{TEXT}."
    start = text.index("The quokka")
    place = readings.place(paper, start, len(text))
    assert (place.passage, TEXT[place.start : place.end]) == (PASSAGE, TEXT[TEXT.index("The quokka") :])
    assert readings.place(paper, 0, 10).passage is None
    across = readings.place(paper, len(paper.abstract) - 5, len(text))
    assert (across.start, across.end, across.passage) == (0, len(TEXT), PASSAGE)
    assert readings.read(PAPERS[1]) is PAPERS[1]
    bare = replace(paper, abstract="")
    assert readings.read(bare).abstract == f"{TEXT}."
    assert readings.place(bare, 0, 3).passage == PASSAGE


def test_a_quotation_from_a_full_text_names_its_section_and_page():
    search_result = with_passage(result(query="What is the quokka dome of the universe made of?"))
    answer_ = answer(search_result, AnswerRequest(generation=ModeName.EXTRACTIVE), context(HashEmbedder(64)))
    line = next(line for line in answer_.digest.findings if line.passage)
    assert "quokka dome" in line.sentence
    assert line.sentence == TEXT[line.start : line.end]
    assert f"{line.sentence} (2. Methods, page 4) [1]" in answer_.text
    assert answer_.sources[0] == PAPERS[0]
    checked_sentence = next(each for each in answer_.ledger.sentences if each.text == line.sentence)
    assert checked_sentence.evidence[0].passage == PASSAGE


def test_a_prompt_has_passages_with_section_and_page_as_far_as_there_is_room_beside_all_abstracts():
    registry = CitationRegistry("q", PAPERS)
    passages = {PAPERS[0].paper_id: (PASSAGE,)}
    whole = as_sources(registry, PAPERS, full_texts=passages)
    assert whole.text.count("Full text (2. Methods, page 4): The calibration drifts slowly.") == 1
    assert whole.text.index("Full text") < whole.text.index("</source>")
    plain = as_sources(registry, PAPERS).text
    # The abstracts take len(plain) characters; tokens have four.
    tight = as_sources(registry, PAPERS, len(plain) // 4 + 10, full_texts=passages)
    assert (tight.text, tight.left_out, tight.shortened_papers) == (plain, (), ())
    kept = as_sources(registry, PAPERS, len(plain) // 4 + 10, full_texts=passages, keeps_room=True)
    assert "The calibration drifts slowly." in kept.text
    assert kept.left_out
