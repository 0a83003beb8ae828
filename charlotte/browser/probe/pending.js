// What the page has begun and what is not through yet; the page's own world knows (main_pending.js).
const LONGEST_PENDING = 500;
const LATEST_PENDING = 10000;
const pending = { short: 0, long: 0, every: 0 };

EventTarget.prototype.addEventListener.call(document, 'charlotte:expected', (event) => {
  pending.short = Math.min(event.screenX, LONGEST_PENDING);
  pending.long = Math.min(event.screenY, LATEST_PENDING);
  pending.every = Math.min(event.clientX, LATEST_PENDING);
});

/**
 * Of what has begun within the last `age` ms:
 * {short: ms until it is through, long: ms of a timer, every: of a ticker}.
 */
const pendingOf = (age) => {
  pending.short = 0;
  pending.long = 0;
  pending.every = 0;
  document.dispatchEvent(new MouseEvent('charlotte:expects', { screenX: age }));
  return pending;
};
