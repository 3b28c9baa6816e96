"""Words of a text as the sparse index sees them, and the language that they are of."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

import Stemmer
from bm25s import stopwords

_WORD = re.compile(r"\w\w+")

INDEX_STOP_WORDS = frozenset(stopwords.STOPWORDS_EN)
"""Too frequent in English to be worth a place in the index."""

QUESTION_STOP_WORDS = INDEX_STOP_WORDS | frozenset(stopwords.STOPWORDS_EN_PLUS)
"""A question also has words that ask ("what", "which", "does") and name nothing."""

STOP_WORDS_BY_LANGUAGE = {
    "English": QUESTION_STOP_WORDS,
    "German": frozenset(stopwords.STOPWORDS_GERMAN),
    "Dutch": frozenset(stopwords.STOPWORDS_DUTCH),
    "French": frozenset(stopwords.STOPWORDS_FRENCH),
    "Spanish": frozenset(stopwords.STOPWORDS_SPANISH),
    "Portuguese": frozenset(stopwords.STOPWORDS_PORTUGUESE),
    "Italian": frozenset(stopwords.STOPWORDS_ITALIAN),
    "Russian": frozenset(stopwords.STOPWORDS_RUSSIAN),
    "Swedish": frozenset(stopwords.STOPWORDS_SWEDISH),
    "Norwegian": frozenset(stopwords.STOPWORDS_NORWEGIAN),
    "Danish": frozenset(stopwords.STOPWORDS_DANISH),
    "Turkish": frozenset(stopwords.STOPWORDS_TURKISH),
}


def words(text: str) -> list[str]:
    """Lower-cased runs of at least two letters, digits or underscores, in any script."""
    return _WORD.findall(text.lower())


@lru_cache(maxsize=1)
def _stemmer() -> Stemmer.Stemmer:
    return Stemmer.Stemmer("english")


def stems(tokens: Sequence[str], stop_words: frozenset[str]) -> list[str]:
    """Snowball stems of `tokens` less `stop_words`, repetitions kept."""
    return list(_stemmer().stemWords([token for token in tokens if token not in stop_words]))


def languages_of(texts: Iterable[str]) -> tuple[str, ...]:
    """The languages whose stop words occur most often: none when none occurs, several when they tie."""
    counts = Counter(word for text in texts for word in words(text))
    found = {
        language: sum(counts[word] for word in stop_words) for language, stop_words in STOP_WORDS_BY_LANGUAGE.items()
    }
    most = max(found.values())
    return tuple(language for language, n in found.items() if n == most) if most else ()


def count_stop_words(text: str, language: str) -> int:
    """How many words of `text` are stop words of `language`."""
    return sum(word in STOP_WORDS_BY_LANGUAGE[language] for word in words(text))
