// Python in a thread of its own: a question in JSON comes in, its answer goes out. It keeps nothing of a game; the page
// has the journal, and can stop this worker at any moment and start another. SITE, which `tiro desk -o` writes above,
// has the version.

import createPyodideModule from "./pyodide/pyodide.asm.mjs";
import { loadPyodide } from "./pyodide/pyodide.mjs";

const here = (name) => new URL(name, import.meta.url).href;
const indexURL = here("./pyodide/");
/** The project and its libraries: Python imports them from the zip, which takes a quarter of the room of its files. */
const PACKED = "/tironian.zip";
const WORKER = "tironian.tools.desk.worker";
/** It is needed for the first line that can't be read: whoever types that would wait while it is imported. */
const PARSER = "tironian.notation.parser";

// The first start keeps Python's memory as it is once the project is imported, and later starts begin with that: they
// take a third of the time. Pyodide calls this experimental, and the memory fits one version of the site in one version
// of the browser; so a start after one that failed does without it and makes it anew.
const MEMORY = "tironian-python";
const memoryKey = here(`./memory?${SITE.version}&${encodeURIComponent(navigator.userAgent)}`);

async function keptMemory() {
  if (self.name === "anew") return null;
  const found = await (await caches.open(MEMORY)).match(memoryKey);
  return found && new Uint8Array(await found.arrayBuffer());
}

async function keepMemory(memory) {
  const cache = await caches.open(MEMORY);
  for (const each of await cache.keys()) await cache.delete(each);
  await cache.put(memoryKey, new Response(memory));
}

/** Pyodide copies a kept memory into a new one without making room: a new one has 30 MB. */
const withRoom = (size) => async (settings) => {
  const module = await createPyodideModule(settings);
  while (module.HEAP8.length < size && module._malloc(2 ** 20));
  return module;
};

async function load() {
  const memory = await keptMemory().catch(() => null);
  if (memory) {
    const wanted = { indexURL, createPyodideModule: withRoom(memory.length), _loadSnapshot: memory };
    const python = await loadPyodide(wanted).catch(console.warn);
    structuredClone(memory.buffer, { transfer: [memory.buffer] });  // Pyodide would hold these 30 MB as long as it runs
    if (python) return [python, true];
  }
  return [await loadPyodide({ indexURL, _makeSnapshot: true }), false];
}

const answering = (async () => {
  const [[python, isKept], packed] = await Promise.all([
    load(),
    fetch(here("./tironian.zip")).then((found) => found.arrayBuffer()),
  ]);
  python.FS.writeFile(PACKED, new Uint8Array(packed));
  if (!isKept) {
    python.runPython(`import sys; sys.path.insert(0, "${PACKED}"); import ${WORKER}, ${PARSER}`);
    const memory = python.makeMemorySnapshot();
    setTimeout(() => keepMemory(memory).catch(() => {}));
  }
  return python.pyimport(WORKER).DeskSession().answer;
})();

const fail = (error) => postMessage({ failed: String(error) });
/** Tells the page, which measures silence, that a long work goes on. */
const alive = () => postMessage({ alive: true });

answering.then(() => postMessage({ ready: true })).catch(fail);
onmessage = ({ data: { message, bytes } }) =>
  answering.then((answer) => postMessage({ answer: answer(message, new Uint8Array(bytes ?? 0), alive) })).catch(fail);
