// A window that was opened blank is kept, with all that runs in it, for the document that comes: nothing is run anew
// then, but everything has to begin anew for that document.
let installed = install();
let home = document;

Object.defineProperty(globalThis, 'charlotte', {
  get: () => {
    if (home !== document) [home, installed] = [document, install()];
    return installed;
  },
});
