"""Tokeniser for scientific English: keeps "three-dimensional", "[O III]", "f(R)" and "M87*" in one piece."""

import re
from collections.abc import Iterator
from typing import NamedTuple

# Repetitions are bounded, so that 20,000 characters without a space take no longer than any other text of that length.
_TOKEN = re.compile(
    r"""
    https?://\S+|\b[\w-]{1,60}(?:\.[\w-]{1,60}){0,4}\.(?:com|org|net|edu|gov|io|html|github)\b\S*
  | [^\s,;()^]{0,40}\^[^\s,;()]{0,40}[^\s,;().]                                  # 10^-3, s^-1
  | (?:e\.g|i\.e|et\ al|cf|vs|viz|resp|approx|ca|Figs?|Eqs?|Sect?|Sec|No|St)\.(?!\w)
  | (?:(?<![^\W_])[A-Z]\.){2,}                                        # U.S.
  | \[(?:[A-Z][a-z]?\s?[IVX]{1,4}|[A-Z][a-z]?/[A-Z][a-z]?)\](?:λ+\d+|-\w[\w-]*)?  # [O III], [Fe/H]
  | \b(?:H|He|C|N|O|S|Si|Mg|Ca|Fe|Ne|Na|Al|Ar|Ti)\s(?:I{1,3}|IV|VI{0,3})\b(?!\s*[a-z]\.)
  | \b[A-Z0-9]+/[A-Z][\w-]*\w                                         # ACS/WFC, 12P/Pons-Brooks
  | \b[A-Za-z]\([A-Za-z0-9](?:,\s?[A-Za-z0-9])?\)                     # f(R), H(z), U(1)
  | \d+(?:[.,]\d+)*(?![^\W_])(?![-‐–][^\W\d_])
  | \ba\*(?!\w)                                                       # sgr a*
  | [^\W_]+(?:(?:['’](?=[^\W\d_])|[.](?=\d)|[+](?=\d)|[-‐‑–](?=[^\W_])|_)[^\W_]+)*(?:(?<=[A-Z0-9])\*+)?
  | \S
    """,
    re.VERBOSE,
)
_SENTENCE_ENDS = frozenset(".?!")


class Token(NamedTuple):
    """A word, a number or a punctuation mark: `text[start:end]` of the original text."""

    text: str
    start: int
    end: int


def tokenise(text: str) -> Iterator[list[Token]]:
    """Split `text` into sentences, and each sentence into tokens."""
    sentence: list[Token] = []
    for match in _TOKEN.finditer(text):
        if sentence and sentence[-1].text in _SENTENCE_ENDS and not match[0][0].islower():
            yield sentence
            sentence = []
        sentence.append(Token(match[0], match.start(), match.end()))
    if sentence:
        yield sentence
