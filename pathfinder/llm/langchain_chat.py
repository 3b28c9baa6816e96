"""Streams text from any chat model that LangChain can load, or raises an error that a reader can act on."""

import math
import os
import warnings
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from threading import Event
from time import perf_counter
from typing import TYPE_CHECKING, Any, Self, TypeVar
from urllib.parse import urlsplit

from pathfinder.errors import BrokenStream, MissingDependency, MissingKey, ProviderError, TimeSpent
from pathfinder.llm.langchain_replies import ReasoningFilter, ReplyReader, as_functions, as_messages
from pathfinder.llm.providers import (
    CUT_SHORT,
    KEY_OPTIONS,
    KEY_VARIABLES,
    LENGTH_ENDS,
    NO_KEY,
    SDK_ERRORS,
    UNREACHABLE_ERRORS,
    UNREADABLE_ERRORS,
    ModelProvider,
    form_options,
    imported_classes,
    is_too_long,
    patience,
    refuses_form,
    sampling,
    status_of,
)
from pathfinder.llm.replies import empty_reply, no_tools
from pathfinder.llm.stopping import DeadlinePassed, within
from pathfinder.llm.usage import estimate_usage
from pathfinder.models.ports import ChatReply, ReplyForm, Tool, Turn
from pathfinder.settings import Settings
from pathfinder.types import Usage

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import AIMessage


Result = TypeVar("Result")

MAX_RETRIES = 2
"""Number of retries by the provider's SDK for HTTP 408, 409, 429, 5xx and timeouts."""

MAX_TIMEOUTS = 10
"""Time limit for a whole reply, as a multiple of the timeout: a model that repeats itself forever never exceeds the
timeout itself.
"""


class LangChainChat:
    """A chat model behind LangChain's `init_chat_model`.

    Nothing is loaded and no request is made before the first `stream`. If loading or the request fails, `stream` raises
    a `ProviderError`, or `MissingDependency` if the provider's package is not installed.
    """

    def __init__(
        self,
        name: str,
        *,
        api_key: str | None = None,
        base_url: str | None = None,
        timeout_seconds: float = 60.0,
        counts_tokens: bool = True,
        context_tokens: int | None = None,
        label: str | None = None,
        clock: Callable[[], float] = perf_counter,
    ) -> None:
        """`name` is `provider:model`, and `label` the name for readers, if it differs. `timeout_seconds` applies to
        each attempt and to the gap between two chunks; a whole reply may take `MAX_TIMEOUTS` times as long. If
        `counts_tokens`, a server of the provider `openai` is asked to report token counts.
        """
        self.name = label or name
        """Name for readers."""
        self.context_tokens = context_tokens
        """Maximum number of tokens in prompt and reply together; `None` if it is not known."""
        self._vendor, self._model_name = parts(name)
        self._access = ProviderAccess(self._vendor, api_key, base_url)
        self._timeout_seconds, self._counts_tokens, self._clock = timeout_seconds, counts_tokens, clock
        self._provider = ModelProvider(self.name, self._access.key_variable, self._access.secrets)
        self.waits = (math.inf, math.inf)
        """Maximum number of seconds until a reply begins, and until it ends."""
        self._form: ReplyForm | None = None
        self._refused_forms = Event()
        """Set once the server has refused to make the model keep to a required format; shared by all copies."""
        self._models: dict[tuple[float | None, int | None], BaseChatModel] = {}
        """Models by their settings, which every provider's package accepts when it creates a model, but not always in a
        call.
        """

    @classmethod
    def from_settings(cls, settings: Settings) -> Self:
        """Create the model named by `settings.chat_model`; keys of providers other than OpenAI are read from
        environment variables.
        """
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
            context_tokens=settings.chat_context,
        )

    def with_deadline(self, seconds: float, overrun: float = 0.0) -> Self:
        """Return the same model with a deadline: each reply must begin within `seconds`, and end at most `overrun`
        seconds after that limit.
        """
        begins, ends = self.waits
        other = copy(self)
        other.waits = (min(begins, seconds), min(ends, seconds + overrun))
        return other

    def with_form(self, form: ReplyForm) -> Self:
        """Return the same model, with replies requested in `form` if the server supports it."""
        other = copy(self)
        other._form = form  # noqa: SLF001 - a copy of this object
        return other

    def stream(
        self, system: str, prompt: str, *, temperature: float | None = None, max_tokens: int | None = None
    ) -> Generator[str, None, Usage | None]:
        """Yield the reply in chunks, without the model's reasoning; return its usage, if the provider reports it.

        Raises `MissingDependency`, or a `ProviderError`, which is a `BrokenStream` if something has already been
        yielded.
        """
        asks_for_form = self._form is not None and not self._refused_forms.is_set()
        options = form_options(self._vendor, self._form) if asks_for_form and self._form else {}
        if options:
            ignore_form_warning()
        try:
            return (yield from self._stream(system, prompt, temperature, max_tokens, options))
        except ProviderError as error:
            if not options or isinstance(error, BrokenStream) or not refuses_form(error):
                raise
        self._refused_forms.set()
        return (yield from self._stream(system, prompt, temperature, max_tokens, {}))

    def _stream(
        self, system: str, prompt: str, temperature: float | None, max_tokens: int | None, options: Mapping[str, Any]
    ) -> Generator[str, None, Usage | None]:
        """Stream a reply, requested with these `options` for the provider's package."""
        reader = self._reader()

        def begin() -> "Iterator[AIMessage]":
            messages = [("system", system), ("human", prompt)]
            return self._model(temperature, max_tokens).stream(messages, **options)

        def usage(text: str) -> Usage | None:
            if not text.strip():
                raise empty_reply(self.name)
            return _usage(reader, system + prompt, text)

        return self._chunks(begin, reader, max_tokens, usage)

    def converse(
        self,
        turns: Sequence[Turn],
        tools: Sequence[Tool],
        *,
        temperature: float | None = None,
        max_tokens: int | None = None,
    ) -> Generator[str, None, ChatReply]:
        """Yield the next turn in chunks, without the model's reasoning; return the complete turn.

        Raises the same errors as `stream`, and a `ProviderError` for a tool call that cannot be read, or for a model
        that does not support tools.
        """
        reader = self._reader()

        def begin() -> "Iterator[AIMessage]":
            model = self._model(temperature, max_tokens)
            if not tools:
                return model.stream(as_messages(turns))
            try:
                return model.bind_tools(as_functions(tools)).stream(as_messages(turns))
            except NotImplementedError:
                raise no_tools(self.name) from None

        def whole(text: str) -> ChatReply:
            if not text.strip() and not reader.calls:
                raise empty_reply(self.name)
            return ChatReply(text, reader.calls, _usage(reader, "".join(turn.text for turn in turns), text))

        return self._chunks(begin, reader, max_tokens, whole)

    def _chunks(
        self,
        begin: "Callable[[], Iterator[AIMessage]]",
        reader: ReplyReader,
        max_tokens: int | None,
        result: Callable[[str], Result],
    ) -> Generator[str, None, Result]:
        """Yield the visible chunks of a reply and return what `result` makes of its text; everything else in the reply
        goes to `reader`.
        """
        partial_reply, visible = "", ReasoningFilter()
        try:
            for text in self._texts(begin, reader):
                if words := visible.feed(text):
                    partial_reply += words
                    yield words
            self._check_end(reader, max_tokens)
            if words := visible.finish():
                partial_reply += words
                yield words
        except TimeSpent:
            raise
        except ProviderError as error:
            if not partial_reply:
                raise
            stream_error = BrokenStream(f"the reply stopped before it finished: {error}", partial_reply)
            stream_error.status = error.status
            raise stream_error from None
        return result(partial_reply)

    def _texts(self, begin: "Callable[[], Iterator[AIMessage]]", reader: ReplyReader) -> Iterator[str]:
        """Yield the text of the provider's messages, including reasoning; convert its errors to Pathfinder's."""
        begins, ends = self.waits
        seconds = min(self._timeout_seconds * MAX_TIMEOUTS, ends)
        try:
            stream = begin()  # this loads the provider's package, which does not count as waiting time
            deadline = self._clock() + seconds
            for message in within(seconds, stream, first=begins):
                yield reader.read(message)
                if self._clock() > deadline:
                    raise DeadlinePassed
        except DeadlinePassed:
            if begins < self._timeout_seconds * MAX_TIMEOUTS:
                raise TimeSpent(
                    f"{self.name} did not finish in the {begins:.3g} s left for it: allow more time, or "
                    "choose a faster model"
                ) from None
            raise ProviderError(
                f"{self.name} did not finish within {seconds:g} s: ask for less, or choose another model"
            ) from None
        except imported_classes(SDK_ERRORS, OSError, *UNREADABLE_ERRORS) as error:
            if is_too_long(error):
                raise self._provider.too_long(error) from None
            is_unreachable = isinstance(error, imported_classes(UNREACHABLE_ERRORS, OSError))
            raise self._provider.failure(error, is_unreachable=is_unreachable, status=status_of(error)) from None

    def _check_end(self, reader: ReplyReader, max_tokens: int | None) -> None:
        """Raise a `ProviderError` for a reply that was cut off, unless `max_tokens` caused it."""
        if reader.end in CUT_SHORT and not (max_tokens is not None and reader.end in LENGTH_ENDS):
            why = CUT_SHORT[reader.end]
            raise ProviderError(f"{self.name} did not finish: {why}; ask again, or choose another model")
        if reader.end is None and self._vendor == "openai":
            raise ProviderError(f"{self.name} stopped without finishing or giving a reason: ask again")

    def _reader(self) -> ReplyReader:
        return ReplyReader(self.name, is_counted_once=self._vendor == "openai")

    def _model(self, temperature: float | None, max_tokens: int | None) -> "BaseChatModel":
        """Return the model with these settings, created when it is first requested."""
        settings = temperature, max_tokens
        if settings not in self._models:
            model = self._model_with(sampling(self._vendor, temperature, max_tokens))
            if temperature is not None and getattr(model, "temperature", temperature) != temperature:
                raise ProviderError(
                    f"{self.name} does not accept a temperature of {temperature:g}: choose another model"
                )
            self._models[settings] = model
        return self._models[settings]

    def _model_with(self, settings: dict[str, float]) -> "BaseChatModel":
        if not (self._vendor and self._model_name):
            raise ProviderError(
                f"{self.name!r} does not name a chat model: write provider:model, such as openai:gpt-4o-mini"
            )
        options: dict[str, Any] = {
            **patience(self._vendor, self._timeout_seconds, MAX_RETRIES),
            **self._access.options(self.name),
            **settings,
        }
        if self._vendor == "openai":
            # Without this, a server at an address other than OpenAI's is not asked to report token counts.
            options["stream_usage"] = self._counts_tokens
        if self._access.is_without_tls:
            from pathfinder.llm.closable_client import closable_client

            options["http_client"] = closable_client()
        return load_model(self._vendor, self._model_name, self.name, options)


def _usage(reader: ReplyReader, prompt: str, text: str) -> Usage | None:
    """Return the usage that the provider reports; if a reply cut off at its length limit has none, estimate it."""
    if reader.end not in LENGTH_ENDS:
        return reader.usage
    return replace(reader.usage or estimate_usage(prompt, text), is_cut=True)


# Loads LangChain's model with a key and an address, or raises an error that says what is missing.


def parts(name: str) -> tuple[str, str]:
    """Split `provider:model` into the provider, spelled as in LangChain, and the model."""
    vendor, _, model = name.strip().partition(":")
    return vendor.replace("-", "_").lower(), model


@dataclass(frozen=True, slots=True)
class ProviderAccess:
    """The key and the address with which a provider is called."""

    vendor: str
    api_key: str | None = field(repr=False)
    base_url: str | None = field(repr=False)

    @property
    def key_variable(self) -> str:
        """Name of the environment variable for the key."""
        return KEY_VARIABLES.get(self.vendor, f"the key of {self.vendor}")

    @property
    def secrets(self) -> tuple[str, ...]:
        """Strings that must never appear in a message."""
        return tuple(filter(None, (self.api_key, urlsplit(self.base_url or "").password)))

    def options(self, name: str) -> dict[str, str]:
        """Return the key and the address of the model `name`, if set; the reader's own server may not need a key."""
        needs_key = self.vendor in KEY_VARIABLES
        if needs_key and not self.api_key and not self.base_url:
            raise MissingKey(f"no key is set for {name}: set {self.key_variable}, or choose another chat model")
        key = {KEY_OPTIONS.get(self.vendor, "api_key"): self.api_key or NO_KEY} if needs_key else {}
        return key | ({"base_url": self.base_url} if self.base_url else {})

    @property
    def is_without_tls(self) -> bool:
        """True for the reader's own server at an address without TLS, such as one on this machine."""
        return self.vendor == "openai" and (self.base_url or "").lower().startswith("http://")


def ignore_form_warning() -> None:
    """Silence LangChain's warning that a model does not support a required format: the model is then called again
    without one.
    """
    warnings.filterwarnings("ignore", message="This model does not support OpenAI's structured output")


def load_model(vendor: str, model: str, name: str, options: Mapping[str, Any]) -> "BaseChatModel":
    """Load LangChain's model without making a request.

    Raises `MissingDependency` if the provider's package is not installed, and a `ProviderError`, which refers to the
    model as `name`, if the model cannot be set up.
    """
    try:
        from langchain.chat_models import init_chat_model

        chat_model: BaseChatModel = init_chat_model(model, model_provider=vendor, **options)
    except ImportError as error:
        raise MissingDependency(_missing_package(name, error)) from error
    except imported_classes(SDK_ERRORS, ValueError) as error:
        # First line only: the rest of a validation error quotes its input, which includes the key.
        reason = str(error).partition("\n")[0].rstrip(".")
        raise ProviderError(
            f"{name} cannot be set up ({reason}): write provider:model with a provider that LangChain knows, "
            f"such as {', '.join(KEY_VARIABLES)}"
        ) from None
    return chat_model


def _missing_package(name: str, error: ImportError) -> str:
    module = getattr(error.__cause__, "name", None) or error.name or "langchain"
    package = module.partition(".")[0].replace("_", "-")
    return f"{name} needs a package that is not installed: pip install {package}"
