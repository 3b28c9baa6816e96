"""Which other papers have the sentence that a question is, or the abstract that it was made from."""

from collections.abc import Iterable, Mapping

from pathfinder.types import Paper

Asked = Mapping[str, tuple[str, Paper]]
"""Questions by their ids, each with the paper that it was made from."""


def also_answering(asked: Asked, papers: Iterable[Paper]) -> dict[str, list[str]]:
    """By question, the ids of all of `papers` that hold it word for word, or have its paper's abstract.

    Spaces are not compared. A question that nobody else answers has no entry.
    """
    sentences = {name: _spaced(text) for name, (text, _) in asked.items()}
    abstracts = {name: _spaced(paper.abstract) for name, (_, paper) in asked.items()}
    # Whoever holds the sentence has its longest word, which is looked up at once for all questions.
    suspects: dict[str, list[str]] = {}
    for name, text in sentences.items():
        suspects.setdefault(_key(text), []).append(name)
        if abstracts[name]:
            suspects.setdefault(_key(abstracts[name]), []).append(name)
    found: dict[str, list[str]] = {}
    for paper in papers:
        words = paper.abstract.split()
        suspected = {name for word in suspects.keys() & set(words) for name in suspects[word]}
        abstract = " ".join(words) if suspected else ""
        for name in suspected:
            is_own = paper.paper_id == asked[name][1].paper_id
            if not is_own and (sentences[name] in abstract or abstracts[name] == abstract):
                found.setdefault(name, []).append(paper.paper_id)
    return found


def _spaced(text: str) -> str:
    return " ".join(text.split())


def _key(text: str) -> str:
    """The longest word within `text`: those at its ends may go on, or have a sign behind them, elsewhere."""
    every = text.split()
    return max(every[1:-1] or every, key=len, default="")
