// Python in a thread of its own: a question in JSON comes in, its answer goes out. It keeps nothing; the page has the
// journal, and can stop this worker at any moment and start another.

import { loadPyodide } from "./pyodide/pyodide.mjs";

const here = (name) => new URL(name, import.meta.url).href;

const answering = (async () => {
  const [python, packed] = await Promise.all([
    loadPyodide({ indexURL: here("./pyodide/") }),
    fetch(here("./tironian.zip")).then((found) => found.arrayBuffer()),
  ]);
  python.unpackArchive(packed, "zip", { extractDir: "/desk" });
  python.runPython("import sys; sys.path.insert(0, '/desk')");
  return python.pyimport("tironian.replay.recording.desk.worker").answer;
})();

answering.then(
  () => postMessage({ ready: true }),
  (error) => postMessage({ failed: String(error) }),
);
onmessage = async ({ data: { message, bytes } }) => {
  const answer = await answering;
  postMessage({ answer: bytes ? answer(message, new Uint8Array(bytes)) : answer(message) });
};
