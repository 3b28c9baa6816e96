"""A digest: an answer made only of quotations, in the form that suits the question."""

from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from pathfinder.types.full_texts import FullTextPassage


class DigestForm(StrEnum):
    """The form of a digest, which depends on the question."""

    VALUES = "values"
    """A table and a plot of the values stated in papers."""
    LIST = "list"
    """Named things, such as codes or surveys, each with its papers."""
    SIDES = "sides"
    """Statements from several papers side by side, for yes-or-no questions and comparisons."""
    FINDINGS = "findings"
    """Findings, the main paper's first."""
    FACT = "fact"
    """The one sentence that answers a question about who, when or where."""


@dataclass(frozen=True, slots=True)
class Insertion:
    """Words inserted into a quotation to make it complete, and marked as inserted."""

    position: int
    """Position in the sentence at which the words are shown, counted in characters from 0."""
    text: str


@dataclass(frozen=True, slots=True)
class Finding:
    """A line of a digest: consecutive sentences of a paper, verbatim."""

    paper_id: str
    sentence: str
    start: int
    """Position of the first character in the abstract; `abstract[start:end]` is `sentence`."""
    end: int
    inserted: tuple[Insertion, ...] = ()
    score: float | None = None
    """Estimated probability that the sentence answers the question, [0, 1]; `None` if it was not estimated."""
    passage: FullTextPassage | None = None
    """The full-text passage to which the positions refer; `None` for the abstract."""
    marked: tuple[tuple[int, int], ...] = ()
    """Start and end, in `sentence`, of each word that the question has, if a passage is shown because no sentence of it
    answers alone; empty otherwise. There are then no insertions.
    """

    @property
    def pieces(self) -> tuple[str, ...]:
        """The parts of `sentence` between the insertions; they appear unchanged in the text of an answer."""
        cuts = (0, *sorted(each.position for each in self.inserted), len(self.sentence))
        return tuple(self.sentence[start:end] for start, end in pairwise(cuts))


@dataclass(frozen=True, slots=True)
class StatedValue:
    """A value that a paper states for the quantity in question."""

    paper_id: str
    quantity: str
    """Name of the quantity, as stated in the paper."""
    value: float
    plus: float | None
    """Upper uncertainty in `unit`; `None` if none is stated."""
    minus: float | None
    """Lower uncertainty in `unit`, as a positive number; `None` if none is stated."""
    unit: str
    """Unit as stated, but for the prefixes of years and parsecs; empty for a number without one."""
    limit: str | None
    """"upper" or "lower" for a limit, "about" for an approximate value, "range" for a range, of which `value` is the
    middle and `plus` half the width; `None` for a measurement.
    """
    of: str | None
    """Object, method or redshift to which the value belongs, if the sentence states it."""
    start: int
    """Position in the abstract; `abstract[start:end]` states the value."""
    end: int
    plus_systematic: float | None = None
    """Upper systematic uncertainty in `unit`, if it is stated separately from `plus`."""
    minus_systematic: float | None = None
    """Lower systematic uncertainty in `unit`, as a positive number."""
    interval: str | None = None
    """Name of the interval, as written, whose ends `plus` and `minus` reach: "95% CI"; `None` if they are uncertainties
    as stated.
    """
    is_later: bool = False
    """True if the sentence says that the value became known after the paper: "are now put at"."""
    passage: FullTextPassage | None = None
    """The full-text passage to which the positions refer; `None` for the abstract."""


@dataclass(frozen=True, slots=True)
class NamedThing:
    """A thing named in a paper, as listed in a digest in the form of a list."""

    name: str
    kind: str
    """Kind of thing: code, survey, mission, method or object."""
    paper_id: str
    start: int
    """Position in the abstract; `abstract[start:end]` is the name as written there. If only the title contains the
    name, both positions are the beginning of the sentence that is quoted.
    """
    end: int
    passage: FullTextPassage | None = None
    """The full-text passage to which the positions refer; `None` for the abstract."""

    @property
    def is_in_title_only(self) -> bool:
        """True if the title contains the name but the abstract does not."""
        return self.start == self.end


@dataclass(frozen=True, slots=True)
class ValueAge:
    """Age of the values in a digest."""

    newest_value: int
    """Year of the newest paper with a value."""
    newest_paper: int
    """Year of the newest paper that was read for values."""


@dataclass(frozen=True, slots=True)
class Digest:
    """An answer made only of quotations."""

    form: DigestForm
    form_reason: str
    """Rule by which the form was chosen, in words."""
    findings: tuple[Finding, ...]
    """A finding for each line, in the order shown, including the sentence that states each value or name."""
    values: tuple[StatedValue, ...] = ()
    named: tuple[NamedThing, ...] = ()
    is_weak: bool = False
    """True if no sentence answers the question well enough, so that the lines are merely the closest sentences."""
    is_doubtful: bool = False
    """True if the papers, of which the full texts are known, may not answer the question, although they may."""
    notes: tuple[str, ...] = ()
    """Facts about the digest as a whole: which hits are quoted, their years, what is left out, and the papers'
    languages.
    """
    value_age: ValueAge | None = None
    """Age of the values if the newest is old; `notes` put it into words."""
