"""How methods did, as the command line writes it for people: a table in plain text."""

from collections.abc import Iterator

from pathfinder.evaluation.run import CollectionRecord


def evaluation_lines(record: CollectionRecord) -> Iterator[str]:
    """A line a method, under the names of the measures."""
    yield f"{record['collection']}: {record['n_queries']} judged questions"
    for place, (name, figures) in enumerate(record["methods"].items()):
        if place == 0:
            yield f"{'':10}" + "".join(f"{measure:>13}" for measure in figures)
        yield f"{name:10}" + "".join(f"{value:13.3f}" for value in figures.values())
