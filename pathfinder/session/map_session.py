"""The map of an open corpus, its layers and its hypotheses."""

from collections.abc import Generator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from pathfinder.errors import ProviderError, UsageError
from pathfinder.llm.streams import drain
from pathfinder.session.corpus_session import CorpusSession
from pathfinder.types import Answer, Consensus, Hypotheses, Hypothesis, SearchResult

if TYPE_CHECKING:
    from pathfinder.landscape.data.atlas import Atlas
    from pathfinder.landscape.data.landscape import Landscape
    from pathfinder.landscape.data.layer import Layer, LayerInfo, UnavailableLayer
    from pathfinder.landscape.data.map_data import MapData
    from pathfinder.shelves.shelf import Shelf


class MapSession(CorpusSession):
    """An open corpus with its map."""

    @property
    def landscape(self) -> "Landscape | None":
        """The map of the corpus; `None` if the corpus is too small to have one. The map as of a given year has the same
        frame as the whole map.
        """
        return self.view.landscape

    @property
    def atlas(self) -> "Atlas | None":
        """The drawn parts of the map; `None` if there are none: `corpus.absent["atlas"]` says how to get them.

        As of a given year, they are drawn from the papers up to that year.
        """
        return self.view.atlas

    @property
    def map_data(self) -> "MapData | None":
        """Positions, years and papers of the map, from which layers are computed; `None` if there is no map."""
        return self.view.map_data

    @property
    def drawn_map(self) -> "MapData":
        """`map_data` together with the drawn parts (tiles, names, peaks), for pictures and cards. Raises `CorpusError`
        for a corpus without a map.
        """
        return self.view.drawn_map

    @property
    def survey(self) -> "MapData | None":
        """Alias of `map_data`, under its name in 0.1.0."""
        return self.map_data

    @property
    def chart(self) -> "MapData":
        """Alias of `drawn_map`, under its name in 0.1.0."""
        return self.drawn_map

    def capsule(
        self,
        result: SearchResult,
        *,
        answer: Answer | None = None,
        consensus: Consensus | None = None,
        shelf: "Shelf | None" = None,
    ) -> bytes:
        """Return a capsule of the question of `result`: the bytes of a file that `open_capsule` opens anywhere, with
        the candidates, the answer, the consensus and a shelf.

        Prompts and replies of the chat model are included if the session was opened `for_question`. Texts that must not
        be passed on are left out, and so is every key and path that this process knows.
        """
        from pathfinder.session.capsule import capsule_of
        from pathfinder.settings import read_settings

        texts = self.call_log.texts if self.call_log is not None else ()
        own = self.of(result)
        coordinates = None if own.landscape is None else own.landscape.coordinates
        licences = {paper_id: text.licence for paper_id, text in own.full_texts.texts.items()}
        return capsule_of(own.corpus, coordinates, licences, result, answer, consensus, texts, shelf, read_settings())

    def hypotheses(
        self, about: SearchResult | None = None, *, paper_ids: Sequence[str] = (), n: int = 20
    ) -> Hypotheses:
        """Find up to `n` (1 to 200) pairs of concepts that are never keywords of the same paper although they share
        more associated concepts than chance would explain; highest score first.

        No paper with one of the two among its keywords mentions the other in its title or abstract; papers with neither
        keyword, and full texts, are not read.

        The pairs come from the whole corpus, or include a concept from the best 50 matches of `about`, or from
        `paper_ids`. Raises `UsageError` if both are given, or if a paper is not in the corpus.
        """
        return drain(self.stream_hypotheses(about, paper_ids=paper_ids, n=n))

    def stream_hypotheses(
        self, about: SearchResult | None = None, *, paper_ids: Sequence[str] = (), n: int = 20
    ) -> Generator[str, None, Hypotheses]:
        """Like `hypotheses`, but yield descriptions of its progress."""
        from pathfinder.hypotheses.find import stream_hypotheses
        from pathfinder.hypotheses.topic import topic_of

        if about is not None and paper_ids:
            raise UsageError("hypotheses are about a question or about papers: give one or the other")
        own = self if about is None else self.of(about)
        papers, terms = own.corpus.papers, own.corpus.terms
        topic = topic_of(papers, about, paper_ids)
        return (yield from stream_hypotheses(papers, terms, own.map_data, topic, n))

    def write_hypothesis(self, hypothesis: Hypothesis) -> Hypothesis:
        """Let the chat model write the statement of `hypothesis`: each clause is cited and checked by the ledger, or
        marked as a conjecture.

        Raises a `ProviderError` if there is no chat model; if the model fails, the statement stays as it was, with a
        note.
        """
        from pathfinder.hypotheses.by_model import write_statement
        from pathfinder.llm.metered_chat import finalise_calls

        chat = self._metered_chat("hypothesis")
        if chat is None:
            raise ProviderError(
                "only a chat model can write this statement, and none is set: set PATHFINDER_CHAT_MODEL"
            )
        statement = write_statement(hypothesis, chat, self.sentence_embedder)
        return replace(statement, calls=finalise_calls(chat))

    def layers(self) -> "tuple[LayerInfo | UnavailableLayer, ...]":
        """List the layers that are available for the map and, with the reason and the way to get them, those that are
        not.
        """
        from pathfinder.landscape.layers.registry import list_layers

        return list_layers(self.map_data) if self.map_data else (self._no_map("map"),)

    def layer(self, slug: str, years: tuple[int | None, int | None] | None = None) -> "Layer | UnavailableLayer":
        """Read or compute a layer of the map, such as "growth", "mission:jwst", "topic:galaxies" or "author:Riess, A".

        Layers without options were computed when the corpus was built; the others are computed on request, for `years`
        (both inclusive) if they depend on years. Raises `UsageError` for an unknown slug.
        """
        from pathfinder.landscape.layers.registry import layer

        return layer(self.map_data, slug, years) if self.map_data else self._no_map(slug)

    def found_layer(self, result: SearchResult) -> "Layer | UnavailableLayer":
        """Show the hits of `result` on the map, with their ranks, and mark the outliers among them."""
        from pathfinder.landscape.layers.own_papers import found_layer

        map_data = self.of(result).map_data
        return found_layer(map_data, result) if map_data else self._no_map("found")

    def _no_map(self, slug: str) -> "UnavailableLayer":
        from pathfinder.landscape.data.layer import UnavailableLayer

        return UnavailableLayer(slug, "The map", self.corpus.absent.get("landscape", "this corpus has no map"))
