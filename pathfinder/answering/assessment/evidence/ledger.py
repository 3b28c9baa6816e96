"""The evidence for every sentence in a text: local and deterministic, without a chat model or a network.

An `embedder` compares meanings in addition to words; the cut-offs were set with the one that ships with Pathfinder and
do not fit the cosines of any other. Without an embedder, only words are compared, and a note says so.
"""

import re
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Annotated

from pydantic import BaseModel, ConfigDict, StringConstraints, ValidationError

from pathfinder.answering.assessment.evidence.claim_check import EvidenceCheck, SentenceVectors, check_claim
from pathfinder.answering.assessment.evidence.parsed_sentences import ParsedSentence, ParsedSource
from pathfinder.answering.grounding.batches import key_faults
from pathfinder.answering.grounding.marks import SOURCE_ID, SOURCE_LINE
from pathfinder.answering.grounding.pasted_text import read_cited
from pathfinder.answering.grounding.sources import keys_of, source_text
from pathfinder.errors import UsageError
from pathfinder.llm.chat import complete, unreadable
from pathfinder.llm.chat import parse_json as parse_reply
from pathfinder.llm.prompts import render
from pathfinder.llm.stopping import check_stop
from pathfinder.models.ports import ChatModel, Embedder
from pathfinder.text.sentences import MOST_KEPT, split_sentences
from pathfinder.text.strict_json import parse_json
from pathfinder.types import CheckedSentence, Claim, Ledger, Paper, Source, Verdict

WORDS_ALONE = "only words were compared, not meanings: the embedder that ships with Pathfinder was not used"
TOO_MANY_MEANINGS = "the text and its sources are so long that some sentences were compared by their words alone"
CITES_NOTHING = "it cites nothing"
MOST_TO_CITE = 3
"""Number of sources that `best_evidence` names for one sentence."""


def check_text(
    text: str, sources: Sequence[Source], embedder: Embedder | None = None, most_embedded: int | None = None
) -> Ledger:
    """Check every sentence in `text` against those `sources` whose ids are in its citation marks: "... [1] ... [2, 3]."

    A sentence without citations is checked against all sources, and does not count towards recall. An id that belongs
    to no source supports nothing. At most `most_embedded` sentences are embedded; once there are more, only words are
    compared, and a note says for how many sentences. Raises `UsageError` for two sources with the same id, and
    `ReaderStopped` once nobody waits for the check any more.
    """
    sentences = read_cited(text, {source.source_id for source in sources})
    return check_sentences(sentences, sources, embedder, most_embedded)


def check_sentences(
    sentences: Sequence[tuple[str, tuple[str, ...]]],
    sources: Sequence[Source],
    embedder: Embedder | None = None,
    most_embedded: int | None = None,
) -> Ledger:
    """Check sentences, each with the ids that it cites, against `sources`, as `check_text` does."""
    vectors = SentenceVectors(embedder, most_embedded) if embedder else None
    return _check_sentences(sentences, _by_id([ParsedSource(source) for source in sources]), vectors)


def ledger_of(claims: Sequence[Claim], papers: Sequence[Paper], embedder: Embedder | None = None) -> Ledger:
    """Check the claims of an answer against the titles and abstracts of the papers on which it is based.

    Authors and years count as part of the papers, so that "Smith et al. (2021)" is found.
    """
    bylines = (", ".join([*paper.authors, *([str(paper.year)] if paper.year is not None else [])]) for paper in papers)
    sources = [_parsed(source_of(paper), byline) for paper, byline in zip(papers, bylines, strict=True)]
    vectors = SentenceVectors(embedder) if embedder else None
    return _check_sentences([(claim.text, claim.citations) for claim in claims], _by_id(sources), vectors)


def best_evidence(sentence: str, sources: Sequence[Source]) -> CheckedSentence:
    """Find the `sources` that support `sentence`, each on its own; cite the best three, if there are any, and check the
    sentence.
    """
    claim = ParsedSentence(sentence)
    parsed_sources = _by_id([ParsedSource(source) for source in sources])
    checks = [(source_id, check_claim(claim, [source])) for source_id, source in parsed_sources.items()]
    alone = sorted((entry for entry in checks if entry[1].is_supported), key=lambda entry: -entry[1].support)[
        :MOST_TO_CITE
    ]
    cited_ids = tuple(source_id for source_id, _ in alone)
    check = check_claim(claim, [parsed_sources[source_id] for source_id in cited_ids] or list(parsed_sources.values()))
    if not cited_ids and check.is_supported:
        # Several sources together contain its words, but none of them says all of it.
        check = EvidenceCheck(Verdict.PARTLY, check.support, check.evidence, ("no single source says all of it",))
    return CheckedSentence(
        sentence, cited_ids, check.verdict, check.evidence, check.reasons, needed=(True,) * len(cited_ids)
    )


def source_of(paper: Paper) -> Source:
    """Return a paper as a source with the paper's id."""
    return Source(paper.paper_id, paper.title, paper.abstract)


def _parsed(source: Source, byline: str) -> ParsedSource:
    return _kept_parsed(source, byline) if len(source.text) + len(byline) <= MOST_KEPT else ParsedSource(source, byline)


_kept_parsed = lru_cache(maxsize=256)(ParsedSource)  # the papers of one question are often those of the next


def _by_id(sources: Sequence[ParsedSource]) -> dict[str, ParsedSource]:
    _refuse_twins([source.source.source_id for source in sources], "the sources")
    return {source.source.source_id: source for source in sources}


def _check_sentences(
    sentences: Sequence[tuple[str, tuple[str, ...]]],
    sources: Mapping[str, ParsedSource],
    vectors: SentenceVectors | None,
) -> Ledger:
    claims = {text: ParsedSentence(text) for text, _ in sentences}
    stems = [frozenset[str](), *(claims[text].stems for text, _ in sentences), frozenset[str]()]

    @cache  # the same sentence among the same others has the same verdict
    def check(text: str, citations: tuple[str, ...], context_stems: frozenset[str]) -> CheckedSentence:
        check_stop()
        cited_ids = [source_id for source_id in citations if source_id in sources]
        unknown_sources = tuple(
            f"[{source_id}] is not among the sources" for source_id in citations if source_id not in sources
        )
        others = [source for source_id, source in sources.items() if source_id not in cited_ids] if cited_ids else []
        own = [sources[source_id] for source_id in cited_ids] if citations else list(sources.values())
        check = check_claim(claims[text], own, others, context_stems, vectors)
        reasons = (*unknown_sources, *check.reasons) if citations else (CITES_NOTHING, *check.reasons)
        are_needed = tuple(
            source_id in sources and _is_needed(claims[text], source_id, cited_ids, check, sources, vectors)
            for source_id in citations
        )
        return CheckedSentence(claims[text].text, citations, check.verdict, check.evidence, reasons, needed=are_needed)

    sentences_with_verdicts = [
        check(text, citations, before | behind)
        for (text, citations), before, behind in zip(sentences, stems, stems[2:], strict=False)
    ]
    if vectors is None:
        notes: tuple[str, ...] = (WORDS_ALONE,)
    elif vectors.n_left_out:
        notes = (f"{TOO_MANY_MEANINGS} ({vectors.n_left_out:,} comparisons): check it in parts",)
    else:
        notes = ()
    # Sentences without a citation do not count towards recall.
    are_needed = [is_needed for sentence in sentences_with_verdicts for is_needed in sentence.needed]
    are_recalled = [bool(s.citations) and s.verdict is Verdict.SUPPORTED for s in sentences_with_verdicts]
    precision = sum(are_needed) / len(are_needed) if are_needed else None
    recall = sum(are_recalled) / len(are_recalled) if are_recalled else None
    f1 = None
    if precision is not None and recall is not None:
        f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return Ledger(tuple(sentences_with_verdicts), precision, recall, f1, notes)


def _is_needed(
    claim: ParsedSentence,
    source_id: str,
    cited_ids: Sequence[str],
    together: EvidenceCheck,
    sources: Mapping[str, ParsedSource],
    vectors: SentenceVectors | None,
) -> bool:
    """Return whether a citation counts for precision: it supports the sentence on its own, or the sentence is not
    supported without it.
    """
    if not together.is_supported:
        return False
    others = [sources[other] for other in cited_ids if other != source_id]
    return (
        check_claim(claim, [sources[source_id]], vectors=vectors).is_supported
        or not check_claim(claim, others, vectors=vectors).is_supported
    )


# Input of an evidence check: a text and its sources, parsed strictly.

MOST_COMPARISONS = 600_000
"""Limit on the comparisons that others may have a server make for one text; they take up to two seconds."""
MOST_EMBEDDED = 100
"""Limit on the sentences that others may have a server embed for one text."""
_NAME_OR_NUMBER = re.compile(r"(?<!\w)[^\W_a-z]\w*+")
SHAPE = '{"text": "... [1].", "sources": [{"id": "1", "title": "...", "text": "..."}]}'

_Strict = ConfigDict(strict=True, extra="forbid", frozen=True)
_Words = Annotated[str, StringConstraints(pattern=r"\S")]


class _Source(BaseModel):
    model_config = _Strict

    id: Annotated[str, StringConstraints(pattern=SOURCE_ID)]
    title: str = ""
    text: _Words


class _CheckInput(BaseModel):
    model_config = _Strict

    text: _Words
    sources: tuple[_Source, ...]


def read_check_input(content: str | bytes, what: str) -> tuple[str, tuple[Source, ...]]:
    """Read the text and the sources from a JSON object `{"text": ..., "sources": [{"id", "title", "text"}]}`.

    An id is used in citation marks, so it must not contain brackets, commas or semicolons, or begin or end with white
    space; the title is optional. Raises a `UsageError` that mentions `what` for anything else: invalid JSON, an unknown
    field, a number as an id, an empty text, two sources with the same id.
    """
    try:
        # Some editors write a byte-order mark.
        plain = content.removeprefix(BOM_UTF8) if isinstance(content, bytes) else content.removeprefix("\ufeff")
        check_input = _CheckInput.model_validate_json(plain)
        parse_json(plain if isinstance(plain, str) else plain.decode())
    except ValidationError as error:
        raise UsageError(f"{what} cannot be checked ({_first(error)}): it must be {SHAPE}") from error
    except ValueError as error:
        raise UsageError(f"{what} cannot be checked ({error}): it must be {SHAPE}") from error
    _refuse_twins([source.id for source in check_input.sources], what)
    return check_input.text, tuple(Source(source.id, source.title, source.text) for source in check_input.sources)


def check_effort(text: str, sources: Sequence[Source]) -> None:
    """Raise `UsageError` if checking `text` against `sources` would keep a server busy for longer than a few seconds.

    Sentences are compared with sentences, and names and numbers with others: real texts of 20,000 characters, with
    their sources, stay far below the limit.
    """
    own, others = _parts(text), _parts("\n\n".join(f"{source.title}\n\n{source.text}" for source in sources))
    effort = sum(len(mine) * len(theirs) for mine, theirs in zip(own, others, strict=True))
    if effort > MOST_COMPARISONS:
        raise UsageError(
            f"checking this text against its sources takes {effort:,} comparisons, and at most {MOST_COMPARISONS:,} "
            "are made here: check it in parts, each with its own sources, or with `pathfinder check`"
        )


def _parts(text: str) -> tuple[set[str], set[str]]:
    return set(split_sentences(text)), set(_NAME_OR_NUMBER.findall(text))


def _first(error: ValidationError) -> str:
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"])
    message = first["msg"]
    if first["type"] == "string_pattern_mismatch":
        message = (
            "an id must not contain a bracket, comma or semicolon" if place.endswith("id") else "it contains no words"
        )
    return f"{place}: {message}" if place else message


def read_pasted(text: str, sources: str) -> tuple[str, tuple[Source, ...]]:
    """Read a pasted text and its sources, each of which begins with its mark on a new line: "[1] Title".

    The line with the mark is the title if another line follows, otherwise the text itself. Raises `UsageError` for an
    empty text, words before the first mark, a mark without words, or two sources with the same id.
    """
    if not text.strip():
        raise UsageError("there is no text to check: paste a paragraph with marks such as [1]")
    before, *parts = SOURCE_LINE.split(sources)
    if before.strip() or not parts:
        raise UsageError(
            "each source must begin with a mark: write [1] and the first source, then [2] and the second on a new line"
        )
    pasted_sources = [_source(source_id, body) for source_id, body in zip(parts[::2], parts[1::2], strict=True)]
    _refuse_twins([source.source_id for source in pasted_sources], "the sources")
    return text, tuple(pasted_sources)


def _source(source_id: str, body: str) -> Source:
    title, _, text = body.strip().partition("\n")
    if not title:
        raise UsageError(f"source [{source_id}] has no text: paste its text after its mark")
    return Source(source_id, title.strip(), text.strip()) if text.strip() else Source(source_id, "", title.strip())


def _refuse_twins(ids: Sequence[str], what: str) -> None:
    for source_id, n_sources in Counter(ids).items():
        if n_sources > 1:
            rule = "a mark must identify one source, so give each its own id"
            raise UsageError(f"{what}: two sources have the id {source_id!r}: {rule}")


# A chat model as a second judge of the evidence: its verdicts are shown alongside those of the local checker.


TOKENS_A_SENTENCE = 40
"""Number of reply tokens per sentence: a key, a verdict and the JSON around them take about 25."""
MORE_TOKENS = 200


@dataclass(frozen=True)
class _VerdictReply:
    __pydantic_config__ = ConfigDict(extra="forbid")

    key: str
    verdict: Verdict


@dataclass(frozen=True)
class _JudgeReply:
    __pydantic_config__ = ConfigDict(extra="forbid")

    verdicts: tuple[_VerdictReply, ...]


def judge_again(ledger: Ledger, chat: ChatModel) -> Ledger:
    """Add a `second_verdict` by `chat` on every sentence to `ledger`, in a single call; everything else stays the same.

    The model sees each sentence with the sentences that the local checker found for it in the sources. Raises a
    `ProviderError` for a reply that cannot be read or that does not judge every sentence exactly once, and keeps
    none of its verdicts. If there are no sentences, the model is not called.
    """
    if not ledger.sentences:
        return ledger
    claims = [_claim(sentence) for sentence in ledger.sentences]
    # The keys are derived from everything that the model is shown, so that no text can contain the key of a claim.
    keys = keys_of("\n".join(claims), [str(n) for n in range(len(claims))])
    blocks = [f'<claim key="{key}">\n{claim}\n</claim>' for key, claim in zip(keys.values(), claims, strict=True)]
    prompt = render("second_judge", claims="\n\n".join(blocks), n=str(len(blocks)))
    reply = complete(
        chat,
        render("second_judge_system"),
        prompt,
        temperature=0.0,
        max_tokens=MORE_TOKENS + TOKENS_A_SENTENCE * len(blocks),
        form=_JudgeReply,
    )
    entries = parse_reply(reply, _JudgeReply, chat).verdicts
    if faults := key_faults([entry.key for entry in entries], list(keys.values()), "verdict on"):
        raise unreadable(reply, faults, chat)
    verdicts = {entry.key: entry.verdict for entry in entries}
    sentences = [
        replace(sentence, second_verdict=verdicts[key])
        for sentence, key in zip(ledger.sentences, keys.values(), strict=True)
    ]
    return replace(ledger, sentences=tuple(sentences))


def _claim(sentence: CheckedSentence) -> str:
    sources = [f"Source: {source_text(item.sentence)}" for item in sentence.evidence]
    return "\n".join([f"Text: {source_text(sentence.text)}", *(sources or ["Source: none was found"])])
