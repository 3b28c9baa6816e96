"""From a result to how far its papers agree: the flow.

papers of the hits (as of a year: of the same search in the years until then)
    -> the question as a statement, and the model's own level: one call
    -> stances in batches, every quote looked up in its paper
    -> level, interval and sensitivity by the rule
"""

from collections.abc import Callable, Generator, Sequence
from dataclasses import replace
from datetime import date

from pathfinder.assessment.consensus.opinion import Opinion, opinion_of
from pathfinder.assessment.consensus.rule import MIN_COUNTED, Counts, interval_of, sensitivity_of
from pathfinder.assessment.consensus.stances import stances_of
from pathfinder.errors import ProviderError, UsageError
from pathfinder.export.records import year_of
from pathfinder.models.ports import ChatModel
from pathfinder.types import Consensus, Paper, SearchRequest, SearchResult, Stance

Search = Callable[[SearchRequest], SearchResult]

NOTHING_TO_READ = "No paper of this corpus bears on the question closely enough: nothing was asked of the chat model."
MAY_KNOW_LATER = (
    "The chat model itself may know of later years: the stances rest on sentences of the papers, its own level may not."
)
CITED_SINCE = (
    "The papers were chosen by how often they are cited, and later papers have cited them since: without the weight of "
    "citations the choice owes nothing to those."
)


def consensus(
    result: SearchResult, chat: ChatModel | None, search: Search, as_of: int | None = None
) -> Generator[str, None, Consensus]:
    """Judge how far the papers of `result` agree with its question as a statement.

    Yields what has been done, in words, and returns the whole. As of a year, the search is made again in the years
    until then, and no later paper is read. Raises a `ProviderError` without a chat model, and where a call fails or
    its reply cannot be read: nothing is counted by default.
    """
    asked = ready(chat)
    result = until(result, as_of, search)
    papers = papers_until([hit.paper for hit in result.hits], as_of)
    told = yield from consensus_of(result.request.query, papers if is_relevant(result) else (), asked, as_of)
    return replace(told, notes=(*told.notes, *notes_on_choice(result, as_of)))


def consensus_of(
    question: str, papers: Sequence[Paper], chat: ChatModel, as_of: int | None = None
) -> Generator[str, None, Consensus]:
    """Like `consensus`, of any papers; as of a year, those that are later or undated are not read."""
    papers = papers_until(papers, as_of)
    if not papers:
        return _of_nothing(question, chat, as_of)
    opinion = opinion_of(question, papers, chat)
    yield "the question was made a statement"
    stances = yield from read(opinion.statement, papers, chat)
    counts = Counts.of(stances)
    return Consensus(
        question=question,
        statement=opinion.statement,
        stances=stances,
        level=counts.level,
        score=counts.score,
        interval=interval_of(counts),
        model_level=opinion.level,
        explanation=opinion.explanation,
        relevance=opinion.relevance,
        sensitivity=sensitivity_of(stances),
        model=chat.name,
        as_of=as_of,
        notes=(*notes_on(stances), *_notes(counts, opinion, as_of)),
        papers=tuple(papers),
    )


def read(statement: str, papers: Sequence[Paper], chat: ChatModel) -> Generator[str, None, tuple[Stance, ...]]:
    """The stances of `papers`, in their order; yields how many are read."""
    stances: list[Stance] = []
    for batch in stances_of(statement, papers, chat):
        stances.extend(batch)
        yield f"{len(stances)} of {len(papers)} papers read"
    return tuple(stances)


def ready(chat: ChatModel | None) -> ChatModel:
    """`chat`; raises a `ProviderError` where there is none."""
    if chat is None:
        raise ProviderError(
            "stances are told by a chat model, and none is set: set PATHFINDER_CHAT_MODEL, such as openai:gpt-4o-mini"
        )
    return chat


def is_relevant(result: SearchResult) -> bool:
    """Whether the hits bear on the question closely enough to be read for it."""
    return result.assessment is None or result.assessment.is_relevant


def until(result: SearchResult, as_of: int | None, search: Search) -> SearchResult:
    """The same search in the years until `as_of`; `result` itself where that is `None`.

    Raises `UsageError` for a year before the first one that the reader searches, and for papers that were found by
    their likeness: there is no question to judge.
    """
    request = result.request
    if request.likeness is not None:
        raise UsageError("papers that were found by their likeness answer no question: ask one, then judge its papers")
    if as_of is None:
        return result
    if isinstance(as_of, bool) or not isinstance(as_of, int) or not 1 <= as_of <= date.max.year:
        raise UsageError(f"as of takes a year in whole numbers, 1 to {date.max.year}, got {as_of!r}")
    if request.year_from is not None and as_of < request.year_from:
        raise UsageError(f"as of {as_of} nothing was searched: the search begins in {request.year_from}; widen it")
    last = as_of if request.year_to is None else min(as_of, request.year_to)
    end = date(as_of, 12, 31)
    return search(replace(request, year_to=last, today=min(end, request.today or end)))


def papers_until(papers: Sequence[Paper], as_of: int | None) -> tuple[Paper, ...]:
    """Those that are known to be from `as_of` or before; all where that is `None`."""
    if as_of is None:
        return tuple(papers)
    return tuple(paper for paper in papers if (year := year_of(paper)) is not None and year <= as_of)


def notes_on(stances: Sequence[Stance]) -> tuple[str, ...]:
    """What the reader should know of how the papers were read."""
    unfound = sum(not stance.is_quote_found for stance in stances)
    if not unfound:
        return ()
    papers = "1 paper is" if unfound == 1 else f"{unfound} papers are"
    return (f"{papers} not counted: the quote that the model gave does not stand in the paper.",)


def notes_on_choice(result: SearchResult, as_of: int | None) -> tuple[str, ...]:
    """What later papers have to do with which papers were read as of a year."""
    is_weighed = result.request.weighting.citations > 0 and result.hits
    return (CITED_SINCE,) if as_of is not None and is_weighed else ()


def _notes(counts: Counts, opinion: Opinion, as_of: int | None) -> list[str]:
    notes = []
    if counts.level is None:
        n = counts.total
        notes.append(
            f"Not enough evidence: {n} of the papers {'bears' if n == 1 else 'bear'} on it, {MIN_COUNTED} are needed."
        )
    elif counts.is_unanimous:
        notes.append("All papers that count say the same: drawing among them cannot show how unsure the level is.")
    if opinion.left_out:
        n = len(opinion.left_out)
        notes.append(f"The model's own level does not draw on the last {n} papers: the prompt had no room for them.")
    if as_of is not None:
        notes.append(MAY_KNOW_LATER)
    return notes


def _of_nothing(question: str, chat: ChatModel, as_of: int | None) -> Consensus:
    return Consensus(
        question=question,
        statement="",
        stances=(),
        level=None,
        score=None,
        interval=None,
        model_level=None,
        explanation="",
        relevance=None,
        sensitivity=(),
        model=chat.name,
        as_of=as_of,
        notes=(NOTHING_TO_READ,),
    )
