"""The outline of a draft: a section for each of the reader's questions, and for each group of papers that resemble each
other.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from pathfinder.addons.drafts.draft import ReviewDraft, draft_line, papers_of
from pathfinder.errors import UsageError
from pathfinder.landscape.statistics.keywords import SINGLE_WORD, class_tf_idf, distinct
from pathfinder.retrieval.citations.ties import groups_by_likeness
from pathfinder.shelves.shelf import Shelf
from pathfinder.text.language.lemmas import lemmas
from pathfinder.text.latex.display import readable
from pathfinder.types import Paper, SearchRequest

if TYPE_CHECKING:
    from pathfinder.facade import Pathfinder

N_PHRASES = 2
"""Number of phrases in a heading."""
MAX_PHRASE = 40
"""Maximum length of a phrase in a heading, in characters."""
_QUESTION_WORDS = re.compile(r"^(?:what|which|who)\s+(?:is|are|was|were)\s+", re.IGNORECASE)

MAX_QUESTIONS = 12
PAPERS_OF_A_QUESTION = 8
"""Maximum number of papers that an outline puts under a reader's question."""

Lemmas = tuple[str, ...]


def outline(pf: "Pathfinder", shelf: Shelf, questions: Sequence[str] = (), title: str | None = None) -> ReviewDraft:
    """Make the outline of a review: a section for each question, and one for each group of the remaining papers.

    Papers with the state "out" are not used. By default, the title is the name of the shelf. Raises `UsageError`
    for a shelf without papers in this corpus, and for a question that is not a single line.
    """
    papers = papers_of(pf, shelf.inside)
    if not papers:
        raise UsageError(
            f"the shelf {shelf.name!r} has no papers in this corpus, or all of them are out: star some papers first"
        )
    if len(questions) > MAX_QUESTIONS:
        raise UsageError(f"an outline cannot have {len(questions)} questions: ask up to {MAX_QUESTIONS}")
    ids = tuple(paper.paper_id for paper in papers)
    asked = ReviewDraft(draft_line(title or shelf.name))
    for question in questions:
        asked = asked.add(heading_of(question), draft_line(question))
    answering = [
        (section.question, _answering(pf, asked.question_asked(section.key), ids)) for section in asked.sections
    ]
    placed_ids = {paper.paper_id for _, of_question in answering for paper in of_question}
    rest = [paper for paper in papers if paper.paper_id not in placed_ids]
    rows = np.array(pf.corpus.papers.rows_of([paper.paper_id for paper in rest]), dtype=np.int64)
    groups = groups_by_likeness(rows, pf.corpus) if len(rest) > 1 else [[place] for place in range(len(rest))]
    of_groups = [[rest[place] for place in group] for group in groups]
    return outline_of(
        title or shelf.name, answering, of_groups, lambda question, ids: bool(_answering(pf, question, ids))
    )


def _answering(pf: "Pathfinder", question: str, ids: Sequence[str]) -> list[Paper]:
    """Return the papers on the shelf that best match a question, or no papers if none is relevant to it."""
    result = pf.search(SearchRequest(question, within=tuple(ids), top_k=PAPERS_OF_A_QUESTION))
    if result.assessment is not None and not result.assessment.is_relevant:
        return []
    return [hit.paper for hit in result.hits]


def outline_of(
    title: str,
    questions: Sequence[tuple[str, Sequence[Paper]]],
    groups: Sequence[Sequence[Paper]],
    is_answered: Callable[[str, Sequence[str]], bool],
) -> ReviewDraft:
    """Return an outline with a section for each of the reader's `questions` and the papers that answer it, then one for
    each of `groups`, with a heading made of the phrases that distinguish the group.

    `is_answered` says whether papers, given by their ids, are relevant to a question. Of the questions and topics made
    from a group's phrases, its section gets the first to which its papers are relevant.
    """
    draft = ReviewDraft(draft_line(title))
    for question, papers in questions:
        draft = draft.add(heading_of(question), draft_line(question), _ids(papers))
    for phrases, papers in zip(group_phrases(groups), groups, strict=True):
        heading, ids = _heading(phrases), _ids(papers)
        about = (question_about(heading), heading, *map(question_about, phrases))
        draft = draft.add(heading, next((each for each in about if is_answered(each, ids)), about[0]), ids)
    return draft


def heading_of(question: str) -> str:
    """Return a heading for a question: "What is the age of the Sun?" becomes "The age of the Sun"; other questions stay
    as they are.
    """
    words = draft_line(question)
    topic = _QUESTION_WORDS.sub("", words)
    if topic != words:
        words = draft_line(topic.rstrip("?!. "))
    return words[:1].upper() + words[1:]


def question_about(heading: str) -> str:
    """Return the question that a section with this heading answers."""
    return draft_line(f"What is known about {heading}?")


def group_phrases(groups: Sequence[Sequence[Paper]]) -> list[list[str]]:
    """Return, for each group, the two phrases with the largest class-based TF-IDF (Grootendorst 2022): phrases that are
    frequent in the group and rare in the others.

    In a group of several papers, only phrases that at least two of them contain are considered.
    """
    spellings, counts = _count_phrases(groups)
    anywhere = Counter(key for of_group in counts for key in of_group)
    totals = [sum(of_group.values()) for of_group in counts]
    in_all: Counter[Lemmas] = Counter()
    for of_group in counts:
        in_all.update(of_group)
    phrases = []
    for group, of_group, total in zip(groups, counts, totals, strict=True):
        least = min(2, len(group))
        keys = [key for key, n in of_group.items() if n >= least]
        scores = class_tf_idf(
            np.array([of_group[key] for key in keys], dtype=np.int64),
            np.full(len(keys), total),
            np.array([in_all[key] for key in keys], dtype=np.int64),
            sum(totals) / len(groups),
        )
        weight = {key: score * (SINGLE_WORD if len(key) == 1 else 1.0) for key, score in zip(keys, scores, strict=True)}
        best = sorted(keys, key=lambda key: (anywhere[key] == len(groups) > 1, -weight[key], key))
        first_keys = list(distinct(best, lambda key: key))[:N_PHRASES]
        phrases.append([spellings[key] for key in first_keys])
    return phrases


def _count_phrases(groups: Sequence[Sequence[Paper]]) -> tuple[dict[Lemmas, str], list[Counter[Lemmas]]]:
    """Return the most common spelling of each phrase, and the number of papers in each group that contain it."""
    spellings: dict[Lemmas, Counter[str]] = {}
    counts = []
    for group in groups:
        of_group: Counter[Lemmas] = Counter()
        for paper in group:
            phrases: dict[Lemmas, str] = {}
            for phrase in _phrases(paper):
                phrases.setdefault(lemmas(phrase), phrase)
            of_group.update(key for key in phrases if key)
            for key, phrase in phrases.items():
                spellings.setdefault(key, Counter())[phrase] += 1
        counts.append(of_group)
    return {key: min(forms, key=lambda form: (-forms[form], form)) for key, forms in spellings.items()}, counts


def _phrases(paper: Paper) -> Iterator[str]:
    """Yield those subjects and keywords of a paper that can be used in a heading."""
    for phrase in (*paper.subjects, *paper.keywords):
        words = draft_line(readable(phrase))
        if 3 <= len(words) <= MAX_PHRASE and ":" not in words:
            yield words


def _heading(phrases: Sequence[str]) -> str:
    """Join phrases: "Cepheid distance and type Ia supernovae"; a name in capitals stays in capitals."""
    if not phrases:
        return "Further papers"
    first, *others = phrases
    return " and ".join((first[:1].upper() + first[1:], *map(_within_a_heading, others)))


def _within_a_heading(phrase: str) -> str:
    first, *others = phrase.split(" ")
    is_lower = first[1:].islower() and all(word.islower() for word in others)
    return phrase[:1].lower() + phrase[1:] if is_lower else phrase


def _ids(papers: Sequence[Paper]) -> list[str]:
    return [paper.paper_id for paper in papers]
