"""Counts the people, dates and places that a sentence names, for questions that ask who, when or where."""

import re

from pathfinder.answering.digest import cues
from pathfinder.answering.digest.aspects import aspects_of
from pathfinder.answering.digest.features import share_of_subjects
from pathfinder.text.author_names import parse_name
from pathfinder.text.sentences import split_sentences
from pathfinder.types import Paper

MOST_FACTS = 3

LEAST_COVERED_BESIDE_A_FACT = 0.5
"""Minimum share of the question's subjects in the title and the excerpt that answer who, when or where."""

_PROJECT = re.compile(
    r"(?:\b[A-Z][\w-]+\s)+(?:Survey|Telescope|Camera|Observatory|Collaboration|Instrument|Experiment|Project|Array)\b"
)
"""A name of which subjects are only parts: a mention of the Dark Energy Survey is not about dark energy."""


def asks_for_a_fact(question: str) -> bool:
    """Return whether `question` asks who, when or where."""
    return any(cue.search(question) for cue in (cues.ASKS_WHO, cues.ASKS_WHEN, cues.ASKS_WHERE))


def facts_in(question: str, paper: Paper, sentence: str) -> int:
    """Return how many persons or places (up to three) or dates (up to one) `sentence` names if the question asks who,
    where or when; 1 for other questions.
    """
    if cues.ASKS_WHO.search(question):
        surnames = {parse_name(author).last for author in paper.authors}
        n_authors = sum(
            len(name) > 1 and re.search(rf"\b{re.escape(name)}\b", sentence) is not None for name in surnames
        )
        return min(max(n_authors, len(cues.NAMES_A_PERSON.findall(sentence))), MOST_FACTS)
    if cues.ASKS_WHEN.search(question):
        return min(len(cues.NAMES_A_DATE.findall(sentence)), 1)
    if cues.ASKS_WHERE.search(question):
        return min(len(cues.NAMES_A_PLACE.findall(sentence)), MOST_FACTS)
    return 1


def tells_the_fact(question: str, paper: Paper, excerpt: str) -> bool:
    """Return whether `excerpt` answers a question about who, when or where: it names the person, date or place, it or
    the title has half of the question's subjects and, if the question asks about a discovery, a sentence with a subject
    mentions one. A person, date or place alone may belong to something else.
    """
    if not facts_in(question, paper, excerpt):
        return False
    title, own = (text if _PROJECT.search(question) else _PROJECT.sub(" ", text) for text in (paper.title, excerpt))
    least = 1.0 if aspects_of(question) else LEAST_COVERED_BESIDE_A_FACT  # an origin has no name that could be missing
    if share_of_subjects(question, f"{title}. {own}") < least:
        return False
    return not cues.ASKS_FOR_THE_FIRST.search(question) or any(
        cues.SPEAKS_OF_A_FIRST.search(sentence) and share_of_subjects(question, sentence) > 0
        for sentence in (title, *split_sentences(own))
    )
