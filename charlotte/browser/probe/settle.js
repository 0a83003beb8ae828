// settle(): waits until the page stands still, which is when two frames have passed without a change of the
// DOM and without an animation that is about to end, and nothing is queued that has yet to run; gives up at a cap.
const EVERYTHING = Object.freeze({ subtree: true, childList: true, attributes: true, characterData: true });

const SLICE = 1000; // ms after which there is an answer in any case; "more" says that it is worth asking again
const IS_TOP = window === window.top; // a frame in it that lies out of sight is never drawn

/** Returns the document and its shadow roots, all of which are observed. */
const observe = (observer, roots = openRoots()) => {
  for (const root of roots) observer.observe(root, EVERYTHING);
  return roots;
};

const remainingOf = (animation) => {
  const { endTime } = animation.effect.getComputedTiming();
  return (endTime - animation.currentTime) / Math.abs(animation.playbackRate);
};

/** Running, driven by time, and through within `cap` ms: a spinner or a long marquee is not waited for. */
const endsSoon = (animation, cap) =>
  animation.playState === 'running' && animation.effect !== null && animation.playbackRate !== 0
  && animation.timeline === timelineOf.call(document) && remainingOf(animation) <= cap;

/** Animations of the document do not include those in shadow roots. */
const animationsIn = (root) => (root === document ? getAnimations.call(document) : root.getAnimations());

const isAnimating = (roots, cap) =>
  roots.some((root) => animationsIn(root).some((animation) => endsSoon(animation, cap)));

/** Begun since then, or about to begin. A style that is to change in an hour's time is no answer to an action. */
const isBegunSince = (animation, since) =>
  endsSoon(animation, LATEST_PENDING) && (animation.startTime ?? since) >= since;

/** The ms of the shortest animation begun since that goes on, 0 if none does. */
const animatedSince = (roots, since) => {
  const begun = roots.flatMap(animationsIn).filter((animation) => isBegunSince(animation, since));
  const lengths = begun.map((animation) => Math.round(animation.effect.getComputedTiming().endTime));
  return lengths.length > 0 ? Math.min(...lengths) : 0;
};

/** What is not waited for, and goes on. */
const leftSince = (roots, since) =>
  ({ later: pending.long, every: pending.every, animation: animatedSince(roots, since) });

const CAPTURED = Object.freeze({ capture: true, passive: true });

/** Where no script runs, only styles can answer an action. */
const untilDrawn = async (cap, since) => {
  const [end, roots] = [now() + cap, openRoots()];
  do await frame();
  while (isAnimating(roots, cap) && now() < end);
  return { settled: true, waited: [], ...leftSince(roots, since) };
};

const newWatch = (since) => {
  digest();
  const watch = { mutates: false, scrolls: false, observer: null, roots: [], note: null, count: null };
  watch.count = (records) => {
    watch.mutates ||= records.some((record) => !isTick(record, since));
    if (watch.mutates) watch.observer.disconnect(); // until the next look: one change is enough
  };
  watch.observer = new MutationObserver(watch.count);
  watch.note = (event) => { watch.scrolls = event.type === 'scroll'; };
  watch.roots = observe(watch.observer);
  for (const type of ['scroll', 'scrollend']) document.addEventListener(type, watch.note, CAPTURED);
  return watch;
};

const endWatch = (watch) => {
  watch.observer.disconnect();
  for (const type of ['scroll', 'scrollend']) document.removeEventListener(type, watch.note, CAPTURED);
};

/** What happened since the last look: "mutations", "scrolling", "animations" or '' for nothing. */
const unrest = (watch, cap) => {
  watch.count(watch.observer.takeRecords());
  if (watch.scrolls) return 'scrolling';
  if (!watch.mutates) return isAnimating(watch.roots, cap) ? 'animations' : '';
  watch.mutates = false;
  watch.roots = observe(watch.observer);
  return 'mutations';
};

const LONGEST_WAY = 1000; // ms; a browser elsewhere may have another clock
const USUAL_WAY = 20; // ms to there

/** ms that a question took to come here; what was asked in time to come was asked by another clock. */
const onTheWay = (asked) => {
  const way = Date.now() - asked;
  return way < -1 ? USUAL_WAY : Math.min(Math.max(way, 0), LONGEST_WAY);
};

/** A timer that is due may be late; one that is set now fires after it. */
const allDueFired = () => new Promise((resolve) => setTimeout(resolve, 1));

const STEP = 50; // ms

/**
 * Whether, within `ms`, all is through that scripts, messages and responses have queued: this comes after it. Of a time
 * in which one of them ran, or nothing at all, no more than a step counts.
 */
const allQueuedRan = async (ms) => {
  let ran = false;
  const through = scheduler.postTask(() => { ran = true; }, { priority: 'background' });
  for (let left = ms; left > 0 && !ran; left -= STEP) await Promise.race([through, later(STEP)]);
  return ran;
};

/** A frame, and all timers that were due; whether the browser drew it, or need not draw any. */
const nextFrame = async (expects, isPending, last) => {
  const drawn = await frame(IS_TOP ? last - now() : NO_FRAME);
  if (expects && !isPending()) await allDueFired();
  return drawn || !IS_TOP;
};

const whyNot = (drawn, busy) => {
  if (busy) return 'scripts of the page kept running';
  return drawn ? undefined : 'the browser draws no frames';
};

const MOST_RESTYLED = 3;
const isElement = (node) => nodeTypeOf.call(node) === ELEMENT;

/** In what way a change may be seen though no text, state or name tells of it; '' for none. */
const lookOf = ({ type, attributeName: name, addedNodes, removedNodes }) => {
  if (type === 'attributes') return name.startsWith('aria-') || name.startsWith('data-') ? '' : name;
  const [came, went] = [addedNodes, removedNodes].map((nodes) => [...nodes].find(isElement));
  if (came !== undefined) return `<${localNameOf.call(came)}> added in`;
  return went === undefined ? '' : `<${localNameOf.call(went)}> removed from`;
};

const isRelated = (target, element) => contains.call(target, element) || contains.call(element, target);

/**
 * What may look otherwise since then, at most a few: ["class of div#a", …], first of what was acted on and lies around
 * it or in it; undefined for nothing.
 */
const restyledSince = (since) => {
  const press = pressed !== null && pressed.time >= since ? pressed : null;
  const element = press?.element ?? deepActive() ?? document.body;
  const told = [[], []];
  if ((press?.drawing ?? null) !== null && drawingOn(press.canvas) !== press.drawing) {
    told[0].push(`drawing on ${describeElement(press.canvas)}`);
  }
  for (const record of changedSince(since)) {
    const { target, type } = record;
    const look = lookOf(record);
    if (look === '' || !isElement(target) || !isConnectedOf.call(target) || sightOf(target) !== SEEN) continue;
    const words = `${look}${type === 'attributes' ? ' of' : ''} ${describeElement(target)}`;
    const list = told[element !== null && isRelated(target, element) ? 0 : 1];
    if (!list.includes(words)) list.push(words);
    if (told[0].length >= MOST_RESTYLED) break;
  }
  const all = told.flat().slice(0, MOST_RESTYLED);
  return all.length > 0 ? all : undefined;
};

/**
 * Frames without unrest, and nothing pending of what began since, or queued; what changes or is pending still is given
 * up `cap` ms beyond what is pending now. Frames that come late do not count against the page.
 */
const untilQuiet = async (watch, frames, cap, since) => {
  const isPending = () => pendingOf(now() - since).short > 0;
  const last = now() + SLICE;
  let end = now() + cap + pendingOf(now() - since).short;
  const waited = new Set();
  let quiet = 0;
  let expects = isPending();
  let reason = '';
  let [drawn, ran, busy] = [false, false, false];
  const isQuiet = () => quiet >= frames && !expects;
  const isOver = () => busy || now() >= (drawn && (quiet === 0 || expects) ? end : last);
  while (!(ran && isQuiet()) && !isOver()) {
    if (isQuiet()) busy = !(ran = await allQueuedRan(cap));
    else {
      if (quiet >= frames) waited.add('timers');
      drawn = await nextFrame(expects, isPending, last) || drawn;
    }
    expects = isPending();
    reason = unrest(watch, cap);
    quiet = reason === '' ? quiet + 1 : 0;
    if (reason === '') continue;
    ran = false;
    waited.add(reason);
    if (reason === 'scrolling') end = Math.min(now() + cap, last);
  }
  const settled = ran && isQuiet();
  const isLate = quiet > 0 || !drawn || reason === 'scrolling';
  const more = !settled && !busy && !expects && isLate ? true : undefined;
  const why = settled ? undefined : whyNot(drawn, busy);
  const [said, given, restyled] = [saidSince(since), givenSince(since), restyledSince(since)];
  return { settled, waited: [...waited], ...leftSince(watch.roots, since), more, why, said, given, restyled };
};

const LONGEST_STEP = 500; // ms between two steps of a script that draws a page piece by piece
const WATCHED = 250; // ms
const YOUNG = 10000; // ms

const sizeNow = () => elementsIn.call(rootElementOf.call(document), '*').length;

/** Whether a timer of a document that has just come adds elements to it, and another one is to follow. */
const isStillDrawn = async () => {
  const { short, every } = pendingOf(now());
  const next = Math.min(short, every) || Math.max(short, every);
  if (next === 0 || next > LONGEST_STEP || now() > YOUNG || rootElementOf.call(document) === null) return false;
  const before = sizeNow();
  await later(Math.min(next, WATCHED) + STEP);
  const rest = pendingOf(now());
  return sizeNow() > before && (rest.short > 0 || rest.every > 0);
};

/**
 * A promise of {settled, waited: ["mutations"|"animations"|"scrolling"|"timers", …], later, every, animation, more?,
 * why?, said?, given?, restyled?}; `cap` in ms, `age` how long before the time `asked` (ms since the epoch) the action began.
 * `later` is the ms of a timer begun since that is too long to be waited for, `every` of an interval that goes on,
 * `animation` of an animation that does, each 0 if there is none; with `more`, the page may stand still if it is given
 * more time. `said` is what live regions have said since, and do not say now; `given` what those say that were given a
 * text since; `restyled` what may look otherwise, though it says the same. `drawing` says, at the
 * `arrival` of a document, that a script still adds to it.
 */
const settle = async ({ frames = 2, cap = 500, age = 0, asked = Date.now(), arrival = false } = {}) => {
  const since = now() - (age > 0 ? age + onTheWay(asked) : 0);
  if (isScriptless()) return JSON.stringify(await untilDrawn(cap, since));
  keepListening();
  const watch = newWatch(since);
  try {
    const quiet = await untilQuiet(watch, frames, cap, since);
    if (arrival && quiet.settled && await isStillDrawn()) quiet.drawing = true;
    return JSON.stringify(quiet);
  } finally {
    endWatch(watch);
  }
};
