"""Groups the lines of a digest under phrases that their papers share."""

from collections.abc import Sequence, Set

from pathfinder.answering.digest.lines import Excerpt
from pathfinder.answering.digest.predictors import content_stems
from pathfinder.index.words import QUESTION_STOP_WORDS, stems, words
from pathfinder.profile import Profile, astronomy
from pathfinder.text.author_names import parse_name
from pathfinder.text.languages import ENGLISH
from pathfinder.text.quantities.unit_table import EVERYDAY_UNITS
from pathfinder.types import Paper

FEWEST_LINES = 4
"""Minimum number of lines for grouping."""

OTHERS = "Further findings"
"""Heading for the lines that share no phrase with others."""

WORDS_OF_A_PHRASE = range(2, 4)
"""Permitted number of words in a heading: a single word, such as "mass" or "star", says too little."""

SAME_BEGINNING = 4
"""Number of initial letters that two stems must share for a heading to count as repeating a word of the question:
"form" and "format", "explos" and "explod".
"""

_NO_HEADING = frozenset(
    stems(
        [
            *words(
                "new old other same different various several many few first second last recent early late large small "
                "high low great good best main possible present current future single whole such own certain similar "
                "young bright faint strong weak total mass masses light times number numbers per cent level kind kinds "
                "type types part parts way ways thing side constant object objects system systems source sources model "
                "models method methods result results data paper papers author authors team work study question case "
                "example value values observation observations order sample"
            ),
            *EVERYDAY_UNITS,
            *ENGLISH.scales,
        ],
        frozenset(),
    )
)
"""Stems that name nothing on their own: a heading needs at least two words, and at least one whose stem is neither in
this list nor in the field's own.
"""

_UNITS = frozenset(stems([*words("mass masses radius radii units"), *EVERYDAY_UNITS], frozenset()))
"""Stems that must not end a heading: "Jupiter masses" and "Earth radii" are units."""


def headings_of(question: str, lines: Sequence[Excerpt], profile: Profile | None = None) -> list[str | None]:
    """Return a heading for each of `lines`; `None` for a line without one, and for every line if there are fewer than
    `FEWEST_LINES` lines or papers.

    A heading is a phrase that some lines share, but not all of them: a keyword of one of the papers, or the last words
    of a keyword. At least one paper must have it word for word in its sentence or title, and another must have it there
    or as a keyword from elsewhere in its abstract. The phrase that covers the most lines is used first; if two cover
    equally many, the longer one wins.
    """
    papers = {line.paper.paper_id for line in lines}
    if len(lines) < FEWEST_LINES or len(papers) < FEWEST_LINES:
        return [None] * len(lines)
    texts = [(_stems(line.paper.title), _stems(line.sentence), *_own_keywords(line.paper)) for line in lines]
    phrases = _phrases(question, lines, _no_heading(profile or astronomy()))
    headings: list[str | None] = [None] * len(lines)
    while True:
        free = [place for place, heading in enumerate(headings) if heading is None]
        covers = {
            stems_of: places
            for stems_of in phrases
            if 1 < len(places := [p for p in free if any(_contains(text, stems_of) for text in texts[p])]) < len(lines)
            and len({lines[place].paper.paper_id for place in places}) > 1
            and any(_contains(text, stems_of) for place in places for text in texts[place][:2])
        }
        if not covers:
            break
        best = max(covers, key=lambda stems_of: (len(covers[stems_of]), len(stems_of)))
        for place in covers[best]:
            headings[place] = phrases[best]
    return headings


def _own_keywords(paper: Paper) -> list[tuple[str, ...]]:
    """Return the stems of those keywords of a paper that occur word for word in its abstract."""
    abstract = _stems(paper.abstract)
    return [keyword for keyword in map(_stems, paper.keywords) if _contains(abstract, keyword)]


def _no_heading(profile: Profile) -> frozenset[str]:
    """Return the stems that name nothing on their own in a field."""
    return _NO_HEADING.union(stems(words(" ".join(profile.names.common)), frozenset()))


def _phrases(question: str, lines: Sequence[Excerpt], no_heading: Set[str]) -> dict[tuple[str, ...], str]:
    """Map the stems of each phrase that could be a heading to the phrase; leave out authors' names, and phrases that
    only repeat the question.
    """
    asked_stems = {stem[:SAME_BEGINNING] for stem in content_stems(question)}
    surnames = {parse_name(author).last for line in lines for author in line.paper.authors}
    phrases: dict[tuple[str, ...], str] = {}
    for line in lines:
        for keyword in line.paper.keywords:
            words = keyword.split()
            for size in range(min(len(words), WORDS_OF_A_PHRASE[-1]), WORDS_OF_A_PHRASE[0] - 1, -1):
                phrase = " ".join(words[-size:])
                stems_of = _stems(phrase)
                if (
                    words[-1] not in surnames
                    and len(stems_of) >= size
                    and _says_something(stems_of, asked_stems, no_heading)
                ):
                    phrases.setdefault(stems_of, phrase[:1].upper() + phrase[1:])
    return phrases


def _says_something(stems_of: Sequence[str], asked_stems: Set[str], no_heading: Set[str]) -> bool:
    own = [stem for stem in stems_of if stem not in no_heading and stem[:SAME_BEGINNING] not in asked_stems]
    return bool(own) and stems_of[-1] not in _UNITS and not any(stem.isdigit() for stem in stems_of)


def _stems(text: str) -> tuple[str, ...]:
    return tuple(stems(words(text), QUESTION_STOP_WORDS))


def _contains(text: Sequence[str], phrase: Sequence[str]) -> bool:
    """Return whether `text` contains the words of `phrase` one after another."""
    return any(tuple(text[n : n + len(phrase)]) == tuple(phrase) for n in range(len(text) - len(phrase) + 1))


def order_by_group(headings: Sequence[str | None]) -> list[int]:
    """Return the positions of the lines in the order in which they are shown: each group takes the place of its first
    line, and lines without a shared phrase come last. The first line stays first.
    """
    order = list(dict.fromkeys(heading for heading in headings if heading is not None))
    ranks = {heading: rank for rank, heading in enumerate([*order, None])}
    return sorted(range(len(headings)), key=lambda place: (place > 0, ranks[headings[place]], place))
