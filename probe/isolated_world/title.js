// Reports the title of the page whenever it changes, because a busy page cannot be asked. `charlotteTitle` is a binding of
// this world in main frames.
import { cut, documentTitleOf, headOf, isScriptless, rootElementOf } from './builtins.js';
import { EVERYTHING } from './mutations.js';

const TITLE_PAUSE = 200; // ms between two reports: a page may count down in its title
const LONGEST_TITLE = 1000;
const CHILDREN_ONLY = Object.freeze({ childList: true });
let reportedTitle = '';
let titleIsDue = false;

const reportTitle = () => {
  const title = cut(documentTitleOf.call(document), LONGEST_TITLE);
  if (title === reportedTitle || self !== top || globalThis.charlotteTitle === undefined) return;
  reportedTitle = title;
  globalThis.charlotteTitle(title);
  if (isScriptless()) return;
  titleIsDue = true;
  setTimeout(() => {
    titleIsDue = false;
    reportTitle();
  }, TITLE_PAUSE);
};

const followTitle = () => {
  if (!isScriptless()) watchTitle();
  if (!titleIsDue) reportTitle();
};

const titleObserver = new MutationObserver(followTitle);

const watchTitle = () => {
  const root = rootElementOf.call(document);
  const head = headOf.call(document);
  titleObserver.observe(document, CHILDREN_ONLY);
  if (root !== null) titleObserver.observe(root, CHILDREN_ONLY);
  if (head !== null) titleObserver.observe(head, EVERYTHING);
};

/** Report the title of a new document in a window that keeps its world, or of one from the back/forward cache. */
export const arrived = () => {
  reportedTitle = '';
  followTitle();
};

if (!isScriptless()) addEventListener('pageshow', ({ persisted }) => { if (persisted) arrived(); });
followTitle();
