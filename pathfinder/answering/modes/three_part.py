"""The mode in which one reply has three parts: a first response, a critique of it, and a refined answer."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from pathfinder.answering.grounding.citations import check_citations
from pathfinder.answering.modes.base import AnswerMode
from pathfinder.answering.modes.rag import WrittenText, begin_reply, draft_of, material_of
from pathfinder.answering.session.answer_session import AnswerSession
from pathfinder.answering.session.draft import AnswerStream
from pathfinder.types import Ended, Specialisation, Step, StepKind, StepTaken, Trace, Version

FIRST, CHECK, REFINED = "first", "check", "refined"

NOT_IN_BLOCKS = "the model was asked to check and refine a first response but did not: its reply is shown as it stands"


def stream_three_part(session: AnswerSession) -> AnswerStream:
    """Yield the first response and its check as steps once they are complete, then the refined answer as it arrives.

    A reply without tags around its parts is used as the answer, and so is a first response with nothing after it. The
    budget and failures are handled as in `stream_rag`.
    """
    material = material_of(session)
    with begin_reply(session, material, "rag_broad") as reply:
        blocks = split_blocks(reply, (FIRST, CHECK, REFINED))
        draft, opening = _before_refined(blocks)
        first, check = (_with_places(session, draft.get(name, "").strip()) for name in (FIRST, CHECK))
        steps = [step for step in [Step(StepKind.DRAFT, first), Step(StepKind.CRITIQUE, check)] if step.text]
        refined_parts: list[str] = []
        if opening is not None:
            yield from map(StepTaken, steps)
            yield from session.deltas(
                _record_chunks(chain([opening], (c for b, c in blocks if b == REFINED)), refined_parts)
            )
    text = "".join(refined_parts).strip()
    if text:
        return draft_of(session, material, _refined_text(session, steps, text, reply.cut_reason), Specialisation.BROAD)
    text = (draft.get(FIRST, "") or draft.get(None, "")).strip()
    yield from session.deltas([text])
    written_text = WrittenText(text, reply.cut_reason, notes=(NOT_IN_BLOCKS,))
    return draft_of(session, material, written_text, Specialisation.BROAD)


def _before_refined(blocks: Iterator[tuple[str | None, str]]) -> tuple[dict[str | None, str], str | None]:
    """Read the blocks before the refined answer, and the first chunk of that answer; the chunk is `None` if there is no
    answer.
    """
    draft: dict[str | None, str] = {}
    for block, chunk in blocks:
        if block == REFINED:
            return draft, chunk
        draft[block] = draft.get(block, "") + chunk
    return draft, None


def _record_chunks(chunks: Iterator[str], record: list[str]) -> Iterator[str]:
    for chunk in chunks:
        record.append(chunk)
        yield chunk


def _refined_text(session: AnswerSession, steps: list[Step], text: str, cut_reason: Ended | None) -> WrittenText:
    steps = [*steps, Step(StepKind.REVISION, _with_places(session, text))]
    trace = Trace(session.result.request.query, str(session.request.generation), tuple(steps), Ended.ANSWERED)
    return WrittenText(text, cut_reason, trace, _versions(steps))


def _with_places(session: AnswerSession, text: str) -> str:
    return check_citations(text, session.registry).text


def _versions(steps: list[Step]) -> tuple[Version, ...]:
    """Return the first response and the refined answer as versions; none if there was no first response."""
    texts = {step.kind: step.text for step in steps}
    if StepKind.DRAFT not in texts:
        return ()
    refined_version = Version("refined answer", texts[StepKind.REVISION], because=texts.get(StepKind.CRITIQUE, ""))
    return Version("first response", texts[StepKind.DRAFT]), refined_version


def split_blocks(chunks: Iterable[str], names: Sequence[str]) -> Iterator[tuple[str | None, str]]:
    """Yield `chunks`, each with the name of its block, as in <first>Stars</first>, or with `None` outside any block.

    The tags are left out. A chunk is held back only while its end may be the beginning of a tag.
    """
    tag = re.compile(rf"<(/?)({'|'.join(names)})>", re.IGNORECASE)
    waiting, block = "", None
    for chunk in chain(chunks, [None]):
        waiting += chunk or ""
        while match := tag.search(waiting):
            if match.start():
                yield block, waiting[: match.start()]
            waiting, block = waiting[match.end() :], None if match[1] else match[2].lower()
        end = len(waiting) if chunk is None else _start_of_unfinished_tag(waiting, names)
        if end:
            yield block, waiting[:end]
            waiting = waiting[end:]


def _start_of_unfinished_tag(text: str, names: Sequence[str]) -> int:
    """Return the position of an unfinished tag at the end of `text`, or the length of `text` if there is none."""
    start = text.rfind("<")
    tail = text[start:].lower()
    tags = (opening + name for name in names for opening in ("<", "</"))
    return start if start >= 0 and any(tag.startswith(tail) for tag in tags) else len(text)


MODE = AnswerMode(
    name="three-part",
    label="In three parts",
    help="A chat model writes a first response, checks it and refines it.",
    icon="account_tree",
    stream=stream_three_part,
    styles=(Specialisation.BROAD,),
)
