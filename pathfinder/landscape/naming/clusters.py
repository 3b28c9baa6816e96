"""Finds the clusters of the map, one around each peak of the density, and names them after their keywords."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from pathfinder.answering.grounding.sources import source_text
from pathfinder.corpus.papers import PaperTable
from pathfinder.errors import ProviderError
from pathfinder.index.terms import KeywordIndex
from pathfinder.landscape.data.landscape import LABEL_LEVELS, SCALES, Label
from pathfinder.landscape.density import Grid, basin_of
from pathfinder.landscape.statistics.keywords import MAX_LETTERS, Phrase, phrases_of_parts
from pathfinder.llm.chat import REFUSALS, complete, in_brief, parse_json
from pathfinder.llm.prompts import render
from pathfinder.models.ports import ChatModel
from pathfinder.types import Floats, Rows

MIN_SHARE: Mapping[int, float] = MappingProxyType({1: 0.01, 2: 0.002, 3: 0.0004})
"""Minimum share of all papers that a cluster of each level needs in order to be named."""
MIN_PAPERS = 5
"""Minimum number of papers that a cluster needs in order to be named, however small the corpus."""
MAX_UNIT_LENGTH = 3
"""A first word of at most this many letters may be a unit ("kpc") and stays in lower case."""
N_PHRASES = 4
"""Number of phrases kept for each cluster, in case its first phrase goes to another cluster."""
N_CENTRAL = 8
"""Number of papers nearest to the peak that a chat model is shown when it names a cluster."""


@dataclass(frozen=True, slots=True)
class MapCluster:
    """The papers around a peak of the density."""

    x: float
    y: float
    level: int
    n_papers: int
    phrases: tuple[Phrase, ...]
    """Its phrases, the best first."""
    central: tuple[int, ...]
    """Rows of the papers nearest to the peak."""


def find_clusters(
    coordinates: NDArray[np.float32],
    grid: Grid,
    densities: Mapping[str, Floats],
    index: KeywordIndex,
    papers: PaperTable,
) -> tuple[MapCluster, ...]:
    """Find the clusters of all levels that have phrases: continents first and, within a level, the largest first."""
    clusters: list[MapCluster] = []
    for level, scale in zip(LABEL_LEVELS, SCALES, strict=True):
        peak_of = basin_of(coordinates, grid, densities[scale])
        peaks, cluster_of, sizes = _large_enough(peak_of, MIN_SHARE[level])
        phrases = phrases_of_parts(index, papers, cluster_of, len(peaks), N_PHRASES)
        finer = Grid(grid.extent, *densities[scale].shape)
        for number in np.lexsort((peaks, -sizes)):
            x, y = finer.centre(int(peaks[number]))
            rows = np.flatnonzero(cluster_of == number)
            distances = ((coordinates[rows] - np.array((x, y))) ** 2).sum(axis=1)
            central = tuple(rows[np.lexsort((rows, distances))[:N_CENTRAL]].tolist())
            if phrases[number]:
                clusters.append(MapCluster(x, y, level, int(sizes[number]), phrases[number], central))
    return tuple(clusters)


def name_by_keywords(clusters: Sequence[MapCluster]) -> tuple[Label, ...]:
    """Label each cluster with one of its phrases; a cluster whose phrases are all taken gets no label. The labels keep
    the order of `clusters`.

    A phrase shared by several clusters of a level goes to the one that it fits best; continents choose first,
    then countries, then towns.
    """
    candidates = [
        (cluster.level, -phrase.score, place, phrase)
        for place, cluster in enumerate(clusters)
        for phrase in cluster.phrases
    ]
    names: dict[int, str] = {}
    used_lemmas: set[tuple[str, ...]] = set()
    for _, _, place, phrase in sorted(candidates, key=lambda candidate: candidate[:3]):
        if place not in names and phrase.lemmas not in used_lemmas:
            names[place] = phrase.text
            used_lemmas.add(phrase.lemmas)
    return tuple(
        Label(cluster.x, cluster.y, _capitalise(names[place]), cluster.level, 0.0, cluster.n_papers)
        for place, cluster in enumerate(clusters)
        if place in names
    )


def _capitalise(phrase: str) -> str:
    """Capitalise `phrase`, unless its first word may be a symbol ("pH") or a unit ("kpc")."""
    first = phrase.split(" ", 1)[0]
    is_word = first.isalpha() and first.islower() and len(first) > MAX_UNIT_LENGTH
    return phrase[0].upper() + phrase[1:] if is_word else phrase


def _large_enough(peak_of: Rows, min_share: float) -> tuple[Rows, Rows, Rows]:
    """Return the peaks with enough papers, the index of each paper's peak among them (or -1), and the sizes of their
    clusters.
    """
    peaks, sizes = np.unique(peak_of[peak_of >= 0], return_counts=True)
    is_large = sizes >= max(MIN_PAPERS, min_share * len(peak_of))
    peaks, sizes = peaks[is_large], sizes[is_large]
    place = np.searchsorted(peaks, peak_of)
    return peaks, np.where(np.isin(peak_of, peaks), place, -1), sizes


# Names the clusters of the map with a chat model; a cluster that the model names badly keeps its keywords.

CLUSTERS_PER_CALL = 12
MAX_REPLY_TOKENS = 600
MAX_WORDS, MIN_LETTERS = 4, 3
_FORBIDDEN_CHARACTERS = frozenset('<>{}[]`|\\"')
"""Characters found in markup and malformed replies but in no topic's name."""


@dataclass(frozen=True, slots=True)
class _NameEntry:
    key: str
    name: str


@dataclass(frozen=True, slots=True)
class _NameReply:
    names: tuple[_NameEntry, ...]


def name_by_model(
    clusters: Sequence[MapCluster],
    keyword_labels: Sequence[Label],
    papers: PaperTable,
    chat: ChatModel,
    say: Callable[[str], None],
) -> tuple[Label, ...]:
    """Rename `keyword_labels`, the labels of `clusters`, as suggested by `chat`; each new label records the model that
    chose it.

    If a reply cannot be read or the model cannot be used, the clusters concerned keep their keywords, and `say`
    receives the reason. A name that is malformed, or already used for another cluster, is rejected.
    """
    by_place = {(cluster.x, cluster.y, cluster.level): cluster for cluster in clusters}
    new_labels: list[Label] = []
    for start in range(0, len(keyword_labels), CLUSTERS_PER_CALL):
        batch = keyword_labels[start : start + CLUSTERS_PER_CALL]
        try:
            names = _request_names([by_place[label.x, label.y, label.level] for label in batch], papers, chat)
        except REFUSALS as error:
            say(f"{len(batch)} names of the map stay keywords: {in_brief(error, chat.name)}")
            names = {}
        used_names = {label.text.casefold() for label in (*new_labels, *keyword_labels[start + len(batch) :])}
        new_labels.extend(_rename(batch, names, used_names, chat.name))
    return tuple(new_labels)


def _request_names(clusters: Sequence[MapCluster], papers: PaperTable, chat: ChatModel) -> dict[str, str]:
    """Ask the model for a name for each cluster, keyed by the cluster's number: "1" for the first."""
    parts = "\n\n".join(_prompt_part(str(key), cluster, papers) for key, cluster in enumerate(clusters, 1))
    prompt = render("name_labels", parts=parts)
    system = render("name_labels_system")
    reply = complete(chat, system, prompt, temperature=0.0, max_tokens=MAX_REPLY_TOKENS, form=_NameReply)
    names = parse_json(reply, _NameReply, chat).names
    expected_keys = [str(key) for key in range(1, len(clusters) + 1)]
    if sorted(entry.key for entry in names) != sorted(expected_keys):
        raise ProviderError(
            f"{chat.name} did not name each of the {len(clusters)} clusters exactly once: "
            "try again, or choose another model"
        )
    return {entry.key: " ".join(entry.name.split()) for entry in names}


def _prompt_part(key: str, cluster: MapCluster, papers: PaperTable) -> str:
    phrases = "; ".join(source_text(phrase.text) for phrase in cluster.phrases)
    titles = "\n".join(f"- {source_text(papers[row].title)}" for row in cluster.central)
    return f'<part key="{key}">\nPhrases: {phrases}\nTitles:\n{titles}\n</part>'


def _rename(labels: Sequence[Label], names: dict[str, str], used_names: set[str], model: str) -> Iterator[Label]:
    for key, label in enumerate(labels, 1):
        name = names.get(str(key), "")
        is_free = _is_name(name) and name.casefold() not in used_names
        new = replace(label, text=name, named_by=model) if is_free else label
        used_names.add(new.text.casefold())
        yield new


def _is_name(text: str) -> bool:
    return (
        MIN_LETTERS <= len(text) <= MAX_LETTERS
        and len(text.split()) <= MAX_WORDS
        and text.isprintable()
        and not _FORBIDDEN_CHARACTERS & set(text)
    )
