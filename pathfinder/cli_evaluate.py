"""The commands that measure the search: pathfinder evaluate collection | sweep | make-single | make-multi."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from pathfinder.cli_judged import judged, providers
from pathfinder.cli_options import JsonFlag
from pathfinder.cli_output import write_json, write_lines, write_notes
from pathfinder.cli_settings import models_for
from pathfinder.errors import UsageError
from pathfinder.evaluation.parameters import Over
from pathfinder.settings import read_settings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pathfinder.evaluation.synthetic import SyntheticSet
    from pathfinder.types import Paper

evaluate = typer.Typer(rich_markup_mode=None, help="Measure how good the search is.")
evaluate.command()(judged)
evaluate.command()(providers)

Folder: TypeAlias = Annotated[
    Path, typer.Argument(metavar="DIR", help="corpus.jsonl, queries.jsonl and qrels, as BEIR has them.")
]
Documents: TypeAlias = Annotated[
    Path | None, typer.Option("--corpus", metavar="FILE-OR-DIR", help="Documents, or a corpus, from elsewhere.")
]
Qrels: TypeAlias = Annotated[Path | None, typer.Option(metavar="FILE", help="Judgements from elsewhere.")]
Cache: TypeAlias = Annotated[
    Path | None, typer.Option(metavar="DIR", help="Keeps what was embedded for the next time.")
]
Measures: TypeAlias = Annotated[
    str | None, typer.Option(metavar="NAME,NAME", help="Which the table shows; JSON has them all.")
]
Source: TypeAlias = Annotated[Path, typer.Argument(metavar="CORPUS", help="A corpus, or a file of papers.")]
Out: TypeAlias = Annotated[Path, typer.Option("--out", metavar="DIR", help="Folder for the questions and judgements.")]
Seed: TypeAlias = Annotated[int, typer.Option("--seed", help="Another seed draws other papers.")]


@evaluate.command()
def collection(
    folder: Folder,
    corpus: Documents = None,
    qrels: Qrels = None,
    methods: Annotated[
        str,
        typer.Option(metavar="NAME,NAME", help="Which to compare, each with the first; join some by +."),
    ] = "default,tfidf,bm25,dense,hybrid",
    cache: Cache = None,
    measures: Measures = None,
    as_json: JsonFlag = False,
) -> None:
    """Rank a collection of judged questions by each method, and say how good the rankings are."""
    from pathfinder.cli_progress import build_progress
    from pathfinder.cli_tables import evaluation_lines
    from pathfinder.evaluation.run import evaluate_collection

    shown = _measures(measures)
    with build_progress() as progress:
        report = evaluate_collection(
            folder,
            models_for(corpus or folder, read_settings()),
            corpus=corpus,
            judgements=qrels,
            methods=_names(methods),
            cache=cache,
            progress=progress,
        )
    write_notes(report.notes)
    write_json(report.record()) if as_json else write_lines(evaluation_lines(report.record(), shown))


@evaluate.command()
def sweep(
    folder: Folder,
    over: Annotated[Over, typer.Option(help="Which number is tried at every tenth from 0 to 1.")] = Over.FUSION,
    corpus: Documents = None,
    qrels: Qrels = None,
    cache: Cache = None,
    measures: Measures = None,
    as_json: JsonFlag = False,
) -> None:
    """Try the share of meaning in the fusion, or the strength of the reranker, on judged questions."""
    from pathfinder.cli_progress import build_progress
    from pathfinder.cli_tables import sweep_lines
    from pathfinder.evaluation.sweep import sweep_collection

    shown, models = _measures(measures), models_for(corpus or folder, read_settings())
    with build_progress() as progress:
        report = sweep_collection(folder, models, over, corpus=corpus, judgements=qrels, cache=cache, progress=progress)
    write_notes(report.report.notes)
    write_json(report.record()) if as_json else write_lines(sweep_lines(report.record(), shown))


@evaluate.command("make-single")
def make_single(
    source: Source,
    out: Out,
    n: Annotated[int, typer.Option("--n", help="How many questions.")] = 500,
    seed: Seed = 0,
    chat: Annotated[
        bool, typer.Option("--chat", help="Written by the chat model of the settings, not cut out of abstracts.")
    ] = False,
    cache: Cache = None,
) -> None:
    """Make questions that one paper answers, from any corpus; `collection OUT --corpus CORPUS` measures them."""
    from pathfinder.evaluation.single_paper import extractive
    from pathfinder.evaluation.single_paper import make_single as make
    from pathfinder.evaluation.synthetic import check_out, papers_of

    check_out(out)
    papers = papers_of(source)
    if chat:
        made = _written(papers, n, seed, cache or out.with_name(f"{out.name}.cache"))
    else:
        made = make(papers, extractive(papers, seed), n, seed)
    made.write(out)
    write_lines(f"{name}: {value}" for name, value in made.about.items())


@evaluate.command("make-multi")
def make_multi(
    source: Source,
    citations: Annotated[Path, typer.Argument(metavar="FILE", help="Clusters of citations, as JSON lines.")],
    out: Out,
    n: Annotated[int, typer.Option("--n", help="How many questions at most.")] = 200,
    seed: Seed = 0,
) -> None:
    """Make questions that several papers answer, from sentences of reviews and what they cite."""
    from pathfinder.evaluation.multi_paper import make_multi as make
    from pathfinder.evaluation.synthetic import check_out, papers_of

    check_out(out)
    made = make(papers_of(source), citations, n, seed)
    made.write(out)
    write_lines(f"{name}: {value}" for name, value in made.about.items())


def _written(papers: "Sequence[Paper]", n: int, seed: int, cache: Path) -> "SyntheticSet":
    """Questions by the chat model; its replies are kept beside the set, so that a run that was stopped goes on."""
    from pathfinder.corpus.journal import Journal
    from pathfinder.evaluation.single_paper import make_single as make
    from pathfinder.evaluation.written_questions import written
    from pathfinder.models.loading import load_chat

    model = load_chat(read_settings())
    if model is None:
        raise UsageError("no chat model is set: set PATHFINDER_CHAT_MODEL and its key, or leave --chat out")
    cache.mkdir(parents=True, exist_ok=True)
    with Journal(cache / "questions.journal") as journal:
        return make(papers, written(model, journal), n, seed)


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",")]


def _measures(text: str | None) -> list[str]:
    from pathfinder.evaluation.metrics import MEASURES, SHOWN_MEASURES

    names = list(SHOWN_MEASURES) if text is None else _names(text)
    if unknown := [name for name in names if name not in MEASURES]:
        raise UsageError(f"there is no measure {unknown[0]!r}: choose among {', '.join(MEASURES)}")
    return names
