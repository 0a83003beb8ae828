// Reports the listeners of a document that had begun before the other scripts were installed.
import { REPORTS, reportOf } from './listener_types.js';

const MOST_ASKED = 5000; // elements

for (const element of [...document.querySelectorAll('*')].slice(0, MOST_ASKED)) {
  for (const type of Object.keys(getEventListeners(element))) {
    const report = REPORTS[reportOf(type)];
    if (report !== undefined) element.dispatchEvent(new MouseEvent(`charlotte:${report}`, { composed: true }));
  }
}
