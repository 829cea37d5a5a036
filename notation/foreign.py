"""Files that hold something else than records in the notation, told by their first bytes."""

from __future__ import annotations

import re
from typing import Final

HEAD: Final = 4096
"""How many bytes tell."""
# A record may begin with a bracket, [Event "…"], or a brace, { Played at home }; never so that JSON could. One whose
# first line does look like JSON is told by the empty line that the writer puts before it.
_JSON: Final = re.compile(r'[ \t]*(?:\{\s*"[^"\n]*"\s*:|\{\s*\}\s*\Z|\[\s*[{\]])')


def is_json(head: bytes) -> bool:
    """Whether a file that begins so is JSON."""
    return _JSON.match(head.decode("utf-8-sig", "replace")) is not None


def foreign(head: bytes) -> tuple[str, str] | None:
    """What a file is that begins so, and what to do about it; None where it may be a record."""
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "this file is UTF-16 text", "save it as UTF-8 text"
    if b"\0" in head:
        return "this is not a text file: it holds zero bytes", "give a record in the notation, a .tiro file"
    if is_json(head):
        return "this file is JSON, not a record in the notation", "`tiro convert` makes a record of it"
    return None


def seems_foreign(text: str) -> bool:
    """Whether a file with just this text would be taken for something else than a record."""
    return text[:2] in ("\udcff\udcfe", "\udcfe\udcff") or _JSON.match(text) is not None
