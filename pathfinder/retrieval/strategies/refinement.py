"""Query refinement: turn what a paper leaves unanswered into the next query."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from pydantic import ConfigDict

from pathfinder.corpus.keywords import KeywordExtractor
from pathfinder.index.ports import WordStatistics
from pathfinder.index.words import words
from pathfinder.llm.chat import complete, json_or_none, unreadable
from pathfinder.llm.prompts import render
from pathfinder.models.ports import ChatModel
from pathfinder.types import Paper

TEMPERATURE = 0.7
"""Temperature above 0, because the papers of one round are very similar and their queries should differ."""

MAX_TOKENS = 120
N_PHRASES = 2
"""Number of the paper's own phrases in the refined query."""

MIN_PAPERS = 2
"""Minimum number of papers in which a phrase must occur: a phrase found in only one paper just leads back to it."""

_QUERY = re.compile(r"<query>(.*?)</query>", re.DOTALL | re.IGNORECASE)


@dataclass(frozen=True)
class _RefinedQuery:
    __pydantic_config__ = ConfigDict(extra="forbid")

    query: str


def refined_by_chat(question: str, paper: Paper, chat: ChatModel) -> str | None:
    """Return the query in the JSON of the model's reply, or its first `<query>`; `None` if that query is empty, as it
    is when the paper leaves nothing unanswered.

    Raises the model's own error, or `ProviderError` for a reply without a query.
    """
    prompt = render("refine", question=question, title=paper.title, abstract=paper.abstract)
    reply = complete(
        chat, render("refine_system"), prompt, temperature=TEMPERATURE, max_tokens=MAX_TOKENS, form=_RefinedQuery
    )
    if refined_query := json_or_none(reply, _RefinedQuery):
        return " ".join(refined_query.query.split()) or None
    match = _QUERY.search(reply)
    if match is None:
        raise unreadable(reply, "no <query>", chat)
    return " ".join(match[1].split()) or None


def refined_by_rule(question: str, paper: Paper, index: WordStatistics, extractor: KeywordExtractor) -> str | None:
    """Join the question's content words that the paper lacks (or all of them, if it lacks none) with the paper's two
    rarest phrases.

    The phrases are keywords of the paper, or of its title if it has none, that share no word with the question. `None`
    if the paper has no such phrase.
    """
    question_stems, paper_stems = index.content_words(question), set(index.content_words(paper.text))
    missing = [stem for stem in question_stems if stem not in paper_stems]
    phrases = paper.keywords or tuple(keyword.text for keyword in extractor.question_keywords(paper.title))
    rarest = _rarest(phrases, set(question_stems), index)
    return " ".join([*_unstem(question, missing or question_stems, index), *rarest]) if rarest else None


def _unstem(question: str, stems: Iterable[str], index: WordStatistics) -> list[str]:
    """Return the words of the question that have these stems, as written and without duplicates."""
    wanted_stems = set(stems)
    return list(dict.fromkeys(word for word in words(question) if wanted_stems & set(index.content_words(word))))


def _rarest(phrases: Iterable[str], question_stems: set[str], index: WordStatistics) -> list[str]:
    """Return the phrases with the lowest mean log document frequency that share no word with the question."""
    rarity = {}
    for phrase in phrases:
        stems = index.content_words(phrase)
        n_papers = index.document_frequencies(stems)
        if stems and not question_stems & set(stems) and n_papers.min() >= MIN_PAPERS:
            rarity[phrase] = float(np.log(n_papers).mean())
    return sorted(rarity, key=rarity.__getitem__)[:N_PHRASES]
