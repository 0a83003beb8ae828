// A blank window that opens another document keeps its world and everything in it. Each document gets a probe of its own.
/** @type {Document | null} */
let home = null;
/** @type {object | null} */
let api = null;

const installed = () => {
  if (home !== document) {
    home = document;
    createProbe((created) => { api = created; });
  }
  return api;
};

installed();
Object.defineProperty(globalThis, 'charlotte', { get: installed });
