"""Decides whether a paper, or a sentence of it, is about the object of the question: "Stars in the LMC" is not about
the LMC.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pathfinder.assessment.values.measured_sentence import MeasuredSentence
from pathfinder.assessment.values.owner import THING
from pathfinder.assessment.values.subject import names_in, stems_of, without_comparisons
from pathfinder.assessment.values.target import Target

_PLACED = re.compile(
    rf"(?:\b(?={THING}\s)[\w -]{{2,14}}s\s(?:of|in|to)|\b(?:in|within|around|near|from|toward|towards|inside|orbiting"
    r"|throughout|across|into|onto|by|with|like|than|behind|between|surrounding|outside|beyond|against"
    r"|(?:than|like|to) (?:those|that) of"
    r"|(?:bound|analogous|similar|compared|relative|close|closer|next) (?:to|with)|motion of"
    r"|(?:satellite|companion|star|member|cluster|dwarf) (?:of|to|in)))"
    r"\s(?:the\s|our\s|nearby\s|local\s|its\s)*$"
)
"""Words before a name that stands for a place, not for the subject: "in the LMC", "satellites of the Milky Way"."""
_OF_THE_KIND = re.compile(r"(?:\b(?:hot|warm|cold|temperate|super|mini|sub|exo)[\s-]|\()$")
"""Words before a name that stands for a class of things ("hot Jupiter"), and the bracket of an abbreviation."""
_ATTRIBUTE = re.compile(
    r"(?:['’]s)?[\s-]+(?P<words>(?:(?!(?:is|are|was|were|be|has|have|had|and|or|but|with|in|of|to|at|by|on|for|from|as|after"
    r"|before|during|using|via|through|near|around|that|which|we|the|an?|its|their|can|may|contains?|hosts?|shows?"
    r"|formed|also)\b)"
    rf"[\w-]+[\s-]+){{0,2}}?{THING})(?!\w)"
)
"""Words after a name that make it the name of something else: "Milky Way satellites"."""
_SAME = re.compile(
    r"(?:galaxy|cluster|group|system|nebula|cloud|pulsar|magnetar|quasar|planet|comet|asteroid|supernova|remnant|object"
    r"|source|itself)"
)
"""Nouns that may follow a name without naming anything else: "the LMC galaxy"."""
_OBSERVES = re.compile(r"(?:telescope|detector|mission|spacecraft|model|simulation)s?$")
PART = re.compile(
    r"\b(?:(?:stellar|baryonic|gaseous) total"
    r"|dis[ck]|halo|bulge|bar|core|nucleus|corona|(?:photo|chromo|atmo)sphere|envelope|gas|dust|stars|dark matter"
    r"|nuclear star cluster|black hole|host galaxy|surface)(?!\w)"
)
"""Parts of an object; their values are shown with the name of the part."""
_ENDS_IN_PART = re.compile(rf"{PART.pattern}$")
ANAPHOR = re.compile(
    r"(?:its|their|his|her|it|they|them|(?:the|this|that|our)\s(?:[\w-]+\s){0,2}?(?:galaxy|cluster|star|planet|system"
    r"|object|source|pulsar|magnetar|nebula|remnant|binary|quasar|comet|asteroid|moon|body|dwarf|event|merger|burst|universe"
    r"|cosmos|background|same))"
)


@dataclass(frozen=True, slots=True)
class Focus:
    """Record of whether a paper, and the sentences before a value, are about the object of the question."""

    is_paper: bool
    """True if the title says so, or if the paper names nothing else of its sort."""
    is_before: bool
    """True if one of the previous sentences says so, and none after it names something else."""

    def holds_for(self, target: Target, sentence: MeasuredSentence, place: int) -> bool:
        """Return whether a value whose owner its sentence does not name may belong to the object.

        The sentences before count only if no other thing comes between.
        """
        text = without_comparisons(sentence.plain[: sentence.measured[place].start])
        names = (*target.names, *target.wide_names)
        if self.is_paper:
            return True
        if target.wide_names and not _has_nouns(target, text):
            return False
        if names and all(_is_there(name, target, text) for name in names):
            return True
        if not names and target.nouns & stems_of(text):
            return True
        is_interrupted = re.search(rf"\b{THING}(?!\w)", ANAPHOR.sub(" ", text)) or names_in(sentence.plain)
        return self.is_before and not is_interrupted


def focus_of(target: Target, title: str, before: Sequence[str], text: str) -> Focus:
    """Return whether a paper, and the sentences `before` the current one, are about the object of the question.

    If the question names nothing, its nouns must be there; if it asks for things of a kind ("a magnetar"), they
    may be anywhere in the `text`.
    """
    head, *near = (without_comparisons(part) for part in (title, *before))
    names = (*target.names, *target.wide_names)
    if not names:
        close = stems_of(f"{head} {without_comparisons(text)}" if target.is_class else head)
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
            all(_is_there(name, target, part) for name in names) and not any(map(names_in, before[place + 1 :]))
            for place, part in enumerate(near)
        ),
    )


def _has_nouns(target: Target, text: str) -> bool:
    """Return whether a text contains more than half of the question's nouns."""
    nouns = target.nouns - target.landmarks
    return not nouns or 2 * len(nouns & stems_of(text)) > len(nouns)


def is_only_name(target: Target, title: str, text: str) -> bool:
    """Return whether a paper names the object of the question at the start of a sentence, and no other designation."""
    if not target.names or not any(map(str.isdigit, "".join(target.names))):
        return False
    others = [name for name in names_in(f"{title}. {text}") if re.match(r"[A-Z]{2}.*\d|[A-Z]\S*\d", name)]
    is_opening = re.search(rf"(?:^|[.!?] )(?:{target.names[-1]})", text.lower()) is not None
    return is_opening and all(any(re.search(pattern, name.lower()) for pattern in target.names) for name in others)


def asks_for_part(target: Target) -> bool:
    """Return whether the question asks for something in the object that it names, such as its black hole."""
    return bool(target.nouns) and re.search(rf"\b{THING}\b", target.qualifiers) is not None


def _is_there(name: str, target: Target, text: str) -> bool:
    """Return whether a text speaks of the object that a pattern names; if the question asks for a part of it, the text
    may name it as a place.
    """
    if not asks_for_part(target):
        return speaks_of(name, target, text)
    return any(not _names_other(target, text[match.end() :]) for match in re.finditer(name, text))


def speaks_of(name: str, target: Target, text: str) -> bool:
    """Return whether a text speaks of the thing that a pattern names, rather than of something there."""
    others = "|".join((*target.names, *target.wide_names))
    return any(
        not any(pattern.search(text[max(0, match.start() - 40) : match.start()]) for pattern in (_PLACED, _OF_THE_KIND))
        and not _names_other(target, re.sub(rf"^[\s-]*(?:{others})", "", text[match.end() :]))
        for match in re.finditer(name, text)
    )


def _names_other(target: Target, behind: str) -> bool:
    """Return whether the words after a name turn it into that of another thing: "Milky Way satellites"."""
    match = _ATTRIBUTE.match(behind)
    if (
        match is None
        or _OBSERVES.search(match["words"])
        or _SAME.fullmatch(match["words"])
        or _ENDS_IN_PART.search(match["words"])
    ):
        return False
    return not target.nouns & stems_of(match["words"])
