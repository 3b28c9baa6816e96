"""Writes hypotheses as JSON, CSV and Markdown."""

from collections.abc import Iterator

from pathfinder.export.plain_json import JsonObject, as_json
from pathfinder.export.records import paper_record
from pathfinder.export.tables import table
from pathfinder.text.latex.display import readable
from pathfinder.text.markdown import as_typed
from pathfinder.types import ClauseKind, Hypotheses, Hypothesis, HypothesisClause, LinkingConcept, LinkingPaper, Verdict

HYPOTHESIS_COLUMNS = (
    *("rank", "first", "second", "n_first", "n_second", "n_shared", "q", "score", "is_in_gap", "statement"),
    *("linking", "first_papers", "second_papers"),
)
CONJECTURE = "conjecture"


def hypotheses_record(hypotheses: Hypotheses) -> JsonObject:
    """Describe hypotheses: about (null for the whole corpus), n_papers, n_concepts, n_unlinked, n_significant,
    hypotheses and notes.

    Each hypothesis has concepts (two, each with name, n_papers and place, null without a map), n_shared, q, score,
    linking (name, n_with and papers, one for each side, each with quotation and names_both), bridges, statement (text,
    kind, paper_ids and verdict, null for all but a model's cited clauses), model, notes and calls.
    """
    return {
        "about": hypotheses.about,
        "n_papers": hypotheses.n_papers,
        "n_concepts": hypotheses.n_concepts,
        "n_unlinked": hypotheses.n_unlinked,
        "n_significant": hypotheses.n_significant,
        "hypotheses": [_record(hypothesis) for hypothesis in hypotheses.hypotheses],
        "notes": list(hypotheses.notes),
    }


def _record(hypothesis: Hypothesis) -> JsonObject:
    places = hypothesis.places or (None, None)
    sides = zip(hypothesis.concepts, hypothesis.n_papers, places, strict=True)
    return {
        "concepts": [{"name": name, "n_papers": n, "place": as_json(place)} for name, n, place in sides],
        "n_shared": hypothesis.n_shared,
        "q": hypothesis.q,
        "score": hypothesis.score,
        "linking": [_linking_record(each) for each in hypothesis.linking],
        "bridges": [paper_record(paper) for paper in hypothesis.bridges],
        "statement": [as_json(clause) for clause in hypothesis.clauses],
        "model": hypothesis.model,
        "notes": list(hypothesis.notes),
        "calls": as_json(hypothesis.calls),
    }


def _linking_record(linking: LinkingConcept) -> JsonObject:
    return {
        "name": linking.name,
        "n_with": list(linking.n_with),
        "papers": [
            {**paper_record(side.paper), "quotation": side.quotation, "names_both": side.names_both}
            for side in linking.papers
        ],
    }


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
    first, second = map(_in_markdown, hypothesis.concepts)
    yield f"{rank}. **{first} – {second}**\n"
    yield f"   {_in_markdown(' '.join(map(clause_text, hypothesis.clauses)))}\n"
    for linking in hypothesis.linking:
        for name, side in zip((first, second), linking.papers, strict=True):
            yield f"   - {name} and {_in_markdown(linking.name)}: {_in_markdown(linking_text(side))}"
    yield ""


def _in_markdown(text: str) -> str:
    return as_typed(readable(text))


def linking_text(side: LinkingPaper) -> str:
    """Write a paper with its quotation on one line."""
    year = side.paper.known_year or "year unknown"
    by = "" if side.names_both else " (both concepts are among the paper's keywords)"
    return f"{readable(side.paper.title)} ({year}), {side.paper.paper_id}: “{readable(side.quotation)}”{by}"


def describe_hypotheses(hypotheses: Hypotheses) -> str:
    """Say in a sentence or two what was compared, and how many pairs stand out."""
    n = hypotheses.n_unlinked
    return (
        f"{hypotheses.n_concepts:,} concepts from {hypotheses.n_papers:,} papers were compared. "
        f"{n:,} {'pair of them is' if n == 1 else 'pairs of them are'} never keywords of the same paper although both "
        "occur with a third concept; "
        f"{hypotheses.n_significant:,} share more concepts than chance would explain."
    )
