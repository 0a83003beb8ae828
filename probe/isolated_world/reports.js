// Reports of the main world (listener_reports.js) about elements: listeners and shadow roots.
export let hasNewReports = false; // since the last walk
export let reportCount = 0;

export const clearNewReports = () => {
  hasNewReports = false;
};

/** Ask the main world to report the elements that got listeners since the last time. */
export const requestReports = () => EventTarget.prototype.dispatchEvent.call(document, new Event('charlotte:listeners'));

/**
 * Collect the elements that events of a name report, as target or related target.
 * @param {string} name
 */
export const reportedBy = (name) => {
  const reported = new WeakSet();
  EventTarget.prototype.addEventListener.call(document, name, (/** @type {any} */ event) => {
    event.stopImmediatePropagation();
    event.preventDefault();
    reportCount += 1;
    const element = event.relatedTarget ?? event.composedPath()[0];
    if (!(element instanceof Element) || reported.has(element)) return;
    reported.add(element);
    hasNewReports = true;
  }, true);
  return reported;
};
