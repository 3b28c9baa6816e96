r"""Writes a draft as LaTeX with BibTeX: the plain article class, \cite, and no packages except amsmath and amssymb."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import replace

from pathfinder.drafts.document import DocumentPart, DocumentSection, DraftDocument
from pathfinder.export.bibtex import bibtex, bibtex_keys
from pathfinder.export.records import year_of
from pathfinder.text.latex.display import readable
from pathfinder.text.latex.escape import inert_tex
from pathfinder.types import Paper

_NEAREST = {
    "Ð": "D", "Þ": "Th", "đ": "d", "Đ": "D", "ŋ": "ng", "Ŋ": "Ng", "ħ": "h", "ı": r"\i{}",
    "«": r"\ensuremath{\ll}", "»": r"\ensuremath{\gg}", "„": ",,", "‚": ",", "‟": "``", "€": "EUR",
    "•": r"\ensuremath{\bullet}", "©": r"\copyright{}", "£": r"\pounds{}", "\N{SOFT HYPHEN}": r"\-",
}  # fmt: skip
"""LaTeX counterparts of characters that Unicode does not decompose into ASCII letters."""
_OF_OTHER_FONTS = {"dh": ("", "d"), "th": ("", "th"), "k": ("[1]", "#1")}
"""Macros that LaTeX's original fonts (OT1) lack, with their arguments and a counterpart in these fonts."""


def bibliography_name(name: str) -> str:
    """Return a name for the .bib file of the draft called `name`: BibTeX cannot find a file whose name contains
    spaces, commas or signs that LaTeX reads as commands.
    """
    return re.sub(r"[^A-Za-z0-9._+-]+", "-", name).strip("-") or "references"


def draft_bibtex(document: DraftDocument) -> str:
    """Write an entry without an abstract for each reference."""
    return bibtex([_listed(paper) for paper in document.references])


def draft_latex(document: DraftDocument, bibliography: str = "draft") -> str:
    r"""Write the document; `bibliography` is the name of the .bib file, without its suffix.

    A sentence to check is followed by a comment with the reason. Characters that pdfLaTeX does not know are declared,
    so that it prints their nearest letters or code points; XeLaTeX and LuaLaTeX print the characters themselves.
    """
    keys = dict(zip(document.numbers, bibtex_keys([_listed(paper) for paper in document.references]), strict=True))
    body = "\n".join(line for section in document.sections for line in _section(section, keys))
    end = [r"\bibliographystyle{unsrt}", rf"\bibliography{{{bibliography}}}"] if keys else []
    title = inert_tex(document.title)
    return "\n".join(
        (
            r"\documentclass{article}",
            r"\usepackage{amsmath,amssymb}",
            *declarations(title + body + draft_bibtex(document)),
            rf"\title{{{title}}}",
            r"\author{}",
            r"\begin{document}",
            r"\maketitle",
            "",
            body,
            *end,
            r"\end{document}",
            "",
        )
    )


def _section(section: DocumentSection, keys: dict[str, str]) -> Iterator[str]:
    yield rf"\section{{{inert_tex(section.heading)}}}"
    yield ""
    if section.missing is not None:
        yield rf"\emph{{To do: {inert_tex(section.missing)}.}}"
        yield ""
    for paragraph in section.paragraphs:
        for part in paragraph:
            yield _part(part, keys)
            if part.remark is not None:
                yield f"% To check: {' '.join(readable(part.remark).split())}"
        yield ""


def _part(part: DocumentPart, keys: dict[str, str]) -> str:
    words = inert_tex(part.text)
    if part.lead is not None:
        words = f"{inert_tex(part.lead)}: ``{words}''"
    if not part.citations:
        return words
    mark = rf"~\cite{{{','.join(keys[paper_id] for paper_id in part.citations)}}}"
    # A citation mark belongs before the full stop, except after a quotation.
    return f"{words[:-1]}{mark}." if part.lead is None and words.endswith(".") else f"{words}{mark}"


def _listed(paper: Paper) -> Paper:
    """Return the paper without anything that a list of references does not show."""
    return replace(paper, year=year_of(paper), date=None, abstract="", subjects=())


def declarations(text: str) -> Iterator[str]:
    """Declare macros and non-ASCII characters for pdfLaTeX, which stops at any that it does not know."""
    for macro, (arguments, counterpart) in _OF_OTHER_FONTS.items():
        if rf"{{\{macro}" in text:
            yield rf"\ProvideTextCommandDefault{{\{macro}}}{arguments}{{{counterpart}}}"
    signs = sorted({sign for sign in text if not sign.isascii()})
    if signs:
        yield r"\ifdefined\DeclareUnicodeCharacter"
        yield from (rf"\DeclareUnicodeCharacter{{{ord(sign):04X}}}{{{_nearest(sign)}}}" for sign in signs)
        yield r"\fi"


def _nearest(sign: str) -> str:
    """Return the LaTeX or ASCII letters nearest to a character or, if there are none, its code point: "[U+4E2D]"."""
    if sign in _NEAREST:
        return _NEAREST[sign]
    letters = unicodedata.normalize("NFKD", sign).encode("ascii", "ignore").decode()
    is_mark = unicodedata.combining(sign) or unicodedata.category(sign) == "Cf"
    return letters if letters.isalnum() or is_mark else f"[U+{ord(sign):04X}]"
