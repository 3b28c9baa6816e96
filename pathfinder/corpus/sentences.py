"""Sentences of a scientific text, cut out of it verbatim."""

import re
from bisect import bisect_left
from itertools import pairwise

_END = re.compile(r"((?<![.!?])[.!?]+[\"'”’)\]]*)(\s+)(?=\S)")
"""What may end a sentence: a mark, closing quotes or brackets, and white space before more text."""

_OPENING_CHARACTERS = 20
"""How much of what comes after is looked at."""

_CLOSING_CHARACTERS = 100
"""How much of what comes before: more than the longest abbreviation."""

_WHOLE = re.compile(r"\$[^$]{1,300}\$|\([^()]{1,300}\)|\\[A-Za-z]+\{[^{}]*\}")
"""Mathematics, brackets and LaTeX commands: no sentence ends inside."""

_LABEL = re.compile(
    r"(?:contexts?|backgrounds?|aims?|purposes?|objectives?|methods?|results?|conclusions?)\s?(?:[.:]$|:\s+)",
    re.IGNORECASE,
)
"""Headings that some journals put into abstracts, alone or before a sentence."""

_ALWAYS = re.compile(
    r"e\.g|i\.e|cf|vs|viz|ca|approx|resp|figs?|eqn?s?|sects?|secs?|refs?|tab|ch|appx?|vol|pp|eds?|dr|prof|mrs?|st|mt|"
    r"w\.r\.t|a\.k\.a|incl|lat|lon|rev|astron|astrophys|phys",
    re.IGNORECASE,
)
"""Abbreviations that a sentence does not end with."""

_BEFORE_NUMBERS = re.compile(r"nos?|p|art|ver", re.IGNORECASE)
"""Abbreviations only where a number follows; else words that a sentence may end with."""

_INITIALS = re.compile(r"al|(?:\w\.)*[^\W\d]", re.IGNORECASE)
"""The "al" of "et al.", the J of "M. J. Smith", the U.S of "the U.S. team"."""

_OPENER = re.compile(
    r"(?:The|This|These|Those|That|We|Our|Here|In|Its?|They|Their|However|An?|For|To|With|From|By|As|At|On|Both|When|"
    r"While|Although|Thus|Therefore|Moreover|Furthermore|Finally|Using|Based|I|He|She|There|Such|If|After|Since)\b"
)
"""What opens a sentence even after an initial."""


def sentence_spans(text: str) -> tuple[tuple[int, int], ...]:
    """Where the sentences of `text` lie, in order: `text[start:end]`, with nothing but white space between them.

    Headings such as "Methods." are sentences here. None ends at an abbreviation ("et al.", "Fig.",
    "M. J. Smith"), inside a number, mathematics or brackets.
    """
    whole = [match.span() for match in _WHOLE.finditer(text)]
    firsts = [first for first, _ in whole]
    cuts = [0]
    for match in _END.finditer(text):
        before = bisect_left(firsts, match.start()) - 1
        if before >= 0 and match.end(1) < whole[before][1]:
            continue
        opening, closing = match.end(2), max(cuts[-1], match.start() - _CLOSING_CHARACTERS)
        if _ends_sentence(text[closing : match.start()], match[1], text[opening : opening + _OPENING_CHARACTERS]):
            cuts.append(opening)
    stretches = (_trimmed(text, start, end) for start, end in pairwise([*cuts, len(text)]))
    return tuple((start, end) for start, end in stretches if start < end)


def split_sentences(text: str) -> tuple[str, ...]:
    """The sentences of `text`, in order, each of them a part of it, character by character, less headings."""
    sentences = (_without_label(text[start:end]) for start, end in sentence_spans(text))
    return tuple(sentence for sentence in sentences if sentence)


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    stretch = text[start:end]
    return start + len(stretch) - len(stretch.lstrip()), start + len(stretch.rstrip())


def _ends_sentence(before: str, mark: str, after: str) -> bool:
    if not _may_open(after):
        return False
    if not mark.startswith("."):
        return True
    last = before.split()[-1:]
    word = last[0].lstrip("([\"'“‘{~") if last else ""
    if _BEFORE_NUMBERS.fullmatch(word):
        return not after[0].isdigit()
    if _INITIALS.fullmatch(word):
        return _OPENER.match(after) is not None
    return _ALWAYS.fullmatch(word) is None


def _may_open(after: str) -> bool:
    first = after[0]
    if not first.islower():
        return first not in ",;:)]}."
    # Names such as eROSITA or iPTF open with a small letter.
    return re.match(r"[a-z]{1,2}[A-Z]", after) is not None


def _without_label(sentence: str) -> str:
    label = _LABEL.match(sentence)
    return sentence[label.end() :] if label else sentence
