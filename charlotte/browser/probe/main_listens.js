// Tells the probe, which cannot see the listeners of another world, which elements listen for clicks.
/** Of an element in a shadow root, the host is told: the event does not name what lies in one. */
const tell = (element) => {
  if (element instanceof Element) {
    notify('charlotte:listens', { relatedTarget: element });
  }
};

EventTarget.prototype.addEventListener = overhear(addEventListener, (given, _, target) => {
  const type = given[0];
  if (type === 'click' || type === 'mousedown' || type === 'pointerdown') tell(target);
});

for (const { prototype } of [HTMLElement, SVGElement]) {
  const onclick = Object.getOwnPropertyDescriptor(prototype, 'onclick');
  const set = overhear(onclick.set, (given, _, element) => {
    if (typeof given[0] === 'function') tell(element);
  });
  Object.defineProperty(prototype, 'onclick', { ...onclick, set });
}
