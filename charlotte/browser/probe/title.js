// Tells the title of the page whenever it changes, so that nobody needs to ask a page that may not answer.
// `charlotteTitle` is a binding that only this world has; without it (in frames) nothing is told.
const TITLE_PAUSE = 200; // ms between two reports: a page may count down in its title
const LONGEST_TITLE = 1000;
const BELOW = Object.freeze({ childList: true });
let toldTitle = '';
let titleIsDue = false;

const isListenedTo = () => self === top && globalThis.charlotteTitle !== undefined;

const tellTitle = () => {
  const title = documentTitleOf.call(document).slice(0, LONGEST_TITLE);
  if (title === toldTitle || !isListenedTo()) return;
  toldTitle = title;
  globalThis.charlotteTitle(title);
  if (isScriptless()) return;
  titleIsDue = true;
  setTimeout(() => {
    titleIsDue = false;
    tellTitle();
  }, TITLE_PAUSE);
};

const watchTitle = () => {
  const root = rootElementOf.call(document);
  const head = headOf.call(document);
  titleObserver.observe(document, BELOW);
  if (root !== null) titleObserver.observe(root, BELOW);
  if (head !== null) titleObserver.observe(head, EVERYTHING);
};

const followTitle = () => {
  if (!isScriptless()) watchTitle();
  if (!titleIsDue) tellTitle();
};

const titleObserver = new MutationObserver(followTitle);

/**
 * Another document is there: the first after the empty one that a window opens with has the same world, but no
 * script begins there; and one that comes back from the cache of pages left has told its title long ago.
 */
const arrived = () => {
  toldTitle = '';
  followTitle();
};

if (!isScriptless()) addEventListener('pageshow', ({ persisted }) => { if (persisted) arrived(); });
followTitle();
