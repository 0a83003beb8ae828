// What has been scrolled inside the page, and how far: things that only went along with it have not moved.
const MOST_SCROLLED = 50;
const scrolled = new Set();
const listen = EventTarget.prototype.addEventListener;

const noteScrolled = ({ target }) => {
  if (target instanceof Element && scrolled.size < MOST_SCROLLED) scrolled.add(target);
};

/** In a tree of its own, for `scroll` does not leave a shadow root; once more does no harm. */
const watchScrolls = (root) => {
  if (!isScriptless()) listen.call(root, 'scroll', noteScrolled, { capture: true, passive: true });
};

watchScrolls(document);

/** [nid, x, y] of each that was ever scrolled. */
const scrolls = () => {
  for (const element of scrolled) if (!isConnectedOf.call(element)) scrolled.delete(element);
  return Array.from(scrolled, (element) =>
    [nidOf(element), Math.round(scrollLeftOf.call(element)), Math.round(scrollTopOf.call(element))]);
};
