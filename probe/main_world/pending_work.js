// Knows what the page has begun and what soon goes on by itself: short timers, workers and databases that were asked.
// The probe asks how long the latest of it takes (pending.js). Only plain arrays here: a page may break the rest.
import {
  addEventListener, apply, construct, looksLike, Notice, noteDocument, notify, onQuestion, overhear, sourceOf, withTraps,
} from './native_wrappers.js';

const LONGEST = 500; // ms; what takes longer is not waited for
const LATEST = 10000; // ms; what takes longer is no answer to an action, and not told of either
const IDLE = 50; // ms within which an idle callback usually comes
const TICKS = 5; // of an interval that are waited for, unless it is cleared before
const OFTEN = 100; // ms of a timer that is set again and again
const LATE = 40; // ms that a timer may be
const MOST = 200; // entries; a newer one takes the place of the oldest
export const time = performance.now.bind(performance);
const entries = []; // of timers, each in the place that its id gives it
const asked = []; // of everything else, the oldest gives way
let next = 0;

/**
 * `run` is what is begun again and again when something recurs; `every` ms an interval ticks.
 * @param {any} ms @param {any} id @param {any} run @param {number} every
 */
const entryOf = (ms, id, run, every) => {
  const begun = time();
  return { begun, ms, due: begun + ms, id, run, every };
};

/** @param {any} ms @param {any} id @param {any} run @param {any} every */
const expectTimer = (ms, id, run, every) => { entries[id % MOST] = entryOf(ms, id, run, every); };

/** @param {any} id */
const forgetTimer = (id) => {
  if (typeof id === 'number' && entries[id % MOST]?.id === id) entries[id % MOST] = undefined;
};

/**
 * What is not a timer; `forget` knows it by `id`.
 * @param {any} ms @param {any} id @param {any} run
 */
const expectWithin = (ms, id, run) => {
  asked[next] = entryOf(ms, id, run, 0);
  next = (next + 1) % MOST;
};

/** @param {any} id */
const forget = (id) => {
  for (let index = 0; index < asked.length; index += 1) if (asked[index]?.id === id) asked[index] = undefined;
};

/** All that is under way: timers, then the rest. */
const underWay = () => {
  const all = [];
  for (let index = 0; index < MOST; index += 1) {
    if (entries[index] !== undefined) all[all.length] = entries[index];
    if (asked[index] !== undefined) all[all.length] = asked[index];
  }
  return all;
};

/** @param {any} delay */
const msOf = (delay) => (typeof delay === 'number' && delay > 0 ? delay : 0);

/**
 * An interval of which some ticks are waited for; of a longer one the first is all there is to be told of.
 * @param {any} delay
 */
const ticksOf = (delay) => {
  if (delay > LONGEST) return delay;
  return delay * TICKS > LONGEST ? LONGEST : delay * TICKS;
};

let frameAsked = -1; // when a frame was asked for last
const natively = {
  setTimeout, setInterval, clearTimeout, clearInterval, requestAnimationFrame, requestIdleCallback,
};
const timers = {
  setTimeout(run) {
    const id = apply(natively.setTimeout, this, arguments);
    const delay = msOf(arguments[1]);
    if (delay <= LATEST) expectTimer(delay, id, run, 0);
    noteDocument();
    return id;
  },
  setInterval(run) {
    const id = apply(natively.setInterval, this, arguments);
    const delay = msOf(arguments[1]);
    if (delay <= LATEST) expectTimer(ticksOf(delay), id, run, delay);
    noteDocument();
    return id;
  },
  clearTimeout() {
    forgetTimer(arguments[0]);
    apply(natively.clearTimeout, this, arguments);
  },
  clearInterval() {
    forgetTimer(arguments[0]);
    apply(natively.clearInterval, this, arguments);
  },
  requestAnimationFrame(run) {
    const id = apply(natively.requestAnimationFrame, this, arguments);
    frameAsked = time();
    noteDocument();
    return id;
  },
  requestIdleCallback(run) {
    const id = apply(natively.requestIdleCallback, this, arguments);
    expectWithin(IDLE, run, run);
    noteDocument();
    return id;
  },
};
for (const name of Object.keys(timers)) window[name] = looksLike(natively[name], timers[name]);

/**
 * Whether it was asked something before and has not answered in time.
 * @param {any} worker
 */
const isSilent = (worker) => {
  for (let index = 0; index < asked.length; index += 1) {
    const entry = asked[index];
    if (entry?.run === worker && entry.due < time()) return true;
  }
  return false;
};

/** @param {any} worker */
const expectAnswer = (worker) => { if (!isSilent(worker)) expectWithin(LONGEST, worker, worker); };

/**
 * Expect no more of it once it has said one of these.
 * @param {any} target @param {any} types
 */
const forgetAt = (target, types) => {
  for (let index = 0; index < types.length; index += 1) {
    apply(addEventListener, target, [types[index], () => forget(target)]);
  }
};

Scheduler.prototype.postTask = overhear(Scheduler.prototype.postTask, (given) => {
  const delay = msOf(given[1]?.delay);
  const signal = given[1]?.signal;
  if (delay === 0 || delay > LATEST) return;
  if (signal) forgetAt(signal, ['abort']);
  expectWithin(delay, signal ?? given[0], given[0]);
});

/** @param {any} worker */
const listenTo = (worker) => {
  forgetAt(worker, ['message']);
  expectWithin(LONGEST, worker);
};

window.Worker = withTraps(Worker, {
  construct(target, given, as) {
    const worker = construct(target, given, as);
    listenTo(worker);
    return worker;
  },
});
Worker.prototype.constructor = Worker;
Worker.prototype.postMessage = overhear(Worker.prototype.postMessage, (given, _, worker) => expectAnswer(worker));

/**
 * What a database is asked for, until it says one of these.
 * @param {any} target @param {any} types
 */
const expectEvent = (target, types) => {
  forgetAt(target, types);
  expectWithin(LONGEST, target, target);
};

IDBFactory.prototype.open = overhear(IDBFactory.prototype.open, (_, request) =>
  expectEvent(request, ['success', 'error']));
IDBDatabase.prototype.transaction = overhear(IDBDatabase.prototype.transaction, (_, transaction) =>
  expectEvent(transaction, ['complete', 'abort']));

/**
 * A ticker may begin a function anew each time; what it says and how soon it is due tell that it is the same.
 * @param {any} one @param {any} other
 */
const isSame = (one, other) => {
  if (one.run === other.run) return true;
  if (one.ms > OFTEN || one.ms !== other.ms || typeof one.run !== 'function') return false;
  return typeof other.run === 'function' && sourceOf(one.run) === sourceOf(other.run);
};

/**
 * Whether the same was under way already at that time, and has not been cleared: it recurs, if it was due when this
 * began, or was begun more than once. A single one that goes on beside this may be of an action just before.
 * @param {any} begun @param {any} since @param {any} all
 */
const recurs = (begun, since, all) => {
  let beside = 0;
  for (let index = 0; index < all.length; index += 1) {
    const entry = all[index];
    if (entry.begun >= since || entry.due < since - LATE) continue;
    if (!isSame(entry, begun)) continue;
    beside += 1;
    if (beside > 1 || entry.due <= begun.begun + LATE) return true;
  }
  return false;
};

/**
 * The lesser of two numbers, of which 0 is none.
 * @param {any} a @param {any} b
 */
const least = (a, b) => (a === 0 || (b > 0 && b < a) ? b : a);

/**
 * Of what has begun since then: `short` is ms until the short is through, `long` how many the first of the rest takes,
 * and `every` how many lie between two ticks of an interval that goes on all the same.
 * @param {any} since
 */
const restSince = (since) => {
  const present = time();
  const rest = { short: 0, long: 0, every: 0 };
  const all = underWay();
  for (let index = 0; index < all.length; index += 1) {
    const entry = all[index];
    if (entry.begun < since || recurs(entry, since, all)) continue;
    if (entry.due <= present) rest.every = least(rest.every, entry.every);
    else if (entry.ms > LONGEST) rest.long = least(rest.long, entry.ms);
    else if (entry.due - present > rest.short) rest.short = entry.due - present;
  }
  return rest;
};

const numberIn = Object.getOwnPropertyDescriptor(Notice.prototype, 'screenX').get;
onQuestion('charlotte:expects', (event) => {
  const since = time() - apply(numberIn, event, []);
  const { short, long, every } = restSince(since);
  const frame = frameAsked >= since ? 1 : 0;
  if (short === 0 && long === 0 && every === 0 && frame === 0) return;
  notify('charlotte:expected', { screenX: short > 0 ? short + 1 : 0, screenY: long, clientX: every, clientY: frame });
});
