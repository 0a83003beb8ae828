// How long it takes until what the page has begun is through; the page's own world knows (main_pending.js).
const LONGEST_PENDING = 500;
let toldPending = 0;

EventTarget.prototype.addEventListener.call(document, 'charlotte:expected', (event) => {
  toldPending = Math.min(event.screenX, LONGEST_PENDING);
});

/** ms until the latest is due of what has begun within the last `age` ms; 0 when nothing is. */
const pendingOf = (age) => {
  toldPending = 0;
  document.dispatchEvent(new MouseEvent('charlotte:expects', { screenX: age }));
  return toldPending;
};
