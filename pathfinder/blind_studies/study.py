"""A blind study: readers say which answer or ranking of each pair is better, without knowing who made which."""

import datetime
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from pathfinder.errors import UsageError

MOST_CHARACTERS = 60
"""Maximum length of the name of a study or a reader."""


class PairKind(StrEnum):
    """Kinds of things that are compared."""

    ANSWERS = "answers"
    RANKINGS = "rankings"


class Criterion(StrEnum):
    """Questions about a pair, like those that experts were asked about answers in arXiv:2411.14199."""

    ORGANISATION = "organisation"
    COVERAGE = "coverage"
    RELEVANCE = "relevance"
    USEFULNESS = "usefulness"
    OVERALL = "overall"


CRITERIA = {
    PairKind.ANSWERS: tuple(Criterion),
    PairKind.RANKINGS: (Criterion.COVERAGE, Criterion.RELEVANCE, Criterion.USEFULNESS, Criterion.OVERALL),
}
"""Criteria for each kind of thing that is compared: a list of papers has no organisation."""

EXPLANATIONS = {
    Criterion.ORGANISATION: "Which is better organised?",
    Criterion.COVERAGE: "Which covers more of what matters?",
    Criterion.RELEVANCE: "Which stays closer to the question?",
    Criterion.USEFULNESS: "Which would help you more?",
    Criterion.OVERALL: "Which is better overall?",
}


class Pick(StrEnum):
    """The better of two, regardless of which was shown first."""

    FIRST = "first"
    SAME = "same"
    SECOND = "second"

    @property
    def opposite(self) -> "Pick":
        """The same pick, seen from the other side."""
        return {Pick.FIRST: Pick.SECOND, Pick.SECOND: Pick.FIRST}.get(self, self)


@dataclass(frozen=True, slots=True)
class Exhibit:
    """The parts of an answer or a ranking that readers see: nothing that reveals who made it."""

    text: str
    """The answer, with its citations numbered from 1; empty for a ranking."""
    papers: tuple[str, ...] = ()
    """Cited or ranked papers, in order, each as one line."""


@dataclass(frozen=True, slots=True)
class BlindPair:
    """Two exhibits for one question."""

    question: str
    first: Exhibit
    second: Exhibit


@dataclass(frozen=True, slots=True)
class BlindStudy:
    """Pairs to judge, and the names of their makers, which readers do not see."""

    name: str
    corpus: str
    """Name of the corpus."""
    material: PairKind
    first: str
    """Name of the system that made the first exhibit of each pair."""
    second: str
    seed: int
    """Number that decides, together with the reader and the pair, which exhibit is shown on the left."""
    pairs: tuple[BlindPair, ...]

    def __post_init__(self) -> None:
        check_name("name of a study", self.name)
        if not self.pairs:
            raise UsageError("a study needs at least one pair")
        if self.first == self.second:
            raise UsageError(f"both sides are called {self.first!r}: give them different names")

    @property
    def criteria(self) -> tuple[Criterion, ...]:
        """The criteria by which its pairs are judged."""
        return CRITERIA[self.material]

    def is_swapped(self, reader: str, pair: int) -> bool:
        """Return whether `reader` sees the second exhibit of this pair on the left; this is decided at random, once
        and for all.
        """
        digest = hashlib.sha256(f"{self.seed}\n{self.name}\n{reader}\n{pair}".encode()).digest()
        return digest[0] % 2 == 1

    def on_screen(self, reader: str, pair: int) -> tuple[Exhibit, Exhibit]:
        """Return the exhibits on the left and on the right."""
        both = self.pairs[pair].first, self.pairs[pair].second
        return (both[1], both[0]) if self.is_swapped(reader, pair) else both


@dataclass(frozen=True, slots=True)
class Vote:
    """A reader's judgement of one pair."""

    reader: str
    pair: int
    """Position of the pair in the study, counted from 0."""
    day: datetime.date
    is_swapped: bool
    """True if the second exhibit was shown on the left."""
    picks: tuple[tuple[Criterion, Pick], ...]
    """The better exhibit by each criterion: the first or the second in the study, not on the screen."""


def vote_of(study: BlindStudy, reader: str, pair: int, on_screen: Mapping[Criterion, Pick], day: datetime.date) -> Vote:
    """Make the vote of a reader from what they picked on the screen, where `FIRST` means the left."""
    check_name("name of a reader", reader)
    if not 0 <= pair < len(study.pairs):
        raise UsageError(f"{study.name} has pairs 1 to {len(study.pairs)}, got {pair + 1}")
    if missing := [each.value for each in study.criteria if each not in on_screen]:
        raise UsageError(
            f"pair {pair + 1} has no judgement for {', '.join(missing)}: pick the better one, or say that both are "
            "equally good"
        )
    is_swapped = study.is_swapped(reader, pair)
    picks = tuple((each, on_screen[each].opposite if is_swapped else on_screen[each]) for each in study.criteria)
    return Vote(reader, pair, day, is_swapped, picks)


def check_name(what: str, name: str) -> None:
    """Raise `UsageError` if a name is empty, too long or not printable."""
    if not name.strip() or len(name) > MOST_CHARACTERS or not name.isprintable():
        raise UsageError(f"the {what} must have 1 to {MOST_CHARACTERS} printable characters, got {name[:80]!r}")
