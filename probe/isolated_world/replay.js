// What a walk reads, as steps that can be done again in the same order. As long as no element came, went or
// became something else, doing them again gives what a walk would, and no element need be looked at that makes
// no row and no line.
// What is remembered from one capture to the next: what the walk read, so that after changes that cannot have
// led it another way only that is read again, and names (names.js).
// Whether a document that takes long to read would read as it did. Unseen goes only what came out otherwise by itself:
// the places of things around an image or a font that came late, and what the mouse's mere presence shows.
import {
  getAnimations, isScriptless, localNameOf, matches, queryAll, rootElementOf, sameList,
} from './builtins.js';
import { beginRead, forgetMembers, forgetNames, forgetPlaces, forgetRecords } from './caches.js';
import { newStyle } from './clickable.js';
import { noteSuspect } from './closed_roots.js';
import { deepActive, rootOf, topModal } from './flat_tree.js';
import {
  areHarmless, changesObserver, flooded, noteChanges, recorded, rulesNow, takeRecords,
} from './mutations.js';
import { pageFacts, scrolls } from './page_facts.js';
import { beginPass, keepWalked, newPass, pass, walked } from './pass.js';
import { clearNewReports, hasNewReports, reportCount, requestReports } from './reports.js';
import { noteGenerated } from './text_lines.js';
import { noteRoot, ROOT_CONTEXT, visit } from './walk.js';

/**
 * Whether one of them has got a shadow root; others are noted as suspects, as the walk does.
 * @param {Element[]} hosts
 */
const hasNewRoot = (hosts) => hosts.some((host) => {
  if (rootOf(host) !== null) return true;
  noteSuspect(host, localNameOf.call(host));
  return false;
});

/** @param {Generated} a @param {Generated | undefined} b */
const sameGenerated = (a, b) => b !== undefined && a.before === b.before && a.after === b.after;

/**
 * Whether style sheets write the same texts on the same elements as they did.
 * @param {any} subject
 */
const generatesTheSame = ({ roots, generated, withText }) => {
  if (withText) roots.forEach(noteGenerated);
  if (pass.generated.size !== generated.size) return false;
  for (const [element, text] of pass.generated) if (!sameGenerated(text, generated.get(element))) return false;
  return true;
};

/** @param {Step[]} steps */
const replaySteps = (steps) => {
  for (const { place, again } of steps) {
    pass.visited = place;
    if (!again()) return false;
  }
  return true;
};

/** @param {any} walked */
const replays = (walked) => {
  try {
    return !hasNewRoot(walked.hosts) && generatesTheSame(walked) && replaySteps(walked.steps);
  } catch {
    return false;
  }
};

/**
 * A pass that does the steps of `walked` again; null when the document must be walked again.
 * @param {any} walked
 */
const replayPass = (walked) => {
  const { mixed, muted, sorts } = walked;
  beginPass({ ...newPass(walked.withText, walked.most), mixed, muted, sorts, recalls: true, remembers: true });
  if (!replays(walked)) return null;
  const { steps, hosts, roots, visited } = walked;
  return Object.assign(pass, { steps, hosts, roots, visited });
};

const MOST_TURNS = 3;

/** @type {any[]} */
let rules = []; // of style that held then

/** @param {any} root @param {ReadOptions} how @param {boolean} remembers */
const walkFrom = (root, how, remembers) => {
  beginPass(newPass(how.withText, how.most));
  if (remembers) Object.assign(pass, { recalls: true, remembers, steps: [] });
  noteRoot(document);
  if (root !== null) visit(root, ROOT_CONTEXT, newStyle(false, false));
};

/**
 * While a modal dialog is open, there is nothing but the dialog; one in a shadow root is met on the way.
 * @param {ReadOptions} how @param {boolean} remembers
 */
export const walkDocument = (how, remembers) => {
  const modal = topModal([...queryAll(document, 'dialog:modal')]);
  walkFrom(modal ?? rootElementOf.call(document), how, remembers);
  const top = topModal(pass.modals);
  if (top !== modal) walkFrom(top, how, remembers);
};

/**
 * Look at what has changed; whether what the last walk read can be read again.
 * @param {any} subject
 */
const isStillWalked = ({ withText, most }) => {
  const changed = takeRecords();
  const now = rulesNow(walked?.roots ?? []);
  const sameRules = walked !== null && sameList(now, rules);
  if (changed === null || !sameRules) forgetNames();
  if (changed === null) forgetRecords();
  const harmful = changed === null || !areHarmless(changed);
  return sameRules && !harmful && !hasNewReports && walked.withText === withText && walked.most === most;
};

/** Whether neither the elements nor the rules of style have changed since the last walk. */
const isUntouched = () => {
  requestReports();
  noteChanges(changesObserver.takeRecords());
  return !flooded && !hasNewReports && recorded === 0 && sameList(rulesNow(walked.roots), rules);
};

/** Whether names are what the last capture found them to be: it asked for all, and nothing has changed since. */
export const namesHold = () => walked !== null && walked.beyond.size === 0 && isUntouched();

const canBeReadAgain = () => pass.skipped === 0 && pass.modals.length < 2;

/** @param {ReadOptions} how */
const walkRemembering = (how) => {
  clearNewReports();
  forgetPlaces();
  forgetMembers();
  walkDocument(how, true);
  rules = rulesNow(pass.roots);
  return canBeReadAgain() ? pass : null;
};

/**
 * Read the document; again when it turned out meanwhile that a name is not what it was.
 * @param {ReadOptions} how
 */
export const readDocument = (how) => {
  beginRead();
  let again = isStillWalked(how) ? replayPass(walked) : null;
  for (let turn = 1; ; turn += 1) {
    keepWalked(again ?? walkRemembering(how));
    if (!pass.stale || turn === MOST_TURNS) return;
    if (turn === MOST_TURNS - 1) forgetNames();
    again = walked && replayPass(walked);
  }
};

/** @param {any} select */
const selectedIndexes = (select) =>
  (select.multiple ? Array.from(select.selectedOptions, (option) => option.index).join() : select.selectedIndex);

/** @param {any} field */
const fieldState = (field) => {
  switch (localNameOf.call(field)) {
    case 'select': return selectedIndexes(field);
    case 'textarea': return field.value;
    default: return field.checked || field.indeterminate ? `${field.checked} ${field.indeterminate}` : field.value;
  }
};

/**
 * A function that lists what no mutation tells of; which elements that are, only a mutation can change.
 * @param {any[]} roots
 */
export const newSilentState = (roots) => {
  const fields = roots.flatMap((root) => [...queryAll(root, 'input,textarea,select')]);
  const popovers = roots.flatMap((root) => [...queryAll(root, '[popover]')]);
  return () => {
    requestReports();
    return [reportCount, ...fields.map(fieldState), ...popovers.map((popover) => matches.call(popover, ':popover-open'))];
  };
};

const LONG_DOCUMENT = 1000; // rows
/** @type {any} */
let quietState = null; // of the reading answered last

/** @param {any[]} roots */
const newQuietState = (roots) => {
  const untold = newSilentState(roots);
  const look = () => [JSON.stringify(pageFacts()), JSON.stringify(scrolls()), deepActive(), ...untold()];
  return { look, known: look() };
};

const hasAnimations = () => getAnimations.call(document).length > 0;

/**
 * Remember how things stand with what was just read; not if it is short, or about to be otherwise.
 * @param {number} rows
 */
export const noteQuietState = (rows) => {
  quietState = rows < LONG_DOCUMENT || walked === null || isScriptless() || hasAnimations() ? null : newQuietState(walked.roots);
};

export const isUnchanged = () =>
  quietState !== null && walked !== null && isUntouched() && !hasAnimations() && !walked.hosts.some(rootOf)
  && sameList(quietState.look(), quietState.known);
