"""The chat model used for one question: every call is counted, priced, limited by a single budget, and cached."""

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import replace
from typing import Self, TypeVar

from pathfinder.errors import BudgetExhausted, PathfinderError
from pathfinder.llm.budget_tracker import BudgetTracker
from pathfinder.llm.call_log import OpenCall
from pathfinder.llm.forged_sources import SourceFilter
from pathfinder.llm.half_characters import WholeCharacters, of_whole_characters
from pathfinder.llm.replies import no_tools
from pathfinder.llm.reply_cache import StoredReply, content_key
from pathfinder.llm.streams import RecordedStream
from pathfinder.llm.usage import about_tokens, estimate_usage
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
from pathfinder.types import Call, CallText, Usage
from pathfinder.types.one_line import one_line

STOPPED_EARLY = "stopped before it finished"

ReplyResult = TypeVar("ReplyResult", ChatReply, Usage | None)


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

    def end(self, result: ChatReply | Usage | None) -> ChatReply:
        """Return the whole reply with its usage; `result` is what the model returned."""
        reply = result if isinstance(result, ChatReply) else ChatReply("", usage=result)
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


class MeteredChat:
    """A chat model whose calls are counted and limited by a `BudgetTracker`. Threads may share it.

    Within one operation, repeated requests are all sent, because the caller wants several replies; a repeated operation
    gets the same replies from the cache. No reply keeps source markup, because a model that writes a `<source>` has
    made it up. The tracker counts the blocks removed, and such a reply is not cached.
    """

    def __init__(self, chat: ChatModel, purpose: str, tracker: BudgetTracker | None = None) -> None:
        """`purpose` says in a word or two what the calls are for; it appears in the table of costs."""
        self._chat, self._purpose = chat, purpose
        self.tracker = tracker or BudgetTracker()
        self._share, self._overrun, self._is_final = 1.0, 0.0, False
        self._form: ReplyForm | None = None

    @property
    def name(self) -> str:
        return self._chat.name

    @property
    def context_tokens(self) -> int | None:
        """The other model's maximum number of tokens in prompt and reply together; `None` if it is not known."""
        return self._chat.context_tokens if isinstance(self._chat, ContextChat) else None

    @property
    def calls(self) -> tuple[Call, ...]:
        """Calls of this operation that have ended, for any purpose, including failed and stopped ones."""
        return self.tracker.calls

    def for_purpose(self, purpose: str) -> Self:
        """Return the same model under the same budget, for another purpose."""
        return self._with(_purpose=purpose)

    def within(self, share: float) -> Self:
        """Return the same model, limited to `share` of the budget."""
        return self._with(_share=share)

    def with_overrun(self, seconds: float) -> Self:
        """Return the same model, but let replies that have begun continue for up to `seconds` after the budget is
        spent.
        """
        return self._with(_overrun=seconds)

    def for_last_words(self, seconds: float) -> Self:
        """Return the same model for one final reply, which may begin and end within `seconds` after the budget is
        spent.
        """
        return self._with(_overrun=seconds, _is_final=True)

    def with_form(self, form: ReplyForm) -> Self:
        """Return the same model, with replies requested in `form` if the server supports it."""
        return self._with(_form=form)

    def reject(self, text: str) -> None:
        """Keep a useless reply out of the cache, so that the model is called again next time."""
        self.tracker.reject(text)

    def reject_all(self) -> None:
        """Keep all replies from this operation out of the cache, so that the model is called again next time."""
        self.tracker.reject_all()

    def stream(
        self, system: str, prompt: str, *, temperature: float | None = None, max_tokens: int | None = None
    ) -> Generator[str, None, Usage | None]:
        """Yield the reply in chunks; return its usage, estimated if the provider does not report it.

        Raises the model's errors, and `BudgetExhausted` if the budget has no room for the prompt or is spent before the
        reply is complete.
        """
        return self._call(
            lambda chat: chat.stream(system, prompt, temperature=temperature, max_tokens=max_tokens),
            _usage,
            system + prompt,
            content_key(self.name, "stream", system, prompt, temperature, max_tokens, self._form),
        )

    def converse(
        self,
        turns: Sequence[Turn],
        tools: Sequence[Tool],
        *,
        temperature: float | None = None,
        max_tokens: int | None = None,
    ) -> Generator[str, None, ChatReply]:
        """Yield the next turn as `stream` does, but with tools. Raises a `ProviderError` for a model that does not
        support them.
        """

        def begin(chat: ChatModel) -> Generator[str, None, ChatReply]:
            if not isinstance(chat, ToolChat):
                raise no_tools(self.name)
            return chat.converse(turns, tools, temperature=temperature, max_tokens=max_tokens)

        return self._call(
            begin,
            _whole,
            "".join(turn.text + _tool_calls_as_text(turn) for turn in turns) + repr(tools),
            content_key(self.name, "converse", list(turns), list(tools), temperature, max_tokens),
        )

    def _call(
        self,
        begin: Callable[[ChatModel], Generator[str, None, ChatReply | Usage | None]],
        result: Callable[[ChatReply], ReplyResult],
        prompt: str,
        content: str,
    ) -> Generator[str, None, ReplyResult]:
        tracker = self.tracker
        key = tracker.key(content)
        if (cached_reply := tracker.stored_reply(key)) is not None:
            tracker.end(Call(self._purpose, self.name, 0.0, cached_reply.reply.usage, 0.0, is_cached=True))
            tracker.add_text(CallText(self._purpose, self.name, prompt, cached_reply.text))
            yield from cached_reply.chunks
            return result(cached_reply.reply)
        deadline = tracker.deadline(self._overrun)
        with self._count_call(prompt) as progress:
            with RecordedStream(begin(self._in_time())) as chunks:
                for chunk in chunks:
                    self._check_midway(deadline)
                    yield from progress.feed(chunk)
            reply = progress.end(chunks.result)
            yield from progress.finish()
        return result(self._record(key, reply, progress))

    @contextmanager
    def _count_call(self, prompt: str) -> Iterator[_ReplyInProgress]:
        """Count a call with this `prompt`, even if it fails or is stopped. Raises `BudgetExhausted` if the budget has
        no room for it.
        """
        tracker, share = self.tracker, None if self._is_final else self._share
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
            call = Call(self._purpose, self.name, seconds, progress.usage, failure=failure or None)
            tracker.end(call, progress.under_way)
            tracker.add_text(CallText(self._purpose, self.name, prompt, progress.text, failure or None))

    def _record(self, key: str, reply: ChatReply, progress: _ReplyInProgress) -> ChatReply:
        """Return a whole reply with any source markup removed, and cache it if it contained none."""
        whole, n_removed = SourceFilter(), progress.visible.n_removed
        reply = replace(reply, text=whole.feed(reply.text) + whole.finish())
        # The text of a turn repeats what was streamed, if anything was: its blocks are counted only once.
        self.tracker.add_forged(max(whole.n_removed - n_removed, 0))
        if not (whole.n_removed or n_removed):
            self.tracker.add_reply(key, StoredReply(tuple(progress.passed_on), reply))
        return reply

    def _in_time(self) -> ChatModel:
        """Return the model, made to keep to the requested format and limited to the remaining time, as far as it
        supports this.
        """
        chat = self._chat
        if self._form is not None and isinstance(chat, FormedChat):
            chat = chat.with_form(self._form)
        if not isinstance(chat, DeadlineChat):
            return chat
        seconds_left = self.tracker.seconds_left
        return chat.with_deadline(
            *((seconds_left + self._overrun, 0.0) if self._is_final else (seconds_left, self._overrun))
        )

    def _check_midway(self, deadline: float) -> None:
        """Raise `BudgetExhausted` if the reply must end now. A reply that is already complete is kept."""
        end_reason = self.tracker.cut_reason(deadline, is_strict=not self._overrun)
        if end_reason is not None:
            raise self.tracker.error(self.name, end_reason, "was cut off")

    def _with(self, **changes: object) -> Self:
        other = copy(self)
        for name, value in changes.items():
            setattr(other, name, value)
        return other


@contextmanager
def cache_replies_within_budget(chat: MeteredChat | None) -> Iterator[None]:
    """Cache the complete replies of an operation that runs out of budget, so that the same operation with a larger
    budget pays only for the rest.
    """
    try:
        yield
    except BudgetExhausted:
        finalise_calls(chat)
        raise


def finalise_calls(chat: MeteredChat | None) -> tuple[Call, ...]:
    """End an operation: cache its replies, except rejected ones, and return its calls (none without a chat model)."""
    if chat is None:
        return ()
    chat.tracker.store_replies()
    return chat.calls


def _usage(reply: ChatReply) -> Usage | None:
    return reply.usage


def _whole(reply: ChatReply) -> ChatReply:
    return reply


def _tool_calls_as_text(turn: ChatReply | Turn) -> str:
    """Write the tool calls as text, to estimate how many tokens they take."""
    return "".join(f"{call.name}{dict(call.arguments)}" for call in turn.calls)
