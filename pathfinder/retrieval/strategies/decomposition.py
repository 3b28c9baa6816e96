"""Decomposition: split a question into sub-questions, search them in parallel and merge the results."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Annotated

from pydantic import Field

from pathfinder.corpus.store import Corpus
from pathfinder.llm.chat import REFUSALS, complete, in_brief, parse_json
from pathfinder.llm.prompts import render
from pathfinder.llm.stopping import StoppablePool
from pathfinder.models.ports import ChatModel
from pathfinder.retrieval.authors.reading import read_authors
from pathfinder.retrieval.exclusions import read_exclusions
from pathfinder.retrieval.filters import read_years
from pathfinder.retrieval.search import search
from pathfinder.retrieval.stages import StageLog, StageReport, substituted_stage
from pathfinder.retrieval.stages.models import Models
from pathfinder.retrieval.strategies.decomposition_rules import MAX_PARTS, sub_questions_by_rules
from pathfinder.retrieval.strategies.merging import found_by, hit_rows, merge
from pathfinder.retrieval.weighting import weigh
from pathfinder.types import Keyword, SearchRequest, SearchResult, Stage, StageOutcome, StageStatus
from pathfinder.types.texts import without_control_characters

TEMPERATURE = 0.0
MAX_TOKENS = 300


@dataclass(frozen=True, slots=True)
class Subquestions:
    """Reply expected from the chat model."""

    sub_questions: Annotated[tuple[Annotated[str, Field(min_length=1)], ...], Field(max_length=MAX_PARTS)]
    """Sub-questions; empty for a question that asks for only one thing."""


def sub_questions(question: str, chat: ChatModel | None) -> tuple[tuple[str, ...], StageReport]:
    """Split `question` into two or three standalone questions; also return the report of the stage.

    No sub-questions are returned for a question that asks for only one thing. Rules replace the chat model if there is
    none or it fails.
    """
    if chat is None:
        return _report(sub_questions_by_rules(question), "rules")
    try:
        reply = complete(
            chat,
            render("decompose_system"),
            render("decompose", question=question),
            temperature=TEMPERATURE,
            max_tokens=MAX_TOKENS,
            form=Subquestions,
        )
        parts = parse_json(reply, Subquestions, chat).sub_questions
    except REFUSALS as error:
        reason = in_brief(error, chat.name)
        return _report(sub_questions_by_rules(question), f"rules ({reason})", reason=reason)
    return _report(distinct(parts, but=(question,)), chat.name, chat.name)


def _report(
    parts: tuple[str, ...], by: str, model: str | None = None, reason: str | None = None
) -> tuple[tuple[str, ...], StageReport]:
    is_split = len(parts) > 1
    words = f"{len(parts)} sub-questions, by {by}" if is_split else f"one part, by {by}"
    report = StageReport(words, model) if reason is None else substituted_stage(words, reason)
    return parts if is_split else (), report


def distinct(questions: Iterable[str], but: Iterable[str] = ()) -> tuple[str, ...]:
    """Drop duplicates and the questions in `but`; differences in case, spaces and final punctuation are ignored."""
    known_keys = {normalise_question(question) for question in but} | {""}
    printable = [without_control_characters(question) for question in questions]
    by_key = {normalise_question(question): " ".join(question.split()) for question in reversed(printable)}
    return tuple(by_key[key] for key in reversed(by_key) if key not in known_keys)


def normalise_question(question: str) -> str:
    """Return a normalised form, the same for questions that differ only in case, spaces and final punctuation."""
    return " ".join(question.split()).casefold().rstrip("?.! ")


def search_decomposed(request: SearchRequest, corpus: Corpus, models: Models) -> SearchResult:
    """Search the question and its sub-questions in parallel, with the same filters and settings, and merge the results.

    Each paper keeps the factors measured for the question that it matches best, and lists the sub-questions that found
    it.
    """
    log = StageLog()
    with log.stage("decomposition") as stage:
        parts, stage.report = sub_questions(request.query, models.chat)
    if not parts:
        whole = search(request, corpus, models)
        return replace(
            whole, stages=(*log.stages, *whole.stages), stage_status=(*log.stage_status, *whole.stage_status)
        )
    # Years and exclusions in the question apply to all its sub-questions, even to those that do not repeat them.
    dated_request = replace(request, today=request.today or corpus.snapshot)
    within = read_exclusions(dated_request, corpus, StageLog())
    within = read_authors(within, corpus.papers, StageLog(), corpus.profile)
    within = read_years(within, corpus.papers, StageLog(), corpus.profile)
    requests = [request, *(replace(within, query=part).without_reading() for part in parts)]
    with StoppablePool(len(requests)) as pool:
        whole, *others = pool.map(lambda part_request: search(part_request, corpus, models), requests)
    return _merge_results(whole, others, corpus, log)


def _merge_results(whole: SearchResult, others: list[SearchResult], corpus: Corpus, log: StageLog) -> SearchResult:
    results = [whole, *others]
    finds = [(other.request.query, hit_rows(other)) for other in others]
    with log.stage("merging") as stage:
        candidates = merge([result.candidates for result in results], corpus)
        candidates = replace(candidates, found_by=found_by(candidates.rows, finds))
        hits = weigh(candidates, whole.request.weighting, whole.request.top_k)
        stage.ran = f"best match of {len(results)} questions"
    first, last = log.stages
    first_status, last_status = log.stage_status
    ran = tuple(_merge_stages(stage, others) for stage in whole.stages)
    by_text: dict[str, Keyword] = {}
    for keyword in (keyword for result in results for keyword in result.keywords):
        by_text.setdefault(keyword.text.casefold(), keyword)
    return replace(
        whole,
        candidates=candidates,
        hits=hits,
        keywords=tuple(by_text.values()),
        stages=(first, *ran, last),
        stage_status=(first_status, *(_merge_status(status, others) for status in whole.stage_status), last_status),
        notes=tuple(dict.fromkeys(note for result in results for note in result.notes)),
        expansions=tuple(dict.fromkeys(expansion for result in results for expansion in result.expansions)),
        hypothetical=tuple(document for result in results for document in result.hypothetical),
        sub_questions=tuple(question for question, _ in finds),
    )


def _merge_stages(stage: Stage, others: list[SearchResult]) -> Stage:
    """Add the stage reports of sub-questions if they differ from the question's: a service may fail for just one of
    them.
    """
    of_parts = [part_stage.ran for other in others for part_stage in other.stages if part_stage.name == stage.name]
    differs = list(dict.fromkeys([stage.ran, *of_parts]))[1:]
    if stage.name not in ("imagine", "rerank") or not differs:
        return stage
    return replace(stage, ran=f"{stage.ran}; for a part: {', '.join(differs)}")


def _merge_status(status: StageStatus, others: list[SearchResult]) -> StageStatus:
    """Return a stage's status for the question; if the stage ran as requested for the question but not for a
    sub-question, return its status for that sub-question.
    """
    if status.name not in ("imagine", "rerank") or status.status is not StageOutcome.RAN:
        return status
    of_parts = (part for other in others for part in other.stage_status if part.name == status.name)
    return next((part for part in of_parts if part.status is not StageOutcome.RAN), status)
