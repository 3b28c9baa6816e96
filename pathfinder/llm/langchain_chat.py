"""Calls any chat model that LangChain can load, or raises an error that a reader can act on."""

import json
import os
import warnings
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from threading import Event
from time import perf_counter
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from pathfinder.errors import BrokenStream, MissingDependency, MissingKey, ProviderError, TimeSpent
from pathfinder.llm.chat import Chat, empty_reply, no_tools
from pathfinder.llm.filters import ReasoningFilter
from pathfinder.llm.providers import (
    CUT_SHORT,
    END_FIELDS,
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
from pathfinder.llm.stopping import CONNECTIONS, DeadlinePassed, within
from pathfinder.llm.usage import estimate_usage
from pathfinder.models.ports import ChatReply, ChatRequest, Tool, ToolCall, Turn
from pathfinder.settings import Settings
from pathfinder.text.strict_json import parse_json
from pathfinder.types import Usage
from pathfinder.types.texts import one_line

if TYPE_CHECKING:
    import httpx
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import AIMessage

MAX_RETRIES = 2
"""Number of retries by the provider's SDK for HTTP 408, 409, 429, 5xx and timeouts."""

MAX_TIMEOUTS = 10
"""Time limit for a whole reply, as a multiple of the timeout: a model that repeats itself forever never exceeds the
timeout itself.
"""


def langchain_chat(
    name: str,
    *,
    api_key: str | None = None,
    base_url: str | None = None,
    timeout_seconds: float = 60.0,
    counts_tokens: bool = True,
    context_tokens: int | None = None,
    label: str | None = None,
    clock: Callable[[], float] = perf_counter,
) -> Chat:
    """Return the chat model that LangChain's `init_chat_model` calls `name`, which is `provider:model`; `label` is the
    name for readers, if it differs.

    `timeout_seconds` applies to each attempt and to the gap between two chunks; a whole reply may take `MAX_TIMEOUTS`
    times as long. If `counts_tokens`, a server of the provider `openai` is asked to report token counts. Nothing is
    loaded and no request is made before the first reply is requested, which raises a `ProviderError` if that fails, or
    `MissingDependency` if the provider's package is not installed.
    """
    vendor, model = parts(name)
    access = ProviderAccess(vendor, api_key, base_url)
    adapter = _Adapter(label or name, model, access, timeout_seconds, counts_tokens, clock)
    return Chat(adapter.name, adapter.send, lambda: context_tokens)


def chat_from_settings(settings: Settings) -> Chat:
    """Return the chat model named by `settings.chat_model`; keys of providers other than OpenAI are read from
    environment variables.
    """
    name = settings.chat_model or ""
    vendor, _ = parts(name)
    base_url, api_key = settings.chat_base_url, os.environ.get(KEY_VARIABLES.get(vendor, ""))
    if vendor == "openai":
        base_url = base_url or settings.openai_base_url
        api_key = settings.openai_api_key.get_secret_value() if settings.openai_api_key else None
    return langchain_chat(
        name,
        api_key=api_key,
        base_url=base_url,
        timeout_seconds=settings.chat_timeout_seconds,
        counts_tokens=settings.chat_counts_tokens,
        context_tokens=settings.chat_context,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Adapter:
    """Sends requests to one model through LangChain."""

    name: str
    """Name for readers."""
    model_name: str
    access: "ProviderAccess"
    timeout_seconds: float
    counts_tokens: bool
    clock: Callable[[], float]
    models: dict[tuple[float | None, int | None], "BaseChatModel"] = field(default_factory=dict)
    """Models by temperature and maximum length, which every provider's package accepts when it creates a model, but not
    always in a call.
    """
    refused_forms: Event = field(default_factory=Event)
    """Set once the server has refused to make the model keep to a required format."""

    def send(self, request: ChatRequest) -> Generator[str, None, ChatReply]:
        """Yield the words of a reply, without the model's reasoning; return the whole reply, whose usage is `None` if
        the provider does not report it.
        """
        asks_for_form = request.form is not None and not request.tools and not self.refused_forms.is_set()
        options = form_options(self.access.vendor, request.form) if asks_for_form and request.form else {}
        if options:
            warnings.filterwarnings("ignore", message="This model does not support OpenAI's structured output")
        try:
            return (yield from self._reply(request, options))
        except ProviderError as error:
            if not options or isinstance(error, BrokenStream) or not refuses_form(error):
                raise
        self.refused_forms.set()
        return (yield from self._reply(request, {}))

    def _reply(self, request: ChatRequest, options: Mapping[str, Any]) -> Generator[str, None, ChatReply]:
        """Yield and return a reply, requested with these `options` for the provider's package; raise Pathfinder's
        errors in place of those of the package.
        """
        reader = ReplyReader(self.name, is_counted_once=self.access.vendor == "openai")
        text, visible = "", ReasoningFilter()
        seconds = min(self.timeout_seconds * MAX_TIMEOUTS, request.ends)
        try:
            stream = self._stream(request, options)  # this loads the package, which does not count as waiting time
            deadline = self.clock() + seconds
            for message in within(seconds, stream, first=request.begins):
                if words := visible.feed(reader.read(message)):
                    text += words
                    yield words
                if self.clock() > deadline:
                    raise DeadlinePassed
            if reader.end in CUT_SHORT and (request.max_tokens is None or reader.end not in LENGTH_ENDS):
                why = CUT_SHORT[reader.end]
                raise ProviderError(f"{self.name} did not finish: {why}; ask again, or choose another model")
            if reader.end is None and self.access.vendor == "openai":
                raise ProviderError(f"{self.name} stopped without finishing or giving a reason: ask again")
            if words := visible.finish():
                text += words
                yield words
        except imported_classes(SDK_ERRORS, DeadlinePassed, ProviderError, OSError, *UNREADABLE_ERRORS) as error:
            failure = self._failure(error, request.begins, seconds)
            if not text or isinstance(failure, TimeSpent):
                raise failure from None
            broken = BrokenStream(f"the reply stopped before it finished: {failure}", text)
            broken.status = failure.status
            raise broken from None
        calls = reader.calls if request.tools else ()
        if not text.strip() and not calls:
            raise empty_reply(self.name)
        usage = reader.usage
        if reader.end in LENGTH_ENDS:
            prompt = "".join(turn.text for turn in request.turns)
            usage = replace(usage or estimate_usage(prompt, text), is_cut=True)
        return ChatReply(text, calls, usage)

    def _stream(self, request: ChatRequest, options: Mapping[str, Any]) -> "Iterator[AIMessage]":
        model, messages = self._model(request.temperature, request.max_tokens), as_messages(request.turns)
        if not request.tools:
            return model.stream(messages, **options)
        try:
            return model.bind_tools(as_functions(request.tools)).stream(messages)
        except NotImplementedError:
            raise no_tools(self.name) from None

    def _failure(self, error: Exception, begins: float, ends: float) -> ProviderError:
        """Return Pathfinder's error for a reply that had to begin and end within so many seconds."""
        if isinstance(error, ProviderError):
            return error
        if isinstance(error, DeadlinePassed):
            if begins < self.timeout_seconds * MAX_TIMEOUTS:
                return TimeSpent(
                    f"{self.name} did not finish in the {begins:.3g} s left for it: allow more time, or choose a "
                    "faster model"
                )
            return ProviderError(f"{self.name} did not finish within {ends:g} s: ask for less, or choose another model")
        provider = ModelProvider(self.name, self.access.key_variable, self.access.secrets)
        if is_too_long(error):
            return provider.too_long(error)
        is_unreachable = isinstance(error, imported_classes(UNREACHABLE_ERRORS, OSError))
        return provider.failure(error, is_unreachable=is_unreachable, status=status_of(error))

    def _model(self, temperature: float | None, max_tokens: int | None) -> "BaseChatModel":
        """Return the model with these settings, created when it is first requested."""
        settings, vendor = (temperature, max_tokens), self.access.vendor
        if settings in self.models:
            return self.models[settings]
        if not (vendor and self.model_name):
            raise ProviderError(
                f"{self.name!r} does not name a chat model: write provider:model, such as openai:gpt-4o-mini"
            )
        if vendor == "gguf":  # up to 0.3.0, Pathfinder ran such files itself
            raise ProviderError(
                f"{self.name} is a file, and Pathfinder runs none: start llama-server -m FILE.gguf --jinja, and set "
                "PATHFINDER_CHAT_MODEL=openai:local and PATHFINDER_CHAT_BASE_URL=http://127.0.0.1:8080/v1"
            )
        options: dict[str, Any] = {
            **patience(vendor, self.timeout_seconds, MAX_RETRIES),
            **self.access.options(self.name),
            **sampling(vendor, temperature, max_tokens),
        }
        if vendor == "openai":
            # Without this, a server at an address other than OpenAI's is not asked to report token counts.
            options["stream_usage"] = self.counts_tokens
        if self.access.is_without_tls:
            options["http_client"] = closable_client()
        model = load_model(vendor, self.model_name, self.name, options)
        if temperature is not None and getattr(model, "temperature", temperature) != temperature:
            raise ProviderError(f"{self.name} does not accept a temperature of {temperature:g}: choose another model")
        self.models[settings] = model
        return model


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


def load_model(vendor: str, model: str, name: str, options: Mapping[str, Any]) -> "BaseChatModel":
    """Load LangChain's model without making a request.

    Raises `MissingDependency` if the provider's package is not installed, and a `ProviderError`, which refers to the
    model as `name`, if the model cannot be set up.
    """
    try:
        from langchain.chat_models import init_chat_model

        chat_model: BaseChatModel = init_chat_model(model, model_provider=vendor, **options)
    except ImportError as error:
        module = getattr(error.__cause__, "name", None) or error.name or "langchain"
        package = module.partition(".")[0].replace("_", "-")
        raise MissingDependency(f"{name} needs a package that is not installed: pip install {package}") from error
    except imported_classes(SDK_ERRORS, ValueError) as error:
        # First line only: the rest of a validation error quotes its input, which includes the key.
        reason = str(error).partition("\n")[0].rstrip(".")
        raise ProviderError(
            f"{name} cannot be set up ({reason}): write provider:model with a provider that LangChain knows, "
            f"such as {', '.join(KEY_VARIABLES)}"
        ) from None
    return chat_model


@cache
def closable_client() -> "httpx.Client":
    """Return an HTTP client, for servers without TLS, whose connections can be closed while a request waits for its
    reply. It opens a connection for each request; threads may share it.
    """
    import httpx

    def watch(request: httpx.Request) -> None:
        connections = CONNECTIONS.get()
        if connections is None:
            return
        if connections.is_closed:  # the request is a retry, and the reader has pressed Stop
            raise httpx.RequestError("the reader has stopped waiting", request=request)

        def remember(event: str, details: dict[str, Any]) -> None:
            if event == "connection.connect_tcp.complete":  # httpcore's name for a new connection
                connections.add(details["return_value"].get_extra_info("socket"))

        request.extensions = {**request.extensions, "trace": remember}

    limits = httpx.Limits(max_keepalive_connections=0)
    return httpx.Client(event_hooks={"request": [watch]}, limits=limits, follow_redirects=True)


# Reads everything but the text from the chunks of a reply: the reason why it ended, its usage, and its tool calls.


@dataclass(slots=True)
class _Draft:
    """A tool call that is still arriving."""

    call_id: str
    name: str = ""
    arguments: str = ""


class ReplyReader:
    """Reads one reply, chunk by chunk."""

    def __init__(self, name: str, *, is_counted_once: bool) -> None:
        """`name` is the model's name, for error messages. If `is_counted_once`, a later token count replaces an earlier
        one; otherwise the counts of all chunks are added up.
        """
        self._name, self._is_counted_once = name, is_counted_once
        self._drafts: list[_Draft] = []
        self._by_index: dict[int | None, _Draft] = {}
        self.end: str | None = None
        """Reason why the reply ended, in lower case; `None` if the provider states none."""
        self.usage: Usage | None = None

    def read(self, chunk: "AIMessage") -> str:
        """Return the text of `chunk`, and record everything else in it."""
        metadata = chunk.response_metadata
        self.end = next((str(metadata[field]).lower() for field in END_FIELDS if metadata.get(field)), self.end)
        if chunk.usage_metadata:
            counted = chunk.usage_metadata
            before = (0, 0) if self._is_counted_once else self._tokens
            tokens_in, tokens_out = before[0] + counted["input_tokens"], before[1] + counted["output_tokens"]
            self.usage = Usage(tokens_in, tokens_out, dollars=self.usage.dollars if self.usage else None)
        if (dollars := _dollars(metadata)) is not None:
            self.usage = Usage(self._tokens[0], self._tokens[1], dollars=dollars)
        for call_chunk in _call_chunks(chunk):
            self._add(call_chunk)
        return chunk.text

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """The tool calls in the reply. Raises `ProviderError` for a call without a name or with arguments that are not
        a JSON object.
        """
        return tuple(self._call(draft, place) for place, draft in enumerate(self._drafts, start=1))

    @property
    def _tokens(self) -> tuple[int, int]:
        return (self.usage.tokens_in, self.usage.tokens_out) if self.usage else (0, 0)

    def _add(self, call_chunk: Mapping[str, Any]) -> None:
        """Add a piece to the call with the same index; some servers give every call the same index and distinguish
        calls by id.
        """
        index, call_id = call_chunk.get("index"), call_chunk.get("id") or ""
        draft = self._by_index.get(index)
        if draft is None or (call_id and draft.call_id not in ("", call_id)):
            draft = self._by_index[index] = _Draft(call_id)
            self._drafts.append(draft)
        draft.call_id = draft.call_id or call_id
        draft.name += call_chunk.get("name") or ""
        draft.arguments += call_chunk.get("args") or ""

    def _call(self, draft: _Draft, place: int) -> ToolCall:
        try:
            arguments = parse_json(draft.arguments or "{}")
        except (ValueError, RecursionError):
            arguments = None
        if not draft.name or not isinstance(arguments, dict):
            request = one_line(f"{draft.name}({draft.arguments})")
            raise ProviderError(
                f"{self._name} called a tool in a form that cannot be read ({request!r}): ask again, or choose "
                "another model"
            )
        return ToolCall(draft.call_id or f"call-{place}", draft.name, arguments)


def as_messages(turns: Sequence[Turn]) -> list[dict[str, object]]:
    """Write `turns` as plain dictionaries, which LangChain accepts as messages."""
    messages = []
    for turn in turns:
        message: dict[str, object] = {"role": "user" if turn.role == "human" else turn.role, "content": turn.text}
        if turn.calls:
            message["tool_calls"] = [
                {
                    "id": call.call_id,
                    "type": "function",
                    "function": {"name": call.name, "arguments": json.dumps(dict(call.arguments))},
                }
                for call in turn.calls
            ]
        if turn.call_id is not None:
            message["tool_call_id"] = turn.call_id
        messages.append(message)
    return messages


def as_functions(tools: Sequence[Tool]) -> list[dict[str, object]]:
    """Describe `tools` in the form that LangChain binds to any provider's model."""
    return [
        {
            "type": "function",
            "function": {"name": tool.name, "description": tool.description, "parameters": dict(tool.parameters)},
        }
        for tool in tools
    ]


def _call_chunks(chunk: "AIMessage") -> Sequence[Mapping[str, Any]]:
    """Return the pieces of tool calls in a chunk; a provider that does not stream them sends whole calls with parsed
    arguments.
    """
    call_chunks = getattr(chunk, "tool_call_chunks", None)
    if call_chunks is not None:
        return list(call_chunks)
    whole = [{**call, "args": json.dumps(call["args"]), "index": place} for place, call in enumerate(chunk.tool_calls)]
    unread = [{**call, "index": -place} for place, call in enumerate(chunk.invalid_tool_calls, start=1)]
    return [*whole, *unread]


def _dollars(metadata: Mapping[str, Any]) -> float | None:
    usage = metadata.get("token_usage")
    price = metadata.get("cost", usage.get("cost") if isinstance(usage, dict) else None)
    return float(price) if isinstance(price, int | float) and not isinstance(price, bool) and price >= 0 else None
