// Lets a page log no more than can be told. It makes lines several times as fast as the browser tells them, and every
// tab would wait behind those on their way. What it warns of is counted apart, so that no chatter hides it, and so are
// exceptions: each carries its stack, and is reported to several sessions.
import { addEventListener, apply, withTraps } from './native_wrappers.js';
import { time } from './pending_work.js';

const AT_ONCE = 1800; // lines
const EXCEPTIONS_AT_ONCE = 300;
const A_SECOND = 100; // once those are spent
const WARNINGS = ['warn', 'error'];
const CHATTER = [
  'log', 'info', 'debug', 'trace', 'dir', 'dirxml', 'table', 'count', 'clear', 'group', 'groupCollapsed', 'groupEnd',
];
const MISSED = '[Charlotte] The page logged too many lines or exceptions: from here on, some were not recorded.';
const pageConsole = console;
const { warn } = console;

/**
 * Whether there is room for one more line; once there was none, not before there is room for a second's.
 * @param {number} atOnce
 */
const newBudget = (atOnce) => {
  let room = atOnce;
  let counted = time();
  let isSpent = false;
  return () => {
    const present = time();
    room += ((present - counted) / 1000) * A_SECOND;
    if (room > atOnce) room = atOnce;
    counted = present;
    if (isSpent && room < A_SECOND) return false;
    isSpent = room < 1;
    if (isSpent) apply(warn, pageConsole, [MISSED]);
    else room -= 1;
    return !isSpent;
  };
};

/** @param {any} names @param {any} admits */
const limit = (names, admits) => {
  for (const name of names) {
    console[name] = withTraps(console[name], {
      apply(target, self, given) {
        if (admits()) apply(target, self, given);
      },
    });
  }
};

limit(WARNINGS, newBudget(AT_ONCE));
limit(CHATTER, newBudget(AT_ONCE));

const { preventDefault } = Event.prototype;
const windowHere = window;
const targetOf = Object.getOwnPropertyDescriptor(Event.prototype, 'target').get;
const admitsException = newBudget(EXCEPTIONS_AT_ONCE);

/**
 * The browser does not report an exception that a listener has prevented from that.
 * @param {any} event
 */
const limitExceptions = (event) => {
  const isReport = event.isTrusted && apply(targetOf, event, []) === windowHere;
  if (isReport && !admitsException()) apply(preventDefault, event, []);
};

for (const name of ['error', 'unhandledrejection']) apply(addEventListener, windowHere, [name, limitExceptions, true]);
