"""Questions in another language, put into the words of English papers by the table of terms in a profile.

Nothing is translated but terms and question words: the search compares words and subjects, not sentences. Words are
compared by their stems and without accents, so that "agujeros negros" is "agujero negro".
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import Stemmer

from pathfinder.corpus.store import Corpus
from pathfinder.index.words import QUESTION_STOP_WORDS, stems, words
from pathfinder.profile import Translations
from pathfinder.text.inflection import base_form
from pathfinder.text.language.lexicon import read_lexicon
from pathfinder.text.spelling import fold, words_near
from pathfinder.text.stop_words import STOP_WORDS_BY_LANGUAGE, TELLING_STOP_WORDS

PAPERS = "English"
"""Language of the papers whose words a table of terms gives."""
SHARE_CARRIED = 0.5
"""Minimum share of a question's content words that must have an English word."""
MAX_WORDS = 60
"""Number of words above which a question is a pasted text, which is not translated."""
LONGEST_TERM = 5
"""Maximum number of words in a term."""
SHORTEST_STEMMED = 3
"""Length of a word up to which it is not stemmed: the stem of "vie" (life) is that of "via"."""
COGNATE, COGNATE_START = 6, 4
"""Minimum length of a word that may be English but for its spelling ("gravitacional"), and of the start that must
agree.
"""

_TOKEN = re.compile(r"[^\W_]+(?:[*+]+)?")
_ASKING = {
    "Spanish": {
        "que es": "what is", "que son": "what are", "cual es": "what is", "cuales son": "what are", "como": "how",
        "por que": "why", "cuando": "when", "donde": "where", "quien": "who", "quienes": "who", "cuanto": "how much",
        "cuantos": "how many", "cuantas": "how many", "cuanta": "how much",
    },
    "French": {
        "qu est ce que": "what is", "qu est ce qu": "what is", "quel est": "what is", "quelle est": "what is",
        "quels sont": "what are", "quelles sont": "what are", "comment": "how", "pourquoi": "why", "quand": "when",
        "ou": "where", "qui": "who", "combien": "how many",
    },
    "German": {
        "was ist": "what is", "was sind": "what are", "wie viele": "how many", "wie viel": "how much", "wie": "how",
        "warum": "why", "wieso": "why", "wann": "when", "wo": "where", "wer": "who",
    },
    "Italian": {
        "che cos e": "what is", "cos e": "what is", "che cosa e": "what is", "cosa e": "what is",
        "cosa sono": "what are", "che cosa sono": "what are", "qual e": "what is", "quali sono": "what are",
        "come": "how", "perche": "why", "quando": "when", "dove": "where", "chi": "who", "quanto": "how much",
        "quanti": "how many", "quante": "how many",
    },
    "Portuguese": {
        "o que e": "what is", "o que sao": "what are", "que e": "what is", "qual e": "what is",
        "quais sao": "what are", "como": "how", "por que": "why", "porque": "why", "quando": "when", "onde": "where",
        "quem": "who", "quanto": "how much", "quantos": "how many", "quantas": "how many",
    },
}  # fmt: skip
"""Question words of each language, without accents, and their English words."""


@dataclass(frozen=True, slots=True)
class ForeignQuestion:
    """A question that is not in the language of the papers."""

    language: str
    """English name of its language."""
    english: str | None
    """The question in English words; `None` if too few of its content words have one."""


@dataclass(frozen=True, slots=True)
class _Language:
    """The terms of a field in one language."""

    stemmer: Stemmer.Stemmer
    terms: Mapping[tuple[str, ...], str]
    """English terms, by the stems of the foreign ones."""
    asking: Mapping[tuple[str, ...], str]
    """English question words, by the stems of the foreign ones."""
    stop_words: frozenset[str]

    def stems(self, phrase: Sequence[str]) -> tuple[str, ...]:
        """Return the stems of words in lower case and without accents; of the shortest, whose stems say too little, the
        words themselves.
        """
        return _stems(phrase, self.stemmer)


def _stems(phrase: Sequence[str], stemmer: Stemmer.Stemmer) -> tuple[str, ...]:
    return tuple(stemmer.stemWord(word) if len(word) > SHORTEST_STEMMED else word for word in phrase)


def translated(question: str, corpus: Corpus) -> ForeignQuestion | None:
    """Return the language of `question`, and its English words if its terms can be carried; `None` if the question is
    in the language of the papers, or if the profile has no table for its language.
    """
    translations = corpus.profile.translations
    tokens = [match[0] for match in _TOKEN.finditer(question)]
    if corpus.sparse.language != PAPERS or not translations.languages or not 0 < len(tokens) <= MAX_WORDS:
        return None
    lower = [fold(token) for token in tokens]
    likely = _languages_of(question, lower, corpus)
    if not likely:
        return None
    carried = [*_carry(tokens, lower, _language(translations, likely[0]), corpus)]
    n_words = sum(n for _, n in carried)
    n_carried = sum(n for english, n in carried if english)
    if n_carried == 0 or n_carried < SHARE_CARRIED * n_words:
        return ForeignQuestion(" or ".join(likely), None)
    return ForeignQuestion(likely[0], _sentence(question, carried))


def _sentence(question: str, carried: Sequence[tuple[str, int]]) -> str:
    sentence = " ".join(dict.fromkeys(english for english, _ in carried if english))
    return f"{sentence[:1].upper()}{sentence[1:]}?" if question.rstrip().endswith("?") else sentence


def _languages_of(question: str, lower: Sequence[str], corpus: Corpus) -> list[str]:
    """Return the languages in which a question may be and for which the profile has a table: those that explain most of
    its words. None if its stop words do not show that it is foreign, unless it has terms of such a language and no stop
    words of English, and either half of its content words are neither English nor in any paper, or that language
    explains all its words, none of which is English.
    """
    translations, by_stop_words = corpus.profile.translations, corpus.sparse.foreign_language(question)
    languages: dict[str, _Language] = {name: _language(translations, name) for name in translations.languages}
    if by_stop_words is None:
        english = QUESTION_STOP_WORDS.intersection(words(question))
        likely = [name for name, language in languages.items() if english <= language.stop_words]
    else:
        likely = by_stop_words.split(" or ")
    explained = {name: _n_explained(lower, language) for name, language in languages.items() if name in likely}
    most = max(explained.values(), default=(0, 0))
    best = [name for name, numbers in explained.items() if numbers == most]
    if by_stop_words is not None or not best or not most[0]:
        return best if by_stop_words is not None else []
    stop_words = languages[best[0]].stop_words
    content = [word for word in lower if word not in stop_words]
    foreign = [word for word in content if read_lexicon().keys().isdisjoint({word, word.title(), base_form(word)})]
    n_unknown = sum(not _in_papers(word, corpus) for word in foreign)
    has_stop_word = not (stop_words - QUESTION_STOP_WORDS).isdisjoint(lower)
    is_whole = has_stop_word and foreign == content and most[1] == len(lower)
    return best if is_whole or (n_unknown and 2 * n_unknown >= len(content)) else []


def _n_explained(lower: Sequence[str], language: _Language) -> tuple[int, int]:
    """Count the words of a question that are in terms of a language, and those that are in terms or stop words."""
    n_terms = sum(end - start for start, (end, _) in _matches(language.stems(lower), language.terms).items())
    return n_terms, n_terms + sum(word in language.stop_words for word in lower)


def _carry(
    tokens: Sequence[str], lower: Sequence[str], language: _Language, corpus: Corpus
) -> Iterator[tuple[str, int]]:
    """Yield the English words of each part of a question, "" if it has none, and its number of content words."""
    question_stems = language.stems(lower)
    terms, asking = _matches(question_stems, language.terms), _matches(question_stems, language.asking)
    place = 0
    while place < len(tokens):
        end = place + 1
        if place in terms:
            end, english = terms[place]
            yield english, sum(word not in language.stop_words for word in lower[place:end]) or 1
        elif place in asking:
            end, english = asking[place]
            yield english, 0
        elif lower[place].isdigit():
            yield lower[place], 0
        elif lower[place] not in language.stop_words and len(lower[place]) > 1:
            yield _own_word(tokens[place], lower[place], corpus), 1
        place = end


def _matches(question_stems: Sequence[str], entries: Mapping[tuple[str, ...], str]) -> dict[int, tuple[int, str]]:
    """Return the end and the English words of each entry in a question, by its start; longer entries come first."""
    matches: dict[int, tuple[int, str]] = {}
    place = 0
    while place < len(question_stems):
        ends = range(min(len(question_stems), place + LONGEST_TERM), place, -1)
        end = next((end for end in ends if tuple(question_stems[place:end]) in entries), None)
        if end is not None:
            matches[place] = end, entries[tuple(question_stems[place:end])]
        place = end or place + 1
    return matches


def _own_word(token: str, word: str, corpus: Corpus) -> str:
    """Return a word that papers have as it is, or but for the spelling of a cognate; "" if there is none."""
    if _in_papers(word, corpus):
        return token
    if len(word) < COGNATE:
        return ""
    near = words_near(word, corpus.papers.wording.words_from(word[:COGNATE_START]), 2)
    return min(near, key=lambda entry: (entry[1], entry[0]))[0] if near else ""


def _in_papers(word: str, corpus: Corpus) -> bool:
    return bool(corpus.sparse.document_frequencies(stems(words(word), QUESTION_STOP_WORDS)).any())


@lru_cache(maxsize=32)
def _language(translations: Translations, name: str) -> _Language:
    stemmer = Stemmer.Stemmer(name.lower())

    def by_stems(entries: Iterator[tuple[str, str]]) -> dict[tuple[str, ...], str]:
        found: dict[tuple[str, ...], str] = {}
        for foreign, english in entries:
            found.setdefault(_stems([fold(token) for token in _TOKEN.findall(foreign)], stemmer), english)
        return found

    stop_words = STOP_WORDS_BY_LANGUAGE[name] | TELLING_STOP_WORDS[name]
    return _Language(
        stemmer,
        by_stems(translations.entries(name)),
        by_stems(iter(_ASKING.get(name, {}).items())),
        frozenset(token for word in stop_words for token in _TOKEN.findall(fold(word))),
    )
