"""Games recorded by taps: what can be tapped, what taps mean, and the messages between a page and the recorder."""
