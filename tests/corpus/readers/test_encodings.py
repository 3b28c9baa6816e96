"""Encodings that are no Unicode are recognised by the words of a file, and a person is told which one was taken."""

import pytest

from pathfinder.corpus.readers import RejectedRow, read_papers, reader_of

RUSSIAN = (
    "Звёздные скопления в спиральных галактиках",
    "Излучение межзвёздной пыли",
    "Иванов, Пётр",
    "Щербакова, Юлия",
)
CZECH = (
    "Hvězdokupy ve spirálních galaxiích s příčkou",
    "Záření mezihvězdného prachu a žhavého plynu v blízkém okolí",
    "Dvořák, Jiří and Němcová, Růžena and Řehoř, Bedřich and Žďárský, Tomáš",
    "Křížová, Kateřina and Šťastný, Zdeněk and Kučera, Vojtěch and Černý, Luboš",
)
POLISH = ("Gęstość gwiazd w małych galaktykach", "Źródła pyłu", "Wiśniewski, Łukasz", "Żółkiewska, Małgorzata")
TURKISH = (
    "Sarmal gökadalardaki yıldız kümelerinin dağılımı ve yaşı",
    "Yıldızlararası toz ışınımının ölçümü: düşük sıcaklıkların değişimi, güneş çevresi, büyük ölçekli yapı",
    "Şahin, Oğuz and Yıldız, Ayşe and Öztürk, Gökçe and Çelik, Çağrı",
    "Doğan, Işıl and Güneş, Barış and Kılıç, Tuğba and Aydın, Ümit",
)
GREEK = ("Η κατανομή των αστέρων στους γαλαξίες", "Η σκόνη", "Παπαδόπουλος, Γιώργος", "Νικολάου, Ελένη")
JAPANESE = ("渦巻銀河における星団の分布について", "星間塵の放射とその温度", "田中, 太郎", "鈴木, 花子")
CHINESE = ("旋涡星系中星团的分布与年龄", "星际尘埃的辐射及其温度的测量", "王, 小明", "李, 秀英")
KOREAN = ("나선은하의 성단 분포에 관한 연구", "성간 먼지의 복사와 온도", "김, 민수", "이, 지은")
FRENCH = ("Étude des étoiles à très haute énergie", "L’âge de la poussière", "Lefèvre, Hélène", "Bérubé, François")
GERMAN = ("Größe und Häufigkeit früher Galaxien", "Über die Röntgenstrahlung", "Müller, Jörg", "Schäfer, Käthe")
SPANISH = ("La edad de los cúmulos más jóvenes", "Señales débiles", "Muñoz, José", "Ibáñez, Verónica")


def ris(texts):
    first, second, author, other = texts
    return "".join(
        f"TY  - JOUR\nTI  - {title}\nAU  - {name}\nAB  - We study stars.\nPY  - 2001\nER  - \n"
        for title, name in ((first, author), (second, other))
    )


def bibtex(texts):
    first, second, author, other = texts
    entries = ("a", first, author), ("b", second, other)
    return "".join(f"@misc{{{key}, title={{{title}}}, author={{{name}}}}}\n" for key, title, name in entries)


@pytest.mark.parametrize("write", [ris, bibtex])
@pytest.mark.parametrize(
    ("encoding", "texts"),
    [
        *((name, RUSSIAN) for name in ("cp1251", "koi8-r", "mac-cyrillic", "cp866", "utf-16-le", "utf-16-be")),
        *((name, CZECH) for name in ("cp1250", "iso8859-2")),
        *((name, POLISH) for name in ("cp1250", "iso8859-2")),
        ("cp1254", TURKISH),
        *((name, GREEK) for name in ("cp1253", "iso8859-7")),
        *((name, JAPANESE) for name in ("shift_jis", "euc_jp")),
        *(("gbk", CHINESE), ("gb2312", CHINESE), ("euc_kr", KOREAN)),
        *((name, texts) for texts in (FRENCH, GERMAN, SPANISH) for name in ("cp1252", "mac-roman")),
    ],
)
def test_a_file_in_an_older_encoding_is_read_as_it_was_written(tmp_path, encoding, texts, write):
    plain, older = tmp_path / "plain.txt", tmp_path / "older.txt"
    plain.write_text(write(texts), encoding="utf-8")
    older.write_bytes(write(texts).encode(encoding))
    names = [(paper.title, paper.authors) for paper in read_papers(older)]
    assert names == [(paper.title, paper.authors) for paper in read_papers(plain)]
    assert len(names) == 2
    assert len(reader_of(older).notes(older)) == (not encoding.startswith("utf"))
    assert not reader_of(plain).notes(plain)


def test_a_table_in_an_older_encoding_says_so_beside_its_columns(tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes(f"Title,Authors,Year\n{RUSSIAN[0]},{RUSSIAN[2].split(',')[0]},2001\n".encode("cp1251"))
    assert [paper.title for paper in read_papers(path)] == [RUSSIAN[0]]
    assert any("Windows-1251" in note for note in reader_of(path).notes(path))


@pytest.mark.parametrize(
    "line",
    "L²Space;L²Space and k²Means by NÚÑEZ;A study at 5° and 10 µm;Müller;Á.;É;Šimon’s “law”;Ærø – Åse;"
    "São Paulo 3±1".split(";"),
)
def test_a_few_western_letters_are_western(tmp_path, line):
    path = tmp_path / "a.ris"
    path.write_bytes(f"TY  - JOUR\nTI  - {line}\nER  - \n".encode("cp1252"))
    assert [paper.title for paper in read_papers(path)] == [line]


@pytest.mark.parametrize("text", ["Größe und Häufigkeit früher Galaxié", "旋涡星系中星团的分布与年龄"])
def test_a_line_of_utf_8_that_was_cut_in_a_letter_keeps_the_others(tmp_path, text):
    path = tmp_path / "a.ris"
    path.write_bytes(b"TY  - JOUR\nTI  - " + text.encode()[:-1] + b"\nER  - \n")
    assert [paper.title for paper in read_papers(path)] == [f"{text[:-1]}\ufffd"]
    assert len(reader_of(path).notes(path)) == 1


def test_a_file_that_changed_is_examined_again(tmp_path):
    path = tmp_path / "a.ris"
    for encoding, texts in (("cp1251", RUSSIAN), ("cp1253", GREEK)):
        path.write_bytes(ris(texts).encode(encoding))
        assert [paper.title for paper in read_papers(path)] == list(texts[:2])


def test_bytes_that_fit_no_encoding_lose_no_paper(tmp_path):
    path = tmp_path / "a.ris"
    path.write_bytes(
        b"".join(b"TY  - JOUR\nTI  - " + bytes([128 + n, 97, 255 - n, 129]) + b"\nER  - \n" for n in range(90))
    )
    rows = list(read_papers(path))
    assert len(rows) == 90
    assert not any(isinstance(row, RejectedRow) for row in rows)
