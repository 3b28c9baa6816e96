"""Addresses a chat model in the terms of the corpus's field; the prompts are written for astronomy."""

import re
from collections.abc import Generator, Sequence
from dataclasses import replace

from pathfinder.errors import ProviderError
from pathfinder.models.ports import (
    ChatModel,
    ChatReply,
    ContextChat,
    DeadlineChat,
    FormedChat,
    ReplyForm,
    Tool,
    ToolChat,
    Turn,
)
from pathfinder.profile import Field, astronomy
from pathfinder.types import Usage

_ASTRONOMY = re.compile(
    r"(?:\b(?P<article>an?) )?(?<![:\w])(?:astronom(?P<ending>ers?|ical|y)\b|(?P<student>physics student)\b"
    r"|(?P<things>telescopes, surveys)\b)"
)
"""Words for astronomy in a prompt, with the article before them; `database:astronomy` is an ADS search term and is left
alone.
"""
_VOWEL = re.compile(r"(?!eu|uni|one|use|ubi|ura|uro|uti|ute)[aeiou]|hour|hono|heir", re.IGNORECASE)
"""Beginning of a word that "an" precedes."""


def in_words_of(field: Field, prompt: str) -> str:
    """Replace the words for astronomy in a system prompt with those of `field`."""
    words = {"er": field.expert, "ers": f"{field.expert}s", "ical": field.adjective, "y": field.name}
    student = field.student or f"{field.name} student"

    def replacement(match: re.Match[str]) -> str:
        word = student if match["student"] else field.named_things if match["things"] else words[match["ending"]]
        return f"{'an' if _VOWEL.match(word) else 'a'} {word}" if match["article"] else word

    return _ASTRONOMY.sub(replacement, prompt)


def speaking_of(field: Field, chat: ChatModel) -> ChatModel:
    """Wrap `chat` so that its system prompts use the terms of `field`; for astronomy, return `chat` itself."""
    return chat if field == astronomy().field else FieldChat(chat, field)


class FieldChat:
    """Passes requests on to another chat model, with system prompts in the terms of a field."""

    def __init__(self, chat: ChatModel, field: Field) -> None:
        self._chat, self._field = chat, field

    @property
    def name(self) -> str:
        return self._chat.name

    @property
    def context_tokens(self) -> int | None:
        """Number of tokens that the other model can read and write at once; `None` if it is not known."""
        return self._chat.context_tokens if isinstance(self._chat, ContextChat) else None

    def with_deadline(self, seconds: float, overrun: float = 0.0) -> "FieldChat":
        """Limit how long to wait for replies, if the other model supports it."""
        chat = self._chat
        return FieldChat(chat.with_deadline(seconds, overrun) if isinstance(chat, DeadlineChat) else chat, self._field)

    def with_form(self, form: ReplyForm) -> "FieldChat":
        """Ask for replies in `form`, if the other model supports it."""
        chat = self._chat
        return FieldChat(chat.with_form(form) if isinstance(chat, FormedChat) else chat, self._field)

    def stream(
        self, system: str, prompt: str, *, temperature: float | None = None, max_tokens: int | None = None
    ) -> Generator[str, None, Usage | None]:
        """Stream the other model's reply. Raises the same errors as the other model."""
        system = in_words_of(self._field, system)
        return self._chat.stream(system, prompt, temperature=temperature, max_tokens=max_tokens)

    def converse(
        self,
        turns: Sequence[Turn],
        tools: Sequence[Tool],
        *,
        temperature: float | None = None,
        max_tokens: int | None = None,
    ) -> Generator[str, None, ChatReply]:
        """Stream the other model's next turn. Raises a `ProviderError` if the other model does not support tools."""
        if not isinstance(self._chat, ToolChat):
            raise ProviderError(
                f"{self.name} does not support tools: choose another chat model, or another answer mode"
            )
        addressed = [
            replace(turn, text=in_words_of(self._field, turn.text)) if turn.role == "system" else turn for turn in turns
        ]
        return self._chat.converse(addressed, tools, temperature=temperature, max_tokens=max_tokens)
