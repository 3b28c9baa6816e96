"""Questions that only the full text of a paper answers are answered from it, with section, without a chat model."""

import datetime
import json
import shutil

import pytest

from pathfinder.answering.digest.digest import DOUBTFUL
from pathfinder.building import build
from pathfinder.building.full_texts import index_full_texts
from pathfinder.building.progress import Silent
from pathfinder.facade import Pathfinder
from pathfinder.fulltext.formats import read_document
from pathfinder.fulltext.store import NewText, add
from pathfinder.models.minilm import MiniLM
from pathfinder.settings import Settings
from pathfinder.types import ALWAYS_LOCAL, ModeName
from tests.answered_by_texts import FOUND_BY_BODY, PAPERS, QUESTIONS, TEXTS

OPENING = 300
"""Number of characters of an answer that count as its opening: two sentences may come before the one that answers."""


@pytest.fixture(scope="session")
def corpus_of_texts(golden_corpus, built_once):
    """The golden corpus with four papers more, each with its full text."""

    def fill(folder):
        embedder, corpus = MiniLM(), folder / "corpus"
        shutil.copytree(golden_corpus, corpus)
        (folder / "made.jsonl").write_text("\n".join(map(json.dumps, PAPERS)), encoding="utf-8")
        build([folder / "made.jsonl"], corpus, embedder, snapshot=datetime.date(2025, 1, 1))
        add(corpus, [NewText(name, document(folder, name), f"{name}.md") for name in TEXTS])
        index_full_texts(corpus, embedder, Silent())

    return Pathfinder.open(built_once("texts", fill) / "corpus", settings=Settings(_env_file=None))


def document(folder, name):
    file = folder / f"{name}.md"
    file.write_text(TEXTS[name], encoding="utf-8")
    return read_document(file)


def test_no_abstract_has_the_words_of_the_answers():
    abstracts = " ".join(paper["abstract"] for paper in PAPERS)
    assert [question.words for question in QUESTIONS if question.words in abstracts] == []


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.paper_id + " " + question.form)
def test_an_answer_opens_with_the_sentence_of_the_full_text_that_answers(corpus_of_texts, question):
    answer = corpus_of_texts.answer(corpus_of_texts.search(question.question), generation=ModeName.EXTRACTIVE)
    first = answer.digest.findings[0]
    assert (answer.digest.form, answer.digest.is_weak, first.paper_id) == (question.form, False, question.paper_id)
    assert first.passage.heading == question.heading
    assert question.words in " ".join(first.sentence.split())[:OPENING]
    assert f"({question.heading}) [" in answer.text.removeprefix(f"{DOUBTFUL}\n\n").split("\n")[0]


@pytest.mark.parametrize(("question", "paper_id"), FOUND_BY_BODY)
def test_a_paper_is_found_first_by_what_only_its_full_text_says(corpus_of_texts, question, paper_id):
    search_result = corpus_of_texts.search(question, reranker=ALWAYS_LOCAL)
    assert search_result.hits[0].paper.paper_id == paper_id
    without = corpus_of_texts.search(question, reranker=ALWAYS_LOCAL, full_texts=False)
    assert search_result.assessment.relevance > without.assessment.relevance
