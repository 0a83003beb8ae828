// What the script in the page's own world tells of elements (main_listens.js, main_hides.js): nothing else shows it.
export let hasNewReports = false; // since the last walk
export let reportCount = 0;

export const clearNewReports = () => {
  hasNewReports = false;
};

/** Have the page's own world report the elements that have got listeners since the last time. */
export const requestReports = () => EventTarget.prototype.dispatchEvent.call(document, new Event('charlotte:listeners'));

/**
 * The elements that events with that name report: as their target, or as the related one.
 * @param {string} name
 */
export const reportedBy = (name) => {
  const told = new WeakSet();
  EventTarget.prototype.addEventListener.call(document, name, (/** @type {any} */ event) => {
    event.stopImmediatePropagation();
    event.preventDefault();
    reportCount += 1;
    const element = event.relatedTarget ?? event.composedPath()[0];
    if (!(element instanceof Element) || told.has(element)) return;
    told.add(element);
    hasNewReports = true;
  }, true);
  return told;
};
