"""Writes a made paper as LaTeX, as JATS, as plain text and as Markdown."""

from collections.abc import Iterator
from xml.sax.saxutils import escape

from benchmarks.made_papers.layouts import Layout, entry
from benchmarks.made_papers.paper import Citing, Float, Formula, Heading, MadePaper, Note, Part, Text, Work, plain_piece

PICTURE = (
    r"\begin{picture}(200,80)\put(0,0){\framebox(200,80){}}\put(70,-10){\footnotesize time (days)}"
    r"\put(10,60){\footnotesize flux}\put(60,30){\footnotesize model A}\end{picture}\vspace{12pt}"
)


def as_latex(paper: MadePaper, layout: Layout, has_keys: bool = True) -> str:
    """Return the source of a paper; without keys, its citations are typed as author and year."""
    front = layout.front.replace("TITLE", paper.title).replace("ABSTRACT", " ".join(paper.abstract))
    body = "".join(_latex_parts(paper, layout, has_keys))
    items = "\n".join(_item(number, work, layout, has_keys) for number, work in enumerate(paper.works))
    names = rf"\renewcommand{{\refname}}{{{paper.vocabulary.references}}}"
    if layout.vocabulary.abstract != "Abstract":
        names += rf"\renewcommand{{\abstractname}}{{{paper.vocabulary.abstract}}}"
    return (
        f"{layout.preamble}\n\\begin{{document}}{names if layout.name in _RENAMED else ''}\n{front}\n{body}"
        f"\\begin{{thebibliography}}{{99}}\n{items}\n\\end{{thebibliography}}\n\\end{{document}}\n"
    )


_RENAMED = frozenset({"german", "french", "spanish"})


def _latex_parts(paper: MadePaper, layout: Layout, has_keys: bool) -> Iterator[str]:
    for part in paper.parts:
        if isinstance(part, Heading):
            yield ("\\appendix\n" if part.is_appendix else "") + _latex_heading(part)
        elif isinstance(part, Text):
            yield "".join(_latex_piece(piece, paper.works, layout, has_keys) for piece in part.pieces).strip() + "\n\n"
        elif isinstance(part, Formula):
            yield f"{part.lead}\n\\begin{{equation}} {part.tex} \\end{{equation}}\n"
        else:
            yield _latex_float(part)


def _latex_heading(heading: Heading) -> str:
    return f"\\{'sub' * (heading.level - 1)}section{{{heading.title}}}\n"


def _latex_piece(piece: str | Citing | Note, works: tuple[Work, ...], layout: Layout, has_keys: bool) -> str:
    if isinstance(piece, Note):
        return f"\\footnote{{{piece.text}}}"
    if isinstance(piece, str) or not has_keys:
        return " " + plain_piece(piece, works).replace("&", r"\&")
    keys = ",".join(f"r{place}" for place in piece.works)
    macro = "cite" if not layout.by_author else "citet" if piece.is_textual else "citep"
    return " " + piece.frame.format(f"\\{macro}{{{keys}}}", piece.mark)


def _latex_float(part: Float) -> str:
    if part.is_table:
        rows = r" \\ ".join(f"Field {n} & {n * 3.7:.1f} & {n * 11} & yes" for n in range(1, 6))
        return (
            f"\\begin{{table}}\\caption{{{part.caption}}}\\centering\\begin{{tabular}}{{lrrl}}\\hline\n"
            f"Name & Flux & Count & Used \\\\ \\hline {rows} \\\\ \\hline\\end{{tabular}}\\end{{table}}\n"
        )
    name = "figure*" if part.is_wide else "figure"
    return f"\\begin{{{name}}}\\centering {PICTURE}\\caption{{{part.caption}}}\\end{{{name}}}\n"


def _item(number: int, work: Work, layout: Layout, has_keys: bool) -> str:
    label = f"[{work.names}({work.year})]" if layout.by_author and has_keys else ""
    return f"\\bibitem{label}{{r{number}}} {entry(work, layout.style)}".replace("&", r"\&")


def as_jats(paper: MadePaper, layout: Layout, has_keys: bool = True) -> str:
    """Return a paper as JATS; without keys, its citations stand in the text without marks."""
    abstract = escape(" ".join(paper.abstract))
    start = next(place for place, part in enumerate(paper.parts) if isinstance(part, Heading) and part.is_appendix)
    appendix = _jats_parts(paper.parts[start:], paper, has_keys).removeprefix("<sec>").removesuffix("</sec>")
    items = "".join(
        f'<ref id="r{number}"><mixed-citation>{escape(entry(work, layout.style))}</mixed-citation></ref>'
        for number, work in enumerate(paper.works)
    )
    notes = "".join(f'<fn id="n{number}"><p>{escape(note)}</p></fn>' for number, note in enumerate(paper.notes))
    return (
        '<?xml version="1.0" encoding="UTF-8"?><article><front><article-meta><title-group>'
        f"<article-title>{escape(paper.title)}</article-title></title-group><abstract><p>{abstract}</p></abstract>"
        f"</article-meta></front><body>{_jats_parts(paper.parts[:start], paper, has_keys)}</body><back><app-group>"
        f"<app>{appendix}</app></app-group>"
        f"<fn-group>{notes}</fn-group><ref-list>{items}</ref-list></back></article>"
    )


def _jats_parts(parts: list[Part], paper: MadePaper, has_keys: bool) -> str:
    text = ""
    depth = 0
    for part in parts:
        if isinstance(part, Heading):
            text += "</sec>" * (depth - part.level + 1) + f"<sec><title>{escape(part.title)}</title>"
            depth = part.level
        elif isinstance(part, Text):
            text += f"<p>{''.join(_jats_piece(piece, paper, has_keys) for piece in part.pieces).strip()}</p>"
        elif isinstance(part, Formula):
            tex = f"<disp-formula><tex-math><![CDATA[{part.tex}]]></tex-math></disp-formula>"
            text += f"<p>{escape(part.lead)} {tex}</p>"
        else:
            tag, label = ("table-wrap", "Table") if part.is_table else ("fig", "Figure")
            caption = f"<caption><p>{escape(part.caption)}</p></caption>"
            text += f"<{tag}><label>{label} {part.number}</label>{caption}</{tag}>"
    return text + "</sec>" * depth


def _jats_piece(piece: str | Citing | Note, paper: MadePaper, has_keys: bool) -> str:
    if isinstance(piece, Note):
        number = paper.notes.index(piece.text)
        return f'<xref ref-type="fn" rid="n{number}"><sup>{number + 1}</sup></xref>'
    if isinstance(piece, str) or not has_keys:
        return " " + escape(plain_piece(piece, paper.works))
    works = (
        f'<xref ref-type="bibr" rid="r{place}">{escape(_short(paper.works[place]))}</xref>' for place in piece.works
    )
    work_list = "; ".join(works)
    return " " + escape(piece.frame).format(work_list if piece.is_textual else f"({work_list})", piece.mark)


def _short(work: Work) -> str:
    return f"{work.names} {work.year}"


def as_text(paper: MadePaper, layout: Layout, is_markdown: bool = False) -> str:
    """Return a paper as plain text or Markdown, its citations typed as author and year."""
    marks = ("# ", "## ", "### ") if is_markdown else ("", "", "")
    words = paper.vocabulary
    blocks = [marks[0] + paper.title, marks[1] + words.abstract, " ".join(paper.abstract)]
    numbers = [0, 0]
    for part in paper.parts:
        if isinstance(part, Heading):
            numbers = [numbers[0] + 1, 0] if part.level == 1 else [numbers[0], numbers[1] + 1]
            number = ".".join(map(str, numbers[: part.level]))
            blocks.append(f"{marks[part.level]}{number} {part.title}")
        elif isinstance(part, Text):
            blocks.append(" ".join(filter(None, (plain_piece(piece, paper.works) for piece in part.pieces))))
            blocks += [piece.text for piece in part.pieces if isinstance(piece, Note)]
        elif isinstance(part, Formula):
            blocks.append(f"{part.lead} $${part.tex}$$")
    entries = "\n".join(entry(work, layout.style) for work in paper.works)
    return "\n\n".join([*blocks, marks[1] + words.references, entries]) + "\n"
