// Waiting in a page: animation frames, and a timer where there are none (a tab that is not shown).
const NO_FRAME = 100; // ms without a frame after which we go on all the same

const now = () => performance.now();

/** Whether a frame came within `late` ms. */
const frame = (late = NO_FRAME) => new Promise((resolve) => {
  const timer = setTimeout(resolve, late, false);
  requestAnimationFrame(() => {
    clearTimeout(timer);
    resolve(true);
  });
});
