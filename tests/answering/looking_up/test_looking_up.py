"""Deep research and self-feedback over real corpora: the papers found decide which questions follow and what is
cited.
"""

from dataclasses import replace

import pytest

from pathfinder.answering.session.answer_session import AnswerContext
from pathfinder.models.fake import ScriptedChat
from pathfinder.types import AnswerRequest, CitationProfile, ModeName, RetrievalMode, Step, StepKind, Weighting
from tests.answering.looking_up import reader
from tests.answering.results import stream_answer

QUESTION = "How is the Hubble constant measured, and how far do the measurements agree?"
READERS = {ModeName.DEEP_RESEARCH: reader.deep_research, ModeName.SELF_FEEDBACK: reader.self_feedback}
BOTH = pytest.mark.parametrize("generation", READERS, ids=lambda generation: generation.value)


class RunOfMode:
    """An answer, the pieces yielded on the way, and the searches made for it."""

    def __init__(self, pf, generation, **fields):
        self.searched = []

        def search(request):
            self.searched.append(request)
            return pf.search(request)

        self.result = pf.search(QUESTION, **{"top_k": 4, **fields})
        context_ = AnswerContext(pf.embedder, ScriptedChat(READERS[generation]), search, lambda: 0.0)
        stream = stream_answer(self.result, AnswerRequest(generation), context_)
        self.pieces = []
        while True:
            try:
                self.pieces.append(next(stream))
            except StopIteration as end:
                self.answer = end.value
                break

    @property
    def queries(self):
        """The queries, sorted as in the trace, because they run side by side."""
        return [step.text for step in self.answer.trace.steps if step.kind is StepKind.ACTION]

    @property
    def cited_ids(self):
        return {paper_id for claim in self.answer.claims for paper_id in claim.citations}


@BOTH
def test_four_searches_are_made_and_each_is_in_the_trace(pf, generation):
    run = RunOfMode(pf, generation)
    assert len(run.searched) == 4
    assert sorted(request.query for request in run.searched) == sorted(run.queries)
    assert len(set(run.queries)) == 4


@BOTH
def test_what_is_asked_in_the_second_round_is_taken_from_what_the_first_one_found(pf, generation):
    run = RunOfMode(pf, generation)
    steps = run.answer.trace.steps
    second_round = [i for i, step in enumerate(steps) if step.kind is StepKind.ACTION][2]
    known_ids = {paper_id for step in steps[:second_round] for paper_id in step.paper_ids}
    texts = [paper.abstract for paper in run.answer.sources if paper.paper_id in known_ids]
    for query in run.queries[2:]:
        reason = query.removeprefix("Why is it that ").removeprefix("Why is it said that ")[:60]
        assert any(reason in text for text in texts)


@BOTH
def test_another_corpus_leads_to_other_searches_and_other_citations(pf, other_pf, generation):
    run, other = RunOfMode(pf, generation), RunOfMode(other_pf, generation)
    assert run.cited_ids
    assert other.cited_ids
    assert run.cited_ids.isdisjoint(other.cited_ids)
    assert set(run.queries).isdisjoint(other.queries)


@BOTH
def test_every_search_is_made_under_the_readers_own_settings(pf, generation):
    settings = {
        "top_k": 3,
        "year_from": 1990,
        "year_to": 2025,
        "sides": RetrievalMode.DENSE,
        "weighting": Weighting(citations=0.5, citation_profile=CitationProfile.AGE_FAIR),
        "reranker": "off",
        "dropped_keywords": ("agree",),
    }
    run = RunOfMode(pf, generation, **settings)
    assert run.searched
    for request in run.searched:
        assert replace(request, query=QUESTION) == run.result.request
    assert all(paper.published.year >= 1990 for paper in run.answer.sources)


@BOTH
def test_sources_begin_with_the_hits_and_every_citation_is_one_of_them(pf, generation):
    run = RunOfMode(pf, generation)
    hits = [hit.paper for hit in run.result.hits]
    assert list(run.answer.sources[: len(hits)]) == hits
    assert run.cited_ids <= {paper.paper_id for paper in run.answer.sources}
    assert "?]" not in run.answer.text


@BOTH
def test_the_steps_that_were_yielded_are_the_trace(pf, generation):
    run = RunOfMode(pf, generation)
    steps = tuple(piece for piece in run.pieces if isinstance(piece, Step))
    assert steps == run.answer.trace.steps
    assert steps[-1].kind is StepKind.FINAL
    assert steps[-1].text == run.answer.text


@BOTH
def test_the_same_question_takes_the_same_steps(pf, generation):
    assert RunOfMode(pf, generation).answer.trace == RunOfMode(pf, generation).answer.trace
