"""An answer from papers, with citations that can be checked, and how it is written for programs and for people."""

import json
import operator
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

from pydantic import BeforeValidator, Field

from pathfinder.answering.modes.registry import mode_of
from pathfinder.answering.settings import AnswerSettings
from pathfinder.errors import MissingDependency, ModelError, ProviderError, UsageError
from pathfinder.llm.stopping import RecordedStream
from pathfinder.operations.export.plain_json import JsonObject
from pathfinder.operations.export.traces import to_json
from pathfinder.operations.fields import AUTO, settings_chosen
from pathfinder.operations.operation import LinkTo, Need, Operation, Options, QuotedPaper, Shell, result_of
from pathfinder.operations.search import FoundPapers, search_advice, search_record, title_and_year
from pathfinder.types import (
    Answer,
    AnswerEvent,
    Audience,
    Budget,
    Digest,
    Done,
    Finding,
    ModeName,
    Paper,
    Rewrite,
    SearchResult,
    Specialisation,
    StatedValue,
    Trace,
    Verdict,
    without_control_characters,
)

if TYPE_CHECKING:
    from pathfinder.facade import Pathfinder

_MARK = "*"
"""Sign before and after a word of a passage that matches the question."""
_AUDIENCES: Any = Literal[tuple(map(str, Audience))] | None


class _Numbered(NamedTuple):
    """A source, with the number used for it in citation marks."""

    n: int
    paper: Paper


def answer_record(result: SearchResult, answer: Answer, rewrite: Rewrite | None = None) -> JsonObject:
    """Write a result with its answer, and the answer's `rewrite` if there is one."""
    return OPERATION.write(Answered(result, answer, rewrite, ()))


def _result() -> Any:
    """Derive the model: `FoundPapers`, whose stages are followed by those of the answer, with the answer, whose trace
    has the format of a trace file, so that it can be read back.
    """
    source = result_of(
        _Numbered, paper=QuotedPaper, **{name: f"paper.{name}" for name in ("arxiv_id", "doi", "bibcode")}
    )
    numbered = BeforeValidator(lambda papers: [_Numbered(n, paper) for n, paper in enumerate(papers, start=1)])
    trace = result_of(Trace, format=str, version=int)
    saved = BeforeValidator(lambda trace: trace and json.loads(to_json(trace)))
    answer_model = result_of(
        Answer,
        "question stages stage_status is_written",
        sources=Annotated[list[source], numbered],  # type: ignore[valid-type]  # derived
        trace=Annotated[trace | None, saved],
    )

    class AnsweredPapers(FoundPapers):
        """What a search has found, and the answer."""

        answer: answer_model  # type: ignore[valid-type]  # derived
        rewrite: result_of(Rewrite) | None = Field(default=None, exclude_if=operator.not_)  # type: ignore[valid-type]
        """The answer for other readers, if that was asked for."""

    return Annotated[AnsweredPapers, BeforeValidator(_with_answer)]


def _with_answer(answered: "Answered") -> JsonObject:
    answer = answered.answer
    record = search_record(answered.found, answer.stages, answer.stage_status)
    return record | {"answer": answer, "rewrite": answered.rewrite}


def answer_lines(result: SearchResult, answer: Answer) -> Iterator[str]:
    """Format the answer, the cited papers (the hits if there is no answer), the evidence, a reply of the chat model
    that is not an answer, the stages and the calls.

    A digest begins with its notes, and each line ends with the first author and the year; a written answer is also
    followed by a digest if papers state values of the quantity in question.
    """
    is_quoted = answer.digest is not None and not answer.is_written
    if answer.digest and answer.digest.findings and is_quoted:
        yield from map(without_control_characters, _digest_lines(answer.digest, answer.sources))
    else:
        yield from map(without_control_characters, answer.text.split("\n"))
    if answer.ads_query and answer.ads_query.link:
        yield answer.ads_query.link
    if answer.digest and answer.is_written:
        yield ""
        yield from map(without_control_characters, _digest_lines(answer.digest, answer.sources))
    yield ""
    papers = answer.sources or tuple(hit.paper for hit in result.hits)
    for n, paper in enumerate(papers, start=1):
        yield f"[{n}] {title_and_year(paper)} {paper.paper_id}"
    if answer.ledger and not is_quoted:  # a quotation makes no claim to check
        yield ""
        sums = (("precision", answer.ledger.precision), ("recall", answer.ledger.recall), ("F1", answer.ledger.f1))
        figures = [*answer.ledger.counts.values()]
        figures += [f"citation {name} {value:.2f}" for name, value in sums if value is not None]
        yield f"evidence: {', '.join(figures)}"
        for sentence in answer.ledger.sentences:
            second = sentence.second_verdict
            if sentence.verdict is not Verdict.SUPPORTED or second not in (None, Verdict.SUPPORTED):
                reasons = (*([f"chat model: {second.value}"] if second else []), *sentence.reasons)
                why = f" ({'; '.join(reasons)})" if reasons else ""
                yield f"  {sentence.verdict.value}: {without_control_characters(sentence.text)}{why}"
    if answer.folded:
        yield ""
        yield f"what {answer.folded.model} wrote, not shown as the answer because {answer.folded.reason}:"
        yield from (f"  {without_control_characters(line)}" for line in answer.folded.text.split("\n"))
    yield ""
    yield "; ".join(f"{stage.label}: {stage.ran}" for stage in (*result.stages, *answer.stages))
    for call in answer.calls:
        usage = call.usage
        about = "about " if usage and usage.is_estimated else ""
        tokens = f", {about}{usage.tokens_in:,} tokens read and {usage.tokens_out:,} written" if usage else ""
        price = f", ${call.dollars:.4f}" if call.dollars is not None else ""
        ending = f", failed: {call.failure}" if call.failure else ", remembered" if call.is_cached else ""
        yield f"call for {call.purpose}: {call.model}, {call.seconds:.1f} s{tokens}{price}{ending}"


def _digest_lines(digest: Digest, sources: Sequence[Paper]) -> Iterator[str]:
    """Format the notes on a digest, the rule for its form, and its lines, at most `MAX_LINES`: values, or
    sentences. The number of lines left out comes last.
    """
    from pathfinder.answering.assessment.values.candidate import describe, value_as_text
    from pathfinder.answering.digest.digest import MAX_LINES, as_quotation, caution_of, names_before, with_insertions
    from pathfinder.answering.digest.values import byline

    if caution := caution_of(digest):
        yield caution
    yield from digest.notes
    yield f"Form: {digest.form.value}; {digest.form_reason} (--form changes it)."
    yield ""
    places = {paper.paper_id: n for n, paper in enumerate(sources, start=1)}
    papers = {paper.paper_id: paper for paper in sources}

    def behind(line: Finding | StatedValue) -> str:
        paper = papers[line.paper_id]
        text = line.passage.address if line.passage else paper.kind_of_text
        return f"({byline(paper)}, {text}) [{places[paper.paper_id]}]"

    if digest.values:
        quotation = None
        for value, finding in zip(digest.values[:MAX_LINES], digest.findings, strict=False):
            yield f"{value_as_text(value)}, {describe(value)} {behind(value)}"
            if (value.paper_id, finding.sentence) != quotation:
                address = finding.passage.address if finding.passage else None
                yield f"    {papers[value.paper_id].quoted(with_insertions(finding), address)}"
            quotation = (value.paper_id, finding.sentence)
        if len(digest.values) > MAX_LINES:
            yield f"{len(digest.values) - MAX_LINES} more values (all of them with --json or --values-plot)"
        return
    # Only the first finding is shown if several share a sentence, for example one that names two things.
    firsts: dict[tuple[str, str], Finding] = {}
    for finding in digest.findings:
        firsts.setdefault((finding.paper_id, finding.sentence), finding)
    findings = list(firsts.values())
    for finding in findings[:MAX_LINES]:
        yield f"{names_before(digest, finding)}{as_quotation(finding, _MARK)} {behind(finding)}"
    if len(findings) > MAX_LINES:
        yield f"{len(findings) - MAX_LINES} more lines (all of them with --json)"


class AskOptions(Options):
    """The readers for whom an answer is rewritten."""

    audience: Annotated[_AUDIENCES, Shell("--audience", "Rewrite the answer for other readers.")] = None
    language: Annotated[
        str | None, Shell("--language NAME", "Rewrite the answer in another language, such as Spanish.")
    ] = None


@dataclass(frozen=True, slots=True)
class Answered:
    """The papers found for a question, the answer from them, and its rewrite for other readers, if there is one."""

    found: SearchResult
    answer: Answer
    rewrite: Rewrite | None
    notes: tuple[str, ...]
    """What the reader should know of all three."""


def _check(body: AskOptions) -> Budget:
    if body.language:
        from pathfinder.answering.audience import check_language

        check_language(body.language)
    return check_answer(body)


def check_answer(body: Options) -> Budget:
    """Check the settings of an answer, and return its budget."""
    request = AnswerSettings(**settings_chosen(AnswerSettings, body)).request(None)
    if AUTO not in (getattr(body, "generation", None), getattr(body, "specialisation", None)):
        mode_of(request)
    return request.budget


def _run(pf: "Pathfinder", found: SearchResult, body: AskOptions) -> Generator[AnswerEvent, None, Answered]:
    if (body.audience or body.language) and pf.chat is None:  # told before anything is paid for
        from pathfinder.answering.audience import NO_CHAT

        raise ProviderError(NO_CHAT)
    answered = yield from stream_answer(pf, found, body)
    rewrite, notes = _rewrite(pf, answered.answer, body)
    return replace(answered, rewrite=rewrite, notes=(*answered.notes, *notes))


def stream_answer(pf: "Pathfinder", found: SearchResult, body: Options) -> Generator[AnswerEvent, None, Answered]:
    """Answer with the settings in `body`, and yield the events; return the answer without a rewrite."""
    settings, advice = settings_chosen(AnswerSettings, body), []
    if AUTO in (getattr(body, "generation", None), getattr(body, "specialisation", None)):
        from pathfinder.answering.mode_advice import advise_mode

        style = settings.get("specialisation")
        if getattr(body, "specialisation", None) is None:  # as in version 0.1.0, the style is chosen only if asked for
            style = Specialisation.MULTI_PAPER
        mode = None if getattr(body, "generation", None) == AUTO else settings.get("generation", ModeName.RAG)
        advised = advise_mode(pf.route(found), mode, style)
        settings |= {"generation": advised.generation, "specialisation": advised.specialisation}
        asked = f"mode requested: {advised.generation}, style: {advised.specialisation}"
        advice = [f"kind of question: {advised.because}; {asked}"]
    with RecordedStream(pf.stream_events(found, AnswerSettings(**settings).request(None))) as events:
        for event in events:
            if not isinstance(event, Done):
                yield event
    (end,) = (event for event in events.items if isinstance(event, Done))
    return Answered(found, end.answer, None, (*found.notes, *advice, *search_advice(found), *end.answer.notes))


def _rewrite(pf: "Pathfinder", answer: Answer, body: AskOptions) -> tuple[Rewrite | None, Sequence[str]]:
    """Rewrite the answer as requested; `None` if no rewrite was requested or, with a note, if there is no answer or the
    rewrite failed.
    """
    if body.audience is None and not body.language:
        return None, ()
    if answer.redirect is not None:
        return None, ["the question is out of scope: there is no answer to rewrite"]
    try:
        rewrite = pf.rewrite(answer, body.audience and Audience(body.audience), body.language)
    except (ProviderError, ModelError, MissingDependency, UsageError) as error:  # the answer has been paid for
        return None, [f"the answer was not rewritten: {error}"]
    return rewrite, (*rewrite.notes, *(f"not compared: {what}" for what in rewrite.fidelity.not_compared))


def _lines(answered: Answered) -> Iterator[str]:
    yield from answer_lines(answered.found, answered.answer)
    if (rewrite := answered.rewrite) is None:
        return
    where = f" in {rewrite.language}" if rewrite.language else ""
    yield ""
    yield f"rewritten{f' for: {rewrite.audience.value}' if rewrite.audience else ''}{where}"
    yield from rewrite.text.split("\n")
    changes = [("lost", each) for each in rewrite.fidelity.lost] + [("added", each) for each in rewrite.fidelity.added]
    if not changes:
        yield "of the facts compared, none was lost or added"
    for what, change in changes:
        yield f"  {what}: {change.kind.value} {without_control_characters(change.text)!r}: {change.reason}"


def _plot(path: Path) -> Callable[[Answered], None]:
    from pathfinder.landscape.figures.values_file import check_suffix, write_values

    check_suffix(path)
    return lambda answered: write_values(answered.answer, path=path)


def _brief(answered: Answered, _: JsonObject, linked: LinkTo) -> JsonObject:
    answer = answered.answer
    sources = [{"n": n, **linked(paper)} for n, paper in enumerate(answer.sources, start=1)]
    return {"text": answer.text, "abstained": answer.abstained, "sources": sources, "notes": list(answered.notes)}


OPERATION: Operation[AskOptions, Answered] = Operation(
    name="ask",
    help="Answer a question from papers, with citations for each sentence; without a chat model, papers are quoted.",
    options=AskOptions,
    parts=(AnswerSettings,),
    run=_run,
    streams=True,
    check=_check,
    result=_result,
    lines=_lines,
    writers={"--values-plot": ("Also plot the values stated in papers, as a .svg, .png or .html file.", _plot)},
    address="answer",
    tool="answer_question",
    arguments={"top_k": 10},
    brief=_brief,
    needs=(Need.CHAT_IF_SET,),
)
