"""What the checker knows of languages: their words for numbers and for "not", and the sign before decimals."""

import re
import unicodedata
from dataclasses import dataclass, field

from pathfinder.index.words import languages_of


@dataclass(frozen=True, slots=True)
class Language:
    """A language that negations and words for numbers are known of."""

    name: str
    """In English."""
    aliases: tuple[str, ...]
    """Its code and its own name, in small letters."""
    negation: re.Pattern[str]
    numbers: dict[str, float] = field(default_factory=dict)
    """Words for numbers from 2 on."""
    scales: dict[str, float] = field(default_factory=dict)
    """Words that multiply the number before them."""
    has_decimal_comma: bool = True


def _words(text: str, first: int = 2) -> dict[str, float]:
    """Words for the numbers from `first` on; spellings of one number are parted by a stroke."""
    return {word: float(n) for n, spelt in enumerate(text.split(), start=first) for word in spelt.split("|")}


def _pattern(words: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE)


_TENS = {word: 10.0 * n for n, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)}
_ENGLISH_NUMBERS = _words(
    "two|twice|double|doubled|doubles three|triple|thrice four five six seven eight nine ten eleven twelve|dozen "
    "thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
)

ENGLISH = Language(
    "English",
    ("en", "english"),
    re.compile(
        r"(?<!\w)(?:not(?!\s+(?:only|just|merely)\b)|no(?!\s+(?:more|less|fewer|later|earlier)\s+than\b|\s+doubt\b)|never|"
        r"none|neither|nor(?!\w)|without|cannot|nothing|nobody|nowhere|hardly|barely|unable|unlikely|unknown|unclear|"
        r"uncertain|impossible|inconsistent|incompatible|insufficient|disagree\w*|disfavou?r\w*|fail(?:s|ed)?\s+to|"
        r"lack(?:s|ed|ing)?|absence|absent|(?:rule[sd]?|ruling)\s+(?:\w+\s+){0,3}?out|exclude[sd]?|excluding|reject(?:s|ed)?)"
        r"(?!\w)|(?<=\w)n['’]t\b",
        re.IGNORECASE,
    ),
    _ENGLISH_NUMBERS | _TENS | {"half": 0.5, "hundred": 100.0},
    {"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12},
    has_decimal_comma=False,
)
_OTHERS = (
    Language(
        "Spanish",
        ("es", "spanish", "español", "espanol", "castellano"),
        _pattern(
            r"no(?!\s+s[oó]lo\b)|nunca|jam[aá]s|sin|ni|tampoco|ning[uú]n\w*|nada|nadie|imposible|desconocid\w+|incompatibles?|"
            r"descart\w+|improbables?"
        ),
        _words("dos tres cuatro cinco seis siete ocho nueve diez once doce"),
        {"mil": 1e3, "millón": 1e6, "millones": 1e6, "mil millones": 1e9, "billones": 1e12},
    ),
    Language(
        "French",
        ("fr", "french", "français", "francais"),
        re.compile(
            r"(?<!\w)(?:ne|n['’](?=\w)|non|sans|aucun\w*|jamais|ni|impossibles?|inconnue?s?|incompatibles?|improbables?|"
            r"exclu\w*)(?!(?<!['’])\w)",
            re.IGNORECASE,
        ),
        _words("deux trois quatre cinq six sept huit neuf dix onze douze"),
        {"mille": 1e3, "million": 1e6, "millions": 1e6, "milliard": 1e9, "milliards": 1e9},
    ),
    Language(
        "German",
        ("de", "german", "deutsch"),
        _pattern(
            r"nicht(?!\s+nur\b)|kein\w*|nie|niemals|ohne|weder|nichts|niemand|unmöglich\w*|unbekannt\w*|unklar\w*|unwahrscheinlich\w*|"
            r"unvereinbar\w*|ausgeschlossen\w*|ausschließ\w+"
        ),
        _words("zwei drei vier fünf sechs sieben acht neun zehn elf zwölf"),
        {"tausend": 1e3, "million": 1e6, "millionen": 1e6, "milliarde": 1e9, "milliarden": 1e9, "billionen": 1e12},
    ),
    Language(
        "Italian",
        ("it", "italian", "italiano"),
        _pattern(
            r"non(?!\s+sol[oa]\b)|no|senza|né|mai|nessun\w*|niente|nulla|impossibil\w+|sconosciut\w+|incompatibil\w+|"
            r"improbabil\w+|esclu\w+"
        ),
        _words("due tre quattro cinque sei sette otto nove dieci undici dodici"),
        {"mila": 1e3, "mille": 1e3, "milione": 1e6, "milioni": 1e6, "miliardo": 1e9, "miliardi": 1e9},
    ),
    Language(
        "Portuguese",
        ("pt", "portuguese", "português", "portugues"),
        _pattern(
            r"não(?!\s+só\b)|nunca|jamais|sem|nem|nenhum\w*|nada|ninguém|impossíve\w+|desconhecid\w+|incompatíve\w+|"
            r"improváve\w+|descart\w+"
        ),
        _words("dois|duas três quatro cinco seis sete oito nove dez onze doze"),
        {"mil": 1e3, "milhão": 1e6, "milhões": 1e6, "mil milhões": 1e9, "bilhão": 1e9, "bilhões": 1e9},
    ),
    Language(
        "Dutch",
        ("nl", "dutch", "nederlands"),
        _pattern(
            r"niet(?!\s+alleen\b)|geen|nooit|zonder|noch|niets|niemand|onmogelijk\w*|onbekend\w*|onduidelijk\w*|uitgesloten"
        ),
        _words("twee drie vier vijf zes zeven acht negen tien elf twaalf"),
        {"duizend": 1e3, "miljoen": 1e6, "miljard": 1e9},
    ),
    Language(
        "Hindi",
        ("hi", "hindi", "हिन्दी", "हिंदी"),
        re.compile(r"(?<![\u0900-\u097f])(?:नहीं|नही|न|ना|बिना|असंभव|अज्ञात|कभी नहीं)(?![\u0900-\u097f])"),
        _words("दो तीन चार पाँच|पांच छह|छः सात आठ नौ दस ग्यारह बारह"),
        {"हज़ार": 1e3, "हजार": 1e3, "लाख": 1e5, "मिलियन": 1e6, "करोड़": 1e7, "अरब": 1e9, "बिलियन": 1e9},
        has_decimal_comma=False,
    ),
    Language(
        "Chinese",
        ("zh", "chinese", "中文", "汉语", "漢語", "mandarin"),
        re.compile(r"不(?![同仅但断僅斷])|没|沒|无(?!论|线)|無(?!論|線)|未(?![来來])|非(?!常)"),
        {},
        {"万": 1e4, "萬": 1e4, "百万": 1e6, "亿": 1e8, "億": 1e8, "十亿": 1e9},
        has_decimal_comma=False,
    ),
)
KNOWN = (ENGLISH, *_OTHERS)
"""The languages whose negations are compared."""

_SCRIPTS = {"DEVANAGARI": "Hindi", "CJK": "Chinese"}


def known_language(name: str) -> Language | None:
    """The language of a code or name, such as "es", "Spanish" or "español"; `None` for one that is not known here."""
    wanted = name.strip().casefold()
    return next((language for language in KNOWN if wanted in language.aliases), None)


def language_of(text: str) -> Language | None:
    """The language that `text` is in, told by its script and its commonest words; `None` where they do not tell."""
    scripts = [unicodedata.name(character, "").partition(" ")[0] for character in text if character.isalpha()]
    for script, name in _SCRIPTS.items():
        if scripts.count(script) > len(scripts) / 3:
            return known_language(name)
    if any(script not in ("LATIN", "GREEK", "MODIFIER", "MICRO") for script in scripts[:40]) and (
        scripts.count("LATIN") < len(scripts) / 2
    ):
        return None
    found = languages_of([text])
    return known_language(found[0]) if len(found) == 1 else None
