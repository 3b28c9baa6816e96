"""A package outside Pathfinder that adds one toy of each kind, as another project would."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import streamlit as st
import typer

from pathfinder.answering.modes.base import AnswerMode, Need
from pathfinder.answering.session.answer_session import AnswerSession
from pathfinder.answering.session.draft import AnswerStream, DraftAnswer
from pathfinder.corpus.readers.reader import Reader
from pathfinder.facade import Pathfinder
from pathfinder.landscape.data.layer import Layer, Mark
from pathfinder.landscape.data.map_data import MapData
from pathfinder.landscape.layers.base import LayerKind, Listing
from pathfinder.models.fake import HashEmbedder, ScriptedChat, WordReranker
from pathfinder.retrieval.factors import RankingFactor
from pathfinder.retrieval.factors.factor import Pool
from pathfinder.settings import Settings
from pathfinder.sources.kind import Access, Row, SourceKind, Window
from pathfinder.sources.spec import SourceSpec
from pathfinder.types import Claim, Floats, Paper, TextDelta
from pathfinder.ui.shared.panels import Panel

PATHFINDER_API = 1


def read_lines(path: Path) -> Iterator[tuple[int, dict[str, object]]]:
    """Read papers from lines such as "p1 | Galaxies form | 2019"."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        paper_id, title, year = (cell.strip() for cell in line.split("|"))
        yield number, {"id": paper_id, "title": title, "year": int(year)}


reader = Reader("toy lines", (".toy",), read_lines)


def read_toys(spec: SourceSpec, _window: Window, _access: Access) -> Iterator[Row]:
    """Yield a paper for each word of the source."""
    for number, word in enumerate(spec.rest.split(), start=1):
        yield number, Paper(f"toy-{number}", f"A toy {word}", f"This {word} is made of wood.")


source = SourceKind(
    "toys",
    "Toy papers",
    "toys:WORD...",
    ("toys:bear train",),
    "titles and abstracts",
    "They are toys.",
    "nothing",
    read_toys,
)


class Embedders:
    """The vendor `toybox` of embedders."""

    @staticmethod
    def from_settings(model: str, _settings: Settings) -> HashEmbedder:
        return HashEmbedder(int(model))


class Rerankers:
    """The vendor `toybox` of rerankers."""

    @staticmethod
    def from_settings(_model: str, _settings: Settings) -> WordReranker:
        return WordReranker()


class ChatModels:
    """The vendor `toybox` of chat models."""

    @staticmethod
    def from_settings(model: str, _settings: Settings) -> ScriptedChat:
        return ScriptedChat([f"a toy called {model} speaks"])


def stream_titles(session: AnswerSession) -> AnswerStream:
    """Answer with the title of the first hit."""
    paper = session.result.hits[0].paper
    yield TextDelta(paper.title)
    return DraftAnswer(paper.title, (Claim(paper.title, (paper.paper_id,)),), "toy titles", sources=(paper,))


mode = AnswerMode(
    "toy-titles", "Toy: a title", "Answers with the title of the first hit.", "toys", stream_titles, needs=(Need.HITS,)
)


def brevity(pool: Pool) -> Floats:
    """Measure how short the title of each candidate is: 1 / (1 + number of characters)."""
    return np.array([1.0 / (1.0 + len(pool.corpus.papers[int(row)].title)) for row in pool.candidates.rows])


factor = RankingFactor("brevity", "toy brevity", "Favours papers with short titles.", "1 / (1 + n)", measure=brevity)


def list_corners(_map_data: MapData) -> Listing:
    return (CORNER.info(),)


def compute_corner(_map_data: MapData) -> Layer:
    """Mark the origin of the map."""
    return Layer(CORNER.slug, CORNER.title, "The origin of the map.", marks=(Mark(0.0, 0.0, "the origin", "#e69f00"),))


CORNER = LayerKind(
    "toycorner", "Toy corner", "Marks the origin.", "Toys", 900, ("landscape",), list_corners, compute_corner
)


def count_toys(pf: Pathfinder) -> int:
    """Count the papers, all of which are toys."""
    return len(pf.corpus.papers)


def list_toys() -> None:
    """Name the toys."""
    typer.echo("bear, train")


def greet() -> None:
    """Draw a greeting."""
    st.markdown("Toys say hello.")


def break_down() -> None:
    """Fail while the page is drawn."""
    raise RuntimeError("the toy broke")


def list_papers(_pf: Pathfinder, paper_ids: Sequence[str]) -> None:
    """Draw how many papers there are."""
    st.markdown(f"{len(paper_ids)} toys listed.")


trial = Panel(90, "Toys", ":material/toys:", greet)
