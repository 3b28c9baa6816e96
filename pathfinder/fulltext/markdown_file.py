"""Reads Markdown, as people and converters of PDFs write it: CommonMark with tables, footnotes, and formulas in TeX."""

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

from pathfinder.fulltext.document import Document, TextFormat
from pathfinder.fulltext.latex.body import CAPTIONED_ENVIRONMENTS, CLOSERS, FORMULAS, LEFT_OUT
from pathfinder.fulltext.latex.words import without_private_use
from pathfinder.fulltext.plain import MAX_HEADING, Block, BlockKind, document_of, file_text, words_of
from pathfinder.fulltext.tables import as_sentences
from pathfinder.text.latex.letters import SUPERSCRIPTS
from pathfinder.text.latex.mathematics import spans, tidy_formula
from pathfinder.text.latex.unicode import plain

_OPEN, _CLOSE = "\ue000", "\ue001"
_MARK = re.compile(f"{_OPEN}([0-9]+){_CLOSE}")
_DELIMITER = re.compile(
    r"(?P<blank>\n[ \t]*\n)|(?P<open>\$\$?|\\[(\[])|(?P<close>\\[)\]])|\\begin\{(?P<name>[A-Za-z]{1,30})\*?\}|\\."
)
_ENVIRONMENTS_LEFT_OUT = LEFT_OUT | CAPTIONED_ENVIRONMENTS.keys()
_NOTE_DEFINITION = re.compile(r"^ {0,3}\[\^[^\]\s]{1,40}\]:[ \t]*(.*(?:\n(?![ \t]*$| {0,3}\[\^).*)*)", re.MULTILINE)
_NOTE_MARK = re.compile(r"\[\^[^\]\s]{1,40}\]")
_SIGN = r"(\d{1,3}|[a-z*†‡§])"
_SIGN_OF_NOTE = re.compile(rf"(?:\$(?:\{{ *+\}})? *+\^\{{? *+{_SIGN} *+\}}? *+\$|<sup>{_SIGN}</sup>) *")
_RAISED_ALONE = re.compile(r" ?\$(?:\{ *\})? *\^(?:\{([\d,+\- ]{1,20})\}|(\d)) *\$(?![A-Za-z])")
_TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9]*)\b[^<>]*>")
_HTML_LEFT_OUT = re.compile(
    r"<!--.*?(?:-->|\Z)|<(table|script|style|figure|svg)\b.*?(?:</\1\s*>|\Z)", re.DOTALL | re.IGNORECASE
)
_SCRIPTS = {"sup": "^", "sub": "_"}
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_PLAIN = re.compile(r"[^\\{}$]{1,40}")


def read_markdown(path: Path) -> Document:
    """Read a Markdown file. Raises `CorpusError` if it is not UTF-8."""
    return markdown_document(path, TextFormat.MARKDOWN, file_text(path))


def markdown_document(path: Path, text_format: TextFormat, text: str) -> Document:
    """Read Markdown `text`, which stands in the file at `path` in `text_format`."""
    text = without_private_use(text)
    words = words_of(text)
    return document_of(path, text_format, list(_Reader(text, words).blocks()), words)


class _Reader:
    """Reads the blocks of one file; formulas are kept apart while the Markdown around them is read."""

    def __init__(self, text: str, words: Callable[[str], str]) -> None:
        self._formulas: list[str] = []
        self._words = words
        self._notes = [match[1] for match in _NOTE_DEFINITION.finditer(text)]
        self._signs = {sign[1] or sign[2] for note in self._notes if (sign := _SIGN_OF_NOTE.match(note))}
        text = _NOTE_MARK.sub("", _NOTE_DEFINITION.sub("", text))
        self._text = self._with_marks(self._without_signs(text))
        self._parser = MarkdownIt("commonmark").enable("table").disable("code")

    def blocks(self) -> Iterator[Block]:
        """Yield the headings, paragraphs and displayed formulas in order, then the footnotes."""
        lines = self._text.split("\n")
        tokens = self._parser.parse(self._text)
        position = 0
        while position < len(tokens):
            token = tokens[position]
            end = _end_of(tokens, position)
            start, stop = token.map or (0, 0)
            source = self._restored(_ESCAPED.sub(r"\1", "\n".join(lines[start:stop]))).strip("\n")
            if token.type == "html_block":
                yield from self._paragraphs([self._of_html(token.content)], source)
            elif token.type == "table_open":
                yield Block(BlockKind.TABLE, self._rows(tokens[position:end]), "")
            else:
                inner = [each for each in tokens[position:end] if each.type == "inline"]
                texts = list(map(self._inline, inner))
                if token.type == "heading_open" and len(texts[0]) <= 2 * MAX_HEADING:
                    yield Block(BlockKind.HEADING, texts[0], source, int(token.tag[1:]))
                else:
                    yield from self._paragraphs(texts, source)
            position = end
        for note in self._notes:
            sign = _SIGN_OF_NOTE.match(note)
            text = self._with_marks(note[sign.end() :] if sign else note)
            for words in map(self._inline, self._parser.parseInline(text)):
                if words:
                    yield Block(BlockKind.NOTE, words, note)

    def _rows(self, tokens: Sequence[Token]) -> str:
        """Write the rows of a table as sentences."""
        rows: list[list[str]] = []
        for token in tokens:
            if token.type == "tr_open":
                rows.append([])
            elif token.type == "inline":
                rows[-1].append(self._inline(token))
        return as_sentences(rows[:1], rows[1:])

    def _paragraphs(self, texts: Sequence[str], source: str) -> Iterator[Block]:
        """Yield the paragraphs of a block; only the first has its source, so that a reference list is read once."""
        for text in filter(None, texts):
            is_formula = text.startswith("$$") and text.find("$$", 2) == len(text) - 2
            yield Block(BlockKind.FORMULA if is_formula else BlockKind.PARAGRAPH, text, source)
            source = ""

    def _inline(self, token: Token) -> str:
        """Return the words of a paragraph or heading, without markup and pictures."""
        pieces: list[str] = []
        scripts: list[tuple[str, int]] = []
        for child in token.children or ():
            if child.type in ("text", "code_inline"):
                pieces.append(child.content)
            elif child.type in ("softbreak", "hardbreak"):
                pieces.append("\n")
            elif child.type == "html_inline" and (tag := _TAG.match(child.content)):
                self._tag(tag, pieces, scripts)
        return self._restored(self._words("".join(pieces)))

    def _tag(self, tag: re.Match[str], pieces: list[str], scripts: list[tuple[str, int]]) -> None:
        """Read an HTML tag within a paragraph: `<sup>` and `<sub>` become scripts, `<br>` a space, others nothing."""
        name = tag[2].lower()
        if name == "br":
            pieces.append("\n")
        elif name in _SCRIPTS and not tag[1]:
            scripts.append((name, len(pieces)))
        elif name in _SCRIPTS and scripts and scripts[-1][0] == name:
            _, start = scripts.pop()
            raised = "".join(pieces[start:])
            if _PLAIN.fullmatch(raised):
                pieces[start:] = [plain(f"{_SCRIPTS[name]}{{{raised.strip()}}}", is_mathematics=False)]

    def _of_html(self, html: str) -> str:
        """Return the words of a block of HTML; tables, pictures and comments have none."""
        return self._restored(self._words(_TAG.sub(" ", _HTML_LEFT_OUT.sub(" ", html))))

    # Formulas ----------------------------------------------------------------------------------------------

    def _without_signs(self, text: str) -> str:
        """Remove the signs that lead to footnotes, and write other numbers that stand raised by themselves as such."""

        def sign(match: re.Match[str]) -> str:
            return " " if (match[1] or match[2]) in self._signs else match[0]

        text = _SIGN_OF_NOTE.sub(sign, text)
        return _RAISED_ALONE.sub(lambda match: (match[1] or match[2]).strip().translate(SUPERSCRIPTS), text)

    def _with_marks(self, text: str) -> str:
        """Return `text` with a mark in place of each formula, and without tables in TeX. A formula that is not closed
        before the next empty line is text.
        """
        pieces: list[str] = []
        position = 0
        missing: set[str] = set()
        while match := _DELIMITER.search(text, position):
            pieces.append(text[position : match.start()])
            read = self._formula(text, match, missing) if match["open"] or match["name"] else None
            words, position = read or (match[0], match.end())
            pieces.append(words)
        return "".join([*pieces, text[position:]])

    def _formula(self, text: str, match: re.Match[str], missing: set[str]) -> tuple[str, int] | None:
        """Return what stands for the formula that begins at `match`, and the position after it; `None` if there is
        none. A missing closer is searched for only once.
        """
        name = match["name"]
        if name and name not in FORMULAS and name not in _ENVIRONMENTS_LEFT_OUT:
            return None
        closer = match[0].replace("begin", "end", 1) if name else CLOSERS[match["open"]]
        end = -1 if closer in missing else text.find(closer, match.end())
        if end < 0:
            missing.add(closer)
            return None
        if name in _ENVIRONMENTS_LEFT_OUT:
            return " ", end + len(closer)
        tex = text[match.end() : end]
        is_displayed = bool(name) or match["open"] in ("$$", r"\[")
        if "\n\n" in tex or not tex.strip():
            return None
        if match["open"] == "$":
            first = next(spans(text[match.start() : end + 2]), None)
            if first is None or not first.is_mathematics:
                return None
        self._formulas.append(f"$${tidy_formula(tex)}$$" if is_displayed else f"${tidy_formula(tex)}$")
        return f"{_OPEN}{len(self._formulas) - 1}{_CLOSE}", end + len(closer)

    def _restored(self, text: str) -> str:
        return _MARK.sub(lambda match: self._formulas[int(match[1])], text)


def _end_of(tokens: Sequence[Token], start: int) -> int:
    """Return the position after the block that begins at `start`."""
    if tokens[start].nesting != 1:
        return start + 1
    level = tokens[start].level
    return next(n for n in range(start + 1, len(tokens)) if tokens[n].nesting == -1 and tokens[n].level == level) + 1
