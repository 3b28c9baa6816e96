"""Layouts in which made papers are printed: the classes of publishers, and what they need."""

from dataclasses import dataclass

from benchmarks.made_papers.paper import MadePaper, Work
from benchmarks.made_papers.words import ENGLISH, FRENCH, GERMAN, SPANISH, Vocabulary
from benchmarks.made_papers.writer import make

_FRONT = r"\title{TITLE}\author{A. Maker and B. Tester}\date{}\maketitle\begin{abstract}ABSTRACT\end{abstract}"
_INSTITUTE = r"\title{TITLE}\author{A. Maker}\affiliation{Institute of Made Papers}"
_ACCENTS = r"\usepackage[utf8]{inputenc}\usepackage[T1]{fontenc}\usepackage{lmodern}"
_NATBIB = r"\usepackage{natbib}"


@dataclass(frozen=True, slots=True)
class Layout:
    """A layout: how its papers begin, how they cite, and how long they are."""

    name: str
    preamble: str
    front: str = _FRONT
    by_author: bool = False
    """Whether it cites by author and year."""
    is_wide: bool = False
    """Whether a figure of two columns is possible."""
    style: str = "plain"
    """How its reference list is written: plain, apj or aps."""
    sections: int = 5
    vocabulary: Vocabulary = ENGLISH

    def paper(self, seed: int) -> MadePaper:
        """Return the paper of a seed in this layout."""
        return make(seed, self.sections, self.vocabulary, self.is_wide)


LAYOUTS = (
    Layout("article", r"\documentclass{article}" + _ACCENTS, sections=17),
    Layout("article2", r"\documentclass[twocolumn]{article}" + _NATBIB, by_author=True, is_wide=True),
    Layout("lineno", r"\documentclass{article}\usepackage{lineno}\linenumbers"),
    Layout(
        "ieee",
        r"\documentclass[journal]{IEEEtran}",
        r"\title{TITLE}\author{A. Maker and B. Tester}\markboth{Journal of Made Papers, Vol. 3}{Maker: A made paper}"
        r"\maketitle\begin{abstract}ABSTRACT\end{abstract}",
        is_wide=True,
    ),
    Layout(
        "revtex",
        r"\documentclass[prd,twocolumn,longbibliography]{revtex4-2}",
        _INSTITUTE + r"\begin{abstract}ABSTRACT\end{abstract}\maketitle",
        is_wide=True,
        style="aps",
    ),
    Layout(
        "mnras",
        r"\documentclass[usenatbib]{mnras}",
        r"\title[A made paper]{TITLE}\author[A. Maker]{A. Maker and B. Tester\\ Institute of Made Papers}"
        r"\maketitle\begin{abstract}ABSTRACT\end{abstract}",
        by_author=True,
        is_wide=True,
    ),
    Layout(
        "aastex",
        r"\documentclass[twocolumn]{aastex631}",
        _INSTITUTE + r"\begin{abstract}ABSTRACT\end{abstract}",
        by_author=True,
        is_wide=True,
        style="apj",
    ),
    Layout(
        "elsarticle",
        r"\documentclass[5p,twocolumn,authoryear]{elsarticle}",
        r"\begin{frontmatter}\title{TITLE}\author{A. Maker}\begin{abstract}ABSTRACT\end{abstract}\end{frontmatter}",
        by_author=True,
        is_wide=True,
        style="apj",
    ),
    Layout(
        "llncs",
        r"\documentclass{llncs}",
        r"\title{TITLE}\author{A. Maker}\institute{Institute of Made Papers}\maketitle"
        r"\begin{abstract}ABSTRACT\end{abstract}",
    ),
    Layout(
        "amsart",
        r"\documentclass{amsart}" + _NATBIB,
        r"\title{TITLE}\author{A. Maker}\begin{abstract}ABSTRACT\end{abstract}\maketitle",
        by_author=True,
        style="aps",
    ),
    Layout("german", r"\documentclass{article}" + _ACCENTS + _NATBIB, by_author=True, vocabulary=GERMAN),
    Layout("french", r"\documentclass[twocolumn]{article}" + _ACCENTS, vocabulary=FRENCH),
    Layout("spanish", r"\documentclass{article}" + _ACCENTS + _NATBIB, by_author=True, vocabulary=SPANISH),
    Layout("raised", r"\documentclass[twocolumn]{article}\usepackage[super,sort&compress]{natbib}", is_wide=True),
)


def entry(work: Work, style: str) -> str:
    """Return an entry of a reference list as a style writes it."""
    many = len(work.authors) > 4
    authors = work.authors[:3] if many else work.authors
    if style == "aps":
        names = [f"{initial}. {name}" if initial else name for name, initial in authors]
        author_text = ", ".join(names) + (" et al." if many else "")
        return f"{author_text}, {work.title}, {work.journal} {work.volume}, {work.page} ({work.year})"
    if style == "apj":
        names = [f"{name}, {initial}." if initial else name for name, initial in authors]
        author_text = f"{', '.join(names[:-1])}, & {names[-1]}" if len(names) > 1 and not many else ", ".join(names)
        return f"{author_text}{', et al.' if many else ''} {work.year}, {work.journal}, {work.volume}, {work.page}"
    names = [f"{name} {initial}." if initial else name for name, initial in authors]
    author_text = ", ".join(names) + (", et al." if many else "")
    return f"{author_text}, {work.year}, {work.journal}, {work.volume}, {work.page}. {work.title}"
