"""Search results made by hand."""

import re
from dataclasses import replace

import numpy as np

from pathfinder.answering.answer import stream_events
from pathfinder.answering.grounding.sources import CitationRegistry
from pathfinder.answering.session.answer_session import AnswerContext
from pathfinder.facade.pathfinder import words_and_steps
from pathfinder.llm.stopping import drain
from pathfinder.types import Assessment, Candidates, CorpusName, Hit, Paper, Score, SearchRequest, SearchResult

PAPERS = (
    Paper(
        "cepheids",
        "The expansion rate from Cepheids",
        "The expansion rate of the universe is measured with Cepheids in nearby galaxies. "
        "This suggests that the expansion rate is high. The expansion rate is 73 km/s/Mpc in our sample of galaxies.",
        year=2019,
    ),
    Paper(
        "cmb",
        "The expansion rate from the microwave background",
        "The microwave background gives an expansion rate of 67 km/s/Mpc for the universe. "
        "Smith et al. (2015) discuss the foregrounds of dust at length and in depth.",
        year=2020,
    ),
    Paper("dust", "Dust in dwarf galaxies", "Dust in dwarf galaxies is cold and clumpy in all of our maps."),
)


def result(papers=PAPERS, *, query="What is the expansion rate of the universe?", relevant=None, **request):
    """Make a result whose hits are `papers`; `relevant` is the verdict of its assessment, `None` if there is no
    assessment.
    """
    n = len(papers)
    empty = np.full(n, np.nan)
    candidates = Candidates(
        list(papers), np.arange(n), np.eye(n, 4, dtype=np.float32), empty, empty, empty, empty, empty, empty, empty
    )
    return SearchResult(
        request=SearchRequest(query, **request),
        corpus=CorpusName("golden", "0" * 12, 12),
        candidates=candidates,
        hits=tuple(Hit(paper, row, Score(final=-float(row))) for row, paper in enumerate(papers)),
        keywords=(),
        stages=(),
        assessment=None if relevant is None else Assessment(0.9 if relevant else 0.1, relevant, None, None),
    )


def of_empty_corpus(search_result):
    """Return the same result, but for a corpus without papers."""
    return replace(search_result, corpus=CorpusName("empty", "0" * 12, 0))


def stream_answer(search_result, request, context_):
    """Yield the words and steps of an answer, and return the checked answer."""
    return words_and_steps(stream_events(search_result, request, context_))


def answer(search_result, request, context_):
    """Return the checked answer."""
    return drain(stream_answer(search_result, request, context_))


def context(embedder, chat=None, search=None):
    """Make the context of an answer; unless `search` is specified, any search fails the test."""

    def nobody(request):
        raise AssertionError(f"nobody should have searched for {request.query!r}")

    return AnswerContext(embedder, chat, search or nobody)


def registry_of(search_result):
    """Return the registry that an answer to `found` gets."""
    return CitationRegistry(search_result.request.query).with_papers([hit.paper for hit in search_result.hits])


def with_keys(text, registry):
    """Write `text` as a chat model would, with the key of the paper `name` in place of each `@name`."""
    return re.sub(r"@([a-z]+)", lambda name: registry.key(name[1]), text)
