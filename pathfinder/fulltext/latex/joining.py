r"""Joins the files of a LaTeX source into one text, following `\input` and `\include`."""

import posixpath
import re
from collections.abc import Mapping

from pathfinder.errors import CorpusError

MAX_CHARACTERS = 6 << 20
"""Limit on the length of the joined text."""
MAX_INPUTS = 2000
MAX_DEPTH = 20

_COMMENT = re.compile(r"(?<!\\)((?:\\\\)*)%[^\n]*(?:\n[ \t]*(?!\s*\n))?")
_INPUT = re.compile(r"\\(?:input|include|subfile)(?![A-Za-z])\s*(?:\{\s*([^{}\n]{1,300}?)\s*\}|([^\s{}\\]{1,300}))")
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
        return _INPUT.sub(lambda match: self._input(match[1] or match[2], (*around, name)), text)

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
        names = (posixpath.join(base, place + ending) for base in ("", folder) for ending in ("", ".tex"))
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
