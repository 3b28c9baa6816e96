"""The quantity that a question asks for."""

import re
from dataclasses import dataclass

from pathfinder.assessment.values.kinds import FieldKinds, QuantityKind, field_kinds
from pathfinder.index.words import QUESTION_STOP_WORDS, stems, words
from pathfinder.profile import Profile
from pathfinder.text.english import BE, DO, HAVE, QUESTION_WORDS, lower
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
    "gives given find found papers paper reported report set change come far away big large strong kind typical mean "
    "average us me".split()
)
LANDMARKS = frozenset({"sun", "earth", "solar", "big", "bang"})
"""Names of things from which distances are measured, or with which values are compared; papers need not repeat them
unless the question names nothing else.
"""
_LANDMARK_NAMES = {
    "sun": r"\bsun\b|\bsolar (?=age|surface|rotation|interior|core|magnetic|photosphere|equator|activity)",
    "solar": r"\bsun\b|\bsolar\b(?! system)",
    "earth": r"\bearth\b|\bour planet\b",
    "big": r"\bbig bang\b",
    "bang": r"\bbig bang\b",
}
"""Patterns for these names in papers."""
_PLURAL = re.compile(r"(?<![us])s$|(?:radii|indices|axes)$")
_CLASS = re.compile(r"\ban?\s+[a-z]|[a-z]{2}(?<![us])s$")
_MOTIONS = frozenset("fast quick rapid rotat spin move mov turn orbit".split())
"""Stems of words in a question that say how something moves, not what moves."""
_PLANET = re.compile(r"\d[\s~]?([b-h])$")
_GALAXIES = (
    (r"large magellanic cloud|\blmc\b", r"\blmc\b|large magellanic"),
    (r"small magellanic cloud|\bsmc\b", r"\bsmc\b|small magellanic"),
    (r"m31|andromeda", r"\bm\s?31\b|andromeda|messier 31"),
    (r"m87", r"\bm\s?87\b|messier 87|ngc 4486\b"),
)
_ALIASES = (
    (
        r"milky way|our galaxy|the galaxy",
        r"milky[ -]way(?![ -](?:mass|like|sized?|type|analog))|\bmw\b(?!-)|our (?:own )?galaxy|the galaxy\b|galactic",
    ),
    (r"universe", r"universe|cosmic|cosmolog\w+|expansion|hubble"),
    (
        r"cosmic microwave background|cmb",
        r"\bcmb\b|background|primeval|relic|excess|planck's law|\bcn\b",
    ),
    *_GALAXIES,
    (r"solar system", r"\bsolar[ -]system\b"),
    (r"sagittarius a\*|sgr a\*", r"sagittarius a|sgr\s?a"),
    (r"(?:pinwheel galaxy )?m101|pinwheel galaxy", r"\bm\s?101\b|pinwheel|messier 101"),
    (r"betelgeuse", r"betelgeuse|α orionis|alpha orionis"),
    (
        r"galactic cent(?:re|er)",
        r"galactic cent(?:re|er)|cent(?:re|er) of (?:the|our) galaxy|to the cent(?:re|er)",
    ),
)
"""Patterns for names in questions, each with the pattern for the same thing in papers, in lower case."""
_WIDE = frozenset(own for name, own in _ALIASES if name.startswith(("milky", "galactic", "universe", "cosmic")))


@dataclass(frozen=True, slots=True)
class Target:
    """The quantity that a question asks for, and the object to which it should belong."""

    kind: QuantityKind
    kinds: FieldKinds
    """All kinds of quantities that papers of the field may name."""
    names: tuple[str, ...]
    """Patterns, in lower case, each of which a paper must match: "ngc[\\s-]*4258"."""
    wide_names: tuple[str, ...]
    """Patterns for names, such as that of the Milky Way, that also occur in many texts that are not about the object
    itself.
    """
    nouns: frozenset[str]
    """Stems of the other words of the question that say what the value belongs to."""
    planet: str | None
    """Letter of the planet that the question names: "c" for TOI-2015c."""
    qualifiers: str
    """The question in lower case, in which a word such as "orbital" or "stellar" narrows the kind."""
    is_for_today: bool
    """True if the question asks for today's value."""
    is_plural: bool
    """True if the question asks for several values: "masses"."""
    is_class: bool
    """True if it asks for things of a kind, "a magnetar" or "gamma-ray bursts", rather than for a single thing."""
    limit: str | None
    """"upper" or "lower" if the question asks for a limit."""

    @property
    def puts_newest_first(self) -> bool:
        """True if the newest values are to be shown first."""
        return self.is_for_today or self.kind.is_universal


def target_quantity(question: str, profile: Profile | None = None) -> Target | None:
    """Return the quantity that `question` asks for; `None` if it names no kind of quantity that is known.

    `profile` is that of the corpus, by default the one for astronomy.
    """
    kinds = field_kinds(profile)
    plain = " ".join(plain_text(question).split())
    mention = _kind(plain, kinds)
    if mention is None:
        return None
    kind, (start, end) = mention
    rest = f"{plain[:start]} {plain[end:]}"
    aliases = [paper for question_name, paper in _ALIASES if re.search(question_name, rest, re.IGNORECASE)]
    covered = re.sub("|".join(question_name for question_name, _ in _ALIASES), " ", rest, flags=re.IGNORECASE)
    names = _names(covered)
    objects = [name for name in names if name.lower() not in LANDMARKS]
    planets = [match[1] for name in objects if (match := _PLANET.search(name))]
    landmarks = LANDMARKS & {name.lower() for name in names}
    bare = " ".join([_NAME.sub(" ", covered[:1].lower() + covered[1:]), plain[start:end], *landmarks])
    subjects = [word for word in words(bare) if word not in _NO_SUBJECT and not _is_of_kind(word, kind)]
    nouns = frozenset(stems(subjects, QUESTION_STOP_WORDS))
    if not kind.is_universal and not aliases and not objects and nouns - _MOTIONS <= landmarks:
        aliases, nouns = sorted({_LANDMARK_NAMES[name] for name in landmarks}), nouns - landmarks
    own_names = () if kind.is_universal else (*aliases, *map(_name_pattern, objects))
    limit = "upper" if _UPPER.search(plain) else "lower" if _LOWER.search(plain) else None
    return Target(
        kind=kind,
        kinds=kinds,
        names=tuple(name for name in own_names if name not in _WIDE),
        wide_names=tuple(name for name in own_names if name in _WIDE),
        nouns=nouns,
        planet=planets[0] if planets else None,
        qualifiers=plain.lower(),
        is_for_today=_TODAY.search(plain) is not None,
        is_plural=_PLURAL.search(plain[start:end]) is not None,
        is_class=not own_names and _CLASS.search(rest.strip(" ?.")) is not None,
        limit=limit,
    )


def mentions_other(target: Target, text: str) -> bool:
    """Return whether a text in lower case names a well-known thing other than that of the question: the Milky Way, not
    the LMC.
    """
    own = {*target.names, *target.wide_names}
    return any(paper not in own and re.search(rf"\b(?:{name}|mw)\b", text) for name, paper in _ALIASES[:1] + _GALAXIES)


def _kind(plain: str, kinds: FieldKinds) -> tuple[QuantityKind, tuple[int, int]] | None:
    named = [(kind, (start, end)) for start, end, kind in kinds.named_in(plain)]
    own = next((pair for pair in named if pair[0].is_named), None)
    if own:
        return own  # "How large is the tensor-to-scalar ratio?" does not ask for a radius
    for kind in kinds.kinds:
        if match := re.search(kind.questions, plain, re.IGNORECASE):
            return kind, match.span()
    return next(iter(named), None)


def _is_of_kind(word: str, kind: QuantityKind) -> bool:
    """Return whether a word of the question is a name of the kind, or does not say what the value belongs to."""
    is_name = re.fullmatch(kind.words, word, re.IGNORECASE) or word in kind.name.lower().split()
    return word.isdigit() or bool(is_name) or (kind.is_universal and word == "universe")


def _names(plain: str) -> list[str]:
    """Return the proper names and designations in a question, ignoring its first word."""
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
