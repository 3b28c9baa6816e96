"""Keywords of questions in other languages that use Latin script, found with the stop words of each language.

These lists must identify a language from a few words, so they contain little more than question words ("dónde",
"pourquoi", "wieviel"), which the library's lists in `text.languages` lack. With the library's lists, which serve the
sparse index, "Smith et al.", "van der Marel" and the initials of "Evans, C. J." would pass for other languages.
"""

import re
from collections.abc import Iterator

from pathfinder.text.english import ARTICLES, BE, DO, PREPOSITIONS, QUESTION_WORDS, lower
from pathfinder.text.wordlists import words

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W_]+)*|[^\W_]+|\S")
_ENGLISH_STOP_WORDS = lower((*ARTICLES, *PREPOSITIONS, *BE, *DO, *QUESTION_WORDS)) | words(
    "and or not as that this can could been be has have it its their between into we i"
)
_STOP_WORDS = {
    "Spanish": words(
        "el la los las un una unos unas de del al y o u en es son está están fue ser qué que cuál cuáles cómo "
        "como cuándo cuando dónde donde por para con sin sobre entre se su sus lo le les no más muy pero hay este "
        "esta estos estas cuánto cuántos cuanto quién porqué desde hasta si tiene tienen puede pueden significa "
        "existe existen cual"
    ),
    "French": words(
        "le la les un une des du de d l au aux et ou où en est sont était être qu que qui quoi est-ce quel quelle "
        "quels quelles comment pourquoi quand combien par pour avec sans sur dans entre se sa son ses ce cette "
        "ces il elle ils on nous ne pas plus très mais y a ont peut peuvent c s n signifie existe"
    ),
    "German": words(
        "der die das den dem des ein eine einen einem einer eines und oder in im ist sind war waren sein was wie "
        "warum wann wo wer welche welcher welches wieviel von vom zu zum zur mit ohne auf für über unter zwischen "
        "bei aus nach durch sich es er sie wir man nicht mehr sehr aber gibt hat haben kann können wird werden "
        "bedeutet viele groß"
    ),
    "Italian": words(
        "il lo la i gli le un uno una di del della dei delle degli da dal e o in nel nella è sono era essere che "
        "chi cosa quale quali come perché quando dove quanto quanti per con senza su sul tra fra si suo sua non "
        "più molto ma c ci ha hanno può possono l d significa esiste"
    ),
    "Portuguese": words(
        "o a os as um uma uns umas de do da dos das e ou em no na nos nas é são foi ser que quê qual quais como "
        "quando onde porque por para com sem sobre entre se seu sua não mais muito mas há este esta isto pelo "
        "pela tem têm pode podem quanto quantos significa existe"
    ),
    "Dutch": words(
        "de het een en of in is zijn was waren wat hoe waarom wanneer waar wie welke hoeveel van voor met zonder "
        "op over tussen bij uit naar door zich er niet meer zeer maar heeft hebben kan kunnen wordt worden"
    ),
}


def foreign_keywords(question: str) -> list[str] | None:
    """Return the runs of up to three content words of a question that is not in English.

    `None` if the question is in English or is too short to identify its language. A language is recognised if the
    question contains at least two of its stop words, and more of them than English ones.
    """
    words_found = _WORD.findall(question)
    lower = [word.lower() for word in words_found]
    counts = {language: sum(word in stop_words for word in lower) for language, stop_words in _STOP_WORDS.items()}
    language = max(counts, key=counts.__getitem__)
    if counts[language] < 2 or counts[language] <= sum(word in _ENGLISH_STOP_WORDS for word in lower):
        return None
    return list(_content_runs(words_found, _STOP_WORDS[language]))


def _content_runs(question_words: list[str], stop_words: frozenset[str]) -> Iterator[str]:
    run: list[str] = []
    for word in [*question_words, "."]:
        if word.lower() not in stop_words and any(map(str.isalpha, word)) and len(run) < 3:
            run.append(word)
        else:
            if run:
                yield " ".join(run)
            run = []
