"""LaTeX written out in plain Unicode text: Greek letters, accents, superscript and subscript digits."""

import re
from collections import deque
from collections.abc import Callable, Iterable
from typing import TypeAlias

from pathfinder.text.latex import letters as tex
from pathfinder.text.latex.letters import accented, letters, named_signs

Node: TypeAlias = "str | list[Node]"
"""A macro with its backslash, a ^ or _, a run of ordinary characters, or a group in braces."""

MAX_DEPTH = 50
"""Maximum nesting depth of groups; braces nested more deeply are left out."""
_PIECE = re.compile(r"\\[A-Za-z]+|\\.|[{}^_]|[^\\{}^_]+|\\", re.DOTALL)
_SIGNS = tex.GREEK | tex.OPERATORS | tex.SIGNS | tex.JOURNAL_MACROS
_OPERATORS = "".join(sorted(set(tex.OPERATORS.values()) - {"<", ">"}))
_OPERATOR = re.compile(rf"\s?([{_OPERATORS}])\s?")
_LEADING_OPERATOR = re.compile(rf"(^|[(\[,])\s*([{_OPERATORS}])\s+")
_ROOT_INDEX = re.compile(r"\s*\[(\w+)\]")
_IN_FORMULAS = str.maketrans("-'~", "−′ ")
_CLOSE = "«„‚‘“¿¡/"
"""Signs that stand close to what follows them."""
_SIMPLE = re.compile(r"[^\s+\-−±×/]+")


def plain(source: str, is_mathematics: bool) -> str:
    """Return `source` without markup. Mathematics must come without dollar signs, and its spacing is redone."""
    words = source if is_mathematics else letters(source)
    # A surplus brace, or one that a text never closes, does not open a group.
    pieces = _PIECE.findall(words)
    root: list[Node] = []
    open_groups = [root]
    for piece in pieces:
        if piece == "{" and len(open_groups) <= MAX_DEPTH:
            group: list[Node] = []
            open_groups[-1].append(group)
            open_groups.append(group)
        elif piece == "}" and len(open_groups) > 1:
            open_groups.pop()
        elif piece not in "{}":
            open_groups[-1].append(piece)
    if not is_mathematics:  # a formula ends soon, and a group in it with it; a text may go on for a page
        for group, outer in zip(reversed(open_groups[1:]), reversed(open_groups[:-1]), strict=True):
            outer[-1:] = group
    text = _GroupWriter(root, is_mathematics).write()
    if not is_mathematics:
        return text
    spaced_text = _OPERATOR.sub(r" \1 ", " ".join(text.split()))
    return _LEADING_OPERATOR.sub(r"\1\2", spaced_text)


class _GroupWriter:
    """Writes out one group, consuming its nodes from the left."""

    def __init__(self, nodes: Iterable[Node], is_mathematics: bool, depth: int = 0) -> None:
        self.rest = deque(nodes)
        self.is_mathematics = is_mathematics
        self.depth = depth
        """Number of enclosing groups plus macros still waiting for their arguments."""

    def write(self) -> str:
        text = ""
        while self.rest:
            is_function = isinstance(self.rest[0], str) and self.rest[0][1:] in tex.FUNCTIONS
            text += " " if is_function and text[-1:].isalnum() else ""
            text += self.next_item()
        return text

    def next_item(self) -> str:
        """Write the first remaining node with its arguments."""
        node = self.rest.popleft()
        if isinstance(node, list):
            return _GroupWriter(node, self.is_mathematics, self.depth).write()
        if node in ("^", "_"):
            return _script(node, self.argument()) if self.is_mathematics or self._before_markup() else node
        if _is_macro(node):
            return self._macro(node[1:])
        return self._characters(node)

    def argument(self) -> str:
        """Write the argument of a macro or a script: the group, macro or single character that comes next."""
        while self.rest and isinstance(self.rest[0], str) and not self.rest[0].strip():
            self.rest.popleft()
        if not self.rest or self.rest[0] in ("^", "_") or self.depth > MAX_DEPTH:
            return ""
        head = self.rest[0]
        if isinstance(head, list) or _is_macro(head):
            self.depth += 1
            text = self.next_item().strip()
            self.depth -= 1
            return text
        self.rest[0] = head.lstrip()[1:]
        return self._characters(head.lstrip()[0])

    def _before_markup(self) -> bool:
        """Return whether the next ^ or _, outside mathematics, is markup: it is if a group or a macro follows, whereas
        "H_0" is literal.
        """
        return bool(self.rest) and (isinstance(self.rest[0], list) or _is_macro(self.rest[0]))

    def _characters(self, text: str) -> str:
        return text.translate(_IN_FORMULAS) if self.is_mathematics else text

    def _macro(self, name: str) -> str:
        if name in tex.ACCENTS:
            if not (self.is_mathematics or name.isalpha()) and str(self.rest[0] if self.rest else "")[:1].isspace():
                return name if name in "'~^" else ""  # "30\' field": an accent stands on the next letter, not word
            argument = self.argument()
            if name in "~^" and not argument[:1].isalpha():
                return name + argument
            if not argument[:1].isalpha() or (name in tex.FONTS and len(argument) > 1):
                return argument
            return accented(name, argument[0]) + argument[1:]
        sign = _SIGNS.get(name) or named_signs().get(name)
        if name in _SIGNS or sign:
            if (
                name in ("hyphen", "nobreakdash")
                or name.startswith("textascii")
                or (sign and sign.strip() in _CLOSE)
                or (self.is_mathematics and name not in tex.OPERATORS)
            ):
                # The letter or number that belongs to the symbol follows it without a space.
                head = self.rest[0] if self.rest else ""
                if isinstance(head, str) and head.lstrip()[:1].isalnum():
                    self.rest[0] = head.lstrip()
            return sign or ""
        if name in tex.SWITCHES | tex.INVISIBLE:
            self._swallow_space(with_dot=name in ("left", "right"))
            return ""
        if name in tex.TEXTS | tex.FONTS:
            # `\text` in a formula switches back to text, where a hyphen is not a minus sign.
            self.is_mathematics, outside = self.is_mathematics and name in tex.FONTS, self.is_mathematics
            text = self.argument()
            self.is_mathematics = outside
            return text
        return self._structure(name)

    def _structure(self, name: str) -> str:
        """Write a macro that needs special treatment. Of an unknown one, only its argument is kept or, if it
        has none, its name.
        """
        if name in tex.HIDDEN_ARGUMENT:
            self.argument()
            return ""
        if name in tex.CITATIONS:
            return f"[{self.argument()}]"
        if name in tex.FRACTIONS:
            return f"{_close(self.argument())}/{_close(self.argument())}"
        of = self.argument
        writers: dict[str, Callable[[], str]] = {
            "sqrt": self._root, "unicode": self._unicode, "ion": lambda: f"{of()} {of().upper()}",
            "footnote": lambda: f" ({of()})", "enquote": lambda: f"“{of()}”",
            "switchargs": lambda: "".join(reversed([of(), of()])), "printfirst": lambda: [of(), of()][0],
        }  # fmt: skip
        if name in writers:
            return writers[name]()
        has_argument = bool(self.rest) and isinstance(self.rest[0], list) and bool(self.rest[0])
        return "" if has_argument and name not in tex.FUNCTIONS else name

    def _root(self) -> str:
        head = self.rest[0] if self.rest else ""
        index = _ROOT_INDEX.match(head) if isinstance(head, str) else None
        if index is not None:
            self.rest[0] = index.string[index.end() :]
        return f"{index[1].translate(tex.SUPERSCRIPTS) if index else ''}√{_close(self.argument())}"

    def _unicode(self) -> str:
        code = self.argument()
        digits = code.lower().removeprefix("x")
        character = chr(int(digits, 16)) if re.fullmatch(r"[0-9a-f]{2,5}", digits) else ""
        return character if character.isprintable() and character else code

    def _swallow_space(self, with_dot: bool) -> None:
        r"""Drop the space after a macro, and the dot of `\left.`, which is an invisible bracket."""
        head = self.rest[0] if self.rest else ""
        if isinstance(head, str) and head and not _is_macro(head):
            self.rest[0] = head.lstrip().removeprefix("." if with_dot else "")


def _is_macro(node: Node) -> bool:
    return isinstance(node, str) and node.startswith("\\") and len(node) > 1


def _script(kind: str, argument: str) -> str:
    """Write `argument` as a superscript or subscript with Unicode characters if they exist, otherwise with a ^ or _
    before it.
    """
    table = tex.SUPERSCRIPTS if kind == "^" else tex.SUBSCRIPTS
    if all(ord(character) in table for character in argument):
        return argument.translate(table)
    is_sign = not argument.strip("′") or (len(argument) == 1 and not argument.isalnum())
    if is_sign or (kind == "^" and argument in tex.ORDINALS):
        return {"∘": "°", "⊙": "☉"}.get(argument, argument)
    is_word = len(argument) == 1 or (kind == "_" and argument.replace(".", "").isalnum())
    return f"{kind}{argument}" if is_word else f"{kind}({argument})"


def _close(term: str) -> str:
    return term if _SIMPLE.fullmatch(term) else f"({term})"
