"""An answer without a chat model: the sentences of the hits that answer best, verbatim, each with its [n].

A sentence is worth `0.5 meaning + 0.3 words + 0.2 rank`: its cosine with the question; the share of the
question's words that it holds, by their rarity among the sentences, those that only its paper's title holds
counting half; and `(n - rank + 1) / n` for the hit that it is from. One that leans on the sentence before it,
or asks instead of saying, is worth 0.15 less; one with a figure, where the question asks for one, 0.2 more.
Sentences are then taken one by one for their worth less what they repeat (maximal marginal relevance,
Carbonell & Goldstein 1998, doi:10.1145/290941.291025).
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pathfinder.answering.sentences import stands_alone
from pathfinder.corpus.sentences import split_sentences
from pathfinder.index.words import QUESTION_STOP_WORDS, stems, words
from pathfinder.models.ports import Embedder, Vectors
from pathfinder.types import Claim, Floats, Hit, Paper

MEANING_SHARE, WORD_SHARE, RANK_SHARE = 0.5, 0.3, 0.2
LEANING_COST = ASKING_COST = 0.15
FIGURE_GAIN = 0.2
TITLE_WORDS = 0.5
REPETITION_COST = 0.4
"""Weight of the highest cosine with a sentence already taken."""
SAME = 0.95
"""A sentence this like one already taken says the same."""

FEWEST, MOST = 2, 6
"""Sentences of an answer."""
MOST_OF_A_PAPER = 2
WORTH_QUOTING = 0.6
"""A hit is quoted only if it matches this share as well as the best one: where a corpus holds two papers on
a question, the third speaks of something else."""
WORTH_SAYING = 0.75
"""Beyond two, a sentence is taken only if it is worth this share of the best."""

MAX_EMBEDDED = 100
"""Sentences that are embedded: what two processor cores read in less than a second."""
WORDS_OF_A_SENTENCE = range(6, 71)
"""Shorter ones are headings, longer ones are lists."""

_ASKS_FOR_A_FIGURE = re.compile(
    r"\b(?:value|what (?:fraction|percentage)|"
    r"how (?:many|much|far|fast|old|large|big|massive|hot|bright|long|often))\b",
    re.IGNORECASE,
)
_FIGURE = re.compile(r"(?<![\w.])\d+(?:\.\d+)?\s*(?:\\?%|\$?\s*(?:\\pm|±|\+/-|\\?,?\s*[A-Za-zμ]+))")
"""A number with its unit or its error, not a year or a name's number."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a hit."""

    text: str
    """Verbatim."""
    rank: int
    """Of its hit, from 1; the n of its [n]."""
    paper: Paper


def extract(question: str, hits: Sequence[Hit], embedder: Embedder) -> tuple[str, tuple[Claim, ...]]:
    """The answer with its marks, and its sentences as claims. `hits` has at least one hit."""
    chosen = best_sentences(question, hits, embedder)
    text = " ".join(f"{sentence.text} [{sentence.rank}]" for sentence in chosen)
    return text, tuple(Claim(sentence.text, (sentence.paper.paper_id,)) for sentence in chosen)


def best_sentences(question: str, hits: Sequence[Hit], embedder: Embedder) -> tuple[Sentence, ...]:
    """Two to six sentences of `hits`, best first, at most two a paper; fewer where the hits hold fewer."""
    best = max(hit.score.fused or 0.0 for hit in hits)
    quoted = [(rank, hit) for rank, hit in enumerate(hits, 1) if (hit.score.fused or 0.0) >= WORTH_QUOTING * best]
    sentences = _readable([sentence for rank, hit in quoted for sentence in _sentences(hit, rank)])
    cheap = _word_shares(question, sentences) * WORD_SHARE + _rank_shares(sentences, len(hits)) * RANK_SHARE
    cheap += np.array([_manner(s.text, _ASKS_FOR_A_FIGURE.search(question) is not None) for s in sentences])
    kept = np.sort(np.argsort(-cheap, kind="stable")[:MAX_EMBEDDED])
    sentences = [sentences[i] for i in kept]
    (asked,) = embedder.embed([question], "query")
    vectors = embedder.embed([s.text for s in sentences], "document")
    worth = cheap[kept] + MEANING_SHARE * np.clip(vectors @ asked, 0.0, 1.0)
    return tuple(sentences[i] for i in _chosen(worth, vectors, [s.rank for s in sentences]))


def _sentences(hit: Hit, rank: int) -> list[Sentence]:
    return [Sentence(text, rank, hit.paper) for text in split_sentences(hit.paper.abstract)]


def _readable(sentences: list[Sentence]) -> list[Sentence]:
    """Those of a readable length and with their mathematics whole; all of them where none is."""
    good = [s for s in sentences if len(s.text.split()) in WORDS_OF_A_SENTENCE and s.text.count("$") % 2 == 0]
    return good or sentences


def _word_shares(question: str, sentences: list[Sentence]) -> Floats:
    """Share of the question's words in each sentence, by rarity among them; 0 where no word of it occurs at all."""
    asked = _stems(question)
    held = [asked & _stems(s.text) for s in sentences]
    in_title = [(asked & _stems(s.paper.title)) - own for s, own in zip(sentences, held, strict=True)]
    counts = Counter(word for found in held for word in found)
    rarity = {word: float(np.log1p(len(sentences) / count)) for word, count in counts.items()}
    total = sum(rarity.values()) or 1.0

    def worth(found: set[str]) -> float:
        return sum(rarity.get(word, 0.0) for word in found) / total

    return np.array([worth(own) + TITLE_WORDS * worth(title) for own, title in zip(held, in_title, strict=True)])


def _stems(text: str) -> set[str]:
    return set(stems(words(text), QUESTION_STOP_WORDS))


def _manner(sentence: str, figure_wanted: bool) -> float:
    """What the way it is said adds to the worth of a sentence."""
    leaning = -LEANING_COST * (not stands_alone(sentence))
    asking = -ASKING_COST * sentence.endswith("?")
    return leaning + asking + FIGURE_GAIN * (figure_wanted and _FIGURE.search(sentence) is not None)


def _rank_shares(sentences: list[Sentence], n_hits: int) -> Floats:
    return np.array([(n_hits - s.rank + 1) / n_hits for s in sentences])


def _chosen(worth: Floats, vectors: Vectors, ranks: list[int]) -> list[int]:
    """Maximal marginal relevance: places of the sentences to take, in the order they are taken."""
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
