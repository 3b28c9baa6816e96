"""The commands that measure the search: pathfinder evaluate collection | sweep | make-single | make-multi."""

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from pathfinder.cli.judge_evaluation import judge_hits, providers
from pathfinder.cli.options import CorpusFolder, JsonFlag
from pathfinder.cli.output import write_json, write_lines, write_notes
from pathfinder.cli.settings import models_for, open_pathfinder
from pathfinder.errors import UsageError
from pathfinder.evaluation.parameters import SweptParameter
from pathfinder.settings import read_settings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pathfinder.evaluation.synthetic import SyntheticSet
    from pathfinder.types import Paper


evaluate = typer.Typer(rich_markup_mode=None, help="Measure how good the search is.")

# The command that measures answers on marked questions: pathfinder evaluate answers.

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
_Cache: TypeAlias = Annotated[
    Path | None,
    typer.Option("--cache", metavar="DIR", help="Store judgements here, so that an interrupted run can continue."),
]
_Limit: TypeAlias = Annotated[int | None, typer.Option("--limit", min=1, help="Only the first N questions.")]


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
    from pathfinder.answering.modes.registry import generation_of
    from pathfinder.cli.judge_evaluation import judging_chat
    from pathfinder.cli.progress import build_progress
    from pathfinder.cli.tables import answer_quality_lines, passage_answer_lines
    from pathfinder.evaluation.corpus_answers import evaluate_corpus_answers
    from pathfinder.evaluation.judges import open_judge
    from pathfinder.evaluation.marked_answers import read_marked_questions
    from pathfinder.evaluation.passage_answers import evaluate_passage_answers, read_passage_questions
    from pathfinder.evaluation.rubric import read_rubric
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
    chat, items = judging_chat(settings) if judge or rubric else None, read_rubric(rubric) if rubric else None
    with build_progress() as progress, open_judge(chat, cache) if chat else nullcontext() as judge_chat:
        report = evaluate_corpus_answers(pf, questions, request, progress, judge_chat, items)
    write_notes(report.notes)
    record: dict[str, Any] = report.record()
    write_json(record) if as_json else write_lines(answer_quality_lines(record))


evaluate.command()(answers)
evaluate.command("judged")(judge_hits)
evaluate.command()(providers)

Folder: TypeAlias = Annotated[
    Path, typer.Argument(metavar="DIR", help="Folder with corpus.jsonl, queries.jsonl and qrels, in the BEIR format.")
]
Documents: TypeAlias = Annotated[
    Path | None, typer.Option("--corpus", metavar="FILE-OR-DIR", help="File of documents, or a corpus, if not in DIR.")
]
Qrels: TypeAlias = Annotated[Path | None, typer.Option(metavar="FILE", help="Relevance judgements, if not in DIR.")]
Cache: TypeAlias = Annotated[Path | None, typer.Option(metavar="DIR", help="Cache embeddings here for the next run.")]
Measures: TypeAlias = Annotated[
    str | None, typer.Option(metavar="NAME,NAME", help="Measures to show in the table; JSON contains all of them.")
]
Source: TypeAlias = Annotated[Path, typer.Argument(metavar="CORPUS", help="A corpus, or a file of papers.")]
Out: TypeAlias = Annotated[Path, typer.Option("--out", metavar="DIR", help="Folder for the questions and judgements.")]
Seed: TypeAlias = Annotated[int, typer.Option("--seed", help="A different seed draws different papers.")]


@evaluate.command()
def collection(
    folder: Folder,
    corpus: Documents = None,
    qrels: Qrels = None,
    methods: Annotated[
        str,
        typer.Option(
            metavar="NAME,NAME", help="Methods; the others are compared with the first. A + combines methods."
        ),
    ] = "default,tfidf,bm25,dense,hybrid",
    cache: Cache = None,
    measures: Measures = None,
    as_json: JsonFlag = False,
) -> None:
    """Run each search method on a collection of judged questions, and report how good the rankings are."""
    from pathfinder.cli.progress import build_progress
    from pathfinder.cli.tables import evaluation_lines
    from pathfinder.evaluation.run import evaluate_collection

    chosen_measures = _measures(measures)
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
    write_json(report.record()) if as_json else write_lines(evaluation_lines(report.record(), chosen_measures))


@evaluate.command()
def sweep(
    folder: Folder,
    over: Annotated[
        SweptParameter, typer.Option(help="Parameter to vary from 0 to 1 in steps of 0.1.")
    ] = SweptParameter.FUSION,
    corpus: Documents = None,
    qrels: Qrels = None,
    cache: Cache = None,
    measures: Measures = None,
    as_json: JsonFlag = False,
) -> None:
    """Try several values of the dense share, or of the reranker's strength, on judged questions."""
    from pathfinder.cli.progress import build_progress
    from pathfinder.cli.tables import sweep_lines
    from pathfinder.evaluation.sweep import sweep_collection

    chosen_measures, models = _measures(measures), models_for(corpus or folder, read_settings())
    with build_progress() as progress:
        report = sweep_collection(folder, models, over, corpus=corpus, judgements=qrels, cache=cache, progress=progress)
    write_notes(report.report.notes)
    write_json(report.record()) if as_json else write_lines(sweep_lines(report.record(), chosen_measures))


@evaluate.command("make-single")
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
    from pathfinder.evaluation.single_paper import extractive_question_writer
    from pathfinder.evaluation.single_paper import make_single_paper_set as make
    from pathfinder.evaluation.synthetic import check_out, papers_of

    check_out(out)
    papers = papers_of(source)
    if chat:
        question_set = _write_questions(papers, n, seed, cache or out.with_name(f"{out.name}.cache"))
    else:
        question_set = make(papers, extractive_question_writer(papers, seed), n, seed)
    question_set.write(out)
    write_lines(f"{name}: {value}" for name, value in question_set.about.items())


@evaluate.command("make-multi")
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
    from pathfinder.evaluation.multi_paper import make_multi_paper_set as make
    from pathfinder.evaluation.synthetic import check_out, papers_of

    check_out(out)
    if citations is None:
        question_set = _from_reference_lists(source, n, seed, asks or "title")
    elif asks is not None:
        raise UsageError("--asks has no effect on a FILE, whose lines have their own questions: omit one or the other")
    else:
        question_set = make(papers_of(source), citations, n, seed)
    question_set.write(out)
    write_lines(f"{name}: {value}" for name, value in question_set.about.items())


def _from_reference_lists(source: Path, n: int, seed: int, asks: str) -> "SyntheticSet":
    from pathfinder.evaluation.reference_lists import Asks, make_reference_list_set, read_reference_lists

    if asks not in [*Asks]:
        raise UsageError(f"--asks must be {' or '.join(Asks)}, got {asks}")
    return make_reference_list_set(read_reference_lists(source), n, seed, Asks(asks))


def _write_questions(papers: "Sequence[Paper]", n: int, seed: int, cache: Path) -> "SyntheticSet":
    """Have the chat model write questions; replies are stored next to the questions, so that an interrupted run can
    continue.
    """
    from pathfinder.corpus.journal import Journal
    from pathfinder.evaluation.single_paper import chat_question_writer
    from pathfinder.evaluation.single_paper import make_single_paper_set as make
    from pathfinder.models.loading import load_chat

    model = load_chat(read_settings())
    if model is None:
        raise UsageError("no chat model is set: set PATHFINDER_CHAT_MODEL and its key, or omit --chat")
    cache.mkdir(parents=True, exist_ok=True)
    with Journal(cache / "questions.journal") as journal:
        return make(papers, chat_question_writer(model, journal), n, seed)


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",")]


def _measures(text: str | None) -> list[str]:
    from pathfinder.evaluation.metrics import MEASURES, SHOWN_MEASURES

    names = list(SHOWN_MEASURES) if text is None else _names(text)
    if unknown_names := [name for name in names if name not in MEASURES]:
        raise UsageError(f"there is no measure {unknown_names[0]!r}: choose from {', '.join(MEASURES)}")
    return names
