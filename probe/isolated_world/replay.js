// Repeating the last walk. A walk is stored as steps. As long as no element was added, removed or replaced, the steps give
// the same result as a walk, and elements without a row or a line are not visited. A long document is not read at all if
// nothing has changed; only movements by late images or fonts, and hover effects, are missed.
import { getAnimations, isScriptless, localNameOf, matches, queryAll, rootElementOf, sameList } from './builtins.js';
import { beginRead, forgetMembers, forgetNames, forgetRecords } from './caches.js';
import { pageStyle } from './clickable.js';
import { noteSuspect } from './closed_roots.js';
import { deepActive, rootOf, topModal } from './flat_tree.js';
import { areHarmless, changesObserver, flooded, noteChanges, recorded, takeRecords } from './mutations.js';
import { pageFacts, scrolls } from './page_facts.js';
import { beginPass, keepWalked, newPass, pass, walked } from './pass.js';
import { clearNewReports, hasNewReports, reportCount, requestReports } from './registry.js';
import { playerState } from './painted.js';
import { rulesNow } from './sheets.js';
import { noteGenerated } from './text_lines.js';
import { noteRootsOf, ROOT_CONTEXT, visit } from './walk.js';

/**
 * Return whether an element has got a shadow root; other elements are noted as suspects.
 * @param {Element[]} hosts
 */
const hasNewRoot = (hosts) => hosts.some((host) => {
  if (rootOf(host) !== null) return true;
  noteSuspect(host, localNameOf.call(host));
  return false;
});

/**
 * Return whether style sheets generate the same texts on the same elements as before.
 * @param {any} subject
 */
const generatesTheSame = ({ roots, generated, withText }) => {
  if (withText) roots.forEach(noteGenerated);
  if (pass.generated.size !== generated.size) return false;
  for (const [element, { before, after }] of pass.generated) {
    const known = generated.get(element);
    if (known?.before !== before || known.after !== after) return false;
  }
  return true;
};

/** @param {any} walked */
const replays = (walked) => {
  try {
    return !hasNewRoot(walked.hosts) && generatesTheSame(walked) && walked.steps.every((/** @type {Step} */ { place, again }) => {
      pass.visited = place;
      return again();
    });
  } catch {
    return false;
  }
};

/**
 * Repeat the steps of an earlier pass; null if the document must be walked again.
 * @param {any} walked
 */
const replayPass = (walked) => {
  const { mixed, muted, veiled, tinted, readsSortOrder } = walked;
  beginPass({ ...newPass(walked.withText, walked.most), mixed, muted, veiled, tinted, readsSortOrder, readsCaches: true, fillsCaches: true });
  if (!replays(walked)) return null;
  const { steps, hosts, roots, visited } = walked;
  return Object.assign(pass, { steps, hosts, roots, visited });
};

const MOST_TURNS = 3;

/** @type {any[]} */
let rules = []; // of style at that time

/** @param {any} root @param {ReadOptions} how @param {boolean} fillsCaches */
const walkFrom = (root, how, fillsCaches) => {
  beginPass(newPass(how.withText, how.most));
  if (fillsCaches) Object.assign(pass, { readsCaches: true, fillsCaches, steps: [] });
  noteRootsOf(root);
  if (root !== null) visit(root, ROOT_CONTEXT, pageStyle());
};

/**
 * Walk the document, or only the modal dialog if one is open; a dialog in a shadow root is found during the walk.
 * @param {ReadOptions} how @param {boolean} fillsCaches
 */
export const walkDocument = (how, fillsCaches) => {
  const modal = topModal([...queryAll(document, 'dialog:modal')]);
  walkFrom(modal ?? rootElementOf.call(document), how, fillsCaches);
  const top = topModal(pass.modals);
  if (top !== modal) walkFrom(top, how, fillsCaches);
};

/**
 * Process the changes; return whether the last walk can be replayed.
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

/** Return whether neither elements nor style rules have changed since the last walk. */
const isUntouched = () => {
  requestReports();
  noteChanges(changesObserver.takeRecords());
  return !flooded && !hasNewReports && recorded === 0 && sameList(rulesNow(walked.roots), rules);
};

/** Return whether the names of the last capture are still valid and complete. */
export const namesHold = () => walked !== null && walked.beyond.size === 0 && isUntouched();

/** @param {ReadOptions} how */
const walkRemembering = (how) => {
  clearNewReports();
  forgetMembers();
  walkDocument(how, true);
  rules = rulesNow(pass.roots);
  return pass.skipped === 0 && pass.modals.length < 2 ? pass : null;
};

/**
 * Read the document; again if a name turned out to be stale meanwhile.
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

/** @param {any} field */
const fieldState = (field) => {
  switch (localNameOf.call(field)) {
    case 'select': return Array.from(field.selectedOptions, (option) => option.index).join();
    case 'textarea': return field.value;
    case 'audio': case 'video': return playerState(field);
    default: return field.checked || field.indeterminate ? `${field.checked} ${field.indeterminate}` : field.value;
  }
};

/**
 * Create a reader of the state that changes without a mutation: values, popovers, reports.
 * @param {any[]} roots
 */
export const newSilentState = (roots) => {
  const fields = roots.flatMap((root) => [...queryAll(root, 'input,textarea,select,audio,video')]);
  const popovers = roots.flatMap((root) => [...queryAll(root, '[popover]')]);
  return () => {
    requestReports();
    return [reportCount, ...fields.map(fieldState), ...popovers.map((popover) => matches.call(popover, ':popover-open'))];
  };
};

const LONG_DOCUMENT = 1000; // rows
/** @type {any} */
let quietState = null; // of the last reading

/** @param {any[]} roots */
const newQuietState = (roots) => {
  const readSilentState = newSilentState(roots);
  const look = () => [JSON.stringify(pageFacts()), JSON.stringify(scrolls()), deepActive(), ...readSilentState()];
  return { look, known: look() };
};

const hasAnimations = () => getAnimations.call(document).length > 0;

/**
 * Store the state after a reading; not for a short document or one that is animated.
 * @param {number} rows
 */
export const noteQuietState = (rows) => {
  quietState = rows < LONG_DOCUMENT || walked === null || isScriptless() || hasAnimations() ? null : newQuietState(walked.roots);
};

export const isUnchanged = () =>
  quietState !== null && walked !== null && isUntouched() && !hasAnimations() && !walked.hosts.some(rootOf)
  && sameList(quietState.look(), quietState.known);
