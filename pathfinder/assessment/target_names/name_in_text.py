"""A name in a paper's text or title, and how well the words around it fit the question."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from pathfinder.assessment.target_names.kinds import NamedTarget, with_rays_joined
from pathfinder.assessment.target_names.words import SAME_NAMES
from pathfinder.index.words import QUESTION_STOP_WORDS, stems, words
from pathfinder.text.author_year import YEAR_IN_TEXT
from pathfinder.text.sentences import sentence_spans

LEAST_CONTEXT = 0.75
LEAST_CONTEXT_OF_MISSION = 0.6
LEAST_CONTEXT_OF_LISTED = 0.5
LEAST_CONTEXT_OF_A_LINE = 0.33
LEAST_CONTEXT_OF_ITS_PAPER = 0.6
"""Minimum share of the question's words after the noun that must occur in the sentence or the title. It is lower for
missions and designations, whose kind is certain, and lowest for lines of an answer that are kept without naming
anything; the papers of such lines must contain more of these words.
"""
_DENIAL = re.compile(
    r"\b(?:non-?detections? of|(?:do|does|did) not (?:detect|find|see|include|use)|no (?:evidence|signs?|detections?) "
    r"(?:of|for)|upper limits? (?:on|for)|unlike|rather than|instead of)\b[^.;]*$",
    re.IGNORECASE,
)
"""Words that, before a name, show that the sentence is not about it: "non-detections of", "unlike"."""


@dataclass(frozen=True, slots=True)
class NameInText:
    """A name in a paper's text. If it is only in the title, `start` and `end` are both the start of the text's first
    sentence.
    """

    name: str
    start: int
    end: int
    sentence_start: int
    sentence_end: int
    fit: float
    """Share, in [0, 1], of the question's words before the noun that are in the name's sentence or the title, or half
    the share in the whole text if that is larger; 0 if the words after the noun do not fit.
    """
    is_subject: bool = False
    """True if both the title and the text contain the name, so that the paper presents it."""


def key_of(name: str, facilities: tuple[str, ...] = ()) -> str:
    """Return the form in which names are compared: "RADMC-3D" and "RADMC3D" are the same, "Planck 2018" is "Planck",
    and "OH" is "hydroxyl". `facilities` are nouns that may follow a name: "Gaia satellite".
    """
    bare = _suffix(facilities).sub("", name) or name
    key = re.sub(r"[\s_–-]+", "", bare).casefold()
    return SAME_NAMES.get(key, key)


@cache
def _suffix(facilities: tuple[str, ...]) -> re.Pattern[str]:
    nouns = "|".join(("code", "collaboration", "survey", "data", *facilities))
    return re.compile(rf"\s(?:{nouns}|{YEAR_IN_TEXT})$", re.IGNORECASE)


def locate(
    target: NamedTarget,
    title: str,
    text: str,
    span: tuple[int, int],
    sentence: tuple[int, int],
    *,
    least_context: float = LEAST_CONTEXT,
    name: str | None = None,
) -> NameInText:
    """Return the name at `span` in `sentence`, with its fit to the question; `name` is a name found only in the title.

    If the title contains the name of something man-made, or begins with that of a mission, the paper presents it, and
    the words after the noun may be anywhere in its text. This does not hold for things found in nature: a paper may be
    about other aspects of them.
    """
    near, whole = f"{title} {text[slice(*sentence)]}", f"{title} {text}"
    name = name or text[slice(*span)]
    is_subject = span[0] < span[1] and key_of(name, target.facilities) in key_of(title, target.facilities)
    fit = max(_share(target.modifiers, near), 0.5 * _share(target.modifiers, whole))
    in_sentence = max((_share(context, near) for context in target.contexts), default=1.0) >= least_context
    in_paper = max((_share(context, whole) for context in target.contexts), default=1.0) >= LEAST_CONTEXT
    is_presented = target.designation is None and is_subject and (not target.has_missions or _begins(name, title))
    if not (in_sentence or (is_presented and in_paper)):
        fit = 0.0
    if _DENIAL.search(text[sentence[0] : span[0]]) or not all(other in near for other in target.names):
        fit = 0.0
    return NameInText(name, *span, *sentence, fit, is_subject)


def _begins(name: str, title: str) -> bool:
    return re.match(rf"(?:Introducing |The )?{re.escape(name)}(?!\w)", title, re.IGNORECASE) is not None


def _share(own: frozenset[str], text: str) -> float:
    """Return the share of the question's words in `own` that occur in `text`; 1 if there are none."""
    return len(own & _stems(text)) / len(own) if own else 1.0


def describes(target: NamedTarget, text: str, paper: str | None = None) -> bool:
    """Return whether a text contains at least a third of the words that follow the noun in the question, and its
    `paper` most of them; if "or" separates alternatives, the words of one alternative suffice.
    """

    def share(part: str) -> float:
        return max((_share(context, part) for context in target.contexts), default=1.0)

    return share(text) >= LEAST_CONTEXT_OF_A_LINE and (paper is None or share(paper) >= LEAST_CONTEXT_OF_ITS_PAPER)


def has_half(modifiers: frozenset[str], text: str) -> bool:
    """Return whether a text contains at least half of `modifiers`, the question's words before the noun."""
    return 2 * len(modifiers & _stems(text)) >= len(modifiers)


def _stems(text: str) -> frozenset[str]:
    return frozenset(stems(words(with_rays_joined(text)), QUESTION_STOP_WORDS))


def only_in_title(
    target: NamedTarget, title: str, text: str, name: str, *, least_context: float = LEAST_CONTEXT
) -> Iterator[NameInText]:
    """Yield a name that is only in the title, with the position of the text's first sentence."""
    for start, end in sentence_spans(text)[:1]:
        yield locate(target, title, text, (start, start), (start, end), least_context=least_context, name=name)
