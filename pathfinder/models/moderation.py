"""Moderation of questions on a public instance: none, a list of words, or a provider's classifier.

A question that is refused is neither searched nor sent to a chat model. If the classifier cannot be reached, the
question is refused too, with the reason.
"""

import re
from pathlib import Path

from pathfinder.errors import UsageError

REMEDY = "rephrase the question, or ask about something else"


class WordList:
    """Refuses questions that contain a word or phrase on a list, whatever the case."""

    def __init__(self, words: list[str]) -> None:
        """`words` may be phrases. Raises `UsageError` for an empty list."""
        if not words:
            raise UsageError("the list of words is empty: write one on each line, or set PATHFINDER_MODERATION=off")
        phrases = (r"\s+".join(map(re.escape, word.split())) for word in words)
        self._pattern = re.compile(rf"(?<!\w)(?:{'|'.join(phrases)})(?!\w)", re.IGNORECASE)

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
        if match := self._pattern.search(question):
            raise UsageError(f"this server does not accept questions that contain {match[0]!r}: {REMEDY}")
