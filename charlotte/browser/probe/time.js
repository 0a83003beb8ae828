// Waiting in a page: animation frames, and a timer where there are none (a tab that is not shown).
// `charlotteFrame` is a binding that only this world has: it asks for the page to be drawn.
const MISSED = 50; // ms without a frame after which that is asked for
const NO_FRAME = 100; // ms without a frame after which we go on all the same

const now = () => performance.now();

const missFrame = () => globalThis.charlotteFrame?.('');

/** Whether a frame came within `late` ms. */
const frame = (late = NO_FRAME) => new Promise((resolve) => {
  const timers = [setTimeout(missFrame, MISSED), setTimeout(resolve, late, false)];
  requestAnimationFrame(() => {
    for (const timer of timers) clearTimeout(timer);
    resolve(true);
  });
});
