"""Copies of PDFs that must be recognised: pictures of their pages, slightly turned, blurred and speckled, without text;
and PDFs whose fonts map their letters to others, so that they look right and their text is garbage.
"""

import random
import string
import subprocess
from pathlib import Path

import numpy as np
import pypdfium2
from PIL import Image, ImageFilter

DOTS_AN_INCH = 150
LARGEST_ANGLE = 0.4
"""Degrees by which a page is turned at most."""


def scan(source: Path, target: Path, most_pages: int, seed: int) -> None:
    """Write the first pages of a PDF as a PDF of pictures; a seed fixes angles and noise."""
    draw = random.Random(seed)  # noqa: S311
    noise = np.random.default_rng(seed)
    document = pypdfium2.PdfDocument(source)
    pictures = []
    for index in range(min(most_pages, len(document))):
        page = document[index].render(scale=DOTS_AN_INCH / 72, grayscale=True).to_pil()
        angle = draw.uniform(-LARGEST_ANGLE, LARGEST_ANGLE)
        turned_page = page.rotate(angle, Image.Resampling.BICUBIC, fillcolor=255).filter(ImageFilter.GaussianBlur(0.5))
        speckled_page = np.asarray(turned_page, dtype=float) * 0.93 + noise.normal(
            0, 9, (turned_page.height, turned_page.width)
        )
        pictures.append(Image.fromarray(speckled_page.clip(0, 255).astype(np.uint8)))
    pictures[0].save(target, save_all=True, append_images=pictures[1:], resolution=DOTS_AN_INCH, quality=70)


def first_pages(source: Path, target: Path, most_pages: int) -> None:
    """Write the first pages of a PDF as they are."""
    document = pypdfium2.PdfDocument(source)
    new_document = pypdfium2.PdfDocument.new()
    new_document.import_pages(document, list(range(min(most_pages, len(document)))))
    new_document.save(target)


def garble(source: Path, target: Path, most_pages: int, seed: int) -> None:
    """Compile a LaTeX file with fonts whose maps to Unicode exchange the letters; a seed fixes which."""
    letters = string.ascii_letters
    others = "".join(random.Random(seed).sample(letters, len(letters)))  # noqa: S311
    maps = "".join(f"\\pdfglyphtounicode{{{a}}}{{{ord(b):04X}}}" for a, b in zip(letters, others, strict=True))
    copy = source.with_suffix(".garbled.tex")
    copy.write_text(f"\\pdfgentounicode=1{maps}\n{source.read_text(encoding='utf-8')}", encoding="utf-8")
    command = ["pdflatex", "-interaction=batchmode", "-no-shell-escape", copy.name]
    for _ in range(2):
        subprocess.run(command, cwd=copy.parent, check=False, timeout=300, stdout=subprocess.DEVNULL)  # noqa: S603
    first_pages(copy.with_suffix(".pdf"), target, most_pages)
