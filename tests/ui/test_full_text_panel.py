from pathfinder.fulltext.passages import cut_full_text, surroundings
from pathfinder.operations.search import result_lines
from pathfinder.ui.papers.full_text import in_place
from tests.answering.results import result
from tests.answering.test_full_texts import with_passage
from tests.full_text_corpus import NEEDLE, SURVEY

QUESTION = "How fast did the quokka hop across the dome floor?"


def test_an_opened_passage_highlights_its_sentence_between_the_neighbours():
    (passage,) = (each for each in cut_full_text(SURVEY) if NEEDLE in each.text)
    lines = list(in_place(surroundings(SURVEY, passage), QUESTION, passage))
    highlighted = [line for line in lines if ":blue-background[" in line]
    assert len(highlighted) == 1
    assert NEEDLE.split(".")[0] in highlighted[0]
    assert [line.startswith(":gray[") for line in lines].count(True) == len(lines) - (1 + passage.last - passage.first)


def test_the_command_line_quotes_the_sentence_with_its_section_and_page():
    search_result = with_passage(result(query="What is the quokka dome made of?"))
    (line,) = (line for line in result_lines(search_result) if "full text" in line)
    assert line.startswith('    full text, 2. Methods, page 4: "The quokka dome of the universe is made of copper')
