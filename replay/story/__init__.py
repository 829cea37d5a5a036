"""What happened in a game and why: timelines, annotations, the decision tree of each vote. Nothing is drawn here."""
