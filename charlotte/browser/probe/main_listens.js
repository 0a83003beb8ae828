// Tells the probe, which cannot see the listeners of another world, which elements listen for clicks, and for drops.
const MOST_UNHEARD = 10000;
const unheard = []; // what was told before the probe came to a document whose window it was not the first in

const tellOf = (telling) => notify(telling.name, { relatedTarget: telling.element });

/** Of an element in a shadow root, the host is told: the event does not name what lies in one. */
const tell = (element, name) => {
  if (!(element instanceof Element)) return;
  const telling = { name, element };
  if (!tellOf(telling) && unheard.length < MOST_UNHEARD) unheard[unheard.length] = telling;
};

onQuestion('charlotte:comes', () => {
  for (let index = 0; index < unheard.length; index += 1) tellOf(unheard[index]);
  unheard.length = 0;
});

EventTarget.prototype.addEventListener = overhear(addEventListener, (given, _, target) => {
  const name = toldAs(given[0]);
  if (name !== undefined) tell(target, name);
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
  tellOfHandlers(prototype, 'oncontextmenu', 'charlotte:menus');
  tellOfHandlers(prototype, 'ondrop', 'charlotte:drops');
}
