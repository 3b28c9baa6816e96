"""A model's thinking aloud, kept from the reader: `<think>...</think>` and its like, however the stream is cut."""

import re
from collections.abc import Iterable, Iterator
from itertools import chain

TAG_NAMES = ("think", "thinking", "thought", "reasoning", "seed:think")
OPENERS = (*(f"<{name}>" for name in TAG_NAMES), "[think]")
CLOSERS = (*(f"</{name}>" for name in TAG_NAMES), "[/think]")
TAG = re.compile("|".join(map(re.escape, OPENERS + CLOSERS)), re.IGNORECASE)


def without_reasoning(pieces: Iterable[str]) -> Iterator[str]:
    """Yield `pieces` less everything between reasoning tags, the tags, and white space before the first word.

    The first closing tag ends the thinking; a closing tag that nothing opened is left out, and thinking that is never
    closed goes on to the end. A piece is held back only as long as its end may be the beginning of a tag.
    """
    waiting, is_thinking, has_begun = "", False, False
    for piece in chain(pieces, [None]):
        visible, waiting, is_thinking = _split(waiting + (piece or ""), is_thinking, is_last=piece is None)
        visible = visible if has_begun else visible.lstrip()
        if visible:
            has_begun = True
            yield visible


def _split(text: str, is_thinking: bool, *, is_last: bool) -> tuple[str, str, bool]:
    """What of `text` can be shown, what must wait for more, and whether the thinking goes on after it."""
    end = len(text) if is_last else _start_of_unfinished_tag(text)
    shown, position = [], 0
    for tag in TAG.finditer(text, 0, end):
        if not is_thinking:
            shown.append(text[position : tag.start()])
        is_thinking, position = tag[0].lower() in OPENERS, tag.end()
    if not is_thinking:
        shown.append(text[position:end])
    return "".join(shown), text[end:], is_thinking


def _start_of_unfinished_tag(text: str) -> int:
    """Where the end of `text` may be the beginning of a tag; the length of `text` where it cannot."""
    start = max(text.rfind("<"), text.rfind("["))
    tail = text[start:].lower()
    if start >= 0 and any(tag.startswith(tail) and tag != tail for tag in OPENERS + CLOSERS):
        return start
    return len(text)
