"""Denials and directions in a sentence."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pathfinder.index.words import QUESTION_STOP_WORDS, stems
from pathfinder.text.english import pairs, words

_TOKEN = re.compile(r"[^\W_]+(?:['’]t\b)?|[,;:.()]")

_DENYING = words(
    "no not never none nor neither without cannot lack lacks lacking lacked fail fails failed failing absent absence "
    "unlikely hardly rarely barely nobody nothing unable impossible inconsistent incompatible insufficient"
)
_DENYING_BACKWARDS = (("ruled", "out"), ("excluded",), ("rejected",), ("refuted",), ("disproved",))
"""Words that negate what comes before them: "clouds are ruled out"."""
_NOT_DENYING = frozenset(
    {("no", "longer"), ("no", "doubt"), ("no", "more")}
    | {("not", word) for word in words("only just merely always necessarily all every fully entirely")}
)
"""Phrases that are not denials, or are only partial ones."""
_ENDS_OF_SCOPE = words(", ; : . ( ) but although while whereas which because since however than")
_SCOPE = 8
"""Number of content words within reach of a denial; the first is the most strongly denied."""

_UP = words(
    "increase increases increased increasing increasingly rise rises rose risen rising grow grows grew grown growing "
    "gain gains gained enhance enhances enhanced enhancing enhancement boost boosts boosted strengthen strengthens "
    "strengthened climb climbs expand expands expanded amplify amplifies amplified improve improves improved "
    "improving higher larger greater more bigger stronger raise raises raised upward upwards maximise maximize longer "
    "wider thicker"
)
_DOWN = words(
    "decrease decreases decreased decreasing decline declines declined declining fall falls fell fallen falling drop "
    "drops dropped dropping reduce reduces reduced reducing reduction diminish diminishes diminished shrink shrinks "
    "shrank shrinking weaken weakens weakened suppress suppresses suppressed suppression lower lowers lowered smaller "
    "less fewer weaker worsen worsens worsened downward downwards minimise minimize shorter narrower thinner inhibit "
    "inhibits inhibited"
)
_SIDES = (
    (_UP, _DOWN),
    (words("high highest"), words("low lowest")),
    (words("large largest"), words("small smallest")),
    (words("strong strongest strongly"), words("weak weakest weakly")),
    (words("faster fast quickly rapidly quicker"), words("slower slow slowly")),
    (words("accelerate accelerates accelerated accelerating"), words("decelerate decelerates slows slowed")),
    (words("brighter brightens brighten brightest"), words("fainter dimmer fades fade faintest")),
    (words("hotter warmer hottest heats heated heating"), words("cooler colder coldest cools cooled cooling")),
    (words("after later subsequent following follows"), words("before earlier prior preceding precedes")),
    (words("older oldest"), words("younger youngest")),
    (words("closer nearer nearest closest"), words("farther further farthest distant")),
    (words("inward inwards inside inner infall"), words("outward outwards outside outer outflow")),
    (words("front"), words("behind")),
    (words("above exceeds exceed exceeding"), words("below")),
    (words("positive positively"), words("negative negatively anticorrelated inversely")),
    (words("better best superior outperform outperforms outperformed"),
     words("worse worst inferior underperform underperforms underperformed")),
    (words("most majority"), words("least minority")),
    (words("hardens harder hardening"), words("softens softer softening")),
    (words("redder reddens"), words("bluer")),
    (words("denser"), words("sparser")),
    (words("steeper steepens"), words("flatter shallower flattens")),
    (words("easy easier easily simpler"), words("difficult challenging")),
    (words("often frequently common"), words("rare rarely seldom uncommon")),
)  # fmt: skip
"""Pairs of word lists with opposite directions; a word in two pairs counts for the first."""
_DIRECTIONS = {
    word: (axis, sign)
    for axis, sides in reversed(list(enumerate(_SIDES)))
    for sign, side in zip((1, -1), sides, strict=True)
    for word in side
}
OPPOSITES = {
    **pairs("increases:decreases increased:decreased increase:decrease increasing:decreasing rises:falls rise:fall"),
    **pairs("higher:lower larger:smaller greater:less more:less stronger:weaker faster:slower longer:shorter"),
    **pairs("enhances:reduces enhanced:reduced enhance:reduce improves:worsens improved:worsened before:after"),
    **pairs("above:below positive:negative better:worse high:low large:small outperforms:underperforms"),
}
OPPOSITES = {**OPPOSITES, **{down: up for up, down in OPPOSITES.items()}}
"""Opposite of each direction word, for reversing a sentence."""

_BEYOND = re.compile(
    r"\b((?:more|less|larger|smaller|higher|lower|greater|faster|slower) than [^,;.]{1,60}?)\b"
    r"(explains?|predicts?|accounts? for|expects?|allows?)\b",
    re.IGNORECASE,
)
"""Denials of the form "more than X can explain": X does not explain it."""
_PHRASES = (
    (re.compile(r"\bspeeds? up\b", re.IGNORECASE), "accelerates"),
    (re.compile(r"\bslow(?:s|ed)? down\b", re.IGNORECASE), "decelerates"),
    (re.compile(r"\blower temperatures?\b", re.IGNORECASE), "cooler"),
    (re.compile(r"\bhigher temperatures?\b", re.IGNORECASE), "hotter"),
    (re.compile(r"\b(?:lower|smaller) (?:luminosit(?:y|ies)|brightness|flux)\b", re.IGNORECASE), "fainter"),
    (re.compile(r"\b(?:higher|larger) (?:luminosit(?:y|ies)|brightness|flux)\b", re.IGNORECASE), "brighter"),
    (_BEYOND, r"\1 not \2"),
    (re.compile(r"\bin the absence of\b", re.IGNORECASE), "without"),
    (re.compile(r"\bruled out\b", re.IGNORECASE), "excluded"),
    (re.compile(r"\bas well as\b|\bas long as\b|\bmore or less\b|\bup to\b|\bbased on\b", re.IGNORECASE), " "),
    (
        re.compile(r"\b(is|are|was|were|do|does|did|has|have|had|could|would|should|ca|wo)n['’]t\b", re.IGNORECASE),
        r"\1 not",
    ),
)


@dataclass(frozen=True, slots=True)
class Word:
    """A content word."""

    stem: str
    is_denied: bool
    place: int
    """Index among the words of its sentence."""


@dataclass(frozen=True, slots=True)
class Direction:
    """A direction word: "higher", "before"."""

    text: str
    axis: int
    sign: int
    near: frozenset[str]
    """Stems of the words around it."""


@dataclass(frozen=True, slots=True)
class Polarity:
    """The denials and the directions of a sentence."""

    denied_stems: frozenset[str]
    affirmed_stems: frozenset[str]
    heads: tuple[tuple[str, ...], ...]
    """For each denial, the stems within its reach, nearest first."""
    directions: tuple[Direction, ...]


def polarity(plain: str) -> Polarity:
    """Find the denials and directions in one sentence."""
    for pattern, simple in _PHRASES:
        plain = pattern.sub(simple, plain)
    tokens = [token.lower() for token in _TOKEN.findall(plain)]
    meanings = [_stem(token) for token in tokens]
    heads = [head for place in range(len(tokens)) if (head := _reach(tokens, meanings, place))]
    denied_stems = {stem for head in heads for stem in head}
    affirmed_stems = {stem for stem in meanings if stem} - denied_stems
    directions = [
        Direction(token, *_DIRECTIONS[token], _around(meanings, place))
        for place, token in enumerate(tokens)
        if token in _DIRECTIONS
    ]
    return Polarity(frozenset(denied_stems), frozenset(affirmed_stems), tuple(heads), tuple(directions))


def _stem(token: str) -> str:
    """Return the stem of a content word, or an empty text for other words and for words that only deny."""
    if not token[0].isalnum() or token in QUESTION_STOP_WORDS or token in _DENYING or len(token) < 2:
        return ""
    (stem,) = stems([token], frozenset()) or ("",)
    return stem


def _reach(tokens: Sequence[str], meanings: Sequence[str], place: int) -> tuple[str, ...]:
    """Return the stems within reach of a denial at `place`; none if there is no denial."""
    if (tokens[place],) in _DENYING_BACKWARDS:
        return tuple(_stretch(tokens, meanings, range(place - 1, -1, -1)))
    if tokens[place] not in _DENYING or tuple(tokens[place : place + 2]) in _NOT_DENYING:
        return ()
    return tuple(_stretch(tokens, meanings, range(place + 1, len(tokens))))


def _stretch(tokens: Sequence[str], meanings: Sequence[str], places: Iterable[int]) -> list[str]:
    stems_in_reach: list[str] = []
    for place in places:
        if (tokens[place] in _ENDS_OF_SCOPE and stems_in_reach) or len(stems_in_reach) == _SCOPE:
            break
        if meanings[place]:
            stems_in_reach.append(meanings[place])
    return stems_in_reach


def _around(meanings: Sequence[str], place: int) -> frozenset[str]:
    before = [stem for stem in meanings[max(0, place - 8) : place] if stem][-3:]
    behind = [stem for stem in meanings[place + 1 : place + 9] if stem][:3]
    return frozenset((*before, *behind))


def denial_conflict(claim: Polarity, source: Polarity) -> str | None:
    """Describe something that one sentence denies and the other asserts; `None` if they agree."""
    for side, other, which in ((claim, source, "text"), (source, claim, "source")):
        for head in side.heads:
            shared_stems = [stem for stem in head if stem in other.affirmed_stems or stem in other.denied_stems]
            if shared_stems and shared_stems[0] in head[:3] and not other.denied_stems & set(shared_stems):
                return f'only the {which} denies something about "{shared_stems[0]}..."'
    return None


def direction_conflict(claim: Polarity, source: Polarity) -> str | None:
    """Describe two words that assign opposite directions to the same thing; `None` if there are none."""
    for mine in claim.directions:
        rivals = [theirs for theirs in source.directions if theirs.axis == mine.axis]
        goes_both_ways = any(other.axis == mine.axis and other.sign != mine.sign for other in claim.directions)
        if not rivals or goes_both_ways or any(theirs.sign == mine.sign for theirs in rivals):
            continue
        best = max(rivals, key=lambda theirs: len(theirs.near & mine.near))
        if best.near & mine.near:
            return f'"{mine.text}" in the text, "{best.text}" in the source'
    return None
