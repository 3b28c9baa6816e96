"""Moderation of questions on a public instance: none, a list of words, or a provider's classifier.

A question that is refused is neither searched for nor sent to a chat model, and a text that is refused is not checked.
If the classifier cannot be reached, both are refused too, with the reason.
"""

import re
import unicodedata
from pathlib import Path

from pathfinder.errors import UsageError

REMEDY = "rephrase yours, or choose another subject"
_INVISIBLE = "\u200b"


class WordList:
    """Refuses questions that contain a word or phrase on a list, whatever the case and the width of the letters, even
    with invisible characters between them.
    """

    def __init__(self, words: list[str]) -> None:
        """`words` may include phrases. Raises `UsageError` for an empty list."""
        phrases = [pattern for word in words if (pattern := _pattern_of(word))]
        if not phrases:
            raise UsageError("the list of words is empty: write one on each line, or set PATHFINDER_MODERATION=off")
        self._pattern = re.compile(rf"(?<!\w)(?:{'|'.join(phrases)})(?!\w)")

    @classmethod
    def read(cls, path: Path) -> "WordList":
        """Read a list with one word or phrase per line; lines that begin with # are comments.

        Raises `UsageError` if the file cannot be read as UTF-8, or has no words.
        """
        try:
            lines = [line.strip() for line in path.read_text(encoding="utf-8").splitlines()]
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(
                f"PATHFINDER_MODERATION_WORDS={path} cannot be read ({error}): name a text file in UTF-8"
            ) from error
        return cls([line for line in lines if line and not line.startswith("#")])

    def check(self, question: str) -> None:
        """Raise `UsageError` for a question that contains a word or phrase on the list."""
        if match := self._pattern.search(_plain(question)):
            words = match[0].replace(_INVISIBLE, "")
            raise UsageError(f"this server does not accept questions or texts that contain {words!r}: {REMEDY}")


def _pattern_of(phrase: str) -> str:
    """Return the pattern of a phrase; invisible characters may stand between its letters or in place of its spaces."""
    words = _plain(phrase).replace(_INVISIBLE, "").split()
    return rf"[\s{_INVISIBLE}]+".join(f"{_INVISIBLE}*".join(map(re.escape, word)) for word in words)


def _plain(text: str) -> str:
    """Return `text` in lower case and compatibility form (NFKC), with `_INVISIBLE` in place of each format character
    (Cf).
    """
    plain = unicodedata.normalize("NFKC", text).casefold()
    return "".join(_INVISIBLE if unicodedata.category(character) == "Cf" else character for character in plain)
