"""Finds other papers that contain a question word for word, or the abstract that it was made from."""

from collections.abc import Iterable, Mapping

from pathfinder.types import Paper

SourcedQuestions = Mapping[str, tuple[str, Paper]]
"""Questions by their ids, each with the paper that it was made from."""


def also_answering(questions: SourcedQuestions, papers: Iterable[Paper]) -> dict[str, list[str]]:
    """Find, for each question, the ids of all `papers` that contain it word for word, or have the same abstract as its
    paper.

    Differences in white space are ignored. A question that no other paper answers has no entry.
    """
    sentences = {name: _spaced(text) for name, (text, _) in questions.items()}
    abstracts = {name: _spaced(paper.abstract) for name, (_, paper) in questions.items()}
    # A paper that contains the sentence contains its longest word, which is looked up for all questions at once.
    suspects: dict[str, list[str]] = {}
    for name, text in sentences.items():
        suspects.setdefault(_key(text), []).append(name)
        if abstracts[name]:
            suspects.setdefault(_key(abstracts[name]), []).append(name)
    others: dict[str, list[str]] = {}
    for paper in papers:
        words = paper.abstract.split()
        suspected = {name for word in suspects.keys() & set(words) for name in suspects[word]}
        abstract = " ".join(words) if suspected else ""
        for name in suspected:
            is_own = paper.paper_id == questions[name][1].paper_id
            if not is_own and (sentences[name] in abstract or abstracts[name] == abstract):
                others.setdefault(name, []).append(paper.paper_id)
    return others


def _spaced(text: str) -> str:
    return " ".join(text.split())


def _key(text: str) -> str:
    """Return the longest word inside `text`, but not the first or last one, which may be part of a longer word or have
    punctuation attached in another text.
    """
    every = text.split()
    return max(every[1:-1] or every, key=len, default="")
