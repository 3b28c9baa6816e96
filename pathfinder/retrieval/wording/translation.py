"""Questions in another language, put into the words of English papers by the table of terms in a profile and the table
of everyday words that ships for every field.

Nothing is translated but terms and question words: the search compares words and subjects, not sentences. Words are
compared by their stems and without accents, so that "agujeros negros" is "agujero negro".
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, product

import Stemmer

from pathfinder.corpus.store import Corpus
from pathfinder.index.words import QUESTION_STOP_WORDS, stems, words
from pathfinder.profile import Profile, Translations, everyday_words
from pathfinder.text.inflection import base_form
from pathfinder.text.language.lexicon_tagger import read_lexicon
from pathfinder.text.languages import language_of_script
from pathfinder.text.spelling import fold, words_near
from pathfinder.text.stop_words import STOP_WORDS_BY_LANGUAGE, TELLING_STOP_WORDS

PAPERS = "English"
"""Language of the papers whose words a table of terms gives."""
SHARE_CARRIED = 0.5
"""Minimum share of a question's content words that must have an English word."""
MAX_WORDS = 60
"""Number of words above which a question is a pasted text, which is not translated."""
LONGEST_TERM = 6
"""Maximum number of words in a term."""
SHORTEST_STEMMED = 3
"""Length of a word up to which it is not stemmed: the stem of "vie" (life) is that of "via"."""
COGNATE, LONG_COGNATE, COGNATE_START = 6, 8, 4
"""Minimum length of a word that may be English but for one letter ("quásar") or two ("gravitacional"), and of the start
that must agree.
"""
SHORTEST_PART = 4
"""Minimum length of the parts of a compound."""
TELLING_WORDS = 2
"""Minimum number of words that only the other language has, in a question all of whose words that language explains."""

_TOKEN = re.compile(r"[^\W_]+(?:[*+]+)?")
_ASKING = {
    "Spanish": {
        "que es": "what is", "que son": "what are", "cual es": "what is", "cuales son": "what are", "como": "how",
        "por que": "why", "cuando": "when", "donde": "where", "quien": "who", "quienes": "who", "cuanto": "how much",
        "cuantos": "how many", "cuantas": "how many", "cuanta": "how much",
    },
    "French": {
        "qu est ce que": "what is", "qu est ce qu": "what is", "qu est ce qui": "what", "quel est": "what is",
        "quelle est": "what is", "quels sont": "what are", "quelles sont": "what are", "comment": "how",
        "pourquoi": "why", "quand": "when", "ou est": "where", "ou sont": "where", "ou se": "where", "qui a": "who",
        "qui est": "who", "combien": "how many",
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


_PLURALS = {
    "Spanish": (("ces", "z"), ("es", ""), ("s", "")),
    "French": (("aux", "al"), ("x", ""), ("s", "")),
    "German": (),
    "Italian": (("che", "ca"), ("chi", "co"), ("ghe", "ga"), ("ghi", "go")),
    "Portuguese": (("oes", "ao"), ("aes", "ao"), ("ais", "al"), ("eis", "el"), ("ns", "m"), ("es", ""), ("s", "")),
}
"""Plural endings that stems leave apart, without accents, and the ending of the singular."""
_OF = frozenset(
    "l el la los las lo le les il i gli d de del du des di dei della dello delle degli dell da do das dos der die den "
    "dem von vom".split()
)
"""Articles and words for "of" in all these languages: a term may have them or not ("formation des étoiles")."""


@dataclass(frozen=True, slots=True)
class _Language:
    """The terms of a field and everyday words in one language."""

    name: str
    stemmer: Stemmer.Stemmer
    terms: Mapping[tuple[str, ...], str]
    """English terms, by the forms of the foreign ones."""
    asking: Mapping[tuple[str, ...], str]
    """English question words, by the foreign ones."""
    stop_words: frozenset[str]
    """Stop words and question words, without accents."""

    def forms(self, word: str) -> tuple[str, ...]:
        """Return the forms by which a word is found, without accents: the word itself, its stems, and the stem of its
        singular. Stop words, and the shortest words, whose stems say too little, are found only as they are: "más" is
        not the stem of "masa".
        """
        plain, stem = fold(word), self.stemmer.stemWord
        if len(plain) <= SHORTEST_STEMMED or plain in self.stop_words:
            return (plain,)
        singular = (plain[: -len(ending)] + end for ending, end in _PLURALS[self.name] if plain.endswith(ending))
        stemmed = (stem(plain), fold(stem(word.lower())), *(stem(word) for word in singular))
        return tuple(dict.fromkeys((plain, *(form for form in stemmed if form not in self.stop_words))))


def translated(question: str, corpus: Corpus) -> ForeignQuestion | None:
    """Return the language of `question`, and its English words if its terms can be carried; `None` if the question is
    in the language of the papers, or if its script is Latin and there is no table for its language.
    """
    tokens = [match[0] for match in _TOKEN.finditer(question)]
    if corpus.sparse.language != PAPERS or not 0 < len(tokens) <= MAX_WORDS:
        return None
    if (by_script := language_of_script(question)) is not None:
        return ForeignQuestion(by_script, None)
    lower = [fold(token) for token in tokens]
    likely = _languages_of(question, tokens, lower, corpus)
    if not likely:
        return None
    carried = [*_carry(tokens, lower, _language(corpus.profile.translations, likely[0]), corpus)]
    n_words = sum(n for _, n in carried)
    n_carried = sum(n for english, n in carried if english)
    # Everyday words name no subject: with a word lost, "¿Cuál es el mejor método para aprender inglés?" says nothing.
    subjects = _subjects(corpus.profile.translations).union(tokens, lower)
    has_subject = any(not subjects.isdisjoint({english, *english.split()}) for english, n in carried if n)
    if n_carried == 0 or n_carried < (SHARE_CARRIED if has_subject else 1) * n_words:
        return ForeignQuestion(" or ".join(likely), None)
    return ForeignQuestion(likely[0], _sentence(question, carried))


@lru_cache(maxsize=8)
def _subjects(translations: Translations) -> frozenset[str]:
    return frozenset(row[0] for row in translations.terms) - {row[0] for row in everyday_words().terms}


def _sentence(question: str, carried: Sequence[tuple[str, int]]) -> str:
    sentence = " ".join(dict.fromkeys(english for english, _ in carried if english))
    return f"{sentence[:1].upper()}{sentence[1:]}?" if question.rstrip().endswith("?") else sentence


def _languages_of(question: str, tokens: Sequence[str], lower: Sequence[str], corpus: Corpus) -> list[str]:
    """Return the languages in which a question may be and for which there is a table: those that explain most of its
    words. None if its stop words do not show that it is foreign, unless it has terms of such a language and no stop
    words of English, and either a term is not English and half of the content words are neither English nor in any
    paper, or that language explains all words, and no content word or several short words are not English.
    """
    by_stop_words = corpus.sparse.foreign_language(question)
    languages: dict[str, _Language] = {
        name: _language(corpus.profile.translations, name) for name in everyday_words().languages
    }
    preferred = set(by_stop_words.split(" or ")) & languages.keys() if by_stop_words else set(languages)
    if by_stop_words is None:
        english = QUESTION_STOP_WORDS.intersection(words(question))
        languages = {name: language for name, language in languages.items() if english <= language.stop_words}
    if not preferred or not languages:
        return []
    known = _known_words(corpus.profile)
    explained = {name: _n_explained(tokens, lower, language, known) for name, language in languages.items()}
    # Related languages share short words ("dos"), so that all of a question's words decide between them.
    ranks = {name: (all_words, name in preferred, terms) for name, (terms, all_words) in explained.items()}
    best = [name for name, rank in ranks.items() if rank == max(ranks.values())]
    if by_stop_words is not None:
        return best
    n_terms, n_words = explained[best[0]]
    if not n_terms:
        return []
    stop_words = languages[best[0]].stop_words
    content = [word for word in lower if word not in stop_words]
    foreign = [word for word in content if word not in known and not _is_english(word)]
    n_unknown = sum(not _in_papers(word, corpus) for word in foreign)
    matches = _matches(tokens, lower, languages[best[0]], known)
    is_met = any(not set(foreign).isdisjoint(lower[start:end]) for start, (end, _) in matches.items())
    own_words = stop_words - QUESTION_STOP_WORDS
    telling = {word for token, word in zip(tokens, lower, strict=True) if word in own_words and not token.isupper()}
    is_whole = n_words == len(lower) and len(telling) >= (1 if foreign == content else TELLING_WORDS)
    return best if is_whole or (is_met and n_unknown and 2 * n_unknown >= len(content)) else []


@lru_cache(maxsize=8)
def _known_words(profile: Profile) -> frozenset[str]:
    """Return the words of the field's English terms and of its names, without accents."""
    phrases = (*chain.from_iterable(profile.other_names), *(row[0] for row in profile.translations.terms))
    return frozenset(token for phrase in phrases for token in _TOKEN.findall(fold(phrase)))


def _is_english(word: str) -> bool:
    return not read_lexicon().keys().isdisjoint({word, word.title(), base_form(word)})


def _n_explained(tokens: Sequence[str], lower: Sequence[str], language: _Language, known: Set[str]) -> tuple[int, int]:
    """Count the words of a question that are in terms of a language, and those that are in terms, question words or
    stop words.
    """
    matches = _matches(tokens, lower, language, known)
    in_terms = {place for start, (end, _) in matches.items() for place in range(start, end)}
    short = {place for place, word in enumerate(lower) if word in language.stop_words or word.isdigit()}
    return len(in_terms), len(in_terms | short)


def _carry(
    tokens: Sequence[str], lower: Sequence[str], language: _Language, corpus: Corpus
) -> Iterator[tuple[str, int]]:
    """Yield the English words of each part of a question, "" if it has none, and its number of content words."""
    terms = _matches(tokens, lower, language, _known_words(corpus.profile))
    asking = _asked(lower, language)
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


def _matches(
    tokens: Sequence[str], lower: Sequence[str], language: _Language, known: Set[str]
) -> dict[int, tuple[int, str]]:
    """Return the end and the English words of each term in a question, by its start; longer terms come first. A German
    compound may begin with one of the `known` names.
    """
    forms = [language.forms(token) for token in tokens]
    matches: dict[int, tuple[int, str]] = {}
    place = 0
    while place < len(tokens):
        for end in range(min(len(tokens), place + LONGEST_TERM), place, -1):
            inside = [other for other in range(place, end) if other in {place, end - 1} or lower[other] not in _OF]
            spellings = (range(place, end), inside) if len(inside) < end - place else (inside,)
            keys = (key for places in spellings for key in product(*(forms[other] for other in places)))
            english = next((language.terms[key] for key in keys if key in language.terms), None)
            if english is not None:
                matches[place] = end, english
                break
        else:
            if english := _compound(tokens[place], language, known):
                matches[place] = place + 1, english
        place = matches[place][0] if place in matches else place + 1
    return matches


def _asked(lower: Sequence[str], language: _Language) -> dict[int, tuple[int, str]]:
    """Return the end and the English words of each question word in a question, by its start."""
    asked: dict[int, tuple[int, str]] = {}
    for place in range(len(lower)):
        for end in range(min(len(lower), place + LONGEST_TERM), place, -1):
            if (key := tuple(lower[place:end])) in language.asking:
                asked[place] = end, language.asking[key]
                break
    return asked


def _compound(token: str, language: _Language, known: Set[str]) -> str:
    """Return the English words of a German compound of two terms ("Wellenlänge"), or of a `known` name and a term
    ("Virgohaufen"); "" if it is none.
    """
    if language.name != "German":
        return ""
    for middle in range(SHORTEST_PART, len(token) - SHORTEST_PART + 1):
        parts = (language.forms(token[:middle]), language.forms(token[middle:]))
        first, second = (
            next((language.terms[form,] for form in part if (form,) in language.terms), "") for part in parts
        )
        name = token[:middle] if fold(token[:middle]) in known else ""
        if second and (first or name):
            return f"{first or name} {second}"
    return ""


def _own_word(token: str, word: str, corpus: Corpus) -> str:
    """Return a word that papers have as it is, without its accents, or but for the spelling of a cognate; "" if there
    is none.
    """
    if _in_papers(token, corpus):
        return token
    if _in_papers(word, corpus):
        return word
    if len(word) < COGNATE:
        return ""
    near = words_near(word, corpus.papers.wording.words_from(word[:COGNATE_START]), 1 + (len(word) >= LONG_COGNATE))
    return min(near, key=lambda entry: (entry[1], entry[0]))[0] if near else ""


def _in_papers(word: str, corpus: Corpus) -> bool:
    return bool(corpus.sparse.document_frequencies(stems(words(word), QUESTION_STOP_WORDS)).any())


@lru_cache(maxsize=32)
def _language(translations: Translations, name: str) -> _Language:
    stop_words = STOP_WORDS_BY_LANGUAGE[name] | TELLING_STOP_WORDS[name]
    asking = {tuple(foreign.split()): english for foreign, english in _ASKING[name].items()}
    folded = frozenset(token for word in (*stop_words, *_ASKING[name]) for token in _TOKEN.findall(fold(word)))
    language = _Language(name, Stemmer.Stemmer(name.lower()), {}, asking, folded)
    tables = (translations, everyday_words())
    entries = [entry for table in tables if name in table.languages for entry in table.entries(name)]
    return replace(language, terms=_by_forms(entries, language))


def _by_forms(entries: Iterable[tuple[str, str]], language: _Language) -> dict[tuple[str, ...], str]:
    """Return English terms by the forms of the foreign ones: as they are written first, then by their stems, then
    without words for "of", and at last two words in the other order.
    """
    exact: dict[tuple[str, ...], str] = {}
    stemmed: dict[tuple[str, ...], str] = {}
    shortened: dict[tuple[str, ...], str] = {}
    turned: dict[tuple[str, ...], str] = {}
    for foreign, english in entries:
        tokens = _TOKEN.findall(foreign)
        exact.setdefault(tuple(fold(token) for token in tokens), english)
        forms = [language.forms(token) for token in tokens]
        telling = [entry for token, entry in zip(tokens, forms, strict=True) if fold(token) not in _OF]
        for key in product(*forms):
            stemmed.setdefault(key, english)
        if len(telling) > 1:
            for key in product(*telling):
                shortened.setdefault(key, english)
                if len(key) == 2:
                    turned.setdefault(key[::-1], english)
    return {**turned, **shortened, **stemmed, **exact}
