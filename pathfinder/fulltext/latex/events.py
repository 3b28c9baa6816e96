"""Patterns for the places in a LaTeX text where something other than words begins."""

import re

EVENT = re.compile(
    r"\\begin\s*\{(?P<begin>[^{}\n]{1,40})\}|\\end\s*\{(?P<end>[^{}\n]{1,40})\}"
    r"|(?P<break>\n[ \t]*\n\s*)"
    r"|(?P<open>\$\$|(?<!\\)\$|\\\[|\\\()"
    r"|\\(?P<escaped>[^A-Za-z])"
    r"|\\(?P<name>[A-Za-z]+)(?P<star>\*?)"
)
"""Pattern for the places where something other than words begins. An escaped character (`escaped`) matches too, so that
nothing else begins inside it.
"""

CLOSERS = {"$$": "$$", "$": "$", r"\[": r"\]", r"\(": r"\)"}
DISPLAY_OPENINGS = frozenset({"$$", r"\["})

FORMULAS = frozenset("equation align alignat eqnarray gather multline displaymath math flalign dmath".split())
"""Mathematical environments; a starred form is treated like the plain one."""
NUMBERED_ENVIRONMENTS = frozenset({"equation", "align", "eqnarray", "gather", "multline"})
CAPTIONED_ENVIRONMENTS = {
    "figure": False, "table": True, "wrapfigure": False, "sidewaysfigure": False, "sidewaystable": True,
    "deluxetable": True, "longtable": True, "splitdeluxetable": True, "figurehere": False, "SCfigure": False,
    "wraptable": True, "longrotatetable": True, "longtblr": True, "algorithm": False,
}  # fmt: skip
"""Environments with a caption, and whether each is a table."""
LEFT_OUT = frozenset(
    "tikzpicture picture verbatim lstlisting minted comment tabular tabularx array CCSXML thebibliography filecontents "
    "keywords keyword IEEEkeywords algorithmic pspicture tabbing references tabulary supertabular tblr xltabular "
    "tablenotes".split()
)
"""Environments without sentences."""
AROUND_FORMULAS = frozenset({"subequations"})
"""Environments around formulas and sentences, which neither begin nor end a paragraph."""
ARGUMENTS = {
    "minipage": 1, "CJK": 2, "multicols": 1, "spacing": 1, "adjustwidth": 2, "subfigure": 1, "adjustbox": 1, "list": 2,
    "textblock": 1, "rotate": 1, "turn": 1, "parbox": 1, "tabularray": 1, "savenotes": 0, "alertblock": 1, "block": 1,
}  # fmt: skip
"""Number of arguments of environments around text, which are not part of it."""
ACKNOWLEDGEMENT_NAMES = frozenset({"acknowledgements", "acknowledgments", "acknowledgement", "acks", "ack"})

LEVELS = {
    "part": 1, "chapter": 1, "section": 1, "subsection": 2, "subsubsection": 3, "paragraph": 4, "subparagraph": 5,
}  # fmt: skip
CITATIONS = frozenset(
    "cite citep citet citealt citealp citeauthor citeyear citeyearpar Cite Citep Citet Citealt Citeauthor citen "
    "onlinecite shortcite parencite textcite autocite Parencite Textcite Autocite".split()
)
CROSS_REFERENCES = frozenset("ref eqref autoref cref Cref pageref vref nameref".split())
FOOTNOTES = frozenset({"footnote", "footnotetext"})
PARAGRAPH_ENDS = frozenset({"par", "item", "newpage", "clearpage", "maketitle", "bigskip", "medskip"})
DROPPED_COMMANDS = {
    "label": 1, "vspace": 1, "hspace": 1, "includegraphics": 1, "index": 1, "thanks": 1, "author": 1, "title": 1,
    "affiliation": 1, "affil": 1, "institute": 1, "date": 1, "keywords": 1, "email": 1, "address": 1, "pacs": 1,
    "correspondingauthor": 1, "shorttitle": 1, "shortauthors": 1, "titlerunning": 1, "authorrunning": 1, "orcid": 1,
    "altaffiliation": 1, "altaffilmark": 1, "altaffiltext": 2, "received": 1, "accepted": 1, "revised": 1,
    "submitjournal": 1, "bibliography": 1, "bibliographystyle": 1, "pagestyle": 1, "thispagestyle": 1, "nocite": 1,
    "setcounter": 2, "addtocounter": 2, "setlength": 2, "addtolength": 2, "markboth": 2, "offprints": 1, "inst": 1,
    "pubyear": 1, "journal": 1, "preprint": 1, "corresp": 1, "authornote": 1, "subtitle": 1, "phantom": 1,
    "addcontentsline": 3, "renewcommand": 2, "newcommand": 2, "usepackage": 1, "input": 1, "hypersetup": 1,
    "tablenotemark": 1, "tablenotetext": 2, "tablecomments": 1, "tablerefs": 1, "tnote": 1, "fnref": 1, "fnmsep": 0,
    "corref": 1, "fntext": 1, "cortext": 1, "ead": 1, "footnotesize": 0, "figurenum": 1,
    "plotone": 1, "plottwo": 2, "collaboration": 1, "footnotemark": 0, "clearpage": 0,
    "centering": 0, "smallskip": 0, "tableofcontents": 0, "linenumbers": 0, "indent": 0, "hfill": 0, "newline": 0,
    "pagebreak": 0, "balance": 0, "onecolumn": 0, "twocolumn": 0, "begingroup": 0, "endgroup": 0, "raggedright": 0,
    "bf": 0, "it": 0, "large": 0, "Large": 0, "LARGE": 0, "huge": 0, "scriptsize": 0, "bfseries": 0, "itshape": 0,
    "selectfont": 0, "allowbreak": 0, "nobreak": 0, "sloppy": 0, "relax": 0, "leavevmode": 0, "vfill": 0, "null": 0,
    "linebreak": 0, "nolinebreak": 0, "printbibliography": 0, "makeatletter": 0, "makeatother": 0, "flushbottom": 0,
}  # fmt: skip
"""Macros that contribute no text, with the number of arguments that are dropped with each."""
