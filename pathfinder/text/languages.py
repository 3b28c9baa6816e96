"""Languages: their stop words, question words, number words and negations; the language and the keywords of a text."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from pathfinder.text.english import ARTICLES, BE, DO, PREPOSITIONS, QUESTION_WORDS, lower, words
from pathfinder.text.stop_words import STOP_WORDS_BY_LANGUAGE, TELLING_STOP_WORDS

LETTERS = "A-Za-zÀ-ÖØ-öø-ɏͰ-Ͽ0-9_"
"""Letters and digits of scripts that put spaces between words, for use in a regular-expression character class."""

WORD = re.compile(r"\w\w+")
"""A word as the sparse index counts it: at least two letters, digits or underscores, in any script."""
_WORD_OR_SIGN = re.compile(r"[^\W\d_]+(?:-[^\W_]+)*|[^\W_]+|\S")


@dataclass(frozen=True, slots=True, eq=False)
class Language:
    """A language whose negations and number words are known."""

    name: str
    """English name."""
    own_name: str
    """Name in the language itself."""
    aliases: tuple[str, ...]
    """ISO 639-1 code and other names of the language, in lower case."""
    negation: re.Pattern[str]
    numbers: dict[str, float] = field(default_factory=dict)
    """Words for numbers, from 2 upwards."""
    scales: dict[str, float] = field(default_factory=dict)
    """Number words that multiply the number before them, such as "million"."""
    articles: tuple[str, ...] = ()
    """Words that mean 1 before a number word such as "million": the "un" of "un millón"."""
    has_decimal_comma: bool = True

    @property
    def names(self) -> frozenset[str]:
        """Names and code of the language, case-folded."""
        return frozenset((self.name.casefold(), self.own_name.casefold(), *self.aliases))

    @property
    def script(self) -> str:
        """Script in which the language is written, as Unicode names it: "LATIN", "DEVANAGARI" or "CJK"."""
        return _script_of(self.own_name[0])

    def scale_at(self, text: str, start: int) -> tuple[float, int]:
        """Return the factor that a word such as "million" at `start` applies to the number before it, and the word's
        end.

        English words count in every language. Return (1.0, `start`) if there is no such word.
        """
        for word, factor in sorted({**ENGLISH.scales, **self.scales}.items(), key=lambda pair: -len(pair[0])):
            pattern = rf"(?:\s{{1,24}}|-)?{re.escape(word)}(?![A-Za-zÀ-ÿ])(?:\s(?:de|d['’]|di)(?=\s))?"
            if match := re.compile(pattern, re.IGNORECASE).match(text, start):
                return factor, match.end()
        return 1.0, start


def _script_of(character: str) -> str:
    return unicodedata.name(character, "").partition(" ")[0]


def _words(text: str, first: int = 2) -> dict[str, float]:
    """Map words to consecutive numbers starting at `first`; a bar separates alternative spellings of a number."""
    return {word: float(n) for n, spelt in enumerate(text.split(), start=first) for word in spelt.split("|")}


def _pattern(words: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE)


_TENS = {word: 10.0 * n for n, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)}
_ENGLISH_NUMBERS = _words(
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen",
    first=1,
)

ENGLISH = Language(
    "English",
    "English",
    ("en",),
    re.compile(
        r"(?<!\w)(?:not(?!\s+(?:only|just|merely)\b)|no(?!\s+(?:more|less|fewer|later|earlier)\s+than\b|\s+doubt\b)|never|"
        r"none|neither|nor(?!\w)|without|cannot|nothing|nobody|nowhere|hardly|barely|unable|unlikely|unknown|unclear|"
        r"uncertain|impossible|inconsistent|incompatible|insufficient|disagree\w*|disfavou?r\w*|fail(?:s|ed)?\s+to|"
        r"lack(?:s|ed|ing)?|absence|absent|(?:rule[sd]?|ruling)\s+(?:\w+\s+){0,3}?out|exclude[sd]?|excluding|reject(?:s|ed)?)"
        r"(?!\w)|(?<=\w)n['’]t\b",
        re.IGNORECASE,
    ),
    _ENGLISH_NUMBERS | _TENS | {"dozen": 12.0, "hundred": 100.0},
    {"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12},
    has_decimal_comma=False,
)
_OTHERS = (
    Language(
        "Spanish",
        "Español",
        ("es", "espanol", "castellano"),
        _pattern(
            r"no(?!\s+s[oó]lo\b)|nunca|jam[aá]s|sin|ni|tampoco|ning[uú]n\w*|nada|nadie|imposible|desconocid\w+|incompatibles?|"
            r"descart\w+|improbables?"
        ),
        _words("dos tres cuatro cinco seis siete ocho nueve diez once doce"),
        {"mil": 1e3, "millón": 1e6, "millones": 1e6, "mil millones": 1e9, "billones": 1e12},
        ("un",),
    ),
    Language(
        "Hindi",
        "हिन्दी",
        ("hi", "हिंदी"),
        re.compile(r"(?<![\u0900-\u097f])(?:नहीं|नही|न|ना|बिना|असंभव|अज्ञात|कभी नहीं)(?![\u0900-\u097f])"),
        _words("दो तीन चार पाँच|पांच छह|छः सात आठ नौ दस ग्यारह बारह"),
        {"हज़ार": 1e3, "हजार": 1e3, "लाख": 1e5, "मिलियन": 1e6, "करोड़": 1e7, "अरब": 1e9, "बिलियन": 1e9},
        ("एक",),
        has_decimal_comma=False,
    ),
    Language(
        "French",
        "Français",
        ("fr", "francais"),
        re.compile(
            r"(?<!\w)(?:ne|n['’](?=\w)|non|sans|aucun\w*|jamais|ni|impossibles?|inconnue?s?|incompatibles?|improbables?|"
            r"exclu\w*)(?!(?<!['’])\w)",
            re.IGNORECASE,
        ),
        _words("deux trois quatre cinq six sept huit neuf dix onze douze"),
        {"mille": 1e3, "million": 1e6, "millions": 1e6, "milliard": 1e9, "milliards": 1e9},
        ("un",),
    ),
    Language(
        "Chinese",
        "中文",
        ("zh", "汉语", "漢語", "mandarin"),
        re.compile(r"不(?![同仅但断僅斷])|没|沒|无(?!论|线)|無(?!論|線)|未(?![来來])|非(?!常)"),
        {},
        {"万": 1e4, "萬": 1e4, "百万": 1e6, "亿": 1e8, "億": 1e8, "十亿": 1e9},
        has_decimal_comma=False,
    ),
    Language(
        "German",
        "Deutsch",
        ("de",),
        _pattern(
            r"nicht(?!\s+nur\b)|kein\w*|nie|niemals|ohne|weder|nichts|niemand|unmöglich\w*|unbekannt\w*|unklar\w*|unwahrscheinlich\w*|"
            r"unvereinbar\w*|ausgeschlossen\w*|ausschließ\w+"
        ),
        _words("zwei drei vier fünf sechs sieben acht neun zehn elf zwölf"),
        {"tausend": 1e3, "million": 1e6, "millionen": 1e6, "milliarde": 1e9, "milliarden": 1e9, "billionen": 1e12},
        ("eine",),
    ),
    Language(
        "Italian",
        "Italiano",
        ("it",),
        _pattern(
            r"non(?!\s+sol[oa]\b)|no|senza|né|mai|nessun\w*|niente|nulla|impossibil\w+|sconosciut\w+|incompatibil\w+|"
            r"improbabil\w+|esclu\w+"
        ),
        _words("due tre quattro cinque sei sette otto nove dieci undici dodici"),
        {"mila": 1e3, "mille": 1e3, "milione": 1e6, "milioni": 1e6, "miliardo": 1e9, "miliardi": 1e9},
        ("un",),
    ),
    Language(
        "Portuguese",
        "Português",
        ("pt", "portugues"),
        _pattern(
            r"não(?!\s+só\b)|nunca|jamais|sem|nem|nenhum\w*|nada|ninguém|impossíve\w+|desconhecid\w+|incompatíve\w+|"
            r"improváve\w+|descart\w+"
        ),
        _words("dois|duas três quatro cinco seis sete oito nove dez onze doze"),
        {"mil": 1e3, "milhão": 1e6, "milhões": 1e6, "mil milhões": 1e9, "bilhão": 1e9, "bilhões": 1e9},
        ("um",),
    ),
    Language(
        "Dutch",
        "Nederlands",
        ("nl",),
        _pattern(
            r"niet(?!\s+alleen\b)|geen|nooit|zonder|noch|niets|niemand|onmogelijk\w*|onbekend\w*|onduidelijk\w*|uitgesloten"
        ),
        _words("twee drie vier vijf zes zeven acht negen tien elf twaalf"),
        {"duizend": 1e3, "miljoen": 1e6, "miljard": 1e9},
        ("een", "één"),
    ),
)
LANGUAGES = (ENGLISH, *_OTHERS)
"""Languages whose negations are compared."""


_TELLING_ENGLISH = lower((*ARTICLES, *PREPOSITIONS, *BE, *DO, *QUESTION_WORDS)) | words(
    "and or not as that this can could been be has have it its their between into we i"
)


# "Per" is Italian, too; it is no stop word of an index, because numbers are read with it.
_ENGLISH = STOP_WORDS_BY_LANGUAGE["English"] | _TELLING_ENGLISH | {"per"}


def known_language(name: str) -> Language | None:
    """Return the language with a given code or name, such as "es", "Spanish" or "español"; `None` if it is unknown."""
    folded_name = name.strip().casefold()
    return next((language for language in LANGUAGES if folded_name in language.names), None)


def language_of(text: str) -> Language | None:
    """Return the language of `text`, judged by its script and its stop words; `None` if these are inconclusive."""
    scripts = [_script_of(character) for character in text if character.isalpha()]
    for language in LANGUAGES:
        if language.script != "LATIN" and scripts.count(language.script) > len(scripts) / 3:
            return language
    if any(script not in ("LATIN", "GREEK", "MODIFIER", "MICRO") for script in scripts[:40]) and (
        scripts.count("LATIN") < len(scripts) / 2
    ):
        return None
    likeliest = languages_of([text])
    return known_language(likeliest[0]) if len(likeliest) == 1 else None


def foreign_language_of(question_words: Sequence[str]) -> str | None:
    """Return the English name of the language of a few words in lower case.

    `None` if they are English, or too few to tell: at least two must be distinctive stop words of that language, and
    they must outnumber the stop words of English. `languages_of` needs a longer text, but knows more languages.
    """
    counts = {language: sum(word in own for word in question_words) for language, own in TELLING_STOP_WORDS.items()}
    language = max(counts, key=counts.__getitem__)
    n_english = sum(word in _TELLING_ENGLISH for word in question_words)
    return None if counts[language] < 2 or counts[language] <= n_english else language


def languages_of(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the languages whose stop words occur most often: none if none occur, several if there is a tie."""
    counts = Counter(word for text in texts for word in WORD.findall(text.lower()))
    totals = {
        language: sum(counts[word] for word in counts.keys() & stop_words)
        for language, stop_words in {**STOP_WORDS_BY_LANGUAGE, "English": _ENGLISH}.items()
    }
    most = max(totals.values())
    return tuple(language for language, n in totals.items() if n == most) if most else ()


_BY_SCRIPT = {
    "HIRAGANA": "Japanese", "KATAKANA": "Japanese", "CJK": "Chinese", "HANGUL": "Korean", "DEVANAGARI": "Hindi",
    "ARABIC": "Arabic or Persian", "HEBREW": "Hebrew", "THAI": "Thai",
}  # fmt: skip
"""Languages by the scripts that few others use."""


def language_of_script(text: str) -> str | None:
    """Return the language that most letters of `text` point to by their script alone; `None` for scripts of many
    languages, such as Latin and Cyrillic. Chinese characters beside kana are Japanese.
    """
    scripts = [_script_of(character) for character in text if character.isalpha()]
    named = [_BY_SCRIPT[script] for script in scripts if script in _BY_SCRIPT]
    if 2 * len(named) <= len(scripts):
        return None
    return "Japanese" if "Japanese" in named else named[0]


def count_stop_words(text: str, language: str) -> int:
    """Count the words in `text` that are stop words of `language`."""
    return sum(word in STOP_WORDS_BY_LANGUAGE[language] for word in WORD.findall(text.lower()))


def foreign_keywords(question: str) -> list[str] | None:
    """Return the runs of up to three consecutive content words in a question that is not in English; `None` if it is in
    English or too short to identify its language.
    """
    question_words = _WORD_OR_SIGN.findall(question)
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
