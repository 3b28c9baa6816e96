"""Opens LaTeX sources: a single file or a tar archive, gzipped or not. Nothing is ever written to disk."""

import gzip
import io
import posixpath
import re
import tarfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from pathfinder.corpus.readers.lines import GZIP_MAGIC
from pathfinder.errors import CorpusError
from pathfinder.fulltext.latex.words import Braces, find_braces

MAX_BYTES = 128 << 20
"""Limit on the unpacked size of the sources."""
MAX_RATIO = 400
"""Limit on the ratio of unpacked to packed size, not counting the first `FREE_BYTES` that are unpacked; TeX compresses
to a quarter of its size.
"""
FREE_BYTES = 4 << 20
MAX_MEMBERS = 5000
"""Limit on the number of files in an archive."""

_TAR = (slice(257, 262), b"ustar")
_SUFFIXES = (".tex", ".ltx", ".bbl", ".latex")


def is_archive(head: bytes) -> bool:
    """Return whether a file with these first bytes is gzipped or a tar archive."""
    return head.startswith(GZIP_MAGIC) or head[_TAR[0]] == _TAR[1]


def source_files(path: Path) -> dict[str, str]:
    """Return the text of each TeX file, by its name in the archive.

    Raises `CorpusError` with the reason if the sources cannot be read.
    """
    content = path.read_bytes()
    if content.startswith(GZIP_MAGIC):
        content = _unpack(content, path.name)
    if content[_TAR[0]] != _TAR[1]:
        return {f"{path.name.partition('.')[0]}.tex": decode_source(content)}
    try:
        with tarfile.open(fileobj=io.BytesIO(content), mode="r:") as archive:
            return _members(archive, path.name)
    except (tarfile.TarError, EOFError, ValueError) as error:
        raise CorpusError(f"{path.name} is a damaged archive ({error}): fetch it again") from None


def _unpack(content: bytes, name: str) -> bytes:
    limit = min(MAX_BYTES, FREE_BYTES + MAX_RATIO * len(content))
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(content)) as file:
            unpacked_bytes = file.read(limit + 1)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise CorpusError(f"{name} is damaged ({error}): fetch it again") from None
    if len(unpacked_bytes) > limit:
        raise CorpusError(f"{name} unpacks to more than {limit} bytes, the limit for a file of {len(content)} bytes")
    return unpacked_bytes


def _members(archive: tarfile.TarFile, name: str) -> dict[str, str]:
    files: dict[str, str] = {}
    for number, member in enumerate(archive):
        if number >= MAX_MEMBERS:
            raise CorpusError(f"{name} contains more than {MAX_MEMBERS} files, the limit")
        place = PurePosixPath(member.name)
        if place.is_absolute() or ".." in place.parts or "\\" in member.name:
            raise CorpusError(f"{name} contains {member.name!r}, which lies outside the archive")
        if member.isdir():
            continue
        if not member.isreg() or member.issparse():
            raise CorpusError(
                f"{name} contains {member.name!r}, which is a link, a device or a sparse file: only ordinary files are "
                "read"
            )
        file = archive.extractfile(member)
        if file is not None and place.suffix.lower() in _SUFFIXES:
            files[str(place)] = decode_source(file.read())
    return files


def decode_source(content: bytes) -> str:
    """Return the text of a file, decoded as UTF-8 or, failing that, as Latin 1, in which every byte is valid."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("latin-1")
    return text.replace("\r\n", "\n").replace("\r", "\n")


# Joins the files of a LaTeX source into one text, following `\input` and `\include`.

MAX_CHARACTERS = 6 << 20
"""Limit on the length of the joined text."""
MAX_INPUTS = 2000
MAX_DEPTH = 20

_COMMENT = re.compile(r"(?<!\\)((?:\\\\)*)%[^\n]*(?:\n[ \t]*(?!\s*\n))?")
INPUT = re.compile(r"\\(?:input|include|subfile)(?![A-Za-z])\s*+(?:\{\s*+([^{}\n]{1,300}?)\s*\}|([^\s{}\\]{1,300}))")
"""Pattern for an input; one of its groups is the name of the file."""
_CLASS = re.compile(r"\\document(?:class|style)(?![A-Za-z])")
_BEGIN = re.compile(r"\\begin\s*\{document\}")


class Joiner:
    """Follows the inputs of a source, but never to a file outside it."""

    def __init__(self, files: Mapping[str, str]) -> None:
        """Remove the comments from `files`, which maps the name of each file to its text."""
        self._files = {name: without_comments(text) for name, text in files.items()}
        self.warnings: list[str] = []
        self._n_inputs = 0
        self._n_characters = 0

    def main_file(self, archive: str) -> str:
        """Return the name of the file on which LaTeX would be run: the longest one that declares a class and begins a
        document.

        Raises `CorpusError` if there is none; its message calls the source `archive`.
        """
        mains = [name for name, text in self._files.items() if _BEGIN.search(text) and _CLASS.search(text)]
        mains = mains or [name for name, text in self._files.items() if _BEGIN.search(text)]
        if not mains:
            raise CorpusError(rf"{archive} holds no LaTeX document: none of its files has \begin{{document}}")
        if len(mains) > 1:
            self.warnings.append(f"the source contains {len(mains)} documents: the longest was read")
        return max(mains, key=lambda name: (len(self._files[name]), name))

    def join(self, name: str, around: tuple[str, ...] = ()) -> str:
        """Return the text of a file with its inputs inserted; `around` lists the files that include it."""
        text = self._files[name]
        self._n_characters += len(text)
        if self._n_characters > MAX_CHARACTERS or self._n_inputs > MAX_INPUTS:
            raise CorpusError(
                f"the source has more than {MAX_CHARACTERS} characters or {MAX_INPUTS} files once its inputs "
                "are inserted"
            )
        return INPUT.sub(lambda match: self._input(match[1] or match[2], (*around, name)), text)

    def bibliography(self, main: str) -> str:
        """Return the text of the formatted bibliography (.bbl) next to the main file; empty if there is none."""
        own = posixpath.splitext(main)[0] + ".bbl"
        lists = [name for name in self._files if name.endswith(".bbl")]
        name = own if own in self._files else lists[0] if len(lists) == 1 else None
        return self._files[name] if name else ""

    def _input(self, text: str, around: tuple[str, ...]) -> str:
        self._n_inputs += 1
        place = posixpath.normpath(text.strip('"'))
        if place.startswith(("/", "..", "|", "~")):
            self.warnings.append(f"the input {text!r} lies outside the source and was refused")
            return ""
        folder = posixpath.dirname(around[0])
        places = (place, posixpath.join(folder, place), posixpath.basename(place))  # the last if folders were lost
        names = (each + ending for each in places for ending in ("", ".tex"))
        name = next((each for each in names if each in self._files), None)
        if name is None:
            self.warnings.append(f"the input {text!r} is not in the source")
            return ""
        if name in around or len(around) >= MAX_DEPTH:
            self.warnings.append(f"the input {text!r} includes itself and was left out")
            return ""
        return self.join(name, around)


def without_comments(text: str) -> str:
    r"""Return LaTeX without its comments; an escaped \% is kept."""
    return _COMMENT.sub(r"\1", text)


# Expands author-defined macros where that is simple.

MAX_EXPANDED = 8 << 20
"""Limit on the length of a text after its macros have been expanded."""
MAX_ROUNDS = 12
"""Limit on how deeply macros may be nested."""

_NAME = r"(?:\{\s*\\([A-Za-z]+)\s*\}|\\([A-Za-z]+))"
_DEFINITION = re.compile(
    rf"\\(?P<kind>(?:re|provide)?(?:new)?command|DeclareRobustCommand|DeclareMathOperator)\*?\s*{_NAME}(?:\s*\[(\d)\])?"
    r"|\\(?P<primitive>[gex]?def)\s*\\([A-Za-z]+)([^{}\\\n]{0,40})(?=\{)"
    rf"|\\(?P<typed>New|Renew|Provide|Declare)DocumentCommand\s*{_NAME}\s*\{{([^{{}}\n]{{0,40}})\}}"
    r"|\\let\s*\\([A-Za-z]+)\s*+=?\s*+(\\[A-Za-z]+)"
)
_PARAMETERS = re.compile(r"(?:#\d)*")
_SPECIFICATION = re.compile(r"(o?)(m*)")
_XSPACE = re.compile(r"\\xspace(?![A-Za-z])[ \t]*(?:\n(?![ \t]*\n)[ \t]*)?")
_NO_SPACE_BEFORE = frozenset(".,;:!?'’”)]}/-~\\\n")
"""Characters before which the macro of the package xspace sets no space; a command that sets one is among them."""
_CALL = re.compile(r"\\([A-Za-z]+)")
_ARGUMENT = re.compile(r"#(\d)")
_TOKEN = re.compile(r"\\[A-Za-z]+|\\[^A-Za-z]|[^\s\\{}$&#%\[\]]")
_OURS = frozenset(
    "section subsection subsubsection paragraph title caption footnote cite citep citet ref label begin end item "
    "input bibitem abstract appendix author document".split()
)
"""Macros whose meaning is known, however a class defines them."""


@dataclass(frozen=True, slots=True)
class Macro:
    """The definition of a macro, and the number of its arguments."""

    n_arguments: int
    default: str | None
    """Value of the first argument if it is optional."""
    body: str


_QUANTITIES = {
    **dict.fromkeys(("SI", "qty"), Macro(3, "", "#2~#3")),
    **dict.fromkeys(("si", "unit", "num"), Macro(2, "", "#2")),
    **dict.fromkeys(("SIrange", "qtyrange"), Macro(4, "", "#2 to #3~#4")),
    "numrange": Macro(3, "", "#2 to #3"),
    "ang": Macro(2, "", "#2°"),
}
"""Macros of the package siunitx that write a number with its unit; the first argument holds options."""
_UNITS = (
    "per / squared ² cubed ³ degree ° percent \\% arcminute ′ arcsecond ″ celsius °C degreeCelsius °C "
    "pico p nano n micro µ milli m centi c deci d hecto h kilo k mega M giga G tera T peta P exa E "
    "meter m metre m second s gram g kilogram kg kelvin K hertz Hz electronvolt eV year yr day d hour h "
    "minute min joule J watt W newton N pascal Pa tesla T gauss G ampere A volt V ohm Ω mole mol liter L litre L "
    "jansky Jy decibel dB angstrom Å um µm us µs"
).split()
_QUANTITIES |= {name: Macro(0, None, sign) for name, sign in zip(_UNITS[::2], _UNITS[1::2], strict=True)}
_SHIPPED = {
    "nodata": Macro(0, None, r"\ldots{}"),
    "unit": Macro(2, "", "#1~#2"),
    "unitfrac": Macro(3, "", "#1~#2/#3"),
}
"""Macros of AASTeX and of the package units."""
_VERBATIM = re.compile(r"\\(?:verb\*?|lstinline(?:\[[^\]\n]{0,500}+\])?)([^\sA-Za-z*{])([^\n]{0,500}?)\1")


def expand_macros(text: str) -> str:
    """Return `text` without its definitions, with the macros expanded. Raises `CorpusError` if the text grows beyond
    `MAX_EXPANDED`.
    """
    text = _VERBATIM.sub(lambda code: re.sub(r"[$%&#_{}]", r"\\\g<0>", code[2].replace("\\", "")), text)
    own, text = _definitions(find_braces(text))
    macros = _SHIPPED | (_QUANTITIES if "siunitx" in text or r"\SI{" in text else {}) | own
    for _ in range(MAX_ROUNDS):
        before, text = text, _one_round(find_braces(text), macros)
        if text == before:
            break
    return _XSPACE.sub(_space, text)


def _space(xspace: re.Match[str]) -> str:
    """Return what stands in place of the macro xspace and the white space after it, which TeX drops."""
    following = xspace.string[xspace.end() : xspace.end() + 1]
    return "" if following in _NO_SPACE_BEFORE else " "


def _definitions(source: Braces) -> tuple[dict[str, Macro], str]:
    macros: dict[str, Macro] = {}
    rest: list[str] = []
    position = 0
    for match in _DEFINITION.finditer(source.text):
        if match.start() < position:
            continue
        name = next(filter(None, match.group(2, 3, 6, 9, 10, 12)))
        default = source.option(match.end()) if match["kind"] else None
        body = (match[13], match.end()) if match[13] else source.group(default[1] if default else match.end())
        if body is None:
            continue
        macro = _macro(match, default[0] if default else None, body[0])
        is_kept = name in macros and (match["kind"] == "providecommand" or match["typed"] == "Provide")
        if macro is not None and name not in _OURS and not is_kept:
            macros[name] = macro
        rest.append(source.text[position : match.start()])
        position = body[1]
    return macros, "".join([*rest, source.text[position:]])


def _macro(definition: re.Match[str], default: str | None, body: str) -> Macro | None:
    """Return the macro that is defined; `None` if its arguments are of a kind that is not read."""
    if definition["primitive"]:
        parameters = definition[7].strip()
        return Macro(parameters.count("#"), None, body) if _PARAMETERS.fullmatch(parameters) else None
    if definition["typed"]:
        specification = _SPECIFICATION.fullmatch("".join(definition[11].split()))
        return Macro(len(specification[0]), "" if specification[1] else None, body) if specification else None
    body = rf"\mathrm{{{body}}}" if definition["kind"] == "DeclareMathOperator" else body
    return Macro(int(definition[4] or 0), default, body)


def _one_round(source: Braces, macros: Mapping[str, Macro]) -> str:
    if not macros:
        return source.text
    pieces: list[str] = []
    length = position = 0
    for match in _CALL.finditer(source.text):
        macro = macros.get(match[1])
        if macro is None or match.start() < position:
            continue
        call = _arguments(source, match.start() + len(match[1]) + 1, macro)
        if call is None:
            continue
        body = _ARGUMENT.sub(lambda each, values=call[0]: values.get(each[1], ""), macro.body)  # type: ignore[misc]
        # A name that ends with a letter must not run into the text after it.
        between = "{}" if body[-1:].isalpha() and "\\" in body and source.text[call[1] : call[1] + 1].isalpha() else ""
        pieces += [source.text[position : match.start()], body, between]
        length += len(body)
        position = call[1]
        if length + len(source.text) > MAX_EXPANDED:
            raise CorpusError(f"the macros of the source expand to more than {MAX_EXPANDED} characters")
    return "".join([*pieces, source.text[position:]])


def _arguments(source: Braces, position: int, macro: Macro) -> tuple[dict[str, str], int] | None:
    """Return the arguments by number, and the position after them; without braces, an argument is a character or a
    macro. `None` if there are too few.
    """
    values: dict[str, str] = {}
    for number in range(1, macro.n_arguments + 1):
        is_optional = number == 1 and macro.default is not None
        argument = source.option(position) if is_optional else source.group(position)
        if argument is None and is_optional:
            values["1"] = macro.default or ""
            continue
        if argument is None and (token := _TOKEN.match(source.text, source.after_space(position))):
            argument = token[0], token.end()
        if argument is None:
            return None
        values[str(number)], position = argument
    # TeX drops the space after a name; authors who want it write {} or \xspace, but nobody wants words to run together.
    if macro.n_arguments == 0 and source.text.startswith("{}", position):
        position += 2
    return values, position
