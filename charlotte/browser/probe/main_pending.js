// Knows what the page has begun and what soon goes on by itself: short timers, and workers that were asked something.
// The probe asks how long the latest of it takes (pending.js). Only plain arrays here: a page may break the rest.
const LONGEST = 500; // ms; what takes longer is not waited for
const IDLE = 50; // ms within which an idle callback usually comes
const TICKS = 5; // of an interval that are waited for, unless it is cleared before
const MOST = 200; // entries; a newer one takes the place of the oldest
const time = performance.now.bind(performance);
const entries = [];
let next = 0;

/** `run` is what is begun again and again when something recurs; `id` what it is cleared by. */
const expectWithin = (ms, id, run) => {
  const begun = time();
  entries[next] = { begun, due: begun + ms, id, run };
  next = (next + 1) % MOST;
};

const forget = (id) => {
  for (let index = 0; index < entries.length; index += 1) if (entries[index]?.id === id) entries[index] = undefined;
};

const delayOf = (given) => {
  const delay = given[1];
  return typeof delay === 'number' && delay > 0 ? delay : 0;
};

window.setTimeout = overhear(setTimeout, (given, id) => {
  const delay = delayOf(given);
  if (delay <= LONGEST) expectWithin(delay, id, given[0]);
});
window.setInterval = overhear(setInterval, (given, id) => {
  const delay = delayOf(given);
  if (delay <= LONGEST) expectWithin(delay * TICKS > LONGEST ? LONGEST : delay * TICKS, id, given[0]);
});
window.clearTimeout = overhear(clearTimeout, (given) => forget(given[0]));
window.clearInterval = overhear(clearInterval, (given) => forget(given[0]));
window.requestIdleCallback = overhear(requestIdleCallback, (given) => expectWithin(IDLE, undefined, given[0]));

/** Whether it was asked something before and has not answered in time. */
const isSilent = (worker) => {
  for (let index = 0; index < entries.length; index += 1) {
    const entry = entries[index];
    if (entry?.run === worker && entry.due < time()) return true;
  }
  return false;
};

const expectAnswer = (worker) => { if (!isSilent(worker)) expectWithin(LONGEST, worker, worker); };

const listenTo = (worker) => {
  apply(addEventListener, worker, ['message', () => forget(worker)]);
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

/** Whether the same was under way already at that time, and has not been cleared: it recurs. */
const recurs = (run, since) => {
  for (let index = 0; index < entries.length; index += 1) {
    const entry = entries[index];
    if (entry !== undefined && entry.run === run && entry.begun < since && entry.due >= since) return true;
  }
  return false;
};

/** ms until all is through that has begun since then. */
const restSince = (since) => {
  let latest = time();
  for (let index = 0; index < entries.length; index += 1) {
    const entry = entries[index];
    const counts = entry !== undefined && entry.begun >= since && entry.due > latest;
    if (counts && !recurs(entry.run, since)) latest = entry.due;
  }
  return latest - time();
};

const numberIn = Object.getOwnPropertyDescriptor(Notice.prototype, 'screenX').get;
apply(addEventListener, page, ['charlotte:expects', (event) => {
  const rest = restSince(time() - apply(numberIn, event, []));
  if (rest > 0) notify('charlotte:expected', { screenX: rest + 1 });
}]);
