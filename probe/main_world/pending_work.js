// Pending work of the page: timers, workers and database requests. The probe asks for its duration (pending.js). Only plain
// arrays are used here, because a page may replace other builtins.
import {
  addEventListener, apply, construct, getterOf, Notice, noteDocument, notify, onRequest, printLike, reportCalls, sourceOf,
  withTraps,
} from './native_wrappers.js';

export const LONGEST = 500; // ms; longer work is not waited for
const LONGEST_TIMER = 10000; // ms; longer timers are unrelated to an action
const IDLE = 50; // ms within which an idle callback usually comes
const TICKS = 5; // of an interval that are waited for, unless it is cleared before
const SHORT_PERIOD = 100; // ms; a recurring timer with at most this delay may create its function each time
const TIMER_DELAY = 40; // ms by which a timer may be late
const MOST = 200; // entries; a newer one takes the place of the oldest
export const time = performance.now.bind(performance);

/**
 * Pending work: `run` identifies recurring work, `every` is the period of an interval, `due` is `start` plus `ms`.
 * @typedef {{ start: number, ms: number, due: number, id: unknown, run: unknown, every: number }} Entry
 */
/** @type {(Entry | undefined)[]} */
const timerEntries = []; // by id modulo `MOST`
/** @type {(Entry | undefined)[]} */
const otherEntries = []; // in a ring
let next = 0;

/** @type {(ms: number, id: unknown, run: unknown, every: number) => Entry} */
const newEntry = (ms, id, run, every) => {
  const start = time();
  return { start, ms, due: start + ms, id, run, every };
};

/** @param {number} ms @param {number} id @param {unknown} run @param {number} every */
const expectTimer = (ms, id, run, every) => { timerEntries[id % MOST] = newEntry(ms, id, run, every); };

/** @param {unknown} id */
const forgetTimer = (id) => {
  if (typeof id === 'number' && timerEntries[id % MOST]?.id === id) timerEntries[id % MOST] = undefined;
};

/**
 * Add work that is not a timer; `forget` finds it by `id`.
 * @param {number} ms @param {unknown} id @param {unknown} [run]
 */
export const expectWithin = (ms, id, run) => {
  otherEntries[next] = newEntry(ms, id, run, 0);
  next = (next + 1) % MOST;
};

/** @param {unknown} id */
export const forget = (id) => {
  for (let index = 0; index < otherEntries.length; index += 1) {
    if (otherEntries[index]?.id === id) otherEntries[index] = undefined;
  }
};

/** Return all pending work, timers first. */
const pendingEntries = () => {
  /** @type {Entry[]} */
  const all = [];
  for (let index = 0; index < MOST; index += 1) {
    const timer = timerEntries[index];
    const other = otherEntries[index];
    if (timer !== undefined) all[all.length] = timer;
    if (other !== undefined) all[all.length] = other;
  }
  return all;
};

/** @param {unknown} delay */
const msOf = (delay) => (typeof delay === 'number' && delay > 0 ? delay : 0);

/**
 * Return the ms for which an interval is waited for: some ticks, or the first tick of a long interval.
 * @param {number} delay
 */
const ticksOf = (delay) => {
  if (delay > LONGEST) return delay;
  return delay * TICKS > LONGEST ? LONGEST : delay * TICKS;
};

let lastFrameRequest = -1; // time
/** @type {Record<string, Function>} */
const natives = { setTimeout, setInterval, clearTimeout, clearInterval, requestAnimationFrame, requestIdleCallback };
/** @type {Record<string, (this: Window, run: unknown) => unknown>} */
const wrappers = {
  setTimeout(run) {
    const id = apply(natives.setTimeout, this, arguments);
    const delay = msOf(arguments[1]);
    if (delay <= LONGEST_TIMER) expectTimer(delay, id, run, 0);
    noteDocument();
    return id;
  },
  setInterval(run) {
    const id = apply(natives.setInterval, this, arguments);
    const delay = msOf(arguments[1]);
    if (delay <= LONGEST_TIMER) expectTimer(ticksOf(delay), id, run, delay);
    noteDocument();
    return id;
  },
  clearTimeout() {
    forgetTimer(arguments[0]);
    apply(natives.clearTimeout, this, arguments);
  },
  clearInterval() {
    forgetTimer(arguments[0]);
    apply(natives.clearInterval, this, arguments);
  },
  requestAnimationFrame(run) {
    const id = apply(natives.requestAnimationFrame, this, arguments);
    lastFrameRequest = time();
    noteDocument();
    return id;
  },
  requestIdleCallback(run) {
    const id = apply(natives.requestIdleCallback, this, arguments);
    expectWithin(IDLE, run, run);
    noteDocument();
    return id;
  },
};
const globals = /** @type {Record<string, Function>} */ (/** @type {unknown} */ (window));
for (const name of Object.keys(wrappers)) globals[name] = printLike(natives[name], wrappers[name]);

/**
 * Return whether an earlier request to a worker was not answered in time.
 * @param {Worker} worker
 */
const isSilent = (worker) => {
  for (let index = 0; index < otherEntries.length; index += 1) {
    const entry = otherEntries[index];
    if (entry?.run === worker && entry.due < time()) return true;
  }
  return false;
};

/**
 * Remove the work of a target at one of its events.
 * @param {EventTarget} target @param {string[]} types
 */
const forgetAt = (target, types) => {
  for (let index = 0; index < types.length; index += 1) {
    apply(addEventListener, target, [types[index], () => forget(target)]);
  }
};

Scheduler.prototype.postTask = reportCalls(Scheduler.prototype.postTask, (args) => {
  const delay = msOf(args[1]?.delay);
  const signal = args[1]?.signal;
  if (delay === 0 || delay > LONGEST_TIMER) return;
  if (signal) forgetAt(signal, ['abort']);
  expectWithin(delay, signal ?? args[0], args[0]);
});

window.Worker = withTraps(Worker, {
  construct(target, args, newTarget) {
    const worker = construct(target, args, newTarget);
    forgetAt(worker, ['message']);
    expectWithin(LONGEST, worker);
    return worker;
  },
});
Worker.prototype.constructor = Worker;
Worker.prototype.postMessage = reportCalls(Worker.prototype.postMessage, (_args, _, worker) => {
  if (!isSilent(worker)) expectWithin(LONGEST, worker, worker);
});

/**
 * Add a database request until one of its events.
 * @param {EventTarget} target @param {string[]} types
 */
const expectEvent = (target, types) => {
  forgetAt(target, types);
  expectWithin(LONGEST, target, target);
};

IDBFactory.prototype.open = reportCalls(IDBFactory.prototype.open, (_, request) =>
  expectEvent(request, ['success', 'error']));
IDBDatabase.prototype.transaction = reportCalls(IDBDatabase.prototype.transaction, (_, transaction) =>
  expectEvent(transaction, ['complete', 'abort']));

/**
 * Return whether two timers run the same function; a ticker may create its function each time.
 * @param {Entry} one @param {Entry} other
 */
const isSame = (one, other) => {
  if (one.run === other.run) return true;
  if (one.ms > SHORT_PERIOD || one.ms !== other.ms || typeof one.run !== 'function') return false;
  return typeof other.run === 'function' && sourceOf(one.run) === sourceOf(other.run);
};

/**
 * Return whether work that began since then is a recurrence of earlier work: that was due when the new work began, or
 * was pending more than once. A single earlier entry may belong to the previous action.
 * @param {Entry} entry @param {number} since @param {Entry[]} all
 */
const isRecurring = (entry, since, all) => {
  let count = 0;
  for (let index = 0; index < all.length; index += 1) {
    const earlier = all[index];
    if (earlier.start >= since || earlier.due < since - TIMER_DELAY) continue;
    if (!isSame(earlier, entry)) continue;
    count += 1;
    if (count > 1 || earlier.due <= entry.start + TIMER_DELAY) return true;
  }
  return false;
};

/**
 * Return the smaller of two numbers; 0 stands for no number.
 * @param {number} a @param {number} b
 */
const least = (a, b) => (a === 0 || (b > 0 && b < a) ? b : a);

/**
 * Return the work that began since then: `short` is the ms until short work ends, `long` the ms of the shortest long
 * timer, `every` the period of an interval that goes on. With `once`, intervals are left out.
 * @param {number} since @param {boolean} once
 */
const remainingSince = (since, once) => {
  const present = time();
  const remaining = { short: 0, long: 0, every: 0 };
  const all = pendingEntries();
  for (let index = 0; index < all.length; index += 1) {
    const entry = all[index];
    if (entry.start < since || (once && entry.every > 0) || isRecurring(entry, since, all)) continue;
    if (entry.due <= present) remaining.every = least(remaining.every, entry.every);
    else if (entry.ms > LONGEST) remaining.long = least(remaining.long, entry.ms);
    else if (entry.due - present > remaining.short) remaining.short = entry.due - present;
  }
  return remaining;
};

const screenXOf = getterOf(Notice.prototype, 'screenX');
const screenYOf = getterOf(Notice.prototype, 'screenY');
onRequest('charlotte:expects', (event) => {
  const since = time() - apply(screenXOf, event, []);
  const { short, long, every } = remainingSince(since, apply(screenYOf, event, []) > 0);
  const frame = lastFrameRequest >= since ? 1 : 0;
  if (short === 0 && long === 0 && every === 0 && frame === 0) return;
  notify('charlotte:expected', { screenX: short > 0 ? short + 1 : 0, screenY: long, clientX: every, clientY: frame });
});
