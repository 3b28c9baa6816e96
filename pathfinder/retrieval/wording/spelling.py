"""Spelling: words of a question that no paper has, with the word of the papers that was probably meant."""

import re
from collections.abc import Iterator
from functools import lru_cache

from pathfinder.corpus.store import Corpus
from pathfinder.index.words import QUESTION_STOP_WORDS, stems
from pathfinder.profile import Names
from pathfinder.text.language.lexicon_tagger import read_lexicon
from pathfinder.text.spelling import fold, without_possessive, words_near

MAX_WORDS = 60
"""Number of words above which a question is a pasted text, whose words are left alone."""
MOST_CORRECTED = 5
"""Maximum number of words that are looked up, since each is compared with every word of the papers."""
SHORT, LONG = 4, 8
"""Minimum length of a word that may have one typing error, and of a word that may have two."""
N_BESIDE = 50
"""Number of papers on the rest of a question in which a word that may be meant is sought."""
FREQUENT = {1: 2, 2: 3}
"""Minimum number of papers with the word that was meant, by the number of typing errors; one is enough for a long word
with one error.
"""

_CHUNK = re.compile(r"\S{1,200}")
_NO_WORD = re.compile(r"[\d/:@\\_*=+$^{}<>|&%#~]")
_WORD = re.compile(r"[^\W\d_]{4,40}(?:['’]s)?")


def corrected(question: str, corpus: Corpus) -> str:
    """Return `question` with each word that no paper has replaced by the nearest word that several papers have.

    Left alone are words of everyday English, of authors' names, of the thesaurus and of the profile, acronyms, and
    whatever stands next to a digit or a sign. The first letter must be right, and a name in the midst of a question may
    have only one error.
    """
    if len(question.split()) > MAX_WORDS:
        return question
    text = question
    for start, end in reversed([*_unknown_words(question, corpus)][:MOST_CORRECTED]):
        word = question[start:end]
        rest = f"{question[:start]} {question[end:]}"
        if (meant := _meant(word, start == 0, rest, corpus)) is not None:
            text = f"{text[:start]}{meant.capitalize() if word[0].isupper() else meant}{text[end:]}"
    return text


def _unknown_words(question: str, corpus: Corpus) -> Iterator[tuple[int, int]]:
    """Yield the place of each word of `question` that neither English nor the corpus knows."""
    for chunk in _CHUNK.finditer(question):
        text = chunk[0].rstrip(".,;:?!)]\"'”’")
        if _NO_WORD.search(text):
            continue
        for match in _WORD.finditer(text):
            word = without_possessive(match[0])
            if not _is_known(word, corpus):
                yield chunk.start() + match.start(), chunk.start() + match.start() + len(word)


@lru_cache(maxsize=1)
def _everyday_stems() -> frozenset[str]:
    return frozenset(stems([word.lower() for word in read_lexicon()], QUESTION_STOP_WORDS))


def _is_known(word: str, corpus: Corpus) -> bool:
    lower = word.lower()
    if word.isupper() or any(letter.isupper() for letter in word[1:]) or lower in QUESTION_STOP_WORDS:
        return True
    if lower in read_lexicon() or not _everyday_stems().isdisjoint(stems([lower], QUESTION_STOP_WORDS)):
        return True
    if corpus.sparse.document_frequencies(stems([lower], QUESTION_STOP_WORDS)).any():
        return True
    return (
        fold(word) in corpus.papers.wording.author_words
        or lower in _words_of(corpus.profile.names, corpus.profile.other_names)
        or (corpus.thesaurus is not None and corpus.thesaurus.has_word(lower))
    )


@lru_cache(maxsize=8)
def _words_of(names: Names, other_names: tuple[tuple[str, ...], ...]) -> frozenset[str]:
    """Return the words of the names that a profile knows, in lower case."""
    lists = (names.objects, names.catalogues, names.kinds, names.classes, names.things, *names.forms)
    phrases = (phrase for entries in (*lists, *other_names) for phrase in entries)
    return frozenset(word.lower() for phrase in phrases for word in _WORD.findall(phrase))


def _meant(word: str, is_first: bool, rest: str, corpus: Corpus) -> str | None:
    """Return the nearest word of the papers or of the profile's names; of several, the one that most of the papers on
    the `rest` of the question have ("neutrno oscillations" is not about neutrons), then the most frequent one. `None`
    if there is none.
    """
    lower = word.lower()
    is_name = word[0].isupper() and not is_first
    may_have_two = len(lower) >= LONG and not is_name
    of_profile = _words_of(corpus.profile.names, corpus.profile.other_names)
    known = {*corpus.papers.wording.words_from(lower[0]), *(name for name in of_profile if name[0] == lower[0])}
    beside = corpus.sparse.search(rest, N_BESIDE).rows
    candidates = []
    for other, n_errors in words_near(lower, sorted(known), 2 if may_have_two else 1):
        if n_errors == 0:  # a word of the papers that the sparse index does not have
            return None
        own = stems([other], frozenset())
        n_papers, n_beside = (
            int(corpus.sparse.document_frequencies(own).sum()),
            int(corpus.sparse.share_of_words(own, beside).sum()),
        )
        least = 1 if n_errors == 1 and len(lower) >= LONG else FREQUENT[n_errors]
        if n_papers >= least or other in of_profile:
            candidates.append((n_errors, -n_beside, -n_papers, other))
    return min(candidates)[-1] if candidates else None
