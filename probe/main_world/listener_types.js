// Which listeners are reported to the probe: those that answer a click, a press or the context menu, and those that take
// what is dropped.
export const REPORTS = ['listens', 'presses', 'menus', 'drops'];

/**
 * The index of the report in `REPORTS`; -1 for any other type.
 * @param {any} type
 */
export const reportOf = (type) => {
  switch (type) {
    case 'click': return 0;
    case 'mousedown': case 'pointerdown': return 1;
    case 'contextmenu': return 2;
    case 'drop': return 3;
    default: return -1;
  }
};
