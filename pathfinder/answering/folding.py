"""Recognises a chat model's reply that is not an answer, by rules and by the evidence for its sentences.

A reply is not an answer if it only repeats the question or asks other questions, or if most of its sentences are
contradicted by the papers or not found in them. If two or more sentences have citations, they are also counted on their
own, because a sentence that cites nothing is looked up in all papers and is found too easily. Of the 108 expert answers
of ScholarQABench (benchmarks/EVIDENCE.md), none is folded with its own sources. With the sources of another question,
100 to 107 are folded if meanings are compared too, and 93 to 101 if only words are.
"""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

from pathfinder.grounding.citations import without_citations
from pathfinder.index.words import QUESTION_STOP_WORDS, stems, words
from pathfinder.text.sentences import split_sentences
from pathfinder.types import CheckedSentence, Ledger, Verdict

REPETITION = 0.9
"""Minimum similarity, taking the order of words into account, at which a sentence counts as repeating the question."""
FEWEST_CITING = 2
"""Minimum number of sentences with citations for them to be counted separately."""
UNFOUNDED_VERDICTS = (Verdict.NOT_FOUND, Verdict.CONTRADICTED)

ECHO = "it only repeats the question or asks another"

_LEAD = re.compile(r"^\W*(?:question|answer|q|a)\s*:\s*", re.IGNORECASE)
_OPEN_QUESTION = re.compile(r"^\W*(?:what|which|who|whose|when|where|why|how)\b", re.IGNORECASE)
_ALTERNATIVE = re.compile(r"\bor\b", re.IGNORECASE)
_QUESTION = re.compile(r"\?[\"'”’)\]*_\s]*$")


def why_no_answer(question: str, text: str, ledger: Ledger | None) -> str | None:
    """Return the reason why `text`, a chat model's reply, is not an answer to `question`, given the evidence in
    `ledger`; `None` if it is an answer.
    """
    if is_echo(question, text):
        return ECHO
    sentences = ledger.sentences if ledger else ()
    citing = [sentence for sentence in sentences if sentence.citations]
    if len(citing) >= FEWEST_CITING and _are_mostly_unfounded(citing):
        return _count_verdicts(citing, "of its {n} sentences that cite papers")
    return _count_verdicts(sentences, "of its {n} sentences") if _are_mostly_unfounded(sentences) else None


def is_echo(question: str, text: str) -> bool:
    """Return whether `text` says nothing: each sentence is a question, or repeats the reader's question in the same
    words.
    """
    sentences = [
        sentence for line in without_citations(text).splitlines() for sentence in split_sentences(_LEAD.sub("", line))
    ]
    sentences = [sentence for sentence in sentences if words(sentence)]
    return bool(sentences) and all(_QUESTION.search(text) or _repeats(question, text) for text in sentences)


def _repeats(question: str, sentence: str) -> bool:
    if SequenceMatcher(None, words(question), words(sentence), autojunk=False).ratio() >= REPETITION:
        return True
    # "Is the sheet flat?" may be answered in its own words, and so may "Is it A or B?"; "What is it?" cannot.
    if not _OPEN_QUESTION.match(question) or _ALTERNATIVE.search(question):
        return False
    return set(stems(words(sentence), QUESTION_STOP_WORDS)) <= set(stems(words(question), QUESTION_STOP_WORDS))


def _are_mostly_unfounded(sentences: Sequence[CheckedSentence]) -> bool:
    return 2 * sum(sentence.verdict in UNFOUNDED_VERDICTS for sentence in sentences) > len(sentences)


def _count_verdicts(sentences: Sequence[CheckedSentence], of: str) -> str:
    n = {verdict: sum(sentence.verdict is verdict for sentence in sentences) for verdict in UNFOUNDED_VERDICTS}
    counts = " and ".join(f"{n[verdict]} {verdict.value}" for verdict in UNFOUNDED_VERDICTS if n[verdict])
    return f"{of.format(n=len(sentences))}, {counts}" if len(sentences) > 1 else f"its only sentence is {_verdict(n)}"


def _verdict(n: dict[Verdict, int]) -> str:
    return next(verdict.value for verdict, count in n.items() if count)
