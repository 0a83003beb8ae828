// Runs in the page's own world before its scripts: hides the accessibility properties that only the probe uses,
// and tells the probe, which cannot see the listeners of another world, which elements listen for clicks.
(() => {
  'use strict';
  delete Element.prototype.computedRole;
  delete Element.prototype.computedName;

  const PRESSES = new Set(['click', 'mousedown', 'pointerdown']);
  const { dispatchEvent } = EventTarget.prototype;
  const { apply } = Reflect;
  const Notice = MouseEvent;
  const page = document;

  /** Of an element in a shadow root, the host is told: the event does not name what lies in one. */
  const tell = (element) => {
    if (element instanceof Element) {
      dispatchEvent.call(page, new Notice('charlotte:listens', { relatedTarget: element }));
    }
  };

  /** The function as it was, also to look at, but that we hear of its calls before they are made. */
  const overheard = (native, hear) => new Proxy(native, {
    apply(target, self, given) {
      hear(self, given[0]);
      return apply(target, self, given);
    },
  });

  const { addEventListener } = EventTarget.prototype;
  EventTarget.prototype.addEventListener = overheard(addEventListener, (target, type) => {
    if (PRESSES.has(type)) tell(target);
  });

  for (const { prototype } of [HTMLElement, SVGElement]) {
    const onclick = Object.getOwnPropertyDescriptor(prototype, 'onclick');
    const set = overheard(onclick.set, (element, handler) => {
      if (typeof handler === 'function') tell(element);
    });
    Object.defineProperty(prototype, 'onclick', { ...onclick, set });
  }
})();
