// Which listeners the probe is told of: those that answer a click, a press or the context menu, and those that take what
// is dropped.
/** The name of the event that tells of one; undefined for any other. */
const toldAs = (type) => {
  switch (type) {
    case 'click': return 'charlotte:listens';
    case 'mousedown': case 'pointerdown': return 'charlotte:presses';
    case 'contextmenu': return 'charlotte:menus';
    case 'drop': return 'charlotte:drops';
    default: return undefined;
  }
};
