"""The single-paper benchmark (arXiv:2408.01556, section 5) from any corpus: questions that one paper answers.

Papers are drawn by a seed. Without a model a question is a sentence of the abstract, word for word: the one that says
most beyond the title. The published questions avoid their paper's words and these cannot, so their figures are an
upper bound that flatters look-up by words: they compare corpora, settings and versions, not meaning with words.
A chat model writes questions in other words.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pathfinder.answering.sentences import stands_alone
from pathfinder.corpus.sentences import split_sentences
from pathfinder.errors import UsageError
from pathfinder.evaluation.shared_sentences import Asked, also_answering
from pathfinder.evaluation.synthetic import SyntheticSet, check_seed
from pathfinder.index.words import QUESTION_STOP_WORDS, stems, words
from pathfinder.types import Paper

DEFAULT_N = 500
"""As published."""
SEED = 0
MIN_WORDS, MAX_WORDS = 8, 45
"""Of a sentence that can be a question: shorter ones say little, longer ones are several statements."""

SAMPLE = 5000
"""How many papers the rarity of words is counted over."""

_OPENING = re.compile(
    r"(?:(?:in (?:this|the present) (?:paper|work|study|letter)|here|moreover|furthermore|additionally|in particular|"
    r"specifically|finally|thus|therefore|overall)\b,?\s+)*"
    r"(?:(?:we|our (?:results|findings|analysis|work|simulations|observations|model|models|data))\s+"
    r"(?:(?:also|further|then|now|clearly|strongly)\s+)*"
    r"(?:show|find|found|demonstrate|report|conclude|argue|suggest|suggests|indicate|indicates|reveal|reveals|propose|"
    r"confirm|confirms|note|infer|estimate|predict|establish|shows|demonstrates)\b"
    r"(?:\s+that\b)?,?\s*)?",
    re.IGNORECASE,
)
"""What only leads up to a statement: "In this paper we show that"."""

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")

_IN_NO_PAPER = ""

Rarity = Callable[[Sequence[str]], Sequence[float]]
"""From stems to how much each tells: `log(1 + N / df)`."""

Question = tuple[str | None, str]
"""What is asked of a paper, and, where it is `None`, why it cannot be asked anything."""
Ask = Callable[[Paper], Question]


@dataclass(frozen=True, slots=True)
class Asker:
    """Who makes questions."""

    name: str
    ask: Ask


def extractive(papers: Sequence[Paper], seed: int = SEED) -> Asker:
    """Sentences of the abstract, word for word; no model. Words are as rare as they are among these papers."""
    rarity = rarity_in(papers, seed)
    return Asker("extractive", lambda paper: densest_sentence(paper, rarity))


def make_single(papers: Sequence[Paper], asker: Asker, n: int = DEFAULT_N, seed: int = SEED) -> SyntheticSet:
    """`n` questions, each answered by the paper that it was made from, and by those that say the same word for word.

    No question is asked twice. Papers of which none can be made are passed over, with the reason and the count in
    `about`. Raises `UsageError` where the corpus does not have enough.
    """
    if n < 1:
        raise UsageError(f"the number of questions must be at least 1, got {n}")
    check_seed(seed)
    asked: dict[str, tuple[str, Paper]] = {}
    texts: set[str] = set()
    passed_over: Counter[str] = Counter()
    for row in np.random.default_rng(seed).permutation(len(papers)):
        paper = papers[int(row)]
        text, reason = asker.ask(paper)
        if text is None:
            passed_over[reason] += 1
            continue
        if text in texts:
            passed_over["a question that another paper has"] += 1
            continue
        texts.add(text)
        asked[f"q-{paper.paper_id}"] = text, paper
        if len(asked) == n:
            break
    if len(asked) < n:
        reasons = "".join(f"; {count} have {reason}" for reason, count in passed_over.items())
        raise UsageError(f"{len(asked)} of {len(papers)} papers can be asked for, not {n}{reasons}: ask for fewer")
    return _as_set(asked, papers, {"made": asker.name, "n": n, "seed": seed}, passed_over)


def _as_set(
    asked: Asked, papers: Sequence[Paper], made: Mapping[str, str | int], passed_over: Mapping[str, int]
) -> SyntheticSet:
    others = also_answering(asked, papers)
    about: dict[str, str | int] = {"kind": "single-paper", **made, "papers": len(papers)}
    if others:
        about["questions that other papers answer word for word"] = len(others)
    about |= {f"passed over: {reason}": count for reason, count in passed_over.items()}
    judgements = {name: dict.fromkeys((paper.paper_id, *others.get(name, ())), 1) for name, (_, paper) in asked.items()}
    return SyntheticSet({name: text for name, (text, _) in asked.items()}, judgements, about)


def densest_sentence(paper: Paper, rarity: Rarity) -> Question:
    """The sentence of the abstract that says most beyond the title, without the words that lead up to it.

    It is not the first, which sets the scene; it is understood without the one before, and has 8 to 45 words. It
    says as much as its different words that the title does not have are rare together; a number counts as a word
    that no other paper has.
    """
    sentences = [without_opening(s) for s in split_sentences(paper.abstract)[1:] if stands_alone(s)]
    usable = [sentence for sentence in sentences if MIN_WORDS <= len(sentence.split()) <= MAX_WORDS]
    if not usable:
        return None, f"no sentence of {MIN_WORDS} to {MAX_WORDS} words behind the first that stands alone"
    in_title = set(stems(words(paper.title), QUESTION_STOP_WORDS))
    (rarest,) = rarity([_IN_NO_PAPER])
    return max(usable, key=lambda sentence: _told(sentence, in_title, rarity, rarest)), ""


def _told(sentence: str, in_title: set[str], rarity: Rarity, rarest: float) -> float:
    said = set(stems(words(_NUMBER.sub(" ", sentence)), QUESTION_STOP_WORDS)) - in_title
    return float(sum(rarity(sorted(said)))) + rarest * len(set(_NUMBER.findall(sentence)))


def without_opening(sentence: str) -> str:
    """The statement alone: "We show that dust is hot." is "dust is hot."."""
    rest = _OPENING.sub("", sentence, count=1)
    return rest if len(rest.split()) >= MIN_WORDS else sentence


def rarity_in(papers: Sequence[Paper], seed: int = SEED) -> Rarity:
    """`log(1 + N / df)` over at most 5,000 of `papers`, drawn by `seed`; what none of them has counts as in one."""
    check_seed(seed)
    rows = np.sort(np.random.default_rng(seed).permutation(len(papers))[:SAMPLE])
    frequency: Counter[str] = Counter()
    for text in _texts(papers, rows.tolist()):
        frequency.update(set(stems(words(text), QUESTION_STOP_WORDS)))
    return lambda tokens: [float(np.log1p(len(rows) / max(frequency[token], 1))) for token in tokens]


def _texts(papers: Sequence[Paper], rows: Iterable[int]) -> Iterable[str]:
    return (papers[row].text for row in rows)
