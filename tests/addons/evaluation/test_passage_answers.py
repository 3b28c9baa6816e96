"""Figures of answers to questions that passages of full texts answer, worked out by hand."""

import json
from dataclasses import replace

import pytest

from pathfinder.addons.evaluation.answers import evaluate_passage_answers
from pathfinder.addons.evaluation.marked_files import PassageQuestion, read_passage_questions
from pathfinder.errors import CorpusError
from pathfinder.types import Answer, Digest, DigestForm, FullTextPassage, SectionKind
from tests.answering.results import PAPERS, result

TEXT = "The mirror was coated with silver in 1998, and its focal length is 12.5 metres, as the maker had promised."
PASSAGE = FullTextPassage(TEXT, "2. Mirror", SectionKind.METHOD, 4, 1, 0, 0, 0, len(TEXT), 0.8)


def evaluated(question, said=TEXT, *, is_weak=False):
    found = result()
    found = replace(found, hits=(replace(found.hits[0], full_text=(PASSAGE,)), *found.hits[1:]))
    digest = Digest(DigestForm.FINDINGS, "", (), is_weak=is_weak)
    answer = Answer(question.question, said, (), False, (), (), digest=digest)
    record = evaluate_passage_answers([question], lambda _: found, lambda _: answer).record()
    return {name: figure["value"] for name, figure in record.items() if name != "n_questions"}


def test_a_passage_is_found_shown_and_quoted_by_six_tenths_of_its_words():
    question = PassageQuestion("What is the focal length?", PAPERS[0].paper_id, TEXT, "12.5 m")
    assert evaluated(question) == {
        "paper_first": 1.0,
        "passage_first": 1.0,
        "passage_shown": 1.0,
        "quoted": 1.0,
        "numbers_quoted": 1.0,
        "refused": None,
        "refused_wrongly": 0.0,
    }
    few = evaluated(question, "The mirror was coated with silver in 1998.", is_weak=True)
    assert (few["quoted"], few["numbers_quoted"], few["refused_wrongly"]) == (0.0, 0.0, 1.0)
    elsewhere = evaluated(replace(question, passage="Nothing of this kind was ever seen by anybody, they say."))
    assert (elsewhere["passage_first"], elsewhere["passage_shown"]) == (0.0, 0.0)


@pytest.mark.parametrize("is_weak", [True, False])
def test_a_question_that_no_paper_answers_is_to_be_refused(is_weak):
    figures = evaluated(PassageQuestion("Who wrote Hamlet?", None), is_weak=is_weak)
    assert figures.pop("refused") == float(is_weak)
    assert set(figures.values()) == {None}


def test_the_questions_of_a_folder_are_read(tmp_path):
    file = tmp_path / "questions.jsonl"
    rows = [{"question": "Q?", "paper": "a", "passage": "P", "answer": "A"}, {"question": "R?", "paper": None}]
    file.write_text("\n".join(map(json.dumps, rows)))
    assert read_passage_questions(tmp_path) == (PassageQuestion("Q?", "a", "P", "A"), PassageQuestion("R?", None))
    file.write_text('{"question": 3}')
    with pytest.raises(CorpusError, match=r"line 1 is no question \(question: .*each line needs"):
        read_passage_questions(tmp_path)
