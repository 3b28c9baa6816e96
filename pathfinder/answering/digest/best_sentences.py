"""Answers without a chat model: the best sentences of the hits, verbatim, each with its [n].

The score of a sentence is `0.5 meaning + 0.3 words + 0.2 rank`: its cosine similarity to the question; the share of the
question's words that it contains, weighted by their rarity among the sentences, where words that occur only in the
paper's title count half; and `(n - rank + 1) / n` for its hit. A sentence that depends on the one before it, or asks a
question, scores 0.15 less; if the question asks for a figure, a sentence that gives one scores 0.2 more. Sentences are
then chosen one at a time by maximal marginal relevance (Carbonell & Goldstein 1998, doi:10.1145/290941.291025): their
score minus a penalty for repetition.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pathfinder.answering.digest.sentences import stands_alone
from pathfinder.index.words import QUESTION_STOP_WORDS, stems, words
from pathfinder.models.ports import Embedder, Vectors
from pathfinder.text.sentences import split_sentences
from pathfinder.types import Floats, Hit, Paper

MEANING_SHARE, WORD_SHARE, RANK_SHARE = 0.5, 0.3, 0.2
LEANING_COST = ASKING_COST = 0.15
FIGURE_GAIN = 0.2
TITLE_WORDS = 0.5
REPETITION_COST = 0.4
"""Weight of the highest cosine similarity to any sentence already chosen."""
SAME = 0.95
"""Cosine similarity at and above which a sentence counts as repeating one already chosen."""

FEWEST, MOST = 2, 6
"""Minimum and maximum number of sentences in an answer."""
MOST_OF_A_PAPER = 2
WORTH_QUOTING = 0.6
"""Minimum score of a hit to be quoted, as a fraction of the best hit's score: if a corpus has only two papers on a
question, the third hit is about something else.
"""
WORTH_SAYING = 0.75
"""Minimum score of a third or later sentence, as a fraction of the best sentence's score."""

MAX_EMBEDDED = 100
"""Maximum number of sentences to embed: embedding this many takes two processor cores less than a second."""
WORDS_OF_A_SENTENCE = range(6, 71)
"""Acceptable number of words in a sentence: shorter ones are headings, longer ones are lists."""

_ASKS_FOR_A_FIGURE = re.compile(
    r"\b(?:value|what (?:fraction|percentage)|"
    r"how (?:many|much|far|fast|old|large|big|massive|hot|bright|long|often))\b",
    re.IGNORECASE,
)
_FIGURE = re.compile(r"(?<![\w.])\d+(?:\.\d+)?\s*(?:\\?%|\$?\s*(?:\\pm|±|\+/-|\\?,?\s*[A-Za-zμ]+))")
"""A number with a unit or an error, but not a year or a number that is part of a name."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a hit."""

    text: str
    """Text of the sentence, verbatim."""
    rank: int
    """Rank of its hit, counted from 1: the n in its [n]."""
    paper: Paper


def best_sentences(question: str, hits: Sequence[Hit], embedder: Embedder) -> tuple[Sentence, ...]:
    """Choose two to six sentences from `hits`, best first, at most two per paper; fewer if the hits have fewer."""
    best = max(hit.score.fused or 0.0 for hit in hits)
    quoted = [(rank, hit) for rank, hit in enumerate(hits, 1) if (hit.score.fused or 0.0) >= WORTH_QUOTING * best]
    sentences = _readable([sentence for rank, hit in quoted for sentence in _sentences(hit, rank)])
    if not sentences:
        return ()
    cheap = _word_shares(question, sentences) * WORD_SHARE + _rank_shares(sentences, len(hits)) * RANK_SHARE
    cheap += np.array([_manner(s.text, _ASKS_FOR_A_FIGURE.search(question) is not None) for s in sentences])
    preselected = np.sort(np.argsort(-cheap, kind="stable")[:MAX_EMBEDDED])
    sentences = [sentences[i] for i in preselected]
    (question_vector,) = embedder.embed([question], "query")
    vectors = embedder.embed([s.text for s in sentences], "document")
    worth = cheap[preselected] + MEANING_SHARE * np.clip(vectors @ question_vector, 0.0, 1.0)
    return tuple(sentences[i] for i in _chosen(worth, vectors, [s.rank for s in sentences]))


def _sentences(hit: Hit, rank: int) -> list[Sentence]:
    return [Sentence(text, rank, hit.paper) for text in split_sentences(hit.paper.abstract)]


def _readable(sentences: list[Sentence]) -> list[Sentence]:
    """Keep sentences of readable length with complete formulas; keep all of them if none qualifies."""
    good = [s for s in sentences if len(s.text.split()) in WORDS_OF_A_SENTENCE and s.text.count("$") % 2 == 0]
    return good or sentences


def _word_shares(question: str, sentences: list[Sentence]) -> Floats:
    """Compute the share of the question's words found in each sentence, weighted by rarity; 0 if none of the words
    occurs in any sentence.
    """
    question_stems = _stems(question)
    shared = [question_stems & _stems(s.text) for s in sentences]
    in_title = [(question_stems & _stems(s.paper.title)) - own for s, own in zip(sentences, shared, strict=True)]
    counts = Counter(word for stems_found in shared for word in stems_found)
    rarity = {word: float(np.log1p(len(sentences) / count)) for word, count in counts.items()}
    total = sum(rarity.values()) or 1.0

    def worth(stems_found: set[str]) -> float:
        return sum(rarity.get(word, 0.0) for word in stems_found) / total

    return np.array([worth(own) + TITLE_WORDS * worth(title) for own, title in zip(shared, in_title, strict=True)])


def _stems(text: str) -> set[str]:
    return set(stems(words(text), QUESTION_STOP_WORDS))


def _manner(sentence: str, figure_wanted: bool) -> float:
    """Compute how much the form of a sentence adds to its score."""
    leaning = -LEANING_COST * (not stands_alone(sentence))
    asking = -ASKING_COST * sentence.endswith("?")
    return leaning + asking + FIGURE_GAIN * (figure_wanted and _FIGURE.search(sentence) is not None)


def _rank_shares(sentences: list[Sentence], n_hits: int) -> Floats:
    return np.array([(n_hits - s.rank + 1) / n_hits for s in sentences])


def _chosen(worth: Floats, vectors: Vectors, ranks: list[int]) -> list[int]:
    """Select sentences by maximal marginal relevance; return their positions in the order selected."""
    chosen: list[int] = []
    likeness = np.clip(vectors @ vectors.T, 0.0, 1.0)
    of_paper: Counter[int] = Counter()
    while len(chosen) < min(MOST, len(worth)):
        repeated = likeness[chosen].max(axis=0) if chosen else np.zeros(len(worth))
        free = np.array([of_paper[rank] < MOST_OF_A_PAPER for rank in ranks]) & (repeated < SAME)
        best = int(np.argmax(np.where(free, worth - REPETITION_COST * repeated, -np.inf)))
        enough = len(chosen) >= FEWEST and worth[best] < WORTH_SAYING * worth.max()
        if enough or not free[best]:
            break
        chosen.append(best)
        of_paper[ranks[best]] += 1
    return chosen
