"""Every European letter that LaTeX can write comes back from each way of writing it."""

import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest
from pylatexenc.latexencode import get_builtin_uni2latex_dict

from pathfinder.corpus.readers import read_papers
from pathfinder.fulltext.latex.words import entries as entries_in
from pathfinder.text.latex.display import readable, unescape_tex
from pathfinder.text.latex.letters import letters
from pathfinder.text.latex.search_text import plain_text
from pathfinder.types import Paper

LATIN = [chr(code) for code in (*range(0xC0, 0x250), *range(0x1E00, 0x1F00)) if chr(code).isalpha()]
ACCENT = {
    "\u0300": "`", "\u0301": "'", "\u0302": "^", "\u0303": "~", "\u0304": "=", "\u0306": "u", "\u0307": ".",
    "\u0308": '"', "\u0309": "h", "\u030a": "r", "\u030b": "H", "\u030c": "v", "\u030f": "G", "\u0311": "f",
    "\u0323": "d", "\u0326": "textcommabelow", "\u0327": "c", "\u0328": "k", "\u0331": "b",
}  # fmt: skip
NAMED = {chr(code): tex[1:] for code, tex in get_builtin_uni2latex_dict().items()} | {
    "å": "aa", "Å": "AA", "ı": "i", "ȷ": "j", "ơ": "ohorn", "Ơ": "OHORN", "ư": "uhorn", "Ư": "UHORN",
}  # fmt: skip


def forms(letter: str) -> Iterator[str]:
    """Yield the ways of writing a letter, each so that another letter may follow."""
    if (name := NAMED.get(letter, "")).isalpha():
        yield from (rf"\{name}{{}}", rf"{{\{name}}}", rf"\{name} ", rf"{{\{name} }}")
    apart = unicodedata.normalize("NFD", letter)
    *first, mark = apart
    if not first or mark not in ACCENT:
        return
    accent, base = ACCENT[mark], unicodedata.normalize("NFC", "".join(first))
    for inner in {base, *([rf"\{base}", rf"{{\{base}}}"] if base in "ij" else forms(base) if len(first) > 1 else [])}:
        yield from (rf"\{accent}{{{inner}}}", rf"{{\{accent}{{{inner}}}}}", rf"{{\{accent} {inner}}}")
        if not inner.startswith("\\") and accent.isalpha():
            yield rf"\{accent} {inner}"
        elif not inner.endswith(" "):
            joint = "" if not accent.isalpha() or inner.startswith(("\\", "{")) else " "
            space = " " if re.search(r"\\[A-Za-z]+$", inner) else ""
            yield from (rf"\{accent}{joint}{inner}{space}", rf"{{\{accent}{joint}{inner}}}")
        if accent in "'`=":
            yield rf"\a{accent}{{{inner}}}"


WRITTEN = [(letter, form) for letter in LATIN for form in forms(letter)]


def test_most_letters_can_be_written() -> None:
    assert len({letter for letter, _ in WRITTEN}) > 350
    assert {*"ÀÿŁőşŽǎǖȘțÞßđıẽốợ"} <= {letter for letter, _ in WRITTEN}


def test_every_letter_comes_back_from_each_form_in_a_name_a_title_and_an_abstract(tmp_path: Path) -> None:
    batches = [WRITTEN[start : start + 20] for start in range(0, len(WRITTEN), 20)]
    entries = (
        f"@misc{{k{n}, title = {{{' '.join(f'Of X{form}a and {form}b.' for _, form in batch)}}},\n"
        f"abstract = {{{' '.join(f'On {form}a.' for _, form in batch)}}},\n"
        f"author = {{{' and '.join(f'{form}a~X{form}b, {form}.' for _, form in batch)} and Ann Mu{batch[0][1]}oz}}}}\n"
        for n, batch in enumerate(batches)
    )
    (tmp_path / "a.bib").write_text("".join(entries))
    for batch, paper in zip(batches, read_papers(tmp_path / "a.bib"), strict=True):
        assert isinstance(paper, Paper)
        assert paper.title == " ".join(f"Of X{letter}a and {letter}b." for letter, _ in batch)
        assert paper.abstract == " ".join(f"On {letter}a." for letter, _ in batch)
        assert paper.authors == (*(f"{each}a X{each}b, {each}." for each, _ in batch), f"Mu{batch[0][0]}oz, Ann")


@pytest.mark.parametrize("read", [unescape_tex, readable, plain_text])
def test_all_readers_of_latex_agree_on_letters(read) -> None:
    wrong = {form for letter, form in WRITTEN if read(f"X{form}a") != f"X{letter}a"}
    assert wrong == set()


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (r"{\textasciitilde n} Casta\textasciitilde neda Mu{\textasciitilde}noz", "ñ Castañeda Muñoz"),
        (r"{\textasciidieresis o}, {\textasciicaron s}", "ö, š"),
        (r"\capitalacute{E}\capitalcaron{S}", "ÉŠ"),
        (r"\.{\i} \.i \t{oo}", "i i o\u0361o"),
        (r"\AA ngstr\"om, 5007 \AA\ and 5007\,\AA line", "Ångström, 5007 Å and 5007 Å line"),
        (r"\O rsted, \O\ rsted", "Ørsted, Ø rsted"),
        (r"\VAN{Dokkum}{Van}{van} Dokkum", "van Dokkum"),
        (r"\SortNoop{1990}The X\hyphen ray sky {\noopsort{b}}again", "The X-ray sky again"),
        (r"a host/\~{}roe, host/\textasciitilde roe, \textasciitilde10", "a host/~roe, host/~roe, ~10"),
        (r"{\raisebox{-0.5ex}\textasciitilde}10 pc, 30\' field", "~10 pc, 30' field"),
        (r"\enquote{x} \printfirst{a}{b} \switchargs{a}{b}", "“x” a ba"),
        (r"\glqq ja\grqq{}, \og mot\fg{}, a\slash b", "„ja“, « mot », a/b"),
        (r"The mark\dag{} of {\bfseries one} \foreignlanguage{german}{Haus}", "The mark† of one Haus"),
        (r"$\tilde{n}$ and $\dot{\imath}$", r"$\tilde{n}$ and $\dot{\imath}$"),
    ],
)
def test_forms_of_old_files_and_of_packages_are_read(written: str, read: str) -> None:
    assert unescape_tex(written) == read


def test_a_reference_of_a_full_text_has_its_letters() -> None:
    item = r"\bibitem[Mu\~noz et~al.(2001)]{a} Mu{\~n}oz, A., \DJ{}or\dj evi\'c, S., 2001, A\&A"
    (entry,) = entries_in(rf"\begin{{thebibliography}}{{1}}{item}\end{{thebibliography}}")
    assert (entry.names, entry.text) == ("Muñoz et al.", "Muñoz, A., Đorđević, S., 2001, A&A")


@pytest.mark.parametrize(
    "unit",
    [r"\'", r"{\'", r"\v ", r"{\v{", r"\i", r"\a=", r"\'{\^", "\\", r"{ \' ", r"\VAN{"],
)
def test_absurd_input_is_no_error(unit: str) -> None:
    letters(unit * 20_000)


def test_a_change_of_the_font_is_no_text() -> None:
    for written in (
        r"{\fontencoding{T5}\selectfont Ph\uhorn{}ng} Lan",
        r"{\fontfamily{ptm}\fontseries{m}\fontshape{n}\selectfont Ph{\uhorn}ng} Lan",
    ):
        assert unescape_tex(written) == "Phưng Lan"
