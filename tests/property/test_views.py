"""What somebody is shown of a game doesn't depend on what he can't know: a record without it is told alike."""

from __future__ import annotations

import pytest
import tironian
from scale import scaled
from tironian import EDITION_NAMES, Timeline, load_edition, parse, simulate, timeline, write
from tironian.notation.cards import SOME_INFLUENCE
from tironian.replay.story.vote_tree import trees
from tironian.replay.words.events import event_words
from tironian.replay.words.notes import entry_words
from tironian.replay.words.vote_tree import vote_outline

CHUNKS = 4
GAMES = scaled(2, 250)
VIEWS = ("caesar", "cleopatra", "table")


def shown(told: Timeline) -> list[object]:
    """Everything of a timeline that is shown: no states, and no tokens as they really were."""
    found: list[object] = [told.table(told.start), told.ended, told.summary]
    for entry in told.entries:
        events = [(event_words(event), event._replace(actual=None, before=None, state=None)) for event in entry.events]
        tables = [told.table(event.state) for event in entry.events]
        found.append((entry.label, entry.status, entry.written, entry_words(entry), events, tables, entry.annotations))
        found.append(told.table(entry.state) if entry.state else None)
    return found


def is_swept(entry: object) -> bool:
    """Whether the wrath takes a card in this turn that only the record does not know: all can see it then."""
    return (
        isinstance(entry, tuple)
        and len(entry) == 7
        and any(SOME_INFLUENCE in cards for _, event in entry[4] for cards in event.lost)
    )


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("name", EDITION_NAMES)
def test_nothing_hidden_is_told(name: str, chunk: int, view: str):
    for number in range(GAMES):
        is_told_alike(name, 5_000 * chunk + number + 3, view)


@pytest.mark.parametrize(("seed", "view"), [(184, "caesar"), (251, "cleopatra")])
def test_swept_cards_dont_tell_in_which_order_they_lay(seed: int, view: str):
    is_told_alike("2024", seed, view)


def is_told_alike(name: str, seed: int, view: str) -> None:
    """Of a whole game and of what somebody would have written of it he is shown the same."""
    (whole,) = parse(write(simulate(load_edition(name), seed)))
    (part,) = parse(write(tironian.view(whole, view).record))
    assert not part.problems
    told, again = timeline(whole, view), timeline(part, view)
    assert not again.stopped
    ours, theirs = shown(told), shown(again)
    swept = next((place for place, each in enumerate(theirs) if is_swept(each)), None)
    for one, two in zip(ours[:swept], theirs[:swept], strict=True):
        assert one == two
    if swept is None:
        assert [*map(vote_outline, trees(told))] == [*map(vote_outline, trees(again))]
