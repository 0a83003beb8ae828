// What the page has begun and what is not through yet; the page's own world knows (main_pending.js).
const LONGEST_PENDING = 500;
const LATEST_PENDING = 10000;
const pending = { short: 0, long: 0, every: 0, frame: false };

EventTarget.prototype.addEventListener.call(document, 'charlotte:expected', (event) => {
  pending.short = Math.min(event.screenX, LONGEST_PENDING);
  pending.long = Math.min(event.screenY, LATEST_PENDING);
  pending.every = Math.min(event.clientX, LATEST_PENDING);
  pending.frame = event.clientY > 0;
});

/**
 * Of what has begun within the last `age` ms:
 * {short: ms until it is through, long: ms of a timer, every: of a ticker,
 * frame: whether the page has asked for an animation frame}.
 */
const pendingOf = (age) => {
  pending.short = 0;
  pending.long = 0;
  pending.every = 0;
  pending.frame = false;
  document.dispatchEvent(new MouseEvent('charlotte:expects', { screenX: age }));
  return pending;
};

const MISCOUNTED = 1; // ms by which the clock of a page may be coarser

/**
 * Wait for what the page does after an event in timers of 0 ms and in frames, as editors do that choose a part of a
 * field after the focus. Frames are waited for if `always`, or if the page has asked for one since that time.
 */
const beat = async (since, always = false) => {
  if (isScriptless()) return;
  await later(1); // fires after all timers that were due
  if (!always && !pendingOf(now() - since + MISCOUNTED).frame) return;
  await frame();
  await frame();
  await later(1);
};

/** Wait until the page has handled what was typed. */
const beatAfter = async () => {
  await beat(now(), true);
  return '{}';
};
