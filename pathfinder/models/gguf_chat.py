"""A chat model in a file on this machine: llama.cpp runs it, and is called like any other server."""

import math
from collections.abc import Callable, Generator, Sequence
from copy import copy
from functools import cached_property
from pathlib import Path
from typing import Self

from pathfinder.errors import ProviderError
from pathfinder.llm.langchain_chat import LangChainChat
from pathfinder.models.gguf_file import GgufFile, read_gguf
from pathfinder.models.llama_server import LlamaOptions, LlamaServer, server_for, usable_cores
from pathfinder.models.ports import ChatReply, ReplyForm, Tool, Turn
from pathfinder.settings import MIN_CONTEXT, Settings
from pathfinder.types import Usage

MAX_CONTEXT = 8_192
"""Context length in tokens, used if none is set and the model was trained for a longer one: a longer context takes more
memory, and a CPU takes minutes to read a prompt of that length.
"""

PATIENCE_SECONDS = 600.0
"""Minimum time to wait for the first word: a CPU reads a long prompt at 10 to 100 tokens a second. The question's
budget may end the wait earlier.
"""


class GgufChat:
    """A chat model from a GGUF file. Nothing is read or started before the first reply is requested."""

    def __init__(
        self, path: Path, settings: Settings, server_of: Callable[[LlamaOptions], LlamaServer] = server_for
    ) -> None:
        self.name = f"gguf:{path.stem}"
        """Name without the file's folders, which are private to the owner."""
        self._path, self._settings, self._server_of = path, settings, server_of
        self.waits = (math.inf, math.inf)
        """Maximum number of seconds until a reply begins, and until it ends."""
        self.form: ReplyForm | None = None
        """Form of the replies; `None` for plain text."""

    @classmethod
    def from_settings(cls, model: str, settings: Settings) -> Self:
        """Create the chat model in the file `model`. Raises `ProviderError` if no file is named."""
        if not model.strip():
            raise ProviderError("gguf: names no file: write gguf:/path/to/model.gguf in PATHFINDER_CHAT_MODEL")
        return cls(Path(model.strip()).expanduser(), settings)

    @property
    def context_tokens(self) -> int | None:
        """Maximum number of tokens in prompt and reply together; `None` for a file that cannot be read."""
        try:
            return self._options.context_tokens
        except ProviderError:
            return None

    @property
    def loading(self) -> str | None:
        """Progress of loading; `None` if nothing is being loaded."""
        try:
            seconds = self._server_of(self._options).loading_seconds
        except ProviderError:
            return None
        size = f"{self._file.n_bytes / 1e6:,.0f} MB"
        return None if seconds is None else f"loading {self._path.stem} ({size}), {seconds:.0f} s"

    def with_deadline(self, seconds: float, overrun: float = 0.0) -> Self:
        """Return the same model with a deadline; loading counts towards it."""
        begins, ends = self.waits
        other = copy(self)
        other.waits = (min(begins, seconds), min(ends, seconds + overrun))
        return other

    def with_form(self, form: ReplyForm) -> Self:
        """Return the same model, made to keep to `form` by llama.cpp."""
        other = copy(self)
        other.form = form
        return other

    def stream(
        self, system: str, prompt: str, *, temperature: float | None = None, max_tokens: int | None = None
    ) -> Generator[str, None, Usage | None]:
        """Yield the reply in chunks; return its usage.

        Raises a `ProviderError` for a file that cannot be used, `MissingDependency` if llama.cpp is not installed, and
        the errors of `LangChainChat.stream`.
        """
        chat = self._chat()
        return (yield from chat.stream(system, prompt, temperature=temperature, max_tokens=self._most(max_tokens)))

    def converse(
        self,
        turns: Sequence[Turn],
        tools: Sequence[Tool],
        *,
        temperature: float | None = None,
        max_tokens: int | None = None,
    ) -> Generator[str, None, ChatReply]:
        """Yield the next turn in chunks; return the complete turn. Raises the same errors as `stream`."""
        chat = self._chat()
        return (yield from chat.converse(turns, tools, temperature=temperature, max_tokens=self._most(max_tokens)))

    def _chat(self) -> LangChainChat:
        """Return a client for the running server, loading the model if needed."""
        server = self._server_of(self._options)
        begins, ends = self.waits
        address = server.address(begins)
        chat = LangChainChat(
            f"openai:{self._path.stem}",
            api_key=server.key,
            base_url=f"{address}/v1",
            timeout_seconds=max(self._settings.chat_timeout_seconds, PATIENCE_SECONDS),
            context_tokens=self._options.context_tokens,
            label=self.name,
        )
        chat = chat if self.form is None else chat.with_form(self.form)
        return chat if math.isinf(ends) else chat.with_deadline(begins, ends - begins)

    def _most(self, max_tokens: int | None) -> int:
        limit = self._options.reply_tokens
        return limit if max_tokens is None else min(max_tokens, limit)

    @cached_property
    def _file(self) -> GgufFile:
        return read_gguf(self._path)

    @property
    def _options(self) -> LlamaOptions:
        settings = self._settings
        context = settings.chat_context or max(min(self._file.context_tokens or MAX_CONTEXT, MAX_CONTEXT), MIN_CONTEXT)
        return LlamaOptions(
            self._file.path,
            context,
            settings.chat_slots,
            settings.chat_threads or usable_cores(),
            min(settings.chat_reply_tokens, context // 4),
            settings.chat_seed,
        )
