"""What both players agreed to at the end: who did, and the checksum of the text that they agreed to."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from .record import Record
from .writer import SIGNATURE_HEADERS, canonical_headers, write

CHECKSUM_FORM: Final = re.compile(r"\s*(?:[0-9a-fA-F]\s*){16}")
"""Sixteen digits, however they are grouped: somebody may have written them down by hand."""
_SIGNATURE: Final = frozenset(name.lower() for name in SIGNATURE_HEADERS)


def checksum(record: Record) -> str:
    """Return the checksum of a record's canonical text without its header ``Checksum``: ``3f2a 91c0 77de 04b1``.

    These are the first sixteen digits of its SHA-256, which can be read out and written on paper. They show that a text
    was changed, but are no proof against somebody who prepares two texts before anybody signs.
    """
    from hashlib import sha256  # it takes longer to load than most records take to be judged

    headers = tuple([header for header in record.headers if header[0].lower() != "checksum"])
    # Bytes that are no UTF-8 are kept as surrogates: they count as the bytes that they are in the file.
    text = write(replace(record, headers=headers)).encode("utf-8", "surrogateescape")
    digits = sha256(text).hexdigest()
    return " ".join(digits[start : start + 4] for start in range(0, 16, 4))


def signed(record: Record, by: Iterable[str]) -> Record:
    """Return the record with ``Signed``, who agreed to it (``("Caesar", "Cleopatra")``), and ``Checksum``.

    An earlier signature is replaced. The record must have its result and termination by then.
    """
    agreed = replace(record, headers=(*unsigned(record.headers), ("Signed", ", ".join(by))))
    return replace(record, headers=tuple(canonical_headers([*agreed.headers, ("Checksum", checksum(agreed))])))


def unsigned(headers: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Return headers for a text that is made from a signed one, and that nobody signed.

    Of a text with hidden cards not even the checksum may be passed on: trying out cards that fit it would find them.
    """
    return tuple([header for header in headers if header[0].lower() not in _SIGNATURE])


def was_changed(record: Record) -> bool:
    """Return whether the text differs from the one of which ``Checksum``, which must be valid, was taken."""
    return "".join(record.header("Checksum").split()).lower() != checksum(record).replace(" ", "")
