"""Finds the insertions that a quoted sentence needs to be complete: who "we" are, what "it" is, what an abbreviation
stands for.

Everything inserted is taken from the same paper. If there is any doubt, nothing is inserted.
"""

import re
from functools import lru_cache
from itertools import pairwise

from pathfinder.answering.digest.persons import who
from pathfinder.profile import Names, Profile, astronomy
from pathfinder.text.english import PREPOSITIONS, any_of
from pathfinder.text.sentences import readable_spans
from pathfinder.types import Insertion, Paper

_PRONOUN = re.compile(r"(?:It|They|These|This)(?=\s+(?:\w+ly\s+)?(?:also\s+)?{verb})".replace("{verb}", (
    r"(?:is|are|was|were|has|have|had|can|could|may|might|will|would|does|do|did|shows?|suggests?|implies|imply|"
    r"indicates?|provides?|allows?|leads?|makes?|gives?|explains?|reveals?|supports?|confirms?|requires?|exceeds?|"
    r"reaches|reach|appears?|seems?|corresponds?|extends?|contains?|results? (?:in|from))\b"
)))  # fmt: skip
"""A pronoun that is the whole subject of a verb."""

_EXPLETIVE = re.compile(
    r"It\s+(?:is|was|has been|can be|may be|could be|remains|appears|seems|follows)\s+(?:\w+ly\s+)?"
    r"(?:that|known|shown|found|clear|unclear|possible|likely|unlikely|important|necessary|essential|crucial|"
    r"difficult|expected|argued|suggested|proposed|believed|thought|estimated|concluded|noted|well|also|therefore)\b"
)
"""Openings in which "it" refers to nothing: "It is known that"."""

_SUBJECT = re.compile(
    r"(?:(?:However|Here|Additionally|Furthermore|Moreover|Finally),\s+)?"
    r"((?:The|A|An|Our|These|Both)\s+(?:[\w/+-]{1,60}\s+){0,4}?[\w/+-]{1,60}|[A-Z][\w-]{0,60}\d[\w-]{0,60})\s+"
    r"(?:is|are|was|were|has|have|had|can|will|shows?|provides?|exhibits?|contains?|covers?|reveals?)\b"
)
"""The subject at the start of a sentence: a short noun phrase before its verb, without a preposition."""

_DOES = re.compile(
    r"It(?=\s+(?:also\s+|then\s+|now\s+)?(?:finds?|found|covers?|covered|measures|measured|maps|mapped|observes|observed|"
    r"detected|detects|lists|listed|includes|reports|reported|contains|uses|used|carries|carried|scans|scanned|solves|"
    r"computes|supports|reads|runs|offers|returns|works|treats|discovered|fits|reviews|catalogues)\b)"
)
""""It" with a verb that fits something that observes, computes or reports, but not a star or a spectral line."""

_NOT_IN_A_SUBJECT = re.compile(rf"\b{any_of(PREPOSITIONS, 'that which and or than as we when where'.split())}\b")

_DEFINITION = re.compile(r"\(\s*([A-Z][\w/&-]{1,9}?)(s?)\s*[;,)]")
"""An abbreviation in brackets, with its plural s, if any."""

_MAX_INSERTED = 3


@lru_cache(maxsize=8)
def _doer(names: Names) -> re.Pattern[str]:
    """Compile a pattern for the subject at the start of a sentence, before its verb, if it is a thing that observes,
    computes or reports.
    """
    own = "".join(f"{noun}|" for kind in names.facilities for noun in kind)
    return re.compile(
        r"(?:(?:However|Here|Finally),\s+)?"
        rf"((?:The|A|An|This)\s+(?:[\w/+-]+\s+){{0,3}}?(?:{own}release|survey|catalogue|catalog|\w*scope|\w*craft|code|"
        r"instrument|review|paper|experiment|database|package|library|pipeline)|"
        r"[A-Z][A-Z-]{2,}[A-Z\d-]*)\s+(?:(?:now|also)\s+)?[a-z]+(?:s|ed)\b(?<!ss)"
    )


def insertions_for(paper: Paper, start: int, end: int, profile: Profile | None = None) -> tuple[Insertion, ...]:
    """Return the insertions that make the sentence `paper.abstract[start:end]` complete, in order of position.

    `profile`, by default that of astronomy, lists the field's facilities, and capitalised words that do not name a
    person.
    """
    sentence = paper.abstract[start:end]
    insertions = [
        *who(paper, start, sentence, profile),
        *_noun(paper, start, sentence, (profile or astronomy()).names),
        *_long_forms(paper.abstract, sentence),
    ]
    return tuple(sorted(insertions, key=lambda insertion: insertion.position)[:_MAX_INSERTED])


def _noun(paper: Paper, start: int, sentence: str, names: Names) -> list[Insertion]:
    """Resolve a pronoun at the start of the sentence to the subject of the previous one, if they agree in number."""
    previous = _sentence_before(paper.abstract, start)
    if (match := _DOES.match(sentence)) and (doer := _doer(names).match(previous)):
        return [] if _NOT_IN_A_SUBJECT.search(doer[1]) else [_insertion(match, doer[1])]
    match = _PRONOUN.match(sentence)
    if match is None or _EXPLETIVE.match(sentence) or sentence.startswith("This"):
        return []
    subject = _SUBJECT.match(previous)
    if subject is None or _NOT_IN_A_SUBJECT.search(subject[1]):
        return []
    is_plural = re.search(r"\b(?:are|were|have)$", subject[0]) is not None or subject[1].startswith(("These", "Both"))
    if is_plural != (not match[0].startswith("It")):
        return []
    return [_insertion(match, subject[1])]


def _sentence_before(abstract: str, start: int) -> str:
    spans = readable_spans(abstract)
    return next((abstract[first[0] : first[1]] for first, second in pairwise(spans) if second[0] == start), "")


def _insertion(pronoun: re.Match[str], subject: str) -> Insertion:
    noun = re.sub(r"^(?:The|A|An|Our|These|This|Both)\s+", "the ", subject)
    return Insertion(pronoun.end(), f" {noun}")


def _long_forms(abstract: str, sentence: str) -> list[Insertion]:
    """Write out abbreviations that the abstract defines, each as where it is defined first, but not in the sentence."""
    insertions = []
    known = {definition[1] for definition in _DEFINITION.finditer(sentence)}
    for definition in _DEFINITION.finditer(abstract):
        short = definition[1]
        if short in known or not (long := long_form(abstract[: definition.start()], short)):
            continue
        known.add(short)
        use = re.search(rf"(?<![\w-]){re.escape(short)}s?(?![\w-])", sentence)
        if use and long.lower() not in sentence.lower():
            insertions.append(Insertion(use.end(), f" {long}"))
    return insertions


def long_form(text: str, short: str) -> str | None:
    """Return the words at the end of `text` that `short` abbreviates; `None` if its letters do not fit.

    The letters are matched from the last to the first, which must be at the start of a word (Schwartz & Hearst 2003,
    doi:10.1142/9789812776303_0042).
    """
    letters = [letter for letter in short.lower() if letter.isalnum()]
    words = text.rstrip().split()
    tail = " ".join(words[-min(len(letters) + 5, 2 * len(letters)) :])
    place = len(tail)
    for n, letter in enumerate(reversed(letters), start=1):
        is_first = n == len(letters)
        place = tail.lower().rfind(letter, 0, place)
        while place > 0 and is_first and tail[place - 1].isalnum():
            place = tail.lower().rfind(letter, 0, place)
        if place < 0:
            return None
    long = tail[place:].strip(" ,;\"'“”`")
    is_phrase = len(long.split()) > 1 and not re.search(r"[.:()$\\]", long)
    return long if is_phrase else None
