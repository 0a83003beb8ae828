// Which listeners the probe is told of: those that answer a click, and those that take what is dropped.
/** The name of the event that tells of one; undefined for any other. */
const toldAs = (type) => {
  if (type === 'click' || type === 'mousedown' || type === 'pointerdown') return 'charlotte:listens';
  return type === 'drop' ? 'charlotte:drops' : undefined;
};
