"""Letters written in LaTeX, such as "\\'e", "\\v{c}", "{\\o}" and "\\DJ{}", read as characters.

This is the only reader of them: titles and abstracts, names, full texts and reference lists all come here. The names
of letters and signs are those of pylatexenc's table; which letters an accent may stand on, Unicode says.
"""

import re
import unicodedata
from functools import cache
from types import MappingProxyType

GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ϵ", "varepsilon": "ε", "zeta": "ζ", "eta": "η",
    "theta": "θ", "vartheta": "ϑ", "iota": "ι", "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ",
    "pi": "π", "varpi": "ϖ", "rho": "ρ", "varrho": "ϱ", "sigma": "σ", "varsigma": "ς", "tau": "τ", "upsilon": "υ",
    "phi": "ϕ", "varphi": "φ", "chi": "χ", "psi": "ψ", "omega": "ω", "Gamma": "Γ", "Delta": "Δ", "Theta": "Θ",
    "Lambda": "Λ", "Xi": "Ξ", "Pi": "Π", "Sigma": "Σ", "Upsilon": "Υ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω",
}  # fmt: skip

GREEK_NAMES = {letter: name.removeprefix("var").lower() for name, letter in GREEK.items()} | {"ο": "omicron"}
"""Names of Greek letters in lower case, for letters that are to be spelled out; omicron, which has no macro, is added.
"""

OPERATORS = {
    "sim": "∼", "approx": "≈", "simeq": "≃", "cong": "≅", "equiv": "≡", "asymp": "≍", "propto": "∝", "neq": "≠",
    "ne": "≠", "leq": "≤", "le": "≤", "geq": "≥", "ge": "≥", "leqslant": "⩽", "geqslant": "⩾", "ll": "≪", "gg": "≫",
    "lesssim": "≲", "gtrsim": "≳", "lessapprox": "⪅", "gtrapprox": "⪆", "prec": "≺", "succ": "≻", "lt": "<", "gt": ">",
    "times": "×", "pm": "±", "mp": "∓", "div": "÷", "to": "→", "rightarrow": "→", "leftarrow": "←", "mapsto": "↦",
    "leftrightarrow": "↔", "Rightarrow": "⇒", "Leftarrow": "⇐", "Leftrightarrow": "⇔", "longrightarrow": "⟶",
    "in": "∈", "notin": "∉", "subset": "⊂", "subseteq": "⊆", "supset": "⊃", "supseteq": "⊇", "cup": "∪", "cap": "∩",
    "wedge": "∧", "vee": "∨", "setminus": "∖", "mid": "∣", "parallel": "∥", "perp": "⊥",
}  # fmt: skip
"""Binary relations and operators, written with a space on either side."""

SIGNS = {
    "odot": "⊙", "oplus": "⊕", "otimes": "⊗", "star": "⋆", "ast": "∗", "bullet": "•", "circ": "∘", "cdot": "·",
    "dagger": "†", "ddagger": "‡", "prime": "′", "infty": "∞", "partial": "∂", "nabla": "∇", "ell": "ℓ", "hbar": "ℏ",
    "Re": "ℜ", "Im": "ℑ", "aleph": "ℵ", "sum": "∑", "prod": "∏", "int": "∫", "oint": "∮", "forall": "∀", "exists": "∃",
    "neg": "¬", "emptyset": "∅", "angle": "∠", "triangle": "△", "uparrow": "↑", "downarrow": "↓", "top": "⊤",
    "langle": "⟨", "rangle": "⟩", "lceil": "⌈", "rceil": "⌉", "lfloor": "⌊", "rfloor": "⌋", "vert": "|", "Vert": "‖",
    "ldots": "…", "dots": "…", "cdots": "⋯", "colon": ":", "degree": "°",
    ",": " ", ";": " ", ":": " ", " ": " ", "!": "", "quad": " ", "qquad": " ", "|": "‖", "{": "{", "}": "}",
}  # fmt: skip

FUNCTIONS = {
    "log", "ln", "lg", "exp", "sin", "cos", "tan", "cot", "sec", "csc", "sinh", "cosh", "tanh", "arcsin",
    "arccos", "arctan", "max", "min", "sup", "inf", "lim", "det", "dim", "ker", "arg", "gcd", "Pr",
}  # fmt: skip
"""Functions that are set upright and written out by name."""

FONTS = {
    "mathrm", "mathbf", "mathit", "mathsf", "mathtt", "mathcal", "mathbb", "mathscr", "mathfrak", "boldsymbol",
    "bm", "operatorname", "overline", "underline", "tilde", "widetilde", "hat", "widehat", "bar", "vec", "dot",
    "ddot",
}  # fmt: skip
"""Macros that take one argument and change its appearance."""

TEXTS = {
    "text", "textrm", "textbf", "textit", "textsf", "texttt", "textnormal",
}  # fmt: skip
"""Macros that take one argument of plain text."""

SWITCHES = {
    "rm", "bf", "it", "sf", "tt", "cal", "displaystyle", "textstyle", "scriptstyle", "bfseries", "itshape", "scshape",
    "slshape", "rmfamily", "sffamily", "ttfamily", "mdseries", "upshape", "normalfont",
}  # fmt: skip
"""Macros that change the appearance of the rest of their group."""

# From here on: macros that authors use but KaTeX does not support ---------------------------------------------

JOURNAL_MACROS = {
    "sun": "⊙", "earth": "⊕", "Msun": "M☉", "msun": "M☉", "Lsun": "L☉", "lsun": "L☉", "Rsun": "R☉", "rsun": "R☉",
    "Zsun": "Z☉", "deg": "°", "degr": "°", "degrees": "°", "arcmin": "′", "arcsec": "″", "farcs": "″", "farcm": "′",
    "fdg": "°", "micron": "μm", "um": "μm", "kms": "km s⁻¹", "la": "≲", "ga": "≳", "HI": "H I", "HII": "H II",
    "lya": "Lyα", "Lya": "Lyα", "AA": "Å", "angstrom": "Å", "S": "§", "P": "¶", "copyright": "©", "pounds": "£",
    "textless": "<", "textgreater": ">", "textbar": "|", "textunderscore": "_", "textbraceleft": "{",
    "textbraceright": "}", "nobreakspace": " ", "space": " ", "thinspace": " ", "hyphen": "-", "nobreakdash": "",
    "xspace": "", "LaTeX": "LaTeX", "TeX": "TeX", "eg": "e.g.",
    "ie": "i.e.", "dag": "†", "ddag": "‡", "slash": "/", "lq": "‘", "rq": "’", "glq": "‚", "grq": "‘", "glqq": "„",
    "grqq": "“", "flqq": "«", "frqq": "»", "og": "« ", "fg": " »",
    "newline": " ", "linebreak": " ", "euro": "€",
    "&": "&", "%": "%", "$": "$", "#": "#", "_": "_", "-": "", "/": "", "@": "", "\\": " ", "(": "",
    ")": "", "[": "", "]": "",
}  # fmt: skip

LETTERS = {
    "aa": "å", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "ss": "ß",
    "i": "ı", "j": "ȷ", "dh": "ð", "th": "þ",
}  # fmt: skip

INVISIBLE = {
    "left", "right", "big", "Big", "bigg", "Bigg", "bigl", "bigr", "Bigl", "Bigr", "middle", "emph", "textsc",
    "textsl", "textup", "textmd", "relax", "em", "sc", "sl", "small", "large", "normalsize", "footnotesize", "tiny",
    "uline", "limits", "nolimits", "nonumber", "ensuremath", "protect", "noindent", "url", "path",
    "mbox", "selectfont",
}  # fmt: skip
"""Macros that are dropped; their arguments, if any, stay unchanged."""

HIDDEN_ARGUMENT = {
    "href", "hyperlink", "textcolor", "color", "texorpdfstring", "hspace", "vspace", "begin", "end", "label",
    "raisebox", "phantom", "hphantom", "vphantom", "SortNoop", "noopsort", "sortnoop", "NoopSort", "NOOPSORT",
    "noop", "NOOP", "Noop", "sortas", "selectlanguage", "foreignlanguage", "fontencoding", "fontfamily", "fontseries",
    "fontshape",
}  # fmt: skip
"""Macros whose first argument is meant for the typesetter, not for the reader."""

FRACTIONS = {"frac", "tfrac", "dfrac"}

CITATIONS = {
    "cite", "citep", "citet", "citealt", "citealp", "citeauthor", "citeyear", "ref", "eqref",
}  # fmt: skip

ACCENTS = {
    "'": "\u0301", "`": "\u0300", "^": "\u0302", '"': "\u0308", "~": "\u0303", "=": "\u0304", ".": "\u0307",
    "u": "\u0306", "v": "\u030c", "H": "\u030b", "c": "\u0327", "k": "\u0328", "r": "\u030a", "d": "\u0323",
    "b": "\u0331", "tilde": "\u0303", "widetilde": "\u0303", "hat": "\u0302", "widehat": "\u0302", "bar": "\u0304",
    "dot": "\u0307", "ddot": "\u0308", "vec": "\u20d7", "acute": "\u0301", "grave": "\u0300", "breve": "\u0306",
    "check": "\u030c", "mathring": "\u030a",
}  # fmt: skip
"""Combining marks, applied to the first letter of the argument. Of those with one letter, LaTeX itself knows all."""

SUPERSCRIPTS = str.maketrans("0123456789+-−=()ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱ")
SUBSCRIPTS = str.maketrans("0123456789+-−=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎")
ORDINALS = {"st", "nd", "rd", "th"}


_CAPITALS = {
    "capitalacute": "'", "capitalgrave": "`", "capitalcircumflex": "^", "capitaltilde": "~", "capitaldieresis": '"',
    "capitalmacron": "=", "capitaldotaccent": ".", "capitalbreve": "u", "capitalcaron": "v", "capitalring": "r",
    "capitalhungarumlaut": "H", "capitalcedilla": "c", "capitalogonek": "k",
}  # fmt: skip
_MARKS = {name: mark for name, mark in ACCENTS.items() if len(name) == 1} | {
    **{name: ACCENTS[accent] for name, accent in _CAPITALS.items()},
    "textcommabelow": "\u0326", "textcommaabove": "\u0313", "textogonekcentered": "\u0328", "textroundcap": "\u0311",
    "textdotbelow": "\u0323", "textmacronbelow": "\u0331", "textvbaccent": "\u030d",
    "f": "\u0311", "G": "\u030f", "C": "\u030f", "U": "\u030d", "h": "\u0309", "t": "\u0361", "newtie": "\u0361",
}  # fmt: skip
"""Accents in text, of LaTeX and of its packages for other languages, as combining marks."""
_SPACING = {
    "textasciitilde": "~", "textasciicircum": "^", "textasciigrave": "`", "textasciiacute": "'",
    "textasciidieresis": '"', "textasciimacron": "=", "textasciicaron": "v", "textasciibreve": "u",
    "textacutedbl": "H",
}  # fmt: skip
r"""Accents that stand alone; ADS once wrote "{\textasciitilde n}" for ñ."""
_OTHER_LETTERS = {
    "SS": "ẞ", "inodot": "ı", "jnodot": "ȷ", "OHORN": "Ơ", "ohorn": "ơ", "UHORN": "Ư", "uhorn": "ư",
    "textcrh": "ħ", "textEsh": "Ʃ", "textesh": "ʃ",
}  # fmt: skip

_LETTER = r"[A-Za-zªºÀ-ÖØ-öø-ʯḀ-ỿ][\u0300-\u036f]*"
_NAMES = "|".join(sorted((name for name in _MARKS if name.isalpha()), key=len, reverse=True))
_ACCENT = rf"(?:\\(?:a(?=['`=]))?(?P<sign>['`^\"~=.])|\\(?P<name>{_NAMES})(?![A-Za-z]))"
_ARGUMENT = (
    rf"(?:(?P<space>\s{{0,9}})(?P<bare>{_LETTER})|\s{{0,9}}\{{\s{{0,9}}(?:\{{\s{{0,9}}(?P<inner>{_LETTER})\s{{0,9}}\}}|"
    rf"(?P<first>{_LETTER})(?P<rest>[^{{}}\\]{{0,99}}))\}})"
)
_ACCENTED = re.compile(rf"(?P<kept>\\\\)|(?P<opening>\{{\s{{0,9}})?{_ACCENT}{_ARGUMENT}(?P<closing>\s{{0,9}}\}})?")
_ALONE = re.compile(
    rf"\{{\s{{0,9}}\\(?P<grouped>{'|'.join(_SPACING)})(?:\s{{1,9}}|\s{{0,9}}\{{\}})\s{{0,9}}(?P<letter>{_LETTER})\s{{0,9}}\}}"
    rf"|(?<=[^\W\d_])(?:\{{\\(?P<braced>{'|'.join(_SPACING)})\}}|\\(?P<bare>{'|'.join(_SPACING)})(?:\{{\}}|\s))"
    rf"(?P<next>{_LETTER})"
)
_NAMED = re.compile(
    r"(?P<kept>\\\\)|(?P<opening>\{\s{0,9})?\\(?P<name>[A-Za-z]{1,20})(?![A-Za-z])(?:(?P<closing>\s{0,9}\})|\{\}|(?P<space>\s+))?"
)
_UNIT = re.compile(r"[\d)}$](?:\s|~|\\[,; ])?$")
r"""What comes before the unit in "5007 \AA"."""
_SORTED_AS = re.compile(r"\\[A-Z]{2,20}\s?\{([^{}]{1,30})\}\s?\{([^{}]{1,30})\}\s?\{([^{}]{1,30})\}")
r"""A particle under which a list is not sorted: "\VAN{Dokkum}{Van}{van}"."""
_MOST_ACCENTS = 4
"""Limit on the number of accents on one letter; Vietnamese has two."""


@cache
def named_signs() -> MappingProxyType[str, str]:
    r"""Return the characters that macros without arguments stand for, by name: the letters of European languages, and
    the signs called `\text...` or `\quote...`.
    """
    from pylatexenc.latexencode import get_builtin_uni2latex_dict

    signs: dict[str, str] = {}
    for code, tex in get_builtin_uni2latex_dict().items():
        name, sign = tex[1:], chr(code)
        is_letter = unicodedata.category(sign).startswith("L") and code < 0x530
        if (
            tex.startswith("\\")
            and name.isalpha()
            and name not in GREEK
            and (is_letter or name.startswith(("text", "quote", "guil")))
        ):
            signs.setdefault(name, sign)
    signs |= {"guillemetleft": "«", "guillemetright": "»", "textquotedbl": '"', "textquotesingle": "'"}
    signs |= {"textcompwordmark": ""}
    return MappingProxyType(signs | _OTHER_LETTERS | LETTERS | {"AA": "Å"})


def letters(text: str) -> str:
    """Return LaTeX with its letters as characters, without the braces around a single one; all else is kept.

    `text` must not be mathematics, in which some of these macros have another meaning.
    """
    if "\\" not in text:
        return text
    text = text.replace(r"\IeC", "")  # what inputenc writes around a letter
    text = _ALONE.sub(_with_mark_before, _NAMED.sub(_named, _SORTED_AS.sub(_particle, text)))
    for _ in range(_MOST_ACCENTS):
        before, text = text, _ACCENTED.sub(_accented, text)
        if text == before:
            break
    return text


def accented(accent: str, letter: str) -> str:
    """Return `letter` with an accent, given as the name of its macro; one character if Unicode has it.

    The dot of i and j makes room for an accent, and a dot on them is their own.
    """
    base = {"ı": "i", "ȷ": "j"}.get(letter[:1], letter[:1]) + letter[1:]
    mark = _MARKS.get(accent) or ACCENTS[accent]
    if base in ("i", "j") and mark == ACCENTS["."]:
        return base
    return unicodedata.normalize("NFC", base + mark)


def _accented(match: re.Match[str]) -> str:
    if match["kept"]:
        return match["kept"]
    accent, letter = match["sign"] or match["name"], match["bare"] or match["inner"] or match["first"]
    whole = accented(accent, letter)
    if match["sign"] and match["space"] and not match["opening"] and len(whole) > 1:
        return match[0]
    return _in_its_braces(match, whole + (match["rest"] or ""))


def _named(match: re.Match[str]) -> str:
    sign = named_signs().get(match["name"] or "", "")
    if not sign.isalpha() or match["name"].startswith("textascii"):
        return match[0]
    is_unit = match["name"] in ("AA", "textohm") and _UNIT.search(
        match.string, max(0, match.start() - 3), match.start()
    )
    return _in_its_braces(match, sign) + (" " if is_unit and match["space"] else "")


def _in_its_braces(match: re.Match[str], text: str) -> str:
    """Return `text` without the braces around the match; a single one belongs to what stands beside it."""
    if match["opening"] and match["closing"]:
        return text
    return (match["opening"] or "") + text + (match["closing"] or "")


def _with_mark_before(match: re.Match[str]) -> str:
    name, letter = match["grouped"] or match["braced"] or match["bare"], match["letter"] or match["next"]
    whole = accented(_SPACING[name], letter)
    return whole if len(whole) == 1 else match[0]


def _particle(match: re.Match[str]) -> str:
    return match[3] if match[2].lower() == match[3].lower() else match[0]
