"""Files that are hostile or broken on purpose, each with what a reader must say about it; and many more by chance."""

import gzip
import io
import random
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from typing import NamedTuple

from tests.fulltext.made_pdf import pdf

HEAD, TAIL = "\\documentclass{article}\\begin{document}Dust. ", "\\end{document}"
LINE = (50, 700, 10, "The first page has enough text to count as a page with text.")


class HostileFile(NamedTuple):
    """A file, and a pattern of the reason for which it is refused or of a warning in its text."""

    name: str
    content: bytes
    reason: str


def _tar(*members: tarfile.TarInfo | tuple[str, str]) -> bytes:
    sink = io.BytesIO()
    with tarfile.open(fileobj=sink, mode="w") as archive:
        for member in members:
            if isinstance(member, tarfile.TarInfo):
                archive.addfile(member)
            else:
                info = tarfile.TarInfo(member[0])
                info.size = len(member[1])
                archive.addfile(info, io.BytesIO(member[1].encode()))
    return sink.getvalue()


def _special(name: str, kind: bytes, target: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info


def _zip_bomb() -> bytes:
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.tex", b"\0" * (1 << 20))
    return sink.getvalue()


def _stream_bomb() -> bytes:
    """Return a PDF whose page is drawn by a stream that grows hundreds of times when it is unpacked."""
    drawing = zlib.compress(b"BT /F1 9 Tf (x) Tj ET " * 20_000)
    head, _, rest = pdf([[LINE]]).partition(b"<< /Length")
    return (
        b"".join(
            (head, b"<< /Filter /FlateDecode /Length %d >>\nstream\n" % len(drawing), drawing, b"\nendstream\nendobj\n")
        )
        + rest.partition(b"endobj\n")[2]
    )


def archives() -> Iterator[HostileFile]:
    """Yield archives and compressed files."""
    tex = HEAD + TAIL
    yield HostileFile("bomb.gz", gzip.compress(b"\0" * (12 << 20)), "unpacks to more than")
    yield HostileFile("twice.gz", gzip.compress(gzip.compress(tex.encode())), "no LaTeX document")
    yield HostileFile("cut.gz", gzip.compress(random.Random(1).randbytes(4000))[:2000], "damaged")
    yield HostileFile("absolute.tar", _tar(("/etc/a.tex", tex)), "outside the archive")
    yield HostileFile("above.tar", _tar(("a/../../b.tex", tex)), "outside the archive")
    yield HostileFile("windows.tar", _tar(("..\\b.tex", tex)), "outside the archive")
    yield HostileFile("link.tar", _tar(_special("a.tex", tarfile.SYMTYPE, "/etc/passwd")), "a link, a device")
    yield HostileFile("hard.tar", _tar(_special("a.tex", tarfile.LNKTYPE, "/etc/passwd")), "a link, a device")
    yield HostileFile("device.tar", _tar(_special("a.tex", tarfile.CHRTYPE)), "a link, a device")
    yield HostileFile("many.tar.gz", gzip.compress(_tar(*((f"{n}.tex", "") for n in range(5001)))), "more than 5000")
    yield HostileFile("cut.tar", _tar(("a.tex", tex * 50))[:900], "damaged archive")
    yield HostileFile("other.tar", _tar(("a.txt", "Dust.")), "no LaTeX document")
    yield HostileFile("bomb.zip", _zip_bomb(), "is neither")


def sources() -> Iterator[HostileFile]:
    """Yield LaTeX."""
    doubling_files = tuple((f"{n}.tex", f"\\input{{{n + 1}}}" * 2) for n in range(1, 25))
    macros = "".join(f"\\newcommand{{\\{a}}}{{{f'{chr(92)}{b}' * 300}}}" for a, b in zip("abcd", "bcde", strict=True))
    yield HostileFile(
        "loop.tar", _tar(("a.tex", HEAD + "\\input{b}" + TAIL), ("b.tex", "\\input{a}")), "includes itself"
    )
    yield HostileFile("out.tex", (HEAD + "\\input{/etc/passwd}\\input{../../a}" + TAIL).encode(), "outside the source")
    yield HostileFile("pipe.tex", (HEAD + '\\input{"|cat /etc/passwd"}' + TAIL).encode(), "outside the source")
    yield HostileFile("doubled.tar", _tar(("a.tex", HEAD + "\\input{1}" + TAIL), *doubling_files), "has more than")
    yield HostileFile("macros.tex", (macros + HEAD + "\\a" * 50 + TAIL).encode(), "expand to more than|never")
    yield HostileFile("open.tex", (HEAD + "\\footnote{" * 3000 + TAIL).encode(), "reference list")
    yield HostileFile("formula.tex", (HEAD + "$x" + TAIL).encode(), "never closed")
    empty_list = "\\begin{thebibliography}{9}\\end{thebibliography}"
    yield HostileFile("list.tex", (HEAD + empty_list + TAIL).encode(), "no reference list")
    yield HostileFile("picture.tex", b"\x89PNG\r\n\x1a\n" + b"\0" * 100, "no LaTeX document")


def articles() -> Iterator[HostileFile]:
    """Yield XML."""
    laughs = "".join(f'<!ENTITY {a} "{f"&{b};" * 10}">' for a, b in zip("bcdefgh", "abcdefg", strict=True))
    yield HostileFile(
        "laughs.xml", f"<!DOCTYPE article [<!ENTITY a 'a'>{laughs}]><article>&h;</article>".encode(), "document type"
    )
    yield HostileFile(
        "external.xml",
        b'<!DOCTYPE article [<!ENTITY x SYSTEM "file:///etc/passwd">]><article><body><p>&x;</p></body></article>',
        "document type",
    )
    yield HostileFile(
        "unknown.xml", b'<!DOCTYPE article SYSTEM "http://127.0.0.1/a.dtd"><article>&x;</article>', "cannot be read"
    )
    yield HostileFile(
        "deep.xml", b"<article><body>" + b"<sec>" * 5000 + b"</sec>" * 5000 + b"</body></article>", "deep"
    )
    yield HostileFile("cut.xml", b"<article><body><sec><p>Dust", "cut short|cannot be read")
    yield HostileFile("nul.xml", b"<article><body><p>Du\0st</p></body></article>", "cannot be read")
    deep = b"<div>" * 500 + b"</div>" * 500
    yield HostileFile(
        "deep.tei", b'<TEI xmlns="http://www.tei-c.org/ns/1.0"><text><body>' + deep + b"</body></text></TEI>", "deep"
    )


def papers() -> Iterator[HostileFile]:
    """Yield PDFs."""
    good = pdf([[LINE]])
    encryption = (
        "/Encrypt << /Filter /Standard /V 1 /R 2 /O (" + "x" * 32 + ") /U (" + "y" * 32 + ") /P -4 >> /ID [(a) (a)]"
    )
    yield HostileFile("encrypted.pdf", pdf([[LINE]], trailer=encryption), "encrypted")
    yield HostileFile("cut.pdf", good[: len(good) // 3], "damaged, cut off")
    yield HostileFile("none.pdf", pdf([]), "without pages")
    yield HostileFile("junk.pdf", b"%PDF-1.7\n" + random.Random(2).randbytes(3000), "damaged, cut off")
    yield HostileFile("stub.pdf", good.replace(b"/Count 1", b"/Count 10000"), "10,000 pages|damaged|has no text")
    yield HostileFile("ring.pdf", good.replace(b"[5 0 R]", b"[2 0 R]"), "damaged|without pages|has no text")
    yield HostileFile("wide.pdf", good.replace(b"600 800]", b"99999999 99999999]"), "no text|damaged|no reference list")
    yield HostileFile("stream.pdf", _stream_bomb(), "no text|^$")
    yield HostileFile(
        "glyphs.pdf", pdf([[(50, 700, 10, "\x01\x02\x03" * 60)]]), "no text|no writing|unreadable text|cannot be read"
    )
    yield HostileFile("name.pdf", b"Dust is cold.\0" * 40, "is neither")


def texts() -> Iterator[HostileFile]:
    """Yield plain text and Markdown."""
    yield HostileFile("empty.txt", b"", "is empty")
    yield HostileFile("blank.md", b" \n\t\r\n" * 50, "is empty")
    yield HostileFile("nul.txt", b"Dust\0is\0cold", "is neither")
    yield HostileFile("latin.txt", b"a" * 5000 + b"\xff", "not UTF-8")
    years = b"Smith (2019), Jones & Doe 2020a, b; " * 500
    yield HostileFile("years.txt", b"Dust\n\n" + years + b"\n\nReferences\n\n" + b"Smith A. 2019, J, 1\n" * 200, "^$")
    yield HostileFile("brackets.txt", b"(" * 50_000 + b"[1-999999999]" * 2000, "^$")
    yield HostileFile("hashes.md", b"#" * 60_000 + b"\n" + b"# a\n" * 3000, "^$")


def hostile_files() -> list[HostileFile]:
    """Return all of them."""
    return [*archives(), *sources(), *articles(), *papers(), *texts()]


def chance_files(count: int, seed: int) -> Iterator[HostileFile]:
    """Yield damaged copies of all these files and of good ones: cut, with other bytes, or with another name."""
    draw = random.Random(seed)
    good = [
        HostileFile("good.pdf", pdf([[LINE] * 3] * 3), ""),
        HostileFile(
            "good.tex",
            (
                HEAD + "\\section{A} See \\cite{a}. $x^2$ \\begin{thebibliography}{9}\\bibitem{a} Lee 2005" + TAIL
            ).encode(),
            "",
        ),
        HostileFile("good.xml", b"<article><body><sec><title>A</title><p>Dust.</p></sec></body></article>", ""),
        HostileFile("good.tar.gz", gzip.compress(_tar(("a.tex", HEAD + "\\input{b}" + TAIL), ("b.tex", "Cold."))), ""),
    ]
    files = [*good * 8, *hostile_files()]
    names = [file.name for file in files]
    for number in range(count):
        file = draw.choice(files)
        name = draw.choice(names) if draw.random() < 0.15 else file.name
        yield HostileFile(f"{number}-{name}", _damage(file.content, draw), "")


def _damage(content: bytes, draw: random.Random) -> bytes:
    kind = draw.randrange(4)
    if kind == 0:
        return content[: draw.randint(0, len(content))]
    damaged_bytes = bytearray(content)
    if kind == 1:
        for _ in range(draw.randint(1, 40)):
            if damaged_bytes:
                damaged_bytes[draw.randrange(len(damaged_bytes))] = draw.randrange(256)
        return bytes(damaged_bytes)
    start = draw.randint(0, len(content))
    if kind == 2:
        return content[:start] + content[draw.randint(0, len(content)) :]
    return content[:start] + draw.randbytes(draw.randint(1, 400)) + content[start:]
