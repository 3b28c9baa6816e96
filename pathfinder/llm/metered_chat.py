"""The chat model used for one question: every call is counted, priced, limited by a single budget, and cached."""

import re
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import replace
from typing import Any, Self, TypeVar

from pathfinder.errors import BudgetExhausted, PathfinderError
from pathfinder.llm.replies import no_tools
from pathfinder.llm.stopping import RecordedStream
from pathfinder.llm.usage import BudgetTracker, OpenCall, StoredReply, about_tokens, content_key, estimate_usage
from pathfinder.models.ports import (
    ChatModel,
    ChatReply,
    ContextChat,
    DeadlineChat,
    FormedChat,
    ReplyForm,
    Tool,
    ToolCall,
    ToolChat,
    Turn,
)
from pathfinder.types import Call, CallText, Usage
from pathfinder.types.texts import one_line

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


def _tool_calls_as_text(turn: ChatReply | Turn) -> str:
    """Write the tool calls as text, to estimate how many tokens they take."""
    return "".join(f"{call.name}{dict(call.arguments)}" for call in turn.calls)


# Removes from a model's reply any sources that the model wrote itself, such as `<source key="...">...</source>`.
#
# Only Pathfinder puts sources, findings and earlier answers into a prompt. A block of that kind in a reply is made up
# or copied: either way it is not an answer, and its text must not reach a reader or a later prompt.

TAG_NAMES = ("sources?", "findings?", "earlier")
"""Patterns for the names of the blocks that hold material in Pathfinder's prompts."""

_NAMES = "|".join(TAG_NAMES)
_ATTRIBUTE = r"""\s{1,3}[\w:-]{1,40}\s?=\s?(?:"[^"]{0,2000}"|'[^']{0,2000}')"""
_TAG = re.compile(
    rf"(?:<|&lt;)\s{{0,3}}(?P<close>/?)\s{{0,3}}(?:{_NAMES})(?:(?:{_ATTRIBUTE}){{1,20}}\s{{0,3}}|\s[^<>]{{0,200}}?)?"
    rf"(?P<alone>/?)\s{{0,3}}(?:>|&gt;)",
    re.IGNORECASE,
)
_OPEN_ATTRIBUTE = r"""\s{1,3}[\w:-]{0,40}\s?(?:=\s?(?:"[^"]{0,2000}|'[^']{0,2000})?)?"""
_UNFINISHED_TAG = re.compile(
    r"(?:<|&(?:l(?:t;?)?)?)(?:(?<=[<;])\s{0,3}/?\s{0,3}(?:"
    rf"(?:{_NAMES})(?:(?:{_ATTRIBUTE}){{0,20}}(?:{_OPEN_ATTRIBUTE})?\s{{0,3}}|\s[^<>]{{0,200}})"
    r"|[a-z]{0,8}))?/?\s{0,3}(?:&(?:gt?)?)?\Z",
    re.IGNORECASE,
)
"""End of a text that the next chunk may turn into a complete tag."""
_TAIL = 40
"""Number of characters, at the end of the text already passed on, that are searched for the beginning of a tag."""
_BROKEN_OFF = re.compile(rf"(?:<|&lt;)\s{{0,3}}(?:{_NAMES})\s", re.IGNORECASE)
"""Beginning of an opening tag at the end of the reply."""


class SourceFilter:
    """Passes on a chunked reply without the blocks of source markup in it.

    A block that is not closed extends to the end of the reply. Of a stray closing tag or a self-closing tag, only the
    tag is dropped. Text is held back only while it may be the beginning of a tag.
    """

    def __init__(self) -> None:
        self._waiting, self._tail = "", ""
        self._depth = 0
        self.n_removed = 0
        """Number of blocks and stray tags removed so far."""

    def feed(self, chunk: str) -> str:
        """Return the text that may be passed on after `chunk` has arrived."""
        text = self._waiting + chunk
        tags = [tag.end() for tag in _TAG.finditer(text)]
        unfinished_tag = _UNFINISHED_TAG.search(text, tags[-1] if tags else 0)
        end = unfinished_tag.start() if unfinished_tag else len(text)
        self._waiting = text[end:]
        return self._read(text[:end])

    def finish(self) -> str:
        """Return the rest of the text once the reply has ended."""
        rest, self._waiting = self._waiting, ""
        if _BROKEN_OFF.match(rest):
            self.n_removed += self._depth == 0
            return ""
        return self._read(rest)

    def _read(self, text: str) -> str:
        parts, position = [], 0
        for tag in _TAG.finditer(text):
            parts.append(self._outside(text[position : tag.start()]))
            # Otherwise, the text on both sides of a block could join to form another tag.
            if _UNFINISHED_TAG.search((self._tail + "".join(parts))[-_TAIL:]):
                parts.append(" ")
            position = tag.end()
            self._turn(tag)
        outside = "".join([*parts, self._outside(text[position:])])
        self._tail = (self._tail + outside)[-_TAIL:]
        return outside

    def _outside(self, words: str) -> str:
        return "" if self._depth else words

    def _turn(self, tag: re.Match[str]) -> None:
        if tag["close"]:
            self.n_removed += self._depth == 0
            self._depth = max(self._depth - 1, 0)
            return
        self.n_removed += self._depth == 0
        self._depth += not tag["alone"]


# Halves of characters in replies: JSON writes a character such as an emoji as a pair of surrogates, and a server may
# end a chunk between the two. A half that stands alone cannot be encoded, and breaks tokenizers and pages.


class WholeCharacters:
    """Joins the halves of characters in the chunks of one reply, and drops halves that stand alone."""

    def __init__(self) -> None:
        self._half = ""

    def feed(self, chunk: str) -> str:
        """Return the characters that are whole once `chunk` has arrived; half a character at its end is held back."""
        text = self._half + chunk
        self._half = text[-1:] if "\ud800" <= text[-1:] <= "\udbff" else ""
        return _without_halves(text.removesuffix(self._half))


def of_whole_characters(reply: ChatReply) -> ChatReply:
    """Return the reply with halves of characters joined or dropped, including in the arguments of its tool calls."""
    calls = (
        ToolCall(_without_halves(call.call_id), _without_halves(call.name), _in_all(dict(call.arguments)))
        for call in reply.calls
    )
    return replace(reply, text=_without_halves(reply.text), calls=tuple(calls))


def _without_halves(text: str) -> str:
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "ignore")


def _in_all(value: Any) -> Any:
    if isinstance(value, str):
        return _without_halves(value)
    if isinstance(value, list):
        return [_in_all(part) for part in value]
    return {_without_halves(name): _in_all(part) for name, part in value.items()} if isinstance(value, dict) else value


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
