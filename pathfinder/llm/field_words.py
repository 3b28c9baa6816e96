"""Addresses a chat model in the terms of the corpus's field, by filling in the blanks that prompts leave for them:
«expert», «field» and so on.
"""

import re
from collections.abc import Generator, Sequence
from dataclasses import replace

from pathfinder.llm.replies import no_tools
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
from pathfinder.profile import Field
from pathfinder.types import Usage

_BLANK = re.compile(r"«(?P<article>an )?(?P<name>field|adjective|experts?|student|named things)»")
"""A word that the profile fills in, as in "«an expert»"; other text in these quotation marks is left alone."""
_VOWEL = re.compile(r"(?!eu|uni|one|use|ubi|ura|uro|uti|ute)[aeiou]|hour|hono|heir", re.IGNORECASE)
"""Beginning of a word that takes the article "an"."""


def in_words_of(field: Field, prompt: str) -> str:
    """Fill the blanks of a system prompt with the terms of `field`."""
    terms = {
        "field": field.name,
        "adjective": field.adjective,
        "expert": field.expert,
        "experts": f"{field.expert}s",
        "student": field.student or f"{field.name} student",
        "named things": field.named_things,
    }

    def fill(blank: re.Match[str]) -> str:
        term = terms[blank["name"]]
        return f"{'an' if _VOWEL.match(term) else 'a'} {term}" if blank["article"] else term

    return _BLANK.sub(fill, prompt)


class FieldChat:
    """Passes requests on to another chat model, with system prompts in the terms of a field."""

    def __init__(self, chat: ChatModel, field: Field) -> None:
        self._chat, self._field = chat, field

    @property
    def name(self) -> str:
        return self._chat.name

    @property
    def context_tokens(self) -> int | None:
        """The other model's maximum number of tokens in prompt and reply together; `None` if it is not known."""
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
            raise no_tools(self.name)
        addressed_turns = [
            replace(turn, text=in_words_of(self._field, turn.text)) if turn.role == "system" else turn for turn in turns
        ]
        return self._chat.converse(addressed_turns, tools, temperature=temperature, max_tokens=max_tokens)
