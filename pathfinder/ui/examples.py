"""Questions that the open library can answer, offered where nothing has been asked yet."""

import re
from collections import Counter
from contextlib import suppress

import streamlit as st

from pathfinder.errors import PathfinderError
from pathfinder.facade import Pathfinder
from pathfinder.index.words import content_stems
from pathfinder.text.latex.display import readable
from pathfinder.text.stop_words import STOP_WORDS_BY_LANGUAGE
from pathfinder.types import ModeName, SearchRequest
from pathfinder.ui.shared.resources import BY_CORPUS

_WORD = re.compile(r"[a-z]{4,}")
_N_TITLES, _N_COMMON = 3, 8
_FEW = 4
"""If fewer than one in so many examples of the field fit, they come last: a few words of theirs are in any library."""


@st.cache_data(show_spinner=False, max_entries=8, hash_funcs=BY_CORPUS)
def examples(pf: Pathfinder) -> tuple[str, ...]:
    """Return the examples of the field if the papers have every word of most of them; otherwise those of which they
    have every word, and questions about the keywords that most papers have, as far as their sentences answer these, or
    else titles of papers. A keyword that is part of another one is left to it. At least one.
    """
    known, stop_words = set(pf.corpus.papers.wording.words), STOP_WORDS_BY_LANGUAGE["English"]
    fitting = [each for each in pf.profile.examples if known.issuperset({*_WORD.findall(each.lower())} - stop_words)]
    if 2 * len(fitting) > len(pf.profile.examples):
        return pf.profile.examples
    counts = Counter(keyword for keywords in pf.corpus.papers.keywords() for keyword in set(keywords))
    common = [keyword for keyword, n in counts.most_common(_N_COMMON) if n > 1]
    questions = [f"What is known about {keyword}?" for keyword in common[:2]]
    questions += [f"How are {common[0]} and {common[1]} related?"] if len(common) > 1 else []
    narrow = [each for each in common[2:] if not any(content_stems(each) < content_stems(other) for other in common)]
    questions += [f"Which papers are about {keyword}?" for keyword in narrow[:2]]
    is_of_field = len(fitting) * _FEW >= len(pf.profile.examples)
    questions = [*fitting, *questions] if is_of_field else [*questions, *fitting]
    with suppress(PathfinderError):  # an outage is told once a question is asked
        questions = [question for question in questions if _has_answer(pf, question)]
    titles = map(readable, pf.corpus.papers.titles()[: max(_N_TITLES - len(questions), 0)])
    return (*questions, *titles) or pf.profile.examples[:1]


def _has_answer(pf: Pathfinder, question: str) -> bool:
    """Return whether sentences of the papers answer a question, without a chat model."""
    answer = pf.answer(pf.search(SearchRequest(question)), generation=ModeName.EXTRACTIVE)
    return not answer.abstained and not (answer.digest is not None and answer.digest.is_weak)
