"""Made-up papers in which it is known which concepts occur together.

"Fish oil" and "Raynaud syndrome" are each studied with "blood viscosity" and "platelet aggregation", as in Swanson's
example, and never with each other; the other papers are about something else.
"""

from pathfinder.corpus.papers import PaperTable
from pathfinder.index.terms import KeywordIndex, keyword_index_of
from pathfinder.types import Paper
from tests.landscape.planted import table

OIL, RAYNAUD = "fish oil", "Raynaud syndrome"
VISCOSITY, PLATELETS = "blood viscosity", "platelet aggregation"
N_OTHERS = 60


def papers(*, both_named: bool = False) -> list[Paper]:
    """Six papers on either side, three with each linking concept, and sixty others, each subject in four of them.

    With `both_named`, the abstract of a paper on fish oil mentions the Raynaud syndrome, which is not a keyword of it.
    """
    planted_papers = [
        paper(f"{side[:4].strip()}-{link[:5]}-{n}", side, link)
        for side in (OIL, RAYNAUD)
        for link in (VISCOSITY, PLATELETS)
        for n in range(3)
    ]
    if both_named:
        planted_papers[0] = Paper("aside", "An aside", f"The {RAYNAUD} is rare.", year=2001, keywords=(OIL, VISCOSITY))
    subjects = [f"subject {letter * 3}" for letter in "abcdefghijklmno"]
    others = [
        Paper(f"other-{n}", f"On {subjects[n % 15]}", f"We look at {subjects[n % 15]}.", keywords=(subjects[n % 15],))
        for n in range(N_OTHERS)
    ]
    return [*planted_papers, *others]


def paper(paper_id: str, side: str, link: str) -> Paper:
    """A paper with a sentence that names both concepts."""
    abstract = f"We begin elsewhere. We find that {side} changes {link} in patients."
    return Paper(paper_id, f"On {side}", abstract, year=2000, keywords=(side, link))


def corpus(*, both_named: bool = False) -> tuple[PaperTable, KeywordIndex]:
    """The papers as a table, and the index of their keywords."""
    own = papers(both_named=both_named)
    return table(own), keyword_index_of(own)
