"""Any chat model that LangChain can load, as one that streams text or raises an error a reader can act on."""

import math
import os
from collections.abc import Callable, Generator, Iterator, Sequence
from copy import copy
from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING, Self
from urllib.parse import urlsplit

from pathfinder.errors import BrokenStream, MissingKey, ProviderError, TimeSpent
from pathfinder.models.account import estimated
from pathfinder.models.deadline import DeadlinePassed, within
from pathfinder.models.failures import NO_KEY, UNREADABLE_ERRORS, Provider
from pathfinder.models.langchain_replies import ReplyReader, as_functions, as_messages
from pathfinder.models.langchain_setup import load_model, parts
from pathfinder.models.ports import Said, Tool, Turn
from pathfinder.models.providers import (
    CUT_SHORT,
    KEY_OPTIONS,
    KEY_VARIABLES,
    LENGTH_ENDS,
    SDK_ERRORS,
    UNREACHABLE_ERRORS,
    imported,
    is_too_long,
    patience,
    sampling,
    status_of,
)
from pathfinder.models.reasoning import without_reasoning
from pathfinder.settings import Settings
from pathfinder.types import Usage

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import AIMessage

MAX_RETRIES = 2
"""Tries after the first one, by the provider's SDK, for HTTP 408, 409, 429, 5xx and time-outs."""

MAX_TIMEOUTS = 10
"""As many time-outs a whole reply may take: a model that repeats itself for ever sends a piece often enough."""


class LangChainChat:
    """A chat model behind LangChain's `init_chat_model`.

    Nothing is loaded and nothing is asked before the first `stream`, and what goes wrong is raised there: a
    `ProviderError`, or `MissingDependency` where the provider's package is not installed.
    """

    def __init__(
        self,
        name: str,
        *,
        api_key: str | None = None,
        base_url: str | None = None,
        timeout_seconds: float = 60.0,
        counts_tokens: bool = True,
        clock: Callable[[], float] = perf_counter,
    ) -> None:
        """`name` is `provider:model`. `timeout_seconds` is for each try, and between two pieces of a reply; the whole
        may take `MAX_TIMEOUTS` as long. `counts_tokens`: whether a server of provider `openai` is asked to count."""
        self.name = name
        self._vendor, self._model_name = parts(name)
        self._api_key, self._base_url, self._timeout_seconds = api_key, base_url, timeout_seconds
        self._counts_tokens, self._clock = counts_tokens, clock
        secrets = (api_key, urlsplit(base_url or "").password)
        self._provider = Provider(name, self._key_variable, tuple(secret for secret in secrets if secret))
        self.waits = (math.inf, math.inf)
        """Seconds until a reply begins, and until it ends."""
        self._models: dict[tuple[float | None, int | None], BaseChatModel] = {}
        """One for each pair of settings: every provider's package takes them here, not every one in a call."""

    @classmethod
    def from_settings(cls, settings: Settings) -> Self:
        """The model that `settings.chat_model` names; keys of providers other than OpenAI are environment variables."""
        name = settings.chat_model or ""
        vendor, _ = parts(name)
        base_url, api_key = settings.chat_base_url, os.environ.get(KEY_VARIABLES.get(vendor, ""))
        if vendor == "openai":
            base_url = base_url or settings.openai_base_url
            api_key = settings.openai_api_key.get_secret_value() if settings.openai_api_key else None
        return cls(
            name,
            api_key=api_key,
            base_url=base_url,
            timeout_seconds=settings.chat_timeout_seconds,
            counts_tokens=settings.chat_counts_tokens,
        )

    def patient(self, seconds: float, overrun: float = 0.0) -> Self:
        """The same model, each of whose replies begins within `seconds` and ends within `overrun` more."""
        begins, ends = self.waits
        told = copy(self)
        told.waits = (min(begins, seconds), min(ends, seconds + overrun))
        return told

    def stream(
        self, system: str, prompt: str, *, temperature: float | None = None, max_tokens: int | None = None
    ) -> Generator[str, None, Usage | None]:
        """Yield the reply piece by piece, less the model's reasoning; return what it took, where the provider says it.

        Raises a `ProviderError`: `BrokenStream` once something has been yielded; or `MissingDependency`.
        """
        reply = self._reader()

        def begin() -> "Iterator[AIMessage]":
            return self._model(temperature, max_tokens).stream([("system", system), ("human", prompt)])

        text = yield from self._words(begin, reply, max_tokens)
        if not text.strip():
            raise self._empty()
        if reply.end not in LENGTH_ENDS:
            return reply.usage
        return replace(reply.usage or estimated(system + prompt, text), is_cut=True)

    def converse(
        self,
        turns: Sequence[Turn],
        tools: Sequence[Tool],
        *,
        temperature: float | None = None,
        max_tokens: int | None = None,
    ) -> Generator[str, None, Said]:
        """Yield the words of the next turn as they come, less the model's reasoning; return it whole.

        Raises what `stream` raises, and a `ProviderError` for a model that knows no tools and for a call that cannot
        be read.
        """
        reply = self._reader()

        def begin() -> "Iterator[AIMessage]":
            model = self._model(temperature, max_tokens)
            if not tools:
                return model.stream(as_messages(turns))
            try:
                return model.bind_tools(as_functions(tools)).stream(as_messages(turns))
            except NotImplementedError:
                raise ProviderError(
                    f"{self.name} knows no tools: choose another chat model, or another way of answering"
                ) from None

        text = yield from self._words(begin, reply, max_tokens)
        if not text.strip() and not reply.calls:
            raise self._empty()
        return Said(text, reply.calls, reply.usage)

    def _words(
        self, begin: "Callable[[], Iterator[AIMessage]]", reply: ReplyReader, max_tokens: int | None
    ) -> Generator[str, None, str]:
        """Yield and return the words to be seen; `reply` reads the rest."""
        received = ""
        try:
            for piece in without_reasoning(self._pieces(begin, reply, max_tokens)):
                received += piece
                yield piece
        except TimeSpent:
            raise
        except ProviderError as error:
            if received:
                raise BrokenStream(f"the reply stopped before its end: {error}", received) from None
            raise
        return received

    def _pieces(
        self, begin: "Callable[[], Iterator[AIMessage]]", reply: ReplyReader, max_tokens: int | None
    ) -> Iterator[str]:
        """The reply as it comes, reasoning tags and all."""
        begins, ends = self.waits
        seconds = min(self._timeout_seconds * MAX_TIMEOUTS, ends)
        try:
            stream = begin()  # loads the provider's package, which is no part of the waiting
            deadline = self._clock() + seconds
            for chunk in within(seconds, stream, first=begins):
                yield reply.read(chunk)
                if self._clock() > deadline:
                    raise DeadlinePassed
        except DeadlinePassed:
            if begins < self._timeout_seconds * MAX_TIMEOUTS:
                raise TimeSpent(
                    f"{self.name} did not finish in the {begins:.3g} s that were left for it: allow more time, or "
                    "choose a faster model"
                ) from None
            raise ProviderError(
                f"{self.name} did not finish within {seconds:g} s: ask for less, or choose another"
            ) from None
        except imported(SDK_ERRORS, OSError, *UNREADABLE_ERRORS) as error:
            if is_too_long(error):
                raise self._provider.too_long(error) from None
            is_unreachable = isinstance(error, imported(UNREACHABLE_ERRORS, OSError))
            raise self._provider.failure(error, is_unreachable=is_unreachable, status=status_of(error)) from None
        if reply.end in CUT_SHORT and not (max_tokens is not None and reply.end in LENGTH_ENDS):
            why = CUT_SHORT[reply.end]
            raise ProviderError(f"{self.name} did not finish: {why}; ask again, or choose another model")
        if reply.end is None and self._vendor == "openai":
            raise ProviderError(f"{self.name} did not finish, without a word on why: ask again")

    def _reader(self) -> ReplyReader:
        return ReplyReader(self.name, is_counted_once=self._vendor == "openai")

    def _empty(self) -> ProviderError:
        return ProviderError(f"{self.name} gave an empty reply: ask again, or choose another model")

    def _model(self, temperature: float | None, max_tokens: int | None) -> "BaseChatModel":
        """The model with these settings, made when they are first asked for."""
        settings = temperature, max_tokens
        if settings not in self._models:
            model = self._made(sampling(self._vendor, temperature, max_tokens))
            if temperature is not None and getattr(model, "temperature", temperature) != temperature:
                raise ProviderError(f"{self.name} takes no temperature of {temperature:g}: choose another model")
            self._models[settings] = model
        return self._models[settings]

    def _made(self, settings: dict[str, float]) -> "BaseChatModel":
        if not (self._vendor and self._model_name):
            raise ProviderError(f"{self.name!r} names no chat model: write provider:model, such as openai:gpt-4o-mini")
        options = patience(self._vendor, self._timeout_seconds, MAX_RETRIES) | self._access() | settings
        if self._vendor == "openai":
            # Without it, a server at another address than OpenAI's is not asked to count its tokens.
            options["stream_usage"] = self._counts_tokens
        return load_model(self._vendor, self._model_name, self.name, options)

    def _access(self) -> dict[str, str]:
        """Key and address, as far as they are set. A server at an address of the reader's own may need no key."""
        needs_key = self._vendor in KEY_VARIABLES
        if needs_key and not self._api_key and not self._base_url:
            raise MissingKey(f"no key is set for {self.name}: set {self._key_variable}, or choose another chat model")
        key = {KEY_OPTIONS.get(self._vendor, "api_key"): self._api_key or NO_KEY} if needs_key else {}
        return key | ({"base_url": self._base_url} if self._base_url else {})

    @property
    def _key_variable(self) -> str:
        return KEY_VARIABLES.get(self._vendor, f"the key of {self._vendor}")
