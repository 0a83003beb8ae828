// capture(): the page as rows and lines in document order, as one JSON string.
import { listenForAnnouncements, liveTexts } from './announcements.js';
import { takeSuspects } from './closed_roots.js';
import { endGuard } from './focus_guard.js';
import { documentId, pageFacts, scrolled, scrolls } from './page_facts.js';
import { endPass, pass } from './pass.js';
import { addRecords } from './records.js';
import { isUnchanged, noteQuietState, readDocument, walkDocument } from './replay.js';
import { requestReports } from './registry.js';
import { changesBetween } from './row_diff.js';
import { usedStructure } from './structure.js';
import { addDistinctions } from './twins.js';
import { beyondCounts } from './walk.js';

const SAME = '{"same":true}';

/** Merge rows, structure and lines in document order: at one place, a row comes first and a line last. */
const merged = () => {
  const { rows, places, texts } = pass;
  const placed = rows.map((row, index) => ({ place: places[index], row }));
  return [...placed, ...usedStructure(), ...texts].sort((a, b) => a.place - b.place).map(({ row }) => row);
};

/** @param {ReadOptions} how @param {boolean} fresh */
const readState = (how, fresh) => {
  if (fresh) walkDocument(how, false);
  else readDocument(how);
  const { visited, skipped, counts, suspects } = pass;
  /** @type {Extra} */
  const facts = { ...pageFacts(), elements: visited, counts };
  if (skipped > 0) facts.skipped = skipped;
  const alerts = liveTexts();
  if (alerts.length > 0) facts.alerts = alerts;
  if (scrolled.size > 0) facts.scrolls = scrolls();
  if (pass.beyond.size > 0) facts.beyond = beyondCounts();
  const heads = addRecords(pass.rows, addDistinctions(pass.rows));
  if (heads.length > 0) facts.heads = heads;
  const nodes = merged();
  const length = pass.rows.length + pass.texts.length;
  endPass();
  return { facts: JSON.stringify(facts).slice(1, -1), nodes, length, suspects };
};

/** @type {any} */
let lastState = null; // the state answered last, with its name
let answerCount = 0;

/** @param {any} subject */
const fullAnswer = ({ name, facts, nodes }) => `{"answer":"${name}",${facts},"nodes":${JSON.stringify(nodes)}}`;

/**
 * Return the difference between `state` and the previous answer: everything, the changes, or `SAME`.
 * @param {any} state @param {string} known
 */
const answerOf = (state, known) => {
  const changes = lastState !== null && lastState.name === known ? changesBetween(lastState.nodes, state.nodes) : null;
  if (changes === null) return fullAnswer(state);
  const same = changes.splices.length === 0 && changes.moved.length === 0 && state.facts === lastState.facts;
  return same ? SAME
    : `{"answer":"${state.name}","since":"${lastState.name}",${state.facts},${JSON.stringify(changes).slice(1)}`;
};

/**
 * Return the page as rows. `text: false` omits lines of text. A caller that names the last answer as `known` receives
 * only the changes, or {"same": true}. `fresh` walks without caches and leaves them unchanged. After `most` rows,
 * interactive elements are only counted. `lazy` skips the reading of a long document in which nothing has changed.
 * @param {any} [options]
 */
export const capture = ({ text = true, known = '', fresh = false, most = Infinity, lazy = false } = {}) => {
  listenForAnnouncements(true);
  endGuard();
  requestReports();
  const how = { withText: text, most };
  if (fresh) return fullAnswer({ ...readState(how, true), name: '' });
  if (lazy && lastState !== null && lastState.name === known && isUnchanged()) return SAME;
  answerCount += 1;
  const state = { ...readState(how, false), name: `${documentId}.${answerCount}` };
  const answer = answerOf(state, known);
  if (answer !== SAME) lastState = state;
  noteQuietState(state.length);
  const { suspects } = state; // elements that may have closed shadow roots
  return suspects.length === 0 ? answer : `{"suspects":${JSON.stringify(takeSuspects(suspects))},${answer.slice(1)}`;
};
