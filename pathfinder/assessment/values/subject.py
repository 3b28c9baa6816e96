"""Decides whether a text and its values are about the object of the question or about another one."""

import re
from collections.abc import Sequence
from functools import cache

from pathfinder.assessment.values.field_nouns import FieldNouns
from pathfinder.assessment.values.kinds import QuantityKind
from pathfinder.assessment.values.measured_sentence import MeasuredSentence
from pathfinder.assessment.values.target import QuantityTarget, mentions_other
from pathfinder.index.words import QUESTION_STOP_WORDS, stems, words

_DESIGNATION = re.compile(
    r"(?<![\w-])(?:[A-Z][A-Za-z]{0,9}[\s~-]?\d[\w.+-]*|[A-Z]{2,5}(?![\w.]))(?:\s?[b-h](?![\w.]))?"
)
_PLANET = re.compile(r"\b[Pp]lanets? ([b-h])(?![\w])|(?<=\d)[\s~]?([b-h])(?![\w])")


def without_comparisons(text: str, nouns: FieldNouns) -> str:
    """Return a text in lower case, without LaTeX's dollar signs or names that serve only for comparison
    ("Jupiter-like").
    """
    return nouns.comparison.sub(" ", text.lower().replace("$", ""))


def names_in(text: str, nouns: FieldNouns) -> list[str]:
    """Return the designations of objects in a text."""
    return [match[0] for match in _designations(text, nouns)]


def _designations(text: str, nouns: FieldNouns) -> list[re.Match[str]]:
    return [match for match in _DESIGNATION.finditer(text) if not nouns.no_object.fullmatch(match[0])]


def is_named(target: QuantityTarget, title: str, sentences: Sequence[str]) -> bool:
    """Return whether the last of `sentences` is about the object of the question, taking those before it into account.

    Each name must be in the title, in the sentence or in one of the two before it. A name that many texts mention, such
    as the Milky Way, must be in the sentence or the one before, or else in the title together with the quantity or
    another noun in the question. If the question asks about a part, such as the black hole, that part must be in one of
    these places too. If the question has no names but at least two nouns, at least half of these must be in the
    sentence or the title.
    """
    head, *near = (without_comparisons(part, target.kinds.nouns) for part in (title, *sentences))
    everything = " ".join([head, *near])
    if any(not re.search(own, everything) for own, _ in _sides(target)):
        return False
    if not target.names and not target.wide_names:
        nouns = target.nouns & stems_of(f"{near[-1]} {head}")
        return target.kind.is_universal or len(target.nouns) < 2 or 2 * len(nouns) >= len(target.nouns)
    is_subject = (
        bool(target.nouns & stems_of(head))
        or re.search(target.kind.words, head, re.IGNORECASE) is not None
        or any(re.match(rf"(?:the )?(?:{name})(?::| in context|$)", head) for name in target.wide_names)
    )
    close = " ".join([*near[-2:], head if is_subject else ""])
    return all(re.search(name, everything) for name in target.names) and all(
        re.search(name, close) for name in target.wide_names
    )


def states_kind(target: QuantityTarget, text: str) -> bool:
    """Return whether a text contains digits, every name in the question, and a name, symbol or unit of the quantity: a
    quick check before `values_in`.
    """
    return any(map(str.isdigit, text)) and is_about(target, text) and _words_of(target.kind).search(text) is not None


@cache
def _words_of(kind: QuantityKind) -> re.Pattern[str]:
    return re.compile(rf"{kind.words}|{kind.symbols}" if kind.is_named else kind.words, re.IGNORECASE)


def is_about(target: QuantityTarget, text: str) -> bool:
    """Return whether a text contains every name in the question or, if the question has none, at least half of its
    nouns.
    """
    lowercase_text = text.lower().replace("$", "")
    if not all(re.search(name, lowercase_text) for name in (*target.names, *target.wide_names)):
        return False
    if target.kind.is_universal or target.names or target.wide_names or not target.nouns:
        return True
    return 2 * len(target.nouns & stems_of(lowercase_text)) >= len(target.nouns)


def stems_of(text: str) -> frozenset[str]:
    """Return the stems of the words in a text, without a question's stop words."""
    return frozenset(stems(words(text), QUESTION_STOP_WORDS))


def is_of_another(target: QuantityTarget, sentence: MeasuredSentence, place: int) -> bool:
    """Return whether a value belongs to something other than the object of the question, such as a donor star or
    another planet.
    """
    _, beside, _ = sentence.label(place)
    near = f"{beside} {sentence.phrase(place)[-60:]} {sentence.behind(place)[:25]}".lower()
    for own, rivals in _sides(target):
        if not re.search(own, near) and re.search(rivals, near):
            return True
    return _names_sibling(target, sentence, place) or _is_of_another_planet(target, sentence)


def is_of_own(target: QuantityTarget, sentence: MeasuredSentence, place: int) -> bool:
    """Return whether a value with the right unit follows the thing that the question names: "a black hole of four
    million solar masses".
    """
    measurement = sentence.measurements[place]
    before = sentence.before(place).lower()
    return measurement.unit is not None and any(
        re.search(rf"(?:{own})\w*\s+(?:of|with|at)(?: about| some| roughly| around| nearly)?\s*~?$", before)
        for own, _ in _sides(target)
    )


def _sides(target: QuantityTarget) -> tuple[tuple[str, str], ...]:
    """Return a pattern for the things that the question names, and one for those with which they could be confused; an
    empty tuple if either would match nothing.
    """
    things = target.kinds.nouns.rivals(target.kind.name)
    own = [thing for thing in things if re.search(thing, target.qualifiers)]
    rivals = [thing for thing in things if thing not in own]
    return (("|".join(own), "|".join(rivals)),) if own and rivals else ()


def _names_sibling(target: QuantityTarget, sentence: MeasuredSentence, place: int) -> bool:
    """Return whether the last name before a value differs from those in the question: the LMC, not the Milky Way."""
    names = (*target.names, *target.wide_names)
    if not names:
        return False
    near = f"{sentence.label(place)[1]} {sentence.phrase(place)}"[-90:]
    others = _designations(near, target.kinds.nouns)
    if not others or _is_symbol(near, others[-1]):
        return False
    return not any(re.search(name, near.lower()) for name in names) and _is_like(target, others[-1][0])


def _is_of_another_planet(target: QuantityTarget, sentence: MeasuredSentence) -> bool:
    """Return whether a sentence is about other planets of the star, and not about the one in the question: "planet b",
    "TOI-2015b".
    """
    if target.planet is None:
        return False
    letters = {match[1] or match[2] for match in _PLANET.finditer(sentence.plain)}
    return bool(letters) and target.planet not in letters


def _is_symbol(near: str, match: re.Match[str]) -> bool:
    return near[match.end() :].lstrip()[:1] in {"=", "<", ">"}


def _is_like(target: QuantityTarget, name: str) -> bool:
    """Return whether a name in a paper is of the same sort as the names in the question, and not an instrument."""
    has_digit = any(map(str.isdigit, name))
    return has_digit == any(map(str.isdigit, "".join(target.names))) or mentions_other(target, name.lower())
