"""The predictors by which the sentences in an abstract are scored as answers to a question."""

import re
from collections import Counter
from collections.abc import Collection, Sequence

import numpy as np

from pathfinder.answering.digest import cues
from pathfinder.answering.digest.aspects import Aspect, aspects_of
from pathfinder.answering.digest.closeness import Closeness
from pathfinder.answering.digest.sentences import stands_alone
from pathfinder.index.words import QUESTION_STOP_WORDS, stems, words
from pathfinder.text.languages import languages_of
from pathfinder.text.sentences import split_sentences
from pathfinder.text.stop_words import STOP_WORDS_BY_LANGUAGE
from pathfinder.types import Floats

PREDICTORS = (
    *("meaning", "token_match", "shared_words"),
    *("result", "method", "method_and_result", "background", "outlook", "hedge", "comparison", "negation", "addition"),
    *("figures", "figures_if_asked", "log_length", "depends_on_another", "position", "is_first", "is_last"),
)
"""Names of the predictors. The first three are standardised within the abstract: what counts is which sentence is
closest to the question, not how close they all are.
"""

_SOFTENING = 0.02
"""Number added to a standard deviation, so that noise does not distinguish sentences that are all alike."""
_MOST_FIGURES = 4
_LEAST_BEGINNING = 6
"""Minimum number of letters in a word that can count as the beginning of another."""

_OTHER_MEANING = 0.5
"""Weight of a text with "moon", as a fraction of a full match, if the question names "the Moon"."""

_APART = re.compile(r"\b([A-Z]{2,})[ -](?=\d{2})")
"""Letters of a designation, separated from its number by a space or a hyphen."""

_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]+(?![\w-])")
"""A word that is capitalised in a question although it is not the first."""


def predictors_of(question: str, sentences: Sequence[str], closeness: Closeness) -> Floats:
    """Return the predictors of all `sentences` in an abstract, in order, shape (n_sentences, n_predictors)."""
    n = len(sentences)
    place = np.arange(n)
    result, method = _has(cues.RESULT, sentences), _has(cues.METHOD, sentences)
    figures = np.array([min(len(cues.FIGURE.findall(s)), _MOST_FIGURES) / _MOST_FIGURES for s in sentences])
    columns = (
        standardise(closeness.meaning),
        standardise(closeness.token_match),
        standardise(shared_words(question, sentences)),
        result,
        method * (1 - result),
        method * result,
        *(
            _has(cue, sentences)
            for cue in (cues.BACKGROUND, cues.OUTLOOK, cues.HEDGE, cues.COMPARISON, cues.NEGATION, cues.ADDITION)
        ),
        figures,
        figures * (cues.ASKS_FOR_A_FIGURE.search(question) is not None),
        np.log([max(len(sentence.split()), 2) for sentence in sentences]),
        np.array([not stands_alone(sentence) for sentence in sentences]),
        place / max(n - 1, 1),
        place == 0,
        place == n - 1,
    )
    return np.stack([np.asarray(column, dtype=np.float64) for column in columns], axis=1)


def shared_words(question: str, sentences: Sequence[str]) -> Floats:
    """Compute the share of the question's words that each sentence contains, in [0, 1], weighted by rarity; the weight
    is `log(1 + n / n_w)` for a word in `n_w` of the `n` sentences.
    """
    asked_stems, own = content_stems(question), [content_stems(sentence) for sentence in sentences]
    counts = Counter(stem for stems_found in own for stem in stems_found)
    rarity = {stem: float(np.log1p(len(sentences) / max(counts[stem], 1))) for stem in asked_stems}
    total = sum(rarity.values()) or 1.0
    return np.array([sum(rarity[stem] for stem in stems_found & asked_stems) / total for stems_found in own])


def coverage(question: str, texts: Sequence[str]) -> Floats:
    """Compute the share of the question's subjects that each of `texts` contains, in [0, 1], weighted by rarity; 1 if
    the question names none. The aspect that it asks about, such as an origin, is a subject too.

    The weight of a word in `n_w` of the `n` texts is `log(1 + n / (n_w + 1/2))`, so that a word that no text contains
    counts most. A word also counts as contained if it is the beginning of a word in the text, or vice versa:
    "exoplaneta", "exoplanet". A name counts as half contained if it occurs only in lower case, as in "the moon Io".
    """
    asked_stems, own = sorted(subjects_of(question)), [content_stems(text) for text in texts]
    if not asked_stems:
        return np.ones(len(texts))
    names = _names_in(question)
    columns = [
        [_contains(each, stem) * _share_of_name(names.get(stem), text) for each, text in zip(own, texts, strict=True)]
        for stem in asked_stems
    ]
    columns += [[speaks_of(aspect, asked_stems, text) for text in texts] for aspect in aspects_of(question)]
    contains = np.array(columns, dtype=np.float64).T.reshape(len(texts), len(columns))
    weights = np.log1p(len(texts) / (contains.sum(axis=0) + 0.5))
    return np.asarray(contains @ weights / weights.sum(), dtype=np.float64)


def share_of_subjects(question: str, text: str) -> float:
    """Compute the share of the question's subjects that `text` contains, in [0, 1]; 1 if the question names none."""
    asked_stems, own = subjects_of(question), content_stems(text)
    return sum(_contains(own, stem) for stem in asked_stems) / len(asked_stems) if asked_stems else 1.0


def subjects_of(question: str) -> set[str]:
    """Return the stems of the words that name the subjects of `question`, in any language."""
    in_any_language = frozenset(cues.NO_SUBJECT.union(*STOP_WORDS_BY_LANGUAGE.values()))
    return content_stems(question) - set(stems(sorted(cues.NO_SUBJECT), QUESTION_STOP_WORDS)) - in_any_language


def speaks_of(aspect: Aspect, asked_stems: Collection[str], text: str) -> bool:
    """Return whether a sentence in `text`, such as its title, has a word for the aspect and a word for a subject."""
    return any(
        aspect.in_text.search(sentence) and any(_contains(content_stems(sentence), stem) for stem in asked_stems)
        for sentence in split_sentences(text)
    )


def _names_in(question: str) -> dict[str, str]:
    """Return the capitalised names in an English question, by their stems."""
    if languages_of([question]) not in ((), ("English",)):
        return {}
    return {stem: name for name in _NAME.findall(question) for stem in content_stems(name)}


def _share_of_name(name: str | None, text: str) -> float:
    return 1.0 if name is None or name in text else _OTHER_MEANING


def _contains(words_of_text: set[str], stem: str) -> bool:
    if stem in words_of_text or len(stem) < _LEAST_BEGINNING:
        return stem in words_of_text
    return any(stem.startswith(own) or own.startswith(stem) for own in words_of_text if len(own) >= _LEAST_BEGINNING)


def content_stems(text: str) -> set[str]:
    """Return the stems of the words in `text` that are not stop words; "SN 1987A" and "SN1987A" are the same word."""
    return set(stems(words(_APART.sub(r"\1", text)), QUESTION_STOP_WORDS))


def standardise(values: Floats) -> Floats:
    """Subtract the mean, and divide by the standard deviation."""
    return np.asarray((values - values.mean()) / (values.std() + _SOFTENING), dtype=np.float64)


def _has(cue: re.Pattern[str], sentences: Sequence[str]) -> Floats:
    return np.array([float(cue.search(sentence) is not None) for sentence in sentences])
