"""The commands pathfinder evaluate answers | judged | providers | sweep | make-single | make-multi."""

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

import typer

from pathfinder.cli.evaluate import Cache, Documents, Folder, Measures, Qrels, measures_in, names_in
from pathfinder.cli.options import CorpusFolder, JsonFlag
from pathfinder.cli.output import write_json, write_lines, write_notes
from pathfinder.cli.settings import corpus_folder, models_for, open_pathfinder
from pathfinder.errors import UsageError
from pathfinder.settings import Settings, read_settings

if TYPE_CHECKING:
    from pathfinder.addons.evaluation.providers.ports import SearchProvider
    from pathfinder.llm.usage import CallLog
    from pathfinder.models.ports import ChatModel
    from pathfinder.retrieval.stages.models import Models

_Questions: TypeAlias = Annotated[
    Path, typer.Option("--questions", metavar="FILE", help="queries.jsonl, or a text file with one question per line.")
]
_Top: TypeAlias = Annotated[
    int, typer.Option("--top-k", "--top", min=1, max=29, help="Number of results to judge for each question.")
]
_Limit: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--limit", min=1, help="Only the first N questions; each that is judged needs calls to the chat model."
    ),
]
_Cache: TypeAlias = Annotated[
    Path | None,
    typer.Option("--cache", metavar="DIR", help="Store judgements here, so that an interrupted run can continue."),
]
_Judgements: TypeAlias = Annotated[
    Path | None, typer.Option(metavar="FILE", help="The collection's own judgements, for an nDCG based on them.")
]
_Services: TypeAlias = Annotated[
    str,
    typer.Option(
        metavar="NAME,NAME", help="Services to compare: pathfinder, semantic-scholar, openalex, openalex-semantic, exa."
    ),
]
_ROUNDS_HELP = "Rounds of refined questions in our own search; if several numbers are given, each is tried."
_Rounds: TypeAlias = Annotated[str, typer.Option("--rounds", "--depth", metavar="N,N", help=_ROUNDS_HELP)]
_PageSizes: TypeAlias = Annotated[
    str,
    typer.Option(
        "--papers-per-round",
        "--page-size",
        metavar="N,N",
        help="Hits read in each round; if several numbers are given, each is tried.",
    ),
]


def judge_hits(
    questions: _Questions,
    corpus: CorpusFolder = None,
    qrels: _Judgements = None,
    methods: Annotated[str, typer.Option(metavar="NAME,NAME", help="Methods to compare.")] = "default,bm25,dense",
    top: _Top = 10,
    limit: _Limit = None,
    cache: _Cache = None,
    as_json: JsonFlag = False,
) -> None:
    """Have a chat model judge search results, and report context relevancy, context precision, recall and nDCG."""
    from functools import partial

    from pathfinder.addons.evaluation.judged import evaluate_judged
    from pathfinder.addons.evaluation.judges import open_judge
    from pathfinder.addons.evaluation.tables import judged_lines
    from pathfinder.cli.progress import build_progress
    from pathfinder.corpus.store import open_corpus
    from pathfinder.evaluation.collections import read_judgements, read_questions
    from pathfinder.evaluation.methods import request_of
    from pathfinder.retrieval.strategies.dispatch import dispatch_search

    settings = read_settings()
    chat = _chat(settings)
    folder = corpus_folder(corpus, settings)
    models = models_for(folder, settings)
    question_texts = dict(list(read_questions(questions).items())[:limit])
    own_corpus = open_corpus(folder)
    with open_judge(chat, cache) as judge, build_progress() as progress:
        report = evaluate_judged(
            question_texts,
            {name: partial(request_of, name) for name in _methods(methods, models)},
            lambda request: dispatch_search(request, own_corpus, models.for_search()),
            judge,
            top_k=top,
            judgements=read_judgements(qrels) if qrels else None,
            progress=progress,
        )
    write_notes(report.notes)
    write_json(report.record()) if as_json else write_lines(judged_lines(report.record()))


def providers(
    questions: _Questions,
    corpus: CorpusFolder = None,
    provider: _Services = "pathfinder",
    depth: _Rounds = "0,1",
    page_size: _PageSizes = "5,10",
    top: _Top = 10,
    limit: _Limit = None,
    cache: _Cache = None,
    as_json: JsonFlag = False,
) -> None:
    """Compare literature search services, including ours at every depth and page size; a chat model judges the hits."""
    from pathfinder.addons.evaluation.judges import open_judge
    from pathfinder.addons.evaluation.providers.comparison import OWN, compare_providers, load_providers, own_searches
    from pathfinder.addons.evaluation.tables import provider_lines
    from pathfinder.cli.progress import build_progress
    from pathfinder.corpus.store import open_corpus
    from pathfinder.evaluation.collections import read_questions
    from pathfinder.llm.usage import CallLog
    from pathfinder.retrieval.strategies.dispatch import dispatch_search

    settings = read_settings()
    chat = _chat(settings)
    names = names_in(provider)
    elsewhere = load_providers(names, settings)
    calls = CallLog()
    own: tuple[SearchProvider, ...] = ()
    grid = (_numbers("--rounds", depth), _numbers("--papers-per-round", page_size))
    if OWN in names:
        own_corpus, models = open_corpus(folder := corpus_folder(corpus, settings)), models_for(folder, settings)
        own = own_searches(lambda request: dispatch_search(request, own_corpus, models.for_search(calls)), *grid)
    question_texts = list(read_questions(questions).values())[:limit]
    with open_judge(chat, cache) as judge, build_progress() as progress:
        report = compare_providers(question_texts, (*own, *elsewhere), judge, top_k=top, progress=progress)
    write_notes((*report.notes, *_search_cost(calls, chat.name)))
    write_json(report.record()) if as_json else write_lines(provider_lines(report.record()))


def _methods(text: str, models: "Models") -> tuple[str, ...]:
    """Return the methods named in `text`. Raises `UsageError` for methods that cannot be compared here, or that these
    models cannot run.
    """
    from pathfinder.evaluation.methods import check_methods

    names = tuple(names_in(text))
    if "tfidf" in names:
        raise UsageError("tfidf is not one of Pathfinder's searches: compare it with `pathfinder evaluate collection`")
    check_methods(names, models)
    return names


def _chat(settings: Settings, work: str = "judging") -> "ChatModel":
    """Return the chat model. Raises `UsageError` if none is set; `work` says what needs it."""
    from pathfinder.models.loading import load_chat

    chat = load_chat(settings)
    if chat is None:
        raise UsageError(
            f"{work} needs a chat model, and none is set: set PATHFINDER_CHAT_MODEL, for example to "
            "openai:gpt-4o-mini, and the provider's key"
        )
    return chat


def _search_cost(calls: "CallLog", model: str) -> tuple[str, ...]:
    if not calls.calls:
        return ()
    usages = [call.usage for call in calls.calls if call.usage is not None]
    tokens_in, tokens_out = sum(usage.tokens_in for usage in usages), sum(usage.tokens_out for usage in usages)
    tokens = f"about {tokens_in} tokens in and {tokens_out} out"
    return (f"our own search made {len(calls.calls)} calls to {model}: {tokens}",)


def _numbers(option: str, text: str) -> list[int]:
    try:
        return [int(number) for number in text.split(",")]
    except ValueError as error:
        raise UsageError(f"{option} takes whole numbers separated by commas, such as 0,1; got {text!r}") from error


# The command that measures answers on marked questions.

_MarkedFile: TypeAlias = Annotated[
    Path,
    typer.Argument(
        metavar="FILE-OR-DIR",
        help="Questions with marked sentences, as JSON lines, or a folder with questions about full texts.",
    ),
]
_Mode: TypeAlias = Annotated[
    str, typer.Option("--mode", "--generation", metavar="NAME", help="Answer mode to measure.")
]
_Judge: TypeAlias = Annotated[
    bool, typer.Option("--judge", help="Have the chat model judge coverage, relevance and organisation, from 1 to 5.")
]
_RubricFile: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--rubric", metavar="FILE", help="Have the chat model also judge by this weighted rubric, a file of JSON lines."
    ),
]


def answers(
    file: _MarkedFile,
    corpus: CorpusFolder = None,
    generation: _Mode = "extractive",
    judge: _Judge = False,
    rubric: _RubricFile = None,
    cache: _Cache = None,
    limit: _Limit = None,
    as_json: JsonFlag = False,
) -> None:
    """Answer questions whose answers were marked by hand, and report how often the marked sentences are quoted.

    FILE marks sentences of abstracts. The file questions.jsonl in DIR has lines with "question", "paper" (its id, or
    null if no paper answers), "passage" and "answer": passages of full texts, which the corpus must hold.
    """
    from pathfinder.addons.evaluation.answers import evaluate_corpus_answers
    from pathfinder.addons.evaluation.judges import open_judge
    from pathfinder.addons.evaluation.marked_answers import read_marked_questions
    from pathfinder.addons.evaluation.passage_answers import evaluate_passage_answers, read_passage_questions
    from pathfinder.addons.evaluation.rubric import read_rubric
    from pathfinder.addons.evaluation.tables import answer_quality_lines, passage_answer_lines
    from pathfinder.answering.modes.registry import generation_of
    from pathfinder.cli.progress import build_progress
    from pathfinder.types import AnswerRequest

    settings, request = read_settings(), AnswerRequest(generation_of(generation))
    pf = open_pathfinder(corpus, settings)
    if file.is_dir():
        if judge or rubric:
            raise UsageError("--judge and --rubric need marked sentences of abstracts: give a FILE, or leave them out")
        of_passages = read_passage_questions(file)[:limit]
        with build_progress() as progress:
            figures = evaluate_passage_answers(
                of_passages, pf.search, lambda result: pf.answer(result, request), progress
            )
        write_json(figures.record()) if as_json else write_lines(passage_answer_lines(figures.record()))
        return
    questions = read_marked_questions(file)[:limit]
    chat, items = _chat(settings) if judge or rubric else None, read_rubric(rubric) if rubric else None
    with build_progress() as progress, open_judge(chat, cache) if chat else nullcontext() as judge_chat:
        report = evaluate_corpus_answers(pf, questions, request, progress, judge_chat, items)
    write_notes(report.notes)
    record: dict[str, Any] = report.record()
    write_json(record) if as_json else write_lines(answer_quality_lines(record))


# The commands that make questions from papers, and the one that varies a parameter.

Source: TypeAlias = Annotated[Path, typer.Argument(metavar="CORPUS", help="A corpus, or a file of papers.")]
Out: TypeAlias = Annotated[Path, typer.Option("--out", metavar="DIR", help="Folder for the questions and judgements.")]
Seed: TypeAlias = Annotated[int, typer.Option("--seed", help="A different seed draws different papers.")]


def sweep(
    folder: Folder,
    over: Annotated[
        Literal["fusion", "rerank"], typer.Option(help="Parameter to vary from 0 to 1 in steps of 0.1.")
    ] = "fusion",
    corpus: Documents = None,
    qrels: Qrels = None,
    cache: Cache = None,
    measures: Measures = None,
    as_json: JsonFlag = False,
) -> None:
    """Try several values of the dense share, or of the reranker's strength, on judged questions."""
    from pathfinder.addons.evaluation.sweep import SweptParameter, sweep_collection
    from pathfinder.addons.evaluation.tables import sweep_lines
    from pathfinder.cli.progress import build_progress

    chosen_measures, models = measures_in(measures), models_for(corpus or folder, read_settings())
    with build_progress() as progress:
        report = sweep_collection(
            folder, models, SweptParameter(over), corpus=corpus, judgements=qrels, cache=cache, progress=progress
        )
    write_notes(report.report.notes)
    write_json(report.record()) if as_json else write_lines(sweep_lines(report.record(), chosen_measures))


def make_single_paper_set(
    source: Source,
    out: Out,
    n: Annotated[int, typer.Option("--n", help="Number of questions.")] = 500,
    seed: Seed = 0,
    chat: Annotated[
        bool,
        typer.Option(
            "--chat", help="Have the chat model write the questions; otherwise, they are copied from abstracts."
        ),
    ] = False,
    cache: Cache = None,
) -> None:
    """Make questions from any corpus, each answered by one paper; `collection OUT --corpus CORPUS` reads them."""
    from pathfinder.addons.evaluation.single_paper import chat_question_writer, extractive_question_writer
    from pathfinder.addons.evaluation.single_paper import make_single_paper_set as make
    from pathfinder.addons.evaluation.synthetic import check_out, papers_of
    from pathfinder.corpus.journal import Journal

    check_out(out)
    papers = papers_of(source)
    if chat:
        model, cache = _chat(read_settings(), "--chat"), cache or out.with_name(f"{out.name}.cache")
        cache.mkdir(parents=True, exist_ok=True)
        with Journal(cache / "questions.journal") as journal:  # so that an interrupted run can continue
            question_set = make(papers, chat_question_writer(model, journal), n, seed)
    else:
        question_set = make(papers, extractive_question_writer(papers, seed), n, seed)
    question_set.write(out)
    write_lines(f"{name}: {value}" for name, value in question_set.about.items())


def make_multi_paper_set(
    source: Source,
    out: Out,
    citations: Annotated[
        Path | None,
        typer.Argument(
            metavar="[FILE]",
            help="Citation clusters, as JSON lines; without them, the reference lists of the corpus are used.",
        ),
    ] = None,
    n: Annotated[int, typer.Option("--n", help="Maximum number of questions.")] = 200,
    seed: Seed = 0,
    asks: Annotated[
        str | None,
        typer.Option(
            metavar="title|sentence",
            help="Without FILE: the question is each review's title (the default) or a sentence from its abstract.",
        ),
    ] = None,
) -> None:
    """Make questions from reviews, each answered by the papers cited there; `collection OUT --corpus CORPUS` reads
    them.
    """
    from pathfinder.addons.evaluation.multi_paper import make_multi_paper_set as make
    from pathfinder.addons.evaluation.reference_lists import Asks, make_reference_list_set, read_reference_lists
    from pathfinder.addons.evaluation.synthetic import check_out, papers_of

    check_out(out)
    if citations is None:
        if asks not in {None, *Asks}:
            raise UsageError(f"--asks must be {' or '.join(Asks)}, got {asks}")
        question_set = make_reference_list_set(read_reference_lists(source), n, seed, Asks(asks or Asks.TITLE))
    elif asks is not None:
        raise UsageError("--asks has no effect on a FILE, whose lines have their own questions: omit one or the other")
    else:
        question_set = make(papers_of(source), citations, n, seed)
    question_set.write(out)
    write_lines(f"{name}: {value}" for name, value in question_set.about.items())
