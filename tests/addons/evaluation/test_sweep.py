import json

import pytest

from pathfinder.addons.evaluation.sweep import SweptParameter, sweep_collection
from pathfinder.errors import UsageError
from pathfinder.models.fake import HashEmbedder
from pathfinder.operations.evaluation.metrics import MEASURES
from pathfinder.operations.evaluation.run import evaluate_collection

pytestmark = pytest.mark.build

EMBEDDER = HashEmbedder()
NAMES = ["0.0", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "1.0"]


def test_without_a_reranker_its_strength_cannot_be_tried(folder):
    with pytest.raises(UsageError, match="no reranker ran"):
        sweep_collection(folder, EMBEDDER, SweptParameter.RERANK)


def test_every_tenth_is_tried_and_compared_with_the_one_in_use(folder):
    record = json.loads(json.dumps(sweep_collection(folder, EMBEDDER).record()))
    assert list(record["methods"]) == NAMES
    assert (record["parameter"], record["in_use"]) == ("share of meaning in the fusion", 0.6)
    assert record["compared_with"] == "0.6"
    assert set(record["differences"]) == set(NAMES) - {"0.6"}
    assert set(record["best"]) == set(MEASURES)


def test_a_sweep_goes_from_words_alone_over_the_hybrid_to_meaning(folder):
    rows = [{"_id": f"d{n}", "title": "Dust", "text": "dust lanes " * (n % 5) + "gas " * (n % 7)} for n in range(30)]
    (folder / "corpus.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (folder / "qrels" / "test.tsv").write_text("q1\td4\t1\nq1\td9\t2\nq1\td23\t1\n")
    methods = sweep_collection(folder, EMBEDDER).report.methods
    by_name = evaluate_collection(folder, EMBEDDER, methods=["bm25", "hybrid", "dense"]).methods
    assert methods["0.0"].scores == by_name["bm25"].scores
    assert methods["0.6"].scores == by_name["hybrid"].scores
    assert methods["1.0"].scores == by_name["dense"].scores


def test_of_equal_values_the_nearest_to_the_one_in_use_is_best(folder):
    # Words and meaning agree on all three questions, so no value differs.
    assert sweep_collection(folder, EMBEDDER).record()["best"]["mrr@10"] == 0.6
