"""Word shape: what the characters of a word reveal (punctuation, numbers, units, symbols, capitals), regardless of its
meaning.
"""

import re
from collections.abc import Sequence

from pathfinder.text.english import MONTHS
from pathfinder.text.quantities.unit_table import WORD_UNITS
from pathfinder.text.wordlists import words

DASH = re.compile("[-‐‑–]")

_UNITS = WORD_UNITS | words("Å µm µJy µK GB TB wt")  # with the micro sign, U+00B5, as well as the Greek letter
_NUMBER = re.compile(rf"\d+x\d+|[\d.,–-]*\d(?:st|nd|rd|th|s|x|m|A|K|M|Msun|σ|{'|'.join(sorted(_UNITS))})?")
"""Numbers, including forms such as "30km", "29th", "1990s", "5σ" and "20x5"; "21-cm" is a name."""
_NAMED_SYMBOL = re.compile(r"\w+?_\d(?!\d)\w*|[^\W_]{3,}_\w+|f_NL|[NT]_eff|Ω_[mMkΛ]|f_esc|[RA]_V|[Xα]_CO|ξ_ion|X_max")
"""Symbols that serve as names ("f_NL"), and names that contain an underscore."""
_LETTER_SYMBOL = re.compile(r"[B-Zb-zα-ω]\*|[Δδ∂][A-Za-z]|d[A-Z]")
"""Symbols for quantities ("M*", "Δt"), but not the star of "Sgr A*"."""
_CONTRACTION = re.compile(r".*(?:'d|'ll|'ve|'re|'m|n't)", re.IGNORECASE)
_ADDRESS = re.compile(r"://|\.(?:com|org|net|edu|gov|io|html|github)\b")
_OTHER_SCRIPT = re.compile(r"[\u0400-\u1cff\u2c00-\ua6ff\ua800-\ufaff\U00020000-\U0003ffff]")


def tag_by_shape(word: str) -> str | None:
    """Return `SYM` for punctuation, units and formulas, `CD` for numbers, `FW` for other scripts, `None` for words."""
    if _OTHER_SCRIPT.search(word):
        return "FW"
    if _NUMBER.fullmatch(word):
        return "CD"
    if "_" in word:
        return "NNP" if _NAMED_SYMBOL.fullmatch(word) else "SYM"
    if _LETTER_SYMBOL.fullmatch(word) or _CONTRACTION.fullmatch(word) or word in _UNITS or word in MONTHS:
        return "SYM"
    is_word = any(map(str.isalnum, word)) and "^" not in word and not _ADDRESS.search(word) and not word.endswith(".")
    return None if is_word else "SYM"


def is_symbol(word: str) -> bool:
    """Return whether `word` is the symbol for a quantity, such as "H_0" or "α"."""
    return "_" in word or (len(word) == 1 and "α" <= word.lower() <= "ω")


def is_title(sentence: Sequence[str]) -> bool:
    """Return whether most long words in `sentence` begin with a capital, as in a title."""
    long_words = [word for word in sentence if len(word) > 3 and word.isalpha()]
    return 2 * sum(word[0].isupper() for word in long_words) > len(long_words) > 2 or is_in_capitals(sentence)


def is_in_capitals(sentence: Sequence[str]) -> bool:
    """Return whether `sentence` is mostly in capitals, so that capitals do not mark names in it."""
    letters = [word for word in sentence if word.isalpha() and len(word) > 1]
    return 2 * sum(map(str.isupper, letters)) > len(letters) > 2
