"""An answer without a chat model: the sentences of the hits that answer best, verbatim, each with its [n].

A sentence is worth `0.55 meaning + 0.3 words + 0.15 rank`, less 0.15 when it leans on the one before it:
its cosine with the question; the share of the question's words that it holds, by their rarity among the
sentences; and `(n - rank + 1) / n` for the hit that it is from. Sentences are then taken one by one for their
worth less what they repeat (maximal marginal relevance, Carbonell & Goldstein 1998, doi:10.1145/290941.291025).
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pathfinder.answering.sentences import split_sentences, stands_alone
from pathfinder.index.words import QUESTION_STOP_WORDS, stems, words
from pathfinder.models.ports import Embedder, Vectors
from pathfinder.types import Claim, Floats, Hit

MEANING_SHARE, WORD_SHARE, RANK_SHARE = 0.55, 0.30, 0.15
LEANING_COST = 0.15
REPETITION_COST = 0.4
"""Weight of the highest cosine with a sentence already taken."""

FEWEST, MOST = 3, 6
"""Sentences of an answer."""
MOST_OF_A_PAPER = 2
WORTH_SAYING = 0.75
"""Beyond three, a sentence is taken only if it is worth this share of the best."""

MAX_EMBEDDED = 100
"""Sentences that are embedded: what two processor cores read in less than a second."""
WORDS_OF_A_SENTENCE = range(6, 71)
"""Shorter ones are headings, longer ones are lists."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a hit."""

    text: str
    """Verbatim."""
    rank: int
    """Of its hit, from 1; the n of its [n]."""
    paper_id: str


def extract(question: str, hits: Sequence[Hit], embedder: Embedder) -> tuple[str, tuple[Claim, ...]]:
    """The answer with its marks, and its sentences as claims. `hits` has at least one hit."""
    chosen = best_sentences(question, hits, embedder)
    text = " ".join(f"{sentence.text} [{sentence.rank}]" for sentence in chosen)
    return text, tuple(Claim(sentence.text, (sentence.paper_id,)) for sentence in chosen)


def best_sentences(question: str, hits: Sequence[Hit], embedder: Embedder) -> tuple[Sentence, ...]:
    """Three to six sentences of `hits`, best first, at most two a paper; fewer where the hits hold fewer."""
    sentences = _readable([s for rank, hit in enumerate(hits, start=1) for s in _sentences(hit, rank)])
    cheap = _word_shares(question, sentences) * WORD_SHARE + _rank_shares(sentences, len(hits)) * RANK_SHARE
    cheap -= LEANING_COST * np.array([not stands_alone(s.text) for s in sentences])
    kept = np.sort(np.argsort(-cheap, kind="stable")[:MAX_EMBEDDED])
    sentences = [sentences[i] for i in kept]
    (asked,) = embedder.embed([question], "query")
    vectors = embedder.embed([s.text for s in sentences], "document")
    worth = cheap[kept] + MEANING_SHARE * np.clip(vectors @ asked, 0.0, 1.0)
    return tuple(sentences[i] for i in _chosen(worth, vectors, [s.rank for s in sentences]))


def _sentences(hit: Hit, rank: int) -> list[Sentence]:
    return [Sentence(text, rank, hit.paper.paper_id) for text in split_sentences(hit.paper.abstract)]


def _readable(sentences: list[Sentence]) -> list[Sentence]:
    """Those of a readable length and with their mathematics whole; all of them where none is."""
    good = [s for s in sentences if len(s.text.split()) in WORDS_OF_A_SENTENCE and s.text.count("$") % 2 == 0]
    return good or sentences


def _word_shares(question: str, sentences: list[Sentence]) -> Floats:
    """Share of the question's words in each sentence, by rarity among them; 0 where no word of it occurs at all."""
    asked = set(stems(words(question), QUESTION_STOP_WORDS))
    held = [asked.intersection(stems(words(s.text), QUESTION_STOP_WORDS)) for s in sentences]
    counts = Counter(word for found in held for word in found)
    rarity = {word: np.log1p(len(sentences) / count) for word, count in counts.items()}
    total = sum(rarity.values())
    return np.array([sum(rarity[word] for word in found) / total if total else 0.0 for found in held])


def _rank_shares(sentences: list[Sentence], n_hits: int) -> Floats:
    return np.array([(n_hits - s.rank + 1) / n_hits for s in sentences])


def _chosen(worth: Floats, vectors: Vectors, ranks: list[int]) -> list[int]:
    """Maximal marginal relevance: places of the sentences to take, in the order they are taken."""
    chosen: list[int] = []
    likeness = np.clip(vectors @ vectors.T, 0.0, 1.0)
    of_paper: Counter[int] = Counter()
    while len(chosen) < min(MOST, len(worth)):
        repeated = likeness[chosen].max(axis=0) if chosen else np.zeros(len(worth))
        open_ = [of_paper[rank] < MOST_OF_A_PAPER and i not in chosen for i, rank in enumerate(ranks)]
        best = int(np.argmax(np.where(open_, worth - REPETITION_COST * repeated, -np.inf)))
        enough = len(chosen) >= FEWEST and worth[best] < WORTH_SAYING * worth.max()
        if enough or not open_[best]:
            break
        chosen.append(best)
        of_paper[ranks[best]] += 1
    return chosen
