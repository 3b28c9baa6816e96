"""Notes on agreement, made without a chat model: how the papers are distributed, and what remains unknown."""

from pathfinder.types import SearchResult, Spread

MISSING = (
    "Whether the papers agree is unknown: reading what each says for or against a statement needs a chat model, and "
    "none is set."
)


def describe_without_model(result: SearchResult) -> tuple[str, ...]:
    """Describe the relevance, spread and outliers of the hits, and then what cannot be determined."""
    n = len(result.hits)
    if n == 0:
        return ("No papers found.", MISSING)
    if (assessment := result.assessment) is None:
        return (f"The relevance of {_papers(n)} was not assessed.", MISSING)
    bearing = "covers" if assessment.is_relevant else "does not cover"
    spread = _spread(assessment.spread)
    outliers = [str(rank) for rank, hit in enumerate(result.hits, start=1) if hit.outlier]
    if all(hit.outlier is None for hit in result.hits):
        apart = "Too few papers to find outliers."
    else:
        apart = f"Outliers: {', '.join(outliers)}." if outliers else "No outliers."
    return (
        f"The corpus {bearing} the question (relevance {assessment.relevance:.0%}).",
        f"{_papers(n, capital=True)}: {spread}. {apart}",
        MISSING,
    )


def _spread(spread: Spread | None) -> str:
    if spread is None:
        return "too few to see how they are spread"
    return f"they lie {spread.label}" if spread is Spread.BROAD else f"together they are {spread.label}"


def _papers(n: int, *, capital: bool = False) -> str:
    if n == 1:
        return "One paper" if capital else "one paper"
    return f"{n} papers"
