"""Decides whether a paper, or one of its sentences, is about the object of the question: "Stars in the LMC" is not
about the LMC.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from pathfinder.assessment.values.measured_sentence import MeasuredSentence
from pathfinder.assessment.values.subject import names_in, stems_of, without_comparisons
from pathfinder.assessment.values.target import QuantityTarget

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
        if not names and target.nouns & stems_of(text):
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
        close = stems_of(f"{head} {without_comparisons(text, nouns)}" if target.is_class else head)
        return Focus(not target.nouns or bool(target.nouns & close), bool(target.nouns & stems_of(" ".join(near))))
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
    return not nouns or 2 * len(nouns & stems_of(text)) > len(nouns)


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


def speaks_of(name: str, target: QuantityTarget, text: str) -> bool:
    """Return whether a text is about the thing that a pattern names, rather than about something located in it."""
    others, nouns = "|".join((*target.names, *target.wide_names)), target.kinds.nouns
    place_pattern = _place_pattern(nouns.thing, nouns.member)
    return any(
        not any(
            pattern.search(text[max(0, match.start() - 40) : match.start()])
            for pattern in (place_pattern, _OF_THE_KIND)
        )
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
    return not target.nouns & stems_of(match["words"])


@cache
def _place_pattern(thing: str, member: str) -> re.Pattern[str]:
    """Compile a pattern for the words before a name that denotes a place, not the subject: "in the LMC", "satellites of
    the Milky Way".
    """
    return re.compile(
        rf"(?:\b(?={thing}\s)[\w -]{{2,14}}s\s(?:of|in|to)|\b(?:in|within|around|near|from|toward|towards|inside"
        r"|orbiting|throughout|across|into|onto|by|with|like|than|behind|between|surrounding|outside|beyond|against"
        r"|(?:than|like|to) (?:those|that) of"
        r"|(?:bound|analogous|similar|compared|relative|close|closer|next) (?:to|with)|motion of"
        rf"|{member} (?:of|to|in)))\s(?:the\s|our\s|nearby\s|local\s|its\s)*$"
    )


@cache
def _attribute(thing: str) -> re.Pattern[str]:
    """Compile a pattern for the words after a name that make it the name of something else: "Milky Way satellites"."""
    return re.compile(
        r"(?:['’]s)?[\s-]+(?P<words>(?:(?!(?:is|are|was|were|be|has|have|had|and|or|but|with|in|of|to|at|by|on|for|from|as"
        r"|after|before|during|using|via|through|near|around|that|which|we|the|an?|its|their|can|may|contains?|hosts?"
        rf"|shows?|formed|also)\b)[\w-]+[\s-]+){{0,2}}?{thing})(?!\w)"
    )
