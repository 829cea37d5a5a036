"""The desk as a site on this machine, where Python starts once in a test run."""

from __future__ import annotations

from typing import ClassVar

from tironian.replay.cli.desk import Handler


class Remembering(Handler):
    """Serves the site, and what the first page of a test run says of Python's memory once it has started."""

    memory: ClassVar = b""
    key: ClassVar = ""

    def do_POST(self) -> None:  # noqa: N802 - as http.server names it
        """Keep the memory."""
        Remembering.memory = self.rfile.read(int(self.headers["content-length"]))
        Remembering.key = self.headers["x-key"]
        self.send_response(204)
        self.end_headers()

    def do_GET(self) -> None:  # noqa: N802 - as http.server names it
        """Send the memory, or a file of the site."""
        if self.path == "/memory":
            self.send_response(200)
            self.send_header("x-key", self.key)
            self.end_headers()
            self.wfile.write(self.memory)
        else:
            super().do_GET()
