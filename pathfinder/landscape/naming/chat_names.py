"""Names the clusters of the map with a chat model; a cluster that the model names badly keeps its keywords."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from pathfinder.corpus.papers import PaperTable
from pathfinder.errors import ProviderError
from pathfinder.grounding.sources import source_text
from pathfinder.landscape.data.atlas import Label
from pathfinder.landscape.naming.clusters import MapCluster
from pathfinder.landscape.statistics.phrases import MAX_LETTERS
from pathfinder.llm.prompts import render
from pathfinder.llm.replies import REFUSALS, complete, in_brief, parse_json
from pathfinder.models.ports import ChatModel

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
