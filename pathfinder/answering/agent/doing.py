"""An action done: what was asked for is checked, looked up, and told as an observation or a refusal."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from pathfinder.answering.agent.run import Bench, Run, Say, noticed, taken
from pathfinder.answering.agent.tools import SEARCH, in_words
from pathfinder.answering.agent.understanding import (
    Lookup,
    Reading,
    Refusal,
    as_step,
    in_short,
    likeness,
    understood,
)
from pathfinder.answering.agent.words import LOOP, NOT_RELEVANT, REFUSED
from pathfinder.answering.shelf import Shelf
from pathfinder.answering.sources import as_sources, quoted
from pathfinder.errors import ProviderError, UsageError
from pathfinder.models.ports import ToolCall
from pathfinder.types import Ended, Paper, SearchResult, Step, StepKind

OBSERVED_TOKENS = 1_500
"""Of what one search shows whole: about six abstracts. Every later call of the model reads it again."""

READ_TOKENS = 8_000
"""More than any abstract has."""


def first_look(run: Run, bench: Bench, say: Say) -> Run:
    """The reader's own search, which is there before the agent begins, as its first action; it counts as none."""
    arguments = (("query", bench.question),)
    run = taken(run, Step(StepKind.ACTION, in_short(SEARCH, arguments), SEARCH, arguments), bench, say)
    run = replace(run, done=((likeness(Lookup(bench.reader)), 0),))
    return _shown(run, bench.result, bench, say, None)


def done(run: Run, call: ToolCall, bench: Bench, say: Say) -> Run:
    """`run` with the action and what came of it."""
    step = as_step(call)
    place = len(run.steps)
    run = replace(taken(run, step, bench, say), n_actions=run.n_actions + 1)
    action = understood(step, bench.reader, run.shelf)
    alike = (REFUSED, step.text) if isinstance(action, Refusal) else likeness(action)
    earlier = dict(run.done).get(alike)
    if earlier is not None:
        return _repeated(run, earlier, bench, say)
    run = replace(run, done=(*run.done, (alike, place)))
    if isinstance(action, Refusal):
        return noticed(run, f"{REFUSED}{action.why}.", bench, say)
    return _looked_up(run, action, bench, say) if isinstance(action, Lookup) else _read(run, action, bench, say)


def _repeated(run: Run, earlier: int, bench: Bench, say: Say) -> Run:
    """Told once; ended the second time."""
    if run.was_told:
        return replace(noticed(run, LOOP, bench, say), ended=Ended.LOOP)
    told = (
        f"Not done again: it is the same as step {earlier + 1}, whose result is above. "
        "Look for something else, or answer with what was found."
    )
    return replace(noticed(run, told, bench, say), was_told=True)


def _looked_up(run: Run, action: Lookup, bench: Bench, say: Say) -> Run:
    start = bench.clock()
    try:
        found = bench.search(action.request)
    except (UsageError, ProviderError) as error:
        return noticed(run, f"The search failed: {error}.", bench, say)
    return _shown(run, found, bench, say, bench.clock() - start)


def _shown(run: Run, found: SearchResult, bench: Bench, say: Say, seconds: float | None) -> Run:
    papers = tuple(hit.paper for hit in found.hits)
    shelf = run.shelf.with_papers(papers)
    ids = tuple(paper.paper_id for paper in papers)
    shown = {paper_id for step in run.steps for paper_id in step.paper_ids}
    text = _observation(found, papers, shown, shelf)
    step = Step(StepKind.OBSERVATION, text, paper_ids=ids, seconds=seconds)
    return replace(taken(run, step, bench, say), shelf=shelf)


def _observation(found: SearchResult, papers: Sequence[Paper], known: Collection[str], shelf: Shelf) -> str:
    """What a search found: the papers that were not shown before, whole, as far as there is room; the others' keys."""
    if not papers:
        return f"No paper was found (years: {in_words(found.request)})."
    new = [paper for paper in papers if paper.paper_id not in known]
    sources = as_sources(shelf, new, OBSERVED_TOKENS)
    old = ", ".join(f"[{shelf.key(paper.paper_id)}]" for paper in papers if paper.paper_id in known)
    titles = [f"[{shelf.key(paper.paper_id)}] {quoted(paper.title)}" for paper in sources.left_out]
    n_found = "1 paper was" if len(papers) == 1 else f"{len(papers)} papers were"
    parts = [
        f"{n_found} found (years: {in_words(found.request)}), {len(new)} of them not shown before.",
        "" if found.assessment is None or found.assessment.is_relevant else NOT_RELEVANT,
        sources.text,
        f"Shown before: {old}." if old else "",
        "\n".join(["Not shown for lack of room; read them by their keys:", *titles]) if titles else "",
    ]
    return "\n\n".join(part for part in parts if part)


def _read(run: Run, action: Reading, bench: Bench, say: Say) -> Run:
    paper = action.paper
    facts = [
        "" if paper.citation_count is None else f"Cited {paper.citation_count} times.",
        f"Keywords: {quoted(', '.join((*paper.subjects, *paper.keywords)))}." if paper.keywords else "",
    ]
    text = "\n\n".join([as_sources(run.shelf, (paper,), READ_TOKENS).text, *filter(None, facts)])
    return taken(run, Step(StepKind.OBSERVATION, text, paper_ids=(paper.paper_id,)), bench, say)
