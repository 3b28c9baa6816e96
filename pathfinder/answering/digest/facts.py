"""Counts the people, dates and places that a sentence names, for questions that ask who, when or where."""

import re
from functools import cache

from pathfinder.answering.digest import cues
from pathfinder.answering.digest.scoring import share_of_subjects
from pathfinder.profile import Profile, astronomy
from pathfinder.text.author_names import parse_name
from pathfinder.text.sentences import split_sentences
from pathfinder.types import Paper

MOST_FACTS = 3

LEAST_COVERED_BESIDE_A_FACT = 0.5
"""Minimum share of the question's subjects that a title and an excerpt must contain together to answer a question that
asks who, when or where.
"""


def asks_for_a_fact(question: str) -> bool:
    """Return whether `question` asks who, when or where."""
    return any(cue.search(question) for cue in (cues.ASKS_WHO, cues.ASKS_WHEN, cues.ASKS_WHERE))


def facts_in(question: str, paper: Paper, sentence: str, profile: Profile | None = None) -> int:
    """Return how many people or places (up to three) or dates (up to one) `sentence` names if the question asks who,
    where or when; 1 for other questions. `profile` says what else counts as a date in the field, by default astronomy.
    """
    if cues.ASKS_WHO.search(question):
        surnames = {parse_name(author).last for author in paper.authors}
        n_authors = sum(
            len(name) > 1 and re.search(rf"\b{re.escape(name)}\b", sentence) is not None for name in surnames
        )
        return min(max(n_authors, len(cues.NAMES_A_PERSON.findall(sentence))), MOST_FACTS)
    if cues.ASKS_WHEN.search(question):
        return int(any(pattern.search(sentence) for pattern in (cues.NAMES_A_DATE, _dates(profile))))
    if cues.ASKS_WHERE.search(question):
        return min(len(cues.NAMES_A_PLACE.findall(sentence)), MOST_FACTS)
    return 1


def tells_the_fact(question: str, paper: Paper, excerpt: str, profile: Profile | None = None) -> bool:
    """Return whether `excerpt` answers a question that asks who, when or where.

    It must name a person, date or place. Because the name or date may concern something else, the excerpt and the
    title together must also contain at least half of the question's subjects, or all of them if the question asks about
    an origin. If the question asks about a discovery, a sentence with one of these subjects must mention a discovery.
    """
    if not facts_in(question, paper, excerpt, profile):
        return False
    title = paper.title
    if share_of_subjects(question, f"{title}. {excerpt}") < LEAST_COVERED_BESIDE_A_FACT:
        return False
    return not cues.ASKS_FOR_THE_FIRST.search(question) or any(
        cues.SPEAKS_OF_A_FIRST.search(sentence)
        and share_of_subjects(question, sentence) > 0
        and share_of_subjects(question, f"{title}. {sentence}") > LEAST_COVERED_BESIDE_A_FACT
        for sentence in (title, *split_sentences(excerpt))
    )


@cache
def _dates(profile: Profile | None) -> re.Pattern[str]:
    """Return the pattern for expressions other than years that give a date in a field: "redshift 6"."""
    return re.compile("|".join((profile or astronomy()).names.dates) or "(?!)")
