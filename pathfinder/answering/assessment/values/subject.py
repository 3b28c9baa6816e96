"""Decides whether a text and its values are about the object of the question or about another one."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from pathfinder.answering.assessment.values.kinds import FieldNouns, QuantityKind
from pathfinder.answering.assessment.values.measured_sentence import MeasuredSentence
from pathfinder.answering.assessment.values.target import QuantityTarget, mentions_other
from pathfinder.index.words import content_stems

_DESIGNATION = re.compile(
    r"(?<![\w-])(?:[A-Z][A-Za-z]{0,9}[\s~-]?\d[\w.+-]*|[A-Z]{2,5}(?![\w.]))(?:\s?[b-h](?![\w.]))?"
)
_WITHIN = re.compile(r"\b(?:in|within|inside|around|(?<!sides )(?<!side )of)\s(?:the\s|our\s)?$")
_RELATION = re.compile(r"(?<![\w-])([a-z]{3,20})[-–]([a-z]{3,20})\s(?:relation|correlation|diagram|plane)s?\b")
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
    sentence or the title, and a word of one of its `owners`; of a relation of two things, both.
    """
    head, *near = (without_comparisons(part, target.kinds.nouns) for part in (title, *sentences))
    everything = " ".join([head, *near])
    if any(not re.search(own, everything) for own, _ in _sides(target)):
        return False
    if not target.names and not target.wide_names:
        text = f"{near[-1]} {head}"
        related = [part for pair in _RELATION.findall(target.qualifiers) for part in pair]
        if not content_stems(" ".join(related)) <= content_stems(text):
            return False
        if target.kind.is_universal or len(target.nouns) < 2:
            return True
        is_owned = not target.owners or lacking(target, text) != target.owners
        return is_owned and 2 * len(target.nouns & content_stems(text)) >= len(target.nouns)
    is_subject = (
        bool(target.nouns & content_stems(head)) or re.search(target.kind.words, head, re.IGNORECASE) is not None
    )
    close = " ".join([*near[-2:], head if is_subject else ""])
    return all(re.search(name, everything) for name in target.names) and all(
        re.search(name, close) for name in target.wide_names
    )


def lacking(target: QuantityTarget, text: str) -> tuple[str, ...]:
    """Return those of the question's `owners` of which `text` contains no word: a value in it may belong to others."""
    own = content_stems(text)
    return tuple(owner for owner in target.owners if not own & content_stems(owner))


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
    return 2 * len(target.nouns & content_stems(lowercase_text)) >= len(target.nouns)


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
    if not others or near[others[-1].end() :].lstrip()[:1] in {"=", "<", ">"}:
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


def _is_like(target: QuantityTarget, name: str) -> bool:
    """Return whether a name in a paper is of the same sort as the names in the question, and not an instrument."""
    has_digit = any(map(str.isdigit, name))
    return has_digit == any(map(str.isdigit, "".join(target.names))) or mentions_other(target, name.lower())


# Decides whether a paper, or one of its sentences, is about the object of the question: "Stars in the LMC" is not
# about the LMC.

_OF_THE_KIND = re.compile(r"(?:\b(?:hot|warm|cold|temperate|super|mini|sub|exo)[\s-]|\()$")
"""Words before a name that denotes a class of things ("hot Jupiter"), and the bracket before an abbreviation."""


@dataclass(frozen=True, slots=True)
class Focus:
    """Record of whether a paper, and the sentences before a value, are about the object of the question."""

    is_paper: bool
    """True if the title is about the object, or if the paper names nothing else of the same sort."""
    is_before: bool
    """True if one of the previous sentences is about the object, and no sentence after it names something else."""

    def holds_for(self, target: QuantityTarget, sentence: MeasuredSentence, place: int) -> bool:
        """Return whether a value whose sentence does not name its owner may belong to the object.

        The previous sentences count only if no other thing is named in between.
        """
        nouns = target.kinds.nouns
        text = without_comparisons(sentence.plain[: sentence.measurements[place].start], nouns)
        names = (*target.names, *target.wide_names)
        if self.is_paper:
            return True
        if target.wide_names and not _has_nouns(target, text):
            return False
        if names and all(_is_there(name, target, text) for name in names):
            return True
        if not names and target.nouns & content_stems(text):
            return True
        other = re.search(rf"\b{nouns.thing}(?!\w)", nouns.anaphor.sub(" ", text))
        return self.is_before and not (other or names_in(sentence.plain, nouns))


def focus_of(target: QuantityTarget, title: str, before: Sequence[str], text: str) -> Focus:
    """Return whether a paper, and the sentences `before` the current one, are about the object of the question.

    If the question names nothing, its nouns must occur in the title or in these sentences; if it asks for a kind of
    thing ("a magnetar"), they may be anywhere in the `text`.
    """
    nouns = target.kinds.nouns
    head, *near = (without_comparisons(part, nouns) for part in (title, *before))
    names = (*target.names, *target.wide_names)
    if not names:
        close = content_stems(f"{head} {without_comparisons(text, nouns)}" if target.is_class else head)
        return Focus(not target.nouns or bool(target.nouns & close), bool(target.nouns & content_stems(" ".join(near))))
    is_titled = all(_is_there(name, target, head) for name in names) or any(
        re.search(
            rf"(?:{target.kind.words})\s+(?:\w+\s)?(?:in|of|for|to|within)\s(?:the\s|our\s)?(?:{name})",
            head,
            re.IGNORECASE,
        )
        for name in names
    )
    has_nouns = not target.wide_names or _has_nouns(target, head)
    return Focus(
        has_nouns and (is_titled or is_only_name(target, title, text)),
        is_before=any(
            all(_is_there(name, target, part) for name in names)
            and not any(names_in(other, nouns) for other in before[place + 1 :])
            for place, part in enumerate(near)
        ),
    )


def _has_nouns(target: QuantityTarget, text: str) -> bool:
    """Return whether a text contains more than half of the question's nouns."""
    nouns = target.nouns - target.landmarks
    return not nouns or 2 * len(nouns & content_stems(text)) > len(nouns)


def is_only_name(target: QuantityTarget, title: str, text: str) -> bool:
    """Return whether a paper names the object of the question at the start of a sentence, and no other designation."""
    if not target.names or not any(map(str.isdigit, "".join(target.names))):
        return False
    others = [
        name for name in names_in(f"{title}. {text}", target.kinds.nouns) if re.match(r"[A-Z]{2}.*\d|[A-Z]\S*\d", name)
    ]
    is_opening = re.search(rf"(?:^|[.!?] )(?:{target.names[-1]})", text.lower()) is not None
    return is_opening and all(any(re.search(pattern, name.lower()) for pattern in target.names) for name in others)


def asks_for_part(target: QuantityTarget) -> bool:
    """Return whether the question asks for something in the object that it names, such as its black hole."""
    return bool(target.nouns) and re.search(rf"\b{target.kinds.nouns.thing}\b", target.qualifiers) is not None


def _is_there(name: str, target: QuantityTarget, text: str) -> bool:
    """Return whether a text is about the object that a pattern names; if the question asks for a part of it, the text
    may name the object as a place.
    """
    if not asks_for_part(target):
        return speaks_of(name, target, text)
    return any(not _names_other(target, text[match.end() :]) for match in re.finditer(name, text))


def names_place(target: QuantityTarget, before: str) -> bool:
    """Return whether a name after the words `before` denotes a place: "in the LMC", "on the far side of the LMC". What
    is in or of an object is as far away as the object.
    """
    nouns, near = target.kinds.nouns, before[-40:]
    is_within = target.kind.is_place and _WITHIN.search(near) is not None
    return not is_within and _place_pattern(nouns.thing, nouns.member).search(near) is not None


def speaks_of(name: str, target: QuantityTarget, text: str) -> bool:
    """Return whether a text is about the thing that a pattern names, rather than about something located in it."""
    others = "|".join((*target.names, *target.wide_names))
    return any(
        not (names_place(target, text[: match.start()]) or _OF_THE_KIND.search(text[: match.start()][-40:]))
        and not _names_other(target, re.sub(rf"^[\s-]*(?:{others})", "", text[match.end() :]))
        for match in re.finditer(name, text)
    )


def _names_other(target: QuantityTarget, behind: str) -> bool:
    """Return whether the words after a name turn it into the name of another thing: "Milky Way satellites"."""
    nouns = target.kinds.nouns
    match = _attribute(nouns.thing).match(behind)
    if match is None or nouns.observer.search(match["words"]) or nouns.after_a_name.fullmatch(match["words"]):
        return False
    if any(part.end() == len(match["words"]) for part in nouns.part.finditer(match["words"])):
        return False
    return not target.nouns & content_stems(match["words"])


@cache
def _place_pattern(thing: str, member: str) -> re.Pattern[str]:
    """Compile a pattern for the words before a name that denotes a place, not the subject: "in the LMC", "satellites of
    the Milky Way".
    """
    return re.compile(
        rf"(?:\b(?={thing}\s)[\w -]{{2,14}}s\s(?:of|in|to)|\b(?:in|within|around|near|from|toward|towards|inside"
        r"|orbiting|throughout|across|into|onto|by|with|like|than|behind|between|surrounding|outside|beyond|against"
        r"|sides? of|(?:than|like|to) (?:those|that) of"
        r"|(?:bound|analogous|similar|compared|relative|close|closer|next) (?:to|with)|motion of"
        rf"|{member} (?:of|to|in)))\s(?:the\s|our\s|nearby\s|local\s|its\s)*$"
    )


@cache
def _attribute(thing: str) -> re.Pattern[str]:
    """Compile a pattern for the words after a name that make it the name of something else: "Milky Way satellites"."""
    return re.compile(
        r"(?:['’]s)?[\s-]++(?P<words>(?:(?!(?:is|are|was|were|be|has|have|had|and|or|but|with|in|of|to|at|by|on|for|from|as"
        r"|after|before|during|using|via|through|near|around|that|which|we|the|an?|its|their|can|may|contains?|hosts?"
        rf"|shows?|formed|also)\b)\w++(?:-\w++)*[\s-]++){{0,2}}?{thing})(?!\w)"
    )
