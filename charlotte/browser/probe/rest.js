// Whether a document that takes long to read would read as it did. Unseen goes only what came out otherwise by itself:
// the places of things around an image or a font that came late, and what the mouse's mere presence shows.
const LONG = 1000; // rows
let rest = null; // of the reading answered last

const newRest = (roots) => {
  const untold = newUntold(roots);
  const look = () => [JSON.stringify(pageFacts()), JSON.stringify(scrolls()), deepActive(), ...untold()];
  return { look, known: look() };
};

const isMoving = () => getAnimations.call(document).length > 0;

/** Remember how things stand with what was just read; not if it is short, or about to be otherwise. */
const noteRest = (rows) => {
  rest = rows < LONG || walked === null || isScriptless() || isMoving() ? null : newRest(walked.roots);
};

const isAtRest = () =>
  rest !== null && walked !== null && isUntouched() && !isMoving() && !walked.hosts.some(rootOf)
  && sameList(rest.look(), rest.known);
