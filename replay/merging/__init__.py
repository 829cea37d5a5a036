"""One record from the logs of several people: what any of them knew, and where they contradict each other."""
