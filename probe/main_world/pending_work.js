// Pending work of the page: timers, workers and database requests. The probe asks for its duration (pending.js). Only plain
// arrays are used here, because a page may replace other builtins.
import {
  addEventListener, apply, construct, looksLike, Notice, noteDocument, notify, onQuestion, overhear, sourceOf, withTraps,
} from './native_wrappers.js';

const LONGEST = 500; // ms; longer work is not waited for
const LATEST = 10000; // ms; longer timers are no answer to an action
const IDLE = 50; // ms within which an idle callback usually comes
const TICKS = 5; // of an interval that are waited for, unless it is cleared before
const OFTEN = 100; // ms of a recurring timer
const LATE = 40; // ms by which a timer may be late
const MOST = 200; // entries; a newer one takes the place of the oldest
export const time = performance.now.bind(performance);
const entries = []; // timers, by id modulo `MOST`
const asked = []; // other work, in a ring
let next = 0;

/**
 * Create an entry of pending work; `run` identifies recurring work, `every` is the period of an interval.
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
 * Add work that is not a timer; `forget` finds it by `id`.
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

/** Return all pending work, timers first. */
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
 * Return the ms for which an interval is waited for: some ticks, or the first tick of a long interval.
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
 * Return whether an earlier request to a worker was not answered in time.
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
 * Remove the work of a target at one of its events.
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
 * Add a database request until one of its events.
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
 * Return whether two timers run the same function; a ticker may create its function each time.
 * @param {any} one @param {any} other
 */
const isSame = (one, other) => {
  if (one.run === other.run) return true;
  if (one.ms > OFTEN || one.ms !== other.ms || typeof one.run !== 'function') return false;
  return typeof other.run === 'function' && sourceOf(one.run) === sourceOf(other.run);
};

/**
 * Return whether the same work was already pending at that time: it recurs if it was due when this began, or was
 * pending more than once. A single one may belong to the previous action.
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
 * Return the smaller of two numbers; 0 stands for no number.
 * @param {any} a @param {any} b
 */
const least = (a, b) => (a === 0 || (b > 0 && b < a) ? b : a);

/**
 * Return the work that began since then: `short` is the ms until short work ends, `long` the ms of the shortest long
 * timer, `every` the period of an interval that goes on.
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
