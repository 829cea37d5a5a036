// Who answers: Python in a worker of this browser. Where `tiro desk` serves the pages, served.js stands in this place.

export const isServed = false;

/** Start Python. Its name tells a worker that the one before it was lost, perhaps by what that one began with. */
export const begin = (isAgain) => new Worker("worker.js", { type: "module", name: isAgain ? "anew" : "" });

/** In the browser there is no folder of records. */
export const askFolder = async () => null;

/** Keep the site for use without a network. */
export const keepSite = () => navigator.serviceWorker?.register("sw.js").catch(() => {});
