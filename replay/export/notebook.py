"""What notebooks show of tables, steps, timelines and vote trees, each as its point of view sees it."""

from __future__ import annotations

from ..analysis.timeline import Timeline
from ..analysis.vote_tree import VoteTree, way
from ..engine.replay import Step
from ..views.table_view import look
from .synopsis import SEEN_BY, occasion, outcome, title
from .table_picture import table_picture
from .templating import template
from .vote_graph import said


def step_svg(step: Step) -> str:
    """Return the table after a step as a picture, with every card that the record names."""
    head = "the set-up" if step.turn is None else f"after {step.turn.label}"
    if step.token is not None and step.turn is not None:
        head = f"{step.turn.label}, after token {step.at + 1}"
    return table_picture(look(step.state), head)


def timeline_html(timeline: Timeline) -> str:
    """Return a timeline as its title and outcome, and its turns to be unfolded."""
    return template("notebook.html.j2").render(
        timeline=timeline,
        title=title(timeline),
        occasion=occasion(timeline),
        outcome=outcome(timeline),
        seen_by=SEEN_BY[timeline.view],
    )


def tree_html(tree: VoteTree) -> str:
    """Return a vote as the way that was taken, and what would have changed its outcome."""
    return template("notebook.html.j2").render(tree=tree, taken=[*map(said, way(tree))])
