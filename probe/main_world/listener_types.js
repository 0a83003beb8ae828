// The listeners that are reported to the probe: for clicks, presses, the context menu and drops.
export const REPORTS = ['listens', 'presses', 'menus', 'drops'];

/**
 * Return the index of the report in `REPORTS`; -1 for any other type.
 * @param {string} type
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
