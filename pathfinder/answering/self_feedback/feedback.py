"""Self-feedback: draft, critique, look up what it asks for, revise; and cite what is left uncited, where one can.

draft -> at most three points -> a search for each that asks -> an edit for each -> critique again -> ...
      -> citations after the fact
"""

from collections.abc import Generator

from pathfinder.answering.citations import Checked
from pathfinder.answering.material import escaped, notes_on_marks, shown, without_room
from pathfinder.answering.rag import says_it_does_not_know
from pathfinder.answering.reply import Means, Reply, Replying
from pathfinder.answering.searching import passages_of
from pathfinder.answering.self_feedback.after_the_fact import cite_after_the_fact
from pathfinder.answering.self_feedback.rounds import Revising, improve
from pathfinder.answering.sources import as_sources
from pathfinder.answering.spending import Spent
from pathfinder.prompts import render
from pathfinder.retrieval.question import in_words
from pathfinder.retrieval.replies import REFUSALS
from pathfinder.retrieval.strategies.decomposition import asked_as
from pathfinder.types import AnswerRequest, Ended, Generation, SearchResult, Step, StepKind, Version

CITED = "Sentences without a citation that a passage supports now cite it."


def stream_self_feedback(result: SearchResult, request: AnswerRequest, means: Means) -> Replying:
    """Yield the words of the draft and each step as it is taken; return the last version checked, with all others.

    What the critique wants looked up is searched as the question was: with its years, weights and stages. At the
    end of the budget, and where the model fails after the draft, the answer is the last version there is. Raises
    a `ProviderError` where the draft fails.
    """
    run = Revising.begun(result, request, means, Generation.SELF_FEEDBACK)
    run.found[asked_as(run.question)] = tuple(hit.paper for hit in result.hits)
    try:
        yield from _draft(run)
    except Spent as spent:
        yield run.log.notice(f"{spent} before the draft was whole", spent.ended)
        return (yield from _from_the_hits(run))
    try:
        yield from improve(run)
    except Spent as spent:
        yield run.log.notice(f"{spent}: the answer stands as it was last revised", spent.ended)
    except REFUSALS as error:
        failed = f"the answer stands as it was last revised, for the chat model failed: {error}"
        yield run.log.notice(failed, Ended.FAILED)
    return (yield from _concluded(run))


def _draft(run: Revising) -> Generator[str | Step, None, None]:
    start = run.means.clock()
    sources = as_sources(run.shelf, run.shelf.papers, passages=passages_of(run.result))
    prompt = render("feedback_draft", sources=sources.text, earlier=run.earlier, question=escaped(run.question))
    if sources.left_out:
        places = without_room(sources.left_out, run.shelf)
        yield run.log.notice(f"the prompt had no room for {places}: the draft does not draw on them")
    reply = yield from shown(run.spending.stream(run.chat, render("feedback_draft_system"), prompt), run.shelf)
    run.keep(reply, "draft")
    yield run.log.add(StepKind.DRAFT, run.checked.text, seconds=run.means.clock() - start)


def _concluded(run: Revising) -> Replying:
    checked = run.checked
    abstained = says_it_does_not_know(checked.text)
    cited = checked if abstained else cite_after_the_fact(checked, run.shelf.papers)
    if cited != checked:
        run.versions.append(Version("cited after the fact", cited.text, CITED))
        yield run.log.add(StepKind.REVISION, cited.text)
    yield run.log.add(StepKind.FINAL, cited.text)
    return _reply(run, cited, _ran(run), abstained=abstained)


def _ran(run: Revising) -> str:
    n = len(run.raised)
    return f"self-feedback, {n} point{'' if n == 1 else 's'}, {in_words(run.chat.name)}"


def _from_the_hits(run: Revising) -> Replying:
    """Where the budget ended before anything was written: sentences of the reader's own hits."""
    text, claims = run.sentences_of_hits()
    yield run.log.add(StepKind.FINAL, text)
    return _reply(run, Checked(text, claims, ()), "extractive (budget spent)")


def _reply(run: Revising, checked: Checked, ran: str, *, abstained: bool = False) -> Reply:
    return Reply(
        checked.text,
        checked.claims,
        ran,
        abstained=abstained,
        notes=(*run.log.notes, *notes_on_marks(checked)),
        sources=run.shelf.papers,
        trace=run.log.trace,
        versions=tuple(run.versions) if len(run.versions) > 1 else (),
    )
