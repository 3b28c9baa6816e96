"""What can be said of agreement without a chat model: how the papers lie, and what is missing."""

from pathfinder.types import SearchResult

MISSING = (
    "Whether they agree is not told: what a paper says for or against a statement takes a chat model to read, and none "
    "is set."
)


def told_without_model(result: SearchResult) -> tuple[str, ...]:
    """Relevance, spread and outliers of the hits in sentences, then what is missing."""
    n = len(result.hits)
    if n == 0:
        return ("No paper was found.", MISSING)
    if (assessment := result.assessment) is None:
        return (f"How {_papers(n)} bear on the question was not judged.", MISSING)
    bearing = "bears" if assessment.is_relevant else "does not bear"
    spread = (
        "too few to tell how they lie" if assessment.spread is None else f"together they are {assessment.spread.value}"
    )
    outliers = [str(rank) for rank, hit in enumerate(result.hits, start=1) if hit.outlier]
    if all(hit.outlier is None for hit in result.hits):
        apart = "Outliers cannot be told."
    else:
        apart = f"Apart from the others: {', '.join(outliers)}." if outliers else "None lies apart from the others."
    return (
        f"The corpus {bearing} on the question (relevance {assessment.relevance:.0%}).",
        f"{_papers(n, capital=True)}: {spread}. {apart}",
        MISSING,
    )


def _papers(n: int, *, capital: bool = False) -> str:
    if n == 1:
        return "One paper" if capital else "one paper"
    return f"{n} papers"
