"""Papers in LaTeX whose every sentence, heading, caption and reference is known, because they are made here.

The words are our own. A seed fixes a paper; the class decides columns, headings and the style of its references.
"""

import random
from dataclasses import dataclass, field
from pathlib import Path

SUBJECTS = (
    "the cool gas around distant galaxies;a flaring dwarf star;the dust-free inner disc;our high-redshift sample;"
    "a magnetised wind;the infrared excess;each well-studied cluster;the first spectrograph;a slowly rotating pulsar;"
    "the coefficient of diffusion;the molecular outflow;an unidentified transient;the faint companion;"
    "the star-forming ring;the affected quasar field;a metal-poor halo star"
).split(";")
VERBS = (
    "shows;traces;explains;reflects;confirms;limits;does not follow;amplifies;precedes;fills;modifies;outshines"
).split(";")
OBJECTS = (
    "a steep decline of the observed flux;the expected relationship with stellar mass;an efficient cooling of the halo;"
    "the effective temperature of its surroundings;a long-lived instability;the calibration of the reference fields;"
    "an extraordinarily luminous afterglow;the distribution of angular momentum;a significant polarisation signal;"
    "the far-infrared background;the difference between both instruments;a sufficiently accurate ephemeris"
).split(";")
ENDS = (
    "over the whole interval of our observations;within the uncertainties of the photometric zero point;"
    "when interstellar extinction is taken into account;at wavelengths beyond the reach of earlier surveys;"
    "although the configuration of the telescope was different;if non-thermal processes are negligible;"
    "in spite of the considerable crowding near the centre;for almost every object in the southern hemisphere"
).split(";")
STARTS = ("", "", "In addition, ", "As a consequence, ", "On average, ", "By contrast, ", "In a two-component model, ")
TOPICS = (
    "Observations and reduction;Sample selection;Spectral fitting;Results for individual objects;"
    "Comparison with models;Sources of uncertainty;Radial profiles;Discussion;The origin of the scatter;"
    "Photometric calibration"
).split(";")
SURNAMES = (
    "Abara Bonnet Castillo Dvorak Eriksen Fuentes Grigore Hartmann Ito Jansen Kowal Lindqvist Moreau Nakata".split()
)
JOURNALS = ("Journal of Faint Objects", "Annals of Slow Stars", "Letters on Dust", "Proceedings of the Quiet Sky")


@dataclass
class MadePaper:
    """A paper and the truth about it."""

    name: str
    title: str
    source: str = ""
    sentences: list[str] = field(default_factory=list)
    headings: list[tuple[str, int]] = field(default_factory=list)
    captions: list[str] = field(default_factory=list)
    references: list[str] = field(default_factory=list)
    footnotes: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class PaperClass:
    """A publisher's class: how its papers begin, and whether they cite by author and year."""

    name: str
    preamble: str
    front: str
    author_year: bool = False
    wide: bool = False
    """Whether a figure of two columns is possible."""


_PLAIN_FRONT = r"\title{TITLE}\author{A. Maker and B. Tester}\date{}\maketitle\begin{abstract}ABSTRACT\end{abstract}"
CLASSES = (
    PaperClass("article", r"\documentclass{article}\usepackage{lmodern}\usepackage[T1]{fontenc}", _PLAIN_FRONT),
    PaperClass("article2", r"\documentclass[twocolumn]{article}", _PLAIN_FRONT, wide=True),
    PaperClass("lineno", r"\documentclass{article}\usepackage{lineno}\linenumbers", _PLAIN_FRONT),
    PaperClass(
        "ieee",
        r"\documentclass[journal]{IEEEtran}",
        r"\title{TITLE}\author{A. Maker and B. Tester}\markboth{Journal of Made Papers, Vol. 3}{Maker: A made paper}"
        r"\maketitle\begin{abstract}ABSTRACT\end{abstract}",
        wide=True,
    ),
    PaperClass(
        "revtex",
        r"\documentclass[prd,twocolumn,longbibliography]{revtex4-2}",
        r"\title{TITLE}\author{A. Maker}\affiliation{Institute of Made Papers}"
        r"\begin{abstract}ABSTRACT\end{abstract}\maketitle",
        wide=True,
    ),
    PaperClass(
        "mnras",
        r"\documentclass[usenatbib]{mnras}",
        r"\title[A made paper]{TITLE}\author[A. Maker]{A. Maker and B. Tester\\ Institute of Made Papers}"
        r"\maketitle\begin{abstract}ABSTRACT\end{abstract}",
        author_year=True,
        wide=True,
    ),
    PaperClass(
        "aastex",
        r"\documentclass[twocolumn]{aastex631}",
        r"\title{TITLE}\author{A. Maker}\affiliation{Institute of Made Papers}\begin{abstract}ABSTRACT\end{abstract}",
        author_year=True,
        wide=True,
    ),
    PaperClass(
        "elsarticle",
        r"\documentclass[5p,twocolumn]{elsarticle}",
        r"\begin{frontmatter}\title{TITLE}\author{A. Maker}\begin{abstract}ABSTRACT\end{abstract}\end{frontmatter}",
        wide=True,
    ),
    PaperClass(
        "llncs",
        r"\documentclass{llncs}",
        r"\title{TITLE}\author{A. Maker}\institute{Institute of Made Papers}\maketitle"
        r"\begin{abstract}ABSTRACT\end{abstract}",
    ),
    PaperClass(
        "amsart",
        r"\documentclass{amsart}",
        r"\title{TITLE}\author{A. Maker}\begin{abstract}ABSTRACT\end{abstract}\maketitle",
    ),
)


class _Writer:
    """Writes the paper of one class and notes the truth about it."""

    def __init__(self, paper_class: PaperClass, seed: int, sections: int) -> None:
        self.paper_class = paper_class
        self.random = random.Random(seed)  # noqa: S311
        self.paper = MadePaper(paper_class.name, "Cool gas and warm dust in a made paper about quiet galaxies")
        self.parts: list[str] = []
        self.sections = sections
        self.seen: set[str] = set()

    def sentence(self) -> str:
        while True:
            pick = self.random.choice
            text = f"{pick(STARTS)}{pick(SUBJECTS)} {pick(VERBS)} {pick(OBJECTS)} {pick(ENDS)}."
            if self.random.random() < 0.2:
                text = f"{text[:-1]}, by {self.random.randint(2, 98)} per cent."
            text = text[0].upper() + text[1:]
            if text not in self.seen:
                self.seen.add(text)
                return text

    def sentences(self, count: int) -> list[str]:
        made = [self.sentence() for _ in range(count)]
        self.paper.sentences += made
        return made

    def paragraph(self, citation: bool = True) -> str:
        made = self.sentences(self.random.randint(3, 8))
        text = " ".join(made)
        if citation and self.random.random() < 0.4:
            text += f" See \\cite{{r{self.random.randrange(12)}}} for this."
        if citation and self.random.random() < 0.25:
            note = self.sentence()
            self.paper.footnotes.append(note)
            text += f"\\footnote{{{note}}}"
        return text + "\n\n"

    def heading(self, title: str, level: int) -> str:
        self.paper.headings.append((title, level))
        return f"\\{'sub' * (level - 1)}section{{{title}}}\n"

    def figure(self, number: int) -> str:
        caption = self.sentence()
        self.paper.captions.append(caption)
        star = "*" if self.paper_class.wide and number % 2 else ""
        picture = (
            r"\begin{picture}(200,80)\put(0,0){\framebox(200,80){}}\put(70,-10){\footnotesize time (days)}"
            r"\put(10,60){\footnotesize flux}\put(60,30){\footnotesize model A}\end{picture}\vspace{12pt}"
        )
        return f"\\begin{{figure{star}}}\\centering {picture}\\caption{{{caption}}}\\end{{figure{star}}}\n"

    def table(self) -> str:
        caption = self.sentence()
        self.paper.captions.append(caption)
        rows = r" \\ ".join(f"Field {n} & {n * 3.7:.1f} & {n * 11} & yes" for n in range(1, 6))
        return (
            f"\\begin{{table}}\\caption{{{caption}}}\\centering\\begin{{tabular}}{{lrrl}}\\hline\n"
            f"Name & Flux & Count & Used \\\\ \\hline {rows} \\\\ \\hline\\end{{tabular}}\\end{{table}}\n"
        )

    def body(self) -> None:
        titles = ["Introduction", *self.random.sample(TOPICS, self.sections), "Conclusions"]
        for number, title in enumerate(titles):
            self.parts.append(self.heading(title, 1))
            self.parts += [self.paragraph() for _ in range(self.random.randint(2, 4))]
            if 0 < number < len(titles) - 1:
                self.parts.append(self.figure(number) if number % 3 else self.table())
                self.parts.append(self.heading(f"A closer look at part {number}", 2))
                self.parts += [self.paragraph() for _ in range(2)]
                self.parts.append(
                    r"The balance is" + "\n\\begin{equation} E_{k} = \\frac{1}{2} m v^{2} \\end{equation}\n"
                )
                self.parts.append("which holds for every field. " + self.paragraph())

    def bibliography(self) -> str:
        items = []
        for number in range(12):
            names = self.random.sample(SURNAMES, 3)
            year, volume = 1980 + 3 * number, self.random.randint(10, 900)
            text = (
                f"{names[0]} A., {names[1]} B., {names[2]} C., {year}, {self.random.choice(JOURNALS)}, {volume}, "
                f"{self.random.randint(1, 2000)}. A study of {self.random.choice(OBJECTS)}"
            )
            self.paper.references.append(text)
            label = f"[{names[0]} et al.({year})]" if self.paper_class.author_year else ""
            items.append(f"\\bibitem{label}{{r{number}}} {text}")
        return "\\begin{thebibliography}{99}\n" + "\n".join(items) + "\n\\end{thebibliography}\n"

    def written(self) -> MadePaper:
        abstract = " ".join(self.sentences(5))
        front = self.paper_class.front.replace("TITLE", self.paper.title).replace("ABSTRACT", abstract)
        self.body()
        start = f"{self.paper_class.preamble}\n\\begin{{document}}\n{front}\n"
        self.paper.source = start + "".join(self.parts) + self.bibliography() + "\\end{document}\n"
        return self.paper


def make(paper_class: PaperClass, seed: int = 7, sections: int = 5) -> MadePaper:
    """Return a paper of a class, the same for the same seed."""
    return _Writer(paper_class, seed, sections).written()


def write_all(folder: Path, seed: int = 7) -> list[MadePaper]:
    """Write the sources of a paper of each class to `folder`."""
    papers = [make(paper_class, seed + index) for index, paper_class in enumerate(CLASSES)]
    for paper in papers:
        (folder / f"{paper.name}.tex").write_text(paper.source, encoding="utf-8")
    return papers
