"""The steps from a search result to the consensus of its papers.

papers of the hits (with `as_of`: of the same search up to that year)
    -> the question as a statement, and the model's own level: one call
    -> stances in batches, every quote looked up in its paper
    -> papers whose abstract takes no stance, again with the best passage of their full text
    -> level, interval and sensitivity by the rule
"""

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Annotated

from pydantic import ConfigDict, Field

from pathfinder.answering.assessment.consensus.rule import MIN_COUNTED, StanceCounts, interval_of, sensitivity_of
from pathfinder.answering.grounding.batches import MAX_REPLY_TOKENS, key_faults, prompt_room, read_in_batches
from pathfinder.answering.grounding.readings import find_quote
from pathfinder.answering.grounding.sources import CitationRegistry, as_sources, room_for_sources, source_text
from pathfinder.errors import ProviderError, UsageError
from pathfinder.llm.chat import Chat, complete, parse_json, unreadable
from pathfinder.llm.prompts import render
from pathfinder.models.ports import ChatModel
from pathfinder.types import (
    Consensus,
    ConsensusLevel,
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
    return tuple(paper for paper in papers if (year := paper.known_year) is not None and year <= as_of)


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


@dataclass(frozen=True, slots=True)
class ConsensusReply:
    """Reply to the structured call described in arXiv:2408.01556, section 3."""

    statement: str
    level: ConsensusLevel
    explanation: str
    relevance: float
    """Relevance of the papers to the question, in [0, 1]."""
    left_out: tuple[Paper, ...]
    """Papers that did not fit into the prompt."""


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


BATCH = 8
"""Number of papers per call: 8 abstracts fit into 4,000 tokens, and their quotes into a reply that is not truncated."""
TOKENS_A_PAPER = 700
"""Number of tokens in a long abstract."""


@dataclass(frozen=True)
class _StanceReply:
    __pydantic_config__ = ConfigDict(extra="forbid")

    key: str
    stance: StanceLabel
    quote: Annotated[str, Field(max_length=5_000)]


@dataclass(frozen=True)
class _StancesReply:
    __pydantic_config__ = ConfigDict(extra="forbid")

    stances: tuple[_StanceReply, ...]


def stances_of(
    statement: str, papers: Sequence[Paper], chat: ChatModel, passages: Mapping[str, FullTextPassage] | None = None
) -> Iterator[tuple[Stance, ...]]:
    """Yield the stances of `papers` in the same order, one batch at a time; a paper with a full-text passage in
    `passages` (by paper id) is read together with it.

    Up to four batches run at once. Raises a `ProviderError` for a reply that cannot be read or that does not cover
    every paper in its batch exactly once.
    """
    texts = passages or {}
    yield from read_in_batches(papers, lambda batch: _read(statement, batch, chat, texts), chat, BATCH, TOKENS_A_PAPER)


def _read(
    statement: str, papers: Sequence[Paper], chat: ChatModel, passages: Mapping[str, FullTextPassage]
) -> tuple[Stance, ...]:
    registry = CitationRegistry(statement, tuple(papers))
    prompt = render(
        "stances",
        sources=as_sources(
            registry, papers, prompt_room(chat), full_texts={key: (own,) for key, own in passages.items()}
        ).text,
        n=str(len(papers)),
        statement=source_text(statement),
    )
    system = render("stances_system")
    reply = complete(chat, system, prompt, temperature=0.0, max_tokens=MAX_REPLY_TOKENS, form=_StancesReply)
    entries = parse_json(reply, _StancesReply, chat).stances
    keys = [registry.key(paper.paper_id) for paper in papers]
    if faults := key_faults([entry.key for entry in entries], keys, "stance for"):
        raise unreadable(reply, faults, chat)
    by_key = {entry.key: entry for entry in entries}
    return tuple(
        _stance(by_key[key], paper, passages.get(paper.paper_id)) for key, paper in zip(keys, papers, strict=True)
    )


def _stance(entry: _StanceReply, paper: Paper, passage: FullTextPassage | None) -> Stance:
    is_irrelevant = entry.stance is StanceLabel.IRRELEVANT
    verbatim = None if is_irrelevant else find_quote(entry.quote, paper)
    of_passage = None
    if passage is not None and not is_irrelevant and verbatim is None:
        of_passage = verbatim = find_quote(entry.quote, replace(paper, abstract=passage.text))
    return Stance(
        paper_id=paper.paper_id,
        title=paper.title,
        year=paper.known_year,
        label=entry.stance,
        quote="" if is_irrelevant else verbatim or " ".join(entry.quote.split()),
        is_quote_found=is_irrelevant or verbatim is not None,
        passage=passage if of_passage is not None else None,
    )


# The chat model's own reading of the papers: it turns the question into a statement and gives a consensus level, as
# in the published app.

BUDGET_TOKENS = 16_000
"""Prompt budget in tokens, enough for thirty abstracts."""
MAX_OPINION_TOKENS = 2_000

_PUBLISHED_TAIL = " between abstracts and query"
"""Suffix of the published app's level names (github.com/UniverseTBD/Pathfinder)."""

_OTHER_NAMES = {
    "no clear agreement/disagreement": ConsensusLevel.NO_CLEAR_CONSENSUS,
    "no clear agreement": ConsensusLevel.NO_CLEAR_CONSENSUS,
    "no consensus": ConsensusLevel.NO_CLEAR_CONSENSUS,
}

_NAMES = {level.value.casefold(): level for level in ConsensusLevel} | _OTHER_NAMES


def opinion_of(question: str, papers: Sequence[Paper], chat: ChatModel) -> ConsensusReply:
    """Ask for the statement, level, explanation and relevance in one call.

    Raises a `ProviderError` for a reply that cannot be read or contains no valid level.
    """
    room = room_for_sources(BUDGET_TOKENS, Chat.of(chat).context_tokens)
    sources = as_sources(CitationRegistry(question, tuple(papers)), papers, room)
    prompt = render("consensus", sources=sources.text, question=source_text(question))
    system = render("consensus_system")
    reply = complete(chat, system, prompt, temperature=0.0, max_tokens=MAX_OPINION_TOKENS, form=_PublishedReply)
    fields = parse_json(reply, _PublishedReply, chat)
    level = level_named(fields.consensus)
    statement, explanation = (" ".join(text.split()) for text in (fields.rewritten_statement, fields.explanation))
    if level is None:
        raise unreadable(reply, f"{fields.consensus[:60]!r} is not one of the seven levels", chat)
    if not statement or not explanation:
        raise unreadable(reply, "the statement or the explanation is empty", chat)
    return ConsensusReply(statement, level, explanation, fields.relevance_score, sources.left_out)


def level_named(name: str) -> ConsensusLevel | None:
    """Return the level called `name`, in upper or lower case, or as the published app writes it; `None` for any other
    text.

    >>> level_named("Weak Agreement Between Abstracts and Query").value
    'Weak Agreement'
    """
    plain_name = " ".join(name.split()).rstrip(".").casefold().removesuffix(_PUBLISHED_TAIL)
    return _NAMES.get(plain_name.replace(" / ", "/"))


@dataclass(frozen=True)
class _PublishedReply:
    """Reply with the field names of the published app."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    rewritten_statement: Annotated[str, Field(min_length=1, max_length=1_000)]
    consensus: str
    explanation: Annotated[str, Field(min_length=1, max_length=5_000)]
    relevance_score: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
