import gzip
import io
import tarfile
from itertools import pairwise

import pytest

from pathfinder.errors import CorpusError
from pathfinder.fulltext.document import Figure, InTextCitation, Reference, TextFormat
from pathfinder.fulltext.formats import read_document
from pathfinder.fulltext.latex.source import Joiner, expand_macros, without_comments
from pathfinder.types.full_texts import SectionKind

PAPER = r"""% arXiv
\documentclass[useAMS]{mn2e}
\newcommand{\Ms}{\ensuremath{M_\odot}}
\newcommand{\vel}[1]{$#1\,\mathrm{km\,s^{-1}}$}
\begin{document}
\title[Short]{Dust in \textbf{cold} clouds of $10\,\Ms$}
\author[A]{A. B\'ezout$^{1}$\thanks{E-mail: x}}
\begin{abstract}
We weigh dust~with {\it HST} at 5\% precision.
\end{abstract}
\section{Introduction}\label{sec:intro}
Dust was seen early \citep[e.g.][]{tr30,sp42}, as in Fig.~\ref{fig:a}.\footnote{Not
by all.} It costs \$5. % a comment

Equation
\begin{equation}\label{eq:a}
 E = mc^2
\end{equation}
holds (\ref{eq:a}) for \Ms stars.
\begin{figure*}\includegraphics{a.png}\caption{A plot of $x$ \citep{sp42}.}\label{fig:a}\end{figure*}
\subsection{Our sample}
\begin{itemize}\item First thing. \item Second \citet{lost}.\end{itemize}
\appendix
\section{Fits}
\'Etude of \alpha{} -- ``at'' \vel{10}.
\begin{thebibliography}{9}
\bibitem[Trumpler(1930)]{tr30} Trumpler R., 1930, doi:10.1234/abc
\bibitem[{Spitzer \& Sav{\'e}(1942)}]{sp42} Spitzer L., \newblock 1942, ApJ
\end{thebibliography}
\end{document}
"""
CHAPTERS = r"""\documentclass{book}
\begin{document}
\part{One}
\chapter{Introduction}\label{intro}
\section{Dust}
\chapter{Stars}\label{stars}
\section{Spots}\label{spots,a}
\begin{equation}\label{area} A = 1 \end{equation}
See \Cref{stars,intro}, section~\ref{spots,a}, \cref{area} and \autoref{lost}.
\end{document}
"""
MINIMAL = "\\documentclass{revtex4-2}\n\\begin{document}\n%s\n\\end{document}\n"


def tar_of(*members: tuple[str, str]) -> bytes:
    """A gzipped archive of files, each with its name and its text."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for name, text in members:
            member = tarfile.TarInfo(name)
            member.size = len(text.encode())
            archive.addfile(member, io.BytesIO(text.encode()))
    return buffer.getvalue()


def tar_with(kind: bytes, target: str) -> bytes:
    """An archive with one member of a kind, such as a link to `target`."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        member = tarfile.TarInfo("main.tex")
        member.type, member.linkname = kind, target
        archive.addfile(member)
    return buffer.getvalue()


def read(folder, content: bytes | str, name: str = "paper.tex"):
    file = folder / name
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_document(file)


def texts(document) -> list[str]:
    return [paragraph.text for section in document.sections for paragraph in section.paragraphs]


def test_a_paper_in_latex_has_its_sections_and_plain_paragraphs_with_formulas_as_tex(tmp_path):
    document = read(tmp_path, PAPER)
    assert document.title == r"Dust in cold clouds of $10\,{M_\odot}$"
    assert [(section.title, section.level, section.kind) for section in document.sections] == [
        ("Abstract", 1, SectionKind.ABSTRACT),
        ("Introduction", 1, SectionKind.INTRODUCTION),
        ("Our sample", 2, SectionKind.DATA),
        ("Fits", 1, SectionKind.APPENDIX),
    ]
    assert texts(document) == [
        "We weigh dust with HST at 5% precision.",
        "Dust was seen early (e.g. Trumpler 1930; Spitzer & Savé 1942), as in Fig. 1. It costs $5.",
        "Not by all.",
        r"Equation $$E = mc^2$$ holds (1) for $M_\odot$ stars.",
        "First thing.",
        "Second [?].",
        r"Étude of α – “at” $10\,\mathrm{km\,s^{-1}}$.",
    ]
    assert document.provenance.road is TextFormat.LATEX
    assert document.provenance.warnings == ()


def test_citations_and_captions_of_latex_are_resolved_to_the_reference_list(tmp_path):
    document = read(tmp_path, PAPER)
    (citation,) = document.sections[1].paragraphs[0].citations
    source = "Dust was seen early "
    assert citation == InTextCitation(len(source), 61, ("tr30", "sp42"))
    assert document.sections[2].paragraphs[1].citations[0].references == ()
    assert document.figures == (Figure("Figure 1", "A plot of $x$ (Spitzer & Savé 1942)."),)
    assert document.references == (
        Reference("tr30", "Trumpler R., 1930, doi:10.1234/abc", "10.1234/abc"),
        Reference("sp42", "Spitzer L., 1942, ApJ"),
    )


def test_an_archive_is_read_with_its_inputs_and_its_bibliography_whatever_its_name(tmp_path):
    archive = tar_of(
        ("main.tex", MINIMAL % r"\input{parts/one} \include{parts/two}"),
        ("parts/one.tex", r"\section{Methods} We weigh~\cite{a}."),
        ("parts/two.tex", "\\section{Results}\nHeavy."),
        ("main.bbl", r"\begin{thebibliography}{1}\bibitem{a} Author A., arXiv:2408.01556\end{thebibliography}"),
        ("plot.png", "not TeX"),
    )
    document = read(tmp_path, archive, "2408.99999")
    assert [(s.title, s.kind) for s in document.sections] == [
        ("Methods", SectionKind.METHOD),
        ("Results", SectionKind.RESULT),
    ]
    assert texts(document) == ["We weigh [1].", "Heavy."]
    assert document.references[0].arxiv_id == "2408.01556"


def test_a_gzipped_file_is_read_like_the_file_itself(tmp_path):
    assert read(tmp_path, gzip.compress(PAPER.encode()), "paper.gz").sections == read(tmp_path, PAPER).sections


def test_the_abstract_of_aanda_has_five_arguments_and_elsarticle_a_front_matter(tmp_path):
    aanda = read(
        tmp_path, MINIMAL % "\\abstract{Context.}{Aims.}{Methods.}{Results.}{}\n\\section{Introduction}\nHere."
    )
    assert texts(aanda) == ["Context.", "Aims.", "Methods.", "Results.", "Here."]
    assert aanda.sections[0].kind is SectionKind.ABSTRACT
    front = r"\begin{frontmatter}\title{Dust}\author{A}\begin{abstract}Cold.\end{abstract}\end{frontmatter}Here."
    elsarticle = read(tmp_path, MINIMAL % front)
    assert (elsarticle.title, texts(elsarticle)) == ("Dust", ["Cold.", "Here."])


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (r"\newcommand{\a}[2][x]{#1-#2}\a{1} \a[y]{2}", "x-1 y-2"),
        (r"\def\b#1{<#1>}\b{c}", "<c>"),
        (r"\def\loop{\loop}\loop", r"\loop"),
        (
            r"\newcommand{\n}{Foo\xspace}The \n galaxy, \n. \n's (\n) \n$z$ \n-like",
            "The Foo galaxy, Foo. Foo's (Foo) Foo $z$ Foo-like",
        ),
        ("\\newcommand{\\n}{Foo\\xspace}a \\n\nb \\n\n\nc \\n{} d \\n\\ e", "a Foo b Foo\n\nc Foo d Foo\\ e"),
        (r"\newcommand{\v}{\ensuremath{v\,}\xspace}$5\v$ or \v km", r"$5\ensuremath{v\,} $ or \ensuremath{v\,} km"),
        (r"\newcommand\q{1}\providecommand{\q}{2}\q \providecommand*\r{3}\r", "1 3"),
        (r"\renewcommand{\q}{1}\renewcommand{\q}{2}\q", "2"),
        (r"\DeclareRobustCommand{\k}[1]{(#1)}\k5 \k\alpha \k", r"(5) (\alpha) \k"),
        (r"\let\x=\alpha\let\y\x$\x\y$", r"$\alpha\alpha$"),
        (r"\NewDocumentCommand{\f}{o m}{<#1|#2>}\f[a]{b} \f{c}", "<a|b> <|c>"),
        (r"\DeclareMathOperator{\Tr}{Tr}$\Tr x$", r"$\mathrm{Tr} x$"),
        (r"\def\d(#1){no}Gone.", "Gone."),
    ],
)
def test_macros_are_expanded_as_tex_does_but_for_a_space_after_a_name(source, text):
    assert " ".join(expand_macros(source).split(" ")) == text


@pytest.mark.parametrize(
    ("written", "text"),
    [
        (r"\usepackage{siunitx}\SI[per-mode=symbol]{12}{\kilo\metre\per\second}", "12~km/s"),
        (r"\usepackage{siunitx}\qty{3.5}{\micro\meter}", "3.5~µm"),
        (r"\usepackage{siunitx}\newcommand{\second}{II}Part \second", "Part II"),
        (r"\unit[4]{kpc}", "4~kpc"),
        (r"the option \verb|a_b| is", r"the option a\_b is"),
    ],
)
def test_quantities_and_code_are_written_as_they_are_printed(written: str, text: str) -> None:
    assert expand_macros(written).removeprefix(r"\usepackage{siunitx}") == text


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (r"So $v \mbox{ in km\,s$^{-1}$}$ holds.", r"So $v \mbox{in km\,s$^{-1}$}$ holds."),
        (r"As $x_{\text{max}}$ or $x_{\text {min }}$.", r"As $x_{\mathrm{max}}$ or $x_{\mathrm{min}}$."),
        (
            r"Here. \begin{tabular}{c} a \begin{tabular}{c} b \\ \end{tabular} & c \\ \end{tabular} There.",
            "Here. There.",
        ),
        (r"Take \begin{eqnarray}a&=&\mbox{$b$}\,,\label{a}\nonumber\end{eqnarray} here.", r"Take $$a = {b}\,,$$ here."),
        (r"\begin{minipage}{0.9\textwidth}Words.\end{minipage}", "Words."),
        (r"It is \begin{subequations}\begin{equation}x\end{equation}\end{subequations} here.", "It is $$x$$ here."),
        (r"A mass\tablenotemark{a} is 5.\tablenotetext{a}{By us.}", "A mass is 5."),
    ],
)
def test_what_is_set_apart_in_tex_leaves_nothing_in_its_sentence(tmp_path, source, text):
    assert " ".join(texts(read(tmp_path, MINIMAL % source))) == text


def test_comments_end_with_their_line_and_an_escaped_percent_sign_is_none():
    assert without_comments("a% b\n  c \\% d\n") == "ac \\% d\n"


@pytest.mark.parametrize(
    ("source", "warning"),
    [
        (r"\input{/etc/passwd}", "'/etc/passwd' lies outside the source"),
        (r"\input{../../secret}", "'../../secret' lies outside the source"),
        (r"\input{|ls}", "'|ls' lies outside the source"),
        (r"\input{main}", "'main' includes itself"),
        (r"\input{nothing}", "'nothing' is not in the source"),
    ],
)
def test_an_input_that_leads_elsewhere_is_refused_with_a_warning(source, warning):
    joiner = Joiner({"main.tex": MINIMAL % f"Before. {source} Behind."})
    assert "Before.  Behind." in joiner.join("main.tex")
    assert len(joiner.warnings) == 1
    assert warning in joiner.warnings[0]


LETTERS = "abcdefghi"
LAUGHS = r"\def\xa{lol}" + "".join(
    rf"\def\x{letter}{{" + rf"\x{earlier}" * 20 + "}" for earlier, letter in pairwise(LETTERS)
)
"""Nine macros, each of which is twenty times the one before: 20^8 times "lol"."""


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda: tar_of(("../main.tex", MINIMAL % "x")), "lies outside the archive"),
        (lambda: tar_of(("/tmp/main.tex", MINIMAL % "x")), "lies outside the archive"),
        (lambda: tar_with(tarfile.SYMTYPE, "/etc/passwd"), "is a link"),
        (lambda: tar_with(tarfile.LNKTYPE, "/etc/passwd"), "is a link"),
        (lambda: tar_with(tarfile.CHRTYPE, ""), "a device"),
        (lambda: tar_of(*((f"{n}.tex", "") for n in range(5001))), "more than 5000 files"),
        (lambda: tar_of(("a.tex", "no document")), "holds no LaTeX document"),
        (lambda: gzip.compress(b"\0" * (40 << 20)), "unpacks to more than"),
        (lambda: gzip.compress(PAPER.encode())[:200], "is damaged"),
        (lambda: b"\x1f\x8b\x08garbage", "is damaged"),
        (lambda: gzip.compress(b"\0" * 257 + b"ustar" + b"\xff" * 600), "damaged archive|no LaTeX document"),
        (lambda: MINIMAL % f"{LAUGHS}\\xi", "expand to more than"),
        (
            lambda: tar_of(
                *((f"{n}.tex", rf"\input{{{n + 1}}}" * 4) for n in range(12)), ("m.tex", MINIMAL % r"\input{0}")
            ),
            "2000 files",
        ),
    ],
)
def test_a_hostile_source_is_refused_with_the_reason(tmp_path, make, reason):
    with pytest.raises(CorpusError, match=reason):
        read(tmp_path, make())


@pytest.mark.parametrize(
    "body",
    [
        "{" * 50_000,
        "}" * 50_000,
        r"\section{" * 20_000,
        r"\begin{verbatim}" * 20_000,
        r"\footnote{x" * 5_000 + "}" * 5_000,
        "$" * 20_001,
        r"\[" * 20_000,
        r"\cite[" * 20_000,
        r"\textbf{" * 300 + "x" + "}" * 300,
        "\\",
    ],
)
def test_latex_that_is_not_closed_is_read_as_far_as_it_goes(tmp_path, body):
    assert read(tmp_path, MINIMAL % f"First. {body}").provenance.road is TextFormat.LATEX


PLAIN = r"""\begin{table}\caption{Masses. In tons.}\begin{tabular}[t]{l|c} \hline Star & $M$ \\ & [t] \\ \hline\hline
HD 1 & $1.0 \pm 0.1$ \\[2pt] & {a & b} \\ \hline \end{tabular}\end{table}"""
DELUXE = r"""\begin{deluxetable*}{lc} \tablecaption{Masses. In tons.} \tablehead{\colhead{Star} & \multicolumn{2}{c}{M}}
\startdata \sidehead{Giants} HD 1 & 1 & 2 \\ Cold & & \\ HD 2 & 3 & 4 \enddata \end{deluxetable*}"""
LONG = r"""\begin{longtable}{cc}\caption{Masses. In tons.}\\ Star & M \\ \endfirsthead Star & M \\ \endhead
\multicolumn{2}{c}{continued} \\ \endfoot HD 1 & 1 \\ \end{longtable}"""
PARTLY_RULED = r"""\begin{table}\caption{Masses. In tons.}\begin {tabular}{lcc} & \multicolumn{2}{c}{Lens} \\
\cmidrule[1pt](l{2pt}r{2pt}){2-3} Galaxy & \begin{tabular}[c]{@{}c@{}}Mass\\(tons)\end{tabular} & sure? \\ \midrule
\multirow{2}{*}{N 1} & 5 & 5 \\ \cline{2-3} & & \\ N 2 & \multicolumn{2}{c}{none?} \\
7 & 7 & 7 \end{tabular}\end{table}"""
MANY = "1 & 2 \\\\ " * 101
CATALOGUE = rf"\begin{{table}}\caption{{M.}}\begin{{tabular}}{{c}} a & b \\ {MANY} \end{{tabular}}\end{{table}}"
WIDE = rf"\begin{{table}}\caption{{M.}}\begin{{tabular}}{{c}} a \\ {'1 & 2 & ' * 20} \end{{tabular}}\end{{table}}"


@pytest.mark.parametrize(
    ("table", "rows"),
    [
        (PLAIN, r"| Star HD 1 | $M$ [t] $1.0 \pm 0.1$. | Star HD 1 | $M$ [t] a & b."),
        (DELUXE, "| Giants | Star HD 1 | M 1 | M 2. | Cold | Star HD 2 | M 3 | M 4."),
        (LONG, "| Star HD 1 | M 1."),
        (r"\begin{table}\caption{Masses. In tons.}\includegraphics{a}\end{table}", None),
        (
            PARTLY_RULED,
            (
                "| Galaxy N 1 | Lens Mass (tons) 5 | Lens sure 5. | Galaxy N 2 | Lens Mass (tons) none?."
                " | Galaxy 7 | Lens Mass (tons) 7 | Lens sure 7."
            ),
        ),
        (CATALOGUE, None),
        (WIDE, None),
    ],
)
def test_rows_of_a_table_follow_its_caption_each_cell_with_its_heads(tmp_path, table, rows):
    (tmp_path / "a.tex").write_text(rf"\documentclass{{article}}\begin{{document}}Text. {table}\end{{document}}")
    figures = read_document(tmp_path / "a.tex").figures
    assert [(figure.label, figure.caption) for figure in figures[1:]] == ([("Table 1. Masses", rows)] if rows else [])


def test_cells_of_a_table_leave_the_text_around_it_as_it_is(tmp_path):
    table = r"\begin{table}\caption{C.}\begin{tabular}{c} a \\ \(b & c\footnote{Cell.} \end{tabular}\end{table}"
    (tmp_path / "a.tex").write_text(MINIMAL % rf"Before {table} it \(x_1\) ends.")
    document = read_document(tmp_path / "a.tex")
    assert [paragraph.text for section in document.sections for paragraph in section.paragraphs] == [
        "Before it $x_1$ ends."
    ]


def test_chapters_are_counted_apart_from_sections_and_a_reference_that_names_its_kind_says_it(tmp_path):
    assert texts(read(tmp_path, CHAPTERS))[-1].endswith("See Chapter 2, Chapter 1, section 2.1, Equation 1 and ??.")
