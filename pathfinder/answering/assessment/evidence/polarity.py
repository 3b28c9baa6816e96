"""Denials and directions in a sentence."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from pathfinder.index.words import QUESTION_STOP_WORDS, stems
from pathfinder.text.english import pairs, words

_TOKEN = re.compile(r"[^\W_]+(?:['’]t\b)?|[,;:.()]")

_DENYING = words(
    "no not never none nor neither without cannot lack lacks lacking lacked fail fails failed failing absent absence "
    "unlikely hardly rarely barely nobody nothing unable impossible inconsistent incompatible insufficient"
)
_DENIED = pairs(
    "inconsistent:consistent incompatible:compatible insufficient:sufficient unlikely:likely impossible:possible "
    "unstable:stable unbound:bound unproven:proven undetected:detected unresolved:resolved unrelated:related "
    "unaffected:affected uncorrelated:correlated insensitive:sensitive ineffective:effective inefficient:efficient"
)
"""What an adjective denies. A pattern of prefixes would have "irradiation" deny radiation."""
_DENYING_BACKWARDS = (("ruled", "out"), ("excluded",), ("rejected",), ("refuted",), ("disproved",))
"""Words that negate what comes before them: "clouds are ruled out"."""
_NOT_DENYING = frozenset(
    {("no", "longer"), ("no", "doubt"), ("no", "more")}
    | {("not", word) for word in words("only just merely always necessarily all every fully entirely")}
)
"""Phrases that are not denials, or are only partial ones."""
_ENDS_OF_SCOPE = words(", ; : . ( ) but although while whereas which because since however than")
_NEAREST = 3
"""Number of content words on each side of a direction word that tell what it is about."""
_OF_HEAD = 2
"""Number of words that the word after a direction word counts for, beyond itself, if both have the same."""
_LEAST_ALIKE = 2
"""Number of common words that two direction words need, where a sentence has several of their kind."""
_JOINING = frozenset(words("and or but then"))
"""Words before a second verb, which shares the subject of the first: "increases with mass and decreases with age"."""
_SCOPE = 8
"""Number of content words within reach of a denial; the first is the most strongly denied."""
_FARTHEST = 40
"""Number of words among which these are looked for."""

_UP = words(
    "increase increases increased increasing increasingly rise rises rose risen rising grow grows grew grown growing "
    "gain gains gained enhance enhances enhanced enhancing enhancement boost boosts boosted strengthen strengthens "
    "strengthened climb climbs expand expands expanded amplify amplifies amplified improve improves improved "
    "improving higher larger greater more bigger stronger raise raises raised upward upwards maximise maximize longer "
    "wider thicker promote promotes promoted promoting stimulate stimulates stimulated stimulating trigger triggers "
    "triggered triggering facilitate facilitates facilitated"
)
_DOWN = words(
    "decrease decreases decreased decreasing decline declines declined declining fall falls fell fallen falling drop "
    "drops dropped dropping reduce reduces reduced reducing reduction diminish diminishes diminished shrink shrinks "
    "shrank shrinking weaken weakens weakened suppress suppresses suppressed suppression lower lowers lowered smaller "
    "less fewer weaker worsen worsens worsened downward downwards minimise minimize shorter narrower thinner inhibit "
    "inhibits inhibited impede impedes impeded impeding hinder hinders hindered hamper hampers hampered prevent "
    "prevents prevented preventing impair impairs impaired"
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
    (words("positive positively"), words(
        "negative negatively anticorrelated anticorrelation anticorrelations anticorrelate anticorrelates inversely")),
    (words("well better best superior outperform outperforms outperformed"),
     words("poorly badly worse worst inferior underperform underperforms underperformed")),
    (words("most majority"), words("least minority")),
    (words("rich richer richest"), words("poor poorer poorest")),
    (words("persist persists persisted remains"), words("vanish vanishes vanished disappear disappears disappeared")),
    (words("parallel aligned"), words("orthogonal perpendicular misaligned")),
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
_LIMIT = re.compile(
    r"\b\w+ than (?:about |around |some )?"
    r"(?=\d|half\b|one\b|two\b|three\b|ten\b|an? (?:few|dozen|hundred|thousand|decade|century|year|day|factor)\b)",
    re.IGNORECASE,
)
"""What makes a number a limit: "faster than 2 d" gives no direction."""
_PHRASES = (
    (_LIMIT, " "),
    (re.compile(r"\bspeeds? up\b", re.IGNORECASE), "accelerates"),
    (re.compile(r"\bslow(?:s|ed)? down\b", re.IGNORECASE), "decelerates"),
    (re.compile(r"\blower temperatures?\b", re.IGNORECASE), "cooler"),
    (re.compile(r"\bhigher temperatures?\b", re.IGNORECASE), "hotter"),
    (re.compile(r"\b(?:lower|smaller) (?:luminosit(?:y|ies)|brightness|flux)\b", re.IGNORECASE), "fainter"),
    (re.compile(r"\b(?:higher|larger) (?:luminosit(?:y|ies)|brightness|flux)\b", re.IGNORECASE), "brighter"),
    (_BEYOND, r"\1 not \2"),
    (re.compile(r"\bin the absence of\b", re.IGNORECASE), "without"),
    (re.compile(r"\bruled out\b", re.IGNORECASE), "excluded"),
    (re.compile(r"\brather than\b|\binstead of\b", re.IGNORECASE), "not"),
    (re.compile(r"\blittle (?:to|or) no\b", re.IGNORECASE), "little"),
    (re.compile(r"\bindependent(?:ly)? of\b", re.IGNORECASE), "not depend on"),
    (re.compile(r"\bas well as\b|\bas long as\b|\bmore or less\b|\bup to\b|\bbased on\b", re.IGNORECASE), " "),
    (
        re.compile(r"\b(is|are|was|were|do|does|did|has|have|had|could|would|should|ca|wo)n['’]t\b", re.IGNORECASE),
        r"\1 not",
    ),
)


@dataclass(frozen=True, slots=True)
class Direction:
    """A direction word: "higher", "before"."""

    text: str
    axis: int
    sign: int
    near: frozenset[str]
    """Stems of the words around it."""
    head: str
    """Stem of the word after it: "amplitude" in "lower amplitudes", "age" in "increases with age"; may be empty."""


@dataclass(frozen=True, slots=True)
class Polarity:
    """The denials and the directions of a sentence."""

    denied_stems: frozenset[str]
    affirmed_stems: frozenset[str]
    heads: tuple[tuple[str, ...], ...]
    """For each denial, the stems within its reach, nearest first."""
    directions: tuple[Direction, ...]
    """Direction words, apart from those after "than": "larger for young stars than for older ones" has one."""
    compared: tuple[frozenset[str], frozenset[str]]
    """Stems on both sides of "than" that the other side lacks, those that are denied with a minus sign; else empty."""


def polarity(plain: str) -> Polarity:
    """Find the denials and directions in one sentence."""
    for pattern, simple in _PHRASES:
        plain = pattern.sub(simple, plain)
    tokens = [token.lower() for token in _TOKEN.findall(plain)]
    meanings = [_stem(token) for token in tokens]
    heads = [head for place in range(len(tokens)) if (head := _reach(tokens, meanings, place))]
    denied_words = (_stem(_DENIED[token]) for token in tokens if token in _DENIED)
    heads += [(stem,) for stem in denied_words if stem not in meanings]
    denied_stems = {stem for head in heads for stem in head}
    affirmed_stems = {stem for stem in meanings if stem} - denied_stems
    return Polarity(
        frozenset(denied_stems),
        frozenset(affirmed_stems),
        tuple(heads),
        tuple(_directions(tokens, meanings)),
        _compared(tokens, meanings),
    )


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
    for place in islice(places, _FARTHEST):
        if (tokens[place] in _ENDS_OF_SCOPE and stems_in_reach) or len(stems_in_reach) == _SCOPE:
            break
        if meanings[place]:
            stems_in_reach.append(meanings[place])
    return stems_in_reach


def _directions(tokens: Sequence[str], meanings: Sequence[str]) -> Iterator[Direction]:
    """Yield the direction words that belong to the statement itself, with what is around each in its clause."""
    before: list[str] = []
    is_rest = False
    """True after "than", up to the end of the clause."""
    for place, token in enumerate(tokens):
        is_rest = token == "than" or (is_rest and token not in _ENDS_OF_SCOPE)  # noqa: S105  no password
        if token not in _DIRECTIONS or is_rest:
            continue
        if place == 0 or tokens[place - 1] not in _JOINING:
            before = _stretch(tokens, meanings, range(place - 1, -1, -1))[:_NEAREST]
        ends = (end for end in range(place + 2, len(tokens)) if tokens[end] in _DIRECTIONS)
        behind = _stretch(tokens, meanings, range(place + 1, next(ends, len(tokens))))[:_NEAREST]
        yield Direction(token, *_DIRECTIONS[token], frozenset((*before, *behind)), behind[0] if behind else "")


def _compared(tokens: Sequence[str], meanings: Sequence[str]) -> tuple[frozenset[str], frozenset[str]]:
    if "than" not in tokens:
        return frozenset(), frozenset()
    sides: list[frozenset[str]] = []
    middle = tokens.index("than")
    end = next((place for place in range(middle + 1, len(tokens)) if tokens[place] in _ENDS_OF_SCOPE), len(tokens))
    for places in (range(middle), range(middle + 1, end)):
        denied = {stem for place in places for stem in _reach(tokens, meanings, place)}
        content = {meanings[place] for place in places if meanings[place] and tokens[place] not in _DIRECTIONS}
        sides.append(frozenset(f"-{stem}" if stem in denied else stem for stem in content))
    return sides[0] - sides[1], sides[1] - sides[0]


def denial_conflict(claim: Polarity, source: Polarity) -> str | None:
    """Describe something that one sentence denies and the other asserts; `None` if they agree."""
    for side, other, which in ((claim, source, "text"), (source, claim, "source")):
        for head in side.heads:
            shared_stems = [stem for stem in head if stem in other.affirmed_stems or stem in other.denied_stems]
            if shared_stems and shared_stems[0] in head[:3] and not other.denied_stems & set(shared_stems):
                return f'only the {which} denies something about "{shared_stems[0]}..."'
    return None


def direction_conflict(claim: Polarity, source: Polarity, beside: Sequence[Polarity] = ()) -> str | None:
    """Describe two words that assign opposite directions to the same thing; `None` if there are none.

    Two reversals cancel: "larger for young stars than for old ones" agrees with "smaller for old stars than for young".
    A swap counts alone only if both sentences compare in the same respect. `beside` are other sentences of the source,
    which may agree.
    """
    reversals = [(mine, theirs) for mine in claim.directions if (theirs := _opposite(mine, claim, source, beside))]
    (ours, others), (their_own, theirs_after) = claim.compared, source.compared
    # What both sentences have before "than" says nothing: there, a sentence may have its verb and object as well.
    is_swapped = len(ours & theirs_after) + len(others & their_own) > len(others & theirs_after)
    if (len(reversals) + is_swapped) % 2 == 0:
        return None
    if not reversals:
        if not _compare_alike(claim, source):
            return None
        return "what is compared stands the other way round in the source"
    mine, theirs = reversals[0]
    return f'"{mine.text}" in the text, "{theirs.text}" in the source'


def _compare_alike(claim: Polarity, source: Polarity) -> bool:
    """Return whether two sentences share a direction; "less well" does not share that of "better"."""
    if any(each.text == "less" for each in claim.directions) != any(each.text == "less" for each in source.directions):
        return False
    others, theirs_after = claim.compared[1], source.compared[1]
    return any(
        _is_same_way(mine, theirs)
        # "More", "less" and "longer" stand for any scale: the words themselves must agree, and what they are about.
        and (mine.axis > 0 or mine.text == theirs.text)
        and (
            mine.text not in ("more", "less")
            or mine.head == theirs.head
            or (mine.head in others and theirs.head in theirs_after)
        )
        for mine in claim.directions
        for theirs in source.directions
    )


def _opposite(mine: Direction, claim: Polarity, source: Polarity, beside: Sequence[Polarity]) -> Direction | None:
    """Return the word of the source with the opposite direction that stands among the same words as `mine`, if neither
    of the two has a closer word of its own direction on the other side.
    """
    rivals = [each for each in source.directions if each.axis == mine.axis]
    best = max((each for each in rivals if each.sign != mine.sign), key=lambda each: _alike(mine, each), default=None)
    if best is None:
        return None
    own = [each for each in claim.directions if each.axis == mine.axis]
    same = (
        *(_alike(mine, each) for text in (source, *beside) for each in text.directions if _is_same_way(mine, each)),
        *(_alike(best, each) for each in own if each.sign == best.sign),
    )
    least = 1 if len(rivals) == len(own) == 1 else _LEAST_ALIKE
    return best if _alike(mine, best) >= max(least, 1 + max(same, default=0)) else None


def _is_same_way(mine: Direction, other: Direction) -> bool:
    return (mine.axis, mine.sign) == (other.axis, other.sign)


def _alike(mine: Direction, theirs: Direction) -> int:
    return len(mine.near & theirs.near) + _OF_HEAD * (mine.head == theirs.head != "")
