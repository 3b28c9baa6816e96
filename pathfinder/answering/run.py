"""An answer of several searches under way: what it works with, and how far it has come."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Self

from pathfinder.answering.conversation import earlier_papers
from pathfinder.answering.extractive import extract
from pathfinder.answering.material import conversation
from pathfinder.answering.reply import Means
from pathfinder.answering.searching import asked_as, relevant, told
from pathfinder.answering.shelf import Shelf
from pathfinder.answering.spending import Spending
from pathfinder.answering.steps import StepLog
from pathfinder.errors import ProviderError
from pathfinder.models.ports import ChatModel
from pathfinder.types import AnswerRequest, Claim, Generation, SearchResult, Step


@dataclass(slots=True)
class Run:
    """What the steps share; a way of answering adds what it gathers."""

    result: SearchResult
    """Of the reader's own search."""
    means: Means
    chat: ChatModel
    spending: Spending
    log: StepLog
    shelf: Shelf
    earlier: str
    """The conversation so far, as a part of a prompt."""

    @classmethod
    def begun(cls, result: SearchResult, request: AnswerRequest, means: Means, generation: Generation) -> Self:
        """A run that has the reader's own hits. Raises a `ProviderError` without a chat model."""
        if means.chat is None:
            raise ProviderError("no chat model is set")
        question, papers = result.request.query, [hit.paper for hit in result.hits]
        shelf = Shelf(question).with_papers(papers).with_papers(earlier_papers(request.earlier))
        spending, log = Spending(request.budget, means.clock), StepLog(question, generation.value)
        return cls(result, means, means.chat, spending, log, shelf, conversation(shelf, request.earlier))

    @property
    def question(self) -> str:
        return self.result.request.query

    def search(self, question: str) -> SearchResult:
        """Search as the reader's question was searched: with its years, weights and stages."""
        return self.means.search(asked_as(question, self.result.request))

    def observed(self, found: SearchResult, seconds: float) -> Step:
        """Put the relevant papers of `found` on the shelf, and tell what is new."""
        papers, n_before = relevant(found), len(self.shelf.papers)
        self.shelf = self.shelf.with_papers(papers)
        said = f"{found.request.query}: {told(papers, len(self.shelf.papers) - n_before)}"
        return self.log.found(self.shelf, papers, said, seconds)

    def sentences_of_hits(self) -> tuple[str, tuple[Claim, ...]]:
        """An answer with no model, where the budget ended before anything was found or written."""
        return extract(self.question, self.result.hits, self.means.embedder)


@contextmanager
def side_by_side(n_threads: int, spending: Spending) -> Iterator[ThreadPoolExecutor]:
    """Threads for calls that do not depend on each other. A reader who stops does not wait for what is under way."""
    pool = ThreadPoolExecutor(n_threads)
    try:
        yield pool
    except GeneratorExit:
        spending.stop()
        raise
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
