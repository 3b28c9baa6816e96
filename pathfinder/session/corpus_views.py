"""An open corpus as it is now and as of earlier years, each with its map; the years requested most recently stay open
for whoever asks next.
"""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from threading import Lock, RLock
from typing import TYPE_CHECKING

from pathfinder.corpus.store import Corpus
from pathfinder.errors import CorpusError

if TYPE_CHECKING:
    from pathfinder.landscape.data.atlas import Atlas
    from pathfinder.landscape.data.landscape import Landscape
    from pathfinder.landscape.data.map_data import MapData

MAX_YEARS = 3
"""Number of years kept open besides the whole corpus: each has its own copy of the table of papers in memory."""


class CorpusView:
    """A corpus, whole or as of a given year, with its map, which is opened or drawn when it is first needed."""

    def __init__(self, corpus: Corpus, whole: "CorpusView | None" = None) -> None:
        self.corpus = corpus
        self._whole = whole
        self._lock = RLock()

    @cached_property
    def landscape(self) -> "Landscape | None":
        """See `MapSession.landscape`."""
        from pathfinder.landscape.data.landscape import landscape_as_of, open_landscape

        if self._whole is not None:
            whole = self._whole.landscape
            return None if whole is None else landscape_as_of(whole, self.corpus)
        folder = self.corpus.path("landscape")
        return None if folder is None else open_landscape(folder)

    def draw(self) -> None:
        """Draw the map now, if that has not been done."""
        with self._lock:
            self._atlas  # noqa: B018  it is drawn when it is first read

    @property
    def atlas(self) -> "Atlas | None":
        """See `MapSession.atlas`."""
        with self._lock:  # drawing takes seconds, and two visitors may ask for the map at once
            return self._atlas

    @cached_property
    def _atlas(self) -> "Atlas | None":
        from pathfinder.landscape.drawing.atlas_files import open_atlas

        if self._whole is not None:
            return self._drawn_again() if self._whole.atlas is not None else None
        folder = self.corpus.path("atlas")
        return None if folder is None else open_atlas(folder)

    def _drawn_again(self) -> "Atlas | None":
        from pathfinder.building.map import draw

        return None if self.landscape is None else draw(self.landscape, self.corpus.papers, self.corpus.terms)

    @cached_property
    def map_data(self) -> "MapData | None":
        """See `MapSession.map_data`."""
        from pathfinder.landscape.data.map_data import map_data_of
        from pathfinder.landscape.data.map_data_as_of import map_data_as_of

        if self.landscape is None:
            return None
        if self._whole is not None and self._whole.map_data is not None:
            return map_data_as_of(self._whole.map_data, self.corpus, self.landscape)
        return map_data_of(self.corpus, self.landscape)

    @cached_property
    def drawn_map(self) -> "MapData":
        """See `MapSession.drawn_map`."""
        map_data, atlas = self.map_data, self.atlas
        if map_data is None or atlas is None:
            missing = "landscape" if map_data is None else "atlas"
            raise CorpusError(f"this corpus has no map to draw: {self.corpus.absent.get(missing, 'build it again')}")
        return replace(map_data, opened_atlas=atlas)


class CorpusViews:
    """The whole corpus, and the years requested most recently. Threads may share it."""

    def __init__(self, corpus: Corpus) -> None:
        self.whole = CorpusView(corpus)
        self._years: OrderedDict[int, CorpusView] = OrderedDict()
        self._lock, self._making = Lock(), Lock()

    def as_of(self, year: int | None, make: Callable[[Corpus, int], Corpus]) -> CorpusView:
        """Return the corpus as of the end of `year`; `None` is the whole corpus. `make` creates it if necessary."""
        if year is None:
            return self.whole
        if (view := self._open(year)) is not None:
            return view
        with self._making:  # making a view takes seconds; meanwhile, others may still read the years that are open
            view = self._open(year) or CorpusView(make(self.whole.corpus, year), self.whole)
            with self._lock:
                self._years[year] = view
                while len(self._years) > MAX_YEARS:
                    self._years.popitem(last=False)
            return view

    def _open(self, year: int) -> CorpusView | None:
        """Return the view of a year if it is open; it then counts as the one requested most recently."""
        with self._lock:
            if year in self._years:
                self._years.move_to_end(year)
            return self._years.get(year)
