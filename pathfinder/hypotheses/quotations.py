"""Sentences from papers that mention concepts."""

from collections.abc import Iterable, Iterator

from pathfinder.text.language.lemmas import lemmas
from pathfinder.text.sentences import sentence_spans
from pathfinder.types import LinkingPaper, Paper

N_READ = 12
"""Maximum number of papers that are read for a sentence with both concepts."""
N_STEM = 3
"""Number of letters at the beginning of a word by which a text is searched first."""


def linking_paper(papers: Iterable[Paper], terms: tuple[str, str]) -> LinkingPaper:
    """Choose the first of `papers` with a sentence that names both `terms`, each given as lemmas joined by spaces;
    failing that, the sentence of the first paper that names the second term, or else its title. `papers` must not be
    empty.
    """
    read = list(papers)
    best = (_best(paper, terms) for paper in read)
    ranked = [(n, sentence, paper) for (n, sentence), paper in zip(best, read, strict=True)]
    n, sentence, paper = max(ranked, key=lambda each: each[0] == len(terms))
    return LinkingPaper(paper, sentence, n == len(terms))


def _best(paper: Paper, terms: tuple[str, str]) -> tuple[int, str]:
    """Return the sentence that names most of `terms`, and their number; the title comes after the abstract."""
    counts = [
        (sum(names(sentence, term) for term in terms), sentence)
        for sentence in (*_sentences(paper.abstract), paper.title)
    ]
    n, sentence = max(counts, key=lambda each: each[0])
    return (n, sentence) if n else (0, paper.title)


def names(text: str, term: str) -> bool:
    """Return whether `text` has the lemmas of `term` side by side."""
    return f" {term} " in f" {' '.join(lemmas(text))} "


def is_named_in(papers: Iterable[Paper], term: str) -> bool:
    """Return whether the title or the abstract of any of `papers` has the lemmas of `term` side by side."""
    # Finding lemmas takes a thousand times as long as looking for the beginnings of words, which lemmas hardly change.
    stems = [word[:N_STEM] for word in term.split()]
    texts = (f"{paper.title}\n{paper.abstract}" for paper in papers)
    likely = (text for text in texts if all(stem in text.casefold() for stem in stems))
    return any(names(sentence, term) for text in likely for sentence in _sentences(text))


def _sentences(text: str) -> Iterator[str]:
    return (text[start:end] for start, end in sentence_spans(text))
