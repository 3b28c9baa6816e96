"""The statement of a hypothesis, written from a template: counts from the corpus, and a conjecture that is marked as
one.
"""

from collections.abc import Sequence

from pathfinder.types import ClauseKind, HypothesisClause, LinkingConcept

MOST_QUOTED = 3
"""Number of linking concepts that the statement names."""


def statement(
    concepts: tuple[str, str], n_papers: tuple[int, int], n_shared: int, q: float, linking: Sequence[LinkingConcept]
) -> tuple[HypothesisClause, ...]:
    """Write the statement of a hypothesis; only its last clause is more than a count."""
    first, second = map(in_quotes, concepts)
    some = linking[:MOST_QUOTED]
    counts = [f"{in_quotes(each.name)} ({each.n_with[0]:,} and {each.n_with[1]:,} papers)" for each in some]
    quoted_names = [in_quotes(each.name) for each in some]
    ids = tuple(dict.fromkeys(side.paper.paper_id for each in some for side in each.papers))
    n = "1 concept occurs" if n_shared == 1 else f"{n_shared} concepts occur"
    return (
        HypothesisClause(
            f"No paper here with the keyword {first} ({papers(n_papers[0])}) names {second} in its title or abstract, "
            f"and none with the keyword {second} ({papers(n_papers[1])}) names {first}.",
            ClauseKind.COUNT,
        ),
        HypothesisClause(f"Both occur with {join_with_and(counts)}.", ClauseKind.CITED, ids),
        HypothesisClause(
            f"In all, {n} with both, which is more than chance would explain (q = {q:.1g}).", ClauseKind.COUNT
        ),
        HypothesisClause(
            f"{first} and {second} may be related through {join_with_and(quoted_names)}.", ClauseKind.CONJECTURE
        ),
    )


def in_quotes(name: str) -> str:
    """Put the name of a concept in quotation marks, as it appears in a sentence."""
    return f"“{name}”"


def papers(n: int) -> str:
    """Write a count of papers, such as "3 papers"."""
    return "1 paper" if n == 1 else f"{n:,} papers"


def join_with_and(parts: Sequence[str]) -> str:
    """Join parts with commas, and the last with "and"."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
