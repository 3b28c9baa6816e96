"""A question of several parts, searched part by part."""

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Annotated

from pydantic import Field

from pathfinder.corpus.store import Corpus
from pathfinder.models.ports import ChatModel
from pathfinder.prompts import render
from pathfinder.retrieval.filters import read_years
from pathfinder.retrieval.models import Models
from pathfinder.retrieval.replies import REFUSALS, complete, in_brief, parse_json
from pathfinder.retrieval.search import search
from pathfinder.retrieval.stages import StageLog
from pathfinder.retrieval.strategies.merging import found_by, hit_rows, merge
from pathfinder.retrieval.strategies.parts import MAX_PARTS, parts_by_rule
from pathfinder.retrieval.weighting import weigh
from pathfinder.types import Keyword, SearchRequest, SearchResult, Stage
from pathfinder.types.requests import without_control_characters

TEMPERATURE = 0.0
MAX_TOKENS = 300


@dataclass(frozen=True, slots=True)
class Decomposed:
    """A chat model's reply."""

    sub_questions: Annotated[tuple[Annotated[str, Field(min_length=1)], ...], Field(max_length=MAX_PARTS)]
    """None for a question that asks for one thing."""


def sub_questions(question: str, chat: ChatModel | None) -> tuple[tuple[str, ...], str]:
    """At most three questions that each stand alone, none where `question` has no parts; and who said so, for a badge.

    Without a chat model, or where it fails, rules stand in.
    """
    if chat is None:
        return _told(parts_by_rule(question), "rules")
    try:
        reply = complete(
            chat,
            render("decompose_system"),
            render("decompose", question=question),
            temperature=TEMPERATURE,
            max_tokens=MAX_TOKENS,
        )
        parts = parse_json(reply, Decomposed, chat.name).sub_questions
    except REFUSALS as error:
        return _told(parts_by_rule(question), f"rules ({in_brief(error, chat.name)})")
    return _told(distinct(parts, but=(question,)), chat.name)


def _told(parts: tuple[str, ...], by: str) -> tuple[tuple[str, ...], str]:
    if len(parts) < 2:
        return (), f"one part, by {by}"
    return parts, f"{len(parts)} sub-questions, by {by}"


def distinct(questions: Iterable[str], but: Iterable[str] = ()) -> tuple[str, ...]:
    """Each question once, and none of `but`; case, spaces and the sign at the end do not tell two apart."""
    seen = {asked_as(question) for question in but} | {""}
    printable = [without_control_characters(question) for question in questions]
    kept = {asked_as(question): " ".join(question.split()) for question in reversed(printable)}
    return tuple(kept[key] for key in reversed(kept) if key not in seen)


def asked_as(question: str) -> str:
    """What two questions share that ask the same."""
    return " ".join(question.split()).casefold().rstrip("?.! ")


def search_decomposed(request: SearchRequest, corpus: Corpus, models: Models) -> SearchResult:
    """Search the question and its parts at the same time, all with the same filters and settings, as one result.

    Each paper has the factors of the question that it fits best, and says which parts have it among their hits.
    """
    log = StageLog()
    with log.stage("decomposition") as stage:
        parts, stage.ran = sub_questions(request.query, models.chat)
    if not parts:
        whole = search(request, corpus, models)
        return replace(whole, stages=(*log.stages, *whole.stages))
    # Years that the question names hold for all its parts, whether or not they name them.
    dated = replace(request, today=request.today or corpus.snapshot)
    within = read_years(dated, corpus.papers, StageLog())
    requests = [request, *(replace(within, query=part, reads_years=False) for part in parts)]
    with ThreadPoolExecutor(len(requests)) as pool:
        whole, *others = pool.map(lambda one: search(one, corpus, models), requests)
    return _merged(whole, others, corpus, log)


def _merged(whole: SearchResult, others: list[SearchResult], corpus: Corpus, log: StageLog) -> SearchResult:
    results = [whole, *others]
    finds = [(other.request.query, hit_rows(other)) for other in others]
    with log.stage("merging") as stage:
        candidates = merge([result.candidates for result in results], corpus)
        candidates = replace(candidates, found_by=found_by(candidates.rows, finds))
        hits = weigh(candidates, whole.request.weighting, whole.request.top_k)
        stage.ran = f"the best match of {len(results)} questions"
    first, last = log.stages
    ran = tuple(_of_all(stage, others) for stage in whole.stages)
    return replace(
        whole,
        candidates=candidates,
        hits=hits,
        keywords=_all_keywords(results),
        stages=(first, *ran, last),
        notes=tuple(dict.fromkeys(note for result in results for note in result.notes)),
        expansions=tuple(dict.fromkeys(expansion for result in results for expansion in result.expansions)),
        hypothetical=tuple(document for result in results for document in result.hypothetical),
        sub_questions=tuple(question for question, _ in finds),
    )


def _of_all(stage: Stage, others: list[SearchResult]) -> Stage:
    """What ran for the question, and for its parts where something else did: a service may fail for one of them."""
    elsewhere = [one.ran for other in others for one in other.stages if one.name == stage.name]
    differs = [ran for ran in dict.fromkeys(elsewhere) if ran != stage.ran]
    if stage.name not in ("imagine", "rerank") or not differs:
        return stage
    return replace(stage, ran=f"{stage.ran}; for a part: {', '.join(differs)}")


def _all_keywords(results: list[SearchResult]) -> tuple[Keyword, ...]:
    kept: dict[str, Keyword] = {}
    for keyword in (keyword for result in results for keyword in result.keywords):
        kept.setdefault(keyword.text.casefold(), keyword)
    return tuple(kept.values())
