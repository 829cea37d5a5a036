"""Files of other kinds: texts that are records are read, everything else is named with its reason."""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
import tironian
from archives import game, tarred, tiro, zipped
from jsonschema import Draft202012Validator
from schema_parts import closed_schema
from tironian import write

OTHERS: dict[str, tuple[str, bytes]] = {
    "a.pdf": ("a PDF document", b"%PDF-1.7\n"), "a.rtf": ("an RTF document", b"{\\rtf1\\ansi 1E 5A}"),
    "a.doc": ("an old Word or Excel document", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500)),
    "a.docx": ("a Word document", zipped({"[Content_Types].xml": "<x/>", "_rels/.rels": "", "word/document.xml": ""})),
    "a.xlsx": ("an Excel document", zipped({"[Content_Types].xml": "<x/>", "_rels/.rels": "", "xl/workbook.xml": ""})),
    "a.odt": ("an OpenDocument file", b""), "a.epub": ("an e-book", b""),
    "a.html": ("a web page", b"<!DOCTYPE html><title>x</title>"), "a.htm": ("a web page", b"<!-- saved --><html>"),
    "a.jpg": ("a picture", b"\xff\xd8\xff\xe0\0\x10JFIF"), "a.heic": ("a picture", b"\0\0\0\x18ftypheic"),
    "a.7z": ("an archive of an unsupported kind", b"7z\xbc\xaf\x27\x1c"),
}  # fmt: skip


def _stored(kind: str) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("mimetype", f"application/{kind}")
        archive.writestr("a.tiro", game(1))
    return stream.getvalue()


OTHERS["a.odt"] = OTHERS["a.odt"][0], _stored("vnd.oasis.opendocument.text")
OTHERS["a.epub"] = OTHERS["a.epub"][0], _stored("epub+zip")


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize("called", ["", "a.tiro", "a.zip"])
def test_a_document_is_called_what_it_is_whatever_its_name(tmp_path: Path, name: str, called: str):
    kind, data = OTHERS[name]
    path = tmp_path / (called or name)
    path.write_bytes(data)
    (found,) = tironian.read(path)
    assert [each.code for each in found.problems] == ["N101"]
    assert kind in found.problems[0].message
    done = tiro("check", path)
    assert done.exit_code == 2
    assert kind in done.output
    assert kind in tiro("timeline", path).output


@pytest.mark.parametrize("name", OTHERS)
def test_a_document_in_a_folder_is_named_and_changes_no_exit_code(tmp_path: Path, name: str):
    (tmp_path / name).write_bytes(OTHERS[name][1])
    alone = tiro("check", tmp_path)
    assert alone.exit_code == 2
    assert OTHERS[name][0] in alone.output
    (tmp_path / "b.tiro").write_text(game(1), encoding="utf-8")
    done = tiro("check", tmp_path)
    assert done.exit_code == 0
    assert f"not read: {tmp_path / name}: {OTHERS[name][0]}" in done.stderr
    assert tiro("check", "-q", tmp_path).stderr == ""
    report = json.loads(tiro("check", "--format", "json", tmp_path).stdout)
    Draft202012Validator(closed_schema("report")).validate(report)
    (missed,) = report["not_read"]
    assert (missed["file"], missed["reason"].partition(":")[0]) == (str(tmp_path / name), done.stderr.split(": ")[2])


@pytest.mark.parametrize("name", ["a.txt", "a.tiro.txt", "a.TXT", "a.TIRO", "a.text", "a.pgn"])
@pytest.mark.parametrize("form", ["utf-8", "utf-8-sig"])
def test_a_text_that_is_a_record_is_read(tmp_path: Path, name: str, form: str):
    (tmp_path / name).write_text(game(1), encoding=form)
    done = tiro("check", tmp_path)
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.startswith("1 game, ")
    assert [len(each.record.turns) > 0 for each in tironian.read(tmp_path)] == [True]


@pytest.mark.parametrize("pack", [zipped, tarred])
def test_a_text_in_an_archive_that_is_a_record_is_read(tmp_path: Path, pack: Callable[..., bytes]):
    (tmp_path / "a.zip").write_bytes(pack({"a.txt": game(1), "README.txt": "hello", "b.tiro.txt": game(2)}))
    assert tiro("check", tmp_path).stdout.startswith("2 games, ")


@pytest.mark.parametrize("name", OTHERS)
def test_what_is_written_is_never_taken_for_a_document(name: str):
    begin = OTHERS[name][1].decode("utf-8", "surrogateescape").replace("\0", "").splitlines()[0]
    read = tironian.parse(f"\n{begin}\n1E 5A\n*\n")[0].record
    data = write(read).encode("utf-8", "surrogateescape")
    assert next(tironian.read(io.BytesIO(data))).record == read


def flagless(name: bytes, system: int = 3, extra: bytes = b"") -> bytes:
    """A zip with a name in any bytes, and nothing that says in what encoding."""
    data = bytearray(zipped({"x" * len(name): game(1)}).replace(b"x" * len(name), name))
    at = data.rindex(b"PK\1\2")
    data[at + 5] = system
    if extra:
        data[at + 30 : at + 32] = len(extra).to_bytes(2, "little")
        data[at + 46 + len(name) : at + 46 + len(name)] = extra
        end = data.rindex(b"PK\5\6")
        size = int.from_bytes(data[end + 12 : end + 16], "little") + len(extra)
        data[end + 12 : end + 16] = size.to_bytes(4, "little")
    return bytes(data)


def unicode_name(raw: bytes, name: str) -> bytes:
    field = b"\1" + zlib.crc32(raw).to_bytes(4, "little") + name.encode()
    return b"\x75\x70" + len(field).to_bytes(2, "little") + field


NAME = "Müller-Weiß.tiro"
NAMES = {
    "UTF-8 with its flag": zipped({NAME: game(1)}), "UTF-8 without it": flagless(NAME.encode()),
    "UTF-8 in parts, from a Mac": flagless("Mu\u0308ller-Weiß.tiro".encode()),
    "from DOS": flagless(NAME.encode("cp437"), 0), "UTF-8 from DOS": flagless(NAME.encode(), 0),
    "Latin letters": flagless(NAME.encode("latin-1")),
    "a field with the name": flagless(b"M_ller-Wei_.tiro", 0, unicode_name(b"M_ller-Wei_.tiro", NAME)),
    "tar": tarred({NAME: game(1)}), "tar in Latin letters": tarred({NAME: game(1)}, format=0, encoding="latin-1"),
    "pax in parts": tarred({"Mu\u0308ller-Weiß.tiro": game(1)}, format=2),
    "GNU tar": tarred({NAME: game(1)}, format=1),
}  # fmt: skip


@pytest.mark.parametrize("how", NAMES)
def test_a_name_in_an_archive_is_shown_as_it_is_written(tmp_path: Path, how: str):
    path = tmp_path / ("a.tar" if "tar" in how or "pax" in how else "a.zip")
    path.write_bytes(NAMES[how])
    assert f"{path}/{NAME}" in tiro("check", "-v", path).stdout
    assert [each.source.name for each in tironian.read(path)] == [f"{path}/{NAME}"]
    tiro("check", "--keep-good", tmp_path / "good", path)
    assert [NAME in str(each) for each in (tmp_path / "good").rglob("*.tiro")] == [True]


def test_a_name_with_control_characters_is_safe_to_show(tmp_path: Path):
    (tmp_path / "a.tar").write_bytes(tarred({"a\x1b[2J\nb.tiro": game(1)}))
    assert "\x1b" not in tiro("check", "-v", tmp_path).stdout


@pytest.mark.parametrize("command", ["check", "fmt", "merge"])
def test_help_is_a_command_as_well(command: str):
    assert tiro("help", command).stdout == tiro(command, "--help").stdout
    assert tiro("help").stdout == tiro("--help").stdout
    done = tiro("help", f"{command}x")
    assert done.exit_code == 2
    assert f"did you mean {command}?" in done.stderr
