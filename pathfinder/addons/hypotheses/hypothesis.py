"""Hypotheses: two concepts that are never keywords of the same paper, and what links them; written as CSV and
Markdown, with their backtest on titles (`benchmarks/hypotheses.py`).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib import resources

from pydantic import TypeAdapter

from pathfinder.operations.export.tables import table
from pathfinder.text.english import enumeration
from pathfinder.text.latex.display import readable
from pathfinder.text.markdown import in_markdown
from pathfinder.text.strict_json import parse_as
from pathfinder.types import Call, Paper, StageStatus, Verdict

MAX_LISTED = 200


@dataclass(frozen=True, slots=True)
class LinkingPaper:
    """A paper that has a linking concept and one of the two concepts of a hypothesis."""

    paper: Paper
    quotation: str
    """Sentence from the abstract, or the title, verbatim: one that mentions both concepts, if there is one."""
    names_both: bool
    """False if no sentence in the paper mentions both concepts, although both are among the paper's keywords."""


@dataclass(frozen=True, slots=True)
class LinkingConcept:
    """A concept that occurs with both concepts of a hypothesis."""

    name: str
    n_with: tuple[int, int]
    """Number of papers that have it together with the first concept, and with the second."""
    papers: tuple[LinkingPaper, LinkingPaper]
    """A paper with the first concept, and one with the second."""


@dataclass(frozen=True, slots=True)
class ConceptPlace:
    """The region of the map in which most papers on a concept lie."""

    region: str
    """Distinctive keywords of the region; empty if it has none."""
    x: float
    y: float
    """Middle of the region."""
    n_papers: int
    """Number of papers on the concept in the region."""
    is_gap: bool
    """True if the layer of gaps marks the region as a gap."""


class ClauseKind(StrEnum):
    """Basis of a clause in a statement."""

    COUNT = "count"
    """A count of the papers in the corpus."""
    CITED = "cited"
    """Papers that the clause cites."""
    CONJECTURE = "conjecture"
    """Nothing: the clause is a guess."""


@dataclass(frozen=True, slots=True)
class HypothesisClause:
    """A sentence in the statement of a hypothesis."""

    text: str
    kind: ClauseKind
    paper_ids: tuple[str, ...] = ()
    """Papers that the clause cites."""
    verdict: Verdict | None = None
    """Verdict of the ledger on a clause that a chat model wrote and cited."""

    @property
    def is_borne_out(self) -> bool:
        """False if the papers that the clause cites do not say what it says."""
        return self.verdict not in (Verdict.NOT_FOUND, Verdict.CONTRADICTED)


@dataclass(frozen=True, slots=True)
class HypothesisSide:
    """One of the two concepts of a hypothesis."""

    name: str
    n_papers: int
    """Number of papers with the concept."""
    place: ConceptPlace | None
    """Its place; `None` without a map."""


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """Two concepts that are never keywords of the same paper, although both appear with the same other concepts.

    No paper with one of them among its keywords mentions the other in its title or abstract; no other text was read.
    """

    concepts: tuple[str, str]
    """Names of both concepts, as the papers write them."""
    n_papers: tuple[int, int]
    """Number of papers with each concept."""
    n_shared: int
    """Number of concepts that occur with both in more papers than chance would explain."""
    q: float
    """Lowest false discovery rate at which sharing this many concepts is significant, [0, 1]."""
    score: float
    """Sum over the shared concepts of 1 / log(number of concepts associated with that concept) (Adamic & Adar 2003),
    times the logarithm of the product of the two numbers in `n_papers`.
    """
    linking: tuple[LinkingConcept, ...]
    """Some of the shared concepts, beginning with those that occur with each of the two concepts in the most papers."""
    clauses: tuple[HypothesisClause, ...]
    """The statement."""
    places: tuple[ConceptPlace, ConceptPlace] | None = None
    """Places of both concepts; `None` without a map."""
    bridges: tuple[Paper, ...] = ()
    """Papers that have one of the two concepts and are marked in the layer of bridges."""
    model: str | None = None
    """Chat model that wrote the statement; `None` for the template."""
    notes: tuple[str, ...] = ()
    calls: tuple[Call, ...] = ()
    """Calls to the chat model."""
    status: StageStatus | None = None
    """Outcome of the chat model's attempt to write the statement, with the reason if it failed; `None` if no model was
    asked.
    """

    @property
    def sides(self) -> tuple[HypothesisSide, ...]:
        """Both concepts."""
        return tuple(map(HypothesisSide, self.concepts, self.n_papers, self.places or (None, None)))

    @property
    def is_in_gap(self) -> bool:
        """True if the region of either concept is a gap in the map."""
        return self.places is not None and any(place.is_gap for place in self.places)


@dataclass(frozen=True, slots=True)
class Hypotheses:
    """The hypotheses found for a corpus, a question or some papers."""

    about: str | None
    """The question, or a description of the papers; `None` for the whole corpus."""
    n_papers: int
    """Number of papers in the corpus."""
    n_concepts: int
    """Number of concepts that were compared."""
    n_unlinked: int
    """Number of pairs that are never keywords of the same paper and that share at least one concept."""
    n_significant: int
    """Number of these pairs that share more concepts than chance would explain."""
    hypotheses: tuple[Hypothesis, ...]
    """The hypotheses, highest score first."""
    notes: tuple[str, ...] = ()
    """Anything that is missing, with the reason."""


@dataclass(frozen=True, slots=True)
class BacktestShare:
    """Share of the first pairs in a ranking that occurred together in a title from the following years."""

    ranking: str
    n: int
    """Number of pairs, counted from the top of the ranking."""
    n_true: int
    low: float
    high: float
    """95% interval of the share, [0, 1]."""


@dataclass(frozen=True, slots=True)
class BacktestYear:
    """Pairs of concepts that had never occurred together in a title by a given year, and the share that later did."""

    year: int
    n_titles: int
    n_pairs: int
    """Number of pairs of concepts that had never occurred together in a title by that year."""
    random: float
    """Share of these pairs that occurred together in a title from the following years, [0, 1]."""
    shares: tuple[BacktestShare, ...]


@dataclass(frozen=True, slots=True)
class HypothesisBacktest:
    """Result of `benchmarks/hypotheses.py`."""

    titles: str
    """Description of the titles used for the backtest."""
    years_ahead: int
    years: tuple[BacktestYear, ...]


HYPOTHESIS_COLUMNS = (
    *("rank", "first", "second", "n_first", "n_second", "n_shared", "q", "score", "is_in_gap", "statement"),
    *("linking", "first_papers", "second_papers"),
)
CONJECTURE = "conjecture"


def hypotheses_csv(hypotheses: Hypotheses) -> str:
    """Write a line for each hypothesis, with the columns `HYPOTHESIS_COLUMNS`."""
    return table(HYPOTHESIS_COLUMNS, (_row(rank, each) for rank, each in enumerate(hypotheses.hypotheses, start=1)))


def _row(rank: int, hypothesis: Hypothesis) -> tuple[object, ...]:
    statement = " ".join(map(clause_text, hypothesis.clauses))
    sides = ("; ".join(each.papers[side].paper.paper_id for each in hypothesis.linking) for side in (0, 1))
    numbers = *hypothesis.n_papers, hypothesis.n_shared, hypothesis.q, hypothesis.score, hypothesis.is_in_gap
    linking = "; ".join(each.name for each in hypothesis.linking)
    return (rank, *map(readable, hypothesis.concepts), *numbers, readable(statement), readable(linking), *sides)


def clause_text(clause: HypothesisClause) -> str:
    """Write a clause, with a mark if it is a conjecture or is not supported."""
    mark = clause_mark(clause)
    return clause.text if mark is None else f"{clause.text} [{mark}]"


def clause_mark(clause: HypothesisClause) -> str | None:
    """Return the mark of a clause that is a conjecture, or that its papers do not support; `None` for any other."""
    if clause.kind is ClauseKind.CONJECTURE:
        return CONJECTURE
    return None if clause.is_borne_out or clause.verdict is None else _MARKS[clause.verdict]


_MARKS = {Verdict.NOT_FOUND: "not in the cited papers", Verdict.CONTRADICTED: "contradicted by a cited paper"}


def hypotheses_markdown(hypotheses: Hypotheses) -> str:
    """Write a numbered list with statements, papers and quotations."""
    return "\n".join(line for rank, each in enumerate(hypotheses.hypotheses, 1) for line in _lines(rank, each)) + "\n"


def _lines(rank: int, hypothesis: Hypothesis) -> Iterator[str]:
    first, second = map(in_markdown, hypothesis.concepts)
    yield f"{rank}. **{first} – {second}**\n"
    yield f"   {in_markdown(' '.join(map(clause_text, hypothesis.clauses)))}\n"
    for linking in hypothesis.linking:
        for name, side in zip((first, second), linking.papers, strict=True):
            yield f"   - {name} and {in_markdown(linking.name)}: {in_markdown(linking_text(side))}"
    yield ""


def linking_text(side: LinkingPaper) -> str:
    """Write a paper with its quotation on one line."""
    year = side.paper.known_year or "year unknown"
    by = "" if side.names_both else " (both concepts are among the paper's keywords)"
    quoted = readable(side.paper.quoted(side.quotation))
    return f"{readable(side.paper.title)} ({year}), {side.paper.paper_id}: {quoted}{by}"


def describe_hypotheses(hypotheses: Hypotheses) -> str:
    """Say in a sentence or two what was compared, and how many pairs stand out."""
    n = hypotheses.n_unlinked
    return (
        f"{hypotheses.n_concepts:,} concepts from {hypotheses.n_papers:,} papers were compared. "
        f"{n:,} {'pair of them is' if n == 1 else 'pairs of them are'} never keywords of the same paper although both "
        "occur with a third concept; "
        f"{hypotheses.n_significant:,} share more concepts than chance would explain."
    )


PRODUCT, POPULARITY = "hypotheses", "most frequent pairs"
"""Names of the rankings."""
N_TOLD = 100
"""Number of highest-ranked pairs for which the description says how many came true."""


@cache
def backtest() -> HypothesisBacktest:
    """Read the result that is shipped with Pathfinder."""
    text = resources.files(__package__).joinpath("backtest.json").read_text(encoding="utf-8")
    return parse_as(TypeAdapter(HypothesisBacktest), text)


def describe_backtest(backtest: HypothesisBacktest) -> str:
    """Say how many of the highest-ranked pairs came true, and how many of the most frequent pairs and of random pairs
    did.
    """
    years = enumeration([str(year.year) for year in backtest.years])
    own, popular = (
        enumeration([str(share_of(year, ranking, N_TOLD).n_true) for year in backtest.years])
        for ranking in (PRODUCT, POPULARITY)
    )
    random = enumeration([f"{year.random * N_TOLD:.1f}" for year in backtest.years])
    return (
        f"In a backtest on {backtest.titles}, {own} of the {N_TOLD} pairs ranked highest on the basis of titles up to "
        f"{years} occurred together in a title in the following {backtest.years_ahead} years; of the {N_TOLD} most "
        f"frequent pairs, {popular} did; of {N_TOLD} random pairs, {random}."
    )


def share_of(year: BacktestYear, ranking: str, n: int) -> BacktestShare:
    """Return the share of a ranking's first `n` pairs that came true."""
    return next(share for share in year.shares if (share.ranking, share.n) == (ranking, n))


def backtest_rows(backtest: HypothesisBacktest) -> list[dict[str, str | int]]:
    """Return a row for each year and ranking, with the shares of pairs that came true."""
    rows: list[dict[str, str | int]] = []
    for year in backtest.years:
        for ranking in dict.fromkeys((PRODUCT, *(share.ranking for share in year.shares))):
            shares = [share for share in year.shares if share.ranking == ranking]
            cells = {
                f"first {each.n}": f"{each.n_true / each.n:.0%} ({each.low:.0%}–{each.high:.0%})" for each in shares
            }
            rows.append({"titles until": year.year, "ranking": ranking, **cells})
        random = {f"first {each.n}": f"{year.random:.1%}" for each in year.shares if each.ranking == PRODUCT}
        rows.append({"titles until": year.year, "ranking": "random pairs", **random})
    return rows
