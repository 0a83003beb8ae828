// Waiting in a page: animation frames, and a timer where there are none (a tab that is not shown).
const NO_FRAME = 100; // ms without a frame after which we go on all the same

const now = () => performance.now();

const frame = () => new Promise((resolve) => {
  const late = setTimeout(resolve, NO_FRAME);
  requestAnimationFrame(() => {
    clearTimeout(late);
    resolve();
  });
});
