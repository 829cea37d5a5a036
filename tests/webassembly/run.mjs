// Run a Python program in Pyodide: node run.mjs FOLDER-OF-PYODIDE ARCHIVE PROGRAM
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [folder, archive, program] = process.argv.slice(2).map((each) => path.resolve(each));
const { loadPyodide } = await import(pathToFileURL(path.join(folder, "pyodide.mjs")));
try {
  const python = await loadPyodide();
  python.unpackArchive(new Uint8Array(fs.readFileSync(archive)), "zip", { extractDir: "/site" });
  python.runPython("import sys; sys.path[:0] = ['/site', '/site/tests/support']");
  await python.runPythonAsync(fs.readFileSync(program, "utf8"));
} catch (error) {
  // The message alone: Node would show the whole of Pyodide, which is one line.
  console.error(error.message);
  process.exitCode = 1;
}
