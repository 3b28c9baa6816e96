"""Removes from a model's reply any sources that the model wrote itself, such as `<source key="...">...</source>`.

Only Pathfinder puts sources, findings and earlier answers into a prompt. A block of that kind in a reply is made up or
copied: either way it is not an answer, and its text must not reach a reader or a later prompt.
"""

import re

TAG_NAMES = ("sources?", "findings?", "earlier")
"""Patterns for the names of the blocks that hold material in Pathfinder's prompts."""

_NAMES = "|".join(TAG_NAMES)
_ATTRIBUTE = r"""\s{1,3}[\w:-]{1,40}\s?=\s?(?:"[^"]{0,2000}"|'[^']{0,2000}')"""
_TAG = re.compile(
    rf"(?:<|&lt;)\s{{0,3}}(?P<close>/?)\s{{0,3}}(?:{_NAMES})(?:(?:{_ATTRIBUTE}){{1,20}}\s{{0,3}}|\s[^<>]{{0,200}}?)?"
    rf"(?P<alone>/?)\s{{0,3}}(?:>|&gt;)",
    re.IGNORECASE,
)
_OPEN_ATTRIBUTE = r"""\s{1,3}[\w:-]{0,40}\s?(?:=\s?(?:"[^"]{0,2000}|'[^']{0,2000})?)?"""
_UNFINISHED_TAG = re.compile(
    r"(?:<|&(?:l(?:t;?)?)?)(?:(?<=[<;])\s{0,3}/?\s{0,3}(?:"
    rf"(?:{_NAMES})(?:(?:{_ATTRIBUTE}){{0,20}}(?:{_OPEN_ATTRIBUTE})?\s{{0,3}}|\s[^<>]{{0,200}})"
    r"|[a-z]{0,8}))?/?\s{0,3}(?:&(?:gt?)?)?\Z",
    re.IGNORECASE,
)
"""End of a text that the next chunk may turn into a complete tag."""
_TAIL = 40
"""Number of characters, at the end of the text already passed on, that are searched for the beginning of a tag."""
_BROKEN_OFF = re.compile(rf"(?:<|&lt;)\s{{0,3}}(?:{_NAMES})\s", re.IGNORECASE)
"""Beginning of an opening tag at the end of the reply."""


class SourceFilter:
    """Passes on a chunked reply without the blocks of source markup in it.

    A block that is not closed extends to the end of the reply. Of a stray closing tag or a self-closing tag, only the
    tag is dropped. Text is held back only while it may be the beginning of a tag.
    """

    def __init__(self) -> None:
        self._waiting, self._tail = "", ""
        self._depth = 0
        self.n_removed = 0
        """Number of blocks and stray tags removed so far."""

    def feed(self, chunk: str) -> str:
        """Return the text that may be passed on after `chunk` has arrived."""
        text = self._waiting + chunk
        tags = [tag.end() for tag in _TAG.finditer(text)]
        unfinished_tag = _UNFINISHED_TAG.search(text, tags[-1] if tags else 0)
        end = unfinished_tag.start() if unfinished_tag else len(text)
        self._waiting = text[end:]
        return self._read(text[:end])

    def finish(self) -> str:
        """Return the rest of the text once the reply has ended."""
        rest, self._waiting = self._waiting, ""
        if _BROKEN_OFF.match(rest):
            self.n_removed += self._depth == 0
            return ""
        return self._read(rest)

    def _read(self, text: str) -> str:
        parts, position = [], 0
        for tag in _TAG.finditer(text):
            parts.append(self._outside(text[position : tag.start()]))
            # Otherwise, the text on both sides of a block could join to form another tag.
            if _UNFINISHED_TAG.search((self._tail + "".join(parts))[-_TAIL:]):
                parts.append(" ")
            position = tag.end()
            self._turn(tag)
        outside = "".join([*parts, self._outside(text[position:])])
        self._tail = (self._tail + outside)[-_TAIL:]
        return outside

    def _outside(self, words: str) -> str:
        return "" if self._depth else words

    def _turn(self, tag: re.Match[str]) -> None:
        if tag["close"]:
            self.n_removed += self._depth == 0
            self._depth = max(self._depth - 1, 0)
            return
        self.n_removed += self._depth == 0
        self._depth += not tag["alone"]
