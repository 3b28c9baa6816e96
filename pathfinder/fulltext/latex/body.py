"""Walks through the body of a LaTeX document once, and sorts it into sections, paragraphs, captions and footnotes."""

import re
from dataclasses import dataclass, field
from enum import Enum, auto

from pathfinder.fulltext.latex.rows import rows_in
from pathfinder.fulltext.latex.words import Braces, Citation, CrossReference, Words, environment_ends, find_braces
from pathfinder.text.latex.mathematics import tidy_formula

# Patterns for the places in a LaTeX text where something other than words begins.

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
NAMED_REFERENCES = frozenset("autoref cref Cref".split())
CROSS_REFERENCES = NAMED_REFERENCES | frozenset("ref eqref pageref vref nameref".split())
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


# Sections and captions whose text is still LaTeX.


class SectionRole(Enum):
    """Purpose of a section, as stated by the source itself."""

    BODY = auto()
    ABSTRACT = auto()
    ACKNOWLEDGEMENTS = auto()
    APPENDIX = auto()


@dataclass(slots=True)
class SectionDraft:
    """A section whose paragraphs are still LaTeX, with marks for formulas and citations."""

    title: str
    level: int
    role: SectionRole
    paragraphs: list[str] = field(default_factory=list)


@dataclass(slots=True)
class CaptionDraft:
    """A caption whose text is still LaTeX."""

    label: str
    caption: str
    is_table: bool
    heads: list[list[str]] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)
    """Cells of the head, and of the other rows; empty for a figure, or if the table is only a picture."""


MAX_NESTING = 8
"""Limit on how deeply footnotes and captions may be nested in each other."""

_LABEL = re.compile(r"\\label\s*\{([^{}\n]{1,200})\}")
_CAPTION = re.compile(r"\\(?:table)?caption(?:of\s*\{\w+\})?\*?(?=\s*[\[{])")
_ENSUREMATH = re.compile(r"\\ensuremath(?![A-Za-z])")
_BLANK_LINE = "\n\n"
_IN_FORMULA = re.compile(r"\\.|[{}$]|\n\n", re.DOTALL)


def _end_of_inline(source: Braces, start: int) -> int | None:
    r"""Return the position of the dollar sign that closes the formula at `start`; one within a group, such as in
    \mbox{$x$}, does not. `None` if it is not closed within its paragraph.
    """
    position = start
    while match := _IN_FORMULA.search(source.text, position):
        if match[0] == "$":
            return match.start()
        if match[0] == _BLANK_LINE or match[0] == "}":
            return None
        position = match.end()
        end = source.closing.get(match.start())
        if end is not None and source.text.find(_BLANK_LINE, position, end) < 0:
            position = end + 1
    return None


class BodyReader:
    """Collects the contents of a document while walking through it."""

    def __init__(self) -> None:
        self.words = Words()
        self.sections = [SectionDraft("", 1, SectionRole.BODY)]
        self.captions: list[CaptionDraft] = []
        self.warnings: list[str] = []
        self._text: list[str] = []
        self._footnotes: list[str] = []
        self._counters: dict[str, int] = {}
        self._numbers = [0] * 6
        self._number = ""
        self._in_appendix = False
        self._nesting = 0
        self._missing_closers: set[str] = set()
        self._handlers = {
            **dict.fromkeys(DROPPED_COMMANDS, self._drop),
            **dict.fromkeys(PARAGRAPH_ENDS, self._break),
            **dict.fromkeys(FOOTNOTES, self._footnote),
            **dict.fromkeys(CROSS_REFERENCES, self._cross_reference),
            **dict.fromkeys(CITATIONS, self._citation),
            **dict.fromkeys(LEVELS, self._heading),
            **dict.fromkeys({"abstract", *ACKNOWLEDGEMENT_NAMES}, self._named_section),
            "appendix": self._start_appendix,
            "ensuremath": self._inline_formula,
        }

    def read(self, text: str) -> None:
        """Read a text of any length, and sort it into sections."""
        self._walk(text)
        self._end_paragraph()

    def inline(self, text: str) -> str:
        """Return `text`, such as a heading or a caption, with marks in place of formulas, citations and the like."""
        if self._nesting >= MAX_NESTING:
            self.warnings.append(f"notes nested more than {MAX_NESTING} levels deep were left out")
            return ""
        outside = self._text, self._missing_closers
        self._text, self._missing_closers = [], set()
        self._nesting += 1
        self._walk(text)
        self._nesting -= 1
        words = "".join(self._text)
        self._text, self._missing_closers = outside
        return words

    def _walk(self, text: str) -> None:
        source = find_braces(text)
        position = 0
        while match := EVENT.search(text, position):
            self._text.append(text[position : match.start()])
            position = self._event(source, match)
        self._text.append(text[position:])

    def _event(self, source: Braces, match: re.Match[str]) -> int:
        """Read the part that begins at `match`; return the position after it."""
        if match["begin"] is not None:
            return self._begin(source, match["begin"].strip().removesuffix("*"), match)
        if match["name"] is not None:
            # A macro that has no handler, or lacks its argument, is treated as text.
            handler = self._handlers.get(match["name"])
            end = handler(source, match) if handler is not None else None
            if end is None:
                self._text.append(match[0])
                return match.end()
            return end
        if match["open"] is not None:
            return self._formula(source, match, CLOSERS[match["open"]], match["open"] in DISPLAY_OPENINGS)
        if match["escaped"] is not None:
            self._text.append(match[0])
        elif (match["end"] or "").strip() not in AROUND_FORMULAS:
            self._end_paragraph()
            if (match["end"] or "").strip() == "abstract":
                self._open_section("", 1, SectionRole.BODY)
        return match.end()

    # Environments ------------------------------------------------------------------------------------------

    def _begin(self, source: Braces, name: str, match: re.Match[str]) -> int:
        if name in FORMULAS:
            return self._formula(
                source, match, rf"\end{{{match['begin']}}}", name != "math", name in NUMBERED_ENVIRONMENTS
            )
        if name in LEFT_OUT or name in CAPTIONED_ENVIRONMENTS:
            end = environment_ends(source.text, match["begin"]).get(match.start())
            if end is None:
                end = self._end(source.text, rf"\end{{{match['begin']}}}", match.end())
            if end is None:
                return match.end()
            if name in CAPTIONED_ENVIRONMENTS:
                self._caption(source.text[match.start() : end], is_table=CAPTIONED_ENVIRONMENTS[name])
            return end + len(rf"\end{{{match['begin']}}}")
        if name in AROUND_FORMULAS:
            return match.end()
        self._end_paragraph()
        if name == "abstract":
            self._open_section("Abstract", 1, SectionRole.ABSTRACT)
        elif name in ACKNOWLEDGEMENT_NAMES:
            self._open_section("Acknowledgements", 1, SectionRole.ACKNOWLEDGEMENTS)
        elif name == "appendix":
            self._in_appendix = True
        return self._after_arguments(source, match.end(), ARGUMENTS.get(name, 0))

    def _end(self, text: str, closer: str, start: int) -> int | None:
        """Return the position of `closer`; `None`, with a warning, if it is missing. A missing `closer` is searched for
        only once.
        """
        end = -1 if closer in self._missing_closers else text.find(closer, start)
        if end < 0:
            self._missing_closers.add(closer)
            self.warnings.append(f"{closer} is missing")
        return end if end >= 0 else None

    def _formula(
        self, source: Braces, match: re.Match[str], closer: str, is_displayed: bool, is_numbered: bool = False
    ) -> int:
        is_inline = closer == "$"
        end = _end_of_inline(source, match.end()) if is_inline else self._end(source.text, closer, match.end())
        if end is None:
            self.warnings.append("a formula that is never closed was read as text")
            return match.end()
        formula = source.text[match.end() : end]
        if is_numbered:
            self._number = f"Equation {self._count('formula')}"
        self._note_labels(formula)
        self._text.append(self._kept_formula(formula, is_displayed))
        return end + len(closer)

    def _kept_formula(self, formula: str, is_displayed: bool) -> str:
        tex = tidy_formula(_ENSUREMATH.sub("", formula))
        return f" {self.words.keep(f'$${tex}$$')} " if is_displayed else self.words.keep(f"${tex}$")

    def _caption(self, content: str, is_table: bool) -> None:
        kind = "Table" if is_table else "Figure"
        self._number = f"{kind} {self._count(kind)}"
        self._note_labels(content)
        source = find_braces(content)
        groups = (source.group(source.after_options(match.end())) for match in _CAPTION.finditer(content))
        parts = [self.inline(group[0]) for group in groups if group is not None]
        draft = CaptionDraft(self._number, " ".join(parts), is_table)
        if is_table:
            notes = [*self._footnotes]
            draft.heads, draft.rows = ([list(map(self.inline, row)) for row in part] for part in rows_in(source))
            self._footnotes = notes  # without those in cells, which are no part of the paragraph around the table
        self.captions.append(draft)

    # Macros ------------------------------------------------------------------------------------------------

    def _cross_reference(self, source: Braces, match: re.Match[str]) -> int | None:
        group = source.group(match.end())
        if group is not None:
            self._text.append(self.words.keep(CrossReference(group[0], match["name"] in NAMED_REFERENCES)))
        return group[1] if group else None

    def _inline_formula(self, source: Braces, match: re.Match[str]) -> int | None:
        group = source.group(match.end())
        if group is not None:
            self._text.append(self._kept_formula(group[0], is_displayed=False))
        return group[1] if group else None

    def _footnote(self, source: Braces, match: re.Match[str]) -> int:
        group = source.group(source.after_options(match.end()))
        if group is not None:
            self._footnotes.append(self.inline(group[0]))
        return group[1] if group else match.end()

    def _start_appendix(self, _: Braces, match: re.Match[str]) -> int:
        self._in_appendix = True
        self._numbers = [0] * 6
        return match.end()

    def _break(self, source: Braces, match: re.Match[str]) -> int:
        self._end_paragraph()
        return source.after_options(match.end()) if match["name"] == "item" else match.end()

    def _drop(self, source: Braces, match: re.Match[str]) -> int:
        if match["name"] == "label" and (label := source.group(match.end())):
            self.words.labels.setdefault(label[0].strip(), self._number)
        return self._after_arguments(source, match.end(), DROPPED_COMMANDS[match["name"]])

    @staticmethod
    def _after_arguments(source: Braces, position: int, number: int) -> int:
        """Return the position after that many arguments at `position`, with the options before and after them."""
        for _ in range(number):
            group = source.group(source.after_options(position))
            if group is None:
                return position
            position = group[1]
        return source.after_options(position)

    def _heading(self, source: Braces, match: re.Match[str]) -> int:
        level = LEVELS[match["name"]]
        group = source.group(source.after_options(match.end()))
        if group is None or self._nesting:
            return match.end()
        self._end_paragraph()
        if not match["star"] and match["name"] != "part":
            kind, place = ("Chapter", 0) if match["name"] == "chapter" else ("Section", level)
            self._numbers[place] += 1
            self._numbers[place + 1 :] = [0] * (5 - place)
            first, *others = self._numbers[0 if self._numbers[0] else 1 : place + 1]
            top = chr(64 + min(first, 26)) if self._in_appendix else str(first)
            self._number = f"{kind} {'.'.join([top, *map(str, others)])}"
        title = self.inline(group[0])
        self._open_section(title, level, SectionRole.APPENDIX if self._in_appendix else SectionRole.BODY)
        return group[1]

    def _named_section(self, source: Braces, match: re.Match[str]) -> int:
        r"""Read \abstract{...} with all its arguments, or \acknowledgments, with or without an argument."""
        position = match.end()
        is_abstract = match["name"] == "abstract"
        title = "Abstract" if is_abstract else "Acknowledgements"
        self._end_paragraph()
        self._open_section(title, 1, SectionRole.ABSTRACT if is_abstract else SectionRole.ACKNOWLEDGEMENTS)
        n_groups = 0
        while n_groups < (5 if is_abstract else 1) and (group := source.group(position)):
            self._text.append(self.inline(group[0]))
            self._end_paragraph()
            position = group[1]
            n_groups += 1
        if n_groups:
            self._open_section("", 1, SectionRole.BODY)
        return position

    def _citation(self, source: Braces, match: re.Match[str]) -> int:
        name = match["name"].lower()
        options: list[str] = []
        position = match.end()
        while len(options) < 2 and (option := source.option(position)):
            options.append(self.inline(option[0]))
            position = option[1]
        group = source.group(position)
        if group is None:
            return match.end()
        keys = tuple(filter(None, (key.strip() for key in group[0].split(","))))
        before, behind = (options[0], options[1]) if len(options) == 2 else ("", options[0] if options else "")
        is_textual = name.startswith(("citet", "citealt", "citeauthor", "textcite")) or name == "cite"
        bare = name.startswith(("citeal", "citeauthor", "citeyear"))
        self._text.append(self.words.keep(Citation(keys, is_textual, bare, before, behind)))
        return group[1]

    # Paragraphs --------------------------------------------------------------------------------------------

    def _open_section(self, title: str, level: int, role: SectionRole) -> None:
        self.sections.append(SectionDraft(title, level, role))

    def _end_paragraph(self) -> None:
        if self._nesting:
            self._text.append(" ")
            return
        texts = ["".join(self._text), *self._footnotes]
        self.sections[-1].paragraphs += [text for text in texts if text.strip()]
        self._text, self._footnotes = [], []

    def _count(self, what: str) -> int:
        self._counters[what] = self._counters.get(what, 0) + 1
        return self._counters[what]

    def _note_labels(self, text: str) -> None:
        for match in _LABEL.finditer(text):
            self.words.labels.setdefault(match[1].strip(), self._number)
