// What is remembered from one capture to the next: what the walk read, so that after changes that cannot have
// led it another way only that is read again, and names (names.js).
const MOST_TURNS = 3;
let walked = null; // the pass that read last, with the rules of style that held then
let rules = [];

const walkFrom = (root, how, remembers) => {
  pass = newPass(how.withText, how.most);
  if (remembers) Object.assign(pass, { recalls: true, remembers, steps: [] });
  noteRoot(document);
  if (root !== null) visit(root, ROOT_CONTEXT, newStyle(false, false));
};

/** While a modal dialog is open, there is nothing but the dialog; one in a shadow root is met on the way. */
const walkDocument = (how, remembers) => {
  const modal = topModal([...queryAll(document, 'dialog:modal')]);
  walkFrom(modal ?? rootElementOf.call(document), how, remembers);
  const top = topModal(pass.modals);
  if (top !== modal) walkFrom(top, how, remembers);
};

/** Look at what has changed; whether what the last walk read can be read again. */
const isStillWalked = ({ withText, most }) => {
  const changed = takeRecords();
  const now = rulesNow(walked?.roots ?? []);
  const sameRules = walked !== null && sameList(now, rules);
  if (changed === null || !sameRules) forgetNames();
  if (changed === null) forgetRecords();
  const harmful = changed === null || !areHarmless(changed);
  return sameRules && !harmful && !newlyTold && walked.withText === withText && walked.most === most;
};

/** Whether neither the elements nor the rules of style have changed since the last walk. */
const isUntouched = () => {
  askForListeners();
  noteChanges(changesObserver.takeRecords());
  return !flooded && !newlyTold && recorded === 0 && sameList(rulesNow(walked.roots), rules);
};

/** Whether names are what the last capture found them to be: it asked for all, and nothing has changed since. */
const namesHold = () => walked !== null && walked.beyond.size === 0 && isUntouched();

const canBeReadAgain = () => pass.skipped === 0 && pass.modals.length < 2;

const walkRemembering = (how) => {
  newlyTold = false;
  forgetPlaces();
  forgetMembers();
  walkDocument(how, true);
  rules = rulesNow(pass.roots);
  return canBeReadAgain() ? pass : null;
};

/** Read the document; again when it turned out meanwhile that a name is not what it was. */
const readDocument = (how) => {
  looks += 1;
  let again = isStillWalked(how) ? passAgain(walked) : null;
  for (let turn = 1; ; turn += 1) {
    walked = again ?? walkRemembering(how);
    if (!pass.stale || turn === MOST_TURNS) return;
    if (turn === MOST_TURNS - 1) forgetNames();
    again = walked && passAgain(walked);
  }
};
