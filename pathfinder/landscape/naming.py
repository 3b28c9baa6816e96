"""Names for the parts of the map by a chat model, where one is asked; each part that it does not name well keeps its
keywords."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from pathfinder.answering.sources import quoted
from pathfinder.corpus.papers import PaperTable
from pathfinder.errors import ProviderError
from pathfinder.landscape.atlas import Label
from pathfinder.landscape.parts import Part
from pathfinder.landscape.phrases import MAX_LETTERS
from pathfinder.models.ports import ChatModel
from pathfinder.prompts import render
from pathfinder.retrieval.replies import REFUSALS, complete, in_brief, parse_json

PARTS_PER_CALL = 12
MAX_REPLY_TOKENS = 600
MAX_WORDS, MIN_LETTERS = 4, 3
_FORBIDDEN = frozenset('<>{}[]`|\\"')
"""Of markup and of replies that lost their form; none is in the name of a topic."""


@dataclass(frozen=True, slots=True)
class _Named:
    key: str
    name: str


@dataclass(frozen=True, slots=True)
class _Reply:
    names: tuple[_Named, ...]


def name_by_model(
    parts: Sequence[Part],
    by_keywords: Sequence[Label],
    papers: PaperTable,
    chat: ChatModel,
    say: Callable[[str], None],
) -> tuple[Label, ...]:
    """`by_keywords` with the names that `chat` gives the parts of the same places, each marked with who named it.

    A reply that cannot be read, or a model that cannot be used, leaves its parts their keywords, and `say` hears why.
    A name that is too long, says nothing or is taken is not used.
    """
    by_place = {(part.x, part.y, part.level): part for part in parts}
    named: list[Label] = []
    for start in range(0, len(by_keywords), PARTS_PER_CALL):
        some = by_keywords[start : start + PARTS_PER_CALL]
        asked = [by_place[label.x, label.y, label.level] for label in some]
        try:
            names = _ask(asked, papers, chat)
        except REFUSALS as error:
            say(f"{len(some)} names of the map stay keywords: {in_brief(error, chat.name)}")
            names = {}
        taken = {label.text.casefold() for label in (*named, *by_keywords[start + len(some) :])}
        named.extend(_renamed(some, names, taken, chat.name))
    return tuple(named)


def _ask(parts: Sequence[Part], papers: PaperTable, chat: ChatModel) -> dict[str, str]:
    """What the model calls each part, by key."""
    written = "\n\n".join(_written(str(key), part, papers) for key, part in enumerate(parts, 1))
    prompt = render("name_labels", parts=written)
    reply = complete(chat, render("name_labels_system"), prompt, temperature=0.0, max_tokens=MAX_REPLY_TOKENS)
    names = parse_json(reply, _Reply, chat.name).names
    expected = [str(key) for key in range(1, len(parts) + 1)]
    if sorted(one.key for one in names) != sorted(expected):
        raise ProviderError(f"{chat.name} did not name each of {len(parts)} parts once: ask again, or choose another")
    return {one.key: " ".join(one.name.split()) for one in names}


def _written(key: str, part: Part, papers: PaperTable) -> str:
    phrases = "; ".join(quoted(phrase.text) for phrase in part.phrases)
    titles = "\n".join(f"- {quoted(papers[row].title)}" for row in part.central)
    return f'<part key="{key}">\nPhrases: {phrases}\nTitles:\n{titles}\n</part>'


def _renamed(labels: Sequence[Label], names: dict[str, str], taken: set[str], model: str) -> Iterator[Label]:
    for key, label in enumerate(labels, 1):
        name = names.get(str(key), "")
        is_free = _is_name(name) and name.casefold() not in taken
        named = replace(label, text=name, named_by=model) if is_free else label
        taken.add(named.text.casefold())
        yield named


def _is_name(text: str) -> bool:
    return (
        MIN_LETTERS <= len(text) <= MAX_LETTERS
        and len(text.split()) <= MAX_WORDS
        and text.isprintable()
        and not _FORBIDDEN & set(text)
    )
