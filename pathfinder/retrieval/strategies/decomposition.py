"""Decomposition: split a question into sub-questions, search them in parallel and merge the results.

A question that no rule covers is left whole, because a wrongly split question finds less than an unsplit one. Each
paper keeps its scores for the question that it matches best.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

import numpy as np
from pydantic import Field

from pathfinder.corpus.store import Corpus
from pathfinder.index.words import QUESTION_STOP_WORDS, words
from pathfinder.llm.chat import REFUSALS, complete, in_brief, parse_json
from pathfinder.llm.prompts import render
from pathfinder.llm.stopping import StoppablePool
from pathfinder.models.ports import ChatModel
from pathfinder.retrieval.authors.author_filter import read_authors
from pathfinder.retrieval.exclusions import read_exclusions
from pathfinder.retrieval.filters import read_years
from pathfinder.retrieval.search import search
from pathfinder.retrieval.stages import Models, StageLog, StageReport, substituted_stage
from pathfinder.retrieval.weighting import weigh
from pathfinder.text.english import AUXILIARIES, QUESTION_WORDS, any_of
from pathfinder.types import (
    POOL_SIZE,
    Candidates,
    Floats,
    Keyword,
    Passage,
    Rows,
    SearchRequest,
    SearchResult,
    Stage,
    StageOutcome,
    StageStatus,
)
from pathfinder.types.results import OPTIONAL_VALUE_FIELDS, VALUE_FIELDS
from pathfinder.types.texts import without_control_characters

MAX_PARTS = 3
MAX_WORDS = 30
"""Number of words above which a text counts as an abstract, or as a question with a long preamble, and is not split."""

MIN_CONTENT_WORDS = 4
"""Number of content words below which a joined question ("and what are the limits?") is taken to depend on the
first.
"""

_QUESTION_WORDS = any_of(QUESTION_WORDS, AUXILIARIES)
_NEXT_QUESTION = re.compile(rf"\?\s+|,?;? and (?={_QUESTION_WORDS} )", re.IGNORECASE)
_REFERENCES = re.compile(
    r"\b(?:it|its|they|their|them|this|these|those|that|such|both|each|others?|one|there|then|here)\b", re.IGNORECASE
)
"""Words that refer to something mentioned before."""


def sub_questions_by_rules(question: str) -> tuple[str, ...]:
    """Split `question` into two or three standalone sub-questions; return none if the rules find fewer or more than
    that.
    """
    mark = "?" if question.rstrip().endswith("?") else ""
    text = " ".join(question.split()).rstrip("?.! ")
    if len(text.split()) > MAX_WORDS:
        return ()
    parts = tuple(dict.fromkeys(part.strip(" ,;") for part in _split_joined(text)))
    return tuple(part + mark for part in parts) if 2 <= len(parts) <= MAX_PARTS else ()


def _split_joined(text: str) -> tuple[str, ...]:
    """Split joined questions, unless a later one depends on an earlier one."""
    first, *others = _NEXT_QUESTION.split(text)
    is_dependent = any(_REFERENCES.search(other) or len(_content_words(other)) < MIN_CONTENT_WORDS for other in others)
    return (first, *others) if others and not is_dependent and _content_words(first) else ()


def _content_words(text: str) -> list[str]:
    return [word for word in words(text) if word not in QUESTION_STOP_WORDS]


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


def merge(pools: Sequence[Candidates], corpus: Corpus) -> Candidates:
    """Return the best 1,000 papers of `pools`, best first and without duplicates; `found_by` is not yet set.

    All factors of a paper come from one pool: the one in which its fused score is highest, or the first such pool in a
    tie.
    """
    rows = np.concatenate([pool.rows for pool in pools])
    fused = np.concatenate([pool.fused for pool in pools])
    number = np.repeat(np.arange(len(pools)), [len(pool) for pool in pools])
    best_first = np.lexsort((number, rows, -fused))
    _, first_positions = np.unique(rows[best_first], return_index=True)
    merged_order = best_first[np.sort(first_positions)][:POOL_SIZE]

    def join(name: str) -> Floats:
        return np.concatenate([getattr(pool, name) for pool in pools])[merged_order]

    arrays: dict[str, Any] = {name: join(name) for name in VALUE_FIELDS}
    for name in OPTIONAL_VALUE_FIELDS:
        arrays[name] = _join_optional([getattr(pool, name) for pool in pools], pools, merged_order)
    extra = dict.fromkeys(name for pool in pools for name in pool.extra)
    vectors = np.concatenate([pool.vectors for pool in pools])[merged_order]
    return Candidates(
        papers=corpus.papers.take(rows[merged_order]),
        rows=rows[merged_order],
        vectors=vectors,
        **arrays,
        passages=_join_passages(pools, merged_order),
        live=corpus.live,
        places=corpus.live_places,
        activations=corpus.features.activations(rows[merged_order], vectors) if corpus.features else None,
        full_texts=_of_kept_pool("full_texts", pools, merged_order),
        absent_words=_of_kept_pool("absent_words", pools, merged_order),
        named_rows={row: words for pool in pools for row, words in pool.named_rows.items()},
        searched_keywords=any(pool.searched_keywords for pool in pools),
        extra={
            name: values
            for name in extra
            if (values := _join_optional([pool.extra.get(name) for pool in pools], pools, merged_order)) is not None
        },
    )


def _join_optional(values: Sequence[Floats | None], pools: Sequence[Candidates], order: Rows) -> Floats | None:
    """Join the values of a factor, with NaN for pools without it; `None` if no pool has it."""
    if all(value is None for value in values):
        return None
    columns = [
        np.full(len(pool), np.nan) if value is None else value for pool, value in zip(pools, values, strict=True)
    ]
    return np.concatenate(columns)[order]


def _join_passages(pools: Sequence[Candidates], order: Rows) -> tuple[tuple[Passage, ...], ...]:
    if not any(pool.passages for pool in pools):
        return ()
    passage_lists = [passages for pool in pools for passages in pool.passages or ((),) * len(pool)]
    return tuple(passage_lists[i] for i in order)


def _of_kept_pool(name: str, pools: Sequence[Candidates], order: Rows) -> dict[int, Any]:
    """Take what is known of each paper's full text from the pool whose scores it keeps."""
    number = np.repeat(np.arange(len(pools)), [len(pool) for pool in pools])
    rows = np.concatenate([pool.rows for pool in pools])
    own = ((int(rows[i]), getattr(pools[int(number[i])], name).get(int(rows[i]))) for i in order)
    return {row: found for row, found in own if found}


def found_by(rows: Rows, finds: Sequence[tuple[str, Rows]]) -> tuple[tuple[str, ...], ...]:
    """Return, for each of `rows`, the questions in `finds` that found it, in order."""
    finders: dict[int, tuple[str, ...]] = {}
    for question, found_rows in finds:
        for row in dict.fromkeys(found_rows.tolist()):
            finders[row] = (*finders.get(row, ()), question)
    return tuple(finders.get(row, ()) for row in rows.tolist())


def hit_rows(result: SearchResult) -> Rows:
    """Return the rows of the hits, best first."""
    return np.array([hit.row for hit in result.hits], dtype=np.int64)
