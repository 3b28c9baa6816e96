"""The quantity that a question asks for."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pathfinder.answering.assessment.values.kinds import FieldKinds, QuantityKind, field_kinds
from pathfinder.index.words import QUESTION_STOP_WORDS, content_stems, stems, words
from pathfinder.profile import Profile, astronomy
from pathfinder.profile.profile import Alias
from pathfinder.text.english import BE, DO, HAVE, PREPOSITIONS, QUESTION_WORDS, any_of, lower
from pathfinder.text.latex.search_text import plain_text
from pathfinder.text.spelling import without_possessive

_TODAY = re.compile(
    r"\b(?:today|now|nowadays|current(?:ly)?|latest|newest|recent(?:ly)?|present(?:ly)?|up[- ]to[- ]date|this year)\b",
    re.IGNORECASE,
)
_UPPER = re.compile(r"\bupper (?:limit|bound)s?\b|\bat most\b|\bmaxim(?:um|al)\b", re.IGNORECASE)
_LOWER = re.compile(r"\blower (?:limit|bound)s?\b|\bat least\b|\bminim(?:um|al)\b", re.IGNORECASE)
_NAME = re.compile(
    r"(?<![\w-])(?:[A-Z][\w'’*.+/-]*[\w*+]|\d+[A-Z][\w/-]*\w|\d[A-Z](?=\s\d))(?:\s\d[\w.+-]*\w)?(?:\s[b-hA-D](?!\w))?"
)
_QUESTION_WORDS = lower((*QUESTION_WORDS, *BE, *DO, *HAVE, *"can give the an at in of for".split()))
_NO_SUBJECT = frozenset(
    "value values parameter parameters limit limits upper lower bound bounds today now current currently latest newest "
    "recent present exactly approximately measured measurement measurements measure known best estimate estimates give "
    "gives given get gets find found papers paper reported report set change come far away big large strong kind "
    "typical mean average us me".split()
)
_DEGREE = re.compile(r"^how [\w-]+$", re.IGNORECASE)
"""The mention of a quantity that only says its degree, and not what it belongs to: "how common"."""
_PLURAL = re.compile(r"(?<![us])s$|(?:radii|indices|axes)$")
_CLASS = re.compile(r"\ban?\s+[a-z]|[a-z]{2}(?<![us])s$")
_OWNER = re.compile(
    rf"\b(?:of|for|with|after|on|under|by)\s+(?P<phrase>(?:(?!(?:{any_of(PREPOSITIONS)}|after|under|among|during)\b)"
    r"[\w-]+\s*)+)",
    re.IGNORECASE,
)
_COMPARED = re.compile(r"\b(?:compared|versus|vs|relative|rather|than)\b", re.IGNORECASE)
_MOTIONS = frozenset("fast quick rapid rotat spin move mov turn orbit".split())
"""Stems of words in a question that say how something moves rather than what moves."""
_PLANET = re.compile(r"\d[\s~]?([b-h])$")


@dataclass(frozen=True, slots=True)
class QuantityTarget:
    """The quantity that a question asks for, and the object to which it should belong."""

    kind: QuantityKind
    kinds: FieldKinds
    """All kinds of quantities that papers in the field may name."""
    names: tuple[str, ...]
    """Patterns, in lower case, each of which a paper must match: "ngc[\\s-]*4258"."""
    wide_names: tuple[str, ...]
    """Patterns for names, such as that of the Milky Way, that also occur in many texts that are not about the object
    itself.
    """
    nouns: frozenset[str]
    """Stems of the other words in the question that say what the value belongs to."""
    owners: tuple[str, ...]
    """Phrases after the name of the quantity that say of what or with what, if the question names no object and has two
    nouns: "death" and "amlodipine" in "the hazard ratio of death with amlodipine in heart failure".
    """
    planet: str | None
    """Letter of the planet that the question names: "c" for TOI-2015c."""
    qualifiers: str
    """The question in lower case, in which a word such as "orbital" or "stellar" narrows the kind."""
    is_for_today: bool
    """True if the question asks for the present value."""
    is_plural: bool
    """True if the question asks for several values: "masses"."""
    is_class: bool
    """True if the question is about a kind of thing, such as "a magnetar" or "gamma-ray bursts", and not a single
    object.
    """
    limit: str | None
    """"upper" or "lower" if the question asks for a limit."""
    landmarks: frozenset[str] = frozenset()
    """Names of the field's landmarks; papers need not repeat them unless the question names nothing else."""
    aliases: tuple[Alias, ...] = ()
    """Things that questions and papers in the field call by different names."""

    @property
    def puts_newest_first(self) -> bool:
        """True if the newest values are to be shown first."""
        return self.is_for_today or self.kind.is_universal


def target_quantity(question: str, profile: Profile | None = None) -> QuantityTarget | None:
    """Return the quantity that `question` asks for; `None` if it names no known kind of quantity.

    `profile` is that of the corpus, by default the one for astronomy.
    """
    profile, kinds = profile or astronomy(), field_kinds(profile)
    plain = " ".join(plain_text(question).split())
    kind_named = _kind(plain, kinds)
    if kind_named is None:
        return None
    kind, (start, end) = kind_named
    rest = f"{plain[:start]} {plain[end:]}"
    aliases = [alias.in_papers for alias in profile.aliases if re.search(alias.in_questions, rest, re.IGNORECASE)]
    patterns = "|".join(alias.in_questions for alias in profile.aliases)
    without_aliases = re.sub(patterns, " ", rest, flags=re.IGNORECASE) if patterns else rest
    marks, wide = (
        {landmark.word: landmark.in_papers for landmark in profile.landmarks},
        {alias.in_papers for alias in profile.aliases if alias.is_wide},
    )
    names = _names(without_aliases)
    objects = [name for name in names if name.lower() not in marks]
    planets = [match[1] for name in objects if (match := _PLANET.search(name))]
    landmarks = marks.keys() & {name.lower() for name in names}
    mention = _DEGREE.sub("", plain[start:end])
    bare = " ".join([_NAME.sub(" ", without_aliases[:1].lower() + without_aliases[1:]), mention, *landmarks])
    subjects = [word for word in words(bare) if word not in _NO_SUBJECT and not _is_of_kind(word, kind)]
    nouns = frozenset(stems(subjects, QUESTION_STOP_WORDS))
    if not kind.is_universal and not aliases and not objects and nouns - _MOTIONS <= landmarks:
        aliases, nouns = sorted({marks[name] for name in landmarks}), nouns - landmarks
    own_names = () if kind.is_universal else (*aliases, *map(_name_pattern, objects))
    return QuantityTarget(
        kind=kind,
        kinds=kinds,
        names=tuple(name for name in own_names if name not in wide),
        wide_names=tuple(name for name in own_names if name in wide),
        nouns=nouns,
        owners=()
        if own_names or kind.is_universal or len(nouns) < 2
        else tuple(owner for owner in _owners(plain[end:]) if nouns & content_stems(owner)),
        planet=planets[0] if planets else None,
        qualifiers=plain.lower(),
        is_for_today=_TODAY.search(plain) is not None,
        is_plural=_PLURAL.search(plain[start:end]) is not None,
        is_class=not own_names and _CLASS.search(rest.strip(" ?.")) is not None,
        limit="upper" if _UPPER.search(plain) else "lower" if _LOWER.search(plain) else None,
        landmarks=frozenset(marks),
        aliases=profile.aliases,
    )


def _owners(behind: str) -> Iterator[str]:
    """Yield each phrase behind the name of a quantity that says of what or with what it was measured."""
    for match in _OWNER.finditer(_COMPARED.split(behind)[0]):
        yield match["phrase"].strip()


def mentions_other(target: QuantityTarget, text: str) -> bool:
    """Return whether a text in lower case names a well-known thing other than the one in the question: the Milky Way
    instead of the LMC.
    """
    own = {*target.names, *target.wide_names}
    return any(
        alias.mistaken_for and alias.in_papers not in own and re.search(rf"\b(?:{alias.mistaken_for})\b", text)
        for alias in target.aliases
    )


def _kind(plain: str, kinds: FieldKinds) -> tuple[QuantityKind, tuple[int, int]] | None:
    spans = [(kind, (start, end)) for start, end, kind in kinds.named_in(plain)]
    own = next((pair for pair in spans if pair[0].is_named), None)
    if own:
        return own  # "How large is the tensor-to-scalar ratio?" does not ask for a radius
    for kind in kinds.kinds:
        if match := re.search(kind.questions, plain, re.IGNORECASE):
            return kind, match.span()
    return next(iter(spans), None)


def _is_of_kind(word: str, kind: QuantityKind) -> bool:
    """Return whether a word in the question names the kind of quantity, or for another reason does not say what the
    value belongs to.
    """
    is_name = re.fullmatch(kind.words, word, re.IGNORECASE) or word in kind.name.lower().split()
    return word.isdigit() or bool(is_name) or (kind.is_universal and word == "universe")


def _names(plain: str) -> list[str]:
    """Return the proper names and designations in a question, ignoring capitalised question words."""
    names = []
    for match in _NAME.finditer(plain):
        name = without_possessive(match[0])
        if name.lower() not in _QUESTION_WORDS and len(name) > 1:
            names.append(name)
    return names


def _name_pattern(name: str) -> str:
    parts = re.split(r"[\s_–-]+", _PLANET.sub(lambda match: match[0][:1], name).lower())
    end = r"(?!\d)" if parts[-1][-1:].isdigit() else r"(?!\w)"
    return r"(?<!\w)" + r"[\s_~–-]*".join(re.escape(part) for part in parts) + end
