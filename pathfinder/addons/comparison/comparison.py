"""Comparison tables: made with the chat model or, if there is none or it fails, from the papers' own sentences."""

import re
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated

import numpy as np
from pydantic import ConfigDict, Field

from pathfinder.addons.comparison.criteria import MAX_CRITERIA, Criterion, read_criteria, read_criterion
from pathfinder.addons.comparison.marking import PaperReader, criterion_cell
from pathfinder.addons.comparison.outcome import ComparisonCell, ComparisonRow, ComparisonTable, Mark
from pathfinder.answering.assessment.evidence.ledger import ledger_of
from pathfinder.answering.assessment.values.kinds import field_kinds
from pathfinder.answering.assessment.values.measured_sentence import MeasuredSentence, stated_numbers
from pathfinder.answering.assessment.values.stated_values import values_in
from pathfinder.answering.assessment.values.target import QuantityTarget, target_quantity
from pathfinder.answering.grounding.batches import MAX_REPLY_TOKENS, key_faults, prompt_room, read_in_batches
from pathfinder.answering.grounding.readings import Readings, find_quote
from pathfinder.answering.grounding.sources import CitationRegistry, as_sources, source_text
from pathfinder.answering.roles import SentenceRole, in_role
from pathfinder.corpus.wording import Abbreviation
from pathfinder.errors import BudgetExhausted, PathfinderError, UsageError
from pathfinder.index.words import content_stems, words
from pathfinder.llm.chat import REFUSALS, complete, finalise_calls, in_brief, parse_json, unreadable
from pathfinder.llm.prompts import render
from pathfinder.llm.stopping import drain
from pathfinder.models.ports import ChatModel, Embedder, TokenEmbedder
from pathfinder.profile import Profile, astronomy
from pathfinder.settings import LOCAL_EMBEDDER
from pathfinder.text.latex.display import readable
from pathfinder.text.sentences import sentence_spans
from pathfinder.types import Claim, FullTextPassage, Paper, SearchResult, StageOutcome, StageStatus

if TYPE_CHECKING:
    from pathfinder.facade import Pathfinder


# Columns of a comparison table, as the reader names them.

DEFAULT_COLUMNS = ("sample", "method", "result", "limitation")
MAX_COLUMNS, MAX_NAME = 8, 80
_VALUE_OF = re.compile(r"^(?:the )?values? (?:of|for) (?:the )?", re.IGNORECASE)


_NAMES = {
    SentenceRole.LIMITATION: "limitation limitations caveat caveats weakness weaknesses shortcoming shortcomings",
    SentenceRole.SAMPLE: "sample samples data dataset datasets observations survey surveys participants subjects",
    SentenceRole.METHOD: "method methods methodology approach technique techniques model models simulation simulations",
    SentenceRole.RESULT: "result results finding findings conclusion conclusions outcome outcomes answer answers",
}


@dataclass(frozen=True, slots=True)
class ComparisonColumn:
    """A column of a comparison table."""

    name: str
    role: SentenceRole | None
    """Role of the sentences that it lists; `None` for any other column."""
    target: QuantityTarget | None
    """Quantity whose values the column lists; `None` if it asks for sentences."""
    data: tuple[str, ...] = ()
    """Patterns for the field's own kinds of data, such as light curves, if the column lists samples."""
    criterion: Criterion | None = None
    """Criterion that the column marks as met or failed; `None` if the column describes the papers."""


def read_columns(names: Sequence[str], profile: Profile | None = None) -> tuple[ComparisonColumn, ...]:
    """Read the columns that a reader names, such as "sample", "value of the Hubble constant" or "telescope".

    Raises `UsageError` if there is none, if there are more than `MAX_COLUMNS`, or if a name is empty, too long or
    listed twice.
    """
    tidy_names = [" ".join(name.split()) for name in names]
    if not 1 <= len(tidy_names) <= MAX_COLUMNS:
        raise UsageError(f"a comparison table has 1 to {MAX_COLUMNS} columns, not {len(tidy_names)}")
    for name in tidy_names:
        if not 1 <= len(name) <= MAX_NAME:
            raise UsageError(f"the column {name[:MAX_NAME]!r} has {len(name)} characters: use 1 to {MAX_NAME}")
    lowercase_names = [name.casefold() for name in tidy_names]
    if twice := next((name for name in lowercase_names if lowercase_names.count(name) > 1), None):
        raise UsageError(f"the column {twice!r} is listed twice: name each column once")
    return tuple(_column(name, profile) for name in tidy_names)


def criterion_columns(
    criteria: Sequence[str], profile: Profile, abbreviations: Sequence[Abbreviation] = ()
) -> tuple[ComparisonColumn, ...]:
    """Return a column for each criterion, as a reader words it; `abbreviations` are those of the corpus.

    Raises `UsageError` if there are more than `MAX_CRITERIA`, or if one is empty or too long.
    """
    if len(criteria) > MAX_CRITERIA:
        raise UsageError(f"a table has at most {MAX_CRITERIA} criteria, not {len(criteria)}: leave some out")
    read = dict.fromkeys(read_criterion(text, profile, abbreviations) for text in criteria)
    return tuple(ComparisonColumn(criterion.text, None, None, criterion=criterion) for criterion in read)


def _column(name: str, profile: Profile | None) -> ComparisonColumn:
    words = set(re.findall(r"[a-z]+", name.casefold()))
    role = next((role for role, of_role in _NAMES.items() if words & set(of_role.split())), None)
    asks_for_value = _VALUE_OF.match(name) is not None
    if role is not None and not asks_for_value:
        data = (profile or astronomy()).names.data if role is SentenceRole.SAMPLE else ()
        return ComparisonColumn(name, role, None, data)
    target = target_quantity(f"What is the value of the {_VALUE_OF.sub('', name)}?", profile)
    return ComparisonColumn(name, None, target)


def comparison_table(
    pf: "Pathfinder",
    papers: SearchResult | Sequence[str],
    columns: Sequence[str] | None = None,
    criteria: Sequence[str] | None = (),
) -> ComparisonTable:
    """Compare papers column by column: the hits of a result, except those from live sources, or the papers with the
    given ids. The chat model writes each cell, with its quotation; without a chat model, cells hold sentences and
    values from the papers.

    A column can have any name, such as "value of the Hubble constant"; the default columns are sample, method,
    result and limitation, or none if there are criteria. A criterion, such as "z > 6" or "not simulations", is marked
    as met, failed or unknown, with the sentence that shows it; for `None`, the criteria are read from the question of
    the result. Raises `UsageError` for a paper that is not in the corpus.
    """
    if not isinstance(papers, SearchResult):
        return drain(stream_comparison_table(pf, papers, columns, criteria or ()))
    paper_ids = [hit.paper.paper_id for hit in papers.hits if hit.live is None]
    read = read_criteria(papers.request.query, pf.profile) if criteria is None else criteria
    table = drain(stream_comparison_table(pf, paper_ids, columns, read))
    n_live = len(papers.hits) - len(paper_ids)
    return replace(table, notes=(f"{n_live} papers from live sources are left out", *table.notes)) if n_live else table


def stream_comparison_table(
    pf: "Pathfinder", paper_ids: Sequence[str], columns: Sequence[str] | None = None, criteria: Sequence[str] = ()
) -> Generator[str, None, ComparisonTable]:
    """Like `comparison_table` for ids, but yield descriptions of its progress."""

    pf.moderate(*(columns or ()), *criteria)
    rows = pf.corpus.papers.known_rows(paper_ids)
    chat = pf.metered_chat("table")
    names = criterion_columns(criteria, pf.profile, pf.corpus.papers.wording.abbreviations) if criteria else ()
    if columns or not criteria:
        names += read_columns(DEFAULT_COLUMNS if columns is None else columns, pf.profile)
    index = pf.corpus.full_texts if criteria else None
    texts = {paper_id: index.passages_of(paper_id) for paper_id in paper_ids} if index else {}
    table = yield from stream_table(pf.corpus.papers.take(rows), names, chat, pf.sentence_embedder, texts)
    return replace(table, calls=finalise_calls(chat))


MAX_PAPERS = 100
Texts = Mapping[str, Sequence[FullTextPassage]]
"""Passages of full texts, by the id of their paper."""
NO_TEXTS: Texts = MappingProxyType({})


def stream_table(
    papers: Sequence[Paper],
    columns: Sequence[ComparisonColumn],
    chat: ChatModel | None,
    embedder: Embedder,
    texts: Texts = NO_TEXTS,
) -> Generator[str, None, ComparisonTable]:
    """Yield progress messages, and return the table: a row for each of `papers`, in order, and a column for each of
    `columns`. Only criteria are looked up in the full texts.

    If the chat model fails, all cells are filled from the papers' own sentences; if its budget is spent, only those
    that it has not written. A note gives the reason.
    Raises `UsageError` if there are no papers, or more than `MAX_PAPERS`.
    """
    if not 1 <= len(papers) <= MAX_PAPERS:
        raise UsageError(f"a comparison table has 1 to {MAX_PAPERS} papers, not {len(papers)}: choose some of them")
    cells: list[Cells] = []
    status = StageStatus("table", None, StageOutcome.SUBSTITUTED, "no chat model is set")
    notes: list[str] = []
    if chat is not None:
        cells, status, notes = yield from _by_model(papers, columns, chat, embedder, texts)
    cells += [cells_of(paper, columns, embedder, texts) for paper in papers[len(cells) :]]
    if n_titles := sum(not paper.has_abstract and not texts.get(paper.paper_id) for paper in papers):
        notes.append(f"{n_titles} of the papers have no abstract in this corpus, so their rows are empty")
    rows = [ComparisonRow(paper, row) for paper, row in zip(papers, cells, strict=True)]
    rows.sort(key=lambda row: (-row.holds(Mark.YES), row.holds(Mark.NO)))
    return ComparisonTable(
        columns=tuple(column.name for column in columns),
        rows=tuple(rows),
        model=status.model,
        notes=tuple(notes),
        status=status,
        criteria=tuple(column.name for column in columns if column.criterion),
    )


Cells = tuple[ComparisonCell | None, ...]


def _by_model(
    papers: Sequence[Paper], columns: Sequence[ComparisonColumn], chat: ChatModel, embedder: Embedder, texts: Texts
) -> Generator[str, None, tuple[list[Cells], StageStatus, list[str]]]:
    """Return the cells, the outcome and notes; cells for which the chat model had no budget left hold sentences."""
    cells: list[Cells] = []
    n_written = 0
    failure: PathfinderError | None = None
    try:
        for batch in cells_by_model(papers, columns, chat, embedder, texts):
            cells += batch.rows or [cells_of(paper, columns, embedder, texts) for paper in batch.papers]
            n_written, failure = n_written + len(batch.rows), failure or batch.failure
            yield f"{len(cells)} of {len(papers)} papers"
    except REFUSALS as error:
        cells, n_written, failure = [], 0, error
    if failure is None:
        return cells, StageStatus("table", chat.name, StageOutcome.RAN), []
    model, note = None, f"no cell was written by the chat model: {failure}"
    if n_written:
        model = chat.name
        note = (
            f"the chat model wrote the cells of {n_written} of {len(papers)} papers; the other cells hold sentences: "
            f"{failure}"
        )
    return cells, StageStatus("table", model, StageOutcome.SUBSTITUTED, in_brief(failure, chat.name)), [note]


# Cells without a chat model: the sentence from the abstract that suits the column best, or the values stated there.

LEAST_COSINE = 0.3
"""Minimum cosine similarity of a sentence to the name of a column that has no role."""
MAX_NUMBERS = 3


def cells_of(
    paper: Paper, columns: Sequence[ComparisonColumn], embedder: Embedder, texts: Texts = NO_TEXTS
) -> tuple[ComparisonCell | None, ...]:
    """Return a cell for each column; `None` where no sentence in the abstract suits it."""
    sentences = [paper.abstract[start:end] for start, end in sentence_spans(paper.abstract)]
    local = embedder if isinstance(embedder, TokenEmbedder) and embedder.name == LOCAL_EMBEDDER else None
    reader = PaperReader(paper, texts.get(paper.paper_id, ()), local)
    return tuple(
        criterion_cell(column.criterion, reader) if column.criterion else _cell(paper, sentences, column, embedder)
        for column in columns
    )


def numbers_in(sentence: str) -> tuple[str, ...]:
    """Return the first few numbers in a sentence that have a unit or an uncertainty and are not quoted, as written."""
    stated, _ = stated_numbers(MeasuredSentence(sentence, 0, field_kinds()))
    return tuple(readable(sentence[each.start : each.end]) for each in stated)[:MAX_NUMBERS]


def _cell(
    paper: Paper, sentences: Sequence[str], column: ComparisonColumn, embedder: Embedder
) -> ComparisonCell | None:
    if not sentences:
        return None
    if column.target is not None:
        candidates = values_in(column.target, paper.paper_id, paper.title, paper.abstract, authors=paper.authors)
        if not candidates:
            return None
        own = next((each for each in candidates if not each.is_part), candidates[0])
        text = readable(paper.abstract[own.stated_value.start : own.stated_value.end])
        return ComparisonCell(text, paper.abstract[own.sentence_start : own.sentence_end], (text,))
    if column.role is None:
        sentence = _closest(sentences, column.name, embedder)
    else:
        sentence = in_role(paper, column.role, column.data)
    return None if sentence is None else ComparisonCell(readable(sentence), sentence, numbers_in(sentence))


def _closest(sentences: Sequence[str], name: str, embedder: Embedder) -> str | None:
    """Return the sentence closest in meaning to the name of a column, preferring one that contains its words."""
    stems = content_stems(name)
    cosines = embedder.embed(sentences, "document") @ embedder.embed([name], "query")[0]
    n_shared = np.array([len(stems & content_stems(sentence)) for sentence in sentences])
    best = int(np.lexsort((cosines, n_shared))[-1])
    return sentences[best] if n_shared[best] or cosines[best] >= LEAST_COSINE else None


# Cells written by a chat model, each with a quotation looked up in the paper and a verdict from the ledger.

BATCH = 4
"""Number of papers per call."""
TOKENS_A_PAPER = 900
"""Number of tokens allowed for each paper: a long abstract and the cells of its row."""
MAX_TEXT = 600
ASKS_MARK = "Does the paper's own work meet this criterion, as the quote shows (yes, no, or empty)?"
"""Words before a criterion in a prompt."""


@dataclass(frozen=True)
class _CellReply:
    __pydantic_config__ = ConfigDict(extra="forbid")

    text: Annotated[str, Field(max_length=MAX_TEXT)]
    quote: Annotated[str, Field(max_length=5_000)]


@dataclass(frozen=True)
class _RowReply:
    __pydantic_config__ = ConfigDict(extra="forbid")

    key: str
    cells: tuple[_CellReply, ...]


@dataclass(frozen=True)
class _TableReply:
    __pydantic_config__ = ConfigDict(extra="forbid")

    rows: tuple[_RowReply, ...]


@dataclass(frozen=True, slots=True)
class BatchCells:
    """The cells for a batch of papers."""

    papers: Sequence[Paper]
    rows: tuple[Cells, ...]
    """Cells of each paper; empty if the budget was spent."""
    failure: BudgetExhausted | None = None
    """The reason why there are no cells; `None` if there are."""


def cells_by_model(
    papers: Sequence[Paper],
    columns: Sequence[ComparisonColumn],
    chat: ChatModel,
    embedder: Embedder | None,
    texts: Texts = NO_TEXTS,
) -> Iterator[BatchCells]:
    """Yield the cells for `papers`, in order, one batch at a time; up to four batches run at once.

    Raises a `ProviderError` for a reply that cannot be read, or that does not have one row for each paper in its batch
    with one cell for each column.
    """

    def read(batch: Sequence[Paper]) -> BatchCells:
        try:
            return BatchCells(batch, _read(batch, columns, chat, embedder, texts))
        except BudgetExhausted as error:  # batches that run at the same time may have stayed within the budget
            return BatchCells(batch, (), error)

    yield from read_in_batches(papers, read, chat, BATCH, TOKENS_A_PAPER)


def _read(
    papers: Sequence[Paper],
    columns: Sequence[ComparisonColumn],
    chat: ChatModel,
    embedder: Embedder | None,
    texts: Texts,
) -> tuple[Cells, ...]:
    names = [source_text(f"{ASKS_MARK} {column.name}" if column.criterion else column.name) for column in columns]
    registry = CitationRegistry("; ".join(names), tuple(papers))
    own = ((paper.paper_id, texts.get(paper.paper_id, ())) for paper in papers)
    readings = Readings({name: _passages_for(columns, passages) for name, passages in own if passages})
    n_passages = sum(map(len, readings.passages.values()))
    prompt = render(
        "table",
        sources=as_sources(
            registry, papers, prompt_room(chat), full_texts=readings.passages, n_full_texts=n_passages
        ).text,
        n=str(len(papers)),
        columns="\n".join(f"{place}. {name}" for place, name in enumerate(names, start=1)),
        n_columns=str(len(names)),
    )
    system = render("table_system")
    reply = complete(chat, system, prompt, temperature=0.0, max_tokens=MAX_REPLY_TOKENS, form=_TableReply)
    rows = parse_json(reply, _TableReply, chat).rows
    keys = [registry.key(paper.paper_id) for paper in papers]
    if faults := key_faults([row.key for row in rows], keys, "row for"):
        raise unreadable(reply, faults, chat)
    if wrong := next((row for row in rows if len(row.cells) != len(columns)), None):
        raise unreadable(reply, f"a row has {len(wrong.cells)} cells for {len(columns)} columns", chat)
    cells = {row.key: row.cells for row in rows}
    return tuple(
        tuple(
            _cell_of(cell, column, paper, readings, embedder) for column, cell in zip(columns, cells[key], strict=True)
        )
        for key, paper in zip(keys, papers, strict=True)
    )


def _passages_for(
    columns: Sequence[ComparisonColumn], passages: Sequence[FullTextPassage]
) -> tuple[FullTextPassage, ...]:
    """Return, for each criterion, the first of the passages that have most of its words, if any has one."""
    own = [content_stems(passage.text) for passage in passages]
    wanted = [content_stems(column.criterion.phrase) for column in columns if column.criterion]
    counts = ([len(words & of_passage) for of_passage in own] for words in wanted)
    return tuple(dict.fromkeys(passages[int(np.argmax(shared))] for shared in counts if any(shared)))


def _cell_of(
    reply: _CellReply, column: ComparisonColumn, paper: Paper, readings: Readings, embedder: Embedder | None
) -> ComparisonCell | None:
    """Return a cell with its quotation, which is looked up in what was read of the paper; `None` if it has no text. The
    mark of a criterion is "unknown" without a quotation.
    """
    text, read = " ".join(reply.text.split()), readings.read(paper)
    if column.criterion is None and not text:
        return None
    quotation = find_quote(reply.quote, read) or ""
    passage = readings.passage_with(paper, quotation) if quotation else None
    place = passage.address if passage else ""
    if column.criterion is None:
        sentence = text if text.endswith((".", "!", "?")) else f"{text}."
        (checked_sentence,) = ledger_of([Claim(sentence, (read.paper_id,))], [read], embedder).sentences
        return ComparisonCell(text, quotation, numbers_in(quotation), checked_sentence.verdict, place)
    said = next((mark for mark in (Mark.YES, Mark.NO) if words(text)[:1] == [mark.value]), None)
    if said is None or not quotation:
        return ComparisonCell(Mark.UNKNOWN, "", mark=Mark.UNKNOWN)
    return ComparisonCell(said, quotation, place=place, mark=said)
