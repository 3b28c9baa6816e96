"""The operations that measure the search and its answers in further ways, and those that make questions for that."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import GenericAlias
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BeforeValidator, Field, model_validator

from pathfinder.addons.evaluation.answers import (
    AnswerReport,
    MeanWithInterval,
    PassageReport,
    evaluate_corpus_answers,
    evaluate_passage_answers,
    figure_text,
)
from pathfinder.addons.evaluation.judged import JudgedReport, Mean, evaluate_judged
from pathfinder.addons.evaluation.judges import Cost, open_judge
from pathfinder.addons.evaluation.marked_files import read_marked_questions, read_passage_questions, read_rubric
from pathfinder.addons.evaluation.multi_paper import (
    Asks,
    make_multi_paper_set,
    make_reference_list_set,
    read_reference_lists,
)
from pathfinder.addons.evaluation.providers import (
    OWN,
    ComparisonReport,
    ProviderReport,
    compare_providers,
    load_providers,
    own_searches,
)
from pathfinder.addons.evaluation.single_paper import (
    chat_question_writer,
    extractive_question_writer,
    make_single_paper_set,
)
from pathfinder.addons.evaluation.sweep import DEFAULTS, PARAMETERS, SweepReport, SweptParameter, sweep_collection
from pathfinder.addons.evaluation.synthetic import check_out, papers_of
from pathfinder.answering.modes.registry import mode_name_of
from pathfinder.building import Progress
from pathfinder.cli.open_corpus import corpus_folder
from pathfinder.corpus.journal import Journal
from pathfinder.corpus.store import open_corpus
from pathfinder.errors import UsageError
from pathfinder.facade import Pathfinder
from pathfinder.llm.usage import CallLog
from pathfinder.models.loading import load_chat
from pathfinder.models.ports import ChatModel
from pathfinder.operations.evaluate import (
    CELL,
    Cache,
    Collection,
    CollectionFigures,
    Documents,
    Measures,
    Qrels,
    cells,
    declare_measurement,
    difference_text,
    measures_in,
    models_for,
    names_in,
)
from pathfinder.operations.evaluation.collections import read_judgements, read_questions
from pathfinder.operations.evaluation.methods import check_methods, request_of
from pathfinder.operations.operation import Declarer, Need, Result, Shell, declare, result_of
from pathfinder.retrieval.strategies import search_by_strategy
from pathfinder.settings import Settings, read_settings
from pathfinder.types import AnswerRequest

# What the operations measure, as tables in plain text.


def answer_lines(report: AnswerReport | PassageReport) -> Iterator[str]:
    """Format one line per measure that applies to any of the questions; for marked questions, also for each type of
    question.
    """
    groups: list[AnswerReport | PassageReport] = [report]
    if isinstance(report, PassageReport):
        yield f"{report.n_questions} questions"
    else:
        groups += report.by_type.values()
        yield f"{report.n_questions} marked questions"
        names = ("all", *report.by_type)
        headings = [f"{name} (n {group.n_questions})" for name, group in zip(names, groups, strict=True)]
        yield " " * CELL + "".join(f"{heading:>{CELL}}" for heading in headings)
    columns = [group.figures() for group in groups]
    for measure, whole in columns[0].items():
        if whole.value is not None:
            yield f"{measure:{CELL}}" + "".join(f"{figure_text(column[measure]):>{CELL}}" for column in columns)


def sweep_lines(swept: SweepReport, measures: Sequence[str]) -> Iterator[str]:
    """Format one line per value; the value in use and the best one for these questions are marked."""
    report = swept.report
    yield f"{report.collection}: {report.n_queries} judged questions; {PARAMETERS[swept.over]}"
    yield f"{'':8}" + "".join(f"{measure:>{CELL}}" for measure in measures)
    for name in report.methods:
        mark = " *" if name == report.compared_with else ""
        yield f"{name + mark:8}{cells(report, name, measures)}"
    yield "* in use"
    for measure in measures:
        best = swept.best(measure)
        if best != DEFAULTS[swept.over]:
            against = difference_text(report.differences[f"{best:.1f}"][measure])
            yield f"best {measure} at {best:.1f}: {against} (chosen on these questions: expect less gain on others)"


def judged_lines(report: JudgedReport) -> Iterator[str]:
    """Format one line per method, with the number of questions behind each measure, followed by the judge's costs."""
    yield f"{report.n_questions} questions, top {report.top_k}, judged by {report.judge}"
    width = max(map(len, report.methods)) + 2
    yield " " * width + "".join(f"{measure:>{CELL}}" for measure in next(iter(report.methods.values())))
    for name, means in report.methods.items():
        yield f"{name:{width}}" + "".join(f"{_mean_text(mean):>{CELL}}" for mean in means.values())
    yield _cost_line(report.cost)


def provider_lines(report: ComparisonReport) -> Iterator[str]:
    """Format one line per provider, then the costs of the judge and, if it uses a chat model, of Pathfinder's own
    search.
    """
    yield f"{report.n_questions} questions, top {report.top_k}, judged by {report.judge}"
    width = max(map(len, report.providers)) + 2
    heads = ("context relevancy", "context precision", "results", "without text", "failed searches")
    yield " " * width + "".join(f"{head:>{CELL}}" for head in heads)
    for name, each in report.providers.items():
        counts = (str(each.n_results), str(each.n_without_text), f"{each.n_failed} of {each.n_searches}")
        texts = (_mean_text(each.relevancy), _mean_text(each.precision), *counts)
        yield f"{name:{width}}" + "".join(f"{text:>{CELL}}" for text in texts)
    yield _cost_line(report.cost)


def _mean_text(mean: Mean) -> str:
    return "-" if mean.value is None else f"{mean.value:.3f} (n {mean.n})"


def _cost_line(cost: Cost) -> str:
    return (
        f"the judge: {cost.n_calls} calls, {cost.n_cached} kept from before, {cost.n_by_rule} by rule, "
        f"{cost.n_failures} failed; about {cost.tokens_in} tokens in and {cost.tokens_out} out"
    )


_LIMIT = "Only the first N questions; each that is judged needs calls to the chat model."
_KEPT = "Store judgements here, so that an interrupted run can continue."
_SERVICES = "Services to compare: pathfinder, semantic-scholar, openalex, openalex-semantic, exa."
_ROUNDS = "Rounds of refined questions in our own search; if several numbers are given, each is tried."
_PAGE_SIZES = "Hits read in each round; if several numbers are given, each is tried."
_Questions: TypeAlias = Annotated[
    Path, Shell("--questions FILE", "queries.jsonl, or a text file with one question per line.")
]
_Top: TypeAlias = Annotated[
    int, Shell("--top-k --top", "Number of results to judge for each question."), Field(ge=1, le=29)
]
_Limit: TypeAlias = Annotated[int | None, Field(ge=1, description=_LIMIT)]
_Kept: TypeAlias = Annotated[Path | None, Shell("--cache DIR", _KEPT)]


def _chat(settings: Settings, work: str = "judging") -> ChatModel:
    """Return the chat model. Raises `UsageError` if none is set; `work` says what needs it."""
    chat = load_chat(settings)
    if chat is None:
        raise UsageError(
            f"{work} needs a chat model, and none is set: set PATHFINDER_CHAT_MODEL, for example to "
            "openai:gpt-4o-mini, and the provider's key"
        )
    return chat


def _cost() -> Any:
    return result_of(
        Cost,
        calls="n_calls",
        kept_from_before="n_cached",
        by_rule="n_by_rule",
        failures="n_failures",
        tokens_in_about="tokens_in",
        tokens_out_about="tokens_out",
    )


@declare_measurement(
    "evaluate judged",
    opens="folder",
    needs=(Need.CHAT,),
    result=lambda: result_of(JudgedReport, methods="means", counted="counts", cost=_cost()),
    lines=judged_lines,
)
def judged(
    folder: Path,
    questions: _Questions,
    qrels: Annotated[
        Path | None, Shell("--qrels FILE", "The collection's own judgements, for an nDCG based on them.")
    ] = None,
    methods: Annotated[str, Shell("--methods NAME,NAME", "Methods to compare.")] = "default,bm25,dense",
    top: _Top = 10,
    limit: _Limit = None,
    cache: _Kept = None,
    progress: Progress | None = None,
) -> JudgedReport:
    """Have a chat model judge search results, and report context relevancy, context precision, recall and nDCG."""
    settings = read_settings()
    chat, names = _chat(settings), (*names_in(methods),)
    models, texts = models_for(folder, settings), dict([*read_questions(questions).items()][:limit])
    if "tfidf" in names:
        raise UsageError("tfidf is not one of Pathfinder's searches: compare it with `pathfinder evaluate collection`")
    check_methods(names, models)
    corpus = open_corpus(folder)
    with open_judge(chat, cache) as judge:
        return evaluate_judged(
            texts,
            {name: partial(request_of, name) for name in names},
            lambda request: search_by_strategy(request, corpus, models.for_search()),
            judge,
            top_k=top,
            judgements=read_judgements(qrels) if qrels else None,
            progress=progress,
        )


def _provider() -> Any:
    return result_of(
        ProviderReport,
        "relevancy precision notes",
        context_relevancy="relevancy.value",
        context_precision="precision.value",
        n_relevancy="relevancy.n",
        n_precision="precision.n",
        searches="n_searches",
        failed_searches="n_failed",
        results="n_results",
        results_without_text="n_without_text",
    )


@declare_measurement(
    "evaluate providers",
    needs=(Need.CHAT, Need.NETWORK),
    result=lambda: result_of(ComparisonReport, providers=GenericAlias(dict, (str, _provider())), cost=_cost()),
    lines=provider_lines,
)
def providers(
    _: None,
    questions: _Questions,
    searched: Annotated[
        Path | None, Shell("--corpus DIR", "Folder of the corpus; by default the one in PATHFINDER_CORPUS.")
    ] = None,
    provider: Annotated[str, Shell("--provider NAME,NAME", _SERVICES)] = "pathfinder",
    depth: Annotated[str, Shell("--rounds --depth N,N", _ROUNDS)] = "0,1",
    page_size: Annotated[str, Shell("--papers-per-round --page-size N,N", _PAGE_SIZES)] = "5,10",
    top: _Top = 10,
    limit: _Limit = None,
    cache: _Kept = None,
    progress: Progress | None = None,
) -> ComparisonReport:
    """Compare literature search services, including ours at every depth and page size; a chat model judges the hits."""
    settings = read_settings()
    chat, names, calls = _chat(settings), names_in(provider), CallLog()
    services = load_providers(names, settings, progress)
    grid = _numbers("--rounds", depth), _numbers("--papers-per-round", page_size)
    if OWN in names:
        corpus, models = open_corpus(folder := corpus_folder(searched, settings)), models_for(folder, settings)
        own = own_searches(lambda request: search_by_strategy(request, corpus, models.for_search(calls)), *grid)
        services = (*own, *services)
    texts = list(read_questions(questions).values())[:limit]
    with open_judge(chat, cache) as judge:
        report = compare_providers(texts, services, judge, top_k=top, progress=progress)
    return replace(report, notes=(*report.notes, *_search_cost(calls, chat.name)))


def _search_cost(calls: CallLog, model: str) -> Iterator[str]:
    if calls.calls:
        usages = [call.usage for call in calls.calls if call.usage is not None]
        tokens_in, tokens_out = sum(usage.tokens_in for usage in usages), sum(usage.tokens_out for usage in usages)
        tokens = f"about {tokens_in} tokens in and {tokens_out} out"
        yield f"our own search made {len(calls.calls)} calls to {model}: {tokens}"


def _numbers(option: str, text: str) -> list[int]:
    try:
        return [int(number) for number in text.split(",")]
    except ValueError as error:
        raise UsageError(f"{option} takes whole numbers separated by commas, such as 0,1; got {text!r}") from error


_MARKED = "Questions with marked sentences, as JSON lines, or a folder with questions about full texts."
_JUDGE = "Have the chat model judge coverage, relevance and organisation, from 1 to 5."
_RUBRIC = "Have the chat model also judge by this weighted rubric, a file of JSON lines."


class Figures(Result, extra="allow"):
    """The mean of each measure over some questions."""

    __pydantic_extra__: dict[str, MeanWithInterval]
    n_questions: int

    @model_validator(mode="before")
    @classmethod
    def _read(cls, report: AnswerReport | PassageReport) -> dict[str, Any]:
        own = {name: getattr(report, name) for name in cls.model_fields if hasattr(report, name)}
        return own | report.figures()


class AnswerFigures(Figures):
    """The mean of each measure over all questions, and over those of each type."""

    by_type: dict[str, Figures]
    notes: list[str]


@declare_measurement(
    "evaluate answers",
    opens="session",
    needs=(Need.CHAT_IF_ASKED,),
    result=Annotated[AnswerFigures | Figures, Field(union_mode="left_to_right")],
    lines=answer_lines,
)
def answers(
    pf: Pathfinder,
    file: Annotated[Path, Shell("FILE-OR-DIR", _MARKED)],
    generation: Annotated[str, Shell("--mode --generation NAME", "Answer mode to measure.")] = "extractive",
    judge: Annotated[bool, Field(description=_JUDGE)] = False,
    rubric: Annotated[Path | None, Shell("--rubric FILE", _RUBRIC)] = None,
    cache: _Kept = None,
    limit: _Limit = None,
    progress: Progress | None = None,
) -> AnswerReport | PassageReport:
    """Answer questions whose answers were marked by hand, and report how often the marked sentences are quoted.

    FILE marks sentences of abstracts. The file questions.jsonl in DIR has lines with "question", "paper" (its id, or
    null if no paper answers), "passage" and "answer": passages of full texts, which the corpus must hold.
    """
    request = AnswerRequest(mode_name_of(generation))
    if file.is_dir():
        if judge or rubric:
            raise UsageError("--judge and --rubric need marked sentences of abstracts: give a FILE, or leave them out")
        of_passages = read_passage_questions(file)[:limit]
        return evaluate_passage_answers(of_passages, pf.search, lambda found: pf.answer(found, request), progress)
    questions = read_marked_questions(file)[:limit]
    chat, items = _chat(read_settings()) if judge or rubric else None, read_rubric(rubric) if rubric else None
    with open_judge(chat, cache) if chat else nullcontext() as judge_chat:
        return evaluate_corpus_answers(pf, questions, request, progress, judge_chat, items)


class SweepFigures(CollectionFigures):
    """Performance for each value of a parameter; the times cover the ordering, not the look-up."""

    parameter: str
    in_use: float
    """The value in use."""
    best: dict[str, float]
    """The best value by each measure."""


@declare_measurement(
    "evaluate sweep",
    result=Annotated[SweepFigures, BeforeValidator(lambda swept: swept[0].record())],
    lines=lambda swept: sweep_lines(*swept),
    notes=lambda swept: swept[0].report.notes,
)
def sweep(
    _: None,
    folder: Collection,
    over: Annotated[
        Literal["fusion", "rerank"], Field(description="Parameter to vary from 0 to 1 in steps of 0.1.")
    ] = "fusion",
    documents: Documents = None,
    qrels: Qrels = None,
    cache: Cache = None,
    measures: Measures = None,
    progress: Progress | None = None,
) -> tuple[SweepReport, list[str]]:
    """Try several values of the dense share, or of the reranker's strength, on judged questions."""
    shown, models = measures_in(measures), models_for(documents or folder, read_settings())
    swept = SweptParameter(over)
    report = sweep_collection(folder, models, swept, corpus=documents, judgements=qrels, cache=cache, progress=progress)
    return report, shown


# The operations that make questions from papers.

_Source: TypeAlias = Annotated[Path, Shell("CORPUS", "A corpus, or a file of papers.")]
_Out: TypeAlias = Annotated[Path, Shell("--out DIR", "Folder for the questions and judgements.")]
_Seed: TypeAlias = Annotated[int, Field(description="A different seed draws different papers.")]
_CLUSTERS = "Citation clusters, as JSON lines; without them, the reference lists of the corpus are used."
_ASKS = "Without FILE: the question is each review's title (the default) or a sentence from its abstract."
_BY_CHAT = "Have the chat model write the questions; otherwise, they are copied from abstracts."


class SetDescription(Result, extra="allow"):
    """How a set of questions was made: the settings, and the number of papers left out for each reason."""

    __pydantic_extra__: dict[str, str | int]
    kind: str


_declare_set: Declarer = partial(
    declare,
    settings=(),
    opens="nothing",
    result=SetDescription,
    lines=lambda about: (f"{name}: {value}" for name, value in about.items()),
)


@_declare_set("evaluate make-single", needs=(Need.CHAT_IF_ASKED,))
def make_single(
    _: None,
    source: _Source,
    out: _Out,
    n: Annotated[int, Field(description="Number of questions.")] = 500,
    seed: _Seed = 0,
    chat: Annotated[bool, Field(description=_BY_CHAT)] = False,
    cache: Cache = None,
) -> Mapping[str, str | int]:
    """Make questions from any corpus, each answered by one paper; `collection OUT --corpus CORPUS` reads them."""
    check_out(out)
    papers = papers_of(source)
    if chat:
        model, cache = _chat(read_settings(), "--chat"), cache or out.with_name(f"{out.name}.cache")
        cache.mkdir(parents=True, exist_ok=True)
        with Journal(cache / "questions.journal") as journal:  # so that an interrupted run can continue
            question_set = make_single_paper_set(papers, chat_question_writer(model, journal), n, seed)
    else:
        question_set = make_single_paper_set(papers, extractive_question_writer(papers, seed), n, seed)
    return question_set.write(out).about


@_declare_set("evaluate make-multi")
def make_multi(
    _: None,
    source: _Source,
    out: _Out,
    citations: Annotated[Path | None, Shell("[FILE]", _CLUSTERS)] = None,
    n: Annotated[int, Field(description="Maximum number of questions.")] = 200,
    seed: _Seed = 0,
    asks: Annotated[str | None, Shell("--asks title|sentence", _ASKS)] = None,
) -> Mapping[str, str | int]:
    """Make questions from reviews, each answered by the papers cited there; `collection OUT --corpus CORPUS` reads
    them.
    """
    check_out(out)
    if citations is None:
        if asks not in {None, *Asks}:
            raise UsageError(f"--asks must be {' or '.join(Asks)}, got {asks}")
        question_set = make_reference_list_set(read_reference_lists(source), n, seed, Asks(asks or Asks.TITLE))
    elif asks is not None:
        raise UsageError("--asks has no effect on a FILE, whose lines have their own questions: omit one or the other")
    else:
        question_set = make_multi_paper_set(papers_of(source), citations, n, seed)
    return question_set.write(out).about
