// Limits the lines that a page logs: Chromium reports them slower than a page can log, and the events of all tabs wait
// behind them. Warnings and exceptions have limits of their own.
import { addEventListener, apply, getterOf, withTraps } from './native_wrappers.js';
import { time } from './pending_work.js';

const AT_ONCE = 1800; // lines
const EXCEPTIONS_AT_ONCE = 300;
const A_SECOND = 100; // lines, once those are used up
const CHATTER = [
  'log', 'info', 'debug', 'trace', 'dir', 'dirxml', 'table', 'count', 'clear', 'group', 'groupCollapsed', 'groupEnd',
];
const MISSED = '[Charlotte] The page logged too many lines or exceptions: from here on, some were not recorded.';
const pageConsole = /** @type {Record<string, Function>} */ (/** @type {unknown} */ (console));
const { warn } = pageConsole;

/**
 * Create a counter with room for some lines; once it is used up, it waits for room for the lines of a second.
 * @param {number} atOnce
 */
const newBudget = (atOnce) => {
  let room = atOnce;
  let countedAt = time();
  let isSpent = false;
  return () => {
    const present = time();
    room += ((present - countedAt) / 1000) * A_SECOND;
    if (room > atOnce) room = atOnce;
    countedAt = present;
    if (isSpent && room < A_SECOND) return false;
    isSpent = room < 1;
    if (isSpent) apply(warn, pageConsole, [MISSED]);
    else room -= 1;
    return !isSpent;
  };
};

/** @param {string[]} names @param {() => boolean} admits */
const limit = (names, admits) => {
  for (const name of names) {
    pageConsole[name] = withTraps(pageConsole[name], {
      apply(target, self, args) {
        if (admits()) apply(target, self, args);
      },
    });
  }
};

limit(['warn', 'error'], newBudget(AT_ONCE));
limit(CHATTER, newBudget(AT_ONCE));

const { preventDefault } = Event.prototype;
const pageWindow = window;
const targetOf = getterOf(Event.prototype, 'target');
const admitsException = newBudget(EXCEPTIONS_AT_ONCE);

/**
 * Prevent the report of an exception; Chromium does not report an exception whose event was prevented.
 * @param {Event} event
 */
const limitExceptions = (event) => {
  const isReport = event.isTrusted && apply(targetOf, event, []) === pageWindow;
  if (isReport && !admitsException()) apply(preventDefault, event, []);
};

for (const name of ['error', 'unhandledrejection']) apply(addEventListener, pageWindow, [name, limitExceptions, true]);
