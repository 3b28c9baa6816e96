import json

import pytest

DOCUMENTS = [
    {"_id": "dust", "title": "Dust in spirals", "text": "We measure dust lanes in spiral galaxies."},
    {"_id": "gas", "title": "Gas in clusters", "text": "Hot gas fills clusters of galaxies."},
    {"_id": "halo", "title": "Haloes", "text": "Dark matter haloes host dwarfs."},
    {"_id": "ring", "title": "", "text": "Rings of icy moons precess."},
]


def lines(rows):
    return "".join(json.dumps(row) + "\n" for row in rows)


@pytest.fixture
def folder(tmp_path):
    """Write four documents, three judged questions, and a question that nobody has judged."""
    collection = tmp_path / "tiny"
    (collection / "qrels").mkdir(parents=True)
    (collection / "corpus.jsonl").write_text(lines(DOCUMENTS))
    questions = {"q1": "dust lanes", "q2": "dark matter haloes", "q3": "rings of icy moons", "q4": "never judged"}
    (collection / "queries.jsonl").write_text(lines({"_id": n, "text": text} for n, text in questions.items()))
    (collection / "qrels" / "test.tsv").write_text(
        "query-id\tcorpus-id\tscore\nq1\tdust\t1\nq2\thalo\t1\nq2\tgas\t0\nq3\tring\t1\n"
    )
    return collection
