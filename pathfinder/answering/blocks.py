"""A reply that comes in blocks between tags, taken apart as it comes."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain


def in_blocks(pieces: Iterable[str], names: Sequence[str]) -> Iterator[tuple[str | None, str]]:
    """`pieces` with the block that each belongs to, `None` for what stands outside: <first>Stars</first> form.

    The tags are left out. A piece is held back only as long as its end may be the beginning of a tag.
    """
    tag = re.compile(rf"<(/?)({'|'.join(names)})>", re.IGNORECASE)
    waiting, block = "", None
    for piece in chain(pieces, [None]):
        waiting += piece or ""
        while found := tag.search(waiting):
            if found.start():
                yield block, waiting[: found.start()]
            waiting, block = waiting[found.end() :], None if found[1] else found[2].lower()
        end = len(waiting) if piece is None else _start_of_unfinished_tag(waiting, names)
        if end:
            yield block, waiting[:end]
            waiting = waiting[end:]


def _start_of_unfinished_tag(text: str, names: Sequence[str]) -> int:
    """Where the end of `text` may be the beginning of a tag; the length of `text` where it cannot."""
    start = text.rfind("<")
    tail = text[start:].lower()
    tags = (opening + name for name in names for opening in ("<", "</"))
    return start if start >= 0 and any(tag.startswith(tail) for tag in tags) else len(text)
