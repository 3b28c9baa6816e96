"""A chat model's judgements of search results: replies are parsed strictly, cached by content, counted, and never
guessed.

The three judgements are Lumina's context relevancy and context precision, and the grades 0, 1, 2 of ArXiv Scholar's
evaluation. The prompts are our own.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple, TypeVar

from pathfinder.corpus.journal import Journal, journal_key
from pathfinder.errors import MissingKey, ProviderError, RejectedKey
from pathfinder.llm.prompts import render
from pathfinder.llm.replies import complete, unreadable
from pathfinder.llm.usage import about_tokens
from pathfinder.models.ports import ChatModel
from pathfinder.text.sentences import split_sentences

JOURNAL_NAME = "judgements.journal"

TEMPERATURE = 0.0

MAX_SENTENCES = 200
"""Number of sentences, from the start of a text, that are judged one by one: more than any abstract has."""

MAX_CHARACTERS = 50_000
"""Number of characters, from the start of a context, that are read; Lumina's limit."""

MAX_FAILURES_IN_A_ROW = 5
"""Number of consecutive failures after which the judge is not called again; its judgements stay in the cache, and a
later run continues.
"""

_TAGS = {"<highly_relevant>": True, "<not_relevant>": False}
_MARK = re.compile(r"(\d+)\. <(critical|not_critical)>")
_GRADE = re.compile(r"<grade>([012])</grade>")
_ONE_MARK = re.compile(r"<mark>(10|[0-9])</mark>")
_QUALITY = re.compile(
    r"<coverage>([1-5])</coverage>\s*<relevance>([1-5])</relevance>\s*<organisation>([1-5])</organisation>"
)

Verdict = TypeVar("Verdict")


@dataclass(frozen=True, slots=True)
class Context:
    """One search result, as a judge reads it."""

    title: str
    text: str
    """Abstract, or the retrieved chunks in order; empty if there was no text."""
    doi: str | None = None

    @property
    def read(self) -> str:
        """Return the part of the text that a judge reads."""
        return self.text[:MAX_CHARACTERS].strip()

    @property
    def sentences(self) -> tuple[str, ...]:
        """Sentences judged one by one, at most `MAX_SENTENCES`."""
        return split_sentences(self.read)[:MAX_SENTENCES]


MAX_MARK = 10
"""Highest mark that an answer can get for one criterion."""


class Quality(NamedTuple):
    """Quality of an answer, each from 1 to 5: the measures of ScholarQABench (arXiv:2411.14199)."""

    coverage: int
    relevance: int
    organisation: int


@dataclass(frozen=True, slots=True)
class Cost:
    """Cost of judging."""

    n_calls: int = 0
    """Number of calls to the model, including failures."""
    n_cached: int = 0
    """Number of judgements taken from earlier calls."""
    n_by_rule: int = 0
    """Number of contexts without text, which count as irrelevant without a call."""
    n_failures: int = 0
    """Number of calls without a judgement, which are left out of every mean."""
    tokens_in: int = 0
    """Estimated number of input tokens: a quarter of the characters of the calls, including the prompts."""
    tokens_out: int = 0
    """Estimated number of output tokens, a quarter of the characters."""


class Judge:
    """Judges contexts. Each method returns `None` if the model failed: the judgement is then missing, not zero.

    Raises `MissingKey`, `RejectedKey` and `MissingDependency`, which another call would not fix, and a `ProviderError`
    after `MAX_FAILURES_IN_A_ROW`.
    """

    def __init__(self, chat: ChatModel, journal: Journal) -> None:
        """Use `chat` as the judge; `journal` maps model, prompt, question and text to replies that could be parsed."""
        self.name = chat.name
        self.cost = Cost()
        self.failures: list[str] = []
        """Reasons why calls failed, one line each."""
        self._chat, self._journal = chat, journal
        self._n_failed_in_a_row = 0

    def is_relevant(self, question: str, context: Context) -> bool | None:
        """Return whether the text is essential to answering the question."""
        if self._is_without_text(context):
            return False
        return self._judgement("judge_relevance", _prompt(question, context, context.read), _tag)

    def critical_sentences(self, question: str, context: Context) -> tuple[bool, ...] | None:
        """Return, for each sentence of the context, whether it is critical to answering the question."""
        sentences = context.sentences
        if self._is_without_text(context):
            return ()
        numbered = "\n".join(f"{number}. {' '.join(text.split())}" for number, text in enumerate(sentences, start=1))
        return self._judgement("judge_precision", _prompt(question, context, numbered), _marks_of(len(sentences)))

    def grade(self, question: str, context: Context) -> int | None:
        """Return 0 (not useful), 1 (useful) or 2 (answers the question)."""
        if self._is_without_text(context):
            return 0
        return self._judgement("judge_grade", _prompt(question, context, context.read), _grade)

    def quality(self, question: str, answer: str) -> Quality | None:
        """Return the quality of an answer."""
        return self._judgement("judge_answer", _answer_prompt(question, answer), _quality)

    def mark(self, question: str, answer: str, criterion: str) -> int | None:
        """Return how well an answer meets `criterion`, from 0 to `MAX_MARK`."""
        prompt = f"{_answer_prompt(question, answer)}\n\n<criterion>\n{_quoted(criterion)}\n</criterion>"
        return self._judgement("judge_criterion", prompt, _mark)

    def _is_without_text(self, context: Context) -> bool:
        if context.sentences:
            return False
        self.cost = replace(self.cost, n_by_rule=self.cost.n_by_rule + 1)
        return True

    def _judgement(self, prompt_name: str, prompt: str, parse: Callable[[str], Verdict]) -> Verdict | None:
        system = render(prompt_name)
        key = journal_key(self.name, f"temperature {TEMPERATURE}", system, prompt)
        if key in self._journal:
            self.cost = replace(self.cost, n_cached=self.cost.n_cached + 1)
            return parse(self._journal[key].decode())
        try:
            reply = self._ask(system, prompt)
            verdict = _read(reply, parse, self._chat)
        except (MissingKey, RejectedKey):
            raise
        except ProviderError as error:
            self._fail(error)
            return None
        self._n_failed_in_a_row = 0
        self._journal.append([(key, reply.encode("utf-8", "replace"))])
        return verdict

    def _ask(self, system: str, prompt: str) -> str:
        cost = self.cost
        self.cost = replace(cost, n_calls=cost.n_calls + 1, tokens_in=cost.tokens_in + about_tokens(system + prompt))
        reply = complete(self._chat, system, prompt, temperature=TEMPERATURE)
        self.cost = replace(self.cost, tokens_out=self.cost.tokens_out + about_tokens(reply))
        return reply

    def _fail(self, error: ProviderError) -> None:
        self.cost = replace(self.cost, n_failures=self.cost.n_failures + 1)
        self.failures.append(str(error))
        self._n_failed_in_a_row += 1
        if self._n_failed_in_a_row == MAX_FAILURES_IN_A_ROW:
            raise ProviderError(
                f"the judge failed {MAX_FAILURES_IN_A_ROW} times in a row and is not called again; with a cache, the "
                f"next run reuses its earlier judgements: {error}"
            )


@contextmanager
def open_judge(chat: ChatModel, cache: Path | None) -> Iterator[Judge]:
    """Open a judge that keeps its judgements in the folder `cache` for later runs; if `None`, only while it is open."""
    with TemporaryDirectory(prefix="pathfinder-") as folder:
        place = cache or Path(folder)
        place.mkdir(parents=True, exist_ok=True)
        with Journal(place / JOURNAL_NAME) as journal:
            yield Judge(chat, journal)


def _prompt(question: str, context: Context, text: str) -> str:
    return render(
        "judge_context",
        question=" ".join(question.split()),
        title=_quoted(context.title),
        doi=_quoted(context.doi or "unknown"),
        text=_quoted(text),
    )


def _answer_prompt(question: str, answer: str) -> str:
    return f"Question: {' '.join(question.split())}\n\n<answer>\n{_quoted(answer[:MAX_CHARACTERS])}\n</answer>"


def _quoted(text: str) -> str:
    """Escape angle brackets, which could close the context or be mistaken for a tag."""
    return text.replace("<", "&lt;").replace(">", "&gt;")


def _read(reply: str, parse: Callable[[str], Verdict], chat: ChatModel) -> Verdict:
    try:
        return parse(reply)
    except ValueError as error:
        raise unreadable(reply, str(error), chat) from None


def _tag(reply: str) -> bool:
    if reply not in _TAGS:
        raise ValueError("one of two tags and nothing else")
    return _TAGS[reply]


def _grade(reply: str) -> int:
    match = _GRADE.fullmatch(reply)
    if match is None:
        raise ValueError("a grade 0, 1 or 2 between its tags and nothing else")
    return int(match[1])


def _mark(reply: str) -> int:
    match = _ONE_MARK.fullmatch(reply)
    if match is None:
        raise ValueError("a mark from 0 to 10 between its tags and nothing else")
    return int(match[1])


def _quality(reply: str) -> Quality:
    match = _QUALITY.fullmatch(reply)
    if match is None:
        raise ValueError("three grades from 1 to 5, each between its tags, and nothing else")
    return Quality(*map(int, match.groups()))


def _marks_of(n_sentences: int) -> Callable[[str], tuple[bool, ...]]:
    """Return a parser for the marks of `n_sentences` sentences."""

    def parse(reply: str) -> tuple[bool, ...]:
        matches = [_MARK.fullmatch(line.strip()) for line in reply.splitlines() if line.strip()]
        numbers = [int(match[1]) for match in matches if match is not None]
        if numbers != list(range(1, n_sentences + 1)) or len(matches) != n_sentences:
            raise ValueError(f"a marked line for each of {n_sentences} sentences, in order, and nothing else")
        return tuple(match[2] == "critical" for match in matches if match is not None)

    return parse
