"""How well a game was played, and who was lucky, judged by what each player could know (docs/insight.md)."""
