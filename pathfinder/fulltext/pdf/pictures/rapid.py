"""RapidOCR, which ships with its weights and needs no network; only this module uses it."""

import importlib.util

from pathfinder.fulltext.pdf.pictures.page_reader import PageReader, Picture, WrittenLine

LOWEST_SCORE = 0.5
"""Minimum confidence of the model in a line, [0, 1]; other lines are left out."""


def is_installed() -> bool:
    """Return whether the extra `pathfinder[ocr]` is installed."""
    return importlib.util.find_spec("rapidocr") is not None


def rapid_reader() -> PageReader:
    """Return a recogniser that uses RapidOCR; loading it takes about a second."""
    from rapidocr import RapidOCR

    engine = RapidOCR(
        params={
            "Global.log_level": "critical",
            "Global.use_cls": False,  # would turn upside-down lines, which no page has
            "EngineConfig.onnxruntime.enable_cpu_mem_arena": False,  # memory is released after each page
        }
    )

    def read_picture(picture: Picture) -> list[WrittenLine]:
        reply = engine(picture)
        if reply.boxes is None:
            return []
        return [
            WrittenLine(text, float(min(xs)), float(min(ys)), float(max(xs)), float(max(ys)))
            for (xs, ys), text, score in zip(
                (box.T for box in reply.boxes), reply.txts or (), reply.scores or (), strict=True
            )
            if score >= LOWEST_SCORE
        ]

    return read_picture
