"""Expands author-defined macros where that is simple."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from pathfinder.errors import CorpusError
from pathfinder.fulltext.latex.braces import Braces, find_braces

MAX_CHARACTERS = 8 << 20
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


def expand_macros(text: str) -> str:
    """Return `text` without its definitions, with the macros expanded. Raises `CorpusError` if the text grows beyond
    `MAX_CHARACTERS`.
    """
    macros, text = _definitions(find_braces(text))
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
        if length + len(source.text) > MAX_CHARACTERS:
            raise CorpusError(f"the macros of the source expand to more than {MAX_CHARACTERS} characters")
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
