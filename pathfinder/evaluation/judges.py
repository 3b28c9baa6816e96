"""A chat model as judge of what was found: strict replies, kept by content, counted, and never guessed.

The three judgements are Lumina's context relevancy and context precision, and the grades 0, 1, 2 of ArXiv Scholar's
evaluation. The prompts are our own.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

from pathfinder.corpus.journal import Journal, journal_key
from pathfinder.corpus.sentences import split_sentences
from pathfinder.errors import MissingKey, ProviderError, RejectedKey
from pathfinder.models.account import about_tokens
from pathfinder.models.ports import ChatModel
from pathfinder.prompts import render
from pathfinder.retrieval.replies import complete, unreadable

JOURNAL_NAME = "judgements.journal"

TEMPERATURE = 0.0

MAX_SENTENCES = 200
"""Of a context that is judged sentence by sentence, the first ones: more than any abstract has."""

MAX_CHARACTERS = 50_000
"""Of a context's text, the first ones; Lumina's limit."""

MAX_FAILURES_IN_A_ROW = 5
"""After as many, the judge is not asked again: what it said is kept, so that a later run goes on."""

_TAGS = {"<highly_relevant>": True, "<not_relevant>": False}
_MARK = re.compile(r"(\d+)\. <(critical|not_critical)>")
_GRADE = re.compile(r"<grade>([012])</grade>")

Verdict = TypeVar("Verdict")


@dataclass(frozen=True, slots=True)
class Context:
    """One result of a search, as a judge reads it."""

    title: str
    text: str
    """An abstract, or the chunks that were found, one after the other; empty where there was none."""
    doi: str | None = None

    @property
    def read(self) -> str:
        """The text as far as a judge reads it."""
        return self.text[:MAX_CHARACTERS].strip()

    @property
    def sentences(self) -> tuple[str, ...]:
        """Those that are judged one by one, as many as `MAX_SENTENCES`."""
        return split_sentences(self.read)[:MAX_SENTENCES]


@dataclass(frozen=True, slots=True)
class Cost:
    """What judging took."""

    n_calls: int = 0
    """Questions put to the model, those that failed included."""
    n_kept: int = 0
    """Judgements that an earlier call had given."""
    n_by_rule: int = 0
    """Contexts without text, which are not relevant without a call."""
    n_failures: int = 0
    """Calls without a judgement: they count in no mean."""
    tokens_in: int = 0
    """About: characters by 4. Whole calls, prompts included."""
    tokens_out: int = 0
    """About."""


class Judge:
    """Judges contexts. Each method returns `None` where the model failed: that judgement is missing, and no zero.

    Raises `MissingKey`, `RejectedKey` and `MissingDependency`, which no second call would mend, and a `ProviderError`
    after `MAX_FAILURES_IN_A_ROW`.
    """

    def __init__(self, chat: ChatModel, kept: Journal) -> None:
        """`kept` holds replies by their content: model, prompt, question and text. Only those that can be read."""
        self.name = chat.name
        self.cost = Cost()
        self.failures: list[str] = []
        """What went wrong, one line a call that failed."""
        self._chat, self._kept = chat, kept
        self._n_failed_in_a_row = 0

    def is_relevant(self, question: str, context: Context) -> bool | None:
        """Whether the text is essential to answering the question."""
        if self._has_no_text(context):
            return False
        return self._judged("judge_relevance", _prompt(question, context, context.read), _tag)

    def critical_sentences(self, question: str, context: Context) -> tuple[bool, ...] | None:
        """For each of the context's sentences, whether it is critical to answering the question."""
        sentences = context.sentences
        if self._has_no_text(context):
            return ()
        numbered = "\n".join(f"{number}. {' '.join(text.split())}" for number, text in enumerate(sentences, start=1))
        return self._judged("judge_precision", _prompt(question, context, numbered), _marks_of(len(sentences)))

    def grade(self, question: str, context: Context) -> int | None:
        """0, 1 (of use) or 2 (answers the question)."""
        if self._has_no_text(context):
            return 0
        return self._judged("judge_grade", _prompt(question, context, context.read), _grade)

    def _has_no_text(self, context: Context) -> bool:
        if context.sentences:
            return False
        self.cost = replace(self.cost, n_by_rule=self.cost.n_by_rule + 1)
        return True

    def _judged(self, prompt_name: str, prompt: str, parse: Callable[[str], Verdict]) -> Verdict | None:
        system = render(prompt_name)
        key = journal_key(self.name, f"temperature {TEMPERATURE}", system, prompt)
        if key in self._kept:
            self.cost = replace(self.cost, n_kept=self.cost.n_kept + 1)
            return parse(self._kept[key].decode())
        try:
            reply = self._ask(system, prompt)
            verdict = _read(reply, parse, self.name)
        except (MissingKey, RejectedKey):
            raise
        except ProviderError as error:
            self._fail(error)
            return None
        self._n_failed_in_a_row = 0
        self._kept.append([(key, reply.encode("utf-8", "replace"))])
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
                f"the judge failed {MAX_FAILURES_IN_A_ROW} times in a row and is not asked again; a cache keeps what "
                f"it said before for the next run: {error}"
            )


@contextmanager
def judging(chat: ChatModel, cache: Path | None) -> Iterator[Judge]:
    """A judge whose judgements lie in the folder `cache`, for a later run; `None`: for as long as it is needed."""
    with TemporaryDirectory(prefix="pathfinder-") as folder:
        place = cache or Path(folder)
        place.mkdir(parents=True, exist_ok=True)
        with Journal(place / JOURNAL_NAME) as kept:
            yield Judge(chat, kept)


def _prompt(question: str, context: Context, text: str) -> str:
    return render(
        "judge_context",
        question=" ".join(question.split()),
        title=_quoted(context.title),
        doi=_quoted(context.doi or "unknown"),
        text=_quoted(text),
    )


def _quoted(text: str) -> str:
    """Without angle brackets, which could close the context, or pass for a tag."""
    return text.replace("<", "&lt;").replace(">", "&gt;")


def _read(reply: str, parse: Callable[[str], Verdict], name: str) -> Verdict:
    try:
        return parse(reply)
    except ValueError as error:
        raise unreadable(reply, str(error), name) from None


def _tag(reply: str) -> bool:
    if reply not in _TAGS:
        raise ValueError("one of two tags and nothing else")
    return _TAGS[reply]


def _grade(reply: str) -> int:
    match = _GRADE.fullmatch(reply)
    if match is None:
        raise ValueError("a grade 0, 1 or 2 between its tags and nothing else")
    return int(match[1])


def _marks_of(n_sentences: int) -> Callable[[str], tuple[bool, ...]]:
    """What reads the marks of `n_sentences` sentences."""

    def parse(reply: str) -> tuple[bool, ...]:
        matches = [_MARK.fullmatch(line.strip()) for line in reply.splitlines() if line.strip()]
        numbers = [int(match[1]) for match in matches if match is not None]
        if numbers != list(range(1, n_sentences + 1)) or len(matches) != n_sentences:
            raise ValueError(f"a marked line for each of {n_sentences} sentences, in order, and nothing else")
        return tuple(match[2] == "critical" for match in matches if match is not None)

    return parse
