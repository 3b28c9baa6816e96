"""The steps from a search result to the consensus of its papers.

papers of the hits (with `as_of`: of the same search up to that year)
    -> the question as a statement, and the model's own level: one call
    -> stances in batches, every quote looked up in its paper
    -> papers whose abstract takes no stance, again with the best passage of their full text
    -> level, interval and sensitivity by the rule
"""

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date

from pathfinder.assessment.consensus.opinion import ConsensusReply, opinion_of
from pathfinder.assessment.consensus.rule import MIN_COUNTED, StanceCounts, interval_of, sensitivity_of
from pathfinder.assessment.consensus.stances import stances_of
from pathfinder.errors import ProviderError, UsageError
from pathfinder.export.records import year_of
from pathfinder.models.ports import ChatModel
from pathfinder.types import (
    Consensus,
    FullTextPassage,
    Hit,
    Paper,
    SearchRequest,
    SearchResult,
    Stance,
    StanceLabel,
)

Search = Callable[[SearchRequest], SearchResult]

NOTHING_TO_READ = "No paper in this corpus is relevant enough to the question, so the chat model was not called."
MAY_KNOW_LATER = (
    "The chat model may know of later work. The stances rest on sentences from the papers; the model's own level may "
    "not."
)
CITED_SINCE = (
    "The papers were ranked partly by citation counts, which include citations from later years. Set the citation "
    "weight to 0 to rule that out."
)


def consensus(
    result: SearchResult, chat: ChatModel | None, search: Search, as_of: int | None = None
) -> Generator[str, None, Consensus]:
    """Judge how far the papers of `result` agree with its question, rephrased as a statement.

    Yields progress messages and returns the consensus. With `as_of`, the search is repeated for the years up to and
    including that one, and no later paper is read. Raises a `ProviderError` if there is no chat model, if a call fails,
    or if its reply cannot be read: no stance is assumed.
    """
    reader = require_chat_model(chat)
    result = until(result, as_of, search)
    papers = papers_until([hit.paper for hit in result.hits], as_of)
    papers, passages = papers if is_relevant(result) else (), best_passages(result.hits)
    outcome = yield from consensus_of(result.request.query, papers, reader, as_of, passages)
    return replace(outcome, notes=(*outcome.notes, *notes_on_choice(result, as_of)))


def consensus_of(
    question: str,
    papers: Sequence[Paper],
    chat: ChatModel,
    as_of: int | None = None,
    passages: Mapping[str, FullTextPassage] | None = None,
) -> Generator[str, None, Consensus]:
    """Judge the consensus of any set of papers; with `as_of`, later and undated papers are not read. For `passages`,
    see `read`.
    """
    papers = papers_until(papers, as_of)
    if not papers:
        return _of_nothing(question, chat, as_of)
    opinion = opinion_of(question, papers, chat)
    yield "rewrote the question as a statement"
    stances = yield from read(opinion.statement, papers, chat, passages)
    counts = StanceCounts.of(stances)
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


def read(
    statement: str, papers: Sequence[Paper], chat: ChatModel, passages: Mapping[str, FullTextPassage] | None = None
) -> Generator[str, None, tuple[Stance, ...]]:
    """Return the stances of `papers`, in the same order; yield progress messages along the way.

    Papers whose abstract takes no stance are read again with the best passage of their full text, from `passages` (by
    paper id).
    """
    stances: list[Stance] = []
    for batch in stances_of(statement, papers, chat):
        stances.extend(batch)
        yield f"{len(stances)} of {len(papers)} papers read"
    silent = {stance.paper_id for stance in stances if stance.label is StanceLabel.IRRELEVANT}
    again = [paper for paper in papers if paper.paper_id in silent and paper.paper_id in (passages or {})]
    by_full_text: dict[str, Stance] = {}
    for batch in stances_of(statement, again, chat, passages):
        by_full_text |= {stance.paper_id: stance for stance in batch}
        yield f"{len(by_full_text)} of {len(again)} full texts read"
    return tuple(by_full_text.get(stance.paper_id, stance) for stance in stances)


def best_passages(hits: Iterable[Hit]) -> dict[str, FullTextPassage]:
    """Return the best full-text passage of each hit that has one, by paper id."""
    return {hit.paper.paper_id: hit.full_text[0] for hit in hits if hit.full_text}


def require_chat_model(chat: ChatModel | None) -> ChatModel:
    """Return `chat`; raise a `ProviderError` if it is `None`."""
    if chat is None:
        raise ProviderError(
            "consensus needs a chat model to read the papers, and none is set: "
            "set PATHFINDER_CHAT_MODEL, for example to openai:gpt-4o-mini"
        )
    return chat


def is_relevant(result: SearchResult) -> bool:
    """Return whether the hits are relevant enough to the question to be worth reading."""
    return result.assessment is None or result.assessment.is_relevant


def until(result: SearchResult, as_of: int | None, search: Search) -> SearchResult:
    """Repeat the search for the years up to and including `as_of`; return `result` itself if `as_of` is `None`, or
    if the result is already as of that year.

    Raises `UsageError` for a year before the first year of the search, and for papers found by similarity, which do not
    answer a question.
    """
    request = result.request
    if request.likeness is not None:
        raise UsageError(
            "consensus needs a question, but these papers were found by similarity: run a search with a question first"
        )
    if as_of is None:
        return result
    if isinstance(as_of, bool) or not isinstance(as_of, int) or not 1 <= as_of <= date.max.year:
        raise UsageError(f"as_of must be a whole year from 1 to {date.max.year}, got {as_of!r}")
    if request.year_from is not None and as_of < request.year_from:
        raise UsageError(
            f"as of {as_of} there is nothing to search: the search begins in {request.year_from}; "
            "choose an earlier first year"
        )
    if request.as_of == as_of:
        return result
    last = as_of if request.year_to is None else min(as_of, request.year_to)
    end = date(as_of, 12, 31)
    return search(replace(request, year_to=last, today=min(end, request.today or end)))


def papers_until(papers: Sequence[Paper], as_of: int | None) -> tuple[Paper, ...]:
    """Return the papers known to be from `as_of` or earlier; if `as_of` is `None`, all of them."""
    if as_of is None:
        return tuple(papers)
    return tuple(paper for paper in papers if (year := year_of(paper)) is not None and year <= as_of)


def notes_on(stances: Sequence[Stance]) -> tuple[str, ...]:
    """Return notes for the reader on how the papers were read."""
    notes = []
    if unfound := sum(not stance.is_quote_found for stance in stances):
        papers = "1 paper is" if unfound == 1 else f"{unfound} papers are"
        notes.append(f"{papers} not counted: the model's quote does not occur in the paper.")
    if n := sum(stance.passage is not None for stance in stances):
        papers = "1 paper takes its" if n == 1 else f"{n} papers take their"
        notes.append(f"{papers} stance in a passage of the full text, not in the abstract.")
    return tuple(notes)


def notes_on_choice(result: SearchResult, as_of: int | None) -> tuple[str, ...]:
    """Return a note if later citations influenced the choice of papers for a consensus as of a given year."""
    is_weighed = result.request.weighting.citations > 0 and result.hits
    is_by_later = as_of is not None and result.request.as_of != as_of
    return (CITED_SINCE,) if is_by_later and is_weighed else ()


def _notes(counts: StanceCounts, opinion: ConsensusReply, as_of: int | None) -> list[str]:
    notes = []
    if counts.level is None:
        n = counts.total
        notes.append(
            f"Not enough evidence: {n} of the papers {'bears' if n == 1 else 'bear'} on the statement, but "
            f"{MIN_COUNTED} are needed."
        )
    elif counts.is_unanimous:
        notes.append(
            "All counted papers take the same stance, so resampling them cannot show how uncertain the level is."
        )
    if opinion.left_out:
        n = len(opinion.left_out)
        notes.append(f"The model's own level leaves out the last {n} papers, which did not fit into the prompt.")
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
