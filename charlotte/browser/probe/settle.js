// settle(): waits until the page stands still, which is when two frames have passed without a change of the
// DOM and without an animation that is about to end; gives up at a cap.
const EVERYTHING = Object.freeze({ subtree: true, childList: true, attributes: true, characterData: true });

const observe = (observer) => {
  for (const root of openRoots()) observer.observe(root, EVERYTHING);
};

const remainingOf = (animation) => {
  const { endTime } = animation.effect.getComputedTiming();
  return (endTime - animation.currentTime) / Math.abs(animation.playbackRate);
};

/** Running, driven by time, and through within `cap` ms: a spinner or a long marquee is not waited for. */
const endsSoon = (animation, cap) =>
  animation.playState === 'running' && animation.effect !== null && animation.playbackRate !== 0
  && animation.timeline === timelineOf.call(document) && remainingOf(animation) <= cap;

const isAnimating = (cap) => getAnimations.call(document).some((animation) => endsSoon(animation, cap));

const newWatch = () => {
  const watch = { mutations: 0, seen: 0, observer: null };
  watch.observer = new MutationObserver((records) => { watch.mutations += records.length; });
  observe(watch.observer);
  return watch;
};

/** What happened since the last look: "mutations", "animations" or '' for nothing. */
const unrest = (watch, cap) => {
  watch.mutations += watch.observer.takeRecords().length;
  if (watch.mutations === watch.seen) return isAnimating(cap) ? 'animations' : '';
  watch.seen = watch.mutations;
  observe(watch.observer);
  return 'mutations';
};

const untilQuiet = async (watch, frames, cap) => {
  const end = now() + cap;
  const waited = new Set();
  let quiet = 0;
  let passed = 0;
  while (quiet < frames && now() < end) {
    await frame();
    passed += 1;
    const reason = unrest(watch, cap);
    quiet = reason === '' ? quiet + 1 : 0;
    if (reason !== '') waited.add(reason);
  }
  return { settled: quiet >= frames, waited: [...waited], frames: passed, mutations: watch.mutations };
};

/** A promise of {settled, waited: ["mutations"|"animations", …], frames, mutations}; `cap` in ms. */
const settle = async ({ frames = 2, cap = 500 } = {}) => {
  const watch = newWatch();
  try {
    return JSON.stringify(await untilQuiet(watch, frames, cap));
  } finally {
    watch.observer.disconnect();
  }
};
