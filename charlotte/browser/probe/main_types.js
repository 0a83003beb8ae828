// Which listeners are reported to the probe: those that answer a click, a press or the context menu, and those that take
// what is dropped.
/** The name of the report; undefined for any other type. */
const reportOf = (type) => {
  switch (type) {
    case 'click': return 'listens';
    case 'mousedown': case 'pointerdown': return 'presses';
    case 'contextmenu': return 'menus';
    case 'drop': return 'drops';
    default: return undefined;
  }
};
