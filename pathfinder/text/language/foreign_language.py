"""Keywords of questions in other languages that use Latin script, found with the stop words of each language."""

import re
from collections.abc import Iterator

from pathfinder.text.languages import foreign_language_of
from pathfinder.text.stop_words import TELLING_STOP_WORDS

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W_]+)*|[^\W_]+|\S")


def foreign_keywords(question: str) -> list[str] | None:
    """Return the runs of up to three content words of a question that is not in English; `None` if it is in English or
    too short to identify its language.
    """
    question_words = _WORD.findall(question)
    language = foreign_language_of([word.lower() for word in question_words])
    return None if language is None else list(_content_runs(question_words, TELLING_STOP_WORDS[language]))


def _content_runs(question_words: list[str], stop_words: frozenset[str]) -> Iterator[str]:
    run: list[str] = []
    for word in [*question_words, "."]:
        if word.lower() not in stop_words and any(map(str.isalpha, word)) and len(run) < 3:
            run.append(word)
        else:
            if run:
                yield " ".join(run)
            run = []
