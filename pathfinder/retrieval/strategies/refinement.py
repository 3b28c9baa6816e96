"""What a paper leaves unanswered of a question, as the next question to search."""

import re
from collections.abc import Iterable

import numpy as np

from pathfinder.corpus.keywords import KeywordExtractor
from pathfinder.index.sparse import SparseIndex
from pathfinder.index.words import words
from pathfinder.models.ports import ChatModel
from pathfinder.prompts import render
from pathfinder.retrieval.replies import complete, unreadable
from pathfinder.types import Paper

TEMPERATURE = 0.7
"""So that the questions after one round's papers, which are much alike, differ."""

MAX_TOKENS = 120
N_PHRASES = 2
"""How many of a paper's own phrases lead on."""

MIN_PAPERS = 2
"""A word that one paper alone has leads back to it."""

_QUERY = re.compile(r"<query>(.*?)</query>", re.DOTALL | re.IGNORECASE)


def refined_by_chat(question: str, paper: Paper, chat: ChatModel) -> str | None:
    """The first `<query>` of the model's reply; `None` where it is empty: the paper leaves nothing unanswered.

    Raises what the model raises, and `ProviderError` for a reply without a query.
    """
    prompt = render("refine", question=question, title=paper.title, abstract=paper.abstract)
    reply = complete(chat, render("refine_system"), prompt, temperature=TEMPERATURE, max_tokens=MAX_TOKENS)
    found = _QUERY.search(reply)
    if found is None:
        raise unreadable(reply, "no <query>", chat.name)
    return " ".join(found[1].split()) or None


def refined_by_rule(question: str, paper: Paper, index: SparseIndex, extractor: KeywordExtractor) -> str | None:
    """The question's content words that the paper lacks, all of them where it lacks none, with its rarest two phrases.

    The phrases are the paper's keywords, or those of its title where it has none, of words that are not in the
    question. `None` where the paper has no such phrase.
    """
    asked, told = index.content_words(question), set(index.content_words(paper.text))
    missing = [stem for stem in asked if stem not in told]
    phrases = paper.keywords or tuple(keyword.text for keyword in extractor.question_keywords(paper.title))
    leading = _rarest(phrases, set(asked), index)
    return " ".join([*_spelt(question, missing or asked, index), *leading]) if leading else None


def _spelt(question: str, stems: Iterable[str], index: SparseIndex) -> list[str]:
    """The words of the question that have these stems, each once, as they stand."""
    kept = set(stems)
    return list(dict.fromkeys(word for word in words(question) if kept & set(index.content_words(word))))


def _rarest(phrases: Iterable[str], asked: set[str], index: SparseIndex) -> list[str]:
    """The phrases whose words are in fewest papers, on the average of the logarithms, without a word that is asked."""
    rarity = {}
    for phrase in phrases:
        stems = index.content_words(phrase)
        n_papers = index.document_frequencies(stems)
        if stems and not asked & set(stems) and n_papers.min() >= MIN_PAPERS:
            rarity[phrase] = float(np.log(n_papers).mean())
    return sorted(rarity, key=rarity.__getitem__)[:N_PHRASES]
