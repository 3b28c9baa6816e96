"""Every sentence of a text, checked against the sources that it cites."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from pydantic import Field

from pathfinder.errors import ModelError
from pathfinder.models.ports import Embedder
from pathfinder.operations.operation import Operation, Options, Shell, declare, result_of
from pathfinder.settings import LOCAL_EMBEDDER, Settings
from pathfinder.types import CheckedSentence, Evidence, Ledger, StatedValue

if TYPE_CHECKING:
    from pathfinder.facade import Pathfinder


class Source(Options):
    """A source that a text cites."""

    id: str = Field(description="The id used in citation marks, such as 1 for [1].")
    title: str = ""
    text: str


class CheckOptions(Options):
    """A text with citation marks, and its sources."""

    text: str = Field(description="The text, with citation marks such as [1].")
    sources: list[Source] = Field(description="The sources that the text cites.")


class CheckedText(NamedTuple):
    """A text with the verdicts on its sentences, and the values that it claims, with their positions in it."""

    ledger: Ledger
    values: Sequence[StatedValue]
    notes: Sequence[str] = ()
    """What was not compared although meanings were asked for."""


def _run(pf: "Pathfinder", _: None, options: CheckOptions) -> CheckedText:
    from pathfinder.answering.assessment.evidence.ledger import (
        MOST_EMBEDDED,
        check_effort,
        check_text,
        read_check_input,
    )
    from pathfinder.answering.assessment.values.stated_values import claimed_values

    text, sources = read_check_input(options.model_dump_json(), "the body")
    check_effort(text, sources)
    if pf.moderator is not None:
        pf.moderator.check(text)
    ledger = check_text(text, sources, pf.sentence_embedder, MOST_EMBEDDED)
    return CheckedText(ledger, claimed_values(text), () if pf.sentence_embedder is None else ledger.notes)


def _result() -> Any:
    evidence = result_of(Evidence, "passage", id="source_id")
    sentence = result_of(CheckedSentence, "reasons judged_by second_verdict needed", evidence=[evidence])
    value = result_of(StatedValue, "paper_id is_later passage")
    return result_of(CheckedText, flat="ledger", if_any="notes", sentences=[sentence], values=[value])


def _lines(checked: CheckedText) -> Iterator[str]:
    from pathfinder.answering.assessment.values.candidate import value_as_text

    for sentence in checked.ledger.sentences:
        marks = f" [{', '.join(sentence.citations)}]" if sentence.citations else ""
        yield f"{sentence.verdict.value}: {sentence.text}{marks}"
        yield from (f"    {reason}" for reason in sentence.reasons)
        for evidence in sentence.evidence[:1]:
            yield f"    [{evidence.source_id}] {evidence.sentence}"
    for value in checked.values:
        yield f"claims {value_as_text(value)} ({value.quantity})"
    sums = (("precision", checked.ledger.precision), ("recall", checked.ledger.recall), ("F1", checked.ledger.f1))
    yield "citation " + ", ".join(f"{name} {'-' if value is None else f'{value:.2f}'}" for name, value in sums)


OPERATION = Operation(
    name="check",
    address="check",
    help="Check every sentence of a text against the sources that it cites.",
    is_command=False,  # `check_file` is
    options=CheckOptions,
    settings=(),
    run=_run,
    result=_result,
    lines=_lines,
    notes=lambda checked: checked.ledger.notes,
    tool="check_text",
)


_FILE = 'JSON: {"text": "... [1].", "sources": [{"id", "title", "text"}]}'
_MEANINGS = "Also compare meanings, with the local embedder; this is slower."


@declare(
    "check_file",
    command="check",
    settings=(),
    opens="nothing",
    result=_result,
    lines=_lines,
)
def check_file(
    _: None,
    file: Annotated[Path, Shell("FILE", _FILE)],
    meanings: Annotated[bool, Field(description=_MEANINGS)] = False,
) -> CheckedText:
    """Check every sentence in a text against the sources that it cites; uses no corpus, chat model or network."""
    from pathfinder.answering.assessment.evidence.ledger import check_text, read_check_input
    from pathfinder.answering.assessment.values.stated_values import claimed_values

    text, sources = read_check_input(file.read_bytes(), str(file))
    embedder, missing = _local_embedder() if meanings else (None, ())
    ledger = check_text(text, sources, embedder)
    # Without --meanings, the note that only words were compared is redundant.
    return CheckedText(ledger, claimed_values(text), (*missing, *ledger.notes) if meanings else ())


def _local_embedder() -> tuple[Embedder | None, Sequence[str]]:
    """Return the embedder that ships with Pathfinder; `None`, with a note, if it is not installed."""
    from pathfinder.models.loading import load_embedder

    try:
        return load_embedder(LOCAL_EMBEDDER, Settings()), ()
    except ModelError as error:
        return None, (str(error),)
