"""One record from several people's logs: what any of them knew, and where they contradict each other."""
