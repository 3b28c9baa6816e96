"""The commands that have a chat model judge search results: pathfinder evaluate judged | providers."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from pathfinder.cli.options import CorpusFolder, JsonFlag
from pathfinder.cli.output import write_json, write_lines, write_notes
from pathfinder.cli.settings import corpus_folder, models_for
from pathfinder.errors import UsageError
from pathfinder.settings import Settings, read_settings

if TYPE_CHECKING:
    from pathfinder.evaluation.providers.own import OwnSearch
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
    int | None, typer.Option("--limit", min=1, help="Only the first N questions; each needs calls to the chat model.")
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

    from pathfinder.cli.progress import build_progress
    from pathfinder.cli.tables import judged_lines
    from pathfinder.corpus.store import open_corpus
    from pathfinder.evaluation.chat_judgements import evaluate_judged
    from pathfinder.evaluation.collections import read_judgements, read_questions
    from pathfinder.evaluation.judges import open_judge
    from pathfinder.evaluation.methods import request_of
    from pathfinder.retrieval.strategies.dispatch import dispatch_search

    settings = read_settings()
    chat = judging_chat(settings)
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
    from pathfinder.cli.progress import build_progress
    from pathfinder.cli.tables import provider_lines
    from pathfinder.evaluation.collections import read_questions
    from pathfinder.evaluation.judges import open_judge
    from pathfinder.evaluation.providers.comparison import compare_providers
    from pathfinder.evaluation.providers.loading import OWN, load_providers
    from pathfinder.llm.usage import CallLog

    settings = read_settings()
    chat = judging_chat(settings)
    names = _names(provider)
    elsewhere = load_providers(names, settings)
    calls = CallLog()
    grid = (_numbers("--rounds", depth), _numbers("--papers-per-round", page_size))
    own = _own_searches(corpus_folder(corpus, settings), settings, calls, *grid) if OWN in names else ()
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

    names = tuple(_names(text))
    if "tfidf" in names:
        raise UsageError("tfidf is not one of Pathfinder's searches: compare it with `pathfinder evaluate collection`")
    check_methods(names, models)
    return names


def judging_chat(settings: Settings) -> "ChatModel":
    """Return the chat model that acts as judge. Raises `UsageError` if none is set."""
    from pathfinder.models.loading import load_chat

    chat = load_chat(settings)
    if chat is None:
        raise UsageError(
            "judging needs a chat model, and none is set: set PATHFINDER_CHAT_MODEL, for example to "
            "openai:gpt-4o-mini, and the provider's key"
        )
    return chat


def _own_searches(
    folder: Path, settings: Settings, calls: "CallLog", depths: list[int], page_sizes: list[int]
) -> "tuple[OwnSearch, ...]":
    """Return Pathfinder's own searches over the corpus in `folder`, one for each depth and page size; `calls` collects
    what they ask the chat model.
    """
    from pathfinder.corpus.store import open_corpus
    from pathfinder.evaluation.providers.loading import own_searches
    from pathfinder.retrieval.strategies.dispatch import dispatch_search

    corpus, models = open_corpus(folder), models_for(folder, settings)
    return own_searches(lambda request: dispatch_search(request, corpus, models.for_search(calls)), depths, page_sizes)


def _search_cost(calls: "CallLog", model: str) -> tuple[str, ...]:
    if not calls.calls:
        return ()
    usages = [call.usage for call in calls.calls if call.usage is not None]
    tokens_in, tokens_out = sum(usage.tokens_in for usage in usages), sum(usage.tokens_out for usage in usages)
    tokens = f"about {tokens_in} tokens in and {tokens_out} out"
    return (f"our own search made {len(calls.calls)} calls to {model}: {tokens}",)


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",")]


def _numbers(option: str, text: str) -> list[int]:
    try:
        return [int(number) for number in text.split(",")]
    except ValueError as error:
        raise UsageError(f"{option} takes whole numbers separated by commas, such as 0,1; got {text!r}") from error
