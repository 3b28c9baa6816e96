"""Sections written with a search and answers made by hand."""

from collections.abc import Generator, Sequence
from dataclasses import replace
from typing import Any
from unittest.mock import Mock

import pytest

from pathfinder.addons.drafts.draft import ReviewDraft, ReviewSection, SectionText, SentenceOrigin
from pathfinder.addons.drafts.writing import stream_section
from pathfinder.answering.session.draft import nothing_relevant
from pathfinder.errors import Unreachable
from pathfinder.facade import Pathfinder
from pathfinder.llm.stopping import drain
from pathfinder.models.fake import HashEmbedder, Reply, ScriptedChat
from pathfinder.profile import astronomy
from pathfinder.shelves.shelf import Shelf
from pathfinder.types import (
    Answer,
    AnswerRequest,
    Claim,
    Digest,
    DigestForm,
    ModeName,
    Paper,
    SearchRequest,
    SearchResult,
    Stage,
    Step,
)
from tests.answering.results import result

COLD = Paper("cold", "Cold dust", "Dust is made early. We find that dust is cold. It is clumpy.", year=2010)
OLD = Paper("old", "Old stars", "Stars are old. We conclude that stars form early.", year=1990)
TITLE = Paper("title", "A title alone", "", year=2000)
ELSEWHERE = Paper("elsewhere", "Dust elsewhere", "Dust is everywhere.", year=2020)
CORPUS = {paper.paper_id: paper for paper in (COLD, OLD, TITLE, ELSEWHERE)}
SHELF = ("cold", "old", "title")
SECTION = ReviewSection("1", "Dust", "Is dust cold?", ("cold", "old"))


def answer_of(*claims: Claim, model: bool = False, weak: bool = False, **fields: Any) -> Answer:
    text = " ".join(claim.text for claim in claims)
    digest = None if model else Digest(DigestForm.FINDINGS, "", (), is_weak=weak)
    stages = (Stage("answer", "rag" if model else "extractive"),)
    return Answer("q", text, claims, not claims, stages, digest=digest, is_written=model, **fields)


def stream(answer: Answer) -> Generator[str | Step, None, Answer]:
    yield "words"
    return answer


class Corpus:
    """A corpus that gives prescribed answers, and records what is searched."""

    def __init__(self, answer: Answer, alone: Answer | None = None, relevant: bool | None = None) -> None:
        self.answer, self.alone, self.relevant = answer, alone or answer_of(), relevant
        self.searched: list[tuple[str, ...]] = []

    def search(self, request: SearchRequest) -> SearchResult:
        self.searched.append(request.within)
        papers = [CORPUS[key] for key in request.within or CORPUS]
        return result(papers, query=request.query, relevant=self.relevant)

    def stream_answer(
        self, result: SearchResult, request: AnswerRequest | None = None, generation: ModeName | None = None
    ) -> Generator[str | Step, None, Answer]:
        """Answer, or quote if that is asked for."""
        return stream(self.answer if generation is None else self.alone)

    def rows_of(self, ids: Sequence[str]) -> list[int]:
        return [[*CORPUS].index(key) if key in CORPUS else -1 for key in ids]

    def take(self, rows: Sequence[int]) -> list[Paper]:
        return [[*CORPUS.values()][row] for row in rows]

    def write(self, section: ReviewSection = SECTION, shelf: Sequence[str] = SHELF) -> SectionText:
        return self.write_draft(ReviewDraft("T", (section,)), section.key, shelf)

    def write_draft(self, draft: ReviewDraft, key: str, shelf: Sequence[str] = SHELF) -> SectionText:
        pf = Mock(corpus=Mock(papers=self), chat=None, search=self.search, sentence_embedder=HashEmbedder(64))
        pf.stream_answer, pf.profile = self.stream_answer, astronomy()
        return drain(stream_section(draft, key, shelf, pf))


def test_only_the_papers_of_the_section_that_are_on_the_shelf_are_searched() -> None:
    corpus = Corpus(answer_of(Claim("We find that dust is cold.", ("cold",)), model=True))
    section = replace(SECTION, paper_ids=("cold", "elsewhere", "gone"))
    assert corpus.write(section).searched == ("cold",)
    assert corpus.write(replace(SECTION, paper_ids=())).searched == SHELF
    assert corpus.searched == [("cold",), SHELF]


def test_a_sentence_of_a_model_needs_a_paper_of_the_shelf_that_bears_it_out() -> None:
    claims = (
        Claim("Dust is cold.", ("cold", "elsewhere")),
        Claim("So much is certain.", ()),
        Claim("Dust is everywhere.", ("elsewhere",)),
        Claim("Bees dance in the dark.", ("cold",)),
    )
    text = Corpus(answer_of(*claims, model=True)).write()
    assert [(each.text, each.citations, each.origin) for each in text.sentences] == [
        ("Dust is cold.", ("cold",), SentenceOrigin.MODEL)
    ]
    assert [(each.text, each.reason.split(";")[0]) for each in text.dropped] == [
        ("So much is certain.", "it cites no paper on the shelf"),
        ("Dust is everywhere.", "it cites no paper on the shelf"),
        ("Bees dance in the dark.", "not found in the papers that it cites"),
    ]
    assert (text.ran, text.gap) == ("rag", None)


def test_quotations_stand_in_the_order_of_years_and_every_paper_is_asked() -> None:
    best = answer_of(Claim("We find that dust is cold. It is clumpy.", ("cold",)))
    alone = answer_of(Claim("Stars are old.", ("old",)))
    text = Corpus(best, alone).write()
    assert [(each.text, each.begins_paragraph) for each in text.sentences] == [
        ("Stars are old.", False),
        ("We find that dust is cold.", True),
        ("It is clumpy.", False),
    ]
    assert {each.origin for each in text.sentences} == {SentenceOrigin.PAPER}


def test_a_question_that_needs_context_follows_the_last_one_that_needs_none() -> None:
    draft = ReviewDraft("T").add("h", "How was Sgr A* found?").add("h", "What is its mass?").add("h", "Is it dark?")
    asked = [draft.question_asked(section.key) for section in draft.sections]
    assert asked == [
        "How was Sgr A* found?", "How was Sgr A* found? What is its mass?", "How was Sgr A* found? Is it dark?",
    ]  # fmt: skip
    text = Corpus(answer_of(Claim("It is clumpy.", ("cold",)))).write_draft(draft, "2")
    assert (text.question, text.notes[0]) == ("What is its mass?", f"read as “{asked[1]}”")


def test_a_paper_on_another_object_does_not_lend_its_main_result() -> None:
    section = replace(SECTION, question="How heavy is Sgr A*?")
    text = Corpus(answer_of(Claim("It is clumpy.", ("cold",))), answer_of(Claim("x", ("old",)), weak=True)).write(
        section
    )
    assert {each.citations for each in text.sentences} == {("cold",)}
    assert text.notes[-1].startswith("1 paper says nothing on the question and is not quoted: ")


def test_a_paper_that_does_not_answer_is_quoted_with_its_main_result() -> None:
    best = answer_of(Claim("It is clumpy.", ("cold",)))
    text = Corpus(best, answer_of(Claim("Stars are old.", ("old",)), weak=True)).write()
    assert text.sentences[0].text == "We conclude that stars form early."
    assert text.notes == (
        "1 paper does not answer the question itself; the main result or the nearest sentences are quoted",
    )


def test_a_paper_that_says_nothing_on_the_question_is_named_in_a_note() -> None:
    text = Corpus(answer_of(Claim("It is clumpy.", ("cold",))), answer_of()).write()
    assert [each.text for each in text.sentences] == ["It is clumpy."]
    assert text.notes == ("1 paper says nothing on the question and is not quoted: “Old stars”",)


def test_a_gap_says_what_is_missing_and_which_papers_may_fill_it() -> None:
    text = Corpus(answer_of()).write(replace(SECTION, paper_ids=("cold", "title")))
    assert text.sentences == ()
    assert text.gap == (
        "None of the 2 papers searched answers the question “Is dust cold?”; 1 of them has only a title, no abstract"
    )
    assert text.candidates == ("elsewhere",)
    assert Corpus(answer_of(), relevant=False).write().candidates == ()


def test_an_answer_of_which_nothing_is_left_is_a_gap_that_lists_what_was_dropped() -> None:
    text = Corpus(answer_of(Claim("Bees dance.", ("cold",)), model=True)).write()
    assert text.gap is not None
    assert [each.text for each in text.dropped] == ["Bees dance."]


def test_a_section_whose_papers_are_all_gone_says_so_without_a_search() -> None:
    corpus = Corpus(answer_of())
    text = corpus.write(replace(SECTION, paper_ids=("gone",)))
    assert text.gap is not None
    assert "on the shelf and in the corpus" in text.gap
    assert corpus.searched == []


@pytest.mark.parametrize(("within", "words"), [((), "of this corpus"), (("cold", "old"), "the 2 papers searched")])
def test_the_advice_counts_the_papers_that_were_searched(within: tuple[str, ...], words: str) -> None:
    assert words in nothing_relevant(result([COLD, OLD], within=within))


def test_the_advice_names_the_filter_that_left_few_papers() -> None:
    advice = nothing_relevant(replace(result([COLD, OLD], only_reviews=True), n_searched=2))
    assert "the 2 papers, of 12 in this corpus, that the filters leave" in advice
    assert "remove the filter for reviews" in advice


# Drafts written by a scripted chat model, and by the papers when it fails, over the golden corpus.


H0_SHELF = Shelf("h0").add(["riess-2022", "hubble-1929"])
DRAFT = ReviewDraft("The Hubble constant").add("Its value", "What is the value of the Hubble constant?")


def key_of(prompt: str, words: str) -> str:
    """Return the key of the source whose title has these words."""
    return next(part.partition('"')[0] for part in prompt.split('<source key="')[1:] if words in part)


def reply(prompt: str) -> str:
    riess, hubble = key_of(prompt, "Comprehensive Measurement"), key_of(prompt, "extra-galactic nebulae")
    return (
        f"They obtain H0 = 73.04 +/- 1.04 km/s/Mpc [{riess}]. Everybody agrees on this.\n\n"
        f"Hubble found a relation between distance and radial velocity among nebulae [{hubble}]. "
        f"They obtain H0 = 12 km/s/Mpc [{riess}]."
    )


def test_the_model_writes_paragraphs_and_what_no_paper_bears_out_is_dropped(pf: Pathfinder) -> None:
    chat = ScriptedChat(reply)
    (section,) = pf.with_chat(chat).write_draft(DRAFT, H0_SHELF).sections
    text = section.text
    assert text is not None
    assert [(each.citations, each.origin, each.begins_paragraph) for each in text.sentences] == [
        (("riess-2022",), SentenceOrigin.MODEL, False),
        (("hubble-1929",), SentenceOrigin.MODEL, True),
    ]
    assert [each.text for each in text.dropped] == ["Everybody agrees on this.", "They obtain H0 = 12 km/s/Mpc."]
    assert [each.reason.split(";")[0] for each in text.dropped] == [
        "it cites no paper on the shelf",
        "contradicted by the papers that it cites",
    ]
    assert text.ran == "RAG, multi-paper, scripted, fake"
    assert chat.received[0][1].count('<source key="') == 2  # the shelf, and nothing else


def test_a_model_that_fails_is_asked_once_and_the_papers_are_quoted(pf: Pathfinder) -> None:
    chat = ScriptedChat([Reply("", error=Unreachable("the model does not answer: start it"))])
    (section,) = pf.with_chat(chat).write_draft(DRAFT, H0_SHELF).sections
    text = section.text
    assert text is not None
    assert {each.origin for each in text.sentences} == {SentenceOrigin.PAPER}
    assert text.ran == "extractive (the chat model failed)"
    assert any("the model does not answer" in note for note in text.notes)
    assert len(chat.received) == 1
