"""The roles that sentences play in their abstracts, told by words for samples, methods, results and limitations."""

import re
from enum import StrEnum
from functools import lru_cache

from pathfinder.answering.assessment.values.kinds import field_kinds
from pathfinder.answering.assessment.values.measured_sentence import MeasuredSentence, stated_numbers
from pathfinder.answering.digest.cues import BACKGROUND, FIGURE, HOLDS_TODAY, METHOD, OUTLOOK, RESULT
from pathfinder.text.english import any_of
from pathfinder.text.quantities.written_numbers import ROUGH_NUMBERS, SMALL_NUMBERS
from pathfinder.text.sentences import split_sentences
from pathfinder.types import Paper


class SentenceRole(StrEnum):
    """Role that a sentence plays in its abstract."""

    SAMPLE = "sample"
    METHOD = "method"
    RESULT = "result"
    LIMITATION = "limitation"


LEAST = {SentenceRole.SAMPLE: 2.25, SentenceRole.METHOD: 1.5, SentenceRole.RESULT: 1.0, SentenceRole.LIMITATION: 2.0}
"""Minimum score for a sentence to be taken to play a role.

The weights were set by hand; `benchmarks/COMPARISON.md` says how often the sentence with the highest score is the right
one.
"""

_SAMPLE = (
    r"samples?|catalogu?e?s?|data ?sets?|data|observations?|spectra|spectroscopy|surveys?|images?|imaging|archiv\w+|"
    r"participants|patients|cohorts?|corpus|corpora|benchmarks?|simulations?|measurements? of|observed with|"
    r"observed by|data releases?"
)
_COUNT = re.compile(
    rf"(?<![\w.])(?:\d[\d,\\ ]{{0,30}}\d|\d|{any_of(SMALL_NUMBERS[1:])}|{any_of(ROUGH_NUMBERS)}s?)"
    r"\s(?:of\s)?(?:[\w-]{1,60}\s){0,3}[a-z][\w-]{0,60}s\b",
    re.IGNORECASE,
)
_PROPER = re.compile(r"(?<=[a-z,] )(?:[A-Z]{2,}[\w-]*|[A-Z][a-z]+[\w-]*)")
_FROM = re.compile(r"\b(?:from|using|with|of|in) (?:the )?(?:[A-Z]|\d)", re.ASCII)
_TOOL = re.compile(
    r"\b(?:using|by means of|based on|models?|modell?ing|simulat\w+|fit(?:s|ted|ting)?|bayesian|machine learning|"
    r"neural|algorithms?|codes?|methods?|techniques?|approach|framework|analy[sz]\w+|cross-?correlat\w+|"
    r"monte carlo|regression|comput\w+|calibrat\w+|derived from|equations?)\b",
    re.IGNORECASE,
)
_IN_A_YEAR = re.compile(r"\bin ((?:1[89]|20)\d\d)\b", re.ASCII | re.IGNORECASE)
_OWN = re.compile(r"\b(?:we|our|this (?:paper|work|study|letter|article)|here)\b", re.IGNORECASE)
_MAIN = re.compile(
    r"\b(?:we (?:find|found|conclude|show|measure|obtain|derive|report|detect)|our (?:results?|findings?|analysis)|"
    r"the results?|in conclusion|we have (?:found|shown|measured))\b",
    re.IGNORECASE,
)
_LIMITING = re.compile(
    r"\b(?:limited (?:by|to)|limitations?|uncertain\w*|systematics?|caveats?|assum(?:e|es|ed|ing|ptions?)|cannot|"
    r"could not|unable|not (?:yet|able|enough|sufficient\w*|possible|significant|account)|insufficient|lack(?:s|ing)?|"
    r"small (?:number|sample|statistics)|biase?[sd]?|degenera\w+|unclear|sensitive to|difficult\w*|incomplete\w*|"
    r"underestimat\w+|overestimat\w+|only if|neglect\w*|more data|further (?:data|observations?|work|study)|"
    r"(?:are|is) needed|required|hampered|contaminat\w+|discrepan\w+)",
    re.IGNORECASE,
)


def in_role(paper: Paper, role: SentenceRole, data: tuple[str, ...] = ()) -> str | None:
    """Return the sentence of an abstract that plays a role best, or of a summary, which must not tell of what came
    later; `None` if none does. See `suitability`.
    """
    sentences = split_sentences(paper.abstract)
    last = max(1, len(sentences) - 1)
    scores = {
        sentence: suitability(role, sentence, place / last, data)
        for place, sentence in enumerate(sentences)
        if not (paper.is_summary and _tells_of_later(sentence, paper.known_year))
    }
    best = max(scores, key=lambda sentence: scores[sentence], default=None)
    return best if best is not None and scores[best] >= LEAST[role] else None


def _tells_of_later(sentence: str, year: int | None) -> bool:
    """Return whether a sentence of a summary tells of a time after the paper, which appeared in `year`."""
    is_dated = year is not None and any(int(named) > year for named in _IN_A_YEAR.findall(sentence))
    return is_dated or HOLDS_TODAY.search(sentence) is not None


def suitability(role: SentenceRole, sentence: str, place: float, data: tuple[str, ...] = ()) -> float:
    """Score a sentence for a role; its `place` is 0 for the first sentence of the abstract and 1 for the last.

    `data` are patterns for the field's own kinds of data, such as light curves.
    """
    result, method = bool(RESULT.search(sentence)), bool(METHOD.search(sentence))
    if role is SentenceRole.SAMPLE:
        return (
            1.75 * bool(_sample(data).search(sentence))
            + 1.0 * bool(_COUNT.search(sentence))
            + 0.5 * bool(_PROPER.search(sentence))
            + 0.5 * bool(_FROM.search(sentence))
            + 0.75 * method
            - 0.5 * bool(_MAIN.search(sentence))
            - 0.75 * bool(OUTLOOK.search(sentence))
            - 0.5 * bool(BACKGROUND.search(sentence))
        )
    if role is SentenceRole.METHOD:
        return (
            1.25 * method
            + 1.0 * bool(_TOOL.search(sentence))
            + 0.75 * bool(_OWN.search(sentence))
            - 0.75 * bool(_MAIN.search(sentence))
            - 0.5 * bool(OUTLOOK.search(sentence))
            - 0.5 * bool(BACKGROUND.search(sentence))
            - 0.25 * place
        )
    if role is SentenceRole.RESULT:
        stated, has_quoted = stated_numbers(MeasuredSentence(sentence, 0, field_kinds()))
        return (
            1.0 * result
            + 1.25 * bool(_MAIN.search(sentence))
            + 0.5 * bool(FIGURE.search(sentence))
            + 0.75 * any(number.errors for number in stated)
            - 1.0 * (has_quoted and not stated)
            + 0.75 * place
            - 0.5 * (method and not result)
            - 0.5 * bool(OUTLOOK.search(sentence))
        )
    return 1.5 * min(2, len(_LIMITING.findall(sentence))) + 1.0 * place - 0.5 * (place < 0.3) - 0.25 * result


@lru_cache(maxsize=8)
def _sample(data: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join((_SAMPLE, *data))})\b", re.IGNORECASE)
