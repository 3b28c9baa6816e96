"""The commands that have a chat model judge what was found: pathfinder evaluate judged | providers."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from pathfinder.cli_options import CorpusFolder, JsonFlag
from pathfinder.cli_output import write_json, write_lines, write_notes
from pathfinder.cli_settings import corpus_folder, models_for
from pathfinder.errors import UsageError
from pathfinder.settings import Settings, read_settings

if TYPE_CHECKING:
    from pathfinder.evaluation.providers.own import OwnSearch
    from pathfinder.models.metered import MeteredChat
    from pathfinder.models.ports import ChatModel
    from pathfinder.retrieval.models import Models

_Questions: TypeAlias = Annotated[
    Path, typer.Option("--questions", metavar="FILE", help="queries.jsonl, or a text file with a question a line.")
]
_Top: TypeAlias = Annotated[int, typer.Option("--top", min=1, max=29, help="How many results are judged.")]
_Limit: TypeAlias = Annotated[
    int | None, typer.Option("--limit", min=1, help="Only the first so many questions: every one costs calls.")
]
_Cache: TypeAlias = Annotated[
    Path | None, typer.Option("--cache", metavar="DIR", help="Keeps every judgement, so that a run can go on.")
]


def judged(
    questions: _Questions,
    corpus: CorpusFolder = None,
    qrels: Annotated[Path | None, typer.Option(metavar="FILE", help="Judgements that there are already.")] = None,
    methods: Annotated[str, typer.Option(metavar="NAME,NAME", help="Which to compare.")] = "default,bm25,dense",
    top: _Top = 10,
    limit: _Limit = None,
    cache: _Cache = None,
    as_json: JsonFlag = False,
) -> None:
    """Have a chat model judge what methods of search find: context relevancy and precision, recall and nDCG."""
    from functools import partial

    from pathfinder.cli_progress import build_progress
    from pathfinder.cli_tables import judged_lines
    from pathfinder.corpus.store import open_corpus
    from pathfinder.evaluation.collections import read_judgements, read_questions
    from pathfinder.evaluation.judged import evaluate_judged
    from pathfinder.evaluation.judges import judging
    from pathfinder.evaluation.methods import request_of
    from pathfinder.retrieval.strategies.explore import explore

    settings = read_settings()
    chat = _judge(settings)
    folder = corpus_folder(corpus, settings)
    models = models_for(folder, settings)
    asked = dict(list(read_questions(questions).items())[:limit])
    opened = open_corpus(folder)
    with judging(chat, cache) as judge, build_progress() as progress:
        report = evaluate_judged(
            asked,
            {name: partial(request_of, name) for name in _methods(methods, models)},
            lambda request: explore(request, opened, models),
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
    provider: Annotated[
        str,
        typer.Option(metavar="NAME,NAME", help="pathfinder, semantic-scholar, openalex, openalex-semantic, exa."),
    ] = "pathfinder",
    depth: Annotated[str, typer.Option(metavar="N,N", help="Rounds of refined questions of our own search.")] = "0,1",
    page_size: Annotated[str, typer.Option(metavar="N,N", help="Hits of a round that are read for the next.")] = "5,10",
    top: _Top = 10,
    limit: _Limit = None,
    cache: _Cache = None,
    as_json: JsonFlag = False,
) -> None:
    """Compare literature searches, ours at every depth and page size, in the eyes of a chat model."""
    from pathfinder.cli_progress import build_progress
    from pathfinder.cli_tables import provider_lines
    from pathfinder.evaluation.collections import read_questions
    from pathfinder.evaluation.judges import judging
    from pathfinder.evaluation.providers.comparison import compare_providers
    from pathfinder.evaluation.providers.loading import OWN, load_providers
    from pathfinder.models.metered import MeteredChat

    settings = read_settings()
    chat = _judge(settings)
    names = _names(provider)
    elsewhere = load_providers(names, settings)
    searching = MeteredChat(chat, "search")
    grid = (_numbers("--depth", depth), _numbers("--page-size", page_size))
    own = _own_searches(corpus_folder(corpus, settings), settings, searching, *grid) if OWN in names else ()
    asked = list(read_questions(questions).values())[:limit]
    with judging(chat, cache) as judge, build_progress() as progress:
        report = compare_providers(asked, (*own, *elsewhere), judge, top_k=top, progress=progress)
    write_notes((*report.notes, *_search_cost(searching)))
    write_json(report.record()) if as_json else write_lines(provider_lines(report.record()))


def _methods(text: str, models: "Models") -> tuple[str, ...]:
    """The methods that `text` names, each a search of ours that these models can make."""
    from pathfinder.evaluation.methods import check_methods

    names = tuple(_names(text))
    if "tfidf" in names:
        raise UsageError("tfidf is no search of ours: compare it by `pathfinder evaluate collection`")
    check_methods(names, models)
    return names


def _judge(settings: Settings) -> "ChatModel":
    from pathfinder.models.loading import load_chat

    chat = load_chat(settings)
    if chat is None:
        raise UsageError(
            "a chat model has to judge, and none is set: set PATHFINDER_CHAT_MODEL, such as openai:gpt-4o-mini, and "
            "the provider's key"
        )
    return chat


def _own_searches(
    folder: Path, settings: Settings, chat: "MeteredChat", depths: list[int], page_sizes: list[int]
) -> "tuple[OwnSearch, ...]":
    """Our search over the corpus in `folder`, whose refined questions `chat` writes and counts."""
    from dataclasses import replace

    from pathfinder.corpus.store import open_corpus
    from pathfinder.evaluation.providers.loading import own_searches
    from pathfinder.retrieval.strategies.explore import explore

    corpus, models = open_corpus(folder), replace(models_for(folder, settings), chat=chat)
    return own_searches(lambda request: explore(request, corpus, models), depths, page_sizes)


def _search_cost(chat: "MeteredChat") -> tuple[str, ...]:
    if not chat.calls:
        return ()
    taken = [call.usage for call in chat.calls if call.usage is not None]
    tokens = f"about {sum(one.tokens_in for one in taken)} tokens in and {sum(one.tokens_out for one in taken)} out"
    return (f"our own search made {len(chat.calls)} calls to {chat.name}: {tokens}",)


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",")]


def _numbers(option: str, text: str) -> list[int]:
    try:
        return [int(number) for number in text.split(",")]
    except ValueError as error:
        raise UsageError(f"{option} takes whole numbers with commas between them, such as 0,1; got {text!r}") from error
