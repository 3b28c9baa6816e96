"""LaTeX macros and their plain-text equivalents. The first tables contain only macros that KaTeX can render as well."""

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
    "rm", "bf", "it", "sf", "tt", "cal", "displaystyle", "textstyle", "scriptstyle",
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
    "LaTeX": "LaTeX", "TeX": "TeX", "eg": "e.g.",
    "ie": "i.e.", "&": "&", "%": "%", "$": "$", "#": "#", "_": "_", "-": "", "/": "", "@": "", "\\": " ", "(": "",
    ")": "", "[": "", "]": "",
}  # fmt: skip

LETTERS = {
    "aa": "å", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "ss": "ß",
    "i": "ı", "j": "ȷ", "dh": "ð", "th": "þ",
}  # fmt: skip

INVISIBLE = {
    "left", "right", "big", "Big", "bigg", "Bigg", "bigl", "bigr", "Bigl", "Bigr", "middle", "emph", "textsc",
    "textsl", "textup", "textmd", "relax", "em", "sc", "sl", "small", "large", "normalsize", "footnotesize", "tiny",
    "uline", "limits", "nolimits", "nonumber", "ensuremath", "protect", "noindent", "xspace", "url", "path",
    "mbox",
}  # fmt: skip
"""Macros that are dropped; their arguments, if any, stay unchanged."""

HIDDEN_ARGUMENT = {
    "href", "hyperlink", "textcolor", "color", "texorpdfstring", "hspace", "vspace", "begin", "end", "label",
    "raisebox", "phantom", "hphantom", "vphantom", "SortNoop", "noopsort", "sortnoop", "NoopSort", "NOOPSORT",
    "noop", "NOOP", "Noop", "sortas",
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
