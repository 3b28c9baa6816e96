"""A chat model, and how one operation uses it: in the words of the corpus's field, with every call counted, priced,
limited by a single budget, and cached.
"""

import re
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Self, TypeVar

from pydantic import TypeAdapter

from pathfinder.errors import (
    BrokenStream,
    BudgetExhausted,
    BudgetSpent,
    MissingDependency,
    MissingKey,
    PathfinderError,
    ProviderError,
    RejectedKey,
    TimeSpent,
    Unreachable,
)
from pathfinder.llm.filters import SourceFilter, WholeCharacters, of_whole_characters
from pathfinder.llm.stopping import RecordedStream
from pathfinder.llm.usage import BudgetTracker, OpenCall, StoredReply, about_tokens, content_key, estimate_usage
from pathfinder.models.ports import ChatModel, ChatReply, ChatRequest, ReplyForm, Tool, Turn
from pathfinder.profile import Field
from pathfinder.text.strict_json import parse_as
from pathfinder.types import Call, CallText, Usage
from pathfinder.types.texts import one_line

STOPPED_EARLY = "stopped before it finished"


@dataclass(frozen=True, slots=True, eq=False)
class Chat:
    """A chat model, what it knows of itself, and how one operation uses it. Threads may share it.

    `metered` returns a copy for one operation, whose calls are counted and limited by a `BudgetTracker`. Within one
    operation, repeated requests are all sent, because the caller wants several replies; a repeated operation gets the
    same replies from the cache. No reply keeps source markup, because a model that writes a `<source>` has made it up.
    The tracker counts the blocks removed, and such a reply is not cached.
    """

    name: str
    """Name as `vendor:model`, such as `openai:gpt-4o-mini`."""
    send: Callable[[ChatRequest], Generator[str, None, ChatReply]] = field(repr=False)
    """Function that sends a request to the model, yields the words of its reply as they arrive, and returns the whole
    reply; it keeps to the request's form and time limits as far as the model supports them.

    It raises a `ProviderError` if the call fails, or if the model does not support the tools of the request; it is a
    `BrokenStream` if the reply stops midway.
    """
    context: Callable[[], int | None] = field(default=lambda: None, repr=False)
    """Function that returns the maximum number of tokens in prompt and reply together; `None` if it is not known."""
    terms: Field | None = None
    """Field whose terms fill the blanks in system prompts; `None` to send prompts as they are."""
    meter: BudgetTracker | None = field(default=None, repr=False)
    """What counts and limits the calls of an operation; `None` for a model whose calls are neither."""
    purpose: str = ""
    """What the calls are for, in a word or two; it appears in the table of costs."""
    share: float = 1.0
    """Part of the budget that calls may use."""
    overrun: float = 0.0
    """Seconds for which a reply that has begun may continue after the budget is spent."""
    is_final: bool = False
    """True for a final reply, which may even begin after the budget is spent."""

    @classmethod
    def of(cls, model: ChatModel) -> "Chat":
        """Return `model` itself, or a plug-in's model in this form."""
        if isinstance(model, Chat):
            return model
        return cls(model.name, partial(_send_to_plugin, model), lambda: getattr(model, "context_tokens", None))

    @property
    def context_tokens(self) -> int | None:
        """Maximum number of tokens in prompt and reply together; `None` if it is not known."""
        return self.context()

    @property
    def tracker(self) -> BudgetTracker:
        """What counts and limits the calls. Raises `ValueError` if nothing does."""
        if self.meter is None:
            raise ValueError(f"the calls to {self.name} are not counted: use Chat.metered")
        return self.meter

    @property
    def calls(self) -> tuple[Call, ...]:
        """Calls of this operation that have ended, for any purpose, including failed and stopped ones."""
        return self.meter.calls if self.meter else ()

    def metered(self, purpose: str, tracker: BudgetTracker | None = None) -> Self:
        """Return the same model for an operation with this purpose, by default with a budget of its own."""
        return replace(self, purpose=purpose, meter=tracker or BudgetTracker())

    def for_purpose(self, purpose: str) -> Self:
        """Return the same model under the same budget, for another purpose."""
        return replace(self, purpose=purpose)

    def within(self, share: float) -> Self:
        """Return the same model, limited to `share` of the budget."""
        return replace(self, share=share)

    def with_overrun(self, seconds: float) -> Self:
        """Return the same model, but let replies that have begun continue for up to `seconds` after the budget is
        spent.
        """
        return replace(self, overrun=seconds)

    def for_last_words(self, seconds: float) -> Self:
        """Return the same model for one final reply, which may begin and end within `seconds` after the budget is
        spent.
        """
        return replace(self, overrun=seconds, is_final=True)

    def reject(self, text: str) -> None:
        """Keep a useless reply out of the cache, so that the model is called again next time."""
        if self.meter:
            self.meter.reject(text)

    def reject_all(self) -> None:
        """Keep all replies from this operation out of the cache, so that the model is called again next time."""
        self.tracker.reject_all()

    def stream(
        self,
        system: str,
        prompt: str,
        *,
        temperature: float | None = None,
        max_tokens: int | None = None,
        form: ReplyForm | None = None,
    ) -> Generator[str, None, Usage | None]:
        """Yield the reply in chunks; return its usage. Raises the same errors as `reply`."""
        turns = Turn("system", system), Turn("human", prompt)
        return (yield from self.reply(ChatRequest(turns, (), temperature, max_tokens, form))).usage

    def converse(
        self,
        turns: Sequence[Turn],
        tools: Sequence[Tool],
        *,
        temperature: float | None = None,
        max_tokens: int | None = None,
    ) -> Generator[str, None, ChatReply]:
        """Yield the words of the next turn; return the complete turn. Raises the same errors as `reply`."""
        return self.reply(ChatRequest(tuple(turns), tuple(tools), temperature, max_tokens))

    def reply(self, request: ChatRequest) -> Generator[str, None, ChatReply]:
        """Yield the words of the reply as they arrive; return the whole reply with its usage, which is estimated if the
        provider does not report it.

        Raises the errors of `send`, and `BudgetExhausted` if the budget has no room for the prompt or is spent before
        the reply is complete.
        """
        if (terms := self.terms) is not None:
            in_terms = (
                replace(turn, text=in_words_of(terms, turn.text)) if turn.role == "system" else turn
                for turn in request.turns
            )
            request = replace(request, turns=tuple(in_terms))
        tracker = self.meter
        if tracker is None:
            return (yield from self.send(request))
        prompt = "".join(turn.text + _tool_calls_as_text(turn) for turn in request.turns)
        prompt += repr(request.tools) if request.tools else ""
        key = tracker.key(content_key(self.name, request))
        if (stored := tracker.stored_reply(key)) is not None:
            tracker.end(Call(self.purpose, self.name, 0.0, stored.reply.usage, 0.0, is_cached=True))
            tracker.add_text(CallText(self.purpose, self.name, prompt, stored.text))
            yield from stored.chunks
            return stored.reply
        now = tracker.seconds
        left = max(tracker.budget.seconds - now, 0.0)
        ends = left + self.overrun
        request = replace(request, begins=ends if self.is_final else left, ends=ends)
        with self._count_call(tracker, prompt) as progress:
            with RecordedStream(self.send(request)) as chunks:
                for chunk in chunks:
                    # A reply that is already complete is kept.
                    if end_reason := tracker.cut_reason(now + ends, is_strict=not self.overrun):
                        raise tracker.error(self.name, end_reason, "was cut off")
                    yield from progress.feed(chunk)
            reply = progress.end(chunks.result)
            yield from progress.finish()
        whole, n_removed = SourceFilter(), progress.visible.n_removed
        reply = replace(reply, text=whole.feed(reply.text) + whole.finish())
        # The whole text repeats what was streamed, if anything was: its blocks are counted only once.
        tracker.add_forged(max(whole.n_removed - n_removed, 0))
        if not (whole.n_removed or n_removed):
            tracker.add_reply(key, StoredReply(tuple(progress.passed_on), reply))
        return reply

    @contextmanager
    def _count_call(self, tracker: BudgetTracker, prompt: str) -> "Iterator[_ReplyInProgress]":
        """Count a call with this `prompt`, even if it fails or is stopped. Raises `BudgetExhausted` if the budget has
        no room for it.
        """
        share = None if self.is_final else self.share
        progress = _ReplyInProgress(prompt, tracker.begin(self.name, share, about_tokens(prompt)))
        failure: str | None = None
        try:
            yield progress
        except PathfinderError as error:
            failure = one_line(str(error))
            raise
        finally:
            if failure is None and progress.reply is None:
                failure = STOPPED_EARLY
            tracker.add_forged(progress.visible.n_removed)
            seconds = tracker.clock() - progress.under_way.start
            call = Call(self.purpose, self.name, seconds, progress.usage, failure=failure or None)
            tracker.end(call, progress.under_way)
            tracker.add_text(CallText(self.purpose, self.name, prompt, progress.text, failure or None))


def no_tools(name: str) -> ProviderError:
    """Make the error for the model `name`, which does not support tools."""
    return ProviderError(f"{name} does not support tools: choose another chat model, or another answer mode")


def _send_to_plugin(model: ChatModel, request: ChatRequest) -> Generator[str, None, ChatReply]:
    """Send a request to a plug-in's model, which has `stream`, and `converse` if it supports tools."""
    options = {"temperature": request.temperature, "max_tokens": request.max_tokens}
    if not request.tools and [turn.role for turn in request.turns] == ["system", "human"]:
        system, human = request.turns
        with RecordedStream(model.stream(system.text, human.text, **options)) as chunks:  # type: ignore[arg-type]
            yield from chunks
        return ChatReply("".join(chunks.items), usage=chunks.result)
    converse = getattr(model, "converse", None)
    if converse is None:
        raise no_tools(model.name)
    reply: ChatReply = yield from converse(request.turns, request.tools, **options)
    return reply


class _ReplyInProgress:
    """A reply as it arrives; source markup in it is not passed on."""

    def __init__(self, prompt: str, under_way: OpenCall) -> None:
        """`under_way` is the call with this `prompt`, as counted by the tracker."""
        self.under_way, self.visible, self._characters = under_way, SourceFilter(), WholeCharacters()
        self.passed_on: list[str] = []
        self.reply: ChatReply | None = None
        """The whole reply, once it has ended."""
        self._prompt, self._text = prompt, ""

    @property
    def text(self) -> str:
        """Words and tool calls in the reply so far."""
        return self._text + ("" if self.reply is None else _tool_calls_as_text(self.reply))

    @property
    def usage(self) -> Usage | None:
        """Usage of the call so far, estimated until it has ended; `None` if nothing has arrived."""
        if self.reply is not None:
            return self.reply.usage
        return estimate_usage(self._prompt, self._text) if self._text else None

    def feed(self, chunk: str) -> Iterator[str]:
        """Yield the words, if any, that may be passed on after `chunk` has arrived."""
        chunk = self._characters.feed(chunk)
        self._text += chunk
        self.under_way.n_characters += len(chunk)
        yield from self._pass_on(self.visible.feed(chunk))

    def end(self, reply: ChatReply) -> ChatReply:
        """Return the whole reply with its usage."""
        usage = reply.usage or estimate_usage(self._prompt, self._text + _tool_calls_as_text(reply))
        self.reply = replace(of_whole_characters(reply), usage=usage)
        return self.reply

    def finish(self) -> Iterator[str]:
        """Yield the last words, if any, of a reply that has ended."""
        yield from self._pass_on(self.visible.finish())

    def _pass_on(self, words: str) -> Iterator[str]:
        if words:
            self.passed_on.append(words)
            yield words


def _tool_calls_as_text(turn: ChatReply | Turn) -> str:
    return "".join(f"{call.name}{dict(call.arguments)}" for call in turn.calls)


@contextmanager
def cache_replies_within_budget(chat: Chat | None) -> Iterator[None]:
    """Cache the complete replies of an operation that runs out of budget, so that the same operation with a larger
    budget pays only for the rest.
    """
    try:
        yield
    except BudgetExhausted:
        finalise_calls(chat)
        raise


def finalise_calls(chat: Chat | None) -> tuple[Call, ...]:
    """End an operation: cache its replies, except rejected ones, and return its calls (none without a chat model)."""
    if chat is None:
        return ()
    chat.tracker.store_replies()
    return chat.calls


# The terms of the corpus's field, which fill the blanks that prompts leave for them.

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


# Whole replies, as text or as the requested JSON value.

ReplyKind = TypeVar("ReplyKind")

REFUSALS = (ProviderError, MissingDependency)
"""Errors caught by stages that can work without a chat model."""


_FENCED_BLOCK = re.compile(r"```(?:json)?[^\S\n]*\n(.*)```", re.DOTALL | re.IGNORECASE)
_IN_BRIEF: dict[type[PathfinderError], str] = {
    MissingKey: "no key for {}",
    RejectedKey: "key refused by {}",
    Unreachable: "no answer from {}",
    BrokenStream: "incomplete reply from {}",
    BudgetSpent: "budget spent before calling {}",
    TimeSpent: "out of time waiting for {}",
    MissingDependency: "package missing for {}",
}


def complete(
    chat: ChatModel,
    system: str,
    prompt: str,
    *,
    temperature: float | None = None,
    max_tokens: int | None = None,
    form: type | None = None,
) -> str:
    """Return the whole reply without surrounding white space. Raises the same errors as `ChatModel.stream`.

    `form` is the frozen type into which `parse_json` will parse the reply: a server that supports this is asked to make
    the model keep to that type.
    """
    reply_form = None if form is None else form_of(form)
    chunks = Chat.of(chat).stream(system, prompt, temperature=temperature, max_tokens=max_tokens, form=reply_form)
    return "".join(chunks).strip()


def form_of(kind: type) -> ReplyForm:
    """Describe the JSON of the frozen type `kind`.

    Limits on the length of texts are left out, because servers turn them into enormous rules; only the fields of the
    type are allowed.
    """
    schema = TypeAdapter(kind).json_schema()
    return ReplyForm(kind.__name__.strip("_").lower(), _without_lengths(schema))


def _without_lengths(schema: Any) -> Any:
    """Remove limits on the length of texts from a JSON schema, and forbid fields that it does not name."""
    if isinstance(schema, list):
        return [_without_lengths(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    rules = {key: _without_lengths(part) for key, part in schema.items() if key not in ("minLength", "maxLength")}
    return rules | ({"additionalProperties": False} if "properties" in rules else {})


def empty_reply(name: str) -> ProviderError:
    """Make the error for an empty reply from the model `name`."""
    return ProviderError(f"{name} returned an empty reply: ask again, or choose another model")


def parse_json(reply: str, kind: type[ReplyKind], chat: ChatModel) -> ReplyKind:
    """Parse the JSON in a reply from `chat` as a value of the frozen type `kind`, strictly: text is never converted to
    a number.

    A Markdown fence around the whole reply is removed; nothing else is repaired. Raises a `ProviderError` that says
    what is wrong and where.
    """
    try:
        return _validate(reply, kind)
    except ValueError as error:
        raise unreadable(reply, str(error), chat) from None


def json_or_none(reply: str, kind: type[ReplyKind]) -> ReplyKind | None:
    """Parse the JSON in a reply as `parse_json` does; `None` if the reply is not such JSON. If the server does not make
    a model keep to a required format, the model may reply in plain text, as requested in the prompt.
    """
    try:
        return _validate(reply, kind)
    except ValueError:
        return None


def _validate(reply: str, kind: type[ReplyKind]) -> ReplyKind:
    fenced_block = _FENCED_BLOCK.fullmatch(reply.strip())
    return parse_as(TypeAdapter(kind), fenced_block[1] if fenced_block else reply, strict=True)


def unreadable(reply: str, wrong: str, chat: ChatModel) -> ProviderError:
    """Make the error for a reply from `chat` that is not in the requested form, and keep the reply out of the cache."""
    Chat.of(chat).reject(reply)
    return ProviderError(
        f"{chat.name} did not reply in the requested form ({wrong}): ask again, or choose another model; "
        f"it said {one_line(reply)!r}"
    )


def in_brief(error: PathfinderError, name: str) -> str:
    """Say in a few words, for a badge, why the model `name` could not be used: "HTTP 429 from openai:gpt-4o-mini"."""
    if isinstance(error, ProviderError) and error.status is not None:
        return f"HTTP {error.status} from {name}"
    return next(
        (words for kind, words in _IN_BRIEF.items() if isinstance(error, kind)), "no usable reply from {}"
    ).format(name)
