// Tells the probe, which cannot see the listeners of another world, which elements listen for clicks, and for drops.
/** Of an element in a shadow root, the host is told: the event does not name what lies in one. */
const tell = (element, name = 'charlotte:listens') => {
  if (element instanceof Element) {
    notify(name, { relatedTarget: element });
  }
};

EventTarget.prototype.addEventListener = overhear(addEventListener, (given, _, target) => {
  const type = given[0];
  if (type === 'click' || type === 'mousedown' || type === 'pointerdown') tell(target);
  else if (type === 'drop') tell(target, 'charlotte:drops');
});

const tellOfHandlers = (prototype, property, name) => {
  const handler = Object.getOwnPropertyDescriptor(prototype, property);
  const set = overhear(handler.set, (given, _, element) => {
    if (typeof given[0] === 'function') tell(element, name);
  });
  Object.defineProperty(prototype, property, { ...handler, set });
};

for (const { prototype } of [HTMLElement, SVGElement]) {
  tellOfHandlers(prototype, 'onclick', 'charlotte:listens');
  tellOfHandlers(prototype, 'ondrop', 'charlotte:drops');
}
