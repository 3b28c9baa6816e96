"""Papers by stance, each with its quote and a link; and guesses at their stances on a statement written by the reader,
which are made without a chat model and never count towards a consensus.
"""

from collections.abc import Callable, Sequence

import streamlit as st

from pathfinder.assessment.consensus.local import Guess
from pathfinder.errors import UsageError
from pathfinder.text.latex.display import for_markdown
from pathfinder.types import Paper, SearchResult, Stance, StanceLabel
from pathfinder.ui.shared import resources

HEADINGS = {
    StanceLabel.SUPPORTS: ":blue[For it]",
    StanceLabel.REFUTES: ":orange[Against it]",
    StanceLabel.MIXED: "Mixed",
    StanceLabel.IRRELEVANT: ":gray[Not relevant]",
}
GUESS_NOTE = (
    "Guessed by simple rules fitted to biomedical claims. For those claims, two guesses in three are right, but of the "
    "papers guessed to be against a claim, fewer than half are. The rules have not been tested on papers like these, "
    "and no consensus level is derived from the guesses."
)


def groups(stances: Sequence[Stance], papers: Sequence[Paper], places: dict[str, int]) -> None:
    """List the papers of each stance; those whose quote could not be found in the text come last."""
    both = list(zip(stances, papers, strict=True))
    for label, heading in HEADINGS.items():
        of_label = [pair for pair in both if pair[0].label is label]
        if not of_label:
            continue
        n_counted = sum(stance.is_quote_found for stance, _ in of_label)
        rest = f", {len(of_label) - n_counted} not counted" if n_counted < len(of_label) else ""
        st.markdown(f"**{heading}** · {n_counted}{rest}")
        st.markdown("\n".join(_line(stance, paper, places) for stance, paper in sorted(of_label, key=_is_last)))


def _is_last(pair: tuple[Stance, Paper]) -> bool:
    return not pair[0].is_quote_found


def _line(stance: Stance, paper: Paper, places: dict[str, int]) -> str:
    """Return a paper with its quote, as Markdown."""
    year = "year unknown" if stance.year is None else str(stance.year)
    title = f"[{for_markdown(paper.title)}]({resources.paper_url(paper)})"
    place = short_link(paper, places) + " " if paper.paper_id in places else ""
    line = f"- {place}{title} :gray[{year}]"
    if not stance.is_quote_found:
        quote = f"“{for_markdown(stance.quote)}” " if stance.quote else ""
        return f"{line}  \n  :orange[not counted:] {quote}is not in the paper"
    address = f" ({for_markdown(stance.passage.address)})" if stance.passage else ""
    return f"{line}  \n  “{for_markdown(stance.quote)}”{address}" if stance.quote else line


def short_link(paper: Paper, places: dict[str, int]) -> str:
    """Return a Markdown link to a paper: to its card if it is listed, otherwise to the publication."""
    place = places.get(paper.paper_id)
    if place is None:
        return f"[{for_markdown(paper.title)}]({resources.paper_url(paper)})"
    return f"\\[[{place}](#paper-{place})\\]"


def guessed_stances(result: SearchResult, guess: Callable[[str], Sequence[Guess]]) -> None:
    """Guess the stance of each hit, best first, on a statement written by the reader; no consensus level is derived."""
    statement = st.text_input(
        "Guess what each paper says about a statement",
        placeholder="Write a statement that a paper can support or refute",
        max_chars=500,
        key="consensus-statement",
    )
    if not statement.strip():
        return
    try:
        guesses = guess(statement)
    except UsageError as error:
        st.caption(for_markdown(str(error)))
        return
    st.caption(GUESS_NOTE)
    places = {hit.paper.paper_id: rank for rank, hit in enumerate(result.hits, start=1)}
    for label, heading in HEADINGS.items():
        of_label = [entry for entry in guesses if entry.label is label]
        if of_label:
            st.markdown(f"**{heading}?** · {len(of_label)}")
            st.markdown("\n".join(_guess_line(entry, places) for entry in of_label))


def _guess_line(guess: Guess, places: dict[str, int]) -> str:
    title = f"[{for_markdown(guess.paper.title)}]({resources.paper_url(guess.paper)})"
    sentence = "" if guess.label is StanceLabel.IRRELEVANT else f"  \n  “{for_markdown(guess.sentence)}”"
    return f"- {short_link(guess.paper, places)} {title}{sentence}"
